// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Held, load, ShapeKind, statisticNames, type Pad } from 'instep';

const root = new URL('../../', import.meta.url);
const instep = await load(new Uint8Array(readFileSync(new URL('build/wasm/instep.wasm', root))));
const still: Pad = { x: 0, y: 0, pointerX: 0, pointerY: 0, held: 0 };

describe('worlds and levels', () => {
    it('has every level that is in the repository', () => {
        for (const world of instep.worlds()) {
            const files = readdirSync(new URL(`worlds/${world.name}/levels/`, root)).filter((file) => file.endsWith('.json'));
            expect([...world.levels].sort()).toEqual(files.map((file) => file.replace('.json', '')).sort());
            expect(world.summary).not.toBe('');
        }
    });
    it('describes a level with every rule', () => {
        const setup = instep.level('flail', 'pit').describe();
        expect(setup.world).toBe('flail');
        expect(setup.tick_rate).toBe(40);
        expect(setup.controls.map((control) => control.control)).toContain('aim');
        expect(setup.rules.length).toBeGreaterThan(5);
        for (const rule of setup.rules) expect(rule.path).not.toBe('');
    });
    it('reports what is wrong with a level', () => {
        expect(() => instep.level('nowhere', 'x')).toThrow(/nowhere/);
        expect(() => instep.levelFromJson('{"world": "flail", "name": "x", "rules": 7}')).toThrow(/rules/);
        expect(() => instep.levelFromJson('{')).toThrow(/expected/);
        expect(() => instep.openRecording(new Uint8Array(100))).toThrow(/not a recording|no recording/);
    });
});

describe('local match', () => {
    const worlds = instep.worlds();
    it.each(worlds.map((world) => [world.name, world.levels[0]!]))('plays and draws %s/%s', (world, level) => {
        const match = instep.level(world, level).openLocal(1, 3);
        match.setPad({ ...still, x: 1, held: Held.first });
        for (let frame = 0; frame < 30; ++frame) match.advance(frame / 60);
        const list = match.draw();
        expect(list.length).toBeGreaterThan(0);
        for (let i = 0; i < list.length; ++i) {
            expect(list.kind(i)).toBeLessThanOrEqual(ShapeKind.label);
            for (const coordinate of list.points(i)) expect(Number.isFinite(coordinate)).toBe(true);
            if (list.kind(i) === ShapeKind.label) expect(list.text(i)).not.toBe('');
        }
        expect(match.players()[0]).toHaveProperty('name');
        match.close();
    });
    it('reaches the same hash again, and after a rewind', () => {
        const play = () => {
            const match = instep.level('arena', 'belt').openLocal(5, 4);
            match.setSpeed(0);
            match.step(300);
            return match;
        };
        const [first, second] = [play(), play()];
        expect(first.hash()).toBe(second.hash());
        first.rewind(2);
        expect(first.hash()).not.toBe(second.hash());
        first.step(120);
        expect(first.hash()).toBe(second.hash());
        first.close();
        second.close();
    });
    it('can be edited, and refuses illegal edits', () => {
        const match = instep.level('bounce', 'box').openLocal(5, 2);
        match.setSpeed(0);
        match.advance(0);
        const [lowX, lowY, highX, highY] = match.describe().view;
        const middle = [(lowX + highX) / 2, (lowY + highY) / 2] as const;
        const ball = match.findEntity(...middle, 1e6)!;
        expect(ball.pool).toBe('balls');
        match.move(ball, ...middle);
        match.advance(0.01);
        expect(match.readEntity(ball)!.fields['position']).toEqual({ x: middle[0], y: middle[1] });
        expect(() => match.move(ball, NaN, 0)).toThrow();
        expect(() => match.move(ball, 0, -Infinity)).toThrow();
        expect(match.readEntity(ball)!.fields['position']).toEqual({ x: middle[0], y: middle[1] });
        match.close();
    });
    it('goes on with changed rules', () => {
        const level = JSON.parse(instep.levelText('orbit', 'belt')) as Record<string, unknown>;
        const match = instep.level('orbit', 'belt').openLocal(1, 2);
        match.changeRules(instep.levelFromJson(JSON.stringify({ ...level, rules: 'faithful' })));
        expect(() => match.changeRules(instep.level('flail', 'pit'))).toThrow(/restart/);
        match.close();
    });
});

describe('statistics', () => {
    it('have the names that the types declare', () => {
        const room = instep.level('bounce', 'box').openRemote();
        expect(Object.keys(room.statistics(0))).toEqual([...statisticNames]);
        room.close();
    });
});

describe('closed stage', () => {
    it('returns empty results', () => {
        const match = instep.level('bounce', 'box').openLocal(1, 1);
        match.close();
        match.advance(1);
        expect(match.draw().length).toBe(0);
        expect(match.players()).toEqual([]);
        expect(match.takeEvents()).toEqual([]);
        expect(match.ownPosition()).toBeNull();
    });
});

describe('npm package', () => {
    it('installs and runs the example of its README', { timeout: 120_000 }, () => {
        const folder = new URL('web/packages/instep/', root).pathname;
        const here = mkdtempSync(join(tmpdir(), 'instep-'));
        const npm = (cwd: string, ...words: string[]) => execFileSync('npm', [...words, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
        npm(folder, 'pack', '--pack-destination', here);
        writeFileSync(join(here, 'package.json'), '{ "private": true, "type": "module" }');
        npm(here, 'install', '--offline', './instep-0.1.0.tgz');
        const example = /in Node or a page:\s+```ts\n(.*?)```/s.exec(readFileSync(join(folder, 'README.md'), 'utf8'))![1]!;
        writeFileSync(join(here, 'example.js'), example);
        expect(execFileSync(process.execPath, ['example.js'], { cwd: here, encoding: 'utf8' })).toMatch(/^[0-9a-f]{16}\n$/);
    });
});

describe('invalid arguments', () => {
    it('are refused and change nothing', () => {
        const level = instep.level('bounce', 'box');
        const match = level.openLocal(1, 2);
        match.setSpeed(1);
        match.advance(NaN);
        match.advance(0);
        match.advance(0.2);
        expect(match.totals().tick).toBeGreaterThan(5);
        expect(() => match.step(-1)).toThrow(/not a number of ticks/);
        expect(() => level.openLocal(0.5, 1)).toThrow(/not a seed/);
        level.unload();
        level.unload();
        expect(() => level.describe()).toThrow(/no such level/);
        match.close();
        expect(() => match.describe()).toThrow(/no such stage/);
    });
});
