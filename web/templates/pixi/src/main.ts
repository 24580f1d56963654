// Arena with images of its own: a sprite for each ship, rock and shot. Arrow keys fly, the space bar fires.
import 'pixi.js/unsafe-eval'; // for pages whose content security policy forbids code from strings
import { Application, Container, Sprite, Texture } from 'pixi.js';
import { connect, Held, load } from 'instep';
import wasm from 'instep/instep.wasm?url';
import type { Arena } from './arena.js'; // instep types arena -o src/arena.d.ts

const world = 'arena';
const level = 'belt';
const colors = [0x60a5fa, 0xfb923c, 0x4ade80, 0xe879f9, 0xfde047, 0x2dd4bf, 0xf87171, 0xa78bfa];

const instep = await load(fetch(wasm));
const url = (import.meta.env.VITE_SERVER ?? location.origin).replace('http', 'ws');
const room = connect<Arena>(instep, { url, world, level, name: 'Ann' });
const rocks: { radius: number }[] = JSON.parse(instep.levelText(world, level)).rocks;

const app = new Application();
await app.init({ resizeTo: window, background: 0x0b1020, antialias: true });
document.body.style.margin = '0';
app.canvas.style.display = 'block';
document.body.append(app.canvas);
const plane = app.stage.addChild(new Container());

async function image(file: string): Promise<Texture> {
    const element = new Image();
    element.src = file;
    await element.decode();
    return Texture.from(element);
}
const [ship, rock, shot, star] = await Promise.all(['ship.svg', 'rock.svg', 'shot.svg', 'star.svg'].map(image)) as [Texture, Texture, Texture, Texture];

/** A sprite so many world units wide. The plane's y is up, an image's is down. */
function sprite(texture: Texture, width: number): Sprite {
    const made = plane.addChild(new Sprite({ texture, anchor: 0.5 }));
    made.scale.set(width / texture.width, -width / texture.width);
    return made;
}

const sprites = new Map<number, Sprite>();
room.onAdd('rocks', ({ key, id }) => sprites.set(key, sprite(rock, 2 * rocks[id]!.radius)));
room.onAdd('shots', ({ key }) => sprites.set(key, sprite(shot, 1.8)));
room.onAdd('players', ({ key, slot }) => {
    const made = sprite(ship, 2.4);
    made.tint = colors[slot % colors.length]!;
    sprites.set(key, made);
});
for (const pool of ['rocks', 'shots', 'players'] as const)
    room.onRemove(pool, ({ key }) => sprites.get(key)!.destroy());
room.onEvent('explosion', ({ position: { x, y } }) => {
    const made = sprite(star, 6);
    made.position.set(x, y);
    setTimeout(() => made.destroy(), 600);
});

const held = new Set<string>();
onkeydown = ({ code }) => held.add(code);
onkeyup = ({ code }) => held.delete(code);
const key = (code: string) => Number(held.has(code));

app.ticker.add(() => {
    const pad = { x: key('ArrowRight') - key('ArrowLeft'), y: key('ArrowUp') - key('ArrowDown'), pointerX: 0, pointerY: 0, held: key('Space') * Held.first };
    room.advance(performance.now() / 1000, pad);
    for (const { key, flight } of [...room.entities('rocks'), ...room.entities('shots')]) {
        const { position, velocity, angle } = flight;
        const drawn = sprites.get(key)!;
        drawn.position.set(position.x, position.y);
        drawn.rotation = drawn.texture === shot ? Math.atan2(velocity.y, velocity.x) : angle;
    }
    for (const { key, ship: { position, angle }, respawn_pause } of room.entities('players')) {
        const drawn = sprites.get(key)!;
        drawn.position.set(position.x, position.y);
        drawn.rotation = angle;
        drawn.visible = respawn_pause === 0;
    }
    const scale = app.screen.height / 44;
    const own = room.stage.ownPosition();
    plane.scale.set(scale, -scale);
    plane.position.set(app.screen.width / 2 - (own?.x ?? 0) * scale, app.screen.height / 2 + (own?.y ?? 0) * scale);
});
Object.assign(globalThis, { room, sprites }); // for the console
