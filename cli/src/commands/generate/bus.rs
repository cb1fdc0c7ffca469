//! `turnpike generate` of a bus fabric.

use super::Generated;
use super::written::{self, WrittenFile};
use crate::format::wrap;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use turnpike_bus::BusPlan;
use turnpike_emit::File;
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

impl Generated for BusPlan {
    type Report = WrittenBus;

    fn written(&self, folder: &Path, files: &[File], board: Option<&Board>) -> WrittenBus {
        WrittenBus {
            schema_version: 1,
            fabric: self.name.clone(),
            configuration: self.canonical(),
            folder: folder.display().to_string(),
            files: files.iter().map(WrittenFile::of).collect(),
            selftest: board.map(|board| board.name),
            terminals: self.terminals(),
            busses: self.busses(),
            longest_bus: self.longest_bus(),
            degree: self.degree(),
            crosspoints: self.crosspoints(),
            delivery: self.delivery(),
        }
    }

    fn text(&self, report: &WrittenBus, board: Option<&Board>) -> String {
        report.text(self, board)
    }
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
