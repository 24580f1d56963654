// SPDX-License-Identifier: MIT
import { h } from './dom.js';
import { icon } from './icons.js';
import type { Sound } from './sound.js';

export function muteButton(sound: Sound): HTMLButtonElement {
    const show = () => {
        button.replaceChildren(icon(sound.muted ? 'muted' : 'sound'));
        button.setAttribute('aria-pressed', String(sound.muted));
    };
    const button = h('button', {
        className: 'icon', 'aria-label': 'Mute', title: 'Mute',
        onclick: () => {
            sound.setMuted(!sound.muted);
            show();
        },
    });
    show();
    return button;
}
