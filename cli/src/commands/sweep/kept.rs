//! Runs that are kept in a folder, each in a file of its own: there whole, or not at all.
//!
//! The first line of a file is the SHA-256 of what follows, as JSON: the version, the settings and the
//! figures of the run. The file's name has the settings' digest, so that runs of unlike settings go
//! into one folder.

use crate::options::AllocatorName;
use crate::usage::note;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};
use turnpike_base::staging::Staging;
use turnpike_flow::cache::digest;
use turnpike_sim_network::measure::Replies;
use turnpike_sim_network::sweep::RunFigures;
use turnpike_sim_network::traffic::{Class, Lengths};

/// What figures mean may change with it.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", format 1");

/// Largest file that is read.
const MOST: u64 = 1 << 20;

/// All that the figures of a run depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The arguments that make the fabric.
    pub configuration: String,
    /// SHA-256 of the files that give the network.
    pub files: Vec<String>,
    /// The routing relation.
    pub routing: String,
    /// The traffic pattern.
    pub pattern: String,
    /// Flits offered per terminal and cycle.
    pub load: f64,
    /// Seed of every draw.
    pub seed: u64,
    /// Flits of a packet, or of several lengths.
    pub packet_flits: Lengths,
    /// The classes, where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
    /// Mean length in cycles of the bursts of each source, where there are any.
    pub burst_cycles: Option<f64>,
    /// How packets are answered, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// Whether packets to their own source are drawn.
    pub self_addressed: bool,
    /// Labels of the terminals of hotspot traffic.
    pub hotspots: Vec<String>,
    /// The share of the packets that goes to them.
    pub hotspot_share: Option<f64>,
    /// Cycles before the measurement, where they are given.
    pub warm_up_cycles: Option<u64>,
    /// Cycles of the measurement.
    pub measured_cycles: u64,
    /// Who gives channels to packets, where they choose.
    pub allocator: Option<AllocatorName>,
}

impl Settings {
    /// The name of their file.
    fn file(&self) -> anyhow::Result<String> {
        let plain = |name: &str| {
            let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            name.chars().take(40).map(keep).collect::<String>()
        };
        let all = digest(serde_json::to_string(self)?);
        let (routing, pattern) = (plain(&self.routing), plain(&self.pattern));
        Ok(format!("{routing}_{pattern}_{}_{}_{}.run", self.load, self.seed, &all[..16]))
    }
}

/// What is in a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: String,
    settings: Settings,
    figures: RunFigures,
}

/// Its version, whatever else is there.
#[derive(Deserialize)]
struct Version {
    version: String,
}

/// The folder.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    staging: Staging,
    /// What is wrong with files that are there, for [`Kept::tell`].
    wrong: Mutex<BTreeSet<String>>,
}

impl Kept {
    /// Makes sure of the folder, which need not be there yet.
    ///
    /// # Errors
    /// A path that is no folder; what the system says.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        if folder.exists() && !folder.is_dir() {
            bail!("--out {} is no folder; name one, such as sweep", folder.display());
        }
        Self::within(folder, folder)
    }

    /// The same of a folder to which other machines write, too. What is not finished stands in a folder
    /// that no other machine uses: what a killed run left there is told by locks, which not every file
    /// system has across machines.
    ///
    /// # Errors
    /// What the system says.
    pub fn within(folder: &Path, unfinished: &Path) -> anyhow::Result<Self> {
        let open = || {
            fs::create_dir_all(folder)?;
            fs::create_dir_all(unfinished)?;
            Staging::within(unfinished)
        };
        let cannot = |error: io::Error| {
            anyhow::anyhow!("cannot write to {}: {}", folder.display(), error.kind())
        };
        let staging = open().map_err(cannot)?;
        Ok(Self { folder: folder.to_owned(), staging, wrong: Mutex::default() })
    }

    /// The figures of a run that was kept. One of another version, or damaged, counts as none, and is
    /// noted down.
    ///
    /// # Errors
    /// None: settings are plain.
    pub fn get(&self, settings: &Settings) -> anyhow::Result<Option<RunFigures>> {
        let path = self.folder.join(settings.file()?);
        Ok(match read(&path, settings) {
            Ok(figures) => figures,
            Err(why) => {
                let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                wrong.insert(format!("{} {why}", path.display()));
                None
            }
        })
    }

    /// Keeps the figures of a run, the whole of them or nothing.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(&self, settings: &Settings, figures: &RunFigures) -> anyhow::Result<()> {
        let name = settings.file()?;
        let (path, fresh) = (self.folder.join(&name), self.staging.path().join(&name));
        let (version, settings) = (VERSION.to_owned(), settings.clone());
        let entry = Entry { version, settings, figures: figures.clone() };
        let text = serde_json::to_string(&entry)?;
        let text = format!("{}\n{text}\n", digest(&text));
        let wrong = || {
            format!(
                "cannot write {}; runs that are kept stay, and the same command goes on",
                path.display()
            )
        };
        fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &path)).with_context(wrong)
    }

    /// Says which files were of no use, and what came of it.
    pub fn tell(&self, so: &str) {
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong.iter().for_each(|file| note(format_args!("{file}; {so}")));
    }
}

/// `None` where nothing is there; what is wrong with what is.
fn read(path: &Path, settings: &Settings) -> Result<Option<RunFigures>, String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(there) if there.is_file() && there.len() <= MOST => {}
        _ => return Err("is no run that was kept".to_owned()),
    }
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot be read: {}", error.kind()))?;
    parse(&text, settings).map(Some)
}

fn parse(text: &str, settings: &Settings) -> Result<RunFigures, String> {
    let damaged = || "is damaged".to_owned();
    let (check, value) = text.split_once('\n').ok_or_else(damaged)?;
    let value = value.strip_suffix('\n').ok_or_else(damaged)?;
    if check != digest(value) {
        return Err(damaged());
    }
    let Version { version } = serde_json::from_str(value).map_err(|_| damaged())?;
    if version != VERSION {
        return Err(format!("is of another version ({version}, not {VERSION})"));
    }
    let entry: Entry = serde_json::from_str(value).map_err(|_| damaged())?;
    match entry.settings == *settings {
        true => Ok(entry.figures),
        false => Err("is another run".to_owned()),
    }
}
