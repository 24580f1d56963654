// SPDX-License-Identifier: MIT
// Passed to every screen.

import type { Instep } from 'instep';
import type { Painter } from './painter.js';
import type { Sound } from './sound.js';

export interface Context {
    instep: Instep;
    painter: Painter;
    sound: Sound;
    panel: HTMLElement;
    /** The game's. */
    title: string;
    query: URLSearchParams;
}
