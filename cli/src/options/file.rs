//! Options for the file of a topology.

use crate::input;
use crate::system::{self, System};
use crate::usage::note_at_the_end;
use anyhow::anyhow;
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args};
use std::path::{Path, is_separator};
use turnpike_network::description::{self, Description, FORMATS, Fault, Format, ReadOptions};

/// Options for a file in place of a topology's name.
#[derive(Args, Clone, Debug, Default)]
pub struct TopologyFileOptions {
    /// The format of the topology's file, where the ending of its name does not say it: topology,
    /// anynet, graphml or dot
    #[arg(long = "as", value_name = "FORMAT", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    pub as_format: Option<String>,
    /// Read each edge of a GraphML or DOT file that goes one way as a link, which goes both ways
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub two_way: bool,
}

/// A topology's file.
#[derive(Debug)]
pub struct TopologyFile {
    /// Words of the command line that name the file and its format.
    words: String,
    format: &'static Format,
    /// Network that the file describes.
    pub description: std::sync::Arc<Description>,
}

impl TopologyFileOptions {
    fn format(&self) -> Option<&'static Format> {
        self.as_format.as_deref().and_then(Format::named)
    }

    /// The file that a topology's argument names: one with a path separator or a known ending, or
    /// any whose format is said.
    pub fn path<'a>(&self, argument: &'a str) -> Option<&'a Path> {
        let is_file = self.as_format.is_some()
            || argument.contains(is_separator)
            || Format::of_file(argument).is_some()
            || system::path(argument).is_some();
        is_file.then_some(Path::new(argument))
    }

    /// Reads the file of this name. What it says and the network does not keep is noted.
    ///
    /// # Errors
    /// A file that cannot be read, or that describes no network.
    pub fn read(&self, argument: &str) -> anyhow::Result<TopologyFile> {
        let path = Path::new(argument);
        if self.as_format.is_none() && system::path(argument).is_some() {
            let description = System::read(path)?.description()?.into();
            return Ok(TopologyFile {
                words: argument.to_owned(),
                format: &FORMATS[0],
                description,
            });
        }
        let bytes = input::bytes(path, "topology", input::MOST_TOPOLOGY)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(format) = self.format().or_else(|| Format::of_file(&name)) else {
            return Err(no_format(argument));
        };
        let options = ReadOptions { format: Some(format), two_way: self.two_way };
        let reading = description::read_with(&name, &bytes, options).map_err(|error| {
            let fault = match &*error.fault {
                fault @ (Fault::NoArrows(_) | Fault::BothWays) => {
                    format!("{fault}; leave --two-way out")
                }
                fault => fault.to_string(),
            };
            input::fault(path, error.line, fault)
        })?;
        for remark in reading.remarks {
            note_at_the_end(format!("{argument}: {remark}"));
        }
        let mut words = argument.to_owned();
        if let Some(format) = &self.as_format {
            words += &format!(" --as {format}");
        }
        if self.two_way {
            words += " --two-way";
        }
        Ok(TopologyFile { words, format, description: reading.description.into() })
    }
}

impl TopologyFile {
    /// A description that is in no file yet.
    pub fn of(description: Description) -> Self {
        let words = description.file_name();
        Self { words, format: &FORMATS[0], description: description.into() }
    }

    /// Remedy where some terminals have no path to others: `None` where all edges go both ways.
    pub fn remedy(&self) -> Option<String> {
        let both_ways = self.format.both_ways?;
        self.description.has_one_way().then(|| {
            format!("edges of {} are read one way; if they are links, write {both_ways}, or use --two-way", self.words)
        })
    }
}

/// Words on the command line.
impl std::fmt::Display for TopologyFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

/// A file whose name does not say its format.
pub fn no_format(argument: &str) -> anyhow::Error {
    let endings = FORMATS.iter().flat_map(|format| format.endings).copied();
    let endings: Vec<&str> = endings.collect();
    let formats: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    anyhow!(
        "'{argument}' is a file whose name does not say its format (.{}); say it: --as {}",
        endings.join(", ."),
        formats.join(", ")
    )
}
