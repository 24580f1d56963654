// SPDX-License-Identifier: MIT
// A game that is being edited (`NAME dev`): its server says which build it plays, and what is wrong with the next one. A
// new build reloads the page, which goes on in the same room as the same player. On any other server nothing is asked.

import { h } from './dom.js';

const askEvery = 500; // ms
const ticketKey = 'instep-ticket';

interface BuildStatus {
    build: string;
    /** What the compiler said; empty: nothing is wrong. */
    message: string;
}

/** `build`: of this page, from the server's header. `ticket`: of the room that is played, or ''. */
export function watchBuild(build: string, ticket: () => string): void {
    const text = h('pre', {});
    const panel = h('section', { className: 'build-error', role: 'alert', hidden: true }, h('h1', {}, 'The change does not play yet'), text);
    document.body.append(panel);
    const ask = async () => {
        const answer = await fetch('./api/build', { cache: 'no-store' }).catch(() => null); // between two servers: asks again
        const status = answer?.ok ? ((await answer.json()) as BuildStatus) : null;
        if (status && status.build !== build) return reload(ticket());
        if (status) {
            text.textContent = status.message;
            panel.hidden = !status.message;
        }
        setTimeout(() => void ask(), askEvery);
    };
    void ask();
}

function reload(ticket: string): void {
    try {
        if (ticket) sessionStorage.setItem(ticketKey, ticket);
    } catch {
        // without storage the page joins again
    }
    location.reload();
}

/** The ticket of the room that was played before the reload, once. */
export function takeTicket(): string {
    try {
        const ticket = sessionStorage.getItem(ticketKey) ?? '';
        sessionStorage.removeItem(ticketKey);
        return ticket;
    } catch {
        return '';
    }
}
