//! Property 2: no port has more than ⌈(k-1)/2⌉ crosspoints.

use super::LabelledRoute;
use crate::network::Network;
use crate::turns::SwitchTurns;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::topology::Port;

/// Property 2, for k network ports: at most ⌈(k-1)/2⌉ crosspoints per input port and per
/// output port, terminals excluded. On the cube no shortest-path relation does better.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PortBound {
    /// Whether it is so of every port of every switch.
    pub holds: bool,
    /// ⌈(k-1)/2⌉.
    pub bound: u32,
    /// The most crosspoints of an output port.
    pub max_fan_in: u32,
    /// The most crosspoints of an input port.
    pub max_fan_out: u32,
    /// The port over the bound with the fewest crosspoints.
    pub counterexample: Option<BusyPort>,
}

/// A port with more crosspoints than the bound.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BusyPort {
    /// `fan-in` for an output port, `fan-out` for an input port.
    pub direction: &'static str,
    /// The port.
    pub port: String,
    /// Its crosspoints, each with a route that uses it.
    pub crosspoints: Vec<Crosspoint>,
}

/// A crosspoint and a route that uses it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Crosspoint {
    /// The input port.
    pub input: String,
    /// The output port.
    pub output: String,
    /// The switch at which the route uses it.
    pub at: String,
    /// The route.
    pub route: LabelledRoute,
}

impl PortBound {
    /// Decides it, from the turns that the network holds.
    pub fn of(network: &Network) -> Self {
        let bound = u32::from(network.topology().ports()).saturating_sub(1).div_ceil(2);
        let classes = &network.turns().classes;
        let largest = |counts: fn(&SwitchTurns) -> _| {
            let all = classes.iter().flat_map(|class| {
                let counts: std::collections::BTreeMap<Port, u32> = counts(class);
                counts.into_values()
            });
            all.max().unwrap_or(0)
        };
        let (max_fan_in, max_fan_out) =
            (largest(SwitchTurns::fan_in), largest(SwitchTurns::fan_out));
        let over = classes.iter().enumerate().flat_map(|(class, switch)| {
            let ins = switch.fan_in().into_iter().map(|(port, count)| (count, "fan-in", port));
            let outs = switch.fan_out().into_iter().map(|(port, count)| (count, "fan-out", port));
            let both: Vec<_> = ins.chain(outs).map(move |over| (over, class)).collect();
            both.into_iter().filter(move |((count, ..), _)| *count > bound)
        });
        let counterexample = over
            .min()
            .map(|((_, direction, port), class)| busy_port(network, class, direction, port));
        Self { holds: counterexample.is_none(), bound, max_fan_in, max_fan_out, counterexample }
    }
}

fn busy_port(network: &Network, class: usize, direction: &'static str, port: Port) -> BusyPort {
    let topology = network.topology();
    let switch = &network.turns().classes[class];
    let of_port = |&(input, output): &(Port, Port)| {
        port == if direction == "fan-in" { output } else { input }
    };
    let crosspoints = switch.crosspoints().into_iter().filter(of_port).map(|(input, output)| {
        let (_, witness) = switch
            .turns
            .iter()
            .find(|(turn, _)| {
                turn.input == turnpike_network::routing::Input::Network(input)
                    && turn.output == turnpike_network::routing::Output::Network(output)
            })
            .expect("a crosspoint is the hardware of a turn");
        Crosspoint {
            input: topology.port_name(input),
            output: topology.port_name(output),
            at: topology.label(witness.at),
            route: LabelledRoute::of(network, witness.source, witness.destination, witness.draw),
        }
    });
    BusyPort { direction, port: topology.port_name(port), crosspoints: crosspoints.collect() }
}
