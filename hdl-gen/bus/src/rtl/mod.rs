//! The netlist of a bus fabric.

pub mod medium;
pub mod node;
pub mod place;
pub mod sender;
pub mod switch;
pub mod turn;

use crate::plan::BusPlan;
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
    let terminals = Terminals::declare(plan, &mut m, plan.terminals());

    m.section("Slots");
    m.comment("Slots for data and slots for acknowledgements take turns, a cycle each.");
    let data_slot = m.reg("data_slot", 1);
    let next = !Expr::from(data_slot);
    m.registers(vec![Register { net: data_slot, reset: Some(1), enable: None, next }]);

    m.section("Nodes");
    let grid = &plan.grid;
    let module = node::node(plan)?;
    let nodes: Vec<NodeNets> = (0..grid.nodes())
        .map(|number| {
            NodeNets::place(plan, &mut m, &module, (&terminals, number), data_slot, number)
        })
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
            place_bus(plan, &mut m, &bus, (dimension, line), &on);
        }
    }

    terminals.drive(plan, &mut m, &nodes);
    Design::new(&m.finish()?)
}

fn about(plan: &BusPlan, m: &mut ModuleBuilder) {
    let grid = &plan.grid;
    let (nodes, kind) = (grid.nodes(), plan.protocol.kind());
    m.about(match grid.dimensions() {
        1 => format!("{nodes} terminals on one bus."),
        dimensions => format!(
            "{nodes} terminals on a grid of {dimensions} dimensions, a bus along each line."
        ),
    });
    m.about(
        "A word arrives if its receiver gets no other in that slot and has room. Its sender is",
    );
    m.about("told so in the next slot, and else sends it again. Each beat is a packet.");
    m.about(format!("Protocol {}: {}.", kind.name, kind.summary));
}

/// The ports of the terminals.
struct Terminals {
    valid: Net,
    ready: Net,
    data: Net,
    dest: Net,
    error: Option<Net>,
    out_valid: Net,
    out_ready: Net,
    out_data: Net,
    out_id: Option<Net>,
}

impl Terminals {
    /// Declares those of so many terminals, terminal t at slice `[t*W +: W]`.
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, terminals: u32) -> Self {
        let width = plan.parameters.width;
        let partial = !plan.grid.fills_addresses();
        let id = plan.id_bits();
        Self {
            valid: m.input("s_axis_tvalid", terminals),
            ready: m.output("s_axis_tready", terminals),
            data: m.input("s_axis_tdata", terminals * width),
            dest: m.input("s_axis_tdest", terminals * plan.grid.address_bits()),
            error: partial.then(|| m.output("s_axis_error", terminals)),
            out_valid: m.output("m_axis_tvalid", terminals),
            out_ready: m.input("m_axis_tready", terminals),
            out_data: m.output("m_axis_tdata", terminals * width),
            out_id: (id > 0).then(|| m.output("m_axis_tid", terminals * id)),
        }
    }

    /// Drives what comes out of the nodes, a terminal each.
    fn drive(&self, plan: &BusPlan, m: &mut ModuleBuilder, nodes: &[NodeNets]) {
        m.section("What comes to the terminals");
        let all = |part: &dyn Fn(&NodeNets) -> Expr| Expr::concat(nodes.iter().rev().map(part));
        let unless_reset = |part| (!Expr::Reset).repeat(nodes.len() as u32) & part;
        m.assign(self.ready, unless_reset(all(&|node| node.ready.into())));
        if let Some(error) = self.error {
            m.assign(error, unless_reset(all(&|node| node.error.expect("as declared").into())));
        }
        let width = plan.parameters.width;
        m.assign(self.out_valid, unless_reset(all(&|node| node.out_valid.into())));
        m.assign(self.out_data, all(&|node| node.payload.slice(0, width)));
        if let Some(id) = self.out_id {
            m.assign(id, all(&|node| node.payload.slice(width, plan.id_bits())));
        }
    }
}

/// Where a node meets a bus.
struct Tap {
    send: Net,
    to: Net,
    word: Net,
    take: Net,
    only: Net,
    heard: Net,
    told: Net,
}

/// The nets of a node.
struct NodeNets {
    ready: Net,
    error: Option<Net>,
    out_valid: Net,
    payload: Net,
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
        let (grid, width) = (&plan.grid, plan.parameters.width);
        let address = grid.address_bits();
        let label = label(plan, node);
        let mut wire = |signal: String, bits: u32| m.wire(format!("{label}_{signal}"), bits);
        let taps: Vec<Tap> = (0..grid.dimensions())
            .map(|dimension| {
                let name = grid.name(dimension);
                let mut tap = |signal: &str, bits: u32| wire(format!("{name}_{signal}"), bits);
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
            ready: wire("ready".into(), 1),
            error: terminals.error.map(|_| wire("error".into(), 1)),
            out_valid: wire("out_valid".into(), 1),
            payload: wire("out_data".into(), plan.payload_bits()),
            taps,
        };
        let mut connections: Vec<(String, Expr)> = vec![
            ("data_slot".into(), data_slot.into()),
            ("in_valid".into(), terminals.valid.bit(slice)),
            ("in_ready".into(), own.ready.into()),
            ("in_dest".into(), terminals.dest.slice(slice * address, address)),
            ("in_data".into(), terminals.data.slice(slice * width, width)),
            ("out_valid".into(), own.out_valid.into()),
            ("out_ready".into(), terminals.out_ready.bit(slice)),
            ("out_data".into(), own.payload.into()),
        ];
        connections.extend(own.error.map(|error| ("in_error".into(), error.into())));
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
