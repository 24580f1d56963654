// SPDX-License-Identifier: MIT
// How bounce is named in the page; it needs no decoration.

import type { Look } from '../../web/src/look.js';

export default { title: 'Bounce', level: 'box', order: 1 } satisfies Look;
