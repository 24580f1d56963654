// Made by `instep types arena` from the world's field lists. To change it, run that again.

import type { EntityOf, FixedArray } from 'instep';

/** connect<Arena>(instep, { world: "arena", ... }) */
export interface Arena {
    head: Head;
    pools: {
        players: EntityOf<Player>;
        rocks: EntityOf<Rock>;
        shots: EntityOf<Shot>;
        touches: EntityOf<Touch>;
        departed: EntityOf<Departed>;
        pickups: EntityOf<Pickup>;
    };
    event: Event;
    input: Input;
}

export interface Head {
    readonly tick: number;
    readonly random: Random;
    readonly match: number;
    readonly ticks_left: number;
    readonly showing_scores: boolean;
}

export interface Random {
    readonly counter: number;
    readonly gamma: number;
}

export interface Player {
    readonly name: string;
    readonly ship: Flight;
    readonly heat: number;
    readonly score: number;
    readonly health: number;
    readonly kills: number;
    readonly deaths: number;
    readonly fire_pause: number;
    readonly respawn_pause: number;
    readonly input: Input;
    readonly slot: number;
    readonly overheated: boolean;
    readonly attacker: number;
    readonly weapon: "cannon" | "scatter" | "lance";
    readonly identity: number;
    readonly claim_ticks: number;
    readonly met: number;
    readonly met_ticks: number;
    readonly ammunition: number;
}

export interface Flight {
    /** u */
    readonly position: Vec2;
    /** u/s */
    readonly velocity: Vec2;
    /** rad */
    readonly angle: number;
    /** rad/s */
    readonly spin: number;
}

export interface Vec2 {
    readonly x: number;
    readonly y: number;
}

export interface Input {
    readonly thrust: boolean;
    readonly left: boolean;
    readonly right: boolean;
    readonly fire: boolean;
}

export interface Rock {
    readonly flight: Flight;
    readonly hits: number;
    readonly pause: number;
}

export interface Shot {
    readonly flight: Flight;
    readonly ticks_left: number;
    readonly owner: number;
    readonly weapon: "cannon" | "scatter" | "lance";
}

export interface Touch {
    readonly contact: Contact;
}

export interface Contact {
    readonly a: Handle;
    readonly b: Handle;
    readonly normal_impulse: FixedArray<number>;
    readonly tangent_impulse: FixedArray<number>;
    readonly feature: FixedArray<number>;
    readonly shape_a: number;
    readonly shape_b: number;
    readonly points: number;
    readonly touching: boolean;
}

export interface Handle {
    readonly id: number;
    readonly generation: number;
}

export interface Departed {
    readonly player: Player;
    readonly away_ticks: number;
}

export interface Pickup {
    readonly position: Vec2;
    readonly pause: number;
    readonly weapon: "cannon" | "scatter" | "lance";
}

export interface Event {
    /** u */
    readonly position: Vec2;
    /** u/s */
    readonly speed: number;
    readonly kind: "joined" | "left" | "fired" | "hit" | "collision" | "overheated" | "recovered" | "explosion" | "respawned" | "match_over" | "match_began" | "shattered" | "picked_up";
    readonly slot: number;
    readonly by: number;
}
