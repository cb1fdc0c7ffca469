//! Fields of reports on a network that is not planned as a fabric.

use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::report::SizeFields;
use turnpike_network::routing::Relation;
use turnpike_network::topology::Topology;

/// A topology.
#[derive(Clone, Serialize, JsonSchema)]
pub struct TopologyFields {
    /// Name of the topology.
    pub topology: String,
    /// Size of the topology.
    #[serde(flatten)]
    pub size: SizeFields,
    /// Size of the topology in words.
    #[serde(skip)]
    pub size_words: String,
}

impl TopologyFields {
    /// Fields of this topology.
    pub fn of(topology: &dyn Topology) -> Self {
        let (size, size_words) = (topology.scale().into(), topology.scale().words());
        Self { topology: topology.title(), size, size_words }
    }
}

/// Labels of the nodes that failed.
pub fn failed(topology: &dyn Topology) -> Vec<String> {
    topology.failed_nodes().iter().map(|&node| topology.label(node)).collect()
}

/// A topology with a relation.
#[derive(Clone, Serialize, JsonSchema)]
pub struct NetworkFields {
    /// The topology.
    #[serde(flatten)]
    pub topology: TopologyFields,
    /// Labels of the nodes that failed.
    pub failed: Vec<String>,
    /// Name of the routing relation.
    pub routing: String,
    /// The seed that the relation's routes were drawn from, where they were.
    pub route_seed: Option<u64>,
    /// The relations of the routing relation's two phases, where it has two, with a comma between
    /// them.
    pub phases: Option<String>,
    /// The terminals that packets of two phases go to first, where not all of them.
    pub intermediate: Option<String>,
}

impl NetworkFields {
    /// Fields of this network.
    pub fn of(topology: &dyn Topology, relation: &Relation) -> Self {
        Self {
            topology: TopologyFields::of(topology),
            failed: failed(topology),
            routing: relation.name().to_owned(),
            route_seed: relation.route_seed(),
            phases: relation.phases().map(|names| names.join(",")),
            intermediate: relation.intermediate().map(ToString::to_string),
        }
    }

    /// Topology, size and relation, at the head of a text.
    pub fn title(&self) -> String {
        let TopologyFields { topology, size_words, .. } = &self.topology;
        format!("{topology}, {size_words}, routing {}", self.routing)
    }
}
