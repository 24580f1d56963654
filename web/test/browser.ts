// SPDX-License-Identifier: MIT
// The real server with the built page, and a real browser.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Connection } from 'instep';

const root = new URL('../../', import.meta.url).pathname;

export interface Site {
    url: string;
    stop(): Promise<void>;
}

export const serve = (...settings: string[]) => serveAt(0, ...settings);

/** At a port of 0, any free one. */
export async function serveAt(port: number, ...settings: string[]): Promise<Site> {
    const page = settings.includes('--page') ? [] : ['--page', `${root}build/page`];
    const program: ChildProcess = spawn(`${root}build/release/instep`, ['serve', '--port', String(port), ...page, ...settings]);
    let log = '';
    program.stderr!.on('data', (text: Buffer) => (log += text.toString()));
    const url = await new Promise<string>((resolve, reject) => {
        program.stdout!.on('data', (text: Buffer) => {
            const found = /https?:\/\/\S+/.exec(text.toString());
            if (found) resolve(found[0]);
        });
        program.on('exit', () => reject(new Error(`instep serve ended: ${log}`)));
    });
    return {
        url,
        async stop() {
            program.kill('SIGTERM');
            if (program.exitCode === null) await once(program, 'exit');
        },
    };
}

export async function launch(...more: string[]): Promise<Browser> {
    return chromium.launch({
        executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...more],
    });
}

/** Opens a page and collects its errors; tests expect none. */
export async function watch(context: BrowserContext, site: Site, hash: string): Promise<{ page: Page; errors: string[] }> {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
    await page.goto(`${site.url}/${hash}`);
    await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'yes', undefined, { timeout: 30_000 });
    return { page, errors };
}

/** Large for the pictures of the docs; otherwise small, because software rendering is slow. */
const usualSize = process.env['INSTEP_KEEP_IMAGES'] === '1' ? { width: 1280, height: 800 } : { width: 960, height: 600 };

export async function open(browser: Browser, site: Site, hash: string, size = usualSize): Promise<{ page: Page; errors: string[] }> {
    return watch(await browser.newContext({ viewport: size, colorScheme: 'dark' }), site, hash);
}

export const joined = (page: Page) => page.waitForFunction(
    () => ((globalThis as { connection?: Connection }).connection?.stage.ownSlot() ?? null) !== null, undefined, { timeout: 20_000 });
