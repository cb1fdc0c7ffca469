//! Cycles that a testbench replays: a row of bits for each, made by a reference model.

use crate::File;
use std::collections::BTreeSet;
use turnpike_base::hash::hash;

/// Bits of all rows together, about; and the rows that there are at least.
const BITS: usize = 1 << 20;
const LEAST: usize = 320;

/// Cycles up to which resets come often. Behind them is time for what takes long.
const OFTEN: u32 = 1024;
/// Cycles between two resets at least.
const LEAST_GAP: u32 = 4;

/// Marks the draws of this file.
const GAP: u64 = 200;

/// Cycles in which a fabric is under reset: the first two, then one or three after each gap of up to
/// `longest` cycles. So a reset cuts into whatever goes on, and what has first to be seen after each is
/// seen often.
pub(crate) fn resets(longest: u32) -> BTreeSet<u32> {
    let mut resets = BTreeSet::from([0, 1]);
    let mut last = 1;
    for number in 0u64.. {
        let gap = hash(0, &[GAP, number]) % u64::from(longest - LEAST_GAP + 1);
        let first = last + 1 + LEAST_GAP + gap as u32;
        if first >= OFTEN {
            break;
        }
        last = first + [0, 2][(number % 2) as usize];
        resets.extend(first..=last);
    }
    resets
}

/// A part of each row.
#[derive(Debug)]
struct Field {
    name: &'static str,
    low: u32,
    width: u32,
}

/// Rows of one and the same fields.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    fields: Vec<Field>,
    /// The row that is being made, the lowest bit first.
    row: Vec<bool>,
    rows: Vec<String>,
    /// Fields of that row.
    filled: usize,
}

impl Recording {
    /// The rows that there are at most.
    pub const MOST: usize = 2048;

    /// Rows are made by `make` from their number, until there are enough.
    pub fn new(mut make: impl FnMut(&mut Self, u32)) -> Self {
        let mut recording = Self::default();
        while recording.wants_more() {
            let number = recording.rows.len() as u32;
            make(&mut recording, number);
            recording.end_row();
        }
        recording
    }

    fn wants_more(&self) -> bool {
        let wanted = BITS / (self.bits() as usize).max(1);
        self.rows.len() < wanted.clamp(LEAST, Self::MOST)
    }

    /// Appends a field of any number of parts, the first in the lowest bits.
    pub fn put(
        &mut self,
        name: &'static str,
        width: u32,
        parts: impl IntoIterator<Item = impl Into<u64>>,
    ) {
        let low = self.row.len() as u32;
        for part in parts {
            let part = part.into();
            self.row.extend((0..width).map(|bit| part >> bit & 1 == 1));
        }
        let width = self.row.len() as u32 - low;
        if self.rows.is_empty() {
            self.fields.push(Field { name, low, width });
        }
        let field = &self.fields[self.filled];
        assert_eq!((field.name, field.low, field.width), (name, low, width), "rows are alike");
        self.filled += 1;
    }

    fn end_row(&mut self) {
        let digit = |bits: &[bool]| {
            let value = bits.iter().rev().fold(0, |value, &bit| value << 1 | u32::from(bit));
            char::from_digit(value, 16).expect("four bits")
        };
        let digits: Vec<char> = self.row.chunks(4).map(digit).collect();
        self.rows.push(digits.iter().rev().collect());
        self.row.clear();
        self.filled = 0;
    }

    /// Bits of a row.
    pub fn bits(&self) -> u32 {
        self.fields.last().map_or(0, |field| field.low + field.width)
    }

    /// Rows that there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    fn field(&self, name: &str) -> &Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("there is no field {name}"))
    }

    /// A field of a register that holds a row, in Verilog.
    pub fn field_of(&self, row: &str, name: &str) -> String {
        let Field { low, width, .. } = self.field(name);
        match width {
            1 => format!("{row}[{low}]"),
            _ => format!("{row}[{low} +: {width}]"),
        }
    }

    /// Bit `t` of a field of a register that holds a row, in Verilog.
    pub fn bit_of(&self, row: &str, name: &str) -> String {
        format!("{row}[32'd{} + t]", self.field(name).low)
    }

    /// Part `t`, of `width` bits, of a field of a register that holds a row, in Verilog, as a number of
    /// 32 bits.
    pub fn number_of(&self, row: &str, name: &str, width: &u32) -> String {
        let low = self.field(name).low;
        match width {
            0 => "32'd0".to_owned(),
            _ => format!("{{{}'d0, {row}[32'd{low} + t*{width} +: {width}]}}", 32 - width),
        }
    }

    /// The file that `$readmemh` reads.
    pub fn file(&self, fabric: &str) -> File {
        let contents = self.rows.iter().map(|row| format!("{row}\n")).collect();
        File { name: format!("{fabric}_tb_cycles.hex"), contents }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_highest_bit_first() {
        let recording = Recording::new(|rows, number| {
            rows.put("one", 1, [true]);
            rows.put("two", 3, [number % 8, 5]);
        });
        assert_eq!((recording.bits(), recording.rows()), (7, Recording::MOST));
        // 5 and 3 above a one: 101 011 1.
        assert_eq!(recording.rows[3], "57");
        assert_eq!(recording.field_of("row", "one"), "row[0]");
        assert_eq!(recording.field_of("row", "two"), "row[1 +: 6]");
        assert_eq!(recording.number_of("row", "two", &3), "{29'd0, row[32'd1 + t*3 +: 3]}");
        assert!(recording.file("f").contents.starts_with("51\n53\n"));
    }

    #[test]
    fn resets_of_one_cycle_and_of_three_leave_time_between_them() {
        let resets = resets(50);
        assert!(resets.contains(&0) && resets.contains(&1) && !resets.contains(&2));
        let begins: Vec<u32> =
            resets.iter().copied().filter(|at| *at > 1 && !resets.contains(&(at - 1))).collect();
        let lasts = |&first: &u32| (first..).take_while(|at| resets.contains(at)).count();
        assert!(
            begins.len() > 30 && begins.iter().map(lasts).all(|cycles| matches!(cycles, 1 | 3))
        );
        let gap = |ends: &[u32]| ends[1] - ends[0] - lasts(&ends[0]) as u32;
        assert!(begins.windows(2).map(gap).all(|gap| (LEAST_GAP..=50).contains(&gap)));
    }

    #[test]
    fn wide_rows_are_fewer() {
        let recording = Recording::new(|rows, _| rows.put("wide", 1, vec![false; 9000]));
        assert_eq!(recording.rows(), LEAST);
    }
}
