// SPDX-License-Identifier: MIT
// Servers that require tokens: the page in a browser, and the package in Node, lose connections and get their players
// back. A token is good once, so a client that showed it again would be refused.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, load, type Connection, type ConnectionState } from 'instep';
import { joined, launch, open, serve, serveAt, type Site } from './browser.js';

declare global {
    // eslint-disable-next-line no-var
    var connection: Connection;
}

const root = new URL('../../', import.meta.url);
const secret = join(mkdtempSync(join(tmpdir(), 'instep-')), 'secret.txt');
writeFileSync(secret, `one ${'0123456789abcdef'.repeat(4)}\n`);
const token = (player = 'ann-0123456789ab') => execFileSync(`${root.pathname}build/release/instep`,
    ['token', '--secret', secret, '--room', 'ours', '--world', 'bounce', '--level', 'box', '--player', player], { encoding: 'utf8' }).trim();

describe('the page on a server that requires tokens', () => {
    let site: Site;
    let browser: Browser;
    beforeAll(async () => {
        [site, browser] = await Promise.all([serve('--secret', secret), launch()]);
    });
    afterAll(async () => {
        await browser?.close();
        await site?.stop();
    });

    it('reconnects to the same player, again and again', async () => {
        const other = await open(browser, site, `#/play/bounce/box?token=${token('bob-0123456789ab')}`);
        await joined(other.page);
        const { page, errors } = await open(browser, site, `#/play/bounce/box?token=${token()}`);
        await joined(page);
        const slot = await page.evaluate(() => globalThis.connection.stage.ownSlot());
        for (let i = 0; i < 3; ++i) {
            const states = await page.evaluate(() => new Promise<string[]>((resolve) => {
                const { connection } = globalThis;
                const previous = connection.onstate;
                const seen: string[] = [];
                connection.onstate = (state) => {
                    previous(state);
                    seen.push(state.kind);
                    if (state.kind === 'open' || state.kind === 'refused') {
                        connection.onstate = previous;
                        resolve(seen);
                    }
                };
                connection.dropConnection();
            }));
            expect(states).toEqual(['lost', 'open']);
            await joined(page);
            expect(await page.evaluate(() => globalThis.connection.stage.ownSlot())).toBe(slot);
        }
        expect((await page.evaluate(() => globalThis.connection.stage.players())).length).toBe(2);
        expect(errors).toEqual([]);
    });

    it('shows why a token is refused', async () => {
        const used = token('eve-0123456789ab');
        const first = await open(browser, site, `#/play/bounce/box?token=${used}`);
        await joined(first.page);
        const { page } = await open(browser, site, `#/play/bounce/box?token=${used}`);
        await page.waitForFunction(() => /token was used before/.test(document.querySelector('.link-state')!.textContent!));
    });
});

describe('the package on a server that requires tokens', () => {
    /** Resolves with the first state that fits. */
    const reaches = (room: Connection, fits: (state: ConnectionState) => boolean) => new Promise<ConnectionState>((resolve) => {
        room.onstate = (state) => {
            if (fits(state)) resolve(state);
        };
    });
    const plan = { world: 'bounce', level: 'box', name: 'Ann' };

    it('asks a function for a token for each join, and not to resume', { timeout: 120_000 }, async () => {
        const instep = await load(new Uint8Array(readFileSync(new URL('build/wasm/instep.wasm', root))));
        let site = await serve('--secret', secret);
        let asked = 0;
        const room = connect(instep, {
            ...plan,
            url: site.url.replace('http', 'ws'),
            token: async () => {
                if (++asked === 1) throw new Error('the service is down');
                return token();
            },
        });
        try {
            expect(await reaches(room, ({ kind }) => kind === 'lost')).toMatchObject({ reason: 'no token: the service is down' });
            await reaches(room, ({ kind }) => kind === 'open'); // tried again
            expect(asked).toBe(2);
            const resumed = reaches(room, ({ kind }) => kind === 'open');
            room.dropConnection();
            await resumed;
            expect(asked).toBe(2);

            // A new process knows neither the seat nor what was used before: a new token joins again.
            const joinedAgain = reaches(room, ({ kind }) => kind === 'open');
            const port = Number(new URL(site.url).port);
            await site.stop();
            site = await serveAt(port, '--secret', secret);
            await joinedAgain;
            expect(asked).toBe(3);
        } finally {
            room.close();
            await site.stop();
        }
    });

    it('is refused for good when the seat is gone and its only token was used', { timeout: 120_000 }, async () => {
        const instep = await load(new Uint8Array(readFileSync(new URL('build/wasm/instep.wasm', root))));
        const site = await serve('--secret', secret, '--resume-ms', '0');
        const room = connect(instep, { ...plan, url: site.url.replace('http', 'ws'), token: token() });
        try {
            await reaches(room, ({ kind }) => kind === 'open');
            const refused = reaches(room, ({ kind }) => kind === 'refused');
            room.dropConnection();
            expect((await refused as { reason: string }).reason).toMatch(/^ticket_refused: your seat in room "ours" was given up/);
        } finally {
            room.close();
            await site.stop();
        }
    });
});
