//! A bus: the medium that its nodes share. Data goes one way, acknowledgements the other.

use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// The medium of a bus along this dimension, for its k nodes in order of their coordinates. Ports:
/// - `send` [k], `to`, `word`: who sends in this slot, to which coordinate, what;
/// - `only` [k]: a node gets exactly one word in this slot; `heard`: that word, and noise where
///   there is none, or more than one;
/// - `take` [k]: in a slot for acknowledgements, whether a node acknowledges the word that it
///   got; `told` [k]: whether the receiver at `to` does so.
///
/// Acknowledgements go back on the medium of their receiver, which alone drives it. A node that
/// did not send listens to no one.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn bus(plan: &BusPlan, dimension: usize) -> Result<Arc<Module>, RtlError> {
    let (count, bits, word) = sizes(plan, dimension);
    let mut m = ModuleBuilder::new(format!("{}_{}", plan.name, plan.along(dimension, "bus")));
    m.about(format!(
        "The medium that {count} nodes share. Each is heard by all others, and not by itself."
    ));
    m.about(
        "Whoever sends to a receiver to whom another sends in the same slot is not understood.",
    );
    let ports = Ports::declare(&mut m, count, bits, word);
    let take = m.input("take", count);
    let only = m.output("only", count);
    let heard = m.output("heard", count * word);
    let told = m.output("told", count);

    m.section("Receivers");
    let receiver = receiver(plan, dimension)?;
    let hears =
        |at| [others(ports.send, 1, at), others(ports.to, bits, at), others(ports.word, word, at)];
    place_receivers(&mut m, &receiver, (bits, word), (only, heard), hears);

    m.section("Acknowledgements");
    let each = |at: u32| select(take, ports.to, at * bits, bits, Some(at));
    m.assign(told, Expr::concat((0..count).rev().map(each)));
    m.finish()
}

/// A receiver: what it gets of the others' words. Ports as those of [`bus()`], without its own
/// sender, and `position`, its coordinate (a constant at the instance).
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn receiver(plan: &BusPlan, dimension: usize) -> Result<Arc<Module>, RtlError> {
    let (count, bits, word) = sizes(plan, dimension);
    let name = format!("{}_{}", plan.name, plan.along(dimension, "receiver"));
    receiver_of(&name, count - 1, bits, word)
}

/// The receiver of this name, of so many senders of words of `word` bits, receivers numbered by
/// `bits` bits.
pub(super) fn receiver_of(
    name: &str,
    senders: u32,
    bits: u32,
    word: u32,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(name);
    m.about(format!("A receiver of {senders} senders: only says that exactly one sends to it."));
    let position = m.input("position", bits);
    let Ports { send, to, word: words } = Ports::declare(&mut m, senders, bits, word);
    let only = m.output("only", 1);
    let heard = m.output("heard", word);
    m.section("Who sends here");
    let sends = |at: u32| send.bit(at) & to.slice(at * bits, bits).equals(position);
    let here = m.define("here", senders, Expr::concat((0..senders).rev().map(sends)));
    m.section("What is understood");
    if senders == 1 {
        m.assign(only, here);
    } else {
        m.comment("Without its lowest, nothing is left of one.");
        let rest = Expr::from(here) - Expr::constant(senders, 1);
        let rest = m.define("all_but_lowest", senders, Expr::from(here) & rest);
        m.assign(only, Expr::from(here).any() & !Expr::from(rest).any());
    }
    let passes = |at: u32| here.bit(at).repeat(word) & words.slice(at * word, word);
    m.assign(heard, Expr::any_of((0..senders).map(passes)));
    m.finish()
}

/// Nodes of a bus along a dimension, bits of a coordinate, bits of a word.
fn sizes(plan: &BusPlan, dimension: usize) -> (u32, u32, u32) {
    let grid = &plan.grid;
    (grid.sides()[dimension], grid.coordinate_bits(dimension), plan.word_bits(dimension))
}

/// Places a receiver for each bit of `only`: its number in `bits` bits, words of `word` bits, and what
/// it `hears` of `send`, `to` and `word`. What they understand goes to `only` and `heard`.
pub(super) fn place_receivers(
    m: &mut ModuleBuilder,
    receiver: &Arc<Module>,
    (bits, word): (u32, u32),
    (only, heard): (Net, Net),
    hears: impl Fn(u32) -> [Expr; 3],
) {
    let mut received = Vec::new();
    for at in 0..only.width {
        let one = m.wire(format!("receiver{at}_only"), 1);
        let what = m.wire(format!("receiver{at}_heard"), word);
        let [send, to, words] = hears(at);
        m.instance(
            format!("receiver{at}"),
            receiver,
            [
                ("position", Expr::constant(bits, at.into())),
                ("send", send),
                ("to", to),
                ("word", words),
                ("only", one.into()),
                ("heard", what.into()),
            ],
        );
        received.push((one, what));
    }
    m.assign(only, Expr::concat(received.iter().rev().map(|(one, _)| Expr::from(*one))));
    m.assign(heard, Expr::concat(received.iter().rev().map(|(_, what)| Expr::from(*what))));
}

/// Ports of a medium to its senders.
pub(super) struct Ports {
    pub send: Net,
    pub to: Net,
    pub word: Net,
}

impl Ports {
    pub fn declare(m: &mut ModuleBuilder, senders: u32, bits: u32, word: u32) -> Self {
        Self {
            send: m.input("send", senders),
            to: m.input("to", senders * bits),
            word: m.input("word", senders * word),
        }
    }
}

/// The slices of a vector but for one.
fn others(vector: Net, each: u32, but: u32) -> Expr {
    let above = vector.width - (but + 1) * each;
    let high = (above > 0).then(|| vector.slice((but + 1) * each, above));
    let low = (but > 0).then(|| vector.slice(0, but * each));
    Expr::concat(high.into_iter().chain(low))
}

/// The bit of `bits` whose number stands in `index` at `low`. Nothing is built for bit `but`, which no
/// index names, nor for those beyond the last.
pub(super) fn select(bits: Net, index: Net, low: u32, width: u32, but: Option<u32>) -> Expr {
    fn below(
        place: &impl Fn(u32) -> Option<Expr>,
        index: Net,
        low: u32,
        width: u32,
        first: u32,
    ) -> Option<Expr> {
        let Some(bit) = width.checked_sub(1) else { return place(first) };
        let zero = below(place, index, low, bit, first);
        let one = below(place, index, low, bit, first + (1 << bit));
        match (zero, one) {
            (Some(zero), Some(one)) => Some(index.bit(low + bit).mux(one, zero)),
            (zero, one) => zero.or(one),
        }
    }
    let place = |at: u32| (at < bits.width && but != Some(at)).then(|| bits.bit(at));
    below(&place, index, low, width, 0).expect("there is another bit")
}
