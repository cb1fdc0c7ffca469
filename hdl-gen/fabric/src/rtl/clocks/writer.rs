//! The end of a queue between two clocks at which words come in, with the words.

use super::{pointer, pointer_bits};
use std::sync::Arc;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, Module, ModuleBuilder, RtlError, StreamType};

/// The end of a queue of `depth` words, a power of two, in the clock of what comes in. Ports:
/// - the stream `in`; under reset no word is taken;
/// - `tail`: the number of the next word, in Gray code, out of a register;
/// - `head`: that of the oldest, in Gray code, of the other clock;
/// - `address`, `word`: a word that the other end reads.
///
/// After Cummings, "Simulation and Synthesis Techniques for Asynchronous FIFO Design", SNUG 2002.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn writer(
    prefix: &str,
    width: u32,
    depth: u32,
    sync_stages: u32,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "async_writer", depth);
    m.width_parameter(width);
    m.about(format!(
        "The end of a queue of {depth} words, and its words, in the clock of what comes in."
    ));
    m.about(
        "The other end, in a clock of its own, reads a word once it has seen the tail pass it.",
    );
    let from = m.stream_in("in", StreamType::plain([("data", width)]));
    let data = m.parametric(from.field("data").expect("words have bits"));
    let (address, bits) = (address_bits(depth), pointer_bits(depth));
    let head = m.input("head", bits);
    let tail = m.output("tail", bits);
    let read = m.input("address", address);
    let word = m.output("word", width);
    m.parametric(word);

    m.section("Room: full where the tail is a round ahead of the head");
    let seen = m.synchronised("head", head, sync_stages);
    m.comment("A round ahead, in Gray code: the two highest bits differ, and no other.");
    let low = bits - 2;
    let ahead = [!seen.slice(low, 2), seen.slice(0, low)];
    let full = m.define("full", 1, Expr::from(tail).equals(Expr::concat(ahead)));
    let handshake = from.lanes[0];
    m.assign(handshake.ready, !Expr::Reset & !Expr::from(full));
    let push = m.define("push", 1, Expr::from(handshake.valid) & handshake.ready);

    m.section("The tail, as a number and in Gray code");
    let number = pointer(&mut m, bits, push, tail);

    m.section("Words");
    let words = m.memory("words", width, depth);
    m.write(words, push.into(), number.slice(0, address), data.into());
    m.assign(word, Expr::Read { memory: words, address: Box::new(read.into()) });
    m.finish()
}
