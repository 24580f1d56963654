// SPDX-License-Identifier: MIT
import { expect, it } from 'vitest';
import { mayFollow } from './connect.js';

it('a client that plays over TLS does not follow its room to a server without it', () => {
    expect(mayFollow('ws://a.example', 'ws://b.example:81')).toBe(true);
    expect(mayFollow('ws://a.example', 'wss://b.example')).toBe(true);
    expect(mayFollow('wss://a.example', 'wss://b.example')).toBe(true);
    expect(mayFollow('wss://a.example', 'ws://b.example')).toBe(false);
    expect(mayFollow('https://a.example', 'ws://b.example')).toBe(false);
    expect(mayFollow('ws://a.example', 'http://b.example')).toBe(false);
});
