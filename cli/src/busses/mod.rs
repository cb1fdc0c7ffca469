//! Networks of busses: which they are, and the options of their fabrics.

mod funnels;

pub use funnels::{FunnelFabric, FunnelSize};

use crate::flows_file;
use crate::input;
use crate::options::{FabricOptions, NetworkOptions, NetworkSize, values};
use anyhow::{anyhow, bail};
use clap::Args;
use std::path::Path;
use turnpike_base::names;
use turnpike_base::nearest::Nearest;
use turnpike_bus::grid::{MOB, OCPC};
use turnpike_bus::protocol::{Backoff, PROTOCOLS, ProtocolError, ProtocolKind, Thinning, Window};
use turnpike_bus::protocol::{rotor, thinning, window};
use turnpike_bus::split_hash::SPLIT_HASH;
use turnpike_bus::{BusFlows, BusPlan, Figures, Grid, Parameters, Protocol, SplitHash, time_table};
use turnpike_fabric::plan::ResetStyle;
use turnpike_network::routing::DEFAULT_SEED;
use turnpike_network::topology::grid::MESH;
use turnpike_network::topology::parameter::{NODES, Parameter};
use turnpike_network::topology::{SIDES, Shape};

/// A topology of busses.
pub struct BusTopology {
    /// Name of the topology.
    pub name: &'static str,
    /// Summary of the topology, in a line.
    pub summary: &'static str,
    /// The options of its size.
    pub size: &'static str,
}

/// The topologies of busses.
pub const TOPOLOGIES: [BusTopology; 3] = [
    BusTopology {
        name: OCPC,
        summary: "one optical bus of all nodes; a word arrives if no other is for its receiver",
        size: "--nodes N",
    },
    BusTopology {
        name: MOB,
        summary: "mesh of optical busses: nodes on a grid, a bus along each line",
        size: "--shape SIDES",
    },
    BusTopology {
        name: SPLIT_HASH,
        summary: "leveled network of optical busses whose funnels are hashed functions",
        size: "--side K --levels D --factor A",
    },
];

/// Refuses a topology of busses where channels are meant.
///
/// # Errors
/// It is one.
pub fn refuse_name(topology: &str) -> anyhow::Result<()> {
    match TOPOLOGIES.iter().any(|kind| kind.name == topology) {
        true => bail!(
            "{topology} is a network of busses, which has no routes; generate, analyze, \
             compare --network, verify, synth and simulate take it"
        ),
        false => Ok(()),
    }
}

/// The figures of the network of busses that these options name, with the flows of one bus that it is for;
/// `None` where they name another.
///
/// # Errors
/// A size that is missing or out of range; options of other networks.
pub fn figures(
    network: &NetworkOptions,
    funnels: &FunnelSize,
) -> anyhow::Result<Option<(Figures, Option<BusFlows>)>> {
    if let Some(network) = funnels.network(network)? {
        return Ok(Some((Figures::of_split_hash(&network), None)));
    }
    let Some(grid) = BusOptions::default().grid(network)? else { return Ok(None) };
    let flows = network.unrouted.flows.as_ref().map(|path| flows(path, &grid)).transpose()?;
    let figures = match &flows {
        None => Figures::of_grid(&grid),
        Some(flows) => Figures::for_flows(&grid, flows),
    };
    Ok(Some((figures, flows)))
}

/// The flows of a file on one bus, whose nodes have the labels of those of a row.
fn flows(path: &Path, grid: &Grid) -> anyhow::Result<BusFlows> {
    let list = flows_file::read(path)?;
    if list.has_classes() {
        let why = "words of a bus wait in one queue, so there are no message classes; leave the column \
                   class and the lines class out";
        return Err(input::fault(path, None, why));
    }
    let (nodes, (_, most)) = (grid.nodes(), SIDES);
    if grid.dimensions() == 1 && nodes > most {
        bail!("flows are for a bus of at most {most} nodes, and this has {nodes}; use fewer");
    }
    let row = MESH.build(grid.shape().parse::<Shape>()?)?;
    let flows = list.on(&*row).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    let pairs = flows.list().iter().map(|flow| (flow.source.0, flow.destination.0));
    let flows = BusFlows::new(pairs, flows.text(&*row));
    flows.check().map_err(|error| input::fault(path, None, error))?;
    Ok(flows)
}

/// Options that only bus fabrics take.
#[derive(Args, Clone, Debug, Default)]
pub struct BusOptions {
    /// Bus (ocpc, mob, split-hash): when a node sends
    #[arg(long, value_name = "PROTOCOL", help = protocol_help())]
    pub protocol: Option<String>,
    /// Bus: slots of --protocol window, each node sends in one of them; words of --protocol
    /// thinning, a power of two [default: what the bus or the workload needs]
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = values::whole)]
    pub window: Option<u32>,
    /// Bus: how often --protocol backoff doubles its range at most [default: 10]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub exponent: Option<u32>,
}

fn protocol_help() -> String {
    let list: Vec<String> =
        PROTOCOLS.iter().map(|kind| format!("{} ({})", kind.name, kind.summary)).collect();
    format!(
        "Bus (ocpc, mob, split-hash): when a node sends: {}; with simulate also {} ({}) [default: {}]",
        list.join(", "),
        time_table::NAME,
        time_table::SUMMARY,
        PROTOCOLS[0].name
    )
}

/// Bounds on the words of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Most words that a node holds, for any receivers.
    Held(u32),
    /// Words that a node has, and as many that are for it.
    Relation(u32),
}

impl BusOptions {
    /// The grid of busses that the network's options name; `None` where they name another.
    ///
    /// # Errors
    /// A size that is missing or out of range, or of another network.
    pub fn grid(&self, network: &NetworkOptions) -> anyhow::Result<Option<Grid>> {
        let grids = || TOPOLOGIES.iter().filter(|kind| kind.name != SPLIT_HASH);
        let Some(topology) = grids().find(|kind| kind.name == network.unrouted.topology) else {
            return Ok(None);
        };
        let size: &NetworkSize = &network.unrouted.size;
        let own = topology.size.split(' ').next();
        let is_own = |parameter: &Parameter| own == Some(&format!("--{}", parameter.option));
        if let Some(other) = size.values.given().find(|parameter| !is_own(parameter)) {
            let (name, takes, option) = (topology.name, topology.size, other.option);
            bail!("{name} takes {takes}; leave --{option} out");
        }
        let grid = match (size.values.number(&NODES), size.values.shape) {
            (Some(nodes), _) => Grid::new(&[nodes])?,
            (_, Some(shape)) => match shape.sides() {
                Some(sides) => Grid::new(sides.sides())?,
                None => bail!("{} takes {}, not --shape {shape}", topology.name, topology.size),
            },
            (None, None) => bail!("the size is missing: {} takes {}", topology.name, topology.size),
        };
        Ok(Some(grid))
    }

    /// The protocol on a grid, of nodes with so many words.
    ///
    /// # Errors
    /// An unknown name; numbers out of range, or of another protocol.
    pub fn protocol(&self, grid: &Grid, words: Words) -> anyhow::Result<Protocol> {
        self.protocol_of(grid.longest_bus(), grid.dimensions() == 1, words)
    }

    /// The protocol of a split&hash network whose nodes hold so many words.
    ///
    /// # Errors
    /// As [`BusOptions::protocol`]; senders that take turns.
    pub fn protocol_of_split_hash(
        &self,
        network: &SplitHash,
        depth: u32,
    ) -> anyhow::Result<Protocol> {
        if self.is_time_table() {
            bail!(
                "--protocol {} is for simulate ocpc and mob: a fabric takes words as they come; use \
                 backoff, window or thinning",
                time_table::NAME
            );
        }
        match self.protocol_of(network.most_senders(), false, Words::Held(depth))? {
            Protocol::Rotor => Err(ProtocolError::Funnels.into()),
            protocol => Ok(protocol),
        }
    }

    /// The protocol where a bus has so many senders at most, of nodes with so many words.
    fn protocol_of(
        &self,
        longest: u32,
        is_one_bus: bool,
        words: Words,
    ) -> anyhow::Result<Protocol> {
        if self.is_time_table() {
            bail!(
                "--protocol {} is for simulate: a fabric takes words as they come; --protocol \
                 {} is a time table of all pairs",
                time_table::NAME,
                rotor::KIND.name
            );
        }
        let kind = self.kind()?;
        let is = |other: ProtocolKind| kind.name == other.name;
        let most = rotor::MOST_SIMULATED;
        if is(rotor::KIND) && longest > most {
            bail!("--protocol rotor goes up to {most} nodes on a bus; use fewer");
        }
        let (held, h) = match words {
            Words::Held(depth) => (depth, None),
            // On several busses more may meet on one than the workload has for a node.
            Words::Relation(h) => (h, is_one_bus.then_some(h.clamp(2, window::MOST_SLOTS))),
        };
        let window = self.window.or(h);
        Ok(match (window, self.exponent) {
            (Some(slots), _) if is(window::KIND) => Protocol::Window(Window::new(slots)?),
            (Some(words), _) if is(thinning::KIND) => {
                let words = if self.window.is_some() { words } else { words.next_power_of_two() };
                Protocol::Thinning(Thinning::new(words)?)
            }
            (_, Some(most)) => Protocol::Backoff(Backoff::new(most)?),
            _ => (kind.usual)(longest, held),
        })
    }

    /// Whether words go by a time table.
    pub fn is_time_table(&self) -> bool {
        self.protocol.as_deref() == Some(time_table::NAME)
    }

    fn kind(&self) -> anyhow::Result<&'static ProtocolKind> {
        let Some(name) = &self.protocol else { return Ok(&PROTOCOLS[0]) };
        PROTOCOLS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let names = PROTOCOLS.iter().map(|kind| kind.name).chain([time_table::NAME]);
            let names: Vec<&str> = names.collect();
            let nearest = Nearest::of(name, names.iter().copied());
            anyhow!("unknown protocol '{name}'{nearest} (there are: {})", names.join(", "))
        })
    }

    /// The bus fabric that is asked for; `None` where another is.
    ///
    /// # Errors
    /// As [`BusOptions::grid`] and [`BusOptions::protocol`]; numbers out of range.
    pub fn plan(
        &self,
        funnels: &FunnelFabric,
        fabric: &FabricOptions,
        name: Option<&str>,
    ) -> anyhow::Result<Option<BusPlan>> {
        let depth = fabric.size.depth;
        let parameters = Parameters {
            width: fabric.size.width,
            depth,
            source_id: fabric.source_id,
            reset_low: fabric.reset == ResetStyle::Low,
            draw_seed: fabric.draw_seed.unwrap_or(DEFAULT_SEED),
        };
        let check_name = || name.map_or(Ok(()), names::check_fabric_name);
        if let Some((network, seed)) = funnels.network(&fabric.network)? {
            check_name()?;
            let protocol = self.protocol_of_split_hash(&network, depth)?;
            return Ok(Some(BusPlan::of_split_hash(network, seed, protocol, parameters, name)?));
        }
        let Some(grid) = self.grid(&fabric.network)? else { return Ok(None) };
        check_name()?;
        let protocol = self.protocol(&grid, Words::Held(depth))?;
        Ok(Some(match &fabric.network.unrouted.flows {
            None => BusPlan::new(grid, protocol, parameters, name)?,
            Some(path) => {
                let flows = flows(path, &grid)?;
                BusPlan::for_flows(grid, protocol, parameters, flows, name)
                    .map_err(|error| input::fault(path, None, error))?
            }
        }))
    }
}
