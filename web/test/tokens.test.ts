// SPDX-License-Identifier: MIT
// Servers that require tokens: the page, and the package with a plan of its own, lose connections and get their players
// back. A token is good once, so a client that showed it again would be refused.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, ConnectionPlan, ConnectionStatus, Instep } from 'instep';
import { joined, launch, open, serve, serveAt, type Site } from './browser.js';

declare global {
    // eslint-disable-next-line no-var
    var connection: Connection;
    // eslint-disable-next-line no-var
    var instep: Instep;
    // eslint-disable-next-line no-var
    var connect: (instep: Instep, plan: ConnectionPlan) => Connection;
    // eslint-disable-next-line no-var
    var makeToken: () => Promise<string>;
    // eslint-disable-next-line no-var
    var states: ConnectionStatus[];
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
                const previous = connection.onstatus;
                const seen: string[] = [];
                connection.onstatus = (state) => {
                    previous(state);
                    seen.push(state.kind);
                    if (state.kind === 'open' || state.kind === 'refused') {
                        connection.onstatus = previous;
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
    let browser: Browser;
    beforeAll(async () => {
        browser = await launch();
    });
    afterAll(() => browser?.close());

    /** In a page of this server: connects with a function for tokens, or with one token. Returns how the test waits for a
     *  state and reads its reason. */
    async function play(site: Site, makeToken: (() => string) | string) {
        const { page } = await open(browser, site, '');
        if (typeof makeToken === 'function') await page.exposeFunction('makeToken', makeToken);
        await page.evaluate((text) => {
            globalThis.states = [];
            const url = location.origin.replace('http', 'ws');
            globalThis.connection = globalThis.connect(globalThis.instep, { url, world: 'bounce', level: 'box', name: 'Ann', token: text ?? globalThis.makeToken });
            globalThis.connection.onstatus = (state) => globalThis.states.push(state);
        }, typeof makeToken === 'string' ? makeToken : undefined);
        const reaches = async (kind: ConnectionStatus['kind']) => {
            await page.waitForFunction((wanted) => globalThis.states.at(-1)?.kind === wanted, kind, { timeout: 100_000 });
            return page.evaluate(() => globalThis.states.map((state) => ('why' in state ? `${state.kind}: ${state.why}` : state.kind)));
        };
        /** Closes the connection and waits until it is open again, or refused. */
        const drop = async (kind: ConnectionStatus['kind']) => {
            await page.evaluate(() => {
                globalThis.states = [];
                globalThis.connection.dropConnection();
            });
            return reaches(kind);
        };
        return { page, reaches, drop };
    }

    it('asks a function for a token for each join, and not to resume', { timeout: 240_000 }, async () => {
        let site = await serve('--secret', secret, '--idle-ms', '240000');
        try {
            let asked = 0;
            const { page, reaches, drop } = await play(site, () => {
                if (++asked === 1) throw new Error('the service is down');
                return token();
            });
            expect((await reaches('open'))[0]).toMatch(/^lost: no token: .*the service is down/); // and tried again
            expect(asked).toBe(2);
            await drop('open');
            expect(asked).toBe(2);

            // A new process knows neither the seat nor what was used before: a new token joins again.
            await page.evaluate(() => (globalThis.states = []));
            await site.stop();
            site = await serveAt(Number(new URL(site.url).port), '--secret', secret, '--idle-ms', '240000');
            const states = await reaches('open');
            expect(states.some((state) => state.startsWith('lost: ticket_refused'))).toBe(true);
            expect(asked).toBe(3);
        } finally {
            await site.stop();
        }
    });

    it('is refused for good when the seat is gone and its only token was used', { timeout: 240_000 }, async () => {
        const site = await serve('--secret', secret, '--resume-ms', '0', '--idle-ms', '240000');
        try {
            const { reaches, drop } = await play(site, token());
            await reaches('open');
            expect((await drop('refused')).at(-1)).toMatch(/^refused: ticket_refused: your seat in room "ours" was given up/);
        } finally {
            await site.stop();
        }
    });
});
