// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { pitchOf, placeOf, voiceOf } from './sound.js';

describe('sound', () => {
    const ear = { x: 10, y: 0, reach: 20 };
    it('comes from where the event is, and is softer further away', () => {
        expect(placeOf({ x: 10, y: 0 }, ear)).toEqual({ pan: 0, volume: 1 });
        const [left, right] = [placeOf({ x: 0, y: 0 }, ear), placeOf({ x: 20, y: 0 }, ear)];
        expect(left.pan).toBe(-right.pan);
        expect(right.pan).toBeGreaterThan(0);
        expect(placeOf({ x: 30, y: 0 }, ear).volume).toBeCloseTo(0.5);
        for (let x = 11, last = 1; x < 200; ++x) {
            const { pan, volume } = placeOf({ x, y: x }, ear);
            expect(volume).toBeLessThan(last);
            expect(Math.abs(pan)).toBeLessThanOrEqual(1);
            last = volume;
        }
        expect(placeOf(undefined, ear)).toEqual({ pan: 0, volume: 1 });
    });
    it('has a voice for every mood, and one for what is too frequent for a text', () => {
        const moods = ['plain', 'slight', 'good', 'hurt', 'grave'] as const;
        const spoken = moods.map((mood) => voiceOf({ kind: 'x', text: 'x', mood }));
        expect(new Set([...spoken, voiceOf({ kind: 'x', text: '', mood: 'plain' })]).size).toBe(6);
    });
    it('keeps the pitch of a kind, within a fifth', () => {
        const pitches = ['hit', 'collision', 'overheated', 'explosion', 'landed'].map(pitchOf);
        expect(pitches).toEqual(['hit', 'collision', 'overheated', 'explosion', 'landed'].map(pitchOf));
        expect(new Set(pitches).size).toBeGreaterThan(2);
        for (const pitch of pitches) expect(Math.abs(Math.log2(pitch))).toBeLessThanOrEqual(7 / 12);
    });
});
