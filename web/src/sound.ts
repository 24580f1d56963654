// SPDX-License-Identifier: MIT
// Sounds of events, synthesised: no file is loaded. The world's event table decides: the mood of a kind chooses the
// voice, the name of the kind its pitch. Nothing plays before the first click or key, as browsers demand.

import type { EventNotice, EventText, Setup } from 'instep';
import { readStored, store } from './stored.js';

/** One tone or burst of noise that glides from one frequency to another. */
interface Tone { wave: OscillatorType | 'noise'; from: number; to: number; seconds: number; volume: number; after?: number }

const mostAtOnce = 20; // voices; more are noise
const leastPause = 0.05; // seconds between two sounds of a kind
const masterVolume = 0.3;
const faintest = 0.02; // below it a sound is not worth a voice
const attack = 0.004; // seconds; a sudden start clicks

const voices: Record<EventText['mood'] | 'action', Tone[]> = {
    plain: [{ wave: 'sine', from: 330, to: 440, seconds: 0.16, volume: 0.25 }],
    action: [{ wave: 'triangle', from: 880, to: 300, seconds: 0.09, volume: 0.3 }], // too frequent for a text: a shot, a swing
    slight: [{ wave: 'sine', from: 240, to: 160, seconds: 0.07, volume: 0.3 }],
    good: [
        { wave: 'triangle', from: 520, to: 520, seconds: 0.1, volume: 0.35 },
        { wave: 'triangle', from: 780, to: 780, seconds: 0.22, volume: 0.35, after: 0.08 },
    ],
    hurt: [
        { wave: 'noise', from: 1800, to: 300, seconds: 0.14, volume: 0.7 },
        { wave: 'square', from: 180, to: 70, seconds: 0.16, volume: 0.25 },
    ],
    grave: [
        { wave: 'noise', from: 1200, to: 60, seconds: 0.7, volume: 1 },
        { wave: 'sawtooth', from: 160, to: 30, seconds: 0.6, volume: 0.4 },
    ],
};

export function voiceOf({ mood, text }: EventText): Tone[] {
    return voices[mood === 'plain' && text === '' ? 'action' : mood];
}
/** Kinds of the same mood differ by up to a fifth: a factor of the frequency. */
export function pitchOf(kind: string): number {
    let sum = 0;
    for (const letter of kind) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
    return 2 ** (([0, 2, 4, 7, -3][sum % 5]!) / 12);
}
export interface Ear {
    x: number;
    y: number;
    /** Half of the visible width, world units. */
    reach: number;
}
/** Left is -1, right 1; half as loud at the edge of the screen. Without a position: in the middle. */
export function placeOf(position: { x: number; y: number } | undefined, ear: Ear): { pan: number; volume: number } {
    if (!position) return { pan: 0, volume: 1 };
    const [dx, dy] = [(position.x - ear.x) / ear.reach, (position.y - ear.y) / ear.reach];
    return { pan: Math.min(Math.max(dx, -1), 1) * 0.8, volume: 1 / (1 + dx * dx + dy * dy) };
}

export class Sound {
    muted = readStored('muted') === 'yes';
    private audio: { context: AudioContext; output: GainNode; noise: AudioBuffer } | null = null;
    private playing = new Map<number, { gains: GainNode[]; until: number }>(); // by the event's number
    private lastOf = new Map<unknown, number>();
    private spoken = 0;

    constructor() {
        const stops = new AbortController();
        const start = (event: Event) => {
            if (!event.isTrusted) return; // a script's click does not unlock audio
            stops.abort();
            this.open();
        };
        for (const gesture of ['pointerup', 'keydown']) addEventListener(gesture, start, { signal: stops.signal });
    }
    setMuted(muted: boolean): void {
        this.muted = muted;
        store('muted', muted ? 'yes' : 'no');
        if (this.audio) this.audio.output.gain.value = muted ? 0 : masterVolume;
    }
    /** A predicted event sounds at once and not again when it is confirmed; one that is cancelled is cut off. */
    play({ status, number, event }: EventNotice, texts: Map<unknown, EventText>, ear: Ear): void {
        if (!this.audio || this.muted || status === 'confirmed') return;
        if (status === 'cancelled') return this.cut(number);
        const text = texts.get(event['kind']);
        const now = this.audio.context.currentTime;
        const { pan, volume } = placeOf(event['position'] as { x: number; y: number } | undefined, ear);
        if (!text || volume < faintest || now - (this.lastOf.get(text.kind) ?? -1) < leastPause) return;
        for (const [key, { until }] of this.playing) if (until < now) this.playing.delete(key);
        if (this.playing.size >= mostAtOnce) return;
        this.lastOf.set(text.kind, now);
        const gains = voiceOf(text).map((tone) => this.tone(tone, pitchOf(text.kind), pan, volume, now));
        // Events of a server are numbered like predicted ones, but only those can be cancelled.
        this.playing.set(status === 'predicted' ? number : --this.spoken, { gains, until: now + 1 });
    }

    private open(): void {
        const context = new AudioContext();
        const output = context.createGain();
        output.gain.value = this.muted ? 0 : masterVolume;
        const noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
        const samples = noise.getChannelData(0);
        for (let i = 0; i < samples.length; ++i) samples[i] = Math.random() * 2 - 1;
        // Many explosions at once are limited, not clipped.
        output.connect(context.createDynamicsCompressor()).connect(context.destination);
        this.audio = { context, output, noise };
    }
    private tone({ wave, from, to, seconds, volume, after = 0 }: Tone, pitch: number, pan: number, loudness: number, now: number): GainNode {
        const { context, output, noise } = this.audio!;
        const [start, end] = [now + after, now + after + seconds];
        const gain = context.createGain();
        gain.gain.setValueAtTime(0, start);
        gain.gain.linearRampToValueAtTime(volume * loudness, start + attack);
        gain.gain.exponentialRampToValueAtTime(volume * loudness * 0.01, end);
        const panner = context.createStereoPanner();
        panner.pan.value = pan;
        gain.connect(panner).connect(output);
        const glide = (frequency: AudioParam) => {
            frequency.setValueAtTime(from * pitch, start);
            frequency.exponentialRampToValueAtTime(to * pitch, end);
        };
        let source: AudioScheduledSourceNode;
        if (wave === 'noise') {
            const burst = context.createBufferSource();
            const filter = context.createBiquadFilter(); // a low-pass
            burst.buffer = noise;
            glide(filter.frequency);
            burst.connect(filter).connect(gain);
            source = burst;
        } else {
            const oscillator = context.createOscillator();
            oscillator.type = wave;
            glide(oscillator.frequency);
            oscillator.connect(gain);
            source = oscillator;
        }
        source.start(start);
        source.stop(end);
        return gain;
    }
    private cut(number: number): void {
        const now = this.audio!.context.currentTime;
        for (const { gain } of this.playing.get(number)?.gains ?? []) {
            gain.cancelScheduledValues(now);
            gain.setTargetAtTime(0, now, 0.01);
        }
        this.playing.delete(number);
    }
}

/** The texts of a level's events, by kind. */
export const textsByKind = (setup: Setup) => new Map<unknown, EventText>(setup.events.map((text) => [text.kind, text]));
