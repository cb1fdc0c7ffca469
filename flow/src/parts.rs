//! Cells of the parts of a design, each mapped by itself.

use crate::cells::Cells;
use serde::{Deserialize, Serialize};

/// The cells of a design by kind of part. Modules are mapped one by one and counted as often
/// as they stand there, so the parts need not add up to the flattened design: there, what two
/// modules do between them is one function, and goes into fewer cells.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PartCells {
    /// The crossbar's multiplexers.
    pub multiplexers: Cells,
    pub queues: Cells,
    pub arbiters: Cells,
    /// Cells of everything else: route logic, header multiplexers, handshakes, injectors.
    pub rest: Cells,
}

impl PartCells {
    /// Sorts modules by their names: name, how often it stands there, its own cells.
    pub fn of(modules: &[(String, u64, Cells)]) -> Self {
        let mut parts = Self::default();
        for (name, times, cells) in modules {
            let kind = match name {
                name if has(name, &["mux"]) => &mut parts.multiplexers,
                name if has(name, &["fifo", "store"]) => &mut parts.queues,
                name if has(name, &["arbiter"]) => &mut parts.arbiters,
                _ => &mut parts.rest,
            };
            kind.add(*times, cells);
        }
        parts
    }
}

/// Whether a module's name has one of these words, between underlines or at an end; Yosys puts a
/// module's parameters around its name, behind other signs.
fn has(name: &str, words: &[&str]) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| words.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_sorted_by_name() {
        let one = |name: &str| {
            let by_type = [("LUT4".to_owned(), 1)].into();
            (name.to_owned(), 2, Cells { by_type, area: Some(0.5) })
        };
        let names = [
            "$paramod\\cube_mux_3\\WIDTH=s32'1",
            "cube_fifo_4",
            "$paramod$f00\\cube_fifo_4",
            "cube_arbiter_2",
            "cube_switch",
            "fifomux_injector",
        ];
        let parts = PartCells::of(&names.map(one));
        let luts =
            [&parts.multiplexers, &parts.queues, &parts.arbiters, &parts.rest].map(Cells::luts);
        assert_eq!(luts, [2, 4, 2, 4]);
        assert_eq!(parts.queues.area, Some(2.0));
    }
}
