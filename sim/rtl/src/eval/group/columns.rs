//! Columns of values that lie side by side.

use crate::eval::values::Slot;
use rustc_hash::FxHashMap;

/// Columns of slots that lie side by side, in their order: the first word of each.
pub(super) struct Columns {
    /// By slot, the column of that slot alone, as most are where little is placed twice.
    single: Vec<Option<u32>>,
    several: FxHashMap<Box<[Slot]>, u32>,
}

impl Columns {
    pub fn new(slots: usize) -> Self {
        Self { single: vec![None; slots], several: FxHashMap::default() }
    }

    pub fn get(&self, column: &[Slot]) -> Option<u32> {
        match *column {
            [slot] => self.single[slot as usize],
            _ => self.several.get(column).copied(),
        }
    }

    pub fn insert(&mut self, column: &[Slot], at: u32) {
        match *column {
            [slot] => self.single[slot as usize] = Some(at),
            _ => drop(self.several.insert(column.into(), at)),
        }
    }
}
