//! Designs that `turnpike synth` measures of a switched fabric: its switches by class, or the whole.

use super::report::{ClockReport, Counts, Figures, Found, SynthReport, timing};
use super::throughput::{Accepted, Throughput};
use super::{Crossbar, FabricPart, SynthOptions, Synthesised, fit};
use crate::format::indent;
use crate::table::Table;
use crate::tabular::ReportKind;
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan, full_crossbar_no_uturn};
use turnpike_fabric::report::Configuration;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::Measured;
use turnpike_flow::session::{FlowError, Session};

/// Designs of a switched fabric that were measured.
#[derive(Serialize, JsonSchema)]
pub struct Designs<'a> {
    /// Part of the fabric that was synthesised.
    part: FabricPart,
    /// Crossbar of the switches.
    crossbar: Crossbar,
    /// A design each: the switches of each class, or the whole.
    results: Vec<ResultReport<'a>>,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<SynthReport<'_, Configuration, Designs<'_>>>(
    "synth",
    "area and clock (`synth`)",
);

#[derive(Serialize, JsonSchema)]
struct ResultReport<'a> {
    /// Name of the module that was synthesised.
    top: &'a str,
    /// The flattened design.
    whole: Counts,
    /// Cells of the device that the design takes once packed.
    logic_cells: Option<u64>,
    /// Each part mapped by itself: they need not add up to the whole.
    parts: PartsReport,
    /// All cells, by the target's names for them.
    cells_by_type: &'a BTreeMap<String, u64>,
    /// The clock, where it was placed.
    clock: Option<ClockReport<'a>>,
    /// Flits per second of the whole network. Absent where nothing was placed, of switches alone, of flows
    /// with bandwidths, and where the network deadlocks.
    throughput: Option<Throughput>,
}

#[derive(Serialize, JsonSchema)]
struct PartsReport {
    /// Cells of the crossbar's multiplexers.
    multiplexers: Counts,
    /// Cells of the switch's queues.
    queues: Counts,
    /// Cells of the outputs' arbiters.
    arbiters: Counts,
    /// Route logic and what joins the others.
    rest: Counts,
}

impl<'a> Figures<'a> for Designs<'a> {
    const ROWS: Option<&'static str> = Some("results");

    fn of(found: &'a Found) -> anyhow::Result<Self> {
        let results = found.subjects.iter().zip(&found.measured);
        let results =
            results.map(|(subject, measured)| result(&subject.design.top, measured, found));
        Ok(Self { part: found.part, crossbar: found.crossbar, results: results.collect() })
    }

    fn text(&self, found: &Found, _what: &str, _own: &str) -> String {
        let mut text = String::new();
        for (subject, measured) in found.subjects.iter().zip(&found.measured) {
            let area = indent(&area(measured));
            text += &format!("\n{}\n{}\n", subject.design.top, area.trim_end());
            if let Some(cells) = measured.logic_cells {
                text += &format!("  logic cells: {cells}, packed\n");
            }
            if let Some(clock) = &measured.clock {
                text += &format!("{}\n", indent(&timing(clock)).trim_end());
            }
            if let Some(accepted) = &found.accepted {
                text += &indent(&accepted.text(measured));
            }
        }
        text
    }
}

fn result<'a>(top: &'a str, measured: &'a Measured, found: &Found) -> ResultReport<'a> {
    let parts = &measured.parts;
    ResultReport {
        top,
        whole: Counts::of(&measured.cells),
        logic_cells: measured.logic_cells,
        parts: PartsReport {
            multiplexers: Counts::of(&parts.multiplexers),
            queues: Counts::of(&parts.queues),
            arbiters: Counts::of(&parts.arbiters),
            rest: Counts::of(&parts.rest),
        },
        cells_by_type: &measured.cells.by_type,
        clock: measured.clock.as_ref().map(ClockReport::of),
        throughput: match &found.accepted {
            Some(Accepted::Simulated(simulated)) => simulated.throughput(measured),
            Some(Accepted::Unknown(_)) | None => None,
        },
    }
}

fn area(measured: &Measured) -> String {
    let standard_cells = measured.cells.area.is_some();
    let mut table = match standard_cells {
        true => Table::new(["", "cells", "flip-flops", "area (um2)"]),
        false => Table::new(["", "LUTs", "flip-flops", "LUT-RAM", "block RAM", "carry"]),
    };
    let parts = &measured.parts;
    for (name, cells) in [
        ("whole, flattened", &measured.cells),
        ("multiplexers, alone", &parts.multiplexers),
        ("queues, alone", &parts.queues),
        ("arbiters, alone", &parts.arbiters),
        ("rest, alone", &parts.rest),
    ] {
        let c = Counts::of(cells);
        let numbers = match standard_cells {
            true => {
                let area = c.area_um2.unwrap_or(0.0);
                vec![c.cells.to_string(), c.flip_flops.to_string(), format!("{area:.0}")]
            }
            false => [c.luts, c.flip_flops, c.lut_rams, c.block_rams, c.carries]
                .map(|n| n.to_string())
                .to_vec(),
        };
        table.push([vec![name.to_owned()], numbers].concat());
    }
    table.text()
}

/// Refuses parts that no switched fabric has.
///
/// # Errors
/// The part of a bus fabric; a whole fabric of full crossbars.
pub(super) fn check(options: &SynthOptions) -> anyhow::Result<()> {
    if options.part() == FabricPart::Node {
        bail!("--part node is for bus fabrics (ocpc, mob); use switch or fabric");
    }
    if options.part() == FabricPart::Fabric && options.crossbar == Crossbar::Full {
        bail!(
            "a fabric of full crossbars is not built (it could deadlock); use --part switch with \
             --crossbar full"
        );
    }
    Ok(())
}

impl Synthesised for FabricPlan {
    const VERSION: u32 = 2;
    type Head = Configuration;
    type Figures<'a> = Designs<'a>;

    fn part(&self, options: &SynthOptions) -> anyhow::Result<FabricPart> {
        check(options)?;
        Ok(options.part())
    }
    fn head(&self, _part: FabricPart) -> Configuration {
        Configuration::of(self)
    }
    fn subjects(
        &self,
        options: &SynthOptions,
        part: FabricPart,
        session: &Session,
    ) -> anyhow::Result<Vec<Subject>> {
        if part == FabricPart::Switch {
            return switches(self, options.crossbar);
        }
        fit::check_before(session, options, self)?;
        Ok(vec![Subject::fabric(self)?])
    }
    fn accepted(&self, part: FabricPart) -> anyhow::Result<Option<Accepted>> {
        (part == FabricPart::Fabric).then(|| Accepted::of(self)).transpose()
    }
    fn explain(
        &self,
        options: &SynthOptions,
        session: &Session,
        error: FlowError,
    ) -> anyhow::Error {
        fit::explain(session, options, error)
    }
}

/// The plans of the switches, by class, with this crossbar.
pub fn classes(plan: &FabricPlan, crossbar: Crossbar) -> Vec<SwitchPlan> {
    let classes = plan.switches.iter().zip(&plan.network().turns().classes);
    let of = |(switch, turns): (&SwitchPlan, &_)| match crossbar {
        Crossbar::Routed => switch.clone(),
        Crossbar::Full => {
            full_crossbar_no_uturn(plan.network(), turns, format!("{}_full", switch.name))
        }
    };
    classes.map(of).collect()
}

/// Switches with this crossbar, to be measured.
///
/// # Errors
/// None, unless Turnpike is wrong.
pub fn switches(plan: &FabricPlan, crossbar: Crossbar) -> anyhow::Result<Vec<Subject>> {
    let classes = classes(plan, crossbar);
    // Not that of nodes that failed, or that no flow comes by.
    let built = classes.iter().filter(|class| !class.queues.is_empty());
    built.map(|class| Ok(Subject::switch(plan, class)?)).collect()
}
