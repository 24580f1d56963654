// SPDX-License-Identifier: MIT
// A room on a server over a WebSocket. A lost connection is opened again with the resume ticket of the welcome, which
// keeps the player, or joins again if the server no longer has its seat. Any other refusal is final. When the room moves
// to another server, the connection follows it with the same stage, so that nothing jumps.

import { retryDelay } from './backoff.js';
import type { Instep } from './index.js';
import type { Level, RemoteStage } from './stage.js';
import type { Pad } from './types.js';

export interface ConnectionPlan {
    /** "ws://host:port" or "wss://..." */
    url: string;
    world: string;
    level: string;
    /** For a level that is not built in: the server's /api/levels/WORLD/LEVEL. */
    levelJson?: string;
    name: string;
    /** The room to join; without it the fullest one with a free slot, or a new one. */
    room?: string;
    /** For a server that requires tokens. A token is good once, so a string is for one join; a function is called for
     *  each join, and not for connections that resume. */
    token?: string | (() => string | Promise<string>);
}

export type ConnectionState =
    | { kind: 'connecting' }
    | { kind: 'open' }
    | { kind: 'lost'; retryIn: number; reason: string } // seconds
    | { kind: 'refused'; reason: string };

// 4xxx is a refusal with a reason. These are temporary: a timeout, a rate limit, a room that ended, a full server.
const temporary = [4408, 4429, 4500, 4503];

// Connections that fail at a server that the room moved to, before the plan's is tried again.
const mostFailuresAway = 4;

/** A client that plays over TLS is never sent to a server without it. The module has checked that `to` is the address of
 *  a server and nothing else. */
export function mayFollow(from: string, to: string): boolean {
    return /^wss:/.test(to) || (/^ws:/.test(to) && !/^(wss|https):/.test(from));
}

export class Connection {
    /** Replaced by another stage of the same room and player after a lost connection. */
    stage: RemoteStage;
    state: ConnectionState = { kind: 'connecting' };
    onstate: (state: ConnectionState) => void = () => {};
    /** `stage` has been replaced. */
    onstage: () => void = () => {};

    private socket: WebSocket | null = null;
    private level: Level;
    private key = randomKey();
    private ticket = ''; // of the last welcome
    private url: string; // the plan's, or that of the server that the room moved to
    private room: string | undefined;
    private isFollowing = false; // between two servers
    private hops = 0; // since the last welcome
    private failuresAway = 0; // connections in a row
    private stageIsUsed = false; // by an earlier connection
    private attempts = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private link: [number, number, number] = [0, 0, 0];
    private closed = false;

    constructor(instep: Instep, private plan: ConnectionPlan) {
        this.level = plan.levelJson ? instep.levelFromJson(plan.levelJson) : instep.level(plan.world, plan.level);
        this.stage = this.level.openRemote();
        this.url = plan.url;
        this.room = plan.room;
        try {
            new URL(plan.url);
            this.open();
        } catch (error) {
            this.close(); // not a valid address
            throw error;
        }
    }

    /** Once per frame: sends the input and applies received messages. `now` is performance.now() in seconds. */
    advance(now: number, pad: Pad): void {
        this.stage.setPad(pad);
        this.stage.advance(now);
        this.followRoom(); // a simulated link delivers messages here
        // Probes are stamped when they leave, not when the frame began.
        const sent = performance.now() / 1000;
        for (let message = this.stage.nextMessage(sent); message; message = this.stage.nextMessage(sent))
            if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    }
    /** The simulated link, in addition to the real one: seconds of round trip and jitter, and the share of lost messages. */
    setLink(latency: number, jitter: number, loss: number): void {
        this.link = [latency, jitter, loss];
        this.stage.setLink(...this.link);
    }
    /** For tests and demonstrations: closes the socket, which is then opened again. */
    dropConnection(): void {
        this.socket?.close(3000, 'closed on purpose');
    }
    close(): void {
        this.closed = true;
        clearTimeout(this.timer);
        const { socket } = this;
        // Closing a socket while it connects is an error in the browser's console.
        if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(1000);
        else socket?.close(1000);
        this.stage.close();
        this.level.unload();
    }

    private open(): void {
        const { token } = this.plan;
        if (this.ticket) return this.dial({ ticket: this.ticket });
        if (typeof token !== 'function') return this.join(token);
        void Promise.resolve().then(token).then(
            (made) => { if (!this.closed) this.join(made); },
            (error: unknown) => this.retry(`no token: ${error instanceof Error ? error.message : String(error)}`));
    }
    private join(token?: string): void {
        const { world, level } = this.plan;
        const { room } = this;
        this.dial({ world, level, key: this.key, ...(room ? { room } : {}), ...(token ? { token } : {}) });
    }
    private dial(query: Record<string, string>): void {
        const socket = new WebSocket(`${this.url}/play?${new URLSearchParams(query)}`);
        let hasTicket = false;
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        socket.onopen = () => {
            if (this.isFollowing && this.ticket) this.stage.relink(); // again: inputs since then were not sent
            else if (this.stageIsUsed) {
                this.stage.close();
                this.stage = this.level.openRemote();
                this.stage.setLink(...this.link);
                this.onstage();
            }
            this.isFollowing = false;
            this.stageIsUsed = true;
            socket.send(this.stage.hello(this.plan.name));
        };
        socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
            if (this.closed) return;
            this.stage.receive(new Uint8Array(event.data), performance.now() / 1000); // the time of arrival, not of the next frame
            if (this.followRoom()) return;
            this.attempts = this.hops = this.failuresAway = 0;
            if (this.state.kind !== 'open') this.setState({ kind: 'open' });
            if (!hasTicket) hasTicket = this.keepTicket();
            const reason = this.stage.refusal();
            if (!reason) return;
            this.setState({ kind: 'refused', reason });
            socket.close(1000);
        };
        socket.onclose = (event) => this.lost(event);
    }

    private keepTicket(): boolean {
        const ticket = this.stage.resumeTicket();
        if (ticket) this.ticket = ticket;
        return ticket !== '';
    }
    /** To the server that the room moved to, if it did. A client that is sent on again without having been welcomed waits
     *  first, so that servers that send it to each other do not keep it busy. */
    private followRoom(): boolean {
        const moved = this.stage.moved();
        const { socket } = this;
        if (!moved || !socket) return false;
        socket.onmessage = socket.onclose = null;
        socket.close(1000);
        this.stage.relink();
        if (!mayFollow(this.url, moved.address)) {
            this.setState({ kind: 'refused', reason: `the room moved to ${moved.address}, where this page may not follow: it has no TLS` });
            return true;
        }
        this.url = moved.address;
        this.room = moved.room;
        this.failuresAway = 0;
        this.isFollowing = true;
        if (this.hops++ === 0) this.open();
        else this.retry('the room moved');
        return true;
    }
    private lost(event: CloseEvent): void {
        if (this.closed || this.state.kind === 'refused') return;
        // The server restarted, or the player was away for too long: joins again, with a new token where one is needed.
        const seatIsGone = event.reason.startsWith('ticket_refused');
        if (seatIsGone) [this.ticket, this.isFollowing] = ['', false];
        const canJoin = typeof this.plan.token !== 'string';
        const isFinal = event.code >= 4000 && !temporary.includes(event.code) && !(seatIsGone && canJoin);
        if (isFinal) this.setState({ kind: 'refused', reason: event.reason });
        else this.retry(event.reason);
    }

    private retry(reason: string): void {
        if (this.closed) return;
        if (++this.failuresAway >= mostFailuresAway) {
            this.url = this.plan.url;
            this.room = this.plan.room;
        }
        const retryIn = retryDelay(this.attempts++);
        this.setState({ kind: 'lost', retryIn, reason });
        this.timer = setTimeout(() => this.open(), retryIn * 1000);
    }

    private setState(state: ConnectionState): void {
        this.state = state;
        this.onstate(state);
    }
}

/** Joins a room. Throws if the module has no such level; the server's answers come through `onstate`. */
export function connect(instep: Instep, plan: ConnectionPlan): Connection {
    return new Connection(instep, plan);
}

function randomKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
