// SPDX-License-Identifier: MIT
// How creature looks in the page: a dotted ground, against which planted feet can be seen.

import type { Look } from '../../web/src/look.js';
import type { Theme } from '../../web/src/themes/theme.js';

export default {
    title: 'Creatures',
    level: 'garden',
    theme(): Theme {
        return {
            background: 0x10180f,
            height: 900,
            under(graphics, { camera, middle, width, height }) {
                const step = 60;
                const [wide, tall] = [width / camera.scale / 2 + step, height / camera.scale / 2 + step];
                for (let x = Math.floor((middle.x - wide) / step); x <= (middle.x + wide) / step; ++x)
                    for (let y = Math.floor((middle.y - tall) / step); y <= (middle.y + tall) / step; ++y)
                        graphics.rect(x * step + ((y & 1) * step) / 2 - 1.5, y * step - 1.5, 3, 3); // a circle costs ten times as many triangles
                graphics.fill({ color: 0x3f5a3a, alpha: 0.7 });
            },
        };
    },
} satisfies Look;
