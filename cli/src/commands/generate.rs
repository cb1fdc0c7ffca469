//! `turnpike generate`: writes a fabric's folder.

mod bus;
mod circuit;
mod fusesoc;
mod slotted;
mod switched;

pub use bus::REPORT as BUS_REPORT;
pub use circuit::REPORT as CIRCUIT_REPORT;
pub use slotted::REPORT as SLOTTED_REPORT;
pub use switched::REPORT;

use self::fusesoc::CoreOptions;
use crate::Report;
use crate::format::FormatOption;
use crate::kinds::{KindOptions, Reported};
use crate::options::FabricOptions;
use crate::progress::Progress;
use crate::tabular::Document;
use crate::usage::note;
use anyhow::bail;
use clap::{ArgAction, Args};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use turnpike_base::names;
use turnpike_emit::origin::Origin;
use turnpike_emit::{File, Vlnv, folder, picture};
use turnpike_fabric::board::{self, Board, Flow, UnknownBoard};
use turnpike_fabric::plan::FabricPlan;

/// Options of `generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: KindOptions,
    /// Name of the fabric: its module, and the prefix of its other modules and files
    #[arg(long, value_name = "IDENTIFIER")]
    pub name: Option<String>,
    /// Name of the FuseSoC core.
    #[command(flatten)]
    pub core: CoreOptions,
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
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl GenerateOptions {
    /// The fabric to write.
    ///
    /// # Errors
    /// Unknown names, numbers out of range, a size beyond RTL or beyond a picture that is asked
    /// for, or a fabric that can deadlock and was not allowed to.
    pub fn plan(&self, fabric: &FabricOptions) -> anyhow::Result<FabricPlan> {
        // Before the network, which may take long.
        if let Some(name) = &self.name {
            names::check_fabric_name(name)?;
        }
        let plan = fabric.rtl_plan_if(self.name.as_deref(), |topology| match self.picture {
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

    /// The first option that is given and is of switched fabrics alone.
    fn of_switched(&self) -> Option<&'static str> {
        let given = [("--allow-deadlock", self.allow_deadlock), ("--picture", self.picture)];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The folder to write.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("verilog-out").join(name))
    }
}

/// Fabric of a kind as `generate` reports it.
pub trait Generated: Reported {
    /// Whether options of switched fabrics alone are taken.
    const IS_SWITCHED: bool = false;
    /// Fields of the report behind the files.
    type Figures: Serialize + JsonSchema;

    /// Files of the kind alone that an option asks for.
    ///
    /// # Errors
    /// A network that is too large for them.
    fn more_files(&self, _options: &GenerateOptions) -> anyhow::Result<Vec<File>> {
        Ok(Vec::new())
    }
    /// Figures of a folder of these files, with a self-test on a board.
    fn figures(&self, files: &[File], board: Option<&Board>) -> Self::Figures;
    fn text(&self, figures: &Self::Figures) -> String;
}

/// A fabric that was written, under the head of its kind.
#[derive(Serialize, JsonSchema)]
pub struct Written<H, F> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    fabric: H,
    /// Path of the folder that was written.
    folder: String,
    /// Files of the fabric's folder.
    files: Vec<WrittenFile>,
    /// Figures of the fabric.
    #[serde(flatten)]
    figures: F,
}

impl<H: Serialize + JsonSchema, F: Serialize + JsonSchema> Document for Written<H, F> {}

/// A file that was written.
#[derive(Serialize, JsonSchema)]
struct WrittenFile {
    /// Path of the file in the folder.
    name: String,
    /// Length of the file in bytes.
    bytes: usize,
}

/// Longest line of a sentence.
const WIDTH: usize = 96;

/// Runs the command.
///
/// # Errors
/// A fabric that cannot be, or a folder that cannot be written; nothing on disk has changed
/// then.
pub fn run(options: &GenerateOptions) -> anyhow::Result<Report> {
    // Before the network, which may take long.
    let vlnv = options.core.vlnv()?;
    let progress = Progress::spinner("deriving the turns");
    let switched = |fabric: &FabricOptions| {
        options.board()?;
        options.plan(fabric)
    };
    let fabric = options.fabric.fabric(options.name.as_deref(), &switched)?;
    fabric.generate(options, &vlnv, progress)
}

/// Writes a fabric's folder.
pub(crate) fn write<F: Generated>(
    options: &GenerateOptions,
    fabric: &F,
    vlnv: &Vlnv,
    progress: Progress,
) -> anyhow::Result<Report> {
    if let (Some(option), false) = (options.of_switched(), F::IS_SWITCHED) {
        bail!("{option} is for --kind switched; leave it out");
    }
    if options.selftest.is_some() && !fabric.has_selftest() {
        bail!("--selftest is for --kind switched and for busses; leave it out");
    }
    let board = options.board()?;
    progress.message("building the RTL");
    let mut files = fabric.folder(board, vlnv)?.files;
    files.extend(fabric.more_files(options)?);
    progress.message("writing");
    let path = options.folder(fabric.name());
    if options.name.is_none() && !options.force {
        refuse_another(&path, fabric.name(), &fabric.origin())?;
    }
    let replaced = fabric_there(&path).filter(|there| there != fabric.name());
    folder::write(&path, &files, options.force)?;
    drop(progress);
    if let Some(there) = replaced {
        note(format_args!("{} held the fabric {there}, which is replaced", path.display()));
    }
    let written = |file: &File| WrittenFile { name: file.name.clone(), bytes: file.contents.len() };
    let report = Written {
        schema_version: 1,
        fabric: fabric.head(),
        folder: path.display().to_string(),
        files: files.iter().map(written).collect(),
        figures: fabric.figures(&files, board),
    };
    options.format.report(&report, true, || {
        format!(
            "{}: {}\nwrote {}: {} files, {} kB\n{}{}",
            fabric.name(),
            fabric.canonical(),
            report.folder,
            files.len(),
            report.files.iter().map(|file| file.bytes).sum::<usize>().div_ceil(1000),
            fabric.text(&report.figures),
            board.map(|board| selftest(fabric.name(), board)).unwrap_or_default()
        )
    })
}

/// Name of the fabric that is in a folder; `None` where there is none.
fn fabric_there(folder: &Path) -> Option<String> {
    let list = std::fs::read_to_string(folder.join(folder::LIST)).ok()?;
    let files = folder::parse_list(&list);
    let named = |file: &String| Some(file.strip_suffix(".json")?.to_owned());
    files.keys().filter_map(named).find(|name| {
        let manifest = std::fs::read_to_string(folder.join(format!("{name}.json")));
        manifest.is_ok_and(|text| Origin::read(&text).is_some())
    })
}

/// Refuses to replace another fabric of the same default name: whoever instantiates that one
/// would get this one. A name that the user gives is theirs to use again.
fn refuse_another(folder: &Path, name: &str, own: &Origin) -> anyhow::Result<()> {
    let manifest = folder.join(format!("{name}.json"));
    // What cannot be read is no fabric; whether it may be replaced is not asked here.
    let Ok(text) = std::fs::read_to_string(&manifest) else { return Ok(()) };
    let Some(there) = Origin::read(&text) else { return Ok(()) };
    let other = match there.other_file(own) {
        _ if there.configuration != own.configuration => format!("`{}`", there.configuration),
        Some(file) => format!("of a {file} that was another"),
        None => return Ok(()),
    };
    bail!(
        "{} holds another fabric of the name {name}, {other}; give this one a name with --name, \
         or replace that one with --force",
        folder.display()
    )
}

/// Lines on a self-test.
fn selftest(name: &str, board: &Board) -> String {
    let made = match board.flow {
        Flow::Vivado => "by Vivado",
        _ => "by Yosys and nextpnr, which fail where it does not fit or misses the clock",
    };
    format!(
        "self-test for the {} ({}, {} MHz): {}_selftest.v and its parts\n  \
         `make bitstream` in the folder makes the bitstream, {made}\n",
        board.title, board.device, board.clock_mhz, name
    )
}
