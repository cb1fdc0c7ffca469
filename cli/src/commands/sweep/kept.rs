//! Runs that are kept in a folder, each in a file of its own: there whole, or not at all.
//!
//! The first line of a file is the SHA-256 of what follows, as JSON: the version, the settings and the
//! figures of the run. The file's name has the settings' digest, so that runs of unlike settings go
//! into one folder.

use super::slurm;
use crate::options::AllocatorName;
use crate::usage::note;
use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};
use turnpike_base::staging::Staging;
use turnpike_flow::cache::digest;
use turnpike_sim_network::measure::Replies;
use turnpike_sim_network::sweep::RunFigures;
use turnpike_sim_network::traffic::{Class, Lengths};

/// Version of the figures: their meaning may change with Turnpike's. The format counts on when
/// fields change.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", format 3");

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
    /// Replies to packets, where they are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// Whether packets to their own source are drawn.
    pub self_addressed: bool,
    /// Labels of the terminals of hotspot traffic.
    pub hotspots: Vec<String>,
    /// Share of the packets that goes to the hotspots.
    pub hotspot_share: Option<f64>,
    /// Cycles before the measurement, where they are given.
    pub warm_up_cycles: Option<u64>,
    /// Cycles of the measurement.
    pub measured_cycles: u64,
    /// Allocator of channels, where packets choose.
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

/// Contents of a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: String,
    settings: Settings,
    figures: RunFigures,
}

/// Version of a file, whatever else is there.
#[derive(Deserialize)]
struct Version {
    version: String,
}

/// Path of the folder that was written.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    staging: Staging,
    /// Faults of files that are there, for [`Kept::tell`].
    wrong: Mutex<BTreeSet<String>>,
    /// The loads of the runs that are not there, of each curve, for [`Kept::tell_missing`].
    missing: Mutex<BTreeMap<String, Vec<f64>>>,
}

impl Kept {
    /// A folder that a sweep has kept runs in.
    ///
    /// # Errors
    /// One that is not there, or that has its runs in another; what the system says.
    pub fn of_a_sweep(folder: &Path) -> anyhow::Result<Self> {
        let shown = folder.display();
        if !folder.is_dir() {
            bail!("--runs {shown} is no folder; name one in which turnpike sweep --out kept runs");
        }
        if folder.join(slurm::JOB).is_file() {
            bail!(
                "--runs {shown} holds a sweep for Slurm; its runs are in {shown}/{}",
                slurm::RUNS
            );
        }
        Self::within(folder, folder)
    }

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

    /// Store in a folder to which other machines write, too. What is not finished stands in a
    /// folder that no other machine uses: what a killed run left there is told by locks, which not
    /// every file system has across machines.
    ///
    /// # Errors
    /// What the system says.
    pub fn within(folder: &Path, unfinished: &Path) -> anyhow::Result<Self> {
        make(folder)?;
        make(unfinished)?;
        let staging = Staging::within(unfinished).map_err(|error| cannot(unfinished, &error))?;
        let folder = folder.to_owned();
        Ok(Self { folder, staging, wrong: Mutex::default(), missing: Mutex::default() })
    }

    /// The figures of a run that was kept. One of another version, or damaged, counts as none, and is
    /// noted down.
    ///
    /// # Errors
    /// None: settings are plain.
    pub fn get(&self, settings: &Settings) -> anyhow::Result<Option<RunFigures>> {
        let path = self.path(settings)?;
        Ok(match read(&path, settings) {
            Ok(Some(figures)) => Some(figures),
            Ok(None) => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                let curve = format!("{}, {}", settings.routing, settings.pattern);
                missing.entry(curve).or_default().push(settings.load);
                None
            }
            Err(why) => {
                let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                wrong.insert(format!("{} {why}", path.display()));
                None
            }
        })
    }

    fn path(&self, settings: &Settings) -> anyhow::Result<PathBuf> {
        Ok(self.folder.join(settings.file()?))
    }

    /// Keeps the figures of a run, the whole of them or nothing.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(&self, settings: &Settings, figures: &RunFigures) -> anyhow::Result<()> {
        let name = settings.file()?;
        let (path, fresh) = (self.path(settings)?, self.staging.path().join(name));
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
        if path.is_dir() {
            bail!("{} is a folder, where a run is to be kept; remove it", path.display());
        }
        fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &path)).with_context(wrong)
    }

    /// Says which files were of no use, and what came of it.
    pub fn tell(&self, so: &str) {
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong.iter().for_each(|file| note(format_args!("{file}; {so}")));
    }

    /// Says which runs were not there, and what came of it.
    pub fn tell_missing(&self, so: &str) {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        for (curve, loads) in missing.iter() {
            let (runs, mut loads) = (loads.len(), loads.clone());
            loads.sort_by(f64::total_cmp);
            loads.dedup();
            let loads: Vec<_> = loads.iter().map(f64::to_string).collect();
            note(format_args!(
                "{}: runs of {curve} are missing, {runs} at load {}; {so}",
                self.folder.display(),
                loads.join(" ")
            ));
        }
    }
}

/// Makes sure of a folder.
///
/// # Errors
/// What stands in its place; what the system says.
pub fn make(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("{} is no folder; move it away", folder.display());
    }
    fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))
}

/// Error for a folder that cannot be written to.
pub fn cannot(folder: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("cannot write to {}: {}", folder.display(), error.kind())
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

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_sim_network::measure::LateFlow;
    use turnpike_sim_network::report::{Latency, Outcome};
    use turnpike_sim_network::statistics::{Interval, Stability};
    use turnpike_sim_network::sweep::{part::PartFigures, request_reply::RequestReplyFigures};

    /// Every field has a value here, so that this does not compile, or fails, when fields change: then the
    /// format in `VERSION` counts on, and so does it here.
    #[test]
    fn other_fields_are_another_format() {
        let settings = Settings {
            configuration: "c".into(),
            files: vec!["f".into()],
            routing: "r".into(),
            pattern: "p".into(),
            load: 0.5,
            seed: 1,
            packet_flits: 2.into(),
            classes: vec![Class {
                name: "n".into(),
                share: 0.5,
                pattern: "p".into(),
                packet_flits: 2.into(),
            }],
            burst_cycles: Some(3.0),
            replies: Some(Replies { room: Some(3), ..Replies::of(2) }),
            self_addressed: true,
            hotspots: vec!["h".into()],
            hotspot_share: Some(0.5),
            warm_up_cycles: Some(4),
            measured_cycles: 5,
            allocator: Some(AllocatorName::Maximum),
        };
        let interval = Some(Interval { low: 0.5, high: 1.5 });
        let latency = Some(Latency { mean: 1.5, p50: 1, p95: 2, p99: 3, max: 4 });
        let part = PartFigures {
            accepted_throughput: 0.5,
            accepted_throughput_interval: interval,
            latency,
            latency_interval: interval,
        };
        let figures = RunFigures {
            outcome: Outcome::Drained,
            verdict: Some(Stability::Steady),
            warm_up_cycles: 1,
            measured_cycles: 2,
            measured_packets: 3,
            offered_throughput: 0.5,
            accepted_throughput: 0.5,
            accepted_throughput_interval: interval,
            latency,
            latency_interval: interval,
            network_latency: latency,
            network_latency_interval: interval,
            request_reply: Some(RequestReplyFigures {
                requests: part,
                replies: part,
                round_trip: latency,
                round_trip_interval: interval,
            }),
            classes: vec![part],
            deadlines: vec![LateFlow {
                source: "a".into(),
                destination: "b".into(),
                latency_cycles: 4,
                packets: 3,
                late_packets: 2,
                worst_cycles: 5,
            }],
        };
        let entry = Entry { version: VERSION.to_owned(), settings, figures };
        let text = serde_json::to_string(&entry).unwrap();
        let wanted = concat!(
            r#"{"version":"V","settings":{"configuration":"c","files":["f"],"routing":"r","pattern":"p","#,
            r#""load":0.5,"seed":1,"packet_flits":2,"#,
            r#""classes":[{"name":"n","share":0.5,"pattern":"p","packet_flits":2}],"burst_cycles":3.0,"#,
            r#""replies":{"flits":2,"room":3},"self_addressed":true,"hotspots":["h"],"#,
            r#""hotspot_share":0.5,"warm_up_cycles":4,"measured_cycles":5,"allocator":"maximum"},"#,
            r#""figures":{"outcome":"drained","verdict":"steady","warm_up_cycles":1,"#,
            r#""measured_cycles":2,"measured_packets":3,"offered_throughput":0.5,"#,
            r#""accepted_throughput":0.5,"accepted_throughput_interval":{"low":0.5,"high":1.5},"#,
            r#""latency":{"mean":1.5,"p50":1,"p95":2,"p99":3,"max":4},"#,
            r#""latency_interval":{"low":0.5,"high":1.5},"#,
            r#""network_latency":{"mean":1.5,"p50":1,"p95":2,"p99":3,"max":4},"#,
            r#""network_latency_interval":{"low":0.5,"high":1.5},"#,
            r#""request_reply":{"requests":PART,"replies":PART,"#,
            r#""round_trip":{"mean":1.5,"p50":1,"p95":2,"p99":3,"max":4},"#,
            r#""round_trip_interval":{"low":0.5,"high":1.5}},"classes":[PART],"#,
            r#""deadlines":[{"source":"a","destination":"b","latency_cycles":4,"packets":3,"#,
            r#""late_packets":2,"worst_cycles":5}]}}"#,
        );
        let part = concat!(
            r#"{"accepted_throughput":0.5,"accepted_throughput_interval":{"low":0.5,"high":1.5},"#,
            r#""latency":{"mean":1.5,"p50":1,"p95":2,"p99":3,"max":4},"#,
            r#""latency_interval":{"low":0.5,"high":1.5}}"#,
        );
        let wanted = wanted.replace("PART", part);
        let (_, format) = VERSION.rsplit_once(' ').unwrap();
        assert_eq!((format, text), ("3", wanted.replacen('V', VERSION, 1)));
    }
}
