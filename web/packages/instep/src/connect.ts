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
    name: string;
    /** That room; without it the fullest one with a place, or a new one. */
    room?: string;
    token?: string;
}

export type ConnectionState =
    | { kind: 'connecting' }
    | { kind: 'open' }
    | { kind: 'lost'; again: number } // seconds until it is tried again
    | { kind: 'refused'; why: string };

const retryAfter = [0.25, 0.5, 1, 2, 4]; // s
const keepTrying = 30; // s: as long as the server keeps the place

export class Connection {
    /** The same until the line breaks; then another, of the same room and player. */
    stage: RemoteStage;
    state: ConnectionState = { kind: 'connecting' };
    onstate: (state: ConnectionState) => void = () => {};

    private socket: WebSocket | null = null;
    private level: Level;
    private key = randomKey();
    private attempts = 0;
    private lostAt = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private link: [number, number, number] = [0, 0, 0];
    private closed = false;

    constructor(instep: Instep, private plan: ConnectionPlan) {
        this.level = instep.level(plan.world, plan.level);
        this.stage = this.level.openRemote();
        this.dial();
    }

    /** A frame: what the hands do goes out, what came is there to be drawn. */
    advance(now: number, pad: Pad): void {
        this.stage.setPad(pad);
        this.stage.advance(now);
        for (let message = this.stage.speak(now); message; message = this.stage.speak(now))
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
        this.socket?.close(1000);
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
            }
            socket.send(this.stage.hello(this.plan.name));
        };
        socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
            this.attempts = 0;
            if (this.state.kind !== 'open') this.say({ kind: 'open' });
            this.stage.hear(new Uint8Array(event.data), performance.now() / 1000);
        };
        socket.onclose = (event) => this.lost(event);
    }

    private lost(event: CloseEvent): void {
        if (this.closed || this.state.kind === 'refused') return;
        // 4xxx is the server's no, with a sentence; all else is a line that broke.
        const isRefusal = event.code >= 4000 && event.code !== 4408;
        const now = performance.now() / 1000;
        if (this.attempts === 0) this.lostAt = now;
        if (isRefusal || now - this.lostAt > keepTrying) {
            const why = event.reason || 'the server cannot be reached';
            return this.say({ kind: 'refused', why });
        }
        const again = retryAfter[Math.min(this.attempts++, retryAfter.length - 1)]!;
        this.say({ kind: 'lost', again });
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
