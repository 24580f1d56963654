// SPDX-License-Identifier: MIT
// A room that moves to another server while the page plays in it: the same player, the same stage, and nothing is shown.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection, ConnectionStatus, RemoteStage } from 'instep';
import { joined, launch, open, serveAt, type Site } from './browser.js';

declare global {
    // eslint-disable-next-line no-var
    var connection: Connection;
    // eslint-disable-next-line no-var
    var states: ConnectionStatus[];
    // eslint-disable-next-line no-var
    var firstStage: RemoteStage;
}

const freePort = () => new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
    });
});

let browser: Browser;
let sites: Site[] = [];
beforeAll(async () => {
    browser = await launch();
});
afterAll(async () => {
    await browser?.close();
    await Promise.all(sites.map((site) => site.stop()));
});

it('the page follows its room to another server and back', { timeout: 120_000 }, async () => {
    const [blue, green, blueAdmin, greenAdmin] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const start = (port: number, admin: number, other: number, otherAdmin: number) =>
        serveAt(port, '--admin', String(admin), '--peer', `ws://127.0.0.1:${other}`, '--successor', `http://127.0.0.1:${otherAdmin}`);
    let old = await start(blue, blueAdmin, green, greenAdmin);
    sites = [old];
    const { page, errors } = await open(browser, old, '#/play/orbit/belt?room=ours');
    await joined(page);
    await page.evaluate(() => {
        globalThis.states = [];
        globalThis.firstStage = globalThis.connection.stage;
        const previous = globalThis.connection.onstatus;
        globalThis.connection.onstatus = (status) => {
            globalThis.states.push(status);
            previous(status);
        };
    });
    const slot = await page.evaluate(() => globalThis.connection.stage.ownSlot());
    const snapshots = () => page.evaluate(() => globalThis.connection.stage.statistics(performance.now() / 1000).snapshots);
    for (const [port, admin, other, otherAdmin] of [[green, greenAdmin, blue, blueAdmin], [blue, blueAdmin, green, greenAdmin]] as const) {
        const next = await start(port, admin, other, otherAdmin);
        sites.push(next);
        await old.stop(); // SIGTERM: it hands the room over and ends
        sites.splice(sites.indexOf(old), 1);
        const before = await snapshots();
        await page.waitForFunction((count) => globalThis.connection.stage.statistics(performance.now() / 1000).snapshots > count + 20, before);
        const room = await (await fetch(`http://127.0.0.1:${port}/api/rooms/ours`)).json() as { players: number };
        expect(room.players).toBe(1);
        old = next;
    }
    expect(await page.evaluate(() => globalThis.states)).toEqual([]); // it was open all the time
    expect(await page.evaluate(() => globalThis.connection.stage === globalThis.firstStage)).toBe(true);
    expect(await page.evaluate(() => globalThis.connection.stage.ownSlot())).toBe(slot);
    const statistics = await page.evaluate(() => globalThis.connection.stage.statistics(performance.now() / 1000));
    expect(statistics.desyncs).toBe(0);
    expect(statistics.malformed).toBe(0);
    expect(errors).toEqual([]);
});
