//! `turnpike synth --kind circuit`.

use super::report::{ClockReport, Counts, timing};
use super::{Crossbar, Part, SynthOptions};
use crate::Report;
use crate::format::{Format, indent, json};
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{self, Document, ReportKind};
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::circuit;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{self, Measured};
use turnpike_flow::session::Session;
use turnpike_flow::target::Target;

#[derive(Serialize, JsonSchema)]
struct CircuitSynthReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The name of the fabric.
    fabric: &'a str,
    /// The words after `turnpike generate` that make it.
    configuration: String,
    /// For what it was synthesised.
    target: &'static str,
    /// The tools, with their versions.
    tools: Vec<&'a str>,
    /// Switches of the network that are built as such: those that are wires left out.
    switches: u32,
    /// Bits of a link: the word, the mark of its packet's end, and whether there is one. A switch
    /// of two inputs and two outputs has two LUTs for each.
    link_bits: u32,
    /// The flattened design.
    whole: Counts,
    /// The device's cells that it takes once packed.
    logic_cells: Option<u64>,
    /// Each module mapped by itself: they need not add up to the whole.
    modules: Vec<ModuleRow>,
    /// The clock, where it was placed.
    clock: Option<ClockReport<'a>>,
}

/// A module.
#[derive(Serialize, JsonSchema)]
struct ModuleRow {
    /// Its name.
    module: String,
    /// How often it stands there.
    instances: u64,
    /// The cells of one.
    each: Counts,
}

impl Document for CircuitSynthReport<'_> {
    const ROWS: Option<&'static str> = Some("modules");
}

/// For the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<CircuitSynthReport<'_>>(
    "synth_circuit",
    "area and clock of a circuit fabric (`synth --kind circuit`)",
);

/// Runs it.
///
/// # Errors
/// Options of switched fabrics; a missing tool, a failing one, a design too large.
pub(super) fn run(
    options: &SynthOptions,
    plan: &CircuitPlan,
    target: Target,
    seeds: u32,
) -> anyhow::Result<Report> {
    if options.part == Part::Fabric || options.crossbar == Crossbar::Full {
        bail!("a circuit fabric is measured whole; leave --part and --crossbar out");
    }
    let session = Session::open(target, !options.runs.no_cache)?;
    let subject = Subject::of_design(&circuit(plan)?)?;
    let modules = session.cells_by_module(&subject.design)?;
    let subjects = [subject];
    let measured = {
        let steps = measure::steps(&session, 1, seeds);
        let progress = Progress::steps(steps, format!("{} for {}", plan.name, target.name));
        measure::measure(&session, &subjects, seeds, || progress.step())?
    };
    let row = |(name, instances, cells): &(String, u64, turnpike_flow::cells::Cells)| ModuleRow {
        // Yosys puts a module's parameters around its name.
        module: name.split('\\').nth(1).unwrap_or(name).to_owned(),
        instances: *instances,
        each: Counts::of(cells),
    };
    let Measured { cells, logic_cells, clock, .. } = &measured[0];
    let network = &plan.network;
    let built = |stage| (0..network.switches(stage)).filter(move |&s| !network.is_wire(stage, s));
    let report = CircuitSynthReport {
        schema_version: 1,
        fabric: &plan.name,
        configuration: plan.canonical(),
        target: target.name,
        tools: session.tools(),
        switches: (0..network.stages()).map(|stage| built(stage).count() as u32).sum(),
        link_bits: plan.parameters.width + 2,
        whole: Counts::of(cells),
        logic_cells: *logic_cells,
        modules: modules.iter().map(row).collect(),
        clock: clock.as_ref().map(ClockReport::of),
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => report.text(target, &measured[0]),
    }))
}

impl CircuitSynthReport<'_> {
    fn text(&self, target: Target, measured: &Measured) -> String {
        let mut text = format!("{}\n{}: {}\n", self.configuration, target.name, target.summary);
        self.tools.iter().for_each(|tool| text += &format!("  {tool}\n"));
        let mut table =
            Table::new(["", "instances", "LUTs", "flip-flops", "LUT-RAM", "block RAM", "carry"]);
        let row = |name: &str, instances: u64, c: &Counts| {
            let counts = [instances, c.luts, c.flip_flops, c.lut_rams, c.block_rams, c.carries];
            std::iter::once(name.to_owned()).chain(counts.map(|n| n.to_string())).collect()
        };
        table.push(row("whole, flattened", 1, &self.whole));
        for ModuleRow { module, instances, each } in &self.modules {
            table.push(row(&format!("{module}, alone"), *instances, each));
        }
        text += &format!("\n{}", table.text());
        text += &format!("{} switches, links of {} bits\n", self.switches, self.link_bits);
        if let Some(cells) = self.logic_cells {
            text += &format!("logic cells: {cells}, packed\n");
        }
        if let Some(clock) = &measured.clock {
            text += indent(&timing(clock)).trim_start();
        }
        text
    }
}
