// SPDX-License-Identifier: MIT
// The bytes of a buffer as numbers of each kind. The module's memory gets another buffer when it grows, and the old one
// is then empty: a read that finds nothing renews these views.

export class Memory {
    u8!: Uint8Array;
    i8!: Int8Array;
    u16!: Uint16Array;
    i16!: Int16Array;
    u32!: Uint32Array;
    i32!: Int32Array;
    f32!: Float32Array;
    f64!: Float64Array;

    constructor(private source: { readonly buffer: ArrayBuffer }) {
        this.renew();
    }
    renew(): this {
        const { buffer } = this.source;
        this.u8 = new Uint8Array(buffer);
        this.i8 = new Int8Array(buffer);
        this.u16 = new Uint16Array(buffer);
        this.i16 = new Int16Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.f32 = new Float32Array(buffer);
        this.f64 = new Float64Array(buffer);
        return this;
    }
    /** Before a loop that reads without checking. */
    current(): this {
        return this.u8.length > 0 ? this : this.renew();
    }
}
