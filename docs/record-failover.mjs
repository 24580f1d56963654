// SPDX-License-Identifier: MIT
// For tools/record-failover: plays a room of arena in Chromium, kills the room's server after a few seconds, and writes what
// the page showed as an animated WebP, in real time.
//   node docs/record-failover.mjs URL REDIS_PORT OUTPUT PORT=PID...
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [url, redis, output, ...servers] = process.argv.slice(2);
const pids = new Map(servers.map((text) => text.split('=').map(Number)));
const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('playwright-core');
const size = { width: 640, height: 400 };
const frameMs = 125;
const [secondsBefore, secondsAfter] = [3, 7];

/** The frames of still WebPs in one file (RIFF: VP8X, ANIM, one ANMF for each). */
function animate(frames, { width, height }) {
    const chunk = (name, content) => Buffer.concat([
        Buffer.from(name, 'latin1'), u32(content.length), content, Buffer.alloc(content.length % 2)]);
    const u32 = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(value); return bytes; };
    const u24 = (value) => u32(value).subarray(0, 3);
    const box = Buffer.concat([u24(width - 1), u24(height - 1)]);
    const picture = (still) => { // its VP8 or VP8L chunk
        for (let at = 12; at < still.length;) {
            const length = still.readUInt32LE(at + 4);
            if (/^VP8[ L]$/.test(still.toString('latin1', at, at + 4))) return still.subarray(at, at + 8 + length + length % 2);
            at += 8 + length + length % 2;
        }
        throw new Error('a frame is no WebP');
    };
    const body = Buffer.concat([
        Buffer.from('WEBP', 'latin1'),
        chunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), box])), // animated
        chunk('ANIM', Buffer.from([0, 0, 0, 255, 0, 0])), // over black, for ever
        ...frames.map(({ still, ms }) => chunk('ANMF', Buffer.concat([u24(0), u24(0), box, u24(ms), Buffer.from([2]), picture(still)]))),
    ]);
    return Buffer.concat([Buffer.from('RIFF', 'latin1'), u32(body.length), body]);
}

const lease = (field) => execFileSync('redis-cli', ['-p', redis, 'hget', 'instep:{ours}:lease', field], { encoding: 'utf8' }).trim();
const owner = () => Number(lease('address').split(':').at(-1));

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
    const context = await browser.newContext({ viewport: size, colorScheme: 'dark' });
    const page = await context.newPage();
    await page.goto(`${url}/#/play/arena/belt?room=ours`);
    await page.waitForFunction(() => (globalThis.connection?.stage.ownSlot() ?? null) !== null, undefined, { timeout: 60_000 });
    await page.evaluate(() => {
        const caption = document.createElement('p');
        caption.id = 'caption';
        Object.assign(caption.style, { position: 'fixed', bottom: '8px', left: '0', right: '0', margin: '0', textAlign: 'center', font: '600 15px monospace',
            color: 'white', textShadow: '0 0 4px black, 0 0 4px black', zIndex: 99, pointerEvents: 'none' });
        document.body.append(caption);
    });
    await page.keyboard.down('KeyW'); // it plays
    const slot = await page.evaluate(() => globalThis.connection.stage.ownSlot());
    const devtools = await context.newCDPSession(page);
    const frames = [];
    const first = owner();
    let killedAt = 0;
    let backAt = 0;
    const began = Date.now();
    for (let last = began; Date.now() - began < (secondsBefore + secondsAfter) * 1000;) {
        if (!killedAt && Date.now() - began > secondsBefore * 1000) {
            process.kill(pids.get(first), 'SIGKILL');
            killedAt = Date.now();
        }
        const now = killedAt ? owner() : first;
        await page.evaluate(([first, now, killed]) => {
            const tick = globalThis.connection.stage.statistics(performance.now() / 1000).snapshot_tick;
            document.getElementById('caption').textContent = !killed ? `server :${first}, tick ${tick}`
                : now === first ? `kill -9 of :${first}, tick ${tick}` : `now at :${now}, tick ${tick}`;
        }, [first, now, killedAt > 0]);
        if (killedAt && !backAt && now !== first && await page.evaluate(() => globalThis.connection.status.kind === 'open')) backAt = Date.now();
        const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 45 });
        await new Promise((done) => setTimeout(done, Math.max(0, last + frameMs - Date.now())));
        frames.push({ still: Buffer.from(data, 'base64'), ms: Date.now() - last });
        last = Date.now();
    }
    const slotAfter = await page.evaluate(() => globalThis.connection.stage.ownSlot());
    if (owner() === first || !backAt) throw new Error('the match did not go on');
    if (slotAfter !== slot) throw new Error(`another player: slot ${slotAfter} instead of ${slot}`);
    writeFileSync(output, animate(frames, size));
    console.log(`${frames.length} frames; the page played again ${((backAt - killedAt) / 1000).toFixed(1)} s after the kill`);
} finally {
    await browser.close();
}
