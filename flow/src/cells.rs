//! Cell counts of a synthesised design.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Counts of cells, by type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// By the library's name for the type.
    pub by_type: BTreeMap<String, u64>,
    /// Area of the cells in square micrometres, where they are a library's.
    pub area: Option<f64>,
}

/// A `stat` that is not as it should be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("cannot read the cell counts of Yosys: {0}")]
pub struct StatError(String);

/// Cells of one type, at most: sums of them fit.
const MOST: u64 = 1 << 40;

impl Cells {
    /// Reads what `stat -json` of Yosys prints for a flattened design.
    ///
    /// # Errors
    /// Where the text is not such JSON.
    pub fn from_stat(json: &str) -> Result<Self, StatError> {
        Self::read(&object(json, "design")?)
    }

    /// Reads what `stat -json` of Yosys prints for a design with its hierarchy: the cells of
    /// each module by itself, and how often it stands in the design below `top`.
    ///
    /// # Errors
    /// Where the text is not such JSON.
    pub fn by_module(json: &str, top: &str) -> Result<Vec<(String, u64, Self)>, StatError> {
        let modules = object(json, "modules")?;
        let wrong = || StatError("no object `modules`".to_owned());
        let mut read = BTreeMap::new();
        for (name, module) in modules.as_object().ok_or_else(wrong)? {
            read.insert(name.trim_start_matches('\\').to_owned(), Self::read(module)?);
        }
        let mut times: BTreeMap<String, u64> = BTreeMap::new();
        count(&read, &mut vec![top], 1, &mut times)?;
        let own = |cells: &Self| {
            let mut cells = cells.clone();
            cells.by_type.retain(|name, _| !read.contains_key(name.trim_start_matches('\\')));
            cells
        };
        Ok(times.into_iter().map(|(name, n)| (name.clone(), n, own(&read[&name]))).collect())
    }

    fn read(value: &Value) -> Result<Self, StatError> {
        let types = value["num_cells_by_type"]
            .as_object()
            .ok_or_else(|| StatError("no object `num_cells_by_type`".to_owned()))?;
        let count = |(name, count): (&String, &Value)| {
            let wrong = || StatError(format!("`{name}` has no count"));
            Ok((name.clone(), count.as_u64().filter(|n| *n <= MOST).ok_or_else(wrong)?))
        };
        let by_type = types.iter().filter(|(name, _)| *name != "$scopeinfo").map(count);
        let by_type = by_type.collect::<Result<_, StatError>>()?;
        Ok(Self { by_type, area: None })
    }

    /// Cells of one type.
    pub fn of(&self, name: &str) -> u64 {
        self.by_type.get(name).copied().unwrap_or(0)
    }

    /// Look-up tables, of four inputs (`SB_LUT4`, `LUT4`) or up to six (`LUT1` to `LUT6`).
    pub fn luts(&self) -> u64 {
        let xilinx: u64 = ["LUT1", "LUT2", "LUT3", "LUT5", "LUT6"].map(|n| self.of(n)).iter().sum();
        self.of("SB_LUT4") + self.of("LUT4") + xilinx
    }

    /// Flip-flops of every kind: `SB_DFF*`, `TRELLIS_FF`, `FDRE` and its like, `DFF*`.
    pub fn flip_flops(&self) -> u64 {
        let kinds = ["SB_DFF", "TRELLIS_FF", "FDRE", "FDSE", "FDCE", "FDPE", "DFF"];
        self.sum(|name| kinds.iter().any(|kind| name.starts_with(kind)))
    }

    /// Carry cells: `SB_CARRY` (one bit each), `CCU2C` (two bits each), `CARRY4` (four).
    pub fn carries(&self) -> u64 {
        self.of("SB_CARRY") + self.of("CCU2C") + self.of("CARRY4")
    }

    /// Memories made of LUTs: `TRELLIS_DPR16X4` (16 words by 4 bits), `RAM32M` and
    /// its like, and shift registers (`SRL16E`).
    pub fn lut_rams(&self) -> u64 {
        let kinds = ["RAM32", "RAM64", "RAM128", "RAM256", "SRL"];
        self.of("TRELLIS_DPR16X4") + self.sum(|name| kinds.iter().any(|k| name.starts_with(k)))
    }

    /// Block memories: `SB_RAM40_4K*`, `DP16KD`, `PDPW16KD`, `RAMB18E1`, `RAMB36E1`.
    pub fn block_rams(&self) -> u64 {
        let kinds = ["SB_RAM40_4K", "DP16KD", "PDPW16KD", "RAMB"];
        self.sum(|name| kinds.iter().any(|kind| name.starts_with(kind)))
    }

    /// Multiplexers that join LUTs into wider ones: `PFUMX`, `L6MUX21`, `MUXF7`, `MUXF8`.
    pub fn wide_multiplexers(&self) -> u64 {
        ["PFUMX", "L6MUX21", "MUXF7", "MUXF8"].map(|name| self.of(name)).iter().sum()
    }

    /// Cells of every kind.
    pub fn all(&self) -> u64 {
        self.by_type.values().sum()
    }

    /// Adds so many times as many cells.
    pub fn add(&mut self, times: u64, other: &Self) {
        for (name, count) in &other.by_type {
            *self.by_type.entry(name.clone()).or_default() +=
                times.saturating_mul(*count).min(MOST);
        }
        if let Some(area) = other.area {
            *self.area.get_or_insert(0.0) += times as f64 * area;
        }
    }

    fn sum(&self, is_wanted: impl Fn(&str) -> bool) -> u64 {
        self.by_type.iter().filter(|(name, _)| is_wanted(name)).map(|(_, count)| count).sum()
    }
}

/// The object of this name at the top of what `stat -json` prints; null where there is none. That
/// object alone is read: of a design with several levels Yosys 0.23 prints a table for people between
/// `modules` and `design`, so that the whole is no JSON.
fn object(text: &str, name: &str) -> Result<Value, StatError> {
    let wrong = |error: serde_json::Error| StatError(error.to_string());
    // The name of a module begins with a backslash or a dollar sign; what a cell has is a number.
    let key = format!("\"{name}\":");
    let values = text.match_indices(&key).map(|(at, key)| text[at + key.len()..].trim_start());
    match values.into_iter().find(|value| value.starts_with('{')) {
        Some(value) => {
            let mut first = serde_json::Deserializer::from_str(value).into_iter();
            first.next().unwrap_or(Ok(Value::Null)).map_err(wrong)
        }
        None => Ok(serde_json::from_str::<Value>(text).map_err(wrong)?[name].clone()),
    }
}

/// Counts how often each module stands below the last of `path`, itself included, which stands
/// there `often`; `path` leads down to it.
fn count<'a>(
    modules: &'a BTreeMap<String, Cells>,
    path: &mut Vec<&'a str>,
    often: u64,
    times: &mut BTreeMap<String, u64>,
) -> Result<(), StatError> {
    let Some((name, above)) = path.split_last() else { return Ok(()) };
    let Some(cells) = modules.get(*name) else { return Ok(()) };
    if above.contains(name) {
        return Err(StatError(format!("module `{name}` stands in itself")));
    }
    let sum = times.entry((*name).to_owned()).or_default();
    *sum = sum.saturating_add(often);
    for (part, count_here) in &cells.by_type {
        path.push(part.trim_start_matches('\\'));
        count(modules, path, often.saturating_mul(*count_here), times)?;
        path.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_kind() {
        let json = r#"{"design": {"num_cells": 9, "num_cells_by_type": {"SB_LUT4": 3,
            "SB_DFF": 1, "SB_DFFESR": 2, "SB_CARRY": 4, "SB_RAM40_4K": 5, "$scopeinfo": 13,
            "LUT4": 7, "TRELLIS_FF": 10, "TRELLIS_DPR16X4": 6, "DP16KD": 8, "PFUMX": 11}}}"#;
        let cells = Cells::from_stat(json).unwrap();
        assert_eq!((cells.luts(), cells.flip_flops(), cells.carries()), (10, 13, 4));
        assert_eq!((cells.lut_rams(), cells.block_rams()), (6, 13));
        assert_eq!((cells.wide_multiplexers(), cells.all()), (11, 57));
        assert_eq!((cells.of("SB_MAC16"), cells.area), (0, None));
        let json = r#"{"design": {"num_cells_by_type": {"LUT2": 3, "LUT6": 1, "FDRE": 2,
            "FDSE": 1, "RAM32M": 4, "RAMB36E1": 5, "MUXF7": 6}}}"#;
        let cells = Cells::from_stat(json).unwrap();
        assert_eq!((cells.luts(), cells.flip_flops(), cells.lut_rams()), (4, 3, 4));
        assert_eq!((cells.block_rams(), cells.wide_multiplexers()), (5, 6));
    }

    #[test]
    fn modules_count_as_often_as_they_stand_there() {
        let json = r#"{"modules": {
            "\\top": {"num_cells_by_type": {"\\mid": 2, "leaf": 1, "LUT4": 5}},
            "\\mid": {"num_cells_by_type": {"leaf": 3}},
            "\\leaf": {"num_cells_by_type": {"LUT4": 7}},
            "\\spare": {"num_cells_by_type": {"LUT4": 100}}}}"#;
        let looped = json.replace("LUT4\": 7", "mid\": 7");
        let error = Cells::by_module(&looped, "top").unwrap_err().to_string();
        assert!(error.contains("stands in itself"), "{error}");
        let found = Cells::by_module(json, "top").unwrap();
        let luts: Vec<_> = found.iter().map(|(name, n, c)| (&**name, *n, c.luts())).collect();
        assert_eq!(luts, [("leaf", 7, 7), ("mid", 2, 0), ("top", 1, 5)]);
        let mut sum = Cells::default();
        found.iter().for_each(|(_, times, cells)| sum.add(*times, cells));
        assert_eq!((sum.luts(), sum.all()), (54, 54));
    }

    /// Yosys 0.23 prints the hierarchy between the objects, whatever it is asked for.
    #[test]
    fn a_table_amid_the_json_is_passed_over() {
        let text = r#"{
   "creator": "Yosys 0.23",
   "modules": {
      "\\leaf": {"num_cells_by_type": {"SB_LUT4": 7}},
      "\\top": {"num_cells_by_type": {"leaf": 2, "modules": 1, "SB_LUT4": 1}}
   },
     leaf      2
       $paramod\leaf\WIDTH=s32'0100      1
      "design": {
         "num_cells_by_type": {"SB_LUT4": 15}
      }
}"#;
        assert_eq!(Cells::from_stat(text).unwrap().luts(), 15);
        let found = Cells::by_module(text, "top").unwrap();
        let luts: Vec<_> = found.iter().map(|(name, n, c)| (&**name, *n, c.luts())).collect();
        assert_eq!(luts, [("leaf", 2, 7), ("top", 1, 1)]);
    }

    #[test]
    fn text_that_is_no_count_is_refused() {
        assert!(Cells::from_stat("").is_err());
        assert!(Cells::from_stat("{}").unwrap_err().to_string().contains("num_cells_by_type"));
        let json = r#"{"design": {"num_cells_by_type": {"SB_LUT4": "many"}}}"#;
        assert!(Cells::from_stat(json).unwrap_err().to_string().contains("SB_LUT4"));
    }
}
