// SPDX-License-Identifier: MIT
// How flail looks in the page: a grid, and discs in a player's colour leave a trail.

import type { Kit, Look } from '../../web/src/look.js';
import type { Theme } from '../../web/src/themes/theme.js';

export default {
    title: 'Flail',
    level: 'pit',
    theme({ playerColors, Trails }: Kit): Theme {
        const trails = new Trails(0.22, 46, 12_000);
        const isPlayer = new Set(playerColors);
        return {
            background: 0x12101c,
            height: 2100,
            under(graphics, frame) {
                const [step, { camera, middle }] = [250, frame];
                const [wide, tall] = [frame.width / camera.scale / 2, frame.height / camera.scale / 2];
                for (let x = Math.ceil((middle.x - wide) / step) * step; x < middle.x + wide; x += step)
                    graphics.moveTo(x, middle.y - tall).lineTo(x, middle.y + tall);
                for (let y = Math.ceil((middle.y - tall) / step) * step; y < middle.y + tall; y += step)
                    graphics.moveTo(middle.x - wide, y).lineTo(middle.x + wide, y);
                graphics.stroke({ color: 0x312e4a, alpha: 0.6, width: 1.5 / camera.scale });
                trails.draw(graphics, frame.now, (key) => Number(key.split(':')[1]));
            },
            disc(_graphics, x, y, _radius, color, index, frame) {
                if (isPlayer.has(color)) trails.add(`${index}:${color}`, x, y, frame.now);
            },
        };
    },
} satisfies Look;
