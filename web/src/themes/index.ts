// SPDX-License-Identifier: MIT
// The themes of the worlds. A world that is not listed gets the plain one.

import { glow, stars, Trails, type Theme } from './theme.js';

const playerColors = [
    0x60a5fa, 0xfb923c, 0x4ade80, 0xe879f9, 0xfde047, 0x2dd4bf, 0xf87171, 0xa78bfa, 0xa3e635, 0xf472b6, 0x7dd3fc, 0xd97706,
];
export function playerColor(slot: number): number {
    return playerColors[slot % playerColors.length]!;
}
const isPlayer = new Set(playerColors);

function space(height: number, trailWidth: number, mostSpeed: number): Theme {
    const trails = new Trails(1.6, trailWidth, mostSpeed);
    return {
        background: 0x070b18,
        height,
        under(graphics, frame) {
            stars(graphics, frame, 220);
            if (frame.own) trails.add('own', frame.own.x, frame.own.y, frame.now);
            trails.draw(graphics, frame.now, () => playerColor(frame.own?.slot ?? 0));
        },
    };
}

/** A pulsing glow around the sun. */
function orbit(): Theme {
    const base = space(1500, 1.2, 600);
    return {
        ...base,
        roams: true,
        disc(graphics, x, y, radius, color, _index, frame) {
            if (color !== 0xfffbeb) return;
            const pulse = 1 + 0.04 * Math.sin(frame.now * 1.7);
            glow(graphics, x, y, radius * 9 * pulse, 0xfb923c, 0.35);
            glow(graphics, x, y, radius * 4 * pulse, 0xfef08a, 0.5);
        },
    };
}

/** Discs in a player's colour leave a trail. */
function flail(): Theme {
    const trails = new Trails(0.22, 46, 12_000);
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
}

/** A dotted ground, against which planted feet can be seen. */
const creature: Theme = {
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

/** A sky that is lighter towards the ground, and hills with parallax. */
const foothold: Theme = {
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

const plain: Theme = { background: 0x0b1020, height: 0 };

const makers: Record<string, () => Theme> = {
    orbit, flail, arena: () => space(48, 0.35, 300), creature: () => creature, foothold: () => foothold,
};
export function themeOf(world: string): Theme {
    return makers[world]?.() ?? plain;
}
