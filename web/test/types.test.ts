// SPDX-License-Identifier: MIT
// The packed package for a compiler: the examples of the docs with the oldest and the newest TypeScript that it is for,
// with and without the types of a browser, and mistakes that must not compile.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const here = mkdtempSync(join(tmpdir(), 'instep-types-'));
const examples = ['docs/page.md', 'web/packages/instep/README.md'].flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code], i) => ({ name: `${file.replaceAll(/\W/g, '_')}_${i}.ts`, code: code! })));

/** What the compiler says of these files; empty: nothing. */
function compile(compiler: string, files: string[], options: object): string {
    writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({
        compilerOptions: { target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', strict: true, noEmit: true, skipLibCheck: false, types: ['node'], ...options }, files,
    }));
    return spawnSync(process.execPath, [`${root}web/node_modules/${compiler}/bin/tsc`, '--project', here], { cwd: here, encoding: 'utf8' }).stdout;
}

beforeAll(() => {
    execFileSync(`${root}tools/page`, ['package'], { stdio: 'ignore' });
    mkdirSync(join(here, 'node_modules/@types'), { recursive: true });
    symlinkSync(`${root}web/packages/instep`, join(here, 'node_modules/instep'));
    symlinkSync(`${root}web/node_modules/@types/node`, join(here, 'node_modules/@types/node'));
    symlinkSync(`${root}web/node_modules/undici-types`, join(here, 'node_modules/undici-types'));
    writeFileSync(join(here, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(here, 'arena.d.ts'), execFileSync(`${root}build/release/instep`, ['types', 'arena']));
    for (const { name, code } of examples) writeFileSync(join(here, name), code);
    writeFileSync(join(here, 'mistakes.ts'), `
        import type { Connection, LocalStage } from 'instep';
        import type { Arena } from './arena.js';
        export function mistakes(room: Connection<Arena>, match: LocalStage<Arena>) {
            const x: number = room.state.players[0]!.ship.position.x;
            room.state.crates;
            room.entities('crates');
            room.state.players[0]!.ship.positon;
            const text: string = match.entities('rocks')[0]!.flight.angle;
            room.onEvent('exploded', () => {});
            room.onEvent('hit', ({ kind }) => { const other: 'joined' = kind; return other; });
            match.state.head.tick = 7;
            return [x, text];
        }`);
}, 240_000);

describe.each(['typescript-oldest', 'typescript-newest'])('%s', (compiler) => {
    it('compiles the examples', { timeout: 240_000 }, () => {
        expect(examples.length).toBeGreaterThan(6);
        expect(compile(compiler, examples.map(({ name }) => name), { lib: ['ES2022', 'DOM', 'DOM.Iterable'], skipLibCheck: true })).toBe('');
    });
    it('finds mistakes in the names and types of fields', { timeout: 240_000 }, () => {
        const lines = [...compile(compiler, ['mistakes.ts'], { lib: ['ES2022', 'DOM'], skipLibCheck: true }).matchAll(/mistakes\.ts\((\d+),/g)].map(([, line]) => Number(line));
        expect([...new Set(lines)]).toEqual([6, 7, 8, 9, 10, 11, 12]);
    });
    it('needs no types of a browser', { timeout: 240_000 }, () => {
        writeFileSync(join(here, 'bare.ts'), `import { connect, load } from 'instep';\nexport { connect, load };\n`);
        expect(compile(compiler, ['bare.ts'], { lib: ['ES2022'], types: [] })).toBe('');
    });
});
