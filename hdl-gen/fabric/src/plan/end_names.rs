//! The names of ports and terminals, as they stand in identifiers.

use turnpike_base::names::Names;
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// The names of a topology's ports, by number, as the names of a switch's ports begin: told apart
/// from each other and from the terminals' ports, whatever the case of their letters.
pub fn port_names(topology: &dyn Topology) -> Vec<String> {
    let given = (0..topology.ports()).map(|port| topology.port_name(Port(port)));
    let given: Vec<String> = given.collect();
    let mut names = Names::default();
    // What all names of a port's nets begin with.
    let nets = |stem: &str| format!("{stem}_net");
    for name in given.iter().map(|name| name.to_ascii_lowercase()) {
        let mut terminals = ["inject", "eject"].iter().filter_map(|at| name.strip_prefix(at));
        if terminals.any(|number| number.bytes().all(|digit| digit.is_ascii_digit())) {
            names.take(&nets(&name));
        }
    }
    given.iter().map(|name| names.stem(name, |stem| vec![nets(stem)])).collect()
}

/// The names of a switch's inputs and outputs.
pub(super) struct EndNames<'a> {
    topology: &'a dyn Topology,
    node: Node,
    ports: Vec<String>,
}

impl<'a> EndNames<'a> {
    pub fn new(topology: &'a dyn Topology, node: Node) -> Self {
        Self { topology, node, ports: port_names(topology) }
    }

    pub fn input(&self, input: Input) -> String {
        match input {
            Input::Network(port) => self.ports[usize::from(port.0)].clone(),
            Input::Inject(_) => input.name(self.topology, self.node),
        }
    }

    pub fn output(&self, output: Output) -> String {
        match output {
            Output::Network(port) => self.ports[usize::from(port.0)].clone(),
            Output::Eject(_) => output.name(self.topology, self.node),
        }
    }
}

/// The names of the terminals, by number, as they stand in the names of their streams' ports; empty where
/// no terminal has a number.
pub(super) fn terminal_names(topology: &dyn Topology) -> Vec<String> {
    let mut names = Names::default();
    let name = |terminal| match topology.has_number(terminal) {
        true => names.part(&topology.terminal_label(terminal)),
        false => String::new(),
    };
    (0..topology.terminals()).map(Terminal).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::topology::TOPOLOGIES;

    /// The plain names, of every topology of Turnpike's own.
    #[test]
    fn own_names_stay() {
        for kind in TOPOLOGIES {
            let topology = kind.build(*kind.sizes.small().last().unwrap()).unwrap();
            let topology = &*topology;
            let given = (0..topology.ports()).map(|port| topology.port_name(Port(port)));
            assert_eq!(port_names(topology), given.collect::<Vec<_>>(), "{}", kind.name);
            let terminals = topology.all_terminals();
            let labels = terminals.map(|terminal| topology.terminal_label(terminal));
            assert_eq!(terminal_names(topology), labels.collect::<Vec<_>>(), "{}", kind.name);
        }
    }
}
