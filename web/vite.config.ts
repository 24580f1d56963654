// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

export default defineConfig({
    base: './',
    resolve: { alias: { instep: new URL('packages/instep/src/index.ts', import.meta.url).pathname } }, // the page is built from its sources
    build: {
        outDir: '../build/web', // cmake/assemble_page.cmake adds a game's module and looks
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0, // a strict content security policy allows no data: addresses
        modulePreload: { polyfill: false },
    },
    test: {
        testTimeout: 60_000, // the page is drawn in software where there is no graphics card
        hookTimeout: 60_000,
        fileParallelism: false,
    },
});
