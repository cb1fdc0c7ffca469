//! Proofs of the bridges between AXI4 and what terminals speak, each at the size that is built.

use super::Part;
use super::around::{Around, stays};
use crate::formal::{Context, EmitError, Kind, Proofs, Task};
use askama::Template;
use turnpike_ends::{Ends, Protocol, Role, Widths};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::ends::{BridgeShape, INNER, bridges};
use turnpike_netlist::Module;

const OF_SUBORDINATE: &str = "each beat becomes the accesses that it needs, at the addresses of A3.4.1, by the rules of both protocols; answers are theirs";
const OF_MANAGER: &str =
    "each transfer becomes one transaction, and its answer is given to whoever still waits for it";
const LITE: &str = "each handshake is one of AXI4, of one beat";

/// Bits of a word up to which bridges are proven: half a minute.
const MOST_BITS: u32 = 64;

/// Property module of a bridge to a subordinate.
#[derive(Template)]
#[template(path = "formal/ends/bridge_to.v.askama", escape = "none")]
struct ToFile<'a> {
    around: Around<'a>,
    outer: Widths,
    inner: Widths,
    /// Bytes of a word, and of an access, as powers of two.
    word_size: u32,
    part_size: u32,
    /// Whether the subordinate speaks AXI4.
    is_full: bool,
    face: String,
}

/// Property module of a bridge from a manager that asks one by one.
#[derive(Template)]
#[template(path = "formal/ends/bridge_from.v.askama", escape = "none")]
struct FromFile<'a> {
    around: Around<'a>,
    outer: Widths,
    part_size: u32,
    face: String,
    single: String,
    /// Whether a manager may leave what it asked for.
    may_leave: bool,
}

/// Property module of a bridge from a manager of AXI4-Lite.
#[derive(Template)]
#[template(path = "formal/ends/from_lite.v.askama", escape = "none")]
struct LiteFile<'a> {
    around: Around<'a>,
    part_size: u32,
}

#[derive(Template)]
#[template(path = "formal/ends/apb.askama", escape = "none")]
struct ToApb {
    outer: Widths,
}

#[derive(Template)]
#[template(path = "formal/ends/wishbone.askama", escape = "none")]
struct ToWishbone {
    outer: Widths,
    is_pipelined: bool,
}

/// Transactions of one beat, on a port whose signals begin with `p`.
#[derive(Template)]
#[template(path = "formal/ends/single.askama", escape = "none")]
struct Single {
    p: &'static str,
    port: Widths,
    is_full: bool,
}

#[derive(Template)]
#[template(path = "formal/ends/from_apb.askama", escape = "none")]
struct FromApb {
    outer: Widths,
}

#[derive(Template)]
#[template(path = "formal/ends/from_wishbone.askama", escape = "none")]
struct FromWishbone {
    outer: Widths,
    is_pipelined: bool,
}

/// Proofs of the bridges of a fabric.
pub(super) fn of_bridges(
    context: &Context<'_, FabricPlan>,
    ends: &Ends,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks: Vec<Task> = Vec::new();
    for (shape, module) in bridges(context.plan, ends)? {
        let (properties, reached, cover) = match (shape.role, shape.protocol) {
            (Role::Subordinate, _) => {
                let parts = shape.inner.data / shape.outer.data;
                (
                    OF_SUBORDINATE,
                    "errors of both, a burst that wraps, a reset on the way",
                    4 * parts + 24,
                )
            }
            (Role::Manager, Protocol::Axi4Lite) => (LITE, "answers of both", 4),
            (Role::Manager, _) => (OF_MANAGER, "answers of both, a reset on the way", 12),
        };
        let not_shown = (shape.inner.data > MOST_BITS)
            .then_some("words of more than 64 bits; the check of the ends runs it");
        let part =
            Part { module: &module, kind: Kind::Proof, properties, not_shown, cover, reached };
        let text = |name: &str| match shape.role {
            Role::Subordinate => to_subordinate(context, &shape, &module, name),
            Role::Manager => from_manager(context, &shape, &module, name),
        };
        tasks.extend(part.tasks(&context.plan.name, proofs, text)?);
    }
    proofs.proof("bridge", "The bridges between protocols.", tasks);
    Ok(())
}

fn size(widths: Widths) -> u32 {
    (widths.data / 8).ilog2()
}

fn to_subordinate(
    context: &Context<'_, FabricPlan>,
    shape: &BridgeShape,
    module: &Module,
    name: &str,
) -> Result<String, EmitError> {
    let about = [
        "A bridge to a subordinate: each beat of a transaction becomes the accesses that it needs, in",
        "order, each once; a read gets what they gave, and the answer is that of the first error.",
    ];
    let BridgeShape { protocol, outer, inner, .. } = *shape;
    let is_full = protocol == Protocol::Axi4;
    let mut channels = stays(Protocol::Axi4, inner, INNER, false)?;
    let face = match protocol {
        Protocol::Apb => ToApb { outer }.render()?,
        Protocol::Wishbone => ToWishbone { outer, is_pipelined: false }.render()?,
        Protocol::WishbonePipelined => ToWishbone { outer, is_pipelined: true }.render()?,
        Protocol::Axi4 | Protocol::Axi4Lite => {
            channels.extend(stays(protocol, outer, "", true)?);
            Single { p: "", port: outer, is_full }.render()?
        }
    };
    let text = ToFile {
        around: Around::of(context, module, name, &about, channels),
        outer,
        inner,
        word_size: size(inner),
        part_size: size(outer),
        is_full,
        face,
    };
    Ok(text.render()?)
}

fn from_manager(
    context: &Context<'_, FabricPlan>,
    shape: &BridgeShape,
    module: &Module,
    name: &str,
) -> Result<String, EmitError> {
    let BridgeShape { protocol, outer, inner, .. } = *shape;
    let part_size = size(outer);
    let mut channels = stays(Protocol::Axi4, inner, INNER, true)?;
    let (face, may_leave) = match protocol {
        Protocol::Axi4 => unreachable!("an end speaks AXI4 itself"),
        Protocol::Axi4Lite => {
            let about = [
                "A bridge from a manager of AXI4-Lite: each handshake is one of AXI4, of one beat.",
            ];
            channels.extend(stays(protocol, outer, "", false)?);
            let around = Around::of(context, module, name, &about, channels);
            return Ok(LiteFile { around, part_size }.render()?);
        }
        Protocol::Apb => (FromApb { outer }.render()?, false),
        Protocol::Wishbone => (FromWishbone { outer, is_pipelined: false }.render()?, true),
        Protocol::WishbonePipelined => (FromWishbone { outer, is_pipelined: true }.render()?, true),
    };
    let about = [
        "A bridge from a manager: each transfer becomes one transaction of one beat, and its answer is",
        "given to whoever still waits for it, and to nobody else.",
    ];
    let text = FromFile {
        around: Around::of(context, module, name, &about, channels),
        outer,
        part_size,
        face,
        single: Single { p: INNER, port: inner, is_full: true }.render()?,
        may_leave,
    };
    Ok(text.render()?)
}
