//! Property 2: no input port has more than ⌈(k-1)/2⌉ crosspoints; and the same of output ports.

use super::LabelledRoute;
use crate::network::Network;
use crate::turns::SwitchTurns;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_network::topology::Port;

/// Property 2, for k network ports: at most ⌈(k-1)/2⌉ crosspoints per input port, terminals
/// excluded. The note bounds the outputs of an input alone; beside it stands the same of the inputs
/// of an output. On the cube no shortest-path relation does better in either.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PortBound {
    /// Whether it is so of every input port of every switch: the note's property, outputs per input.
    pub holds: bool,
    /// Whether it is so of every output port as well: inputs per output, of which the note says nothing.
    pub fan_in_holds: bool,
    /// Bound on the crosspoints of a port: ⌈(k-1)/2⌉.
    pub bound: u32,
    /// The most crosspoints of an output port.
    pub max_fan_in: u32,
    /// The most crosspoints of an input port.
    pub max_fan_out: u32,
    /// The input port over the bound with the fewest crosspoints.
    pub counterexample: Option<BusyPort>,
    /// The output port over the bound with the fewest crosspoints.
    pub fan_in_counterexample: Option<BusyPort>,
}

/// A port with more crosspoints than the bound.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BusyPort {
    /// Name of the port with more crosspoints than the bound.
    pub port: String,
    /// Crosspoints of the port, each with a route that uses it.
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
        let classes = || classes.iter().enumerate();
        let counts = |of: fn(&SwitchTurns) -> BTreeMap<Port, u32>| {
            classes().flat_map(move |(class, switch)| {
                of(switch).into_iter().map(move |(port, count)| (count, port, class))
            })
        };
        let largest = |of| counts(of).map(|(count, ..)| count).max().unwrap_or(0);
        let over = |of, is_of: fn((Port, Port)) -> Port| {
            let least = counts(of).filter(|(count, ..)| *count > bound).min()?;
            let (_, port, class) = least;
            Some(busy_port(network, class, port, |crosspoint| is_of(crosspoint) == port))
        };
        let counterexample = over(SwitchTurns::fan_out, |(input, _)| input);
        let fan_in_counterexample = over(SwitchTurns::fan_in, |(_, output)| output);
        Self {
            holds: counterexample.is_none(),
            fan_in_holds: fan_in_counterexample.is_none(),
            bound,
            max_fan_in: largest(SwitchTurns::fan_in),
            max_fan_out: largest(SwitchTurns::fan_out),
            counterexample,
            fan_in_counterexample,
        }
    }
}

fn busy_port(
    network: &Network,
    class: usize,
    port: Port,
    is_of_port: impl Fn((Port, Port)) -> bool,
) -> BusyPort {
    let topology = network.topology();
    let switch = &network.turns().classes[class];
    let of_port = |crosspoint: &(Port, Port)| is_of_port(*crosspoint);
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
    BusyPort { port: topology.port_name(port), crosspoints: crosspoints.collect() }
}
