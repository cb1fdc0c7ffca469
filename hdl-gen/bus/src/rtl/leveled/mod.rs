//! The netlist of a split&hash network: sources, the nodes of the levels between, sinks, and the
//! busses from level to level. The hashed functions are wiring: which node sends on which bus.

pub mod bus;
pub mod entry;
pub mod functions;
pub mod node;

use super::sender::SEED_BITS;
use super::terminals::{SinkNets, SourceNets, Terminals};
use crate::funnels::{Bus, Funnels};
use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// Builds what stands between the terminals.
pub(super) fn build(
    plan: &BusPlan,
    funnels: &Funnels,
    m: &mut ModuleBuilder,
    terminals: &Terminals,
    data_slot: Net,
) -> Result<(), RtlError> {
    let levels = funnels.network().levels();
    let active = active(plan, funnels, m, data_slot)?;
    let busses: Vec<Vec<BusNets>> = (0..levels)
        .map(|level| {
            let busses = (0..).zip(funnels.busses(level));
            busses.map(|(number, bus)| BusNets::declare(plan, m, level, number, bus)).collect()
        })
        .collect();
    let told = |level: u32, node: u32| {
        let taps = funnels.taps(level, node).iter();
        Expr::any_of(taps.map(|tap| busses[level as usize][tap.bus as usize].told.bit(tap.at)))
    };
    // By level, by node.
    let mut sends: Vec<Vec<Option<Send>>> = vec![Vec::new(); levels as usize + 1];
    let mut takes: Vec<Vec<Option<Net>>> = vec![Vec::new(); levels as usize + 1];

    m.section("Sources");
    let mut sources = Vec::new();
    let module = node::source(plan, levels)?;
    for number in 0..plan.terminals() {
        let label = format!("source{number}");
        let send = Send::declare(plan, m, levels, &label);
        let source = SourceNets::declare(plan, m, &label);
        let mut connections = source.connections(plan, terminals, number);
        if plan.id_bits() > 0 {
            let address = Expr::constant(plan.id_bits(), plan.grid.address(number));
            connections.push(("address".into(), address));
        }
        connections.extend(send.connections(plan, levels, number, told(levels - 1, number)));
        place(m, label, &module, data_slot, connections);
        sources.push(source);
        sends[levels as usize].push(Some(send));
    }

    for level in (1..levels).rev() {
        m.section(format!("Nodes of level {level}"));
        let unused = plan.terminals() - funnels.built(level).count() as u32;
        if unused > 0 {
            m.comment(format!("{unused} places that no function leads to have none."));
        }
        let module = node::relay(plan, level)?;
        let ways = ways(plan, &busses, funnels, level);
        for number in 0..plan.terminals() {
            let Some(way) = &ways[number as usize] else {
                sends[level as usize].push(None);
                takes[level as usize].push(None);
                continue;
            };
            let label = format!("level{level}_node{number}");
            let send = Send::declare(plan, m, level, &label);
            let take = m.wire(format!("{label}_take"), 1);
            let mut connections = way.connections(take);
            connections.extend(send.connections(plan, level, number, told(level - 1, number)));
            place(m, label, &module, data_slot, connections);
            sends[level as usize].push(Some(send));
            takes[level as usize].push(Some(take));
        }
    }

    m.section("Sinks");
    let mut sinks = Vec::new();
    let module = node::sink(plan)?;
    for (number, way) in (0..).zip(ways(plan, &busses, funnels, 0)) {
        let label = format!("sink{number}");
        let take = m.wire(format!("{label}_take"), 1);
        let sink = SinkNets::declare(plan, m, &label);
        let way = way.expect("every sink hears a bus");
        let mut connections = way.connections(take);
        connections.extend(sink.connections(terminals, number));
        place(m, label, &module, data_slot, connections);
        sinks.push(sink);
        takes[0].push(Some(take));
    }

    for level in (0..levels).rev() {
        m.section(format!("Busses from level {} to level {level}", level + 1));
        let at = level as usize;
        for (bus, nets) in funnels.busses(level).iter().zip(&busses[at]) {
            let active = active[at].map(|active| active.bit(bus.function));
            let module = bus::bus(plan, funnels, level, bus.senders.len() as u32)?;
            nets.place(m, &module, (bus, active), &sends[at + 1], &takes[at]);
        }
    }
    terminals.drive(plan, m, sources.iter().collect(), sinks.iter().collect());
    Ok(())
}

/// By level that they lead to, whose functions have the slot; level 0 has none.
fn active(
    plan: &BusPlan,
    funnels: &Funnels,
    m: &mut ModuleBuilder,
    data_slot: Net,
) -> Result<Vec<Option<Net>>, RtlError> {
    m.section("Functions");
    m.comment("A bit for each function of the funnels to a level: which has this slot.");
    let mut all = vec![None];
    for level in 1..funnels.network().levels() {
        let module = functions::functions(plan, funnels, level)?;
        let count = funnels.network().functions(level);
        let active = m.wire(plan.along(level as usize, "active"), count);
        let connections = [("data_slot", data_slot.into()), ("active", active.into())];
        m.instance(plan.along(level as usize, "functions"), &module, connections);
        all.push(Some(active));
    }
    Ok(all)
}

pub(super) fn place(
    m: &mut ModuleBuilder,
    label: String,
    module: &Arc<Module>,
    data_slot: Net,
    connections: Vec<(String, Expr)>,
) {
    let slot = [("data_slot", Expr::from(data_slot))];
    let others = connections.iter().map(|(port, expr)| (port.as_str(), expr.clone()));
    m.instance(label, module, slot.into_iter().chain(others));
}

/// Nets that a node drives of the busses to the level below.
#[derive(Clone)]
struct Send {
    send: Net,
    to: Net,
    word: Net,
}

impl Send {
    /// Declares those of the node of this label, of a level.
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, level: u32, label: &str) -> Self {
        let below = level as usize - 1;
        Self {
            send: m.wire(format!("{label}_send"), 1),
            to: m.wire(format!("{label}_to"), plan.grid.coordinate_bits(below)),
            word: m.wire(format!("{label}_word"), plan.word_bits(below)),
        }
    }

    /// Connections of the node; `told`: what its busses say.
    fn connections(
        &self,
        plan: &BusPlan,
        level: u32,
        node: u32,
        told: Expr,
    ) -> impl Iterator<Item = (String, Expr)> + use<> {
        let Self { send, to, word } = *self;
        let generator = plan.generator(node, level as usize - 1);
        let seed = generator.map_or(0, |generator| generator.first_state());
        [
            ("seed", Expr::constant(SEED_BITS, seed)),
            ("send", send.into()),
            ("to", to.into()),
            ("word", word.into()),
            ("told", told),
        ]
        .into_iter()
        .map(|(port, expr)| (port.to_owned(), expr))
    }
}

/// Nets of the busses that a node hears.
struct HeardNets {
    only: Expr,
    heard: Expr,
}

impl HeardNets {
    fn connections(&self, take: Net) -> Vec<(String, Expr)> {
        let Self { only, heard } = self;
        vec![
            ("only".into(), only.clone()),
            ("heard".into(), heard.clone()),
            ("take".into(), take.into()),
        ]
    }
}

/// By node of a level, what it hears; `None` where nothing leads there.
fn ways(
    plan: &BusPlan,
    busses: &[Vec<BusNets>],
    funnels: &Funnels,
    level: u32,
) -> Vec<Option<HeardNets>> {
    let word = plan.word_bits(level as usize);
    let mut ways: Vec<Option<HeardNets>> = (0..plan.terminals()).map(|_| None).collect();
    for (bus, nets) in funnels.busses(level).iter().zip(&busses[level as usize]) {
        for (part, &receiver) in (0..).zip(&bus.receivers) {
            ways[receiver as usize] = Some(HeardNets {
                only: nets.only.bit(part),
                heard: nets.heard.slice(part * word, word),
            });
        }
    }
    ways
}

/// Nets that a bus drives.
struct BusNets {
    name: String,
    only: Net,
    heard: Net,
    told: Net,
}

impl BusNets {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, level: u32, number: u32, bus: &Bus) -> Self {
        let name = format!("{}{number}", plan.along(level as usize, "bus"));
        let (senders, receivers) = (bus.senders.len() as u32, bus.receivers.len() as u32);
        let word = plan.word_bits(level as usize);
        Self {
            only: m.wire(format!("{name}_only"), receivers),
            heard: m.wire(format!("{name}_heard"), receivers * word),
            told: m.wire(format!("{name}_told"), senders),
            name,
        }
    }

    /// Places the bus, whose function has the slot where `active` says so, among the nodes of the
    /// levels above and below.
    fn place(
        &self,
        m: &mut ModuleBuilder,
        module: &Arc<Module>,
        (bus, active): (&Bus, Option<Expr>),
        sends: &[Option<Send>],
        takes: &[Option<Net>],
    ) {
        let senders = || {
            let of = |&node: &u32| sends[node as usize].as_ref().expect("a sender is built");
            bus.senders.iter().rev().map(of)
        };
        let take = |&node: &u32| Expr::from(takes[node as usize].expect("a receiver is built"));
        let mut connections = vec![
            ("send", Expr::concat(senders().map(|sender| Expr::from(sender.send)))),
            ("to", Expr::concat(senders().map(|sender| Expr::from(sender.to)))),
            ("word", Expr::concat(senders().map(|sender| Expr::from(sender.word)))),
            ("take", Expr::concat(bus.receivers.iter().rev().map(take))),
            ("only", self.only.into()),
            ("heard", self.heard.into()),
            ("told", self.told.into()),
        ];
        connections.extend(active.map(|active| ("active", active)));
        m.instance(&self.name, module, connections);
    }
}
