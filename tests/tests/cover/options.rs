//! Every option that changes the hardware, with the values at which it is tried.
//!
//! A new option is a line in one of the two lists: its name on the command line, its values
//! (the cheapest first), and what a value sets. The covering arrays then hold it.

use std::collections::HashSet;
use std::fmt::{Debug, Display};
use turnpike_fabric::plan::{
    MuxStyle, Parameters, Pipeline, PortStyle, QueueStyle, ResetStyle, TerminalWishes,
};
use turnpike_network::routing::RELATIONS;
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::topology::{TOPOLOGIES, Topology};

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The network.
    pub network: NetworkWords,
    /// The switches.
    pub parameters: Parameters,
    /// Widths and clocks of the terminals, where they are not the network's.
    pub wishes: TerminalWishes,
    /// Vendor, library and version of the FuseSoC core, where they are said.
    pub core: Option<[&'static str; 3]>,
}

/// A network as the command line names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NetworkWords {
    /// The topology.
    pub topology: &'static str,
    /// Its dimension, or the least one above that has the relation.
    pub least_dimension: u32,
    /// The relation.
    pub routing: &'static str,
    /// The seed of one that draws its routes.
    pub route_seed: Option<u64>,
    /// The relations of the phases of one that has two.
    pub phases: Option<[&'static str; 2]>,
    /// The terminals that its packets go to first.
    pub intermediate: Option<&'static str>,
    /// How many nodes failed: the highest ones.
    pub failed: u32,
    /// Virtual channels.
    pub vcs: Option<u8>,
    /// Virtual channels of a class that packets take.
    pub vc_allocation: VcAllocation,
    /// Terminals at each switch that has one.
    pub concentration: u32,
    /// The flows.
    pub flows: Traffic,
}

/// Every sort of flows.
const TRAFFIC: [Traffic; 5] =
    [Traffic::All, Traffic::Sparse, Traffic::Classes, Traffic::Separate, Traffic::Named];

/// Flows of a network, whatever its terminals are called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Traffic {
    /// From all to all.
    All,
    /// One of each source, to a sink that no other sends to as long as there are such.
    Sparse,
    /// Flows of two message classes, the one behind the other: to the first sink, and from the first source.
    Classes,
    /// Flows of two message classes, each in a network of its own.
    Separate,
    /// From all to all of some terminals, by names of a user's own.
    Named,
}

impl Traffic {
    /// File of the places of terminals; `None` where they have the names of the topology.
    pub fn places(self, topology: &dyn Topology) -> Option<String> {
        let some = (self == Self::Named).then(|| topology.all_terminals().step_by(2))?;
        let labels = some.map(|terminal| topology.terminal_label(terminal));
        let place = |(number, at): (usize, String)| format!("end{number},{at}\n");
        Some(format!("name,at\n{}", labels.enumerate().map(place).collect::<String>()))
    }

    /// File of the flows; `None` from all to all.
    pub fn file(self, topology: &dyn Topology) -> Option<String> {
        let label = |terminal| topology.terminal_label(terminal);
        let sinks: Vec<String> = topology.sinks().map(label).collect();
        let sources: Vec<String> = topology.sources().map(label).collect();
        let pairs = sources.iter().zip(sinks.iter().cycle().skip(1));
        match self {
            Self::All | Self::Named => None,
            Self::Sparse => {
                let flow = |(from, to)| format!("{from},{to},0.25,2,5\n");
                let flows: String = pairs.map(flow).collect();
                Some(format!("source,destination,bandwidth,packet,burst\n{flows}"))
            }
            Self::Classes | Self::Separate => {
                let (ask, reply) = (sinks.first()?, sources.first()?);
                Some(format!(
                    "class ask\nclass reply after ask\nsource,destination,class,bandwidth\n\
                     *,{ask},ask,0.01\n{reply},*,reply,0.01\n"
                ))
            }
        }
    }
}

/// An option and its values.
pub struct Factor<C = Case> {
    /// Its name on the command line.
    pub name: &'static str,
    values: Vec<Value<C>>,
}

struct Value<C> {
    word: String,
    set: Box<dyn Fn(&mut C) + Send + Sync>,
}

impl<C: 'static> Factor<C> {
    /// That of this name, with its values and what each sets.
    pub fn of<T: Clone + Debug + Send + Sync + 'static>(
        name: &'static str,
        values: impl IntoIterator<Item = T>,
        set: fn(&mut C, T),
    ) -> Self {
        let value = |value: T| Value {
            word: format!("{value:?}"),
            set: Box::new(move |case| set(case, value.clone())),
        };
        Self { name, values: values.into_iter().map(value).collect() }
    }

    /// How many values it has.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// Sets a value.
    pub fn set(&self, value: usize, case: &mut C) {
        (self.values[value].set)(case);
    }

    /// The option with a value, for messages.
    pub fn shown(&self, value: usize) -> impl Display {
        format!("{} {}", self.name, self.values[value].word)
    }
}

/// Sets the values of a row; options that have a hole in it stay as they are.
pub fn set<C: 'static>(factors: &[Factor<C>], row: &[Option<usize>], case: &mut C) {
    for (factor, value) in factors.iter().zip(row) {
        if let Some(value) = value {
            factor.set(*value, case);
        }
    }
}

/// The names of the relations, each once: several topologies may have one of a name.
fn relations() -> Vec<&'static str> {
    let mut names: Vec<_> = RELATIONS.iter().map(|kind| kind.name).collect();
    let mut met = HashSet::new();
    names.retain(|name| met.insert(*name));
    names
}

/// The options of the network.
pub fn network() -> Vec<Factor> {
    vec![
        Factor::of("topology", TOPOLOGIES.iter().map(|k| k.name), |c, v| c.network.topology = v),
        Factor::of("routing", relations(), |c, v| c.network.routing = v),
        Factor::of("failed", [0, 1, 2], |c, v| c.network.failed = v),
        Factor::of("vcs", [None, Some(1), Some(2), Some(5)], |c, v| c.network.vcs = v),
        Factor::of("vc-allocation", VcAllocation::ALL, |c, v| c.network.vc_allocation = v),
        Factor::of("concentration", [1, 2, 4], |c, v| c.network.concentration = v),
        Factor::of("flows", TRAFFIC, |c, v| {
            c.network.flows = v;
        }),
        // Goes with flows that say how much they send.
        Factor::of("shaper, shaper-room", [None, Some(0), Some(64)], |c, v| c.wishes.shaper = v),
        Factor::of("route-seed", [None, Some(7)], |c, v| c.network.route_seed = v),
        Factor::of("phases", [None, Some(["rotation", "ecube"])], |c, v| c.network.phases = v),
        Factor::of("intermediate", [None, Some("0,1"), Some("bits:0")], |c, v| {
            c.network.intermediate = v;
        }),
    ]
}

/// The options of the FuseSoC core, which go together.
pub const CORE: &str = "vendor, library, core-version";

/// The options of the switches, and of the files beside them.
pub fn hardware() -> Vec<Factor> {
    vec![
        Factor::of("width", [8, 1, 2, 3, 33, 1024], |c, v| c.parameters.width = v),
        Factor::of("depth", [4, 2, 3, 8, 9, 32, 33, 1024], |c, v| c.parameters.depth = v),
        Factor::of("queue", QueueStyle::ALL, |c, v| c.parameters.queue = *v),
        Factor::of("mux", MuxStyle::ALL, |c, v| c.parameters.mux = *v),
        Factor::of("pipeline", Pipeline::ALL, |c, v| c.parameters.pipeline = *v),
        Factor::of("link-registers", [0, 1, 2], |c, v| c.parameters.link_registers = v),
        Factor::of("keep", [false, true], |c, v| c.parameters.keep = v),
        Factor::of("user-width", [0, 1, 5], |c, v| c.parameters.user_width = v),
        Factor::of("source-id", [false, true], |c, v| c.parameters.source_id = v),
        Factor::of("ports", PortStyle::ALL, |c, v| c.parameters.ports = *v),
        Factor::of("reset", ResetStyle::ALL, |c, v| c.parameters.reset = *v),
        Factor::of("draw-seed", [1, 7], |c, v| c.parameters.draw_seed = v),
        Factor::of("terminal-width", [None, Some("*=16"), Some("*=1")], |c, v| {
            c.wishes.widths =
                v.map(|width| width.parse().expect("it is a width")).into_iter().collect();
        }),
        // With the stages of its synchronisers.
        Factor::of("terminal-clock", [None, Some(2), Some(3)], |c, v: Option<u32>| {
            let clock = v.map(|_| "*=io_clk".parse().expect("it is a clock"));
            c.wishes.clocks = clock.into_iter().collect();
            c.wishes.sync_stages = v.unwrap_or(TerminalWishes::SYNC_STAGES);
        }),
        Factor::of("terminal-address", [None, Some("*=9")], |c, v| {
            c.wishes.addresses =
                v.map(|address| address.parse().expect("it is an address")).into_iter().collect();
        }),
        // With the limit of its watchdog; that by default is tried in the bench of the counters.
        Factor::of("counters", [None, Some(5)], |c, v| c.wishes.counters = v),
        Factor::of(CORE, [None, Some(["acme.org", "noc-1", "1.2.0-r3"])], |c, v| c.core = v),
    ]
}

/// The configuration of a row of `factors`; options that are not among them, or have a hole in
/// the row, are as they are by default.
pub fn case_of(factors: &[Factor], row: &[Option<usize>]) -> Case {
    let network = NetworkWords {
        topology: "hypercube",
        least_dimension: 2,
        routing: "ecube",
        route_seed: None,
        phases: None,
        intermediate: None,
        failed: 0,
        vcs: None,
        vc_allocation: VcAllocation::default(),
        concentration: 1,
        flows: Traffic::All,
    };
    let mut case = Case {
        network,
        parameters: Parameters::default(),
        wishes: TerminalWishes::default(),
        core: None,
    };
    set(factors, row, &mut case);
    case
}

/// Every parameter of a switch has a line. This stops compiling where one is added.
#[test]
fn every_parameter_is_listed() {
    let Parameters {
        width,
        depth,
        source_id,
        user_width,
        keep,
        pipeline,
        link_registers,
        queue,
        mux,
        ports,
        reset,
        draw_seed,
    } = Parameters::default();
    let all = [
        ("width", width.to_string()),
        ("depth", depth.to_string()),
        ("source-id", source_id.to_string()),
        ("user-width", user_width.to_string()),
        ("keep", keep.to_string()),
        ("pipeline", pipeline.to_string()),
        ("link-registers", link_registers.to_string()),
        ("queue", queue.to_string()),
        ("mux", mux.to_string()),
        ("ports", ports.to_string()),
        ("reset", reset.to_string()),
        ("draw-seed", draw_seed.to_string()),
        ("terminal-width", "the network's".to_owned()),
        ("terminal-clock", "the network's".to_owned()),
        ("terminal-address", "the network's".to_owned()),
        ("counters", "none".to_owned()),
        (CORE, "Turnpike's".to_owned()),
    ];
    let factors = hardware();
    assert_eq!(factors.len(), all.len());
    for (name, default) in all {
        let factor = factors.iter().find(|f| f.name == name);
        let factor = factor.unwrap_or_else(|| panic!("--{name} (default {default}) is missing"));
        // Each value sets something of its own.
        let at = factors.iter().position(|f| f.name == name).unwrap();
        let cases: Vec<Case> = (0..factor.size())
            .map(|value| {
                let mut row = vec![None; factors.len()];
                row[at] = Some(value);
                case_of(&factors, &row)
            })
            .collect();
        for (i, case) in cases.iter().enumerate() {
            assert!(!cases[..i].contains(case), "--{name}: {}", factor.shown(i));
        }
    }
}
