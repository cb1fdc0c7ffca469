//! A node: the queue of its source, its switch, a sender for each bus, the queue of its sink.

use super::sender::{self, SEED_BITS};
use super::switch;
use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_fabric::rtl::fifo::{Shape, fifo};
use turnpike_netlist::{Expr, Handshake, Module, ModuleBuilder, Net, RtlError, StreamType};

/// The module of the nodes: all are alike. Ports, a set of the latter for each dimension (`x_send`;
/// `bus_send` where there is one):
/// - `data_slot`: whether this is a slot for data;
/// - `in_valid`, `in_ready`, `in_dest`, `in_data`: the source; `in_error`, where there are
///   addresses without a node: a word to one of them is taken in this cycle, and goes nowhere;
/// - `out_valid`, `out_ready`, `out_data`: the sink;
/// - `position`: the coordinate; `seed`, where senders draw: the state of the generator under reset
///   (constants at the instance);
/// - `send`, `to`, `word`, `only`, `heard`, `take`, `told`: the medium ([`super::medium::bus()`]).
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn node(plan: &BusPlan) -> Result<Arc<Module>, RtlError> {
    let grid = &plan.grid;
    let mut m = ModuleBuilder::new(format!("{}_node", plan.name));
    m.about("A node: the queue of its source, its switch, a sender for each bus, the queue of its sink.");
    let data_slot = m.input("data_slot", 1);
    let fields = [("dest", grid.address_bits()), ("data", plan.parameters.width)];
    let source = m.stream_in("in", StreamType::plain(fields));
    let error = (!grid.fills_addresses()).then(|| m.output("in_error", 1));
    let sink = m.stream_out("out", StreamType::plain([("data", plan.payload_bits())]));
    let busses: Vec<Bus> = (0..grid.dimensions()).map(|d| Bus::declare(plan, &mut m, d)).collect();

    m.section("What the source offers");
    let Handshake { valid, ready } = source.lanes[0];
    let [dest, data] = ["dest", "data"].map(|f| source.field(f).expect("fields have bits"));
    let offered = match error {
        None => valid.into(),
        Some(error) => {
            let known = m.define("known", 1, known(plan, dest));
            m.assign(error, Expr::all([valid.into(), ready.into(), !Expr::from(known)]));
            Expr::from(valid) & known
        }
    };
    let from = Link::declare(&mut m, "source", dest.width + data.width);
    let word = Expr::concat([dest.into(), data.into()]);
    place_queue(plan, &mut m, "source_fifo", (offered, ready, word), &from)?;

    m.section("Where words go next");
    let mut connections: Vec<(String, Expr)> = vec![("data_slot".into(), data_slot.into())];
    connections.extend(from.connections("source", ("valid", "taken", "word")));
    let mut queues = Vec::new();
    for bus in &busses {
        for (signal, net) in [("only", bus.only), ("heard", bus.heard), ("take", bus.take)] {
            connections.push((format!("{}_{signal}", bus.name), net.into()));
        }
        connections.push((format!("{}_position", bus.name), bus.position.into()));
        let name = format!("{}_queue", bus.name);
        let queue = Link::declare(&mut m, &name, bus.to.width + bus.word.width);
        connections.extend(queue.connections(&name, ("valid", "ready", "word")));
        queues.push(queue);
    }
    let to_sink = Link::declare(&mut m, "sink", plan.payload_bits());
    connections.extend(to_sink.connections("sink", ("valid", "ready", "word")));
    let connections = connections.iter().map(|(port, expr)| (port.as_str(), expr.clone()));
    m.instance("switch", &switch::switch(plan)?, connections);

    m.section("Senders");
    for (dimension, (bus, queue)) in busses.iter().zip(&queues).enumerate() {
        let mut connections: Vec<(&str, Expr)> = vec![("data_slot", data_slot.into())];
        match bus.seed {
            Some(seed) => connections.push(("seed", seed.into())),
            None => connections.push(("position", bus.position.into())),
        }
        connections.extend([
            ("in_valid", queue.valid.into()),
            ("in_ready", queue.ready.into()),
            ("in_data", queue.word.into()),
            ("send", bus.send.into()),
            ("to", bus.to.into()),
            ("word", bus.word.into()),
            ("told", bus.told.into()),
        ]);
        let name = format!("{}_sender", bus.name);
        m.instance(name, &sender::sender(plan, dimension)?, connections);
    }

    m.section("What the sink gets");
    let Handshake { valid, ready } = sink.lanes[0];
    let out = Link { valid, ready, word: sink.field("data").expect("words have bits") };
    let Link { valid, ready, word } = to_sink;
    place_queue(plan, &mut m, "sink_fifo", (valid.into(), ready, word.into()), &out)?;
    m.finish()
}

/// A word between two parts of a node, with its handshake.
pub(super) struct Link {
    pub valid: Net,
    pub ready: Net,
    pub word: Net,
}

impl Link {
    fn declare(m: &mut ModuleBuilder, name: &str, bits: u32) -> Self {
        Self {
            valid: m.wire(format!("{name}_valid"), 1),
            ready: m.wire(format!("{name}_ready"), 1),
            word: m.wire(format!("{name}_word"), bits),
        }
    }

    /// Connections to ports of these signals.
    fn connections(
        &self,
        name: &str,
        (valid, ready, word): (&str, &str, &str),
    ) -> [(String, Expr); 3] {
        [(valid, self.valid), (ready, self.ready), (word, self.word)]
            .map(|(signal, net)| (format!("{name}_{signal}"), net.into()))
    }
}

/// A queue from valid, ready and word to a link.
pub(super) fn place_queue(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    name: &str,
    (valid, ready, word): (Expr, Net, Expr),
    to: &Link,
) -> Result<(), RtlError> {
    let queue = fifo(&plan.name, to.word.width, Shape::ram(plan.parameters.depth))?;
    m.instance(
        name,
        &queue,
        [
            ("in_valid", valid),
            ("in_ready", ready.into()),
            ("in_data", word),
            ("out_valid", to.valid.into()),
            ("out_ready", to.ready.into()),
            ("out_data", to.word.into()),
        ],
    );
    Ok(())
}

/// The ports to the medium of a dimension.
struct Bus {
    name: &'static str,
    position: Net,
    seed: Option<Net>,
    send: Net,
    to: Net,
    word: Net,
    only: Net,
    heard: Net,
    take: Net,
    told: Net,
}

impl Bus {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, dimension: usize) -> Self {
        let name = plan.grid.name(dimension);
        let draws = plan.protocol.draw_bits() > 0;
        let (bits, word) = (plan.grid.coordinate_bits(dimension), plan.word_bits(dimension));
        Self {
            name,
            position: m.input(format!("{name}_position"), bits),
            seed: draws.then(|| m.input(format!("{name}_seed"), SEED_BITS)),
            send: m.output(format!("{name}_send"), 1),
            to: m.output(format!("{name}_to"), bits),
            word: m.output(format!("{name}_word"), word),
            only: m.input(format!("{name}_only"), 1),
            heard: m.input(format!("{name}_heard"), word),
            take: m.output(format!("{name}_take"), 1),
            told: m.input(format!("{name}_told"), 1),
        }
    }
}

/// Whether an address is that of a node: whether each coordinate is below its side.
pub(super) fn known(plan: &BusPlan, dest: Net) -> Expr {
    let grid = &plan.grid;
    let mut low = 0;
    let mut terms = Vec::new();
    for (dimension, &side) in grid.sides().iter().enumerate() {
        let bits = grid.coordinate_bits(dimension);
        if !side.is_power_of_two() {
            terms.push(sender::below(dest, low, bits, side));
        }
        low += bits;
    }
    Expr::all(terms)
}
