//! The queue of one (input port, VC): first in, first out, one flit in and one flit out per
//! cycle at any depth.

mod behind;
mod block;
mod level;
pub(in crate::rtl) mod ring;
mod shift;

use std::sync::Arc;
use turnpike_netlist::{Expr, Handshake, Module, ModuleBuilder, Net, RtlError, Stream, StreamType};

/// Queues up to this depth keep their flits in a memory read in the same cycle, which maps to
/// LUT-RAM or flip-flops; deeper ones in block RAM, behind two flip-flop words or behind none.
pub const DISTRIBUTED_DEPTH: u32 = 32;

/// Queues up to this depth count their words in a thermometer code, deeper ones in binary.
pub const THERMOMETER_DEPTH: u32 = 8;

/// Size and make of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Words, 2 or more.
    pub depth: u32,
    /// Words in a shift register in place of a memory: up to [`THERMOMETER_DEPTH`] of them.
    pub shift: bool,
    /// Words, at most `depth` - 2, that may be on the way when `in_ready` says whether there is room.
    pub in_flight: u32,
    /// Whether a block RAM has two words in flip-flops in front of it, so that a word can come out in the next
    /// cycle, as in all other queues. Without them it comes out two cycles later, for less area.
    pub in_front: bool,
}

impl Shape {
    /// A memory, and nothing on the way.
    pub fn ram(depth: u32) -> Self {
        Self { depth, shift: false, in_flight: 0, in_front: true }
    }

    /// Whether words come out of a block RAM itself, two cycles after they went in.
    pub fn is_behind(&self) -> bool {
        self.depth > DISTRIBUTED_DEPTH && !self.in_front
    }
}

/// A queue for words of `width` bits. Ports:
/// - `in_valid`, `in_data`; `in_ready`: there is room (from a register);
/// - `out_valid` (from a register), `out_data`: the oldest word; `out_ready`: taken this cycle.
///
/// A word that goes in can come out in the next cycle, or two cycles later ([`Shape::is_behind`]). There is no combinational path from
/// `in_*` to `out_*` or from `out_ready` to `in_ready`.
///
/// With words in flight, `in_ready` says that there is room beside them, and whoever was told
/// so may send as many cycles later: `in_valid` counts even where `in_ready` has gone low.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn fifo(prefix: &str, width: u32, shape: Shape) -> Result<Arc<Module>, RtlError> {
    let kind = if shape.shift { "shift_fifo" } else { "fifo" };
    of_kind(prefix, kind, width, shape)
}

/// Kind of the queues of memory-mapped ends.
pub const END_FIFO: &str = "end_fifo";

/// A queue of a memory-mapped end: as [`fifo`], with nothing on the way when it says whether there is room.
/// Nobody waits for the first word of a deep one: it has none in front of its block RAM.
///
/// # Errors
/// As [`fifo`].
pub fn end_fifo(prefix: &str, width: u32, depth: u32) -> Result<Arc<Module>, RtlError> {
    of_kind(prefix, END_FIFO, width, Shape { in_front: false, ..Shape::ram(depth) })
}

fn of_kind(
    prefix: &str,
    kind: &'static str,
    width: u32,
    shape: Shape,
) -> Result<Arc<Module>, RtlError> {
    let depth = shape.depth;
    let mut m = ModuleBuilder::of_kind(prefix, kind, depth);
    m.width_parameter(width);
    m.about(format!("First-in first-out queue of {depth} words, one word per cycle in and out."));
    m.about(match shape.is_behind() {
        true => "Ready and valid come from registers; a word can leave two cycles after it came.",
        false => {
            "Ready and valid come from registers; a word can leave in the cycle after it came."
        }
    });
    match shape.in_flight {
        0 => {}
        1 => m.about(
            "A sender that sees in_ready high may send in the next cycle, even if it is low then.",
        ),
        cycles => {
            m.about(format!(
                "A sender that sees in_ready high may send up to {cycles} cycles later, even if it is"
            ));
            m.about("low then.");
        }
    }
    let words = || StreamType::plain([("data", width)]);
    let (from, to) = (m.stream_in("in", words()), m.stream_out("out", words()));
    let mut data = |stream: &Stream| m.parametric(stream.field("data").expect("words have bits"));
    let (in_data, out_data) = (data(&from), data(&to));
    let Handshake { valid: in_valid, ready: in_ready } = from.lanes[0];
    let Handshake { valid: out_valid, ready: out_ready } = to.lanes[0];
    let ports = Ports { in_valid, in_ready, in_data, out_valid, out_ready, out_data };

    m.section("Transfers");
    let asked = Expr::from(ports.in_valid);
    let pushes = if shape.in_flight > 0 { asked } else { asked & ports.in_ready };
    let push = m.define("push", 1, pushes);
    let pop = m.define("pop", 1, Expr::from(ports.out_valid) & ports.out_ready);

    if depth > THERMOMETER_DEPTH {
        let count = level::counter(&mut m, &ports, push, pop, shape);
        match depth <= DISTRIBUTED_DEPTH {
            true => ring::storage(&mut m, &ports, push, push, pop, depth),
            false if shape.is_behind() => behind::storage(&mut m, &ports, push, pop, count, depth),
            false => block::storage(&mut m, &ports, push, pop, count, depth),
        }
        return m.finish();
    }
    let filled = level::thermometer(&mut m, &ports, push, pop, shape);
    if shape.shift {
        shift::storage(&mut m, &ports, &filled, pop);
    } else {
        let write = if shape.in_flight > 0 { push } else { ports.in_ready };
        ring::storage(&mut m, &ports, write, push, pop, depth);
    }
    m.finish()
}

struct Ports {
    in_valid: Net,
    in_ready: Net,
    in_data: Net,
    out_valid: Net,
    out_ready: Net,
    out_data: Net,
}
