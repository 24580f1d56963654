// SPDX-License-Identifier: MIT
// How foothold looks in the page: a sky that is lighter towards the ground, and hills with parallax.

import type { Look } from '../../web/src/look.js';
import type { Theme } from '../../web/src/themes/theme.js';

export default {
    title: 'Foothold',
    level: 'town',
    theme(): Theme {
        return {
            background: 0x0f1b33,
            height: 760,
            under(graphics, { camera, middle, width, height }) {
                const [wide, tall] = [width / camera.scale, height / camera.scale];
                const [left, top] = [middle.x - wide / 2, middle.y - tall / 2];
                for (let band = 0; band < 8; ++band)
                    graphics.rect(left, top + (tall * band) / 8, wide, tall / 8 + 1).fill({ color: 0x1e3a5f, alpha: 0.06 * band });
                for (const [depth, color, size] of [[0.25, 0x1b2b4b, 0.42], [0.5, 0x22365c, 0.28]] as const) {
                    graphics.moveTo(left, top + tall);
                    for (let i = 0; i <= 48; ++i) {
                        const x = left + (wide * i) / 48;
                        const along = (x - middle.x * (1 - depth)) / 260;
                        const hill = Math.sin(along) * 0.5 + Math.sin(along * 2.3 + 1) * 0.3 + Math.sin(along * 0.31) * 0.6;
                        graphics.lineTo(x, top + tall * (1 - size * (0.55 + 0.3 * hill)));
                    }
                    graphics.lineTo(left + wide, top + tall).fill({ color });
                }
            },
        };
    },
} satisfies Look;
