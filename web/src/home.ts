// SPDX-License-Identifier: MIT
// The start page: a card for each world, in front of a match of bots.

import type { LocalStage, World } from 'instep';
import type { Context } from './context.js';
import { h } from './dom.js';
import { lookOf } from './look.js';
import type { Screen } from './main.js';
import { StageView } from './stage_view.js';

const bots = 9;
function nameToTitle(name: string): string {
    return name.charAt(0).toUpperCase() + name.slice(1);
}

export class Home implements Screen {
    private view: StageView | null = null;
    private stage: LocalStage | null = null;

    /** `served`: the levels of the server, by world. */
    constructor(private context: Context, worlds: World[], served: Map<string, string[]>) {
        const cards = worlds
            .map((world) => {
                const { title = nameToTitle(world.name), level, order = 0 } = lookOf(world.name);
                return { ...world, title, order, level: level ?? world.levels[0] ?? served.get(world.name)?.[0] };
            })
            .sort((a, b) => a.order - b.order);
        const first = cards.find((card) => card.level && card.levels.includes(card.level));
        context.panel.append(h('section', { className: 'home' },
            h('header', {},
                h('h1', {}, context.title),
                h('p', {}, 'Server and browser compute the same world, bit for bit.')),
            h('div', { className: 'cards' }, ...cards.map((card) => {
                const { level } = card;
                const preview = () => { if (level && card.levels.includes(level)) this.preview(card.name, level); };
                return h('article', { className: 'card', onpointerenter: preview, onfocusin: preview },
                    h('h2', {}, card.title),
                    h('p', {}, card.summary),
                    level
                        ? h('nav', {},
                            h('a', { className: 'primary', href: `#/play/${card.name}/${level}`, 'aria-label': `Play ${card.name}` }, 'Play'),
                            h('a', { href: `#/sandbox/${card.name}/${level}`, 'aria-label': `Sandbox of ${card.name}` }, 'Sandbox'))
                        : h('p', {}, 'This world has no level yet: add one to the folder of its levels.'),
                    ...(served.get(card.name) ?? []).filter((own) => own !== level && !card.levels.includes(own)).map((own) =>
                        h('a', { className: 'own', href: `#/play/${card.name}/${own}`, 'aria-label': `Play ${card.name} ${own}` }, own)));
            })),
            h('footer', {}, h('a', { href: '#/replay' }, 'Watch a recorded match'))));
        document.title = context.title;
        if (first?.level) this.preview(first.name, first.level);
    }
    close(): void {
        this.view?.stop();
        this.stage?.close();
    }

    private preview(world: string, name: string): void {
        if (this.view?.setup.world === world) return;
        this.close();
        const level = this.context.instep.level(world, name);
        const setup = level.describe();
        const stage = level.openLocal(Date.now() % 1000, Math.min(bots, setup.most_players - 1));
        level.unload();
        this.stage = stage;
        this.view = new StageView(this.context.painter, setup, {
            stage: () => stage,
            advance: (now) => stage.advance(now),
        }, { plays: false, follows: false });
    }
}
