// SPDX-License-Identifier: MIT
// What a visitor sees and hears on each screen, and that everyone can use it.

import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { joined, launch, open, serve, watch, type Site } from './browser.js';

const root = new URL('../../', import.meta.url).pathname;
const images = `${root}docs/images/`;
const keepsImages = process.env['INSTEP_KEEP_IMAGES'] === '1';
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

let site: Site;
let browser: Browser;
beforeAll(async () => {
    [site, browser] = await Promise.all([serve('--bots', '4', '--recordings', mkdtempSync(join(tmpdir(), 'instep-'))), launch()]);
});
afterAll(async () => {
    await browser?.close();
    await site?.stop();
});
afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
});

interface Findings { violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }
/** The serious findings of axe-core. Debuggers may run scripts that the page's content security policy forbids. */
async function seriousFindings(page: Page): Promise<string[]> {
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<Findings> } }).axe.run());
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`));
}
const go = async (page: Page, hash: string) => {
    await page.evaluate((address) => (location.hash = address), hash);
};

describe('accessibility', () => {
    it.each(['dark', 'light'] as const)('axe-core has no serious finding on any screen, %s', async (colorScheme) => {
        const { page, errors } = await watch(await browser.newContext({ viewport: { width: 960, height: 600 }, colorScheme, reducedMotion: 'reduce' }), site, '');
        await page.waitForSelector('.rooms li');
        expect(await seriousFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Play with a friend' }).click();
        await page.waitForSelector('dialog[open]');
        expect(await seriousFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Close' }).click();

        await go(page, '#/play/arena/belt?room=axe');
        await joined(page);
        await page.waitForSelector('.gauge');
        await page.keyboard.press('?');
        expect(await seriousFindings(page)).toEqual([]);
        await page.keyboard.press('?');
        await page.keyboard.press('i');
        await page.waitForSelector('.light.good');
        expect(await seriousFindings(page)).toEqual([]);

        await go(page, '#/sandbox/bounce/box');
        await page.waitForFunction(() => /tick [1-9]/.test(document.querySelector('.stats')?.textContent ?? ''));
        expect(await seriousFindings(page)).toEqual([]);
        await go(page, '#/replay');
        await page.waitForSelector('.recordings button, .empty');
        expect(await seriousFindings(page)).toEqual([]);
        expect(errors).toEqual([]);
    });
});

describe('start page', () => {
    it('offers every level of every world, and marks the original ones', async () => {
        const { page, errors } = await open(browser, site, '');
        const worlds = await page.evaluate(() => globalThis.instep.worlds());
        for (const { name, levels } of worlds)
            for (const level of levels) expect(await page.getByRole('link', { name: `Play ${name} ${level}`, exact: true }).count()).toBe(1);
        expect(await page.locator('.levels li:has-text("billiards")').textContent()).toContain('original');
        await page.waitForFunction(() => [...document.querySelectorAll<HTMLCanvasElement>('.picture canvas')].some((canvas) => {
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size > 8; // more than the background
        }));
        expect(errors).toEqual([]);
    });
    it('opens a private room, which a friend finds by its link only', async () => {
        const { page, errors } = await open(browser, site, '');
        await page.getByRole('button', { name: 'Play with a friend' }).click();
        const link = await page.getByLabel('Link of the room').inputValue();
        expect(link).toMatch(new RegExp(`^${site.url}/#/play/\\w+/[\\w-]+\\?room=private-[a-z2-7]{16}$`));
        expect(await page.locator('dialog').textContent()).toContain('this machine only'); // the test's server is on localhost
        await page.waitForFunction(() => document.querySelector<HTMLCanvasElement>('.code')!.width > 100);
        if (keepsImages) await page.screenshot({ path: `${images}page-invite.png` });
        await page.getByRole('button', { name: 'Enter the room' }).click();
        await joined(page);
        const friend = await open(browser, site, link.slice(link.indexOf('#')));
        await joined(friend.page);
        const own = await page.evaluate(() => globalThis.connection.stage.ownSlot());
        await page.waitForFunction((slot) => globalThis.connection.stage.players().some((player) => player.slot !== slot && player.name.startsWith('Guest')), own);
        const rooms = await page.evaluate(async () => (await fetch('./api/rooms')).text());
        expect(rooms).not.toContain('private-');
        expect([...errors, ...friend.errors]).toEqual([]);
    });
    it('lists rooms with people, to join or to watch', async () => {
        const small = { width: 400, height: 300 }; // two pages are drawn in software
        const { page, errors } = await open(browser, site, '', small);
        const player = await open(browser, site, '#/play/bounce/box?room=ours', small);
        await joined(player.page);
        await page.getByRole('link', { name: 'Watch ours' }).click();
        await page.waitForFunction(() => (globalThis.connection?.stage.players().length ?? 0) > 1);
        expect(await page.evaluate(() => globalThis.connection.stage.ownSlot())).toBe(null);
        await page.waitForFunction(async () => ((await (await fetch('./api/rooms/ours')).json()) as { watchers: number }).watchers === 1);
        await player.page.waitForFunction(() => document.querySelector('.words')!.textContent === '1 watching');
        expect([...errors, ...player.errors]).toEqual([]);
    });
});

describe('in a match', () => {
    it('sounds after the first click only, once per event, and remembers that it is muted', async () => {
        const context = await browser.newContext({ viewport: { width: 960, height: 600 } });
        await context.addInitScript(() => {
            (globalThis as Record<string, unknown>)['started'] = 0;
            for (const node of [OscillatorNode, AudioBufferSourceNode]) {
                const { start } = node.prototype;
                node.prototype.start = function (when?: number) {
                    ++(globalThis as unknown as { started: number }).started;
                    start.call(this, when);
                };
            }
        });
        const { page, errors } = await watch(context, site, '#/play/arena/belt');
        await joined(page);
        const heard = () => page.evaluate(() => (globalThis as unknown as { started: number }).started);
        /** Tells the page of an event, and returns how many tones that began. */
        const tell = (kind: string, number: number, ...statuses: string[]) => page.evaluate(([event, at, all]) => {
            const before = (globalThis as unknown as { started: number }).started;
            const { sound } = globalThis as unknown as { sound: { play(...parameters: unknown[]): void } };
            const texts = new Map(globalThis.connection.stage.describe().events.map((text) => [text.kind, text]));
            for (const status of all as string[]) sound.play({ status, number: at, tick: 1, event: { kind: event } }, texts, { x: 0, y: 0, reach: 10 });
            return (globalThis as unknown as { started: number }).started - before;
        }, [kind, number, statuses] as const);
        expect(await tell('explosion', 1, 'predicted')).toBe(0);
        expect(await heard()).toBe(0);
        await page.mouse.click(480, 300);
        expect(await tell('match_over', 90_001, 'predicted', 'confirmed')).toBe(2); // two tones, and none for the confirmation
        expect(await tell('match_began', 90_002, 'received')).toBe(1);
        await page.getByRole('button', { name: 'Mute' }).click();
        const before = await heard();
        expect(await tell('match_over', 90_003, 'predicted')).toBe(0);
        await page.reload();
        await joined(page);
        expect(await page.getByRole('button', { name: 'Mute' }).getAttribute('aria-pressed')).toBe('true');
        expect(before).toBeGreaterThan(0);
        expect(errors).toEqual([]);
    });
    it('shows clock, gauges and help, and its bar hides', async () => {
        const { page, errors } = await open(browser, site, '#/play/arena/belt');
        await joined(page);
        await page.waitForFunction(() => /^[0-4]:\d\d$/.test(document.querySelector('.clock')!.textContent!));
        await page.waitForFunction(() => document.querySelectorAll('.gauge').length === 2);
        expect((await page.locator('.gauge').allTextContents()).map((text) => text.replace(/\d+/, '')).sort()).toEqual(['health', 'heat']);
        await page.keyboard.press('?');
        for (const name of ['fire', 'Space', 'stick', 'd-pad']) expect(await page.locator('.help').textContent()).toContain(name);
        if (keepsImages) await page.screenshot({ path: `${images}page-help.png` });
        await page.keyboard.press('Escape');
        expect(await page.locator('.help').isHidden()).toBe(true);
        await page.waitForFunction(() => getComputedStyle(document.querySelector('.bar')!).opacity === '0');
        await page.mouse.move(200, 200);
        await page.waitForFunction(() => getComputedStyle(document.querySelector('.bar')!).opacity === '1');
        expect(errors).toEqual([]);
    });
    it('keeps the middle of a phone’s screen free', async () => {
        const { page } = await watch(await browser.newContext(phone), site, '#/play/arena/belt');
        await joined(page);
        await page.waitForSelector('.gauge');
        const covered = await page.evaluate(() => [...document.querySelectorAll('.board, .gauges, .clock, .minimap, .feed, .pad, .bar')]
            .filter((element) => element.getClientRects().length > 0)
            .map((element) => ({ name: element.className, box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.bottom > innerHeight * 0.3 && box.top < innerHeight * 0.7).map(({ name }) => name));
        expect(covered).toEqual([]);
        if (keepsImages) await page.screenshot({ path: `${images}page-phone-arena.png` });
    });
    it('lets players write to each other, as text, until a server says no', async () => {
        const [ann, bob] = [await open(browser, site, '#/play/bounce/box?room=chat'), await open(browser, site, '#/play/bounce/box?room=chat')];
        await Promise.all([joined(ann.page), joined(bob.page)]);
        const line = 'hi <img src=x onerror=alert(1)>';
        await ann.page.keyboard.press('Enter');
        await ann.page.keyboard.type(line);
        expect(await seriousFindings(ann.page)).toEqual([]);
        await ann.page.keyboard.press('Enter');
        for (const { page } of [ann, bob]) await page.waitForFunction((text) => document.querySelector('.said')?.textContent?.includes(text), line);
        expect(await bob.page.locator('.said img').count()).toBe(0);
        await bob.page.keyboard.press('Enter');
        await bob.page.getByRole('button', { name: 'cheer' }).click();
        await ann.page.waitForFunction(() => document.querySelector('.said')?.textContent?.includes('🎉'));
        expect([...ann.errors, ...bob.errors]).toEqual([]);
    });
    it('shows the last two seconds after a correction, with the server’s state over them', async () => {
        const { page, errors } = await open(browser, site, '#/play/arena/belt?room=happened');
        await joined(page);
        // A correction that every link has sooner or later.
        await page.evaluate(() => {
            const { stage } = (globalThis as unknown as { connection: { stage: { statistics(now: number): { corrections: number } } } }).connection;
            const before = stage.statistics.bind(stage);
            stage.statistics = (now) => ({ ...before(now), corrections: before(now).corrections + 1000 });
        });
        await page.getByRole('button', { name: 'What just happened?' }).click();
        await page.waitForFunction(() => /ago/.test(document.querySelector('.happened .note')?.textContent ?? ''));
        await page.waitForFunction(() => (document.querySelector('.happened .note')?.textContent ?? '') === '', undefined, { timeout: 20_000 });
        expect(errors).toEqual([]);
    });
    it('keeps the picture while the connection is away', async () => {
        const { page } = await open(browser, site, '#/play/bounce/box');
        await joined(page);
        const empty = await page.evaluate(() => new Promise<number>((resolve) => {
            const { view, connection } = globalThis as unknown as { view: { painter: { begin(frame: { list: { length: number } }, theme: unknown): void } }; connection: typeof globalThis.connection };
            const begin = view.painter.begin.bind(view.painter);
            let empty = 0;
            view.painter.begin = (frame, theme) => {
                empty += Number(frame.list.length === 0);
                begin(frame, theme);
            };
            const before = connection.onstatus;
            let wasLost = false;
            connection.onstatus = (status) => {
                before(status);
                wasLost ||= status.kind === 'lost';
                if (wasLost && status.kind === 'open') setTimeout(() => resolve(empty), 500);
            };
            connection.dropConnection();
        }));
        expect(empty).toBe(0);
    });
});

describe('recordings', () => {
    it('are listed with a picture, their length and players', async () => {
        const { page, errors } = await open(browser, site, '#/play/bounce/box?room=recorded');
        await joined(page);
        await page.waitForFunction(() => globalThis.connection.stage.statistics(performance.now() / 1000).snapshot_tick > 150);
        await go(page, '#/replay');
        await page.locator('.recordings small', { hasText: /\d:\d\d · \d+ players?/ }).first().waitFor();
        if (keepsImages) await page.screenshot({ path: `${images}page-replays.png` });
        expect(errors).toEqual([]);
    });
    it('say what to do when there is none', async () => {
        const bare = await serve();
        try {
            const { page, errors } = await open(browser, bare, '#/replay');
            await page.waitForSelector('.empty');
            expect(await page.locator('.empty').textContent()).toContain('--recordings');
            expect(errors).toEqual([]);
        } finally {
            await bare.stop();
        }
    });
});

describe('size', () => {
    it('scripts and module are under 700 kB, compressed', () => {
        const folder = `${root}build/page/`;
        const compressed = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|wasm)\.gz$/.test(name));
        const total = compressed.reduce((sum, name) => sum + statSync(folder + name).size, 0);
        expect(compressed.some((name) => name.endsWith('.wasm.gz'))).toBe(true);
        console.log(`${Math.round(total / 1000)} kB of scripts and WebAssembly`);
        expect(compressed.length).toBeGreaterThan(1);
        expect(total).toBeLessThan(700_000);
    });
});
