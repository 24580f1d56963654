// SPDX-License-Identifier: MIT
// How long a client waits before it connects again. The pauses double, and each has jitter: clients that lost their server
// at the same moment must not all come back at the same moment.

const first = 0.25; // s, on average
const longest = 8;
const takeOver = 0.2;

/** Seconds to wait before attempt 0, 1, ...; `random` is from 0 to 1. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
    return Math.min(first * 2 ** attempt, longest) * (0.5 + random());
}

/** Before it asks again for a room that another server takes over, which is done within two seconds. */
export function takeOverDelay(random: () => number = Math.random): number {
    return takeOver * (0.5 + random());
}
