//! A bus between two levels: the medium that the nodes share which a function takes to one place.

use crate::funnels::Funnels;
use crate::plan::BusPlan;
use crate::rtl::medium::{Ports, place_receivers, receiver_of, select};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, RtlError};

/// The name of a part of the busses to a level that have so many senders: `to_level1_bus`; where they
/// differ, `to_level1_bus_of_13`.
pub fn name(plan: &BusPlan, funnels: &Funnels, level: u32, senders: u32, what: &str) -> String {
    let name = plan.along(level as usize, what);
    match funnels.sizes(level).len() {
        2.. => format!("{name}_of_{senders}"),
        _ => name,
    }
}

/// The medium of the busses to a level that have so many senders. Ports, with k receivers, one in
/// each part of the group:
/// - `active`, above level 0: whether the bus's function has this slot, and that of the
///   acknowledgements after it; nobody is heard on it otherwise;
/// - `send`, `to`, `word`, a slice for each sender: who sends in this slot, to which part, what;
/// - `only` [k]: a node gets exactly one word in this slot; `heard`: that word, and noise where
///   there is none, or more than one;
/// - `take` [k]: in a slot for acknowledgements, whether a node acknowledges the word that it got;
///   `told`, by sender: whether the receiver at `to` does so.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn bus(
    plan: &BusPlan,
    funnels: &Funnels,
    level: u32,
    senders: u32,
) -> Result<Arc<Module>, RtlError> {
    let (parts, bits) =
        (plan.grid.sides()[level as usize], plan.grid.coordinate_bits(level as usize));
    let word = plan.word_bits(level as usize);
    let mut m =
        ModuleBuilder::new(format!("{}_{}", plan.name, name(plan, funnels, level, senders, "bus")));
    m.about(format!(
        "A medium from {senders} nodes of level {} to {parts} of level {level}.",
        level + 1
    ));
    m.about(
        "Whoever sends to a receiver to whom another sends in the same slot is not understood.",
    );
    let gate = (level > 0).then(|| m.input("active", 1));
    let ports = Ports::declare(&mut m, senders, bits, word);
    let take = m.input("take", parts);
    let only = m.output("only", parts);
    let heard = m.output("heard", parts * word);
    let told = m.output("told", senders);

    let send = match gate {
        Some(active) => {
            m.section("Who is heard");
            m.comment("In the slots of one function: in others these nodes send on other busses.");
            let gated = Expr::from(ports.send) & active.bit(0).repeat(senders);
            m.define("reaches", senders, gated)
        }
        None => ports.send,
    };

    m.section("Receivers");
    let receiver = receiver(plan, funnels, level, senders)?;
    let hears = |_| [send.into(), ports.to.into(), ports.word.into()];
    place_receivers(&mut m, &receiver, (bits, word), (only, heard), hears);

    m.section("Acknowledgements");
    let each = |at: u32| {
        let told = select(take, ports.to, at * bits, bits, None);
        match gate {
            Some(active) => told & active,
            None => told,
        }
    };
    m.assign(told, Expr::concat((0..senders).rev().map(each)));
    m.finish()
}

/// A receiver of such a bus: what it gets of the words of all its senders. Ports as those of the
/// receivers of a grid, [`crate::rtl::medium::receiver`].
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn receiver(
    plan: &BusPlan,
    funnels: &Funnels,
    level: u32,
    senders: u32,
) -> Result<Arc<Module>, RtlError> {
    let name = format!("{}_{}", plan.name, name(plan, funnels, level, senders, "receiver"));
    let bits = plan.grid.coordinate_bits(level as usize);
    receiver_of(&name, senders, bits, plan.word_bits(level as usize))
}
