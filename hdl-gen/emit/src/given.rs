//! Entries of the manifest for the files that a user gave: of a relation, of a topology, of flows
//! or of terminals.

use crate::File;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use turnpike_base::bits::hexadecimal;
use turnpike_bus::BusFlows;
use turnpike_fabric::plan::{ENDS_FILE, FLOWS_FILE, FabricPlan, PLACES_FILE, port_names};
use turnpike_network::description::{Description, Name};
use turnpike_network::routing::given::Given;
use turnpike_network::topology::{Port, Topology};

/// The file of a relation, in the folder.
#[derive(Serialize)]
pub struct RelationFile {
    file: String,
    sha256: String,
}

impl RelationFile {
    /// Entry of a relation.
    pub fn of(given: &Given) -> Self {
        Self { file: given.file_name(), sha256: sha256(&given.text()) }
    }

    /// Name and digest of the file.
    pub fn named(self) -> (String, String) {
        (self.file, self.sha256)
    }
}

/// The file of a list, in the folder: of flows, or of terminals.
#[derive(Serialize)]
pub struct ListFile {
    file: String,
    sha256: String,
    /// Number of entries.
    count: usize,
}

impl ListFile {
    /// Entry of the flows that a network is for; `None` where it is for packets from all to all.
    pub fn of_flows(topology: &dyn Topology) -> Option<Self> {
        let flows = topology.flows()?;
        let sha256 = sha256(&flows.text(topology));
        Some(Self { file: FLOWS_FILE.to_owned(), sha256, count: flows.list().len() })
    }

    /// Entry of the terminals that a user named; `None` where nobody did.
    pub fn of_places(topology: &dyn Topology) -> Option<Self> {
        let places = topology.places()?;
        let sha256 = sha256(&places.text());
        Some(Self { file: PLACES_FILE.to_owned(), sha256, count: places.count() })
    }

    /// Entry of the flows that a bus is for.
    pub fn of_bus(flows: &BusFlows) -> Self {
        let (sha256, count) = (sha256(flows.text()), flows.pairs().len());
        Self { file: FLOWS_FILE.to_owned(), sha256, count }
    }

    /// Name and digest of the file.
    pub fn named(self) -> (String, String) {
        (self.file, self.sha256)
    }
}

/// Files of the user's that a fabric was made of, as they stand in its folder.
pub(crate) fn files(plan: &FabricPlan) -> Vec<File> {
    let network = plan.network();
    let topology = network.description().map(|given| (given.file_name(), given.text()));
    let relation = network.given_relation().map(|given| (given.file_name(), given.text()));
    let ends = plan.ends().map(|ends| (ENDS_FILE.to_owned(), ends.text()));
    // The flows of ends follow from them.
    let flows = plan.topology().flows().filter(|_| ends.is_none());
    let flows = flows.map(|flows| (FLOWS_FILE.to_owned(), flows.text(plan.topology())));
    let places = plan.topology().places();
    let places = places.map(|places| (PLACES_FILE.to_owned(), places.text()));
    let given = topology.into_iter().chain(relation).chain(flows).chain(places).chain(ends);
    given.map(|(name, contents)| File { name, contents }).collect()
}

/// The file of a topology, in the folder.
#[derive(Serialize)]
pub struct TopologyFile {
    file: String,
    sha256: String,
    /// Names of nodes that are no part of an identifier, by the label that stands for each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    node_names: BTreeMap<String, String>,
    /// Names of terminals that are no part of an identifier, by the label that stands for each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    terminal_names: BTreeMap<String, String>,
    /// Names of ports, by the name that stands for each in those of the switches.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    port_names: BTreeMap<String, String>,
}

impl TopologyFile {
    /// Names of a topology that a description gave.
    pub fn of(description: &Description, topology: &dyn Topology) -> Self {
        let given = (0..topology.ports()).map(|port| topology.port_name(Port(port)));
        let ports = port_names(topology).into_iter().zip(given);
        let terminals = description.terminals.iter().map(|terminal| &terminal.name);
        Self {
            file: description.file_name(),
            sha256: sha256(&description.text()),
            node_names: originals(description.nodes.iter()),
            terminal_names: originals(terminals),
            port_names: ports.filter(|(name, given)| name != given).collect(),
        }
    }

    /// Name and digest of the file.
    pub fn named(self) -> (String, String) {
        (self.file, self.sha256)
    }
}

fn originals<'a>(names: impl Iterator<Item = &'a Name>) -> BTreeMap<String, String> {
    let changed = |name: &Name| Some((name.identifier.clone(), name.original.clone()?));
    names.filter_map(changed).collect()
}

fn sha256(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}
