// SPDX-License-Identifier: MIT
// The start page: a card for each world, in front of a match of bots.

import type { LocalStage, World } from 'instep';
import type { Context } from './context.js';
import { h } from './dom.js';
import type { Screen } from './main.js';
import { StageView } from './stage_view.js';

const bots = 9;
// Levels with game rules; the others follow a document.
const favourites: Record<string, string> = {
    flail: 'pit', orbit: 'belt', arena: 'belt', creature: 'garden', foothold: 'town', bounce: 'box',
};
const titles: Record<string, string> = {
    flail: 'Flail', orbit: 'Orbit', arena: 'Arena', creature: 'Creatures', foothold: 'Foothold', bounce: 'Bounce',
};

export class Home implements Screen {
    private view: StageView | null = null;
    private stage: LocalStage | null = null;

    /** `served`: the levels of the server, by world. */
    constructor(private context: Context, worlds: World[], served: Map<string, string[]>) {
        const cards = worlds
            .map((world) => ({ ...world, level: favourites[world.name] ?? world.levels[0]! }))
            .sort((a, b) => Number(a.name === 'bounce') - Number(b.name === 'bounce'));
        const first = cards.find((card) => card.name === 'orbit') ?? cards[0]!;
        context.panel.append(h('section', { className: 'home' },
            h('header', {},
                h('h1', {}, 'Instep'),
                h('p', {}, 'Deterministic 2D physics with the multiplayer built in. Server and browser compute the same world, bit for bit.')),
            h('div', { className: 'cards' }, ...cards.map((card) => {
                const preview = () => this.preview(card.name, card.level);
                return h('article', { className: 'card', onpointerenter: preview, onfocusin: preview },
                    h('h2', {}, titles[card.name] ?? card.name),
                    h('p', {}, card.summary),
                    h('nav', {},
                        h('a', { className: 'primary', href: `#/play/${card.name}/${card.level}`, 'aria-label': `Play ${card.name}` }, 'Play'),
                        h('a', { href: `#/sandbox/${card.name}/${card.level}`, 'aria-label': `Sandbox of ${card.name}` }, 'Sandbox')),
                    ...(served.get(card.name) ?? []).filter((level) => !card.levels.includes(level)).map((level) =>
                        h('a', { className: 'own', href: `#/play/${card.name}/${level}`, 'aria-label': `Play ${card.name} ${level}` }, level)));
            })),
            h('footer', {}, h('a', { href: '#/replay' }, 'Watch a recorded match'))));
        document.title = 'Instep';
        this.preview(first.name, first.level);
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
