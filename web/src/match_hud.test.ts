// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { clockText, gaugesOf, resultText } from './match_hud.js';
import { numberOf } from './sparks.js';

describe('gauges', () => {
    const most = new Map([['health', 100], ['heat', 50], ['players', 16]]);
    it('are the fields that a rule limits', () => {
        expect(gaugesOf({ health: 80, heat: 10, score: 3 }, most).map(({ name, part }) => [name, part])).toEqual([['health', 0.8], ['heat', 0.2]]);
    });
    it('warn of little health, of much heat, and of being overheated', () => {
        const warnings = (player: Record<string, unknown>) => gaugesOf(player, most).filter(({ isWarning }) => isWarning).map(({ name }) => name);
        expect(warnings({ health: 80, heat: 10 })).toEqual([]);
        expect(warnings({ health: 20, heat: 45 })).toEqual(['health', 'heat']);
        expect(warnings({ health: 80, heat: 10, overheated: true })).toEqual(['overheated']);
    });
});
describe('the end of a match', () => {
    const players = [{ slot: 3, name: 'Ada', score: 9 }, { slot: 1, name: 'Bob', score: 4 }];
    it('names the winner, by the head or by the scores', () => {
        expect(resultText({ winner: 1 }, players)).toBe('Bob wins');
        expect(resultText({}, players)).toBe('Ada wins');
        expect(resultText({ winner: 255 }, players.map((player) => ({ ...player, score: 4 })))).toBe('A draw');
        expect(resultText({}, [])).toBe('The match is over');
        expect(resultText({ winner: 255, won: false }, players, true)).toBe('All lost together');
        expect(resultText({ winner: 255, won: true }, players, true)).toBe('All won together');
    });
    it('is counted down in minutes and seconds', () => {
        expect([299.1, 60, 59.2, 0.4].map(clockText)).toEqual(['5:00', '1:00', '1:00', '0:01']);
    });
});
describe('numbers of events', () => {
    it('show what was taken and what was won', () => {
        expect(numberOf({ kind: 'hit', amount: 23.75 }, 'hurt')).toBe('−24');
        expect(numberOf({ kind: 'collected', points: 5 }, 'good')).toBe('+5');
        expect(numberOf({ kind: 'lost', points: -2 }, 'hurt')).toBe('−2');
        expect(numberOf({ kind: 'died', amount: 0 }, 'grave')).toBe('');
        expect(numberOf({ kind: 'died' }, 'grave')).toBe('');
    });
});
