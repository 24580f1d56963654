// SPDX-License-Identifier: MIT
// Line graphs of the last seconds, with uPlot.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from './dom.js';

const seconds = 20;
const most = 600; // points
const colors = ['#60a5fa', '#fb923c', '#4ade80', '#e879f9'];

export class Graph {
    readonly element: HTMLElement;
    private plot: uPlot | null = null;
    private columns: number[][];
    private holder = h('div');

    constructor(title: string, private names: string[], private unit: string) {
        this.columns = [[], ...names.map(() => [])];
        this.element = h('figure', { className: 'graph' }, h('figcaption', {}, title), this.holder);
    }
    add(now: number, values: number[]): void {
        [now, ...values].forEach((value, i) => this.columns[i]!.push(value));
        while (this.columns[0]!.length > most || now - this.columns[0]![0]! > seconds)
            for (const column of this.columns) column.shift();
    }
    draw(): void {
        if (!this.plot) this.plot = this.create();
        this.plot.setData(this.columns as unknown as uPlot.AlignedData);
    }
    close(): void {
        this.plot?.destroy();
        this.plot = null;
    }

    private create(): uPlot {
        const light = matchMedia('(prefers-color-scheme: light)').matches;
        const ink = light ? '#334155' : '#cbd5e1';
        const grid = { stroke: light ? '#e2e8f0' : '#1e293b', width: 1 };
        const axis = { stroke: ink, grid, ticks: grid, font: '10px system-ui', size: 44 };
        return new uPlot({
            width: 320, height: 96, title: '', cursor: { show: false }, legend: { show: this.names.length > 1, live: false },
            scales: { x: { time: false } },
            axes: [{ ...axis, show: false }, { ...axis, values: (_plot, ticks) => ticks.map((tick) => `${tick} ${this.unit}`), size: 62 }],
            series: [{}, ...this.names.map((label, i) => ({ label, stroke: colors[i]!, width: 1.5, points: { show: false } }))],
        }, this.columns as unknown as uPlot.AlignedData, this.holder);
    }
}
