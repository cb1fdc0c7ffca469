//! Report of `turnpike synth --format json` on the fabric.

use crate::format::number;
use crate::input;
use anyhow::{anyhow, bail};
use serde::Deserialize;
use std::path::Path;
use turnpike_fabric::plan::FabricPlan;

/// Largest report of `synth` in bytes.
const MOST: u64 = 1 << 26;
/// The version of its fields.
const SCHEMA_VERSION: u64 = 2;

/// A report of `synth`: the fields that are shown.
#[derive(Deserialize)]
struct Synth {
    configuration: String,
    target: String,
    tools: Vec<String>,
    part: String,
    crossbar: String,
    results: Vec<Design>,
}

#[derive(Deserialize)]
struct Design {
    top: String,
    whole: Cells,
    logic_cells: Option<u64>,
    clock: Option<Clock>,
}

#[derive(Deserialize)]
struct Cells {
    cells: u64,
    luts: u64,
    flip_flops: u64,
    lut_rams: u64,
    block_rams: u64,
    carries: u64,
    area_um2: Option<f64>,
}

#[derive(Deserialize)]
struct Clock {
    median_mhz: f64,
    min_mhz: f64,
    max_mhz: f64,
}

/// A report of `synth`, and the file that it is from.
pub struct Area {
    file: String,
    synth: Synth,
}

/// The designs of a report of `synth`, for a table.
pub struct AreaTable {
    /// Identifier of the table in the document.
    pub id: String,
    /// Target of the synthesis, and the tools.
    pub title: String,
    /// A row for each design.
    pub rows: Vec<Vec<String>>,
}

/// The columns of [`AreaTable::rows`].
pub const COLUMNS: [&str; 11] = [
    "design",
    "turns",
    "cells",
    "LUTs",
    "flip-flops",
    "LUT-RAM",
    "block RAM",
    "carry",
    "logic cells",
    "area (um2)",
    "clock (MHz): median, least to most",
];

/// Reads a report of `synth`.
///
/// # Errors
/// A file that cannot be read, or is none.
pub fn read(path: &Path) -> anyhow::Result<Area> {
    let bytes = input::bytes(path, "report of synth", MOST)?;
    let none = |why: &dyn std::fmt::Display| {
        anyhow!(
            "{} is no report of a switched fabric by turnpike synth --format json: {why}",
            path.display()
        )
    };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| none(&error))?;
    match value["schema_version"].as_u64() {
        Some(SCHEMA_VERSION) => {}
        Some(other) => {
            return Err(none(&format!("its schema_version is {other}, not {SCHEMA_VERSION}")));
        }
        None => return Err(none(&"it has no schema_version")),
    }
    let synth = serde_json::from_value(value).map_err(|error| none(&error))?;
    Ok(Area { file: path.display().to_string(), synth })
}

impl Area {
    /// Refuses one of another fabric.
    ///
    /// # Errors
    /// Both configurations.
    pub fn check(&self, plan: &FabricPlan) -> anyhow::Result<()> {
        let (theirs, ours) = (&self.synth.configuration, plan.canonical());
        if *theirs != ours {
            bail!(
                "{} is of another fabric: it is of '{theirs}', and the page of '{ours}'; run turnpike \
                 synth {ours} --format json",
                self.file
            );
        }
        Ok(())
    }

    /// Table of the report, the first of some or another.
    pub fn table(&self, place: usize) -> AreaTable {
        let Synth { target, tools, part, crossbar, results, .. } = &self.synth;
        let row = |design: &Design| {
            let Cells { cells, luts, flip_flops, lut_rams, block_rams, carries, area_um2 } =
                design.whole;
            let counts = [cells, luts, flip_flops, lut_rams, block_rams, carries];
            let none = || "-".to_owned();
            let mut row = vec![design.top.clone(), crossbar.clone()];
            row.extend(counts.map(|count| count.to_string()));
            row.push(design.logic_cells.map_or_else(none, |cells| cells.to_string()));
            row.push(area_um2.map_or_else(none, |area| format!("{area:.0}")));
            row.push(design.clock.as_ref().map_or_else(none, |clock| {
                let Clock { median_mhz, min_mhz, max_mhz } = clock;
                let [median, least, most] = [median_mhz, min_mhz, max_mhz].map(|mhz| number(*mhz));
                format!("{median}, {least} to {most}")
            }));
            row
        };
        AreaTable {
            id: if place == 0 { "areas".to_owned() } else { format!("areas{}", place + 1) },
            title: format!("{target}, {part}: {}", tools.join(", ")),
            rows: results.iter().map(row).collect(),
        }
    }
}
