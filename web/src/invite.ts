// SPDX-License-Identifier: MIT
// An invitation into a private room: its link, copied and as a QR code. The room's name is its key; a server does not
// list rooms whose names begin with "private-".

import { h } from './dom.js';
import { icon } from './icons.js';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const quietZone = 3; // modules around the code
const codeSize = 220; // px

/** 80 random bits. */
export function roomName(): string {
    return `private-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte & 31]).join('')}`;
}
export function inviteLink(base: string, world: string, level: string, room: string): string {
    return `${base}#/play/${encodeURIComponent(world)}/${encodeURIComponent(level)}?room=${encodeURIComponent(room)}`;
}
export function isThisMachineOnly(hostname: string): boolean {
    return /^(.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}

async function drawCode(canvas: HTMLCanvasElement, text: string): Promise<void> {
    const { default: qrcode } = await import('qrcode-generator');
    const code = qrcode(0, 'M');
    code.addData(text);
    code.make();
    const modules = code.getModuleCount();
    const size = Math.max(Math.floor((codeSize * 2) / (modules + 2 * quietZone)), 1); // whole pixels, so that edges are sharp
    canvas.width = canvas.height = size * (modules + 2 * quietZone);
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#000';
    for (let row = 0; row < modules; ++row)
        for (let column = 0; column < modules; ++column)
            if (code.isDark(row, column)) context.fillRect((column + quietZone) * size, (row + quietZone) * size, size, size);
}

/** Shows the link and copies it. `enter` is for a room that the page is not in yet. */
export function showInvite(link: string, enter: (() => void) | null): void {
    const code = h('canvas', { className: 'code', role: 'img', 'aria-label': 'QR code of the link' });
    const address = h('input', { value: link, readOnly: true, 'aria-label': 'Link of the room', onfocus: () => address.select() });
    const status = h('p', { className: 'note', role: 'status' });
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(link); // only on https and on this machine
            status.textContent = 'The link is copied. Send it to a friend.';
        } catch {
            address.select();
            status.textContent = document.execCommand('copy') ? 'The link is copied. Send it to a friend.' : 'Copy the link and send it to a friend.';
        }
    };
    const dialog = h('dialog', { className: 'sheet invite', 'aria-labelledby': 'invite-title', onclose: () => dialog.remove() },
        h('h2', { id: 'invite-title' }, 'Play with a friend'),
        h('p', {}, 'Anyone with this link can enter the room. It is not listed.'),
        code,
        h('div', { className: 'row' }, address, h('button', { onclick: () => void copy() }, 'Copy')),
        status,
        isThisMachineOnly(location.hostname) && h('p', { className: 'note warning' },
            'This address works on this machine only. For phones, start the server with --address 0.0.0.0 and open the page by this machine’s address.'),
        h('div', { className: 'row end' },
            h('button', { onclick: () => dialog.close() }, icon('close'), 'Close'),
            enter && h('button', {
                className: 'primary', autofocus: true,
                onclick: () => {
                    dialog.close();
                    enter();
                },
            }, icon('play'), 'Enter the room')));
    document.body.append(dialog);
    dialog.showModal();
    void drawCode(code, link);
    void copy();
}
