//! `simulate --machine`: one packet from each terminal through the machine of steps, in place of the
//! fabric.

use super::{SimulateOptions, machine_report, setup};
use crate::messages::{self, Messages, Pattern};
use crate::options::values;
use crate::{Report, memory};
use clap::{ArgAction, Args, ValueEnum};
use turnpike_network::topology::{Terminal, Topology, hypercube};
use turnpike_sim_network::machine::{self as model, Machine, MachineReport, Packet, Rules};
use turnpike_sim_network::traffic::{Bernoulli, Ends, Traffic, TrafficConfig};

/// Kind of machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MachineName {
    /// All at once in step 0, a packet per channel and step, queues without bound.
    Steps,
}

/// Order of the packets that wait for a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum QueueingName {
    /// Order of arrival.
    FirstCome,
    /// Order of the channels still to go, most first.
    FarthestFirst,
}

impl From<QueueingName> for model::Queueing {
    fn from(name: QueueingName) -> Self {
        match name {
            QueueingName::FirstCome => Self::FirstCome,
            QueueingName::FarthestFirst => Self::FarthestFirst,
        }
    }
}

/// Draws of the intermediate terminals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DrawnName {
    /// Draws for each packet by itself.
    Independent,
    /// A permutation for all packets.
    Permutation,
}

impl From<DrawnName> for model::Drawn {
    fn from(name: DrawnName) -> Self {
        match name {
            DrawnName::Independent => Self::Independent,
            DrawnName::Permutation => Self::Permutation,
        }
    }
}

/// The machine of steps.
#[derive(Args, Clone, Debug)]
pub struct MachineOptions {
    /// A machine of theory in place of the fabric: steps (every terminal has one packet in step 0,
    /// a channel moves one packet in each step, queues have no bound)
    #[arg(long, value_enum, value_name = "MACHINE", hide_possible_values = true)]
    pub machine: Option<MachineName>,
    /// Order of the packets that wait for a channel, with --machine: first-come, or farthest-first
    /// (the most channels to go). Default: first-come
    #[arg(long, value_enum, value_name = "RULE", hide_possible_values = true)]
    pub queueing: Option<QueueingName>,
    /// With --machine, no packet begins its second phase before all have ended their first
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub barrier: bool,
    /// Draws of the terminals that packets of two phases go to first, with --machine: independent (for
    /// each packet by itself, as in hardware), or permutation (a random permutation of all terminals
    /// for the packets of a run). Default: independent
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = true)]
    pub drawn: Option<DrawnName>,
    /// Number of runs of --machine, with --seed and the seeds after it. Default: 1
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::runs)]
    pub runs: Option<u32>,
    /// Messages in place of --traffic
    #[arg(long, value_name = "PATTERN|FILE", help = pattern_help())]
    pub pattern: Option<Pattern>,
}

fn pattern_help() -> String {
    messages::help(
        "Messages in place of --traffic, of which each source draws its packets, in proportion to \
         words; with --machine a packet for each word",
    )
}

/// The packets of a run: the same in each, or drawn from its seed.
enum Packets {
    Same(Vec<Packet>),
    /// One packet from each source: what a load of 1 releases in its first cycle.
    Drawn(Ends, Box<TrafficConfig>),
}

impl Packets {
    /// Packets that the options choose, and the name of their pattern.
    fn of(options: &SimulateOptions, topology: &dyn Topology) -> anyhow::Result<(Self, String)> {
        if let Some(pattern) = &options.machine.pattern {
            let Messages { name, list, .. } = pattern.messages(topology)?;
            let words: u64 = list.iter().map(|message| u64::from(message.words)).sum();
            if words > u64::from(model::MOST_PACKETS) {
                return Err(model::MachineError::Packets(words as usize).into());
            }
            let packets = list.iter().flat_map(|m| {
                let packet = Packet { source: m.source, destination: m.destination };
                (0..m.words).map(move |_| packet)
            });
            let mut packets: Vec<Packet> = packets.collect();
            // Numbers are those of the sources first; the order of the file within one.
            packets.sort_by_key(|packet| packet.source);
            return Ok((Self::Same(packets), name));
        }
        if topology.flows().is_some() {
            let all = topology.pairs().map(|(source, destination)| Packet { source, destination });
            return Ok((Self::Same(all.collect()), "a packet of each flow".to_owned()));
        }
        let config = TrafficConfig {
            load: 1.0,
            packet_flits: 1.into(),
            ..setup::traffic_config(options, topology)?
        };
        Ok((Self::Drawn(Ends::of(topology), Box::new(config)), options.traffic.clone()))
    }

    /// Packets of a run.
    fn draw(&self, seed: u64) -> anyhow::Result<Vec<Packet>> {
        let (ends, config) = match self {
            Self::Same(packets) => return Ok(packets.clone()),
            Self::Drawn(ends, config) => (ends, config),
        };
        let mut traffic =
            Bernoulli::new(ends.clone(), &TrafficConfig { seed, ..(**config).clone() })?;
        let mut released = Vec::new();
        traffic.release(0, &mut released);
        let packet = |release: &turnpike_sim_network::traffic::Release| Packet {
            source: Terminal(release.source),
            destination: Terminal(release.destination),
        };
        Ok(released.iter().map(packet).collect())
    }
}

/// Runs it. A delay against the lecture's theorem does not hold.
///
/// # Errors
/// Unknown names, numbers out of range, packets that choose, a barrier without phases, a run beyond
/// memory.
pub fn run(options: &SimulateOptions) -> anyhow::Result<Report> {
    let given = &options.machine;
    let network = &options.fabric.network;
    let (topology, relation) = network.wanted_of(&network.chosen()?, |wanted| wanted.build())?;
    let queueing = given.queueing.map_or_else(model::Queueing::default, Into::into);
    let drawn = given.drawn.map_or_else(model::Drawn::default, Into::into);
    let rules = Rules { queueing, barrier: given.barrier, drawn };
    // Before its queues, which may take much memory.
    let (packets, name) = Packets::of(options, &*topology)?;
    let count = match &packets {
        Packets::Same(packets) => packets.len() as u64,
        Packets::Drawn(ends, _) => ends.sources.len() as u64,
    };
    let bytes = Machine::bytes(&*topology, count);
    memory::check(&format!("a run of {count} packets"), bytes, "use a smaller network")?;
    let mut machine = Machine::new(&*topology, &relation, rules)?;
    let found = options.each_run("the machine of steps", |seed| {
        Ok(machine.run(&packets.draw(seed)?, seed)?.report)
    })?;
    let is_cube = topology.name() == hypercube::KIND.name;
    let report = MachineReport::of(found, is_cube.then(|| topology.size().dim()));
    machine_report::write(options, (&*topology, &relation), rules, &name, report)
}
