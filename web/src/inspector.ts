// SPDX-License-Identifier: MIT
// The inspector of a room: statistics of the connection, a simulated link, the ghost of the last snapshot, the last ten
// seconds, the fields of an entity, and the hash of the replicated state.

import type { Connection, EntityCopy, Setup, Statistics } from 'instep';
import { h, slider } from './dom.js';
import { Graph } from './graphs.js';
import type { Frame, Painter } from './painter.js';
import type { StageView } from './stage_view.js';

const sampleSeconds = 0.1;
const slowSeconds = 0.5;
const timelineSeconds = 1.2; // of room time, around now

export class Inspector {
    readonly element: HTMLElement;
    private graphs = [
        new Graph('Round trip and jitter', ['round trip', 'jitter'], 'ms'),
        new Graph('Lead over the server', ['lead', 'target'], 'ms'),
        new Graph('Bandwidth', ['down', 'up'], 'kB/s'),
        new Graph('Corrections', ['a second'], ''),
    ];
    private light = h('span', { className: 'light', role: 'img' });
    private hash = h('code', {}, '…');
    private timeline = h('canvas', { width: 640, height: 120, className: 'timeline', 'aria-label': 'Timeline of snapshots, the interpolated and the predicted tick' });
    private fields = h('pre', { className: 'fields', tabIndex: 0 }, 'Click on anything to see its fields.');
    private stats = h('p', { className: 'stats' });
    private entity: EntityCopy | null = null;
    private link = { latency: 0, jitter: 0, loss: 0 };
    private back = 0;
    private nextSample = 0;
    private nextSlow = 0;
    private before: { statistics: Statistics; now: number } | null = null;
    private arrivals: { tick: number; at: number }[] = [];
    private rollbacks: { at: number; depth: number }[] = [];
    private stops = new AbortController();

    constructor(private connection: Connection, private view: StageView, painter: Painter, private setup: Setup) {
        const linkSlider = (key: keyof typeof this.link, label: string, high: number, unit: string, factor: number) =>
            slider(label, { low: 0, high, step: 1, value: 0, unit }, (value) => {
                this.link[key] = value * factor;
                this.connection.setLink(this.link.latency, this.link.jitter, this.link.loss);
            });
        const ghost = h('input', {
            type: 'checkbox',
            onchange: () => (this.view.ghost = ghost.checked ? () => this.connection.stage.drawGhost() : null),
        });
        const lookBack = (seconds: number) => {
            this.back = Math.min(Math.max(seconds, 0), 10);
            this.connection.stage.lookBack(this.back, performance.now() / 1000);
            ago.textContent = this.back > 0 ? `${this.back.toFixed(2)} s ago` : 'live';
            scrub.valueAsNumber = -this.back;
        };
        const ago = h('output', {}, 'live');
        const scrub = h('input', { type: 'range', min: -10, max: 0, step: 0.02, 'aria-label': 'Seconds back', oninput: () => lookBack(-scrub.valueAsNumber) });
        scrub.valueAsNumber = 0;
        this.connection.onstage = () => lookBack(0);
        const tick = 1 / setup.tick_rate;
        this.element = h('aside', { className: 'inspector', hidden: true, 'aria-label': 'Inspector' },
            h('h2', {}, 'Inspector ', this.light, ' ', this.hash),
            this.timeline,
            h('p', { className: 'legend' }, 'orange: snapshots · grey: other players are shown at this time · blue: your player is predicted to this tick · red: ticks predicted again'),
            h('fieldset', {}, h('legend', {}, 'Simulated link, on top of the real one'),
                linkSlider('latency', 'latency', 400, 'ms', 0.001), linkSlider('jitter', 'jitter', 150, 'ms', 0.001), linkSlider('loss', 'loss', 30, '%', 0.01)),
            h('fieldset', {}, h('legend', {}, 'Time'),
                h('div', { className: 'row' },
                    h('button', { onclick: () => lookBack(this.back > 0 ? 0 : tick) }, 'pause / live'),
                    h('button', { onclick: () => lookBack(this.back + tick) }, '◂ step'),
                    h('button', { onclick: () => lookBack(this.back - tick) }, 'step ▸'),
                    h('button', { onclick: () => lookBack(10) }, '10 s back'), ago),
                scrub),
            h('label', { className: 'check' }, ghost, ' ghost of the last snapshot'),
            this.stats,
            ...this.graphs.map((graph) => graph.element),
            h('h3', {}, 'Fields'), this.fields);
        painter.surface.addEventListener('pointerdown', (event) => {
            if (this.element.hidden) return;
            const at = this.view.toWorld(event.clientX, event.clientY);
            this.entity = this.connection.stage.findEntity(at.x, at.y, 60 / this.view.camera.scale);
        }, { signal: this.stops.signal });
    }
    toggle(): void {
        this.element.hidden = !this.element.hidden;
        document.body.classList.toggle('inspecting', !this.element.hidden);
    }
    close(): void {
        this.stops.abort();
        document.body.classList.remove('inspecting');
        for (const graph of this.graphs) graph.close();
    }

    update(frame: Frame): void {
        const statistics = this.connection.stage.statistics(frame.now);
        if (!statistics.joined) return;
        this.recordArrival(statistics, frame.now);
        if (frame.now >= this.nextSample) this.sample(statistics, frame.now);
        if (this.element.hidden) return;
        this.drawTimeline(statistics, frame.now);
        if (frame.now >= this.nextSlow) this.showStats(statistics, frame.now);
    }

    private recordArrival(statistics: Statistics, now: number): void {
        const last = this.arrivals.at(-1);
        if (last && statistics.snapshot_tick < last.tick) this.arrivals = [];
        if (!last || statistics.snapshot_tick > last.tick) {
            this.arrivals.push({ tick: statistics.snapshot_tick, at: now });
            this.rollbacks.push({ at: now, depth: statistics.predicted_tick - statistics.snapshot_tick });
        }
        while (this.arrivals[0] && now - this.arrivals[0].at > timelineSeconds * 2) this.arrivals.shift();
        while (this.rollbacks[0] && now - this.rollbacks[0].at > 0.15) this.rollbacks.shift();
    }
    private sample(statistics: Statistics, now: number): void {
        this.nextSample = now + sampleSeconds;
        const { before } = this;
        const isSame = before && before.statistics.snapshots <= statistics.snapshots && before.statistics.bytes_down <= statistics.bytes_down;
        if (before && isSame) {
            const seconds = now - before.now;
            const rate = (key: keyof Statistics) => (statistics[key] - before.statistics[key]) / seconds;
            this.graphs[0]!.add(now, [statistics.round_trip * 1000, statistics.jitter * 1000]);
            this.graphs[1]!.add(now, [statistics.lead * 1000, statistics.wanted_lead * 1000]);
            this.graphs[2]!.add(now, [rate('bytes_down') / 1000, rate('bytes_up') / 1000]);
            this.graphs[3]!.add(now, [rate('corrections')]);
        }
        if (!before || !isSame || now - before.now > slowSeconds) this.before = { statistics, now };
    }
    private showStats(statistics: Statistics, now: number): void {
        this.nextSlow = now + slowSeconds / 2;
        for (const graph of this.graphs) graph.draw();
        const replicated = this.connection.stage.replicatedHash();
        const isGood = statistics.desyncs === 0 && statistics.malformed === 0;
        this.light.className = `light ${isGood ? 'good' : 'bad'}`;
        this.light.setAttribute('aria-label', isGood ? 'server and client agree' : 'server and client differ');
        this.hash.textContent = replicated ? `tick ${replicated.tick} · ${replicated.hash}` : '…';
        this.hash.title = replicated?.desyncs.join('\n') || 'The replicated state has the same hash on server and client.';
        this.stats.textContent = `tick ${statistics.predicted_tick}, ${statistics.predicted_tick - statistics.snapshot_tick} ahead of the last snapshot · `
            + `${statistics.snapshots} snapshots · ${statistics.corrections} corrections, the largest ${statistics.largest_correction.toFixed(2)} · `
            + `deepest rollback ${statistics.deepest_rollback} ticks · interpolation delay ${(statistics.interpolation_delay * 1000).toFixed(0)} ms · `
            + `a frame takes ${(1000 * this.view.costs.reduce((sum, cost) => sum + cost, 0) / this.view.costs.length).toFixed(1)} ms`;
        if (this.entity) {
            const now = this.connection.stage.readEntity(this.entity);
            this.fields.textContent = now ? `${now.pool} ${now.id}\n${JSON.stringify(now.fields, null, 2)}` : 'This entity no longer exists.';
        }
    }
    // Room time from left to right, the server's present in the middle.
    private drawTimeline(statistics: Statistics, now: number): void {
        const context = this.timeline.getContext('2d')!;
        const { width, height } = this.timeline;
        const at = (tick: number) => width / 2 + ((tick / this.setup.tick_rate - statistics.room_time) / timelineSeconds) * width;
        const line = (x: number, color: string, top: number, bottom: number, wide = 2) => {
            context.strokeStyle = color;
            context.lineWidth = wide;
            context.beginPath();
            context.moveTo(x, top);
            context.lineTo(x, bottom);
            context.stroke();
        };
        context.clearRect(0, 0, width, height);
        line(width / 2, 'rgba(148,163,184,.5)', 0, height, 1);
        context.fillStyle = '#94a3b8';
        context.font = '20px system-ui';
        context.fillText('server time', width / 2 + 8, 20);
        for (const { tick, at: arrived } of this.arrivals) {
            line(at(tick), '#fb923c', 34, 78, 4);
            context.fillStyle = `rgba(251,146,60,${Math.max(0, 1 - (now - arrived) * 4)})`;
            context.fillRect(at(tick) - 8, 28, 16, 56);
        }
        for (const { at: when, depth } of this.rollbacks) {
            context.fillStyle = `rgba(248,113,113,${0.8 * Math.max(0, 1 - (now - when) / 0.15)})`;
            context.fillRect(at(statistics.predicted_tick - depth), 88, at(statistics.predicted_tick) - at(statistics.predicted_tick - depth), 14);
        }
        const shown = width / 2 - (statistics.interpolation_delay / timelineSeconds) * width;
        line(shown, '#94a3b8', 30, 82, 5);
        line(at(statistics.predicted_tick), '#60a5fa', 30, 104, 5);
    }
}
