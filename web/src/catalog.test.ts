// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { isOriginal, titleOf } from './catalog.js';
import { inviteLink, isThisMachineOnly, roomName } from './invite.js';

describe('catalog', () => {
    it('takes a title from the description, or from the name', () => {
        expect(titleOf({ name: 'hockey', title: 'Air hockey' })).toBe('Air hockey');
        expect(titleOf({ name: 'hockey' })).toBe('Hockey');
    });
    it('marks levels with a document’s rules as original', () => {
        expect(isOriginal('{"rules": "faithful"}')).toBe(true);
        expect(isOriginal('{"rules": {"base": "faithful", "radius": 2}}')).toBe(true);
        expect(isOriginal('{"rules": "game"}')).toBe(false);
        expect(isOriginal('{"rules": {"base": "game", "gravity": 2}}')).toBe(false);
        expect(isOriginal('{}')).toBe(false);
    });
});

describe('invite', () => {
    it('names a room that cannot be guessed, with the letters that a server allows', () => {
        const names = Array.from({ length: 100 }, roomName);
        expect(new Set(names).size).toBe(100);
        for (const name of names) expect(name).toMatch(/^private-[a-z2-7]{16}$/); // 80 bits
    });
    it('links to the room', () => {
        expect(inviteLink('http://10.0.0.2:8080/', 'arena', 'belt', 'private-x')).toBe('http://10.0.0.2:8080/#/play/arena/belt?room=private-x');
    });
    it('says when no other machine can open the link', () => {
        for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]', 'page.localhost']) expect(isThisMachineOnly(host)).toBe(true);
        for (const host of ['10.0.0.2', 'example.org', '[2001:db8::1]', '12.70.0.1']) expect(isThisMachineOnly(host)).toBe(false);
    });
});
