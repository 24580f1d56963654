// SPDX-License-Identifier: MIT
// A room on a server over a WebSocket. A lost connection is opened again with the resume ticket of the welcome, which
// keeps the player, or joins again if the server no longer has its seat. Any other refusal is final. When the room moves
// to another server, the connection follows it with the same stage, so that nothing jumps.

import { retryDelay, takeOverDelay } from './backoff.js';
import type { Instep } from './index.js';
import type { Emote, Level, RemoteStage, Said } from './stage.js';
import type { EventListener } from './tracker.js';
import type { AnyWorld, DrawnState, Pad, WorldTypes, WorldWithEvent } from './types.js';

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
    /** Friends that want one room: the first of them holds `size` seats for ten seconds. The same secret `id` (16 to 64
     *  letters, digits, '-' and '_') and the same size for all. */
    party?: { id: string; size: number };
    /** As a spectator, without a player; the room must exist. */
    watches?: boolean;
    /** For a server that requires tokens. A token is good once, so a string is for one join; a function is called for
     *  each join, and not for connections that resume. */
    token?: string | (() => string | Promise<string>);
    /** The `resumeTicket` of an earlier connection, perhaps of another page: goes on as its player, if the server still
     *  has its seat, and joins otherwise. */
    ticket?: string;
    /** The class of the socket, for a Node without WebSocket (before 22). Without it the package `ws` is used there. */
    WebSocket?: new (url: string) => object;
}

export type ConnectionStatus =
    | { kind: 'connecting' }
    | { kind: 'open' }
    | { kind: 'lost'; retryIn: number; why: string } // seconds
    | { kind: 'refused'; why: string };

type SocketClass = new (url: string) => WebSocket;
const isConnecting = 0; // WebSocket.readyState
const isOpen = 1;

// 4xxx is a refusal with a reason. These are temporary: a timeout, a rate limit, a room that ended, a full server.
const temporary = [4408, 4429, 4500, 4503];

// Connections that fail while the room is at another server than the plan's, before that one is forgotten. The two are asked
// in turn: in a cluster the plan's address, a balancer's, knows which server took the room of a dead one over.
const mostFailuresAway = 4;
// Answers that the room is being taken over, or stands still, before pauses become longer.
const mostTakeOverAnswers = 12;

/** A client that plays over TLS is never sent to a server without it. The module has checked that `to` is the address of
 *  a server and nothing else. */
export function mayFollow(from: string, to: string): boolean {
    return /^wss:/.test(to) || (/^ws:/.test(to) && !/^(wss|https):/.test(from));
}

export class Connection<W extends WorldTypes = AnyWorld> {
    /** Replaced by another stage of the same room and player after a lost connection. Entities and listeners stay. */
    stage: RemoteStage<W>;
    status: ConnectionStatus = { kind: 'connecting' };
    onstatus: (status: ConnectionStatus) => void = () => {};
    /** A player said something; called from advance(). Show it as text, never as HTML. */
    onsaid: (said: Said) => void = () => {};
    /** The room stands still, for example because its cluster's Redis does not answer: why, in a sentence; '' when play
     *  goes on. Called from advance(). Show it as text, never as HTML. */
    onnotice: (notice: string) => void = () => {};
    /** `stage` has been replaced. */
    onstage: () => void = () => {};

    private notice = '';
    private socket: WebSocket | null = null;
    private level: Level<W>;
    private socketClass: SocketClass | undefined;
    private key = randomKey();
    private ticket = ''; // of the last welcome
    private url: string; // the plan's, or that of the server that the room moved to
    private room: string | undefined;
    private isFollowing = false; // between two servers
    private hops = 0; // since the last welcome
    private away = ''; // the server that the room moved to
    private failuresAway = 0; // connections in a row
    private takeOverAnswers = 0; // likewise
    private stageIsUsed = false; // by an earlier connection
    private resumes = false;
    private attempts = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private link: [number, number, number] = [0, 0, 0];
    private closed = false;

    constructor(instep: Instep, private plan: ConnectionPlan) {
        this.level = plan.levelJson ? instep.levelFromJson<W>(plan.levelJson) : instep.level<W>(plan.world, plan.level);
        this.socketClass = (plan.WebSocket as SocketClass | undefined) ?? globalThis.WebSocket;
        this.stage = this.level.openRemote();
        this.url = plan.url;
        this.room = plan.room;
        this.ticket = plan.ticket ?? '';
        try {
            new URL(plan.url);
            this.open();
        } catch (error) {
            this.close(); // not a valid address
            throw error;
        }
    }

    /** What gets the player back after its connection was lost; '' before the welcome, and for spectators. */
    get resumeTicket(): string {
        return this.ticket;
    }
    /** All that is drawn, by pool: `room.state.players[0]`. */
    get state(): DrawnState<W> {
        return this.stage.state;
    }
    /** These four as in Stage, also across lost connections. */
    entities<P extends keyof W['pools'] & string>(pool: P): readonly W['pools'][P][] {
        return this.stage.entities(pool);
    }
    onAdd<P extends keyof W['pools'] & string>(pool: P, call: (entity: W['pools'][P]) => void): () => void {
        return this.stage.onAdd(pool, call);
    }
    onRemove<P extends keyof W['pools'] & string>(pool: P, call: (entity: W['pools'][P]) => void): () => void {
        return this.stage.onRemove(pool, call);
    }
    onEvent<K extends W['event']['kind'] | '*'>(
        kind: K, call: EventListener<WorldWithEvent<W, K>>, cancelled?: EventListener<WorldWithEvent<W, K>>,
    ): () => void {
        return this.stage.onEvent(kind, call, cancelled);
    }

    /** Once per frame: sends the input and applies received messages. `now` is performance.now() in seconds. */
    advance(now: number, pad: Pad): void {
        this.stage.setPad(pad);
        this.stage.advance(now);
        for (let said = this.stage.nextSaid(); said; said = this.stage.nextSaid()) this.onsaid(said);
        const notice = this.stage.notice();
        if (notice !== this.notice) this.onnotice((this.notice = notice));
        this.followRoom(); // a simulated link delivers messages here
        this.sendMessages();
    }
    /** A line of chat to everyone in the room. The server drops what is too much. */
    say(text: string): boolean {
        return this.stage.say(text);
    }
    emote(emote: Emote): boolean {
        return this.stage.emote(emote);
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
        if (socket?.readyState === isConnecting) socket.onopen = () => socket.close(1000);
        else socket?.close(1000);
        this.stage.close();
        this.level.unload();
    }

    private open(): void {
        const { token } = this.plan;
        if (!this.socketClass) return this.findSocketClass();
        if (this.ticket) return this.dial({ ticket: this.ticket });
        if (typeof token !== 'function') return this.join(token);
        void Promise.resolve().then(token).then(
            (made) => { if (!this.closed) this.join(made); },
            (error: unknown) => this.retry(`no token: ${error instanceof Error ? error.message : String(error)}`));
    }
    // A Node before 22 has no WebSocket. The name is in a variable, so that no bundler looks for the package.
    private findSocketClass(): void {
        const name = 'ws';
        void (import(/* @vite-ignore */ name) as Promise<{ WebSocket: SocketClass }>).then(
            (ws) => {
                this.socketClass = ws.WebSocket;
                if (!this.closed) this.open();
            },
            () => this.setStatus({ kind: 'refused', why: 'this Node has no WebSocket: npm install ws, or pass a class as `WebSocket`' }));
    }
    private join(token?: string): void {
        const { world, level, party } = this.plan;
        const { room } = this;
        this.dial({ world, level, key: this.key, ...(room ? { room } : {}), ...(party ? { party: party.id, size: String(party.size) } : {}), ...(token ? { token } : {}) });
    }
    private dial(query: Record<string, string>): void {
        this.resumes = 'ticket' in query;
        const socket = new this.socketClass!(`${this.url}/${this.plan.watches ? 'watch' : 'play'}?${new URLSearchParams(query)}`);
        let hasTicket = false;
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        socket.onopen = () => {
            const follows = this.isFollowing && this.ticket !== '';
            if (follows) this.stage.relink(); // again: inputs since then were not sent
            else if (this.stageIsUsed) {
                const last = this.stage;
                last.close();
                this.stage = this.level.openRemote();
                this.stage.goOnFrom(last, this.resumes);
                this.stage.setLink(...this.link);
                this.onstage();
            }
            this.isFollowing = false;
            this.stageIsUsed = true;
            socket.send(this.stage.hello(this.plan.name) as Uint8Array<ArrayBuffer>);
            // Its inputs come with the hello: the keyframe then has all that was lost on the way, in one correction.
            if (follows) this.sendMessages();
        };
        socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
            if (this.closed) return;
            this.stage.receive(new Uint8Array(event.data), performance.now() / 1000); // the time of arrival, not of the next frame
            if (this.followRoom()) return;
            this.attempts = this.hops = this.failuresAway = this.takeOverAnswers = 0;
            if (this.status.kind !== 'open') this.setStatus({ kind: 'open' });
            if (!hasTicket) hasTicket = this.keepTicket();
            const why = this.stage.refusal();
            if (!why) return;
            this.setStatus({ kind: 'refused', why });
            socket.close(1000);
        };
        socket.onclose = (event) => this.lost(event);
        socket.onerror = () => {}; // `ws` throws errors that no handler takes; onclose follows
    }

    private sendMessages(): void {
        // Probes are stamped when they leave, not when the frame began.
        const sent = performance.now() / 1000;
        if (this.socket?.readyState !== isOpen) return; // what was said meanwhile waits
        for (let message = this.stage.nextMessage(sent); message; message = this.stage.nextMessage(sent))
            this.socket.send(message as Uint8Array<ArrayBuffer>);
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
            this.setStatus({ kind: 'refused', why: `the room moved to ${moved.address}, where this page may not follow: it has no TLS` });
            return true;
        }
        this.url = this.away = moved.address;
        this.room = moved.room;
        this.failuresAway = 0;
        this.isFollowing = true;
        if (this.hops++ === 0) this.open();
        else this.retryIn(retryDelay(this.attempts++), 'the room moved');
        return true;
    }
    private lost(event: CloseEvent): void {
        if (this.closed || this.status.kind === 'refused') return;
        // The server restarted, or the player was away for too long: joins again, with a new token where one is needed.
        const seatIsGone = event.reason.startsWith('ticket_refused');
        if (seatIsGone) [this.ticket, this.isFollowing] = ['', false];
        const canJoin = typeof this.plan.token !== 'string';
        const isFinal = event.code >= 4000 && !temporary.includes(event.code) && !(seatIsGone && canJoin);
        if (isFinal) this.setStatus({ kind: 'refused', why: event.reason });
        else this.retry(event.reason, event.reason.startsWith('stopping: room')); // and not the server
    }

    private retry(why: string, isSoonBack = false): void {
        if (this.closed) return;
        if (isSoonBack && ++this.takeOverAnswers <= mostTakeOverAnswers) return this.retryIn(takeOverDelay(), why);
        if (++this.failuresAway >= mostFailuresAway) {
            this.away = '';
            this.room = this.plan.room;
        }
        this.url = this.away && this.url === this.plan.url ? this.away : this.plan.url;
        this.retryIn(retryDelay(this.attempts++), why);
    }
    private retryIn(retryIn: number, why: string): void {
        this.setStatus({ kind: 'lost', retryIn, why });
        this.timer = setTimeout(() => this.open(), retryIn * 1000);
    }

    private setStatus(status: ConnectionStatus): void {
        this.status = status;
        this.onstatus(status);
    }
}

/** Joins a room. Throws if the module has no such level; the server's answers come through `onstatus`. `W` is the world's
 *  type, as `instep types WORLD` writes it. */
export function connect<W extends WorldTypes = AnyWorld>(instep: Instep, plan: ConnectionPlan): Connection<W> {
    return new Connection<W>(instep, plan);
}

function randomKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
