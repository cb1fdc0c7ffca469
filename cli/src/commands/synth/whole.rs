//! Area and clock of one design: a whole fabric, or a part of one that has no switches of channels.

use super::report::{ClockReport, Counts, Figures, Found, SynthReport, timing};
use crate::format::indent;
use crate::table::Table;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_flow::cells::Cells;
use turnpike_flow::measure::Measured;

/// Report on one design.
pub(super) type WholeReport<'a, H> = SynthReport<'a, H, Whole<'a>>;

/// Figures of one design.
#[derive(Serialize, JsonSchema)]
pub struct Whole<'a> {
    /// The flattened design.
    whole: Counts,
    /// Cells of the device that the design takes once packed.
    logic_cells: Option<u64>,
    /// Each module mapped by itself: they need not add up to the whole.
    modules: Vec<ModuleRow>,
    /// The clock, where it was placed.
    clock: Option<ClockReport<'a>>,
}

/// A module.
#[derive(Serialize, JsonSchema)]
struct ModuleRow {
    /// Name of the module.
    module: String,
    /// Number of instances of the module.
    instances: u64,
    /// The cells of one.
    each: Counts,
}

impl<'a> Figures<'a> for Whole<'a> {
    const ROWS: Option<&'static str> = Some("modules");

    fn of(found: &'a Found) -> anyhow::Result<Self> {
        let row = |(name, instances, cells): (String, u64, Cells)| ModuleRow {
            // Yosys puts a module's parameters around its name.
            module: name.split('\\').nth(1).unwrap_or(&name).to_owned(),
            instances,
            each: Counts::of(&cells),
        };
        let modules = found.session.cells_by_module(&found.subjects[0].design)?;
        let Measured { cells, logic_cells, clock, .. } = &found.measured[0];
        Ok(Self {
            whole: Counts::of(cells),
            logic_cells: *logic_cells,
            modules: modules.into_iter().map(row).collect(),
            clock: clock.as_ref().map(ClockReport::of),
        })
    }

    fn text(&self, found: &Found, what: &str, own: &str) -> String {
        let mut table =
            Table::new(["", "instances", "LUTs", "flip-flops", "LUT-RAM", "block RAM", "carry"]);
        let row = |name: &str, instances: u64, c: &Counts| {
            let counts = [instances, c.luts, c.flip_flops, c.lut_rams, c.block_rams, c.carries];
            std::iter::once(name.to_owned()).chain(counts.map(|n| n.to_string())).collect()
        };
        table.push(row(&format!("{what}, flattened"), 1, &self.whole));
        for ModuleRow { module, instances, each } in &self.modules {
            table.push(row(&format!("{module}, alone"), *instances, each));
        }
        let mut text = format!("\n{}{own}\n", table.text());
        if let Some(cells) = self.logic_cells {
            text += &format!("logic cells: {cells}, packed\n");
        }
        if let Some(clock) = &found.measured[0].clock {
            text += indent(&timing(clock)).trim_start();
        }
        if let Some(accepted) = &found.accepted {
            text += &accepted.text(&found.measured[0]);
        }
        text
    }
}
