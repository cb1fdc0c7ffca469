//! The netlist of a bus fabric.

pub mod flows;
pub mod leveled;
pub mod medium;
pub mod node;
pub mod place;
pub mod sender;
pub mod switch;
mod terminals;
pub mod turn;

use crate::layout::Layout;
use crate::plan::BusPlan;
use terminals::{SinkNets, SourceNets, Terminals};
use turnpike_netlist::{Design, Expr, ModuleBuilder, Net, Register, RtlError};

/// The modules of a fabric, the whole fabric on top.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn fabric(plan: &BusPlan) -> Result<Design, RtlError> {
    let mut m = ModuleBuilder::new(&plan.name);
    if plan.parameters.reset_low {
        m.reset_low();
    }
    about(plan, &mut m);
    let [sources, sinks] = [plan.sources(), plan.sinks()].map(|ends| ends.len() as u32);
    let terminals = Terminals::declare(plan, &mut m, sources, sinks);
    let data_slot = slots(&mut m);
    match &plan.layout {
        Layout::Lines => build(plan, &mut m, &terminals, data_slot)?,
        Layout::OneBus(flows) => flows::build(plan, flows, &mut m, &terminals, data_slot)?,
        Layout::Leveled(funnels) => {
            leveled::build(plan, funnels, &mut m, &terminals, data_slot)?;
        }
    }
    Design::new(&m.finish()?)
}

/// Whether this is a slot for data.
fn slots(m: &mut ModuleBuilder) -> Net {
    m.section("Slots");
    m.comment("Slots for data and slots for acknowledgements take turns, a cycle each.");
    let data_slot = m.reg("data_slot", 1);
    let next = !Expr::from(data_slot);
    m.registers(vec![Register { net: data_slot, reset: Some(1), enable: None, next }]);
    data_slot
}

/// The nodes of a grid, and the busses along its lines.
fn build(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    terminals: &Terminals,
    data_slot: Net,
) -> Result<(), RtlError> {
    m.section("Nodes");
    let grid = &plan.grid;
    let module = node::node(plan)?;
    let nodes: Vec<NodeNets> = (0..grid.nodes())
        .map(|number| NodeNets::place(plan, m, &module, (terminals, number), data_slot, number))
        .collect();

    for dimension in 0..grid.dimensions() {
        m.section(match grid.dimensions() {
            1 => "The bus".to_owned(),
            _ => format!("Busses along {}", grid.name(dimension)),
        });
        let bus = medium::bus(plan, dimension)?;
        for line in 0..grid.lines(dimension) {
            let on: Vec<&Tap> = grid
                .line(dimension, line)
                .map(|node| &nodes[node as usize].taps[dimension])
                .collect();
            place_bus(plan, m, &bus, (dimension, line), &on);
        }
    }

    let (sources, sinks) = nodes.iter().map(|node| (&node.source, &node.sink)).unzip();
    terminals.drive(plan, m, sources, sinks);
    Ok(())
}

fn about(plan: &BusPlan, m: &mut ModuleBuilder) {
    let grid = &plan.grid;
    let (nodes, kind) = (grid.nodes(), plan.protocol.kind());
    m.about(match (&plan.layout, grid.dimensions()) {
        (Layout::Lines, 1) => format!("{nodes} terminals on one bus."),
        (Layout::Lines, dimensions) => {
            format!(
                "{nodes} terminals on a grid of {dimensions} dimensions, a bus along each line."
            )
        }
        (Layout::OneBus(flows), _) => {
            let (sources, sinks) = (flows.sources().len(), flows.sinks().len());
            let flows = flows.pairs().len();
            format!("{sources} sources and {sinks} sinks on one bus, for {flows} flows.")
        }
        (Layout::Leveled(funnels), levels) => {
            let side = funnels.network().side();
            format!("{nodes} terminals of a split&hash network of {levels} levels, side {side}.")
        }
    });
    m.about(
        "A word arrives if its receiver gets no other in that slot and has room. Its sender is",
    );
    m.about("told so in the next slot, and else sends it again. Each beat is a packet.");
    m.about(format!("Protocol {}: {}.", kind.name, kind.summary));
}

/// Nets between a node and a bus.
struct Tap {
    send: Net,
    to: Net,
    word: Net,
    take: Net,
    only: Net,
    heard: Net,
    told: Net,
}

struct NodeNets {
    source: SourceNets,
    sink: SinkNets,
    taps: Vec<Tap>,
}

impl NodeNets {
    /// Places a node, whose terminal has this slice of the ports.
    fn place(
        plan: &BusPlan,
        m: &mut ModuleBuilder,
        module: &std::sync::Arc<turnpike_netlist::Module>,
        (terminals, slice): (&Terminals, u32),
        data_slot: Net,
        node: u32,
    ) -> Self {
        let grid = &plan.grid;
        let label = label(plan, node);
        let taps: Vec<Tap> = (0..grid.dimensions())
            .map(|dimension| {
                let name = grid.name(dimension);
                let mut tap =
                    |signal: &str, bits: u32| m.wire(format!("{label}_{name}_{signal}"), bits);
                let (to, word) = (grid.coordinate_bits(dimension), plan.word_bits(dimension));
                Tap {
                    send: tap("send", 1),
                    to: tap("to", to),
                    word: tap("word", word),
                    take: tap("take", 1),
                    only: tap("only", 1),
                    heard: tap("heard", word),
                    told: tap("told", 1),
                }
            })
            .collect();
        let own = Self {
            source: SourceNets::declare(plan, m, &label),
            sink: SinkNets::declare(plan, m, &label),
            taps,
        };
        let mut connections: Vec<(String, Expr)> = vec![("data_slot".into(), data_slot.into())];
        connections.extend(own.source.connections(plan, terminals, slice));
        connections.extend(own.sink.connections(terminals, slice));
        for (dimension, tap) in own.taps.iter().enumerate() {
            let name = grid.name(dimension);
            let bits = grid.coordinate_bits(dimension);
            let position = u64::from(grid.coordinate(node, dimension));
            connections.push((format!("{name}_position"), Expr::constant(bits, position)));
            if let Some(generator) = plan.generator(node, dimension) {
                let seed = Expr::constant(sender::SEED_BITS, generator.first_state());
                connections.push((format!("{name}_seed"), seed));
            }
            let Tap { send, to, word, take, only, heard, told } = tap;
            for (signal, net) in [
                ("send", send),
                ("to", to),
                ("word", word),
                ("take", take),
                ("only", only),
                ("heard", heard),
                ("told", told),
            ] {
                connections.push((format!("{name}_{signal}"), (*net).into()));
            }
        }
        let connections = connections.iter().map(|(port, expr)| (port.as_str(), expr.clone()));
        m.instance(label, module, connections);
        own
    }
}

/// A node by its coordinates, X first: `node_2_0`.
fn label(plan: &BusPlan, node: u32) -> String {
    let grid = &plan.grid;
    (0..grid.dimensions())
        .fold("node".to_owned(), |label, d| format!("{label}_{}", grid.coordinate(node, d)))
}

/// Places a bus of these taps.
fn place_bus(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    bus: &std::sync::Arc<turnpike_netlist::Module>,
    (dimension, line): (usize, u32),
    taps: &[&Tap],
) {
    let name = plan.along(dimension, "bus");
    let name = if plan.grid.dimensions() > 1 { format!("{name}{line}") } else { name };
    let all = |part: fn(&Tap) -> Net| Expr::concat(taps.iter().rev().map(|tap| part(tap).into()));
    let count = taps.len() as u32;
    let word = plan.word_bits(dimension);
    let only = m.wire(format!("{name}_only"), count);
    let heard = m.wire(format!("{name}_heard"), count * word);
    let told = m.wire(format!("{name}_told"), count);
    m.instance(
        &name,
        bus,
        [
            ("send", all(|tap| tap.send)),
            ("to", all(|tap| tap.to)),
            ("word", all(|tap| tap.word)),
            ("take", all(|tap| tap.take)),
            ("only", only.into()),
            ("heard", heard.into()),
            ("told", told.into()),
        ],
    );
    for (at, tap) in (0..).zip(taps) {
        m.assign(tap.only, only.bit(at));
        m.assign(tap.heard, heard.slice(at * word, word));
        m.assign(tap.told, told.bit(at));
    }
}
