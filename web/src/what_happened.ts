// SPDX-License-Identifier: MIT
// "What just happened?": after a correction, the last two seconds at half speed, as they were drawn and as the server
// had them.

import type { RemoteStage } from 'instep';
import { h } from './dom.js';
import type { StageView } from './stage_view.js';

const offeredSeconds = 6;
const shownSeconds = 2;
const speed = 0.5;

export class WhatHappened {
    readonly element: HTMLElement;
    private button: HTMLButtonElement;
    private caption = h('p', { className: 'note', role: 'status' });
    private corrections = 0;
    private offeredUntil = 0;
    private began: number | null = null; // s; null: live
    private ghostBefore: StageView['ghost'] = null;

    constructor(private stage: () => RemoteStage, private view: StageView, signal: AbortSignal) {
        this.button = h('button', { hidden: true, onclick: () => (this.began === null ? this.begin() : this.end()) });
        this.element = h('div', { className: 'happened' }, this.button, this.caption);
        addEventListener('keydown', (event) => event.key === 'Escape' && this.end(), { signal });
    }
    /** Once per frame; `corrections`: how many there were. */
    update(corrections: number, now: number): void {
        if (corrections > this.corrections) this.offeredUntil = now + offeredSeconds;
        this.corrections = corrections;
        this.button.hidden = this.began === null && now > this.offeredUntil;
        this.button.textContent = this.began === null ? 'What just happened?' : 'Back to the match';
        if (this.began === null) return;
        const back = shownSeconds - (now - this.began) * speed;
        if (back <= 0) return this.end();
        this.stage().lookBack(back, now);
        this.caption.textContent = `${back.toFixed(1)} s ago · bright: what you saw · pale: what the server had`;
    }
    private begin(): void {
        this.began = performance.now() / 1000;
        // The first call marks the moment from which it looks back.
        this.stage().lookBack(shownSeconds, this.began);
        this.ghostBefore = this.view.ghost;
        this.view.ghost = () => this.stage().drawGhost();
    }
    private end(): void {
        if (this.began === null) return;
        this.began = null;
        this.offeredUntil = 0;
        this.caption.textContent = '';
        this.stage().lookBack(0, performance.now() / 1000);
        this.view.ghost = this.ghostBefore;
    }
}
