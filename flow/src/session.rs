//! The tools of one target at work: synthesis, packing, place and route, each result cached.

use crate::cache::{self, Cache, Key};
use crate::cells::{Cells, StatError};
use crate::design::Design;
use crate::liberty::{Liberty, LibertyError};
use crate::placement::{self, Placement, ReportError, Resource, Utilization};
use crate::process::{self, ProcessError};
use crate::target::{Family, Hierarchy, Target};
use crate::tool::{self, Found, ToolError};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use turnpike_base::staging::Staging;

/// Longest that one run of a tool may take.
const LIMIT: Duration = Duration::from_secs(6 * 3600);

/// The name of the standard cells in a run's folder.
const LIBERTY: &str = "cells.lib";

/// Reason that there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// A tool that is not to be had.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A tool that failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The standard cells.
    #[error(transparent)]
    Liberty(#[from] LibertyError),
    /// More than the device has.
    #[error("{top} needs {} {resource}, {:.1} times the {} of {target}", need.used, need.used as f64 / need.available as f64, need.available)]
    TooLarge {
        /// The module on top.
        top: String,
        target: &'static str,
        /// The resource that it needs most of.
        resource: String,
        /// Resource, as it is needed and as it is there.
        need: Resource,
    },
    /// A report of Yosys.
    #[error(transparent)]
    Stat(#[from] StatError),
    /// A report of nextpnr.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A temporary file.
    #[error("cannot use a temporary folder: {0}")]
    Io(#[from] io::Error),
}

/// The tools of one target.
#[derive(Debug)]
pub struct Session {
    /// Target of the synthesis.
    pub target: Target,
    yosys: Found,
    placer: Option<Found>,
    liberty: Option<Liberty>,
    cache: Cache,
    work: Staging,
    logs: PathBuf,
    /// By digest of the design: its netlist, once it is there.
    netlists: Mutex<HashMap<String, Arc<Mutex<Option<PathBuf>>>>>,
}

impl Session {
    /// Finds the tools of a target. `use_cache`: results may come from the user's cache and
    /// are kept there.
    ///
    /// # Errors
    /// [`FlowError`] names what is missing and the command that installs it.
    pub fn open(target: Target, use_cache: bool) -> Result<Self, FlowError> {
        let work = Staging::temporary()?;
        let user = cache::user_folder();
        let cache = user.as_ref().filter(|_| use_cache);
        let cache = cache.map_or_else(Cache::off, |folder| Cache::at(folder.join("synth")));
        let logs = user.map_or_else(std::env::temp_dir, |folder| folder.join("logs"));
        Ok(Self {
            target,
            yosys: tool::YOSYS.find()?,
            placer: target.family.placer().map(|tool| tool.find()).transpose()?,
            liberty: (target.family == Family::Osu018).then(Liberty::osu018).transpose()?,
            cache,
            work,
            logs,
            netlists: Mutex::default(),
        })
    }

    /// The tools with their versions, one a line.
    pub fn tools(&self) -> Vec<&str> {
        let tools = [Some(&self.yosys), self.placer.as_ref()].into_iter().flatten();
        tools.map(|tool| tool.version.as_str()).collect()
    }

    /// Whether the target has a place and route.
    pub fn places(&self) -> bool {
        self.placer.is_some()
    }

    /// The cells of the flattened design.
    ///
    /// # Errors
    /// [`FlowError`].
    pub fn cells(&self, design: &Design) -> Result<Cells, FlowError> {
        self.cache.or(&self.key(design, Hierarchy::Flat, &["cells"]), || {
            let netlist = self.netlist(design)?;
            let stat = fs::read_to_string(netlist.with_file_name("cells.json"))?;
            let mut cells = Cells::from_stat(&stat)?;
            self.liberty.iter().for_each(|liberty| liberty.weigh(&mut cells));
            Ok(cells)
        })
    }

    /// The cells of each module by itself: its name, how often it stands there, its own cells.
    ///
    /// # Errors
    /// [`FlowError`].
    pub fn cells_by_module(&self, design: &Design) -> Result<Vec<(String, u64, Cells)>, FlowError> {
        self.cache.or(&self.key(design, Hierarchy::Kept, &["modules"]), || {
            let folder = self.folder(design, "kept")?;
            self.synthesize(design, Hierarchy::Kept, &folder)?;
            let stat = fs::read_to_string(folder.join("cells.json"))?;
            let mut modules = Cells::by_module(&stat, &design.top)?;
            for (_, _, cells) in &mut modules {
                self.liberty.iter().for_each(|liberty| liberty.weigh(cells));
            }
            Ok(modules)
        })
    }

    /// Utilization of the device before anything is placed; `None` where the target has no place
    /// and route. `None` where the target has no place and route.
    ///
    /// # Errors
    /// [`FlowError`].
    pub fn pack(&self, design: &Design) -> Result<Option<Utilization>, FlowError> {
        let Some(placer) = &self.placer else { return Ok(None) };
        let key = self.key(design, Hierarchy::Flat, &["pack", &placer.version]);
        let found = self.cache.or(&key, || {
            let report = self.nextpnr(placer, design, "pack", &["--pack-only"])?;
            Ok::<_, FlowError>(placement::utilization(&report)?)
        })?;
        Ok(Some(found))
    }

    /// Refuses a design that the device has no room for.
    ///
    /// # Errors
    /// [`FlowError::TooLarge`], and others.
    pub fn check_fit(&self, design: &Design) -> Result<(), FlowError> {
        let utilization = self.pack(design)?;
        match utilization.as_ref().and_then(Utilization::excess) {
            None => Ok(()),
            Some((resource, need)) => Err(FlowError::TooLarge {
                top: design.top.clone(),
                target: self.target.name,
                resource: resource.to_owned(),
                need,
            }),
        }
    }

    /// Places and routes the design; `None` where the target has no place and route.
    ///
    /// # Errors
    /// [`FlowError`].
    pub fn place(&self, design: &Design, seed: u32) -> Result<Option<Placement>, FlowError> {
        let Some(placer) = &self.placer else { return Ok(None) };
        let text = seed.to_string();
        let key = self.key(design, Hierarchy::Flat, &["place", &placer.version, &text]);
        let found = self.cache.or(&key, || {
            let options = ["--seed", &text, "--timing-allow-fail"];
            let report = self.nextpnr(placer, design, &format!("seed{seed}"), &options)?;
            Ok::<_, FlowError>(placement::placement(&report, seed)?)
        })?;
        Ok(Some(found))
    }

    /// Runs the placer; gives its report.
    fn nextpnr(
        &self,
        placer: &Found,
        design: &Design,
        name: &str,
        options: &[&str],
    ) -> Result<String, FlowError> {
        let netlist = self.netlist(design)?;
        let folder = netlist.parent().unwrap_or(Path::new("."));
        let report = format!("{name}.json");
        let mut command = placer.command();
        // Names relative to the folder: a tool in WebAssembly sees no others.
        command.current_dir(folder).args(self.target.family.placer_options());
        command.args(["--json", "netlist.json", "--report", &report]).args(options);
        self.run(&format!("{} of {}", placer.tool, design.top), design, name, &mut command)?;
        Ok(fs::read_to_string(folder.join(report))?)
    }

    /// The flattened netlist, synthesised once however many ask.
    fn netlist(&self, design: &Design) -> Result<PathBuf, FlowError> {
        let slot = {
            let mut all = self.netlists.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(design.digest().to_owned()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = &*slot {
            return Ok(path.clone());
        }
        let folder = self.folder(design, "flat")?;
        self.synthesize(design, Hierarchy::Flat, &folder)?;
        Ok(slot.insert(folder.join("netlist.json")).clone())
    }

    fn synthesize(
        &self,
        design: &Design,
        hierarchy: Hierarchy,
        folder: &Path,
    ) -> Result<(), FlowError> {
        let mut script = String::new();
        for file in &design.files {
            fs::write(folder.join(&file.name), &file.contents)?;
            script += &format!("read_verilog {}\n", file.name);
        }
        if let Some(liberty) = &self.liberty {
            fs::copy(&liberty.path, folder.join(LIBERTY))?;
        }
        script += &self.target.family.passes(&design.top, hierarchy, LIBERTY);
        // Records of where things were, which older placers take for cells.
        script += "delete t:$scopeinfo\n";
        script += "tee -q -o cells.json stat -json\nwrite_json netlist.json\n";
        fs::write(folder.join("synth.ys"), script)?;
        let mut command = self.yosys.command();
        command.current_dir(folder).args(["-s", "synth.ys"]);
        self.run(&format!("yosys of {}", design.top), design, "synth", &mut command)
    }

    /// Runs a tool. The log of a failure is kept under the design's digest.
    fn run(
        &self,
        what: &str,
        design: &Design,
        step: &str,
        command: &mut Command,
    ) -> Result<(), FlowError> {
        // What tools leave behind when they are ended goes with our folder.
        command.env("TMPDIR", self.work.path());
        let name = format!("{}-{}-{step}.log", self.target.name, &design.digest()[..16]);
        process::run(command, LIMIT)?.well(what, &self.logs.join(name))?;
        Ok(())
    }

    fn folder(&self, design: &Design, kind: &str) -> Result<PathBuf, FlowError> {
        let folder = self.work.path().join(format!("{}-{kind}", &design.digest()[..16]));
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// All that a result depends on.
    fn key(&self, design: &Design, hierarchy: Hierarchy, more: &[&str]) -> Key {
        let family = self.target.family;
        let passes = family.passes(&design.top, hierarchy, LIBERTY);
        let options = family.placer_options().join(" ");
        let liberty = self.liberty.as_ref().map_or("", |liberty| &liberty.digest);
        let own = [design.digest(), &self.yosys.version, &passes, &options, liberty];
        Key::of(own.into_iter().chain(more.iter().copied()))
    }
}
