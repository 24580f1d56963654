// SPDX-License-Identifier: MIT
// A person who edits a game and plays it: `NAME dev`, and a page in Chromium that stays in its room while the source changes.
//   node dev_page.mjs GAME_FOLDER PROGRAM          PROGRAM: the game's, of the template `tag`
// Prints how long each change took; exits with 1 and a sentence if something is not as it should be.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const [folder, program] = process.argv.slice(2);
const source = `${folder}/${program.split('/').at(-1)}.cpp`;
const patience = 240_000; // ms: machines under load compile slowly

const dev = spawn(program, ['dev', '--port', '0', '--bots', '2']);
let said = '';
dev.stderr.on('data', (text) => { said += text; });
const url = await new Promise((resolve, reject) => {
    dev.stdout.on('data', (text) => resolve(/http:\S+/.exec(String(text))[0]));
    dev.on('exit', () => reject(new Error(`dev ended: ${said}`)));
});
const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const end = async (code) => {
    await browser.close();
    dev.kill('SIGINT');
    if (dev.exitCode === null) await once(dev, 'exit');
    if (code === 0 && dev.exitCode !== 0) code = 1;
    process.exit(code);
};
const require = (condition, sentence) => {
    if (!condition) throw new Error(sentence);
};
const edit = (...replacements) => {
    let text = readFileSync(source, 'utf8');
    for (const [from, to] of replacements) {
        require(text.split(from).length === 2, `the template has no single "${from}"`);
        text = text.replace(from, to);
    }
    writeFileSync(source, text);
    return performance.now();
};

try {
    const page = await browser.newPage({ viewport: { width: 480, height: 320 } });
    const world = source.split('/').at(-1).replace('.cpp', '');
    await page.goto(`${url}/#/play/${world}/yard?room=ours`);
    // In the room, with a build whose runners have this speed; the page may be loading meanwhile.
    const plays = async (speed) => {
        await page.waitForFunction((wanted) => {
            const { connection } = globalThis;
            const rule = connection?.stage.describe().rules.find(({ path }) => path === 'speed');
            return rule?.value === wanted && connection.stage.ownSlot() !== null && connection.status.kind === 'open';
        }, speed, { timeout: patience });
        return page.evaluate(() => globalThis.connection.stage.ownSlot());
    };
    const room = async () => (await fetch(`${url}/api/rooms/ours`)).json();
    const slot = await plays(45);
    const before = await room();

    // A rule and the layout of a body: the state is carried over by the names of its fields.
    let saved = edit(['double speed = 45;', 'double speed = 90;'],
        ['    double radius = 1;\n', '    double radius = 1;\n    double stamina = 1;\n'],
        ['field("owner", &Body::owner)', 'field("stamina", &Body::stamina, {.low = 0, .high = 1}), field("owner", &Body::owner)']);
    const same = await plays(90);
    console.log(`an edit was played after ${((performance.now() - saved) / 1000).toFixed(1)} s, at a load of ${loadavg()[0].toFixed(1)}`);
    require(same === slot, `the player was in slot ${slot}, and is in ${same}`);
    const after = await room();
    require(after.players === 1, `${after.players} people are in the room, expected 1`);
    require(after.tick > before.tick, `the room began anew: tick ${before.tick}, then ${after.tick}`);
    require(after.fingerprint !== before.fingerprint, 'the room plays the old rules');

    // What does not compile is shown, and the game goes on.
    saved = edit(['double speed = 90;', 'double speed = "fast";']);
    await page.waitForFunction(() => /error/.test(document.querySelector('.build-error:not([hidden])')?.textContent ?? ''), undefined, { timeout: patience });
    console.log(`an error was shown after ${((performance.now() - saved) / 1000).toFixed(1)} s`);
    require(/error:/.test(said), `the terminal has no error: ${said}`);
    const broken = await room();
    require(broken.players === 1 && broken.tick > after.tick, 'the room stands still');

    // A world that does not start is shown too.
    edit(['double speed = "fast";', 'double speed = 90;'], ['.position = &Body::position, .owner = &Body::owner,', '.position = &Body::position,'],
        ['{.owner = &Player::slot}', '{}']);
    await page.waitForFunction(() => /belongs to a player/.test(document.querySelector('.build-error:not([hidden])')?.textContent ?? ''), undefined, { timeout: patience });

    edit(['double speed = 90;', 'double speed = 60;'], ['.position = &Body::position,', '.position = &Body::position, .owner = &Body::owner,'],
        ['return 16u; },\n                                    {}', 'return 16u; },\n                                    {.owner = &Player::slot}']);
    require(await plays(60) === slot, 'the player has lost its slot after an error');
    require(await page.evaluate(() => document.querySelector('.build-error').hidden), 'the error is still shown');
    await end(0);
} catch (error) {
    console.error(`${error.message}\n--- dev said ---\n${said}`);
    await end(1);
}
