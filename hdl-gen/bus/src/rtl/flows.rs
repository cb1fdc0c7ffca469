//! One bus for flows: a node for each source and for each sink, and a bus on which a sink hears those
//! that have a flow to it, and no others.

use super::leveled::{node, place};
use super::medium::{Ports, receiver_of};
use super::sender::SEED_BITS;
use super::terminals::{SinkNets, SourceNets, Terminals};
use crate::flows::BusFlows;
use crate::plan::BusPlan;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// Builds what stands between the terminals.
pub(super) fn build(
    plan: &BusPlan,
    flows: &BusFlows,
    m: &mut ModuleBuilder,
    terminals: &Terminals,
    data_slot: Net,
) -> Result<(), RtlError> {
    let (bits, word) = (plan.grid.coordinate_bits(0), plan.word_bits(0));
    let (senders, takers) = (flows.sources(), flows.sinks());
    let told = m.wire("bus_told", senders.len() as u32);
    let only = m.wire("bus_only", takers.len() as u32);
    let heard = m.wire("bus_heard", takers.len() as u32 * word);

    m.section("Sources");
    let module = node::source(plan, 1)?;
    let (mut sources, mut sends) = (Vec::new(), Vec::new());
    for (slice, &number) in (0..).zip(&senders) {
        let label = format!("source{number}");
        let nets = [("send", 1), ("to", bits), ("word", word)]
            .map(|(signal, width)| (signal, m.wire(format!("{label}_{signal}"), width)));
        let source = SourceNets::declare(plan, m, &label);
        let mut connections = source.connections(plan, terminals, slice);
        connections.push(("flows".into(), mask(plan, &flows.of_source(number))));
        if plan.id_bits() > 0 {
            let address = Expr::constant(plan.id_bits(), plan.grid.address(number));
            connections.push(("address".into(), address));
        }
        connections.push(match plan.generator(number, 0) {
            Some(generator) => ("seed".into(), Expr::constant(SEED_BITS, generator.first_state())),
            None => ("position".into(), Expr::constant(bits, number.into())),
        });
        connections.extend(nets.map(|(signal, net)| (signal.to_owned(), net.into())));
        connections.push(("told".into(), told.bit(slice)));
        place(m, label, &module, data_slot, connections);
        sources.push(source);
        sends.push(nets.map(|(_, net)| net));
    }

    m.section("Sinks");
    let module = node::sink(plan)?;
    let (mut sinks, mut takes) = (Vec::new(), Vec::new());
    for (slice, &number) in (0..).zip(&takers) {
        let label = format!("sink{number}");
        let take = m.wire(format!("{label}_take"), 1);
        let sink = SinkNets::declare(plan, m, &label);
        let mut connections = vec![
            ("only".to_owned(), only.bit(slice)),
            ("heard".to_owned(), heard.slice(slice * word, word)),
            ("take".to_owned(), take.into()),
        ];
        connections.extend(sink.connections(terminals, slice));
        place(m, label, &module, data_slot, connections);
        sinks.push(sink);
        takes.push(take);
    }

    m.section("The bus");
    let all = |at: usize| Expr::concat(sends.iter().rev().map(|nets| Expr::from(nets[at])));
    m.instance(
        "bus",
        &bus(plan, flows)?,
        [
            ("send", all(0)),
            ("to", all(1)),
            ("word", all(2)),
            ("take", Expr::concat(takes.iter().rev().map(|take| Expr::from(*take)))),
            ("only", only.into()),
            ("heard", heard.into()),
            ("told", told.into()),
        ],
    );
    terminals.drive(plan, m, sources.iter().collect(), sinks.iter().collect());
    Ok(())
}

/// A bit for each address: whether it is that of one of these nodes.
fn mask(plan: &BusPlan, to: &[u32]) -> Expr {
    const CHUNK: u32 = 32;
    let width = 1u32 << plan.grid.address_bits();
    let chunk = |low: u32| {
        let bits = (width - low).min(CHUNK);
        let own = to.iter().filter(|node| (low..low + bits).contains(node));
        Expr::constant(bits, own.fold(0, |all, node| all | 1 << (node - low)))
    };
    Expr::concat((0..width).step_by(CHUNK as usize).rev().map(chunk))
}

/// The medium of a bus for flows, of the nodes that send and of those that take words, each in order.
/// Ports:
/// - `send`, `to`, `word`, a slice for each sender: who sends in this slot, to which node, what;
/// - `only`, by receiver: it gets exactly one word in this slot; `heard`: that word, and noise where
///   there is none, or more than one;
/// - `take`, by receiver, in a slot for acknowledgements: whether it acknowledges the word that it got;
///   `told`, by sender: whether the receiver at `to` does so.
///
/// A receiver hears the senders that have a flow to it, and a sender listens to those that it has a flow
/// to.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn bus(plan: &BusPlan, flows: &BusFlows) -> Result<Arc<Module>, RtlError> {
    let (bits, word) = (plan.grid.coordinate_bits(0), plan.word_bits(0));
    let (senders, takers) = (flows.sources(), flows.sinks());
    let place = |among: &[u32], node: u32| {
        among.binary_search(&node).expect("an end of a flow is in its list") as u32
    };
    let mut m = ModuleBuilder::new(format!("{}_bus", plan.name));
    m.about("The medium. Each receiver hears the senders that have a flow to it, and no others.");
    m.about(
        "Whoever sends to a receiver to whom another sends in the same slot is not understood.",
    );
    let ports = Ports::declare(&mut m, senders.len() as u32, bits, word);
    let take = m.input("take", takers.len() as u32);
    let only = m.output("only", takers.len() as u32);
    let heard = m.output("heard", takers.len() as u32 * word);
    let told = m.output("told", senders.len() as u32);

    m.section("Receivers");
    let mut modules: BTreeMap<u32, Arc<Module>> = BTreeMap::new();
    let mut received = Vec::new();
    for &number in &takers {
        let heard_ones = flows.of_sink(number);
        let count = heard_ones.len() as u32;
        let module = match modules.get(&count) {
            Some(module) => Arc::clone(module),
            None => {
                let module = receiver_of(&receiver_name(plan, count), count, bits, word)?;
                modules.insert(count, Arc::clone(&module));
                module
            }
        };
        let one = m.wire(format!("receiver{number}_only"), 1);
        let what = m.wire(format!("receiver{number}_heard"), word);
        let of = |net: Net, each: u32| {
            let slice = |&node: &u32| net.slice(place(&senders, node) * each, each);
            Expr::concat(heard_ones.iter().rev().map(slice))
        };
        m.instance(
            format!("receiver{number}"),
            &module,
            [
                ("position", Expr::constant(bits, number.into())),
                ("send", of(ports.send, 1)),
                ("to", of(ports.to, bits)),
                ("word", of(ports.word, word)),
                ("only", one.into()),
                ("heard", what.into()),
            ],
        );
        received.push((one, what));
    }
    m.assign(only, Expr::concat(received.iter().rev().map(|(one, _)| Expr::from(*one))));
    m.assign(heard, Expr::concat(received.iter().rev().map(|(_, what)| Expr::from(*what))));

    m.section("Acknowledgements");
    let listens = |(at, &node): (u32, &u32)| {
        let of = flows.of_source(node).into_iter().map(|to| {
            let is_it = ports.to.slice(at * bits, bits).equals(Expr::constant(bits, to.into()));
            is_it & take.bit(place(&takers, to))
        });
        Expr::any_of(of)
    };
    let each: Vec<Expr> = (0..).zip(&senders).map(listens).collect();
    m.assign(told, Expr::concat(each.into_iter().rev()));
    m.finish()
}

/// Name of the module of the receivers that hear so many senders.
pub fn receiver_name(plan: &BusPlan, senders: u32) -> String {
    format!("{}_receiver_of_{senders}", plan.name)
}
