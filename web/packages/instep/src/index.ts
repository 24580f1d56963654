// SPDX-License-Identifier: MIT
// Instep in a page or in Node: load the module once, then open rooms, local matches and recordings.
//
//     const instep = await load(fetch('instep.wasm'));
//     const match = instep.level('arena', 'belt').openLocal(1, 7);
//     match.step(600);
//     console.log(match.hash());     // the same on every machine

import { Core, type Exports } from './module.js';
import { Level, RecordedStage } from './stage.js';
import type { AnyWorld, World, WorldTypes } from './types.js';

export { connect, type Connection, type ConnectionPlan, type ConnectionStatus } from './connect.js';
export { DrawList, ShapeKind } from './draw_list.js';
export type { Entity } from './entities.js';
export { emotes, Level, LocalStage, RecordedStage, RemoteStage, Stage, type Emote, type OwnPosition, type RecordingProgress, type Said } from './stage.js';
export type { EventListener } from './tracker.js';
export * from './types.js';

export class Instep {
    constructor(private core: Core) {}

    worlds(): World[] {
        return this.core.json(this.core.exports.describe_worlds());
    }
    /** A built-in level. Throws if no level has this name. */
    level<W extends WorldTypes = AnyWorld>(world: string, level: string): Level<W> {
        this.core.prepareText(`${world}/${level}`);
        return new Level<W>(this.core, this.core.expect(this.core.exports.load_level()));
    }
    /** A level from JSON text. Throws with the path of the error and what was expected there. */
    levelFromJson<W extends WorldTypes = AnyWorld>(text: string): Level<W> {
        this.core.prepareText(text);
        return new Level<W>(this.core, this.core.expect(this.core.exports.load_level()));
    }
    /** The JSON text of a built-in level. */
    levelText(world: string, level: string): string {
        this.core.prepareText(`${world}/${level}`);
        return this.core.text(this.core.expect(this.core.exports.level_text()));
    }
    /** The level's JSON text with one more of a body that it lists: a rock, a mob. */
    levelWithBody(levelJson: string, body: string, x: number, y: number): string {
        this.core.prepareText(`{"body": ${JSON.stringify(body)}, "level": ${levelJson}}`);
        return this.core.text(this.core.expect(this.core.exports.level_with_body(x, y)));
    }
    /** Throws if the file is not a recording, or one of another build. */
    openRecording<W extends WorldTypes = AnyWorld>(file: Uint8Array): RecordedStage<W> {
        this.core.prepare(file);
        return new RecordedStage<W>(this.core, this.core.expect(this.core.exports.open_recording()));
    }
    /** The determinism proof: the chronicle of each level, as this engine computes it. */
    *chronicles(): Generator<string> {
        for (let level = 0; level < this.core.exports.level_count(); ++level)
            yield this.core.text(this.core.expect(this.core.exports.record_chronicle(level)));
    }
}

/** Bytes, or a Response. */
export type Source = ArrayBuffer | Uint8Array | { arrayBuffer(): Promise<ArrayBuffer> };

/** `source` is instep.wasm: its bytes, or a response with them. The module has no imports. */
export async function load(source: Source | Promise<Source>): Promise<Instep> {
    const given = await source;
    const { instance } = 'arrayBuffer' in given
        ? await WebAssembly.instantiateStreaming(given as Response)
        : await WebAssembly.instantiate(given as BufferSource);
    return new Instep(new Core(instance.exports as unknown as Exports));
}
