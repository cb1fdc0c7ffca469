//! Origin of a fabric, as the manifest in its folder says it.

use crate::given::{ListFile, RelationFile, TopologyFile};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use turnpike_base::bits::hexadecimal;
use turnpike_bus::BusPlan;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_fabric::plan::FabricPlan;
use turnpike_slotted::SlottedPlan;

/// Configuration and files that a fabric was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The configuration ([`FabricPlan::canonical`]), without the self-test that may stand beside
    /// it.
    pub configuration: String,
    /// The files of the user's that it goes by, topology, relation, flows and terminals: name and
    /// SHA-256.
    files: BTreeMap<String, String>,
}

/// A file as manifests name it.
#[derive(Deserialize)]
struct Named {
    file: String,
    sha256: String,
}

/// Name of the schedule, in messages that say that a fixed schedule differs.
const SCHEDULE: &str = "schedule";

/// Fields that are read of a manifest.
#[derive(Deserialize)]
struct Manifest {
    configuration: String,
    topology_file: Option<Named>,
    relation: Option<Named>,
    flows: Option<Named>,
    places: Option<Named>,
    schedule_sha256: Option<String>,
}

impl Origin {
    /// Origin of a plan.
    pub fn of(plan: &FabricPlan) -> Self {
        let topology = plan
            .network()
            .description()
            .map(|given| TopologyFile::of(given, plan.topology()).named());
        let relation = plan.network().given_relation().map(|given| RelationFile::of(given).named());
        let lists = [ListFile::of_flows, ListFile::of_places];
        let lists = lists.into_iter().filter_map(|of| of(plan.topology())).map(ListFile::named);
        let files = topology.into_iter().chain(relation).chain(lists).collect();
        Self { configuration: plan.canonical(), files }
    }

    /// Origin of a circuit fabric. A fixed schedule is told from another by its digest.
    pub fn of_circuit(plan: &CircuitPlan) -> Self {
        let schedule = match &plan.control {
            Control::Baked(baked) => Some(baked.text()),
            Control::Memory(_) | Control::SelfRouting => None,
        };
        let digest = |text: String| hexadecimal(&Sha256::digest(text));
        let files = schedule.map(|text| (SCHEDULE.to_owned(), digest(text)));
        Self { configuration: plan.canonical(), files: files.into_iter().collect() }
    }

    /// Origin of a slotted fabric: files of its network, and its time table.
    pub fn of_slotted(plan: &SlottedPlan) -> Self {
        let Self { mut files, .. } = Self::of(plan.over());
        files.insert(SCHEDULE.to_owned(), hexadecimal(&Sha256::digest(plan.text())));
        Self { configuration: plan.canonical(), files }
    }

    /// Origin of a bus fabric.
    pub fn of_bus(plan: &BusPlan) -> Self {
        let flows = plan.flows().map(|flows| ListFile::of_bus(flows).named());
        Self { configuration: plan.canonical(), files: flows.into_iter().collect() }
    }

    /// Origin of a fabric that its configuration tells from every other.
    pub fn new(configuration: String) -> Self {
        Self { configuration, files: BTreeMap::new() }
    }

    /// Origin in the text of a manifest; `None` where the text is no manifest.
    pub fn read(text: &str) -> Option<Self> {
        let manifest: Manifest = serde_json::from_str(text).ok()?;
        let Manifest { configuration, topology_file, relation, flows, places, schedule_sha256 } =
            manifest;
        let fabric = configuration.split(" --selftest ").next()?;
        let files = [topology_file, relation, flows, places].into_iter().flatten();
        let files = files.map(|Named { file, sha256 }| (file, sha256));
        let schedule = schedule_sha256.map(|sha256| (SCHEDULE.to_owned(), sha256));
        let files = files.chain(schedule).collect();
        Some(Self { configuration: fabric.to_owned(), files })
    }

    /// The digest of a fixed schedule.
    pub(crate) fn schedule_sha256(&self) -> Option<&str> {
        self.files.get(SCHEDULE).map(String::as_str)
    }

    /// A file that both go by and that is not the same in both.
    pub fn other_file(&self, other: &Self) -> Option<&str> {
        let changed = |&(file, digest): &(&String, &String)| {
            other.files.get(file).is_some_and(|d| d != digest)
        };
        self.files.iter().find(changed).map(|(file, _)| file.as_str())
    }
}
