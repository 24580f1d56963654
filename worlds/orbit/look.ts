// SPDX-License-Identifier: MIT
// How orbit looks in the page: stars, a trail, and a pulsing glow around the sun.

import type { Kit, Look } from '../../web/src/look.js';
import type { Theme } from '../../web/src/themes/theme.js';

export default {
    title: 'Orbit',
    level: 'belt',
    order: -1,
    theme({ glow, playerColor, stars, Trails }: Kit): Theme {
        const trails = new Trails(1.6, 1.2, 600);
        return {
            background: 0x070b18,
            height: 1500,
            roams: true,
            under(graphics, frame) {
                stars(graphics, frame, 220);
                if (frame.own) trails.add('own', frame.own.x, frame.own.y, frame.now);
                trails.draw(graphics, frame.now, () => playerColor(frame.own?.slot ?? 0));
            },
            disc(graphics, x, y, radius, color, _index, frame) {
                if (color !== 0xfffbeb) return;
                const pulse = 1 + 0.04 * Math.sin(frame.now * 1.7);
                glow(graphics, x, y, radius * 9 * pulse, 0xfb923c, 0.35);
                glow(graphics, x, y, radius * 4 * pulse, 0xfef08a, 0.5);
            },
        };
    },
} satisfies Look;
