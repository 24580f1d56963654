// SPDX-License-Identifier: MIT
// Input devices and the screens they drive: mouse, touch, keyboard and gamepad in the sandbox, the replay and on a phone.
// Against the real server; only the gamepad is simulated.

import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, LocalStage, Pad, RecordedStage } from 'instep';
import type { Camera } from '../src/camera.js';
import { joined, launch, open, serve, watch, type Site } from './browser.js';

declare global {
    // eslint-disable-next-line no-var
    var sandbox: { stage(): LocalStage; camera: Camera };
    // eslint-disable-next-line no-var
    var recording: RecordedStage;
    // eslint-disable-next-line no-var
    var connection: Connection;
    // eslint-disable-next-line no-var
    var lastPad: Pad;
}

const recordings = mkdtempSync(join(tmpdir(), 'instep-'));
const levels = [['arena', 'belt'], ['flail', 'pit'], ['orbit', 'belt'], ['foothold', 'town'], ['creature', 'garden'], ['bounce', 'box']] as const;
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let site: Site;
let browser: Browser;
beforeAll(async () => {
    [site, browser] = await Promise.all([serve('--bots', '6', '--recordings', recordings), launch()]);
});
afterAll(async () => {
    await browser?.close();
    await site?.stop();
});
afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
});

/** Pauses the sandbox and waits until the camera is at rest. */
async function still(page: Page): Promise<void> {
    await page.waitForFunction(() => /tick [1-9]/.test(document.querySelector('.stats')?.textContent ?? ''));
    await page.getByRole('button', { name: 'pause' }).click();
    await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const { camera } = globalThis.sandbox;
        for (let [x, px, scale] = [NaN, NaN, NaN]; Math.abs(camera.x - x) * camera.scale > 0.01 || Math.abs(camera.px - px) > 0.01 || Math.abs(camera.scale / scale - 1) > 1e-5 || Number.isNaN(x);) {
            [x, px, scale] = [camera.x, camera.px, camera.scale];
            await frame();
        }
    });
}
/** The body nearest to a point of the screen. */
const bodyAt = (page: Page, x: number, y: number, reach: number) => page.evaluate(([px, py, far]) => {
    const { stage, camera } = globalThis.sandbox;
    const at = camera.toWorld(px!, py!);
    stage().advance(performance.now() / 1000); // brings the shown state up to date
    return stage().findEntity(at.x, at.y, far! / camera.scale);
}, [x, y, reach]);
const hash = (page: Page) => page.evaluate(() => globalThis.sandbox.stage().hash());
const middle = { x: 290, y: 330 }; // of the part beside the sandbox's panel

/** Plays until the pool has had an element that can be copied. */
const waitForFirst = (page: Page, kind: string) => page.evaluate((name) => {
    const stage = globalThis.sandbox.stage();
    const pool = stage.drops('{}').find((drop) => drop.name === name)!.pool!;
    for (let tick = 0; tick < 6000; tick += 10) {
        try {
            stage.dropCopy(pool, 0, 0);
            return;
        } catch {
            stage.step(10);
        }
    }
}, kind);

describe('editing in the sandbox', () => {
    it('drags and removes a body with the mouse', async () => {
        const { page, errors } = await open(browser, site, '#/sandbox/creature/garden');
        expect(await page.title()).toContain('creature / garden');
        await page.waitForFunction(() => globalThis.sandbox.stage().totals().tick > 120); // there are motes by then
        await still(page);
        const mote = (await page.evaluate(() => {
            const { stage, camera } = globalThis.sandbox;
            const found = stage().drops('{}').find(({ name }) => name === 'motes')!;
            for (let x = 100; x < 560; x += 20) {
                for (let y = 100; y < 560; y += 20) {
                    const at = camera.toWorld(x, y);
                    const entity = stage().findEntity(at.x, at.y, 30 / camera.scale);
                    if (entity && entity.number === found.pool) return { entity, at: camera.toScreen((entity.fields['position'] as { x: number }).x, (entity.fields['position'] as { y: number }).y) };
                }
            }
            return null;
        }))!;
        expect(mote).not.toBeNull();
        await page.mouse.move(mote.at.x, mote.at.y);
        await page.mouse.down();
        await page.mouse.move(mote.at.x + 30, mote.at.y + 10);
        await page.mouse.move(mote.at.x + 61, mote.at.y + 23);
        await page.waitForFunction(({ entity, x, y }) => {
            const { stage, camera } = globalThis.sandbox;
            const { position } = stage().readEntity(entity)!.fields as { position: { x: number; y: number } };
            const at = camera.toScreen(position.x, position.y);
            return Math.hypot(at.x - x, at.y - y) < 2;
        }, { entity: mote.entity, x: mote.at.x + 61, y: mote.at.y + 23 });
        await page.mouse.up();
        await page.mouse.move(400, 500); // the body stays where it was dropped
        const there = await bodyAt(page, mote.at.x + 61, mote.at.y + 23, 3);
        expect(there).toMatchObject({ pool: 'motes', id: mote.entity.id });

        await page.keyboard.down('Control');
        await page.mouse.click(mote.at.x + 61, mote.at.y + 23);
        await page.keyboard.up('Control');
        expect(await page.evaluate((entity) => {
            globalThis.sandbox.stage().advance(performance.now() / 1000);
            return globalThis.sandbox.stage().readEntity(entity);
        }, mote.entity)).toBeNull();
        expect(errors).toEqual([]);
    });

    it('drops every kind of body of every world, and adds it to the level', { timeout: 240_000 }, async () => {
        const { page, errors } = await open(browser, site, '');
        for (const [world, level] of levels) {
            await page.evaluate((hash) => (location.hash = hash), `#/sandbox/${world}/${level}`);
            await page.waitForFunction((title) => document.title.includes(title) && globalThis.sandbox.stage().totals().tick > 60, `${world} / ${level}`);
            await still(page);
            const kinds = page.getByRole('group', { name: 'Body to drop' }).getByRole('button');
            const names = await kinds.allTextContents();
            expect(names[0]).toBe('bot');
            for (const [i, name] of names.entries()) {
                await kinds.nth(i).click();
                expect(await kinds.nth(i).getAttribute('aria-pressed')).toBe('true');
                if (name === 'shots' || name === 'drops') await waitForFirst(page, name);
                const [x, y] = [middle.x - 120 + i * 45, middle.y - 80 + (i % 2) * 40];
                const before = await hash(page);
                await page.mouse.click(x, y);
                expect(await page.textContent('#message'), name).toBe('');
                expect(await hash(page), name).not.toBe(before);
                const found = await bodyAt(page, x, y, world === 'foothold' ? 2000 : 20); // bodies fall to the ground there
                expect(found, name).not.toBeNull();
            }
            const listed = names.filter((name) => !['bot', 'shots', 'motes', 'drops'].includes(name));
            const bodies = await page.evaluate(() => JSON.parse(new URLSearchParams(location.hash.split('?')[1]).get('bodies') ?? '[]') as [string][]);
            expect(bodies.map(([name]) => name)).toEqual(listed);
            await page.getByRole('button', { name: 'play', exact: true }).click();
            const tick = await page.evaluate(() => globalThis.sandbox.stage().totals().tick);
            await page.waitForFunction((before) => globalThis.sandbox.stage().totals().tick > before + 10, tick);
        }
        expect(await page.evaluate(() => location.hash)).toContain('loose+ball');
        await page.reload(); // the shared address contains them
        await page.waitForFunction(() => globalThis.sandbox?.stage().totals().tick > 1);
        expect(await page.textContent('#message')).toBe('');
        const shared = await page.evaluate(() => globalThis.sandbox.stage().totals().entities);
        await page.getByRole('button', { name: 'undo drop' }).click();
        await page.waitForFunction(() => globalThis.sandbox.stage().totals().tick > 1);
        expect(await page.evaluate(() => globalThis.sandbox.stage().totals().entities)).toBe(shared - 1);
        expect(await page.evaluate(() => location.hash)).not.toContain('loose+ball');
        expect(errors).toEqual([]);
    });

    it('works by touch', async () => {
        const context = await browser.newContext(phone);
        const { page, errors } = await watch(context, site, '#/sandbox/arena/belt');
        await page.waitForFunction(() => globalThis.sandbox?.stage().totals().tick > 30);
        await still(page);
        await page.getByRole('button', { name: 'rock', exact: true }).tap();
        await page.touchscreen.tap(100, 250);
        expect(await page.textContent('#message')).toBe('');
        const rock = await bodyAt(page, 100, 250, 10);
        expect(rock?.pool).toBe('rocks');

        await page.getByRole('button', { name: 'drag', exact: true }).tap();
        const touch = await finger(context, page);
        await touch('touchStart', 100, 250);
        await touch('touchMove', 120, 240);
        await touch('touchMove', 150, 200);
        await page.waitForFunction((entity) => {
            const { stage, camera } = globalThis.sandbox;
            const { flight } = stage().readEntity(entity)!.fields as { flight: { position: { x: number; y: number } } };
            const at = camera.toScreen(flight.position.x, flight.position.y);
            return Math.hypot(at.x - 150, at.y - 200) < 2;
        }, rock!);
        await touch('touchEnd');

        await page.getByRole('button', { name: 'bot', exact: true }).tap();
        const bots = () => page.evaluate(() => globalThis.sandbox.stage().bots());
        const before = await bots();
        await page.touchscreen.tap(300, 120);
        expect(await bots()).toBe(before + 1);
        await page.getByRole('button', { name: 'remove', exact: true }).tap();
        await page.touchscreen.tap(300, 120);
        expect(await bots()).toBe(before);
        expect(errors).toEqual([]);
    });
});

/** A finger on the screen, through the browser's own touch events. */
async function finger(context: BrowserContext, page: Page): Promise<(type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) => Promise<void>> {
    const session: CDPSession = await context.newCDPSession(page);
    return async (type, x = 0, y = 0) => {
        await session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y, id: 1 }] });
    };
}
/** Stores every pad that the stage gets in lastPad. */
const capturePad = (page: Page) => page.evaluate(() => {
    const { stage } = globalThis.connection;
    const setPad = stage.setPad.bind(stage);
    stage.setPad = (pad) => setPad((globalThis.lastPad = pad));
});

describe('without a mouse', () => {
    it('the keyboard alone opens a room, plays and leaves it', async () => {
        const { page, errors } = await open(browser, site, '');
        const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
        for (let presses = 0; (await focused()) !== 'Play bounce'; ++presses) {
            expect(presses).toBeLessThan(40);
            await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
        await joined(page);
        expect(await page.title()).toContain('bounce / box');
        const before = await page.evaluate(() => globalThis.connection.stage.ownPosition()!.x);
        await page.keyboard.down('ArrowRight');
        await page.waitForFunction((x) => Math.abs(globalThis.connection.stage.ownPosition()!.x - x) > 1, before);
        await page.keyboard.up('ArrowRight');
        await page.keyboard.press('i');
        await page.waitForSelector('.inspector:not([hidden]) .light.good');
        await page.keyboard.press('i');
        while ((await focused()) !== 'Back to all worlds') await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.waitForSelector('.card');
        expect(await page.title()).toBe('Instep');
        expect(errors).toEqual([]);
    });

    it('a gamepad plays', async () => {
        const context = await browser.newContext();
        await context.addInitScript(() => {
            const pad = { axes: [0, 0], buttons: [0, 1, 2, 3].map(() => ({ pressed: false })) };
            Object.assign(globalThis, { gamepad: pad });
            Object.defineProperty(navigator, 'getGamepads', { value: () => [null, pad] });
        });
        const { page } = await watch(context, site, '#/play/arena/belt');
        await joined(page);
        await capturePad(page);
        const set = (axes: number[], button: number) => page.evaluate(([stick, pressed]) => {
            const { gamepad } = globalThis as unknown as { gamepad: { axes: number[]; buttons: { pressed: boolean }[] } };
            gamepad.axes = stick!;
            gamepad.buttons.forEach((each, i) => (each.pressed = i === pressed![0]));
        }, [axes, [button]]);
        await set([0.05, -0.1], -1); // inside the dead zone
        await page.waitForFunction(() => globalThis.lastPad?.x === 0 && globalThis.lastPad.y === 0);
        await set([0.5, -0.8], 0);
        await page.waitForFunction(() => globalThis.lastPad.x === 0.5 && globalThis.lastPad.y === 0.8 && (globalThis.lastPad.held & 1) === 1);
        const start = await page.evaluate(() => globalThis.connection.stage.ownPosition());
        await page.waitForFunction((before) => JSON.stringify(globalThis.connection.stage.ownPosition()) !== before, JSON.stringify(start));
    });

    it('a touch stick and touch buttons play', async () => {
        const context = await browser.newContext(phone);
        const { page, errors } = await watch(context, site, '#/play/foothold/town');
        await joined(page);
        await capturePad(page);
        const touch = await finger(context, page);
        await touch('touchStart', 100, 600);
        await touch('touchMove', 124, 600);
        await page.waitForFunction(() => Math.abs(globalThis.lastPad.x - 0.5) < 1e-6 && globalThis.lastPad.y === 0);
        await touch('touchMove', 100, 400); // beyond its reach the stick is at 1
        await page.waitForFunction(() => globalThis.lastPad.x === 0 && globalThis.lastPad.y === 1);
        await touch('touchEnd');
        await page.waitForFunction(() => globalThis.lastPad.x === 0 && globalThis.lastPad.y === 0);
        const box = (await page.locator('.pad').nth(1).boundingBox())!;
        await touch('touchStart', box.x + box.width / 2, box.y + box.height / 2);
        await page.waitForFunction(() => (globalThis.lastPad.held & 2) === 2);
        await touch('touchEnd');
        await page.waitForFunction(() => (globalThis.lastPad.held & 2) === 0);
        expect(errors).toEqual([]);
    });
});

describe('recorded match', () => {
    it('plays at any tick and speed, following any player', async () => {
        const { page, errors } = await open(browser, site, '#/play/arena/belt');
        await joined(page);
        await page.waitForFunction(() => globalThis.connection.stage.statistics(performance.now() / 1000).snapshot_tick > 300, undefined, { timeout: 30_000 });
        await page.evaluate(() => (location.hash = '#/replay'));
        await page.locator('.recordings button', { hasText: 'arena' }).first().click();
        await page.waitForSelector('.player');
        expect(await page.title()).toContain('Recorded arena / belt');
        const state = () => page.evaluate(() => globalThis.recording.progress());
        const { last_tick: last, error } = await state();
        expect(last).toBeGreaterThan(200);
        expect(error).toBe('');

        await page.getByRole('button', { name: 'pause' }).click();
        const scrub = page.getByLabel('Tick');
        const goTo = (tick: number) => scrub.evaluate((input: HTMLInputElement, to) => {
            input.valueAsNumber = to;
            input.dispatchEvent(new Event('input'));
            input.dispatchEvent(new Event('change'));
        }, tick);
        for (const tick of [200, 20, 150]) {
            await goTo(tick);
            expect((await state()).tick).toBe(tick);
        }
        const players = await page.evaluate(() => globalThis.recording.players().map(({ slot }) => slot));
        expect(players.length).toBeGreaterThan(1);
        await page.waitForFunction((count) => document.querySelectorAll('.player option').length === count, players.length);
        for (const slot of players.slice(0, 3)) {
            await page.getByLabel('Follow').selectOption(String(slot));
            expect(await page.evaluate(() => globalThis.recording.ownSlot())).toBe(slot);
        }
        await goTo(1);
        await page.getByRole('button', { name: '16×' }).click();
        await page.waitForFunction((end) => globalThis.recording.progress().tick === end, last);
        expect((await state()).error).toBe(''); // all hashes were as recorded
        expect(errors).toEqual([]);
        expect(readdirSync(recordings).length).toBeGreaterThan(0);
    });
});

describe('overlay and panels', () => {
    it('has a minimap with all players if the world is larger than the screen', async () => {
        const { page, errors } = await open(browser, site, '#/play/arena/belt');
        await joined(page);
        const colors = () => page.evaluate(() => {
            const copy = (of: HTMLCanvasElement) => { // a copy, because the page's canvases are not set up for reading
                const context = Object.assign(document.createElement('canvas'), { width: of.width, height: of.height }).getContext('2d', { willReadFrequently: true })!;
                context.drawImage(of, 0, 0);
                return context;
            };
            const map = document.querySelector<HTMLCanvasElement>('.minimap')!;
            const { data } = copy(map).getImageData(0, 0, map.width, map.height);
            const found = new Set<number>();
            for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
            return found.size;
        });
        await page.waitForFunction(() => globalThis.connection.stage.players().filter((player) => player.x !== undefined).length >= 4);
        await expect.poll(colors, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
        await page.evaluate(() => (location.hash = '#/play/bounce/box'));
        await page.waitForFunction(() => document.title.includes('bounce'));
        await joined(page);
        await page.waitForSelector('.minimap', { state: 'hidden' });
        expect(errors).toEqual([]);
    });

    it('keeps the player beside the panel', async () => {
        const { page } = await open(browser, site, '#/play/arena/belt');
        await joined(page);
        await page.keyboard.press('i');
        await page.waitForFunction(() => {
            const { view, connection } = globalThis as unknown as { view: { camera: Camera }; connection: Connection };
            const panel = document.querySelector('.inspector')!.getBoundingClientRect();
            const own = connection.stage.ownPosition();
            return Math.abs(view.camera.px - panel.left / 2) < 1 && own !== null && view.camera.toScreen(own.x, own.y).x < panel.left;
        });
    });

    it('fits on a phone without overlaps and with readable text', async () => {
        const context = await browser.newContext(phone);
        const { page, errors } = await watch(context, site, '#/');
        for (const [world, level] of levels) {
            await page.evaluate((hash) => (location.hash = hash), `#/play/${world}/${level}`);
            await page.waitForFunction((name) => document.title.includes(name), `${world} / ${level}`);
            await joined(page);
            await page.waitForFunction(() => document.querySelectorAll('.board li').length > 3);
            const problems = await page.evaluate(() => {
                const elements = [...document.querySelectorAll('.bar > *, .board, .clock, .gauges, .minimap, .stick, .pad, #message')].filter((element) => {
                    const { width, height } = element.getBoundingClientRect();
                    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible' && (element.textContent !== '' || element.matches('.minimap, .stick'));
                });
                const found: string[] = [];
                const name = (element: Element) => `${element.className || element.tagName} “${element.textContent?.slice(0, 12)}”`;
                for (const [i, one] of elements.entries()) {
                    const a = one.getBoundingClientRect();
                    if (a.left < -0.5 || a.top < -0.5 || a.right > innerWidth + 0.5 || a.bottom > innerHeight + 0.5) found.push(`${name(one)} is partly off the screen`);
                    for (const other of elements.slice(i + 1)) {
                        const b = other.getBoundingClientRect();
                        if (a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5) found.push(`${name(one)} overlaps ${name(other)}`);
                    }
                    if (parseFloat(getComputedStyle(one).fontSize) < 11) found.push(`${name(one)} is too small to read`);
                    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && one.matches('.pad')) found.push(`${name(one)} is wider than its button`);
                }
                return found;
            });
            expect(problems, world).toEqual([]);
        }
        expect(errors).toEqual([]);
    });

    it('draws without WebGL', async () => {
        const plain = await launch('--disable-3d-apis');
        try {
            const { page, errors } = await open(plain, site, '#/play/arena/belt');
            await joined(page);
            const what = await page.evaluate(() => {
                const canvas = document.querySelector<HTMLCanvasElement>('#stage canvas')!;
                return { webgl: document.createElement('canvas').getContext('webgl2') !== null, plane: canvas.getContext('2d') !== null };
            });
            expect(what).toEqual({ webgl: false, plane: true });
            // The picture has many colours, and it changes.
            const drawn = () => page.evaluate(() => new Promise<string>((resolve) => requestAnimationFrame(() => {
                const copy = (of: HTMLCanvasElement) => {
                    const context = Object.assign(document.createElement('canvas'), { width: of.width, height: of.height }).getContext('2d', { willReadFrequently: true })!;
                    context.drawImage(of, 0, 0);
                    return context;
                };
                const canvas = document.querySelector<HTMLCanvasElement>('#stage canvas')!;
                const { data } = copy(canvas).getImageData(0, 0, canvas.width, canvas.height);
                const colors = new Map<number, number>();
                for (let i = 0; i < data.length; i += 4) {
                    const color = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!;
                    colors.set(color, (colors.get(color) ?? 0) + 1);
                }
                resolve(JSON.stringify([colors.size > 20, ...[...colors].slice(0, 40)]));
            })));
            const first = await drawn();
            expect(first).toMatch(/^\[true/);
            await expect.poll(drawn, { timeout: 20_000 }).not.toBe(first);
            expect(errors.filter((error) => !/WebGL|webgl/.test(error))).toEqual([]);
        } finally {
            await plain.close();
        }
    });
});
