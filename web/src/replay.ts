// SPDX-License-Identifier: MIT
// A recorded match, from a file or from this server, at any tick and speed, following any player. Every tick's hash is
// compared with the recorded one while it plays.

import type { RecordedStage } from 'instep';
import type { Context } from './context.js';
import { h, showMessage } from './dom.js';
import { Hud } from './hud.js';
import type { Screen } from './main.js';
import { muteButton } from './mute_button.js';
import { addressOf, showLibrary } from './recordings.js';
import { StageView } from './stage_view.js';
import { toolbar } from './toolbar.js';

const mostBytes = 64 << 20;

export class Replay implements Screen {
    private stage: RecordedStage | null = null;
    private view: StageView | null = null;
    private chosen = h('div', { className: 'chosen' });
    private stops = new AbortController();

    private library = h('div', { className: 'library' });

    constructor(private context: Context) {
        const file = h('input', {
            type: 'file', accept: '.instep', 'aria-label': 'A recording',
            onchange: () => void this.openFile(file.files?.[0]),
        });
        context.panel.append(h('section', { className: 'play' },
            toolbar('recorded matches', this.stops.signal, file, muteButton(context.sound)), this.library, this.chosen));
        document.title = 'Recorded matches · Instep';
        void showLibrary(this.library, context.instep, this.stops.signal, (recording) => void this.openAddress(addressOf(recording)));
    }
    close(): void {
        this.stops.abort();
        this.closeStage();
    }
    private closeStage(): void {
        this.view?.stop();
        this.stage?.close();
        this.view = this.stage = null;
    }

    private async openAddress(address: string): Promise<void> {
        try {
            const answer = await fetch(address, { signal: this.stops.signal });
            if (!answer.ok) return showMessage(`The server returned ${answer.status}: ${await answer.text()}`);
            this.open(new Uint8Array(await answer.arrayBuffer()));
        } catch (error) {
            if (!this.stops.signal.aborted) showMessage(`The recording cannot be fetched: ${String(error)}`);
        }
    }
    private async openFile(file: File | undefined): Promise<void> {
        if (!file) return;
        if (file.size > mostBytes) return showMessage(`${file.name} is above the size limit of recordings.`);
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (!this.stops.signal.aborted) this.open(bytes);
    }
    private open(bytes: Uint8Array): void {
        this.closeStage();
        this.chosen.replaceChildren();
        try {
            this.stage = this.context.instep.openRecording(bytes);
        } catch (error) {
            return showMessage(error instanceof Error ? error.message : String(error));
        }
        this.library.hidden = true;
        const stage = this.stage;
        (globalThis as Record<string, unknown>)['recording'] = stage; // for the console
        const setup = stage.describe();
        const { first_tick: firstTick, last_tick: lastTick } = stage.progress();
        this.view = new StageView(this.context.painter, setup, { stage: () => stage, advance: (now) => stage.advance(now) }, { plays: false, sound: this.context.sound });
        const hud = new Hud(setup);
        const time = h('output');
        const problem = h('p', { className: 'link-state' });
        let isScrubbing = false;
        const scrub = h('input', {
            type: 'range', min: firstTick, max: lastTick, step: 1, 'aria-label': 'Tick',
            oninput: () => {
                isScrubbing = true;
                stage.goTo(scrub.valueAsNumber);
            },
            onchange: () => (isScrubbing = false),
        });
        const follow = h('select', { 'aria-label': 'Follow', onchange: () => stage.follow(Number(follow.value)) });
        const speed = (value: number, label: string) => h('button', { onclick: () => stage.setSpeed(value) }, label);
        this.chosen.append(hud.element, h('div', { className: 'player' },
            speed(0, 'pause'), speed(0.25, '¼'), speed(1, 'play'), speed(4, '4×'), speed(16, '16×'), scrub, time, follow, problem));
        let next = 0;
        this.view.onevents = (notices) => hud.addEvents(notices);
        this.view.onframe = (frame) => {
            hud.update(stage, frame, this.view!.height > 0);
            if (frame.now < next) return;
            next = frame.now + 0.2;
            const state = stage.progress();
            if (!isScrubbing) scrub.valueAsNumber = state.tick;
            time.textContent = `${(state.tick / setup.tick_rate).toFixed(1)} of ${(lastTick / setup.tick_rate).toFixed(1)} s`;
            problem.textContent = state.error || (state.breaks_off ? 'the file is cut off; it plays up to there' : '');
            const names = stage.players();
            if (document.activeElement !== follow)
                follow.replaceChildren(...names.map((player) => h('option', { value: player.slot, selected: player.slot === frame.own?.slot }, player.name)));
        };
        document.title = `Recorded ${setup.world} / ${setup.level} · Instep`;
        showMessage(`${setup.world} / ${setup.level}: ${lastTick - firstTick} ticks`);
    }
}
