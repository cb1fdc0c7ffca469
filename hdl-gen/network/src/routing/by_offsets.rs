//! Injection that serves every source of a network of coordinates: tables go by how far on the destination is in
//! each dimension.

use super::{DestinationEncoding, FieldTable, Injection};

impl Injection {
    /// A field for each dimension, of these sides: its name, its width in bits, and its value where the destination's
    /// coordinate is so far above the source's. Coordinates are looked up where they are no bits of the address.
    pub fn by_offsets(
        sides: &[u32],
        field: impl Fn(usize, i64) -> (&'static str, u32, u64),
    ) -> Self {
        let view = DestinationEncoding::offsets_on(sides);
        let mut low = 0;
        let table = |((dimension, &side), bits): ((usize, &u32), u32)| {
            let index_bits = bits + 1;
            let rows = (0..1i64 << index_bits).map(|row| {
                // Two's complement. No coordinate is a whole side below or above another.
                let offset = if row >> bits == 0 { row } else { row - (1 << index_bits) };
                if offset.abs() < i64::from(side) { field(dimension, offset).2 } else { 0 }
            });
            let (rows, from, (name, bits, _)) = (rows.collect(), low, field(dimension, 0));
            low += index_bits;
            FieldTable { name, low: from, index_bits, bits, rows }
        };
        let fields = sides.iter().enumerate().zip(view.coordinates()).map(table).collect();
        Self { keeps_view: false, fields, registered: true, ..Self::plain(view) }
    }
}
