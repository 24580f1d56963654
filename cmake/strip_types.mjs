// SPDX-License-Identifier: MIT
// node strip_types.mjs look.ts look.js: TypeScript whose types can be erased, as JavaScript.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as module from 'node:module';
import { dirname } from 'node:path';

const [from, to] = process.argv.slice(2);
mkdirSync(dirname(to), { recursive: true });
writeFileSync(to, module.stripTypeScriptTypes(readFileSync(from, 'utf8')));
