// SPDX-License-Identifier: MIT
// A room on a server over a WebSocket. A line that breaks is taken up again with the same key, so that the player is
// the same; a server that says no is not asked again.

import type { Instep } from './index.js';
import type { Level, RemoteStage } from './stage.js';
import type { Pad } from './types.js';

export interface ConnectionPlan {
    /** "ws://host:port" or "wss://..." */
    url: string;
    world: string;
    level: string;
    /** The level, if it is none that came with the module: what the server says at /api/levels/WORLD/LEVEL. */
    levelJson?: string;
    name: string;
    /** That room; without it the fullest one with a place, or a new one. */
    room?: string;
    token?: string;
}

export type ConnectionState =
    | { kind: 'connecting' }
    | { kind: 'open' }
    | { kind: 'lost'; again: number; why: string } // seconds until it is tried again
    | { kind: 'refused'; why: string };

const retryAfter = [0.25, 0.5, 1, 2, 4, 8]; // s
// 4xxx is the server's no, with a sentence. These pass: silence, a full server, a room that ended.
const passing = [4408, 4429, 4500, 4503];

export class Connection {
    /** The same until the line breaks; then another, of the same room and player. */
    stage: RemoteStage;
    state: ConnectionState = { kind: 'connecting' };
    onstate: (state: ConnectionState) => void = () => {};
    /** `stage` is another one now. */
    onstage: () => void = () => {};

    private socket: WebSocket | null = null;
    private level: Level;
    private key = randomKey();
    private attempts = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private link: [number, number, number] = [0, 0, 0];
    private closed = false;

    constructor(instep: Instep, private plan: ConnectionPlan) {
        this.level = plan.levelJson ? instep.levelFromJson(plan.levelJson) : instep.level(plan.world, plan.level);
        this.stage = this.level.openRemote();
        try {
            this.dial();
        } catch (error) {
            this.close(); // an address that is none
            throw error;
        }
    }

    /** A frame: what the hands do goes out, what came is there to be drawn. `now` is the frame's time, performance.now() in seconds. */
    advance(now: number, pad: Pad): void {
        this.stage.setPad(pad);
        this.stage.advance(now);
        // Probes are stamped when they leave, not when the frame began.
        const sent = performance.now() / 1000;
        for (let message = this.stage.speak(sent); message; message = this.stage.speak(sent))
            if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    }
    /** Seconds of round trip and jitter, and the part of messages lost, on top of what the line has. */
    setLink(latency: number, jitter: number, loss: number): void {
        this.link = [latency, jitter, loss];
        this.stage.setLink(...this.link);
    }
    /** For tests and demonstrations: the line breaks, as lines do. */
    breakLine(): void {
        this.socket?.close(3000, 'broken on purpose');
    }
    close(): void {
        this.closed = true;
        clearTimeout(this.timer);
        const { socket } = this;
        // A browser complains of a socket that is closed while it connects.
        if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(1000);
        else socket?.close(1000);
        this.stage.close();
        this.level.forget();
    }

    private dial(): void {
        const { url, world, level, room, token } = this.plan;
        const query = new URLSearchParams({ world, level, key: this.key });
        if (room) query.set('room', room);
        if (token) query.set('token', token);
        const socket = new WebSocket(`${url}/play?${query}`);
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        socket.onopen = () => {
            if (this.attempts > 0) {
                this.stage.close();
                this.stage = this.level.openRemote();
                this.stage.setLink(...this.link);
                this.onstage();
            }
            socket.send(this.stage.hello(this.plan.name));
        };
        socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
            if (this.closed) return;
            this.attempts = 0;
            if (this.state.kind !== 'open') this.say({ kind: 'open' });
            this.stage.receive(new Uint8Array(event.data), performance.now() / 1000); // the time of arrival, not of the next frame
            const why = this.stage.refusal();
            if (!why) return;
            this.say({ kind: 'refused', why });
            socket.close(1000);
        };
        socket.onclose = (event) => this.lost(event);
    }

    private lost(event: CloseEvent): void {
        if (this.closed || this.state.kind === 'refused') return;
        if (event.code >= 4000 && !passing.includes(event.code)) return this.say({ kind: 'refused', why: event.reason });
        const again = retryAfter[Math.min(this.attempts++, retryAfter.length - 1)]!;
        this.say({ kind: 'lost', again, why: event.reason });
        this.timer = setTimeout(() => this.dial(), again * 1000);
    }

    private say(state: ConnectionState): void {
        this.state = state;
        this.onstate(state);
    }
}

/** Joins a room. Throws if there is no such level here; whatever the server says comes through `onstate`. */
export function connect(instep: Instep, plan: ConnectionPlan): Connection {
    return new Connection(instep, plan);
}

function randomKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
