//! Every shortest path, with escape channels ([`super::choice`]): on the hypercube and on the
//! directed cube ([`cube`]), on meshes and tori ([`grid`]). Every shortest path of a fat tree, without
//! them ([`super::up_down_tree`]).
//!
//! The escape relations are `ecube`, `static` and `dimension-order`. Headers are theirs, and say
//! how to go on from any node, however the packet came there.

mod cube;
mod grid;

use super::choice::{ADAPTIVE_VC, Choices};
use super::{
    Build, Built, Draw, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation,
    RelationKind, RouteLogic, RoutingFunction, Select, Vc, dimension_order, directed_static, ecube,
    up_down_tree,
};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use cube::Cube;
use grid::Shortened;
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "adaptive",
    routes: |network| match network {
        Structure::Cube | Structure::DirectedCube(_) => true,
        Structure::Grid(grid) => !grid.is_ring(),
        Structure::Tree(tree) => tree.is_fat(),
        _ => false,
    },
    summary: "every shortest path, by what is free; escape channels of ecube, static or \
              dimension-order, none in fat trees",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 4; Duato 1993",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let name = KIND.name;
    let (shortest, escape): (Arc<dyn Shortest>, _) = match topology.structure() {
        Structure::Tree(tree) => return up_down_tree::adaptive(name, tree),
        Structure::Grid(grid) => (Arc::new(Shortened::new(grid)), dimension_order::KIND),
        Structure::DirectedCube(_) => (Arc::new(Cube::new(name, topology)?), directed_static::KIND),
        _ => (Arc::new(Cube::new(name, topology)?), ecube::KIND),
    };
    let escape = super::build(escape.name, topology)?;
    let mut legend = escape.header_legend().to_vec();
    legend.push("VC 0 is adaptive, those above are escape channels.".into());
    let (order, uniform) = (escape.order().clone(), escape.has_uniform_headers());
    let vcs = ESCAPE.0 + escape.vcs();
    let adaptive = Adaptive { shortest: Arc::clone(&shortest), escape };
    Ok(Relation::new(name, order, legend, Arc::new(adaptive))
        .with_vcs(vcs)
        .with_uniform_headers(uniform)
        .with_choices(shortest, true))
}

/// The first escape channel.
const ESCAPE: Vc = Vc(ADAPTIVE_VC.0 + 1);

/// The shortest paths of one network.
trait Shortest: Choices {
    /// The header behind a port.
    fn after(&self, output: Port, header: Header) -> Header;
    /// Header update of a hop to `output`, as hardware.
    fn carry(&self, output: Port) -> HeaderUpdate;
}

/// Every shortest path, with an escape relation.
#[derive(Debug)]
struct Adaptive {
    shortest: Arc<dyn Shortest>,
    escape: Relation,
}

impl Adaptive {
    /// Input and VC under which the escape relation sees a packet: on an adaptive channel as if at
    /// injection.
    fn escaping(&self, input: Input, vc: Vc) -> (Input, Vc) {
        match vc.0.checked_sub(ESCAPE.0) {
            None => (Input::INJECT, Vc(0)),
            Some(vc) => (input, Vc(vc)),
        }
    }
}

impl RoutingFunction for Adaptive {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.escape.inject(source, destination, draw)
    }
    /// The escape relation's.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let (from, escape_vc) = self.escaping(input, vc);
        let hop = self.escape.hop(node, from, escape_vc, header);
        let header = match hop.output {
            Output::Network(port) => self.shortest.after(port, header),
            Output::Eject(_) => hop.header,
        };
        Hop { vc: self.output_vc(node, input, vc, hop.output), header, ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let (from, escape_vc) = self.escaping(input, vc);
        let vc = self.escape.output_vc(node, from, escape_vc, output);
        match output {
            Output::Eject(_) => vc,
            Output::Network(_) => Vc(ESCAPE.0 + vc.0),
        }
    }
}

impl RouteLogic for Adaptive {
    fn header_bits(&self, input: Input) -> u32 {
        self.escape.header_bits(input)
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.escape.injection(source)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let (from, escape_vc) = self.escaping(input, vc);
        self.escape.select(node, from, escape_vc)
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        self.shortest.carry(output)
    }
}
