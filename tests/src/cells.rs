//! Cell counts of a synthesised design.

use std::collections::BTreeMap;

use serde_json::Value;

/// How many cells of each type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// By the library's name for the type.
    pub by_type: BTreeMap<String, u64>,
}

impl Cells {
    /// Reads what `stat -json` of Yosys prints for a flattened design.
    ///
    /// # Errors
    /// Where the text is not such JSON.
    pub fn from_stat(json: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let types = value["design"]["num_cells_by_type"]
            .as_object()
            .ok_or("no object `design.num_cells_by_type`")?;
        let count = |(name, count): (&String, &Value)| {
            let count = count.as_u64().ok_or(format!("`{name}` has no count"))?;
            Ok((name.clone(), count))
        };
        Ok(Cells { by_type: types.iter().map(count).collect::<Result<_, String>>()? })
    }

    /// Cells of one type.
    pub fn of(&self, name: &str) -> u64 {
        self.by_type.get(name).copied().unwrap_or(0)
    }

    /// Four-input look-up tables: `SB_LUT4`, `LUT4`.
    pub fn luts(&self) -> u64 {
        self.of("SB_LUT4") + self.of("LUT4")
    }

    /// Flip-flops of every kind: `SB_DFF*`, `TRELLIS_FF`.
    pub fn flip_flops(&self) -> u64 {
        self.sum(|name| name.starts_with("SB_DFF") || name == "TRELLIS_FF")
    }

    /// Carry cells: `SB_CARRY` (one bit each), `CCU2C` (two bits each).
    pub fn carries(&self) -> u64 {
        self.of("SB_CARRY") + self.of("CCU2C")
    }

    /// Memories of 16 words by 4 bits made of LUTs: `TRELLIS_DPR16X4`.
    pub fn lut_rams(&self) -> u64 {
        self.of("TRELLIS_DPR16X4")
    }

    /// Block memories: `SB_RAM40_4K*`, `DP16KD`, `PDPW16KD`.
    pub fn block_rams(&self) -> u64 {
        self.sum(|name| name.starts_with("SB_RAM40_4K") || name == "DP16KD" || name == "PDPW16KD")
    }

    /// Multiplexers that join LUTs into wider ones: `PFUMX`, `L6MUX21`.
    pub fn wide_multiplexers(&self) -> u64 {
        self.of("PFUMX") + self.of("L6MUX21")
    }

    fn sum(&self, is_wanted: impl Fn(&str) -> bool) -> u64 {
        self.by_type.iter().filter(|(name, _)| is_wanted(name)).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_kind() {
        let json = r#"{"design": {"num_cells": 9, "num_cells_by_type": {"SB_LUT4": 3,
            "SB_DFF": 1, "SB_DFFESR": 2, "SB_CARRY": 4, "SB_RAM40_4K": 5,
            "LUT4": 7, "TRELLIS_FF": 10, "TRELLIS_DPR16X4": 6, "DP16KD": 8, "PFUMX": 11}}}"#;
        let cells = Cells::from_stat(json).unwrap();
        assert_eq!((cells.luts(), cells.flip_flops(), cells.carries()), (10, 13, 4));
        assert_eq!((cells.lut_rams(), cells.block_rams()), (6, 13));
        assert_eq!(cells.wide_multiplexers(), 11);
        assert_eq!(cells.of("SB_MAC16"), 0);
    }

    #[test]
    fn text_that_is_no_count_is_refused() {
        assert!(Cells::from_stat("").is_err());
        assert!(Cells::from_stat("{}").unwrap_err().contains("num_cells_by_type"));
        let json = r#"{"design": {"num_cells_by_type": {"SB_LUT4": "many"}}}"#;
        assert!(Cells::from_stat(json).unwrap_err().contains("SB_LUT4"));
    }
}
