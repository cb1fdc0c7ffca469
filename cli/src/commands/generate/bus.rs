//! `turnpike generate` of a bus fabric.

use super::written::{self, WrittenFile};
use super::{GenerateOptions, refuse_another};
use crate::Report;
use crate::format::{Format, json, wrap};
use crate::progress::Progress;
use crate::tabular::{self, Document, ReportKind};
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_emit::origin::Origin;
use turnpike_emit::{Vlnv, folder};
use turnpike_fabric::board::Board;

/// A bus fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct WrittenBus {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Name of the fabric.
    fabric: String,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Path of the folder that was written.
    folder: String,
    /// Files of the fabric's folder.
    files: Vec<WrittenFile>,
    /// The board of the self-test, where there is one.
    selftest: Option<&'static str>,
    /// Number of terminals.
    terminals: u32,
    /// Busses of all dimensions, or between all levels.
    busses: u32,
    /// Most nodes on one bus.
    longest_bus: u32,
    /// Busses at a node, at most.
    degree: u32,
    /// Pairs of a sender and a receiver on one bus.
    crosspoints: u64,
    /// Promise of the fabric on the delivery of words.
    delivery: String,
}

impl Document for WrittenBus {}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<WrittenBus>(
    "generate_bus",
    "a bus fabric that was written (`generate ocpc`, `mob`, `split-hash`)",
);

/// Runs it.
///
/// # Errors
/// Options of switched fabrics; a folder that cannot be written.
pub(super) fn run(
    options: &GenerateOptions,
    plan: &BusPlan,
    vlnv: &Vlnv,
) -> anyhow::Result<Report> {
    if let Some(option) = options.of_switched() {
        bail!("{option} is for --kind switched; leave it out");
    }
    let board = options.board()?;
    let progress = Progress::spinner("building the RTL");
    let files = turnpike_emit::bus::render_as(plan, board, vlnv)?;
    let path = options.folder(&plan.name);
    if options.name.is_none() && !options.force {
        refuse_another(&path, &plan.name, &Origin::of_bus(plan))?;
    }
    folder::write(&path, &files, options.force)?;
    drop(progress);
    let report = WrittenBus {
        schema_version: 1,
        fabric: plan.name.clone(),
        configuration: plan.canonical(),
        folder: path.display().to_string(),
        files: files.iter().map(WrittenFile::of).collect(),
        selftest: board.map(|board| board.name),
        terminals: plan.terminals(),
        busses: plan.busses(),
        longest_bus: plan.longest_bus(),
        degree: plan.degree(),
        crosspoints: plan.crosspoints(),
        delivery: plan.delivery(),
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => report.text(plan, board),
    }))
}

impl WrittenBus {
    fn text(&self, plan: &BusPlan, board: Option<&Board>) -> String {
        let kind = plan.protocol.kind();
        let busses = match self.busses {
            1 => "1 bus".to_owned(),
            several => format!("{several} busses"),
        };
        let order = match plan.keeps_order() {
            true => "",
            false => "words of one source to one destination may overtake each other\n",
        };
        let selftest = board.map(|board| written::selftest(&plan.name, board));
        format!(
            "{}: {}\nwrote {}: {} files, {} kB\n  {} terminals, {busses} of at most {} nodes, {} \
             crosspoints\n  {}: {}\n{order}{}{}",
            self.fabric,
            self.configuration,
            self.folder,
            self.files.len(),
            WrittenFile::kilobytes(&self.files),
            self.terminals,
            self.longest_bus,
            self.crosspoints,
            kind.name,
            kind.summary,
            wrap(&format!("delivery: {}", self.delivery), written::WIDTH),
            selftest.unwrap_or_default(),
        )
    }
}
