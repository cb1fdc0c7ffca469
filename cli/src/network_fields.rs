//! What reports say of a network that is routed, and not planned as a fabric.

use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::report::SizeFields;
use turnpike_network::routing::Relation;
use turnpike_network::topology::Topology;

/// A topology with a relation.
#[derive(Clone, Serialize, JsonSchema)]
pub struct NetworkFields {
    /// The topology.
    pub topology: String,
    /// Its size.
    #[serde(flatten)]
    pub size: SizeFields,
    /// The same in words.
    #[serde(skip)]
    pub size_words: String,
    /// Labels of the nodes that failed.
    pub failed: Vec<String>,
    /// The routing relation.
    pub routing: String,
    /// The seed that its routes were drawn from, where they were.
    pub route_seed: Option<u64>,
}

impl NetworkFields {
    /// Those of this network.
    pub fn of(topology: &dyn Topology, relation: &Relation) -> Self {
        Self {
            topology: topology.title(),
            size: topology.scale().into(),
            size_words: topology.scale().words(),
            failed: topology.failed_nodes().iter().map(|&node| topology.label(node)).collect(),
            routing: relation.name().to_owned(),
            route_seed: relation.route_seed(),
        }
    }
}
