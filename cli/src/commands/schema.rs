//! `turnpike schema`: what programs can rely on in each report.

use super::{
    analyze, audit, bsp, compare, design, explore, generate, job, list, place, route, schedule,
    search, simulate, sweep, synth, tables, verify, worst,
};
use crate::format::{Format, FormatOption, json};
use crate::table::Table;
use crate::tabular::{Field, ReportKind};
use crate::{Report, system};
use anyhow::anyhow;
use clap::Args;
use turnpike_base::nearest::Nearest;

/// Options of `schema`.
#[derive(Args, Debug)]
pub struct SchemaOptions {
    /// The report. Default: the list of all
    pub report: Option<String>,
    /// Format of the report: json for a JSON Schema, text or csv for the fields
    #[command(flatten)]
    pub format: FormatOption,
}

/// Every report that programs can read. A new one is a line here.
pub const REPORTS: &[ReportKind] = &[
    list::REPORT,
    generate::REPORT,
    generate::CIRCUIT_REPORT,
    generate::SLOTTED_REPORT,
    generate::BUS_REPORT,
    analyze::REPORT,
    analyze::PATTERN_REPORT,
    analyze::COLLAPSE_REPORT,
    analyze::BOUNDS_REPORT,
    analyze::BUS_REPORT,
    compare::REPORT,
    compare::across::REPORT,
    compare::synth::REPORT,
    simulate::REPORT,
    simulate::CLASSES_REPORT,
    simulate::WORKLOAD_REPORT,
    simulate::MACHINE_REPORT,
    simulate::BUS_REPORT,
    simulate::FUNNEL_REPORT,
    sweep::REPORT,
    sweep::CLASSES_REPORT,
    job::REPORT,
    bsp::REPORT,
    bsp::CIRCUIT_REPORT,
    verify::REPORT,
    verify::CIRCUIT_REPORT,
    verify::SLOTTED_REPORT,
    verify::FORMAL_REPORT,
    verify::CIRCUIT_FORMAL_REPORT,
    verify::SLOTTED_FORMAL_REPORT,
    verify::BUS_REPORT,
    verify::BUS_FORMAL_REPORT,
    synth::REPORT,
    synth::CIRCUIT_REPORT,
    synth::SLOTTED_REPORT,
    synth::BUS_REPORT,
    route::REPORT,
    route::ALL_REPORT,
    worst::REPORT,
    audit::REPORT,
    schedule::REPORT,
    schedule::TIME_TABLE_REPORT,
    design::REPORT,
    explore::REPORT,
    place::REPORT,
    search::REPORT,
    tables::REPORT,
];

/// Name of the file format that has a JSON Schema, too.
const SYSTEM: &str = "system";
/// Subject of that file format.
const ABOUT_SYSTEM: &str =
    "a system file, which stands wherever a topology's name does: JSON alone";

/// Runs it.
///
/// # Errors
/// A report that is not there, with the nearest name.
pub fn run(options: &SchemaOptions) -> anyhow::Result<Report> {
    let Some(name) = &options.report else {
        let mut table = Table::new(["report", "about"]);
        for kind in REPORTS {
            table.push(vec![kind.name.to_owned(), kind.about.to_owned()]);
        }
        table.push(vec![SYSTEM.to_owned(), ABOUT_SYSTEM.to_owned()]);
        return Ok(Report::holds(match options.format.format {
            Format::Text => table.text(),
            Format::Csv => table.csv(),
            Format::Json => {
                let names = REPORTS.iter().map(|kind| kind.name).chain([SYSTEM]);
                json(&names.collect::<Vec<_>>())?
            }
        }));
    };
    if name == SYSTEM {
        return Ok(Report::holds(json(&system::schema::schema(&crate::command()))?));
    }
    let kind = REPORTS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names = REPORTS.iter().map(|kind| kind.name).chain([SYSTEM]);
        let names: Vec<&str> = names.collect();
        let nearest = Nearest::of(name, names.iter().copied());
        anyhow!("unknown report '{name}'{nearest} (there are: {})", names.join(", "))
    })?;
    let fields = || {
        let mut table = Table::new(["field", "holds", "meaning"]);
        for Field { field, holds, meaning } in kind.fields() {
            table.push(vec![field, holds, meaning]);
        }
        table
    };
    Ok(Report::holds(match options.format.format {
        Format::Text => fields().text(),
        Format::Csv => fields().csv(),
        Format::Json => json(&(kind.schema)())?,
    }))
}
