//! The end of a queue between two clocks at which words go out.

use super::{pointer, pointer_bits};
use std::sync::Arc;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError, StreamType};

/// The end of a queue of `depth` words, a power of two, in the clock of what goes out. Ports:
/// - `tail`: the number of the next word to come, in Gray code, of the other clock;
/// - `head`: that of the oldest word, in Gray code, out of a register;
/// - `address`, `word`: a word that the other end has;
/// - the stream `out`, from registers; under reset no word is offered.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn reader(
    prefix: &str,
    width: u32,
    depth: u32,
    sync_stages: u32,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "async_reader", depth);
    m.width_parameter(width);
    m.about(format!("The end of a queue of {depth} words in the clock of what goes out."));
    m.about("A word is read once the tail was seen to pass it, so that it is still by then.");
    let (address, bits) = (address_bits(depth), pointer_bits(depth));
    let tail = m.input("tail", bits);
    let head = m.output("head", bits);
    let at = m.output("address", address);
    let word = m.input("word", width);
    m.parametric(word);
    let to = m.stream_out("out", StreamType::plain([("data", width)]));
    let data = m.parametric(to.field("data").expect("words have bits"));

    m.section("Whether there is a word, and whether it is taken");
    let seen = m.synchronised("tail", tail, sync_stages);
    let empty = m.define("empty", 1, Expr::from(head).equals(seen));
    let offers = m.reg_from_zero("offers", 1);
    let handshake = to.lanes[0];
    let free = !Expr::from(offers) | handshake.ready;
    let pop = m.define("pop", 1, !Expr::from(empty) & free);
    m.assign(handshake.valid, !Expr::Reset & offers);

    m.section("The head, as a number and in Gray code");
    let number = pointer(&mut m, bits, pop, head);
    m.assign(at, number.slice(0, address));

    m.section("The word on offer");
    let waits = Expr::from(offers) & !Expr::from(handshake.ready);
    let next = Expr::from(pop) | waits;
    m.takes_still(data);
    m.registers(vec![
        Register { net: offers, reset: Some(0), enable: None, next },
        Register { net: data, reset: None, enable: Some(pop.into()), next: word.into() },
    ]);
    m.finish()
}
