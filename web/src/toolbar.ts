// SPDX-License-Identifier: MIT
// The bar of a match. It fades while the player plays, and comes back with the mouse, with a touch at the top of the
// screen, or when one of its controls gets the focus.

import { h } from './dom.js';
import { icon } from './icons.js';

const restSeconds = 3.5;
const touchZone = 64; // px from the top

export function toolbar(title: string, signal: AbortSignal, ...controls: (Node | null | false)[]): HTMLElement {
    let timer: ReturnType<typeof setTimeout>;
    const wake = () => {
        document.body.classList.remove('resting');
        clearTimeout(timer);
        timer = setTimeout(() => document.body.classList.add('resting'), restSeconds * 1000);
    };
    addEventListener('pointermove', (event) => event.pointerType === 'mouse' && wake(), { signal });
    addEventListener('pointerdown', (event) => event.clientY < touchZone && wake(), { signal });
    signal.addEventListener('abort', () => {
        clearTimeout(timer);
        document.body.classList.remove('resting');
    });
    wake();
    return h('nav', { className: 'bar', 'aria-label': 'Match' },
        h('a', { className: 'icon', href: '#/', 'aria-label': 'Back to all worlds', title: 'Back' }, icon('back')), h('strong', {}, title), ...controls);
}
