//! A sender: the queue of words for a bus, and the state machine of the protocol at its head.

mod backoff;
mod rotor;
mod thinning;
mod window;

use crate::plan::BusPlan;
use crate::protocol::Protocol;
use std::sync::Arc;
use turnpike_fabric::plan::draw::STATE_BITS;
use turnpike_fabric::rtl::draw::generator;
use turnpike_fabric::rtl::fifo::{Shape, fifo};
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Bits of a sender's seed.
pub const SEED_BITS: u32 = STATE_BITS;

/// The name of the module of the generators.
pub fn generator_name(plan: &BusPlan) -> String {
    format!("{}_draw", plan.name)
}

/// The module of the senders on busses of a dimension. Ports:
/// - `data_slot`: whether this is a slot for data;
/// - `seed`, where it draws: the state of the generator under reset; else `position`, the node's
///   coordinate (constants at the instance);
/// - `in_valid`, `in_ready`, `in_data`: the queue; the receiver's coordinate on top of the word;
/// - `send`, `to`, `word`: whether it sends in this slot, to which coordinate, what. `to` and
///   `word` stay as they are until the end of the slot for acknowledgements that follows;
/// - `told`: in that slot, whether the word was taken.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn sender(plan: &BusPlan, dimension: usize) -> Result<Arc<Module>, RtlError> {
    let grid = &plan.grid;
    let (to_bits, word_bits) = (grid.coordinate_bits(dimension), plan.word_bits(dimension));
    let name = format!("{}_{}", plan.name, plan.along(dimension, "sender"));
    let kind = plan.protocol.kind();
    let mut m = ModuleBuilder::new(name);
    m.about("The words for a bus. One is sent until its receiver has taken it.");
    m.about(format!("Protocol {}: {}.", kind.name, kind.summary));
    let data_slot = m.input("data_slot", 1);
    let draws = plan.protocol.draw_bits() > 0;
    let seed = draws.then(|| m.input("seed", SEED_BITS));
    let position = (!draws).then(|| m.input("position", to_bits));
    let in_valid = m.input("in_valid", 1);
    let in_ready = m.output("in_ready", 1);
    let in_data = m.input("in_data", to_bits + word_bits);
    let send = m.output("send", 1);
    let to = m.output("to", to_bits);
    let word = m.output("word", word_bits);
    let told = m.input("told", 1);

    let waiting = m.wire("waiting", 1);
    let done = m.wire("done", 1);
    let head = m.wire("head", in_data.width);
    m.assign(to, head.slice(word_bits, to_bits));
    m.assign(word, head.slice(0, word_bits));

    m.section("What became of the word that was sent");
    let sent = m.reg("sent", 1);
    m.registers(vec![Register { net: sent, reset: Some(0), enable: None, next: send.into() }]);
    m.assign(done, Expr::from(sent) & told);

    let nets = Nets {
        data_slot,
        in_valid,
        in_ready,
        in_data,
        waiting,
        head,
        send,
        sent,
        done,
        seed,
        position,
    };
    match plan.protocol {
        Protocol::Window(window) => window::build(plan, window, &mut m, &nets)?,
        Protocol::Backoff(backoff) => backoff::build(plan, backoff, &mut m, &nets)?,
        Protocol::Thinning(thinning) => thinning::build(plan, thinning, &mut m, &nets)?,
        Protocol::Rotor => rotor::build(plan, dimension, &mut m, &nets)?,
    }
    m.finish()
}

/// The words in a queue, its first word at the head.
fn queue(plan: &BusPlan, m: &mut ModuleBuilder, nets: &Nets) -> Result<(), RtlError> {
    m.section("Queue");
    let queue = fifo(&plan.name, nets.head.width, Shape::ram(plan.parameters.depth))?;
    m.instance(
        "fifo",
        &queue,
        [
            ("in_valid", nets.in_valid.into()),
            ("in_ready", nets.in_ready.into()),
            ("in_data", nets.in_data.into()),
            ("out_valid", nets.waiting.into()),
            ("out_ready", nets.done.into()),
            ("out_data", nets.head.into()),
        ],
    );
    Ok(())
}

/// Nets that a protocol reads and drives.
struct Nets {
    data_slot: Net,
    /// A word comes, in a slot for data.
    in_valid: Net,
    /// To be driven: there is room for it.
    in_ready: Net,
    /// Word that comes.
    in_data: Net,
    /// To be driven: there is a word to send.
    waiting: Net,
    /// To be driven: that word, until the slot for acknowledgements is over.
    head: Net,
    /// To be driven: it is sent in this slot. Low in slots for acknowledgements.
    send: Net,
    /// Whether the word was sent in the slot before.
    sent: Net,
    /// Whether the word has been taken: it leaves.
    done: Net,
    /// The generator's state under reset, where it draws.
    seed: Option<Net>,
    /// The coordinate, where it does not.
    position: Option<Net>,
}

/// Bits that the generator shows, of those that the protocol draws; it moves on behind a cycle with
/// `next`. `each`: the purpose of a draw, in words.
fn drawn(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    nets: &Nets,
    each: &str,
    next: Expr,
) -> Result<Net, RtlError> {
    let bits = plan.protocol.draw_bits();
    let module = generator(generator_name(plan), each, bits)?;
    let drawn = m.wire("drawn", bits);
    let seed = nets.seed.expect("a protocol that draws has a seed");
    let connections = [("seed", seed.into()), ("next", next), ("drawn", drawn.into())];
    m.instance("draw", &module, connections);
    Ok(drawn)
}

/// Whether the `width` bits of a net from `low` on are less than `bound`, which is 1 to 2^width - 1.
pub(super) fn below(net: Net, low: u32, width: u32, bound: u32) -> Expr {
    // From the lowest bit of the bound that is set: below it nothing counts.
    let first = bound.trailing_zeros();
    let mut below = !net.bit(low + first);
    for bit in first + 1..width {
        below = match bound >> bit & 1 {
            1 => !net.bit(low + bit) | below,
            _ => !net.bit(low + bit) & below,
        };
    }
    below
}
