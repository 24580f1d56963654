// SPDX-License-Identifier: MIT
// How arena looks in the page: stars, and a trail of the own ship.

import type { Kit, Look } from '../../web/src/look.js';
import type { Theme } from '../../web/src/themes/theme.js';

export default {
    title: 'Arena',
    level: 'belt',
    theme({ playerColor, stars, Trails }: Kit): Theme {
        const trails = new Trails(1.6, 0.35, 300);
        return {
            background: 0x070b18,
            height: 48,
            under(graphics, frame) {
                stars(graphics, frame, 220);
                if (frame.own) trails.add('own', frame.own.x, frame.own.y, frame.now);
                trails.draw(graphics, frame.now, () => playerColor(frame.own?.slot ?? 0));
            },
        };
    },
} satisfies Look;
