//! What a fabric was made of, as the manifest in its folder says.

use crate::given::{RelationFile, TopologyFile};
use serde::Deserialize;
use std::collections::BTreeMap;
use turnpike_fabric::plan::FabricPlan;

/// What a fabric was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The configuration ([`FabricPlan::canonical`]), without the self-test that may stand beside
    /// it.
    pub configuration: String,
    /// The files of the user's that it goes by, topology and relation: name and SHA-256.
    files: BTreeMap<String, String>,
}

/// A file as manifests name it.
#[derive(Deserialize)]
struct Named {
    file: String,
    sha256: String,
}

/// What is read of a manifest.
#[derive(Deserialize)]
struct Manifest {
    configuration: String,
    topology_file: Option<Named>,
    relation: Option<Named>,
}

impl Origin {
    /// That of a plan.
    pub fn of(plan: &FabricPlan) -> Self {
        let topology = plan.network().description().map(|given| TopologyFile::of(given).named());
        let relation = plan.network().given_relation().map(|given| RelationFile::of(given).named());
        let files = topology.into_iter().chain(relation).collect();
        Self { configuration: plan.canonical(), files }
    }

    /// That of the fabric of a manifest; `None` where the text is none.
    pub fn read(text: &str) -> Option<Self> {
        let Manifest { configuration, topology_file, relation } =
            serde_json::from_str(text).ok()?;
        let fabric = configuration.split(" --selftest ").next()?;
        let files = topology_file.into_iter().chain(relation);
        let files = files.map(|Named { file, sha256 }| (file, sha256)).collect();
        Some(Self { configuration: fabric.to_owned(), files })
    }

    /// A file that both go by and that is not the same in both.
    pub fn other_file(&self, other: &Self) -> Option<&str> {
        let changed = |&(file, digest): &(&String, &String)| {
            other.files.get(file).is_some_and(|d| d != digest)
        };
        self.files.iter().find(changed).map(|(file, _)| file.as_str())
    }
}
