//! `turnpike generate`: writes a fabric's folder.

use crate::Report;
use crate::options::FabricOptions;
use crate::progress::Progress;
use anyhow::bail;
use clap::{ArgAction, Args};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_base::names;
use turnpike_emit::origin::Origin;
use turnpike_emit::{File, folder, picture};
use turnpike_fabric::board::{self, Board, Flow, UnknownBoard};
use turnpike_fabric::matrix::turn_matrix;
use turnpike_fabric::plan::FabricPlan;

/// Options of `generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Name of the fabric: its module, and the prefix of its other modules and files
    #[arg(long, value_name = "IDENTIFIER")]
    pub name: Option<String>,
    /// The folder to write. Default: `verilog-out/<name>`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files of an earlier run even where they were edited or are of another fabric of
    /// the same name; never touches others
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub force: bool,
    /// Write the fabric even if it can deadlock; its files then say so
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub allow_deadlock: bool,
    /// Add a top module that tests the fabric on this board alone, and how to make its bitstream
    #[arg(long, value_name = "BOARD")]
    pub selftest: Option<String>,
    /// Add a picture of the network, its commonest switches with their crossbars, and the cycle of
    /// channels that could wait for each other
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub picture: bool,
}

impl GenerateOptions {
    /// The fabric to write.
    ///
    /// # Errors
    /// Unknown names, numbers out of range, a size beyond RTL or beyond a picture that is asked
    /// for, or a fabric that can deadlock and was not allowed to.
    pub fn plan(&self) -> anyhow::Result<FabricPlan> {
        // Before the network, which may take long.
        if let Some(name) = &self.name {
            names::check_identifier(name)?;
        }
        let plan =
            self.fabric.rtl_plan_if(self.name.as_deref(), |topology| match self.picture {
                true => Ok(picture::check(topology)?),
                false => Ok(()),
            })?;
        if !plan.is_deadlock_free() && !self.allow_deadlock {
            bail!(
                "{} with at most {} virtual channel(s) can deadlock (`turnpike analyze` draws \
                 the cycle); leave --vcs out, or use --allow-deadlock",
                plan.name,
                plan.relation().vcs()
            );
        }
        Ok(plan)
    }

    /// The board of the self-test.
    ///
    /// # Errors
    /// A board that is not known.
    pub fn board(&self) -> Result<Option<&'static Board>, UnknownBoard> {
        self.selftest.as_deref().map(board::find).transpose()
    }

    /// The folder to write.
    pub fn folder(&self, plan: &FabricPlan) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("verilog-out").join(&plan.name))
    }
}

/// Runs the command.
///
/// # Errors
/// A fabric that cannot be, or a folder that cannot be written; nothing on disk has changed
/// then.
pub fn run(options: &GenerateOptions) -> anyhow::Result<Report> {
    let progress = Progress::spinner("deriving the turns");
    // Before the network, which may take long.
    let board = options.board()?;
    let plan = options.plan()?;
    progress.message("building the RTL");
    let mut files = turnpike_emit::render_with(&plan, board)?;
    if options.picture {
        files.push(picture::picture(&plan)?);
    }
    progress.message("writing");
    let path = options.folder(&plan);
    if options.name.is_none() && !options.force {
        refuse_another(&path, &plan)?;
    }
    folder::write(&path, &files, options.force)?;
    drop(progress);
    let added = board.map(|board| selftest_summary(&plan, board)).unwrap_or_default();
    Ok(Report::holds(summary(&plan, &path, &files) + &added))
}

/// Refuses to replace another fabric of the same default name: whoever instantiates that one
/// would get this one. A name that the user gives is theirs to use again.
fn refuse_another(folder: &Path, plan: &FabricPlan) -> anyhow::Result<()> {
    let manifest = folder.join(format!("{}.json", plan.name));
    // What cannot be read is no fabric; whether it may be replaced is not asked here.
    let Ok(text) = std::fs::read_to_string(&manifest) else { return Ok(()) };
    let (Some(there), own) = (Origin::read(&text), Origin::of(plan)) else { return Ok(()) };
    let other = match there.other_file(&own) {
        _ if there.configuration != own.configuration => format!("`{}`", there.configuration),
        Some(file) => format!("of a {file} that was another"),
        None => return Ok(()),
    };
    bail!(
        "{} holds another fabric of the name {}, {other}; give this one a name with --name, \
         or replace that one with --force",
        folder.display(),
        plan.name
    )
}

/// What a self-test added.
fn selftest_summary(plan: &FabricPlan, board: &Board) -> String {
    let made = match board.flow {
        Flow::Vivado => "by Vivado",
        _ => "by Yosys and nextpnr, which fail where it does not fit or misses the clock",
    };
    format!(
        "self-test for the {} ({}, {} MHz): {}_selftest.v and its parts\n  \
         `make bitstream` in the folder makes the bitstream, {made}\n",
        board.title, board.device, board.clock_mhz, plan.name
    )
}

/// Classes of switches whose turns are shown.
const SHOWN_CLASSES: usize = 8;

/// What was written and what was proven.
fn summary(plan: &FabricPlan, path: &Path, files: &[File]) -> String {
    let mut text = String::new();
    let topology = plan.topology();
    let terminals = topology.all_terminals().count();
    let failed = topology.failed_nodes().len();
    let bytes: usize = files.iter().map(|f| f.contents.len()).sum();
    let mut line = |s: String| writeln!(text, "{s}").expect("a string takes any text");
    line(format!("{}: {}", plan.name, plan.canonical()));
    line(format!("wrote {}: {} files, {} kB", path.display(), files.len(), bytes.div_ceil(1000)));
    line(format!(
        "  {} switches of {} class(es), {} channels, {} terminals",
        topology.nodes() as usize - failed,
        plan.built_switches().count(),
        topology.channels(),
        terminals
    ));
    let classes = plan.switches.iter().zip(&plan.network().turns().classes);
    let built = classes.filter(|(class, _)| !class.queues.is_empty());
    for (class, turns) in built.clone().take(SHOWN_CLASSES) {
        line(format!("  {}: crosspoints {}, VCs merged", class.name, turns.crosspoints().len()));
        turn_matrix(class).lines().for_each(|l| line(format!("    {l}")));
    }
    if let more @ 1.. = built.count().saturating_sub(SHOWN_CLASSES) {
        line(format!("  and {more} more, each with its turns at the top of its file"));
    }
    let pairs = topology.sources().count() as u64 * topology.sinks().count() as u64;
    line("proven:".into());
    let walked = (plan.network().sources().len() * topology.sinks().count()) as u64;
    let pairs = match walked == pairs {
        true => format!("{pairs} pairs, all walked"),
        false => format!("{walked} pairs walked, the other {} their translates", pairs - walked),
    };
    line(format!("  every route arrives; each turn has a witness ({pairs})"));
    match plan.network().verdict() {
        DeadlockVerdict::Free(certificate) => {
            let (relation, checked) = (plan.relation(), plan.network().routes_checked());
            let along = match relation.choices().is_some() && !relation.has_escape() {
                true => format!("every route of {checked} pairs"),
                false => format!("{checked} routes"),
            };
            let (vcs, numbers) = (relation.vcs(), certificate.numbers.len());
            line(format!(
                "  deadlock-free with {vcs} VC(s): {numbers} channel numbers ascend along {along} \
                 checked"
            ));
        }
        DeadlockVerdict::Cyclic(cycle) => line(format!(
            "  NOT deadlock-free: a cycle of {} channels; the files say so",
            cycle.channels.len()
        )),
    }
    line(format!(
        "zero-load latency: {} cycles and {} per channel",
        plan.zero_load_latency(0),
        plan.hop_cycles()
    ));
    text
}
