// SPDX-License-Identifier: MIT
// The controls of a level: as a line of keys in the first seconds, and as a table under the key "?".

import type { Devices } from './devices.js';
import { h } from './dom.js';
import { icon } from './icons.js';

const hintSeconds = 9;

export class Help {
    readonly hint: HTMLElement;
    readonly element: HTMLElement;
    readonly button: HTMLButtonElement;
    private timer: ReturnType<typeof setTimeout>;

    constructor(devices: Devices, more: { action: string; key: string }[], signal: AbortSignal) {
        const rows = devices.guide();
        this.hint = h('p', { className: 'hint' },
            ...rows.map(({ action, keys }) => h('span', {}, ...keys.flatMap((key) => [h('kbd', {}, key), ' ']), action)),
            h('span', {}, h('kbd', {}, '?'), ' help'));
        const cells = (texts: string[]) => h('td', {}, texts.length > 0 ? texts.join(', ') : '–');
        const close = h('button', { className: 'icon', 'aria-label': 'Close the help', onclick: () => this.toggle() }, icon('close'));
        this.element = h('aside', { className: 'help', hidden: true, 'aria-labelledby': 'help-title' },
            h('header', {}, h('h2', { id: 'help-title' }, 'Controls'), close),
            h('table', {},
                h('thead', {}, h('tr', {}, h('td', {}), ...['Keyboard, mouse', 'Touch', 'Gamepad'].map((name) => h('th', { scope: 'col' }, name)))),
                h('tbody', {},
                    ...rows.map(({ action, keys, touch, gamepad }) => h('tr', {}, h('th', { scope: 'row' }, action),
                        h('td', {}, ...keys.flatMap((key) => [h('kbd', {}, key), ' '])), cells(touch), cells(gamepad))),
                    ...[...more, { action: 'help', key: '?' }].map(({ action, key }) => h('tr', {}, h('th', { scope: 'row' }, action), h('td', {}, h('kbd', {}, key)), cells([]), cells([]))))));
        this.button = h('button', { className: 'icon', 'aria-label': 'Help', title: 'Controls (?)', 'aria-keyshortcuts': '?', onclick: () => this.toggle() }, icon('help'));
        this.timer = setTimeout(() => this.hint.classList.add('faded'), hintSeconds * 1000);
        signal.addEventListener('abort', () => clearTimeout(this.timer));
        addEventListener('keydown', (event) => {
            const inText = (event.target as HTMLElement).matches?.('input:not([type=range]), textarea');
            if (event.key === '?' && !inText) this.toggle();
            if (event.key === 'Escape' && !this.element.hidden) this.toggle();
        }, { signal });
    }
    toggle(): void {
        this.element.hidden = !this.element.hidden;
        this.button.setAttribute('aria-expanded', String(!this.element.hidden));
    }
}
