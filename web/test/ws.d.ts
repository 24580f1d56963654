// SPDX-License-Identifier: MIT
// The part of the package ws that tests use.
declare module 'ws' {
    export class WebSocket {
        constructor(url: string, options?: { origin?: string });
    }
}
