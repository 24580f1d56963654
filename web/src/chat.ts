// SPDX-License-Identifier: MIT
// Chat and emotes of a room. Enter opens the line. Each visitor can hide it; a server can switch it off.

import { emotes, type Connection, type Emote, type Said } from 'instep';
import { h } from './dom.js';
import { icon } from './icons.js';
import { readStored, store } from './stored.js';

const lines = 6;
const shownSeconds = 9;
const mostBytes = 120; // net::max_chat_text

const faces: Record<Emote, string> = { wave: '👋', laugh: '😂', cheer: '🎉', wow: '😮', sad: '😢' };

/** The longest beginning of a text that the server takes. */
export function shortened(text: string, most = mostBytes): string {
    const encoder = new TextEncoder();
    let short = '';
    let bytes = 0;
    for (const letter of text.trim()) {
        bytes += encoder.encode(letter).length;
        if (bytes > most) break;
        short += letter;
    }
    return short;
}

export class Chat {
    readonly element: HTMLElement;
    readonly button: HTMLButtonElement;
    private said = h('ul', { className: 'said', role: 'log', 'aria-label': 'Chat' });
    private form: HTMLFormElement;
    private isOff = false; // by the server

    /** `names`: a player's name by its slot. */
    constructor(private connection: Connection, private names: (slot: number) => string | undefined, signal: AbortSignal) {
        const line = h('input', { maxLength: mostBytes, placeholder: 'Say something', 'aria-label': 'Chat line', autocomplete: 'off', enterKeyHint: 'send' });
        const hide = h('button', { type: 'button', onclick: () => this.setHidden(true) }, 'Hide chat');
        this.form = h('form', {
            hidden: true,
            onsubmit: (event: Event) => {
                event.preventDefault();
                const text = shortened(line.value);
                if (text) this.connection.say(text);
                line.value = '';
                this.toggle(false);
            },
        }, line, h('div', { className: 'row' }, ...emotes.map((emote) => h('button', {
            type: 'button', className: 'icon', 'aria-label': emote, title: emote,
            onclick: () => {
                this.connection.emote(emote);
                this.toggle(false);
            },
        }, faces[emote])), hide));
        this.element = h('section', { className: 'chat' }, this.said, this.form);
        this.button = h('button', { className: 'icon', 'aria-label': 'Chat', title: 'Chat (Enter)', 'aria-expanded': 'false', onclick: () => this.toggle() }, icon('chat'));
        this.said.hidden = readStored('chat') === 'hidden';
        connection.onsaid = (said) => this.add(said);
        addEventListener('keydown', (event) => {
            const isElsewhere = (event.target as HTMLElement).matches?.('input, textarea, button, a, select');
            if (event.key === 'Enter' && !isElsewhere && !event.repeat) {
                this.toggle(true);
                event.preventDefault();
            }
            if (event.key === 'Escape') this.toggle(false);
        }, { signal });
    }
    /** Whether the server takes chat. */
    allow(isAllowed: boolean): void {
        this.isOff = !isAllowed;
        this.button.hidden = this.isOff;
        if (this.isOff) this.toggle(false);
    }
    toggle(isOpen = this.form.hidden): void {
        if (this.isOff && isOpen) return;
        if (isOpen) this.setHidden(false);
        this.form.hidden = !isOpen;
        this.button.setAttribute('aria-expanded', String(isOpen));
        if (isOpen) this.form.querySelector('input')!.focus();
        else if (this.form.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
    }
    private setHidden(isHidden: boolean): void {
        store('chat', isHidden ? 'hidden' : 'shown');
        this.said.hidden = isHidden;
        if (isHidden) this.toggle(false);
    }
    private add({ slot, text, emote }: Said): void {
        // As text: h() makes no HTML of it.
        const row = h('li', {}, h('b', {}, this.names(slot) ?? `player ${slot}`), ' ', emote ? faces[emote] : text);
        this.said.append(row);
        while (this.said.children.length > lines) this.said.firstChild!.remove();
        setTimeout(() => row.remove(), shownSeconds * 1000);
    }
}
