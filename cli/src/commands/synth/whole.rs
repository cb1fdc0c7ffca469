//! Area and clock of a fabric that is measured whole: of circuits, of busses.

use super::SynthOptions;
use super::report::{ClockReport, Counts, timing};
use crate::format::indent;
use crate::progress::Progress;
use crate::table::Table;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_flow::cells::Cells;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{self, Measured};
use turnpike_flow::session::Session;
use turnpike_flow::target::Target;
use turnpike_netlist::Design;

/// Run of the tools on a whole fabric.
pub(super) struct Run {
    target: Target,
    session: Session,
    modules: Vec<(String, u64, Cells)>,
    measured: Measured,
}

impl Run {
    /// Measures a design of the fabric of this name: all of it, or the part that is asked for.
    ///
    /// # Errors
    /// A missing tool, a failing one, a design too large.
    pub fn of(
        options: &SynthOptions,
        name: &str,
        design: &Design,
        (target, seeds): (Target, u32),
    ) -> anyhow::Result<Self> {
        let session = Session::open(target, !options.runs.no_cache)?;
        let subject = Subject::of_design(design)?;
        let modules = session.cells_by_module(&subject.design)?;
        let steps = measure::steps(&session, 1, seeds);
        let progress = Progress::steps(steps, format!("{name} for {}", target.name));
        let measured = measure::measure(&session, &[subject], seeds, || progress.step())?;
        let measured = measured.into_iter().next().expect("one design was measured");
        Ok(Self { target, session, modules, measured })
    }

    /// Figures as a report. `configuration`: the words that make the fabric.
    pub fn report<'a>(&'a self, fabric: &'a str, configuration: String) -> Whole<'a> {
        let row = |(name, instances, cells): &(String, u64, Cells)| ModuleRow {
            // Yosys puts a module's parameters around its name.
            module: name.split('\\').nth(1).unwrap_or(name).to_owned(),
            instances: *instances,
            each: Counts::of(cells),
        };
        let Measured { cells, logic_cells, clock, .. } = &self.measured;
        Whole {
            fabric,
            configuration,
            target: self.target.name,
            tools: self.session.tools(),
            whole: Counts::of(cells),
            logic_cells: *logic_cells,
            modules: self.modules.iter().map(row).collect(),
            clock: clock.as_ref().map(ClockReport::of),
        }
    }

    /// The report as text, with a line of the fabric's own. `what` was measured, in a word.
    pub fn text(&self, report: &Whole<'_>, what: &str, own: &str) -> String {
        let target = self.target;
        let mut text = format!("{}\n{}: {}\n", report.configuration, target.name, target.summary);
        report.tools.iter().for_each(|tool| text += &format!("  {tool}\n"));
        let mut table =
            Table::new(["", "instances", "LUTs", "flip-flops", "LUT-RAM", "block RAM", "carry"]);
        let row = |name: &str, instances: u64, c: &Counts| {
            let counts = [instances, c.luts, c.flip_flops, c.lut_rams, c.block_rams, c.carries];
            std::iter::once(name.to_owned()).chain(counts.map(|n| n.to_string())).collect()
        };
        table.push(row(&format!("{what}, flattened"), 1, &report.whole));
        for ModuleRow { module, instances, each } in &report.modules {
            table.push(row(&format!("{module}, alone"), *instances, each));
        }
        text += &format!("\n{}{own}\n", table.text());
        if let Some(cells) = report.logic_cells {
            text += &format!("logic cells: {cells}, packed\n");
        }
        if let Some(clock) = &self.measured.clock {
            text += indent(&timing(clock)).trim_start();
        }
        text
    }
}

/// Figures of a whole fabric.
#[derive(Serialize, JsonSchema)]
pub(super) struct Whole<'a> {
    /// The name of the fabric.
    fabric: &'a str,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Target of the synthesis.
    target: &'static str,
    /// The tools, with their versions.
    tools: Vec<&'a str>,
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
