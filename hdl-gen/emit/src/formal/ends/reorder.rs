//! Bounded proofs of reorder buffers.

use super::Part;
use super::around::{Around, stays};
use crate::formal::{Context, EmitError, Kind, Proofs, Task};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_ends::{Ends, Protocol, Widths};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::ends::{INNER, ReorderShape, reorders};
use turnpike_netlist::Module;

/// Cycles that are looked at: half a minute; each more takes three times as long.
const CYCLES: u32 = 10;

/// Transactions in flight, and beats, up to which a buffer is looked at.
const MOST_IN_FLIGHT: u32 = 2;
const MOST_BEATS: u32 = 4;

const PROPERTIES: &str = "transactions end in order, each with its answer or beats (reads of up to twice its beats); AXI4 handshakes; replies are taken whatever the manager takes";

#[derive(Template)]
#[template(path = "formal/ends/reorder.v.askama", escape = "none")]
struct ReorderFile<'a> {
    around: Around<'a>,
    outer: Widths,
    inner: Widths,
    outstanding: u32,
    beats: u32,
    /// Bits of counters of transactions, and of beats.
    count_bits: u32,
    room_bits: u32,
    has_longer: bool,
}

/// Proofs of the reorder buffers of a fabric.
pub(super) fn of_reorders(
    context: &Context<'_, FabricPlan>,
    ends: &Ends,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks: Vec<Task> = Vec::new();
    for (shape, module) in reorders(context.plan, ends)? {
        let is_small = shape.outstanding <= MOST_IN_FLIGHT && shape.beats <= MOST_BEATS;
        let part = Part {
            module: &module,
            kind: Kind::Bounded(CYCLES),
            properties: PROPERTIES,
            not_shown: (!is_small).then_some(
                "more than 2 transactions in flight or 4 beats; the check of the ends runs it",
            ),
            cover: 20,
            reached: "replies of a later one first, no room, a read that passes by, a reset with some in flight",
        };
        let text = |name: &str| property(context, &shape, &module, name);
        tasks.extend(part.tasks(&context.plan.name, proofs, text)?);
    }
    proofs.proof("reorder", "The reorder buffers of managers.", tasks);
    Ok(())
}

fn property(
    context: &Context<'_, FabricPlan>,
    shape: &ReorderShape,
    module: &Module,
    name: &str,
) -> Result<String, EmitError> {
    let about = [
        "A reorder buffer: whatever replies come first, transactions end in the order in which they were",
        "asked for, each with its own answer or beats, and replies are taken whatever the manager takes.",
    ];
    let (outer, inner) = (shape.outer, shape.inner());
    let mut channels = stays(Protocol::Axi4, outer, "", false)?;
    channels.extend(stays(Protocol::Axi4, inner, INNER, true)?);
    let text = ReorderFile {
        around: Around::of(context, module, name, &about, channels),
        outer,
        inner,
        outstanding: shape.outstanding,
        beats: shape.beats,
        count_bits: bits_for(shape.outstanding + 2),
        room_bits: bits_for(shape.beats + 2).max(10),
        has_longer: shape.has_longer(),
    };
    Ok(text.render()?)
}
