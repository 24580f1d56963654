// SPDX-License-Identifier: MIT
// The real server with the built page, and a real browser to look at it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type Page } from 'playwright-core';

const root = new URL('../../', import.meta.url).pathname;

export interface Site {
    url: string;
    stop(): Promise<void>;
}

export async function serve(...settings: string[]): Promise<Site> {
    const program: ChildProcess = spawn(`${root}build/release/instep`, ['serve', '--port', '0', '--page', `${root}build/page`, ...settings]);
    let said = '';
    program.stderr!.on('data', (text: Buffer) => (said += text.toString()));
    const url = await new Promise<string>((resolve, reject) => {
        program.stdout!.on('data', (text: Buffer) => {
            const found = /https?:\/\/\S+/.exec(text.toString());
            if (found) resolve(found[0]);
        });
        program.on('exit', () => reject(new Error(`instep serve ended: ${said}`)));
    });
    return {
        url,
        async stop() {
            program.kill('SIGTERM');
            if (program.exitCode === null) await once(program, 'exit');
        },
    };
}

export async function launch(): Promise<Browser> {
    return chromium.launch({
        executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
}

/** A page whose errors are kept: a test that ends with one of them has failed. */
export async function open(browser: Browser, site: Site, hash: string, size = { width: 1280, height: 800 }): Promise<{ page: Page; errors: string[] }> {
    const context = await browser.newContext({ viewport: size, colorScheme: 'dark' });
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
