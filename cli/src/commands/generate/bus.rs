//! Report of `generate` on a bus fabric.

use super::{Generated, WIDTH, Written};
use crate::format::{counted_as, wrap};
use crate::kinds::Identity;
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_emit::File;
use turnpike_fabric::board::Board;

/// Figures of a bus fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct BusFigures {
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

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<Written<Identity, BusFigures>>(
    "generate_bus",
    "a bus fabric that was written (`generate ocpc`, `mob`, `split-hash`)",
);

impl Generated for BusPlan {
    type Figures = BusFigures;

    fn figures(&self, _: &[File], board: Option<&Board>) -> BusFigures {
        BusFigures {
            selftest: board.map(|board| board.name),
            terminals: self.terminals(),
            busses: self.extent.busses,
            longest_bus: self.extent.longest_bus,
            degree: self.extent.degree,
            crosspoints: self.extent.crosspoints,
            delivery: self.delivery(),
        }
    }

    fn text(&self, figures: &BusFigures) -> String {
        let kind = self.protocol.kind();
        let BusFigures { terminals, longest_bus, crosspoints, .. } = figures;
        let busses = counted_as(figures.busses, "bus", "busses");
        let order = match self.keeps_order() {
            true => "",
            false => "words of one source to one destination may overtake each other\n",
        };
        format!(
            "  {terminals} terminals, {busses} of at most {longest_bus} nodes, {crosspoints} \
             crosspoints\n  {}: {}\n{order}{}",
            kind.name,
            kind.summary,
            wrap(&format!("delivery: {}", figures.delivery), WIDTH),
        )
    }
}
