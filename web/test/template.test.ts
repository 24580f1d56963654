// SPDX-License-Identifier: MIT
// The template with Vite and PixiJS: its types are those of the world, it is short, and it plays in a browser, built
// from the packed package alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, Entity } from 'instep';
import { build } from 'vite';
import { launch, serve, type Site } from './browser.js';

declare global {
    // eslint-disable-next-line no-var
    var room: Connection;
    // eslint-disable-next-line no-var
    var sprites: Map<number, { position: { x: number; y: number }; rotation: number; destroyed: boolean }>;
}

const root = new URL('../../', import.meta.url).pathname;
const folder = `${root}web/templates/pixi`;
const run = (program: string, ...words: string[]) => execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('template with PixiJS', () => {
    let site: Site;
    let browser: Browser;
    let page: Page;
    const errors: string[] = [];
    beforeAll(async () => {
        run(`${root}tools/page`, 'package');
        const outDir = `${root}build/template-pixi`;
        await build({ root: folder, configFile: false, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
        [site, browser] = await Promise.all([serve('--page', outDir, '--bots', '8'), launch()]);
        page = await browser.newPage({ viewport: { width: 960, height: 600 } });
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
        page.on('pageerror', (error) => errors.push(error.message));
        await page.goto(site.url);
        await page.waitForFunction(() => globalThis.sprites?.size > 8 && globalThis.room.stage.ownSlot() !== null, undefined, { timeout: 60_000 });
    }, 300_000);
    afterAll(async () => {
        await browser?.close();
        await site?.stop();
    });

    it('has at most 80 lines, and the types of the world', () => {
        expect(readFileSync(`${folder}/src/main.ts`, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
        expect(readFileSync(`${folder}/src/arena.d.ts`, 'utf8')).toBe(run(`${root}build/release/instep`, 'types', 'arena'));
        run(process.execPath, `${root}web/node_modules/typescript/bin/tsc`);
    });
    it('has a sprite where each entity is, while it flies and fires', async () => {
        await page.keyboard.down('ArrowUp');
        await page.keyboard.down('Space');
        const ownShots = () => page.waitForFunction(() => globalThis.room.entities('shots').some((shot) => shot.owner === globalThis.room.stage.ownSlot()));
        await ownShots();
        await page.keyboard.up('ArrowUp');
        const drawn = await page.evaluate(() => new Promise<{ compared: number; wrong: number; live: number }>((resolve) => {
            // After the template's own frame.
            requestAnimationFrame(() => setTimeout(() => {
                let compared = 0;
                let wrong = 0;
                const at = (entity: Entity & { [field: string]: any }) => (entity['flight'] ?? entity['ship']).position as { x: number; y: number };
                for (const pool of ['rocks', 'shots', 'players'])
                    for (const entity of globalThis.room.entities(pool)) {
                        const { x, y } = globalThis.sprites.get(entity.key)!.position;
                        ++compared;
                        if (x !== at(entity).x || y !== at(entity).y) ++wrong;
                    }
                resolve({ compared, wrong, live: [...globalThis.sprites.values()].filter((sprite) => !sprite.destroyed).length });
            }));
        }));
        expect(drawn.wrong).toBe(0);
        expect(drawn.compared).toBeGreaterThan(15);
        expect(drawn.live).toBe(drawn.compared); // what is gone has been removed
        await ownShots();
        const pictures = `${root}build/pictures`;
        if (!existsSync(pictures)) mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: `${pictures}/template-pixi.png` });
        expect(errors).toEqual([]);
    });
});
