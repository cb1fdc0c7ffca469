//! `--config FILE`: options from a TOML file.
//!
//! The file's values become the defaults of the options of the same name, so the command line
//! wins over them; a value that does not go with an option on the command line is passed over,
//! and two values that do not go together are an error. A key is an option of any command (without its dashes) or `topology`, so
//! that one file can describe a fabric and its simulation; keys of other commands are passed
//! over. A key that no command knows is an error with its line. A list is a value for each time that
//! an option may stand on a command line, or the one value that it has there with commas in it.
//!
//! A system file in place of a network's name ([`crate::system`]) gives options in the same way; the
//! command line and a configuration win over it.

mod setting;

pub use setting::{Setting, Values};

use crate::input;
use crate::options::acts::{self, Given};
use crate::system::{self, System};
use crate::toml_file::{TomlFile, scalar};
use crate::usage::brief;
use anyhow::{Context, anyhow, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeString, DeValue};
use turnpike_base::nearest::Nearest;

/// Command line with what its files say.
pub struct Configured {
    /// The program, with what the files say as its defaults.
    pub command: Command,
    /// The options that the files give.
    pub given: Given,
    /// The words of the line, with the network of a system file in place of its name.
    pub args: Vec<OsString>,
}

/// `command` with the configuration and the system file that `args` name as its defaults.
///
/// # Errors
/// A file that cannot be read, is not TOML, has an unknown key, a value that its option does
/// not take, or two that do not go together.
pub fn apply(command: Command, args: Vec<OsString>) -> anyhow::Result<Configured> {
    // A first look for the files and the command. What is wrong otherwise is found later.
    let lenient = lenient(command.clone()).ignore_errors(true);
    let looked = |args: &[OsString]| lenient.clone().try_get_matches_from(args).ok();
    let matches = looked(&args);
    let Some((name, matches)) = matches.as_ref().and_then(ArgMatches::subcommand) else {
        return Ok(Configured { command, given: Given::default(), args });
    };
    let is_typed = |id: &str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let typed = |arg: &Arg| is_typed(arg.get_id().as_str());
    let mut values = match matches.get_one::<PathBuf>("config") {
        Some(path) => {
            let bytes = input::bytes(path, "configuration", input::MOST_CONFIG)?;
            let text = String::from_utf8(bytes);
            let text = text.map_err(|error| input::fault(path, None, error))?;
            self::values(&command, name, path, &text, typed)?
        }
        None => Values::new(),
    };
    let is_set = |values: &Values, id: &str| values.iter().any(|known| known.id == id);
    let of_topology = values.iter().find(|set| set.id == TOPOLOGY).map(|set| &set.words[..]);
    let known = matches.try_contains_id(TOPOLOGY).is_ok();
    let topology = known.then(|| matches.get_one::<String>(TOPOLOGY)).flatten().cloned();
    let topology = topology.or_else(|| of_topology?.first().cloned());
    let mut args = args;
    if let Some(path) = topology.as_deref().and_then(system::path) {
        let system = System::read(path)?;
        let own = system.values(&command, name, typed)?;
        let network = system.network()?;
        if is_set(&values, TOPOLOGY) {
            let (id, file) = (TOPOLOGY.to_owned(), path.to_string_lossy().into_owned());
            values.retain(|set| set.id != TOPOLOGY);
            values.push(Setting { id, words: vec![network], file, lines: Vec::new() });
        } else {
            let is_network = |args: &[OsString]| {
                let matches = looked(args);
                let found = matches.as_ref().and_then(ArgMatches::subcommand);
                found.and_then(|(_, m)| m.get_one::<String>(TOPOLOGY)) == Some(&network)
            };
            args = replaced(&args, path.as_os_str(), network.as_ref(), is_network);
        }
        // What the line or the configuration says does not go with some of the system's.
        let subcommand = command.find_subcommand(name).expect("clap found it");
        let arg = |id: &str| subcommand.get_arguments().find(|arg| arg.get_id() == id);
        let contrary = |id: &str, other: &str| match (arg(id), arg(other)) {
            (Some(arg), Some(other)) => excludes(subcommand, arg, other),
            _ => false,
        };
        let passed =
            |id: &str| is_set(&values, id) || values.iter().any(|set| contrary(id, &set.id));
        let own: Values = own.into_iter().filter(|set| !passed(&set.id)).collect();
        values.extend(own);
    }
    let by_files = values.iter().filter(|set| !is_typed(&set.id)).cloned().collect();
    let given = Given { by_files };
    let command = command.mut_subcommand(name, |mut subcommand| {
        for Setting { id, words, .. } in values {
            subcommand = subcommand.mut_arg(id, |arg| arg.required(false).default_values(words));
        }
        subcommand
    });
    Ok(Configured { command, given, args })
}

/// The words of a line with another in place of `word`, where it makes the line that is wanted: the
/// same word may be the value of an option as well.
fn replaced(
    args: &[OsString],
    word: &OsStr,
    by: &OsStr,
    is_wanted: impl Fn(&[OsString]) -> bool,
) -> Vec<OsString> {
    let places = (0..args.len()).filter(|&at| args[at] == word);
    let mut lines = places.map(|at| {
        let mut line = args.to_owned();
        by.clone_into(&mut line[at]);
        line
    });
    lines.find(|line| is_wanted(line)).unwrap_or_else(|| args.to_owned())
}

/// The argument ids of the subcommand `name` that a configuration of this text sets, with their
/// values; not those that do not go with one that is `typed` on the command line. `path` names
/// the configuration in errors.
///
/// # Errors
/// As [`apply`], but for the file.
pub fn values(
    command: &Command,
    name: &str,
    path: &Path,
    text: &str,
    typed: impl Fn(&Arg) -> bool,
) -> anyhow::Result<Values> {
    let file = TomlFile { path, text };
    let table = file.table()?;
    let settings = Settings { file, command };
    let entries: Vec<_> = table.get_ref().iter().collect();
    settings.values(entries, name, typed)
}

fn lenient(command: Command) -> Command {
    command
        .subcommand_required(false)
        .mut_subcommands(|subcommand| subcommand.mut_args(|arg| arg.required(false)))
}

/// Entry of a table: key and value, with their places in the text.
pub type Entry<'a> = (&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>);

/// A file of options.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The file.
    pub file: TomlFile<'a>,
    /// The program.
    pub command: &'a Command,
}

impl Settings<'_> {
    /// The argument ids of the subcommand `name` that these entries set, with their values; not those
    /// that do not go with one that is `typed` on the command line.
    ///
    /// # Errors
    /// As [`apply`], but for the file.
    pub fn values(
        &self,
        mut entries: Vec<Entry<'_>>,
        name: &str,
        typed: impl Fn(&Arg) -> bool,
    ) -> anyhow::Result<Values> {
        let subcommand = self.command.find_subcommand(name).expect("clap found it");
        let known = self.known_keys();
        // In the order of the lines: the first error is the one to mend first.
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut values = Vec::new();
        let mut set: Vec<(&Arg, usize)> = Vec::new();
        for (key, value) in entries {
            let line = self.file.line(key.span().start);
            let place = self.file.place(line);
            let key: &str = key.get_ref();
            if self.command.get_arguments().any(|arg| arg.get_long() == Some(key)) {
                bail!("{place}: '{key}' is for the command line alone; leave it out");
            }
            if !known.contains(key) {
                let names: Vec<&str> = known.iter().map(String::as_str).collect();
                bail!("{place}: unknown key '{key}'{}", Nearest::of(key, names));
            }
            let Some(value) = Value::of(value.get_ref()) else {
                bail!(
                    "{place}: '{key}' must be a string, a number, true or false, or a list of them"
                );
            };
            if let Some(arg) = subcommand.get_arguments().find(|arg| sets(subcommand, arg, key)) {
                let Some(words) = value.words(arg) else {
                    bail!("{place}: '{key}' takes one value, and no list");
                };
                self.check(subcommand, arg, &words).with_context(|| place.clone())?;
                let contrary = |other: &Arg| excludes(subcommand, arg, other);
                if subcommand.get_arguments().any(|other| typed(other) && contrary(other)) {
                    continue;
                }
                if let Some((other, before)) = set.iter().find(|(other, _)| contrary(other)) {
                    let other = key_of(other).unwrap_or_default();
                    bail!(
                        "{place}: '{key}' does not go with '{other}' in line {before}; leave one \
                         out"
                    );
                }
                set.push((arg, line));
                let (id, file) = (arg.get_id().to_string(), self.file.path.display().to_string());
                values.push(Setting { id, words, file, lines: vec![line] });
            }
        }
        Ok(values)
    }

    /// Names of the options that a file may give, of all commands.
    fn known_keys(&self) -> BTreeSet<String> {
        let commands = self.command.get_subcommands();
        let all = commands.flat_map(Command::get_arguments).filter_map(key_of);
        all.collect()
    }

    /// Lets clap judge the values as if they stood on the command line.
    ///
    /// # Errors
    /// The first that it does not take.
    pub fn check(&self, subcommand: &Command, arg: &Arg, values: &[String]) -> anyhow::Result<()> {
        let argument = |value: &String| match arg.get_long() {
            Some(long) => format!("--{long}={value}"),
            None => value.to_owned(),
        };
        let command = subcommand.clone().mut_args(|arg| arg.required(false));
        let name = subcommand.get_name().to_owned();
        let args = std::iter::once(name).chain(values.iter().map(argument));
        command.try_get_matches_from(args).map(|_| ()).map_err(|error| anyhow!(brief(&error)))
    }
}

/// Argument that names a network.
const TOPOLOGY: &str = "topology";

/// The key that sets an argument: its long name, or `topology`.
pub fn key_of(arg: &Arg) -> Option<String> {
    match arg.get_long() {
        Some("help" | "version" | "config") => None,
        // The negation of an option that has its own key.
        Some(long) if long.starts_with("no-") => None,
        Some(long) => Some(long.to_owned()),
        None => (arg.get_id() == TOPOLOGY).then(|| TOPOLOGY.to_owned()),
    }
}

/// Whether `key` sets this argument of `command`. A positional argument can only be left out
/// of the command line where it is the only one.
fn sets(command: &Command, arg: &Arg, key: &str) -> bool {
    key_of(arg).as_deref() == Some(key)
        && (!arg.is_positional() || command.get_positionals().count() == 1)
}

/// Whether two arguments of `command` are refused beside each other.
fn excludes(command: &Command, one: &Arg, other: &Arg) -> bool {
    let names =
        |a, b: &Arg| command.get_arg_conflicts_with(a).iter().any(|c| c.get_id() == b.get_id());
    let (a, b) = (one.get_id().as_str(), other.get_id().as_str());
    names(one, other) || names(other, one) || acts::exclude(command.get_name(), a, b)
}

/// A value of a configuration.
enum Value {
    One(String),
    List(Vec<String>),
}

impl Value {
    /// `None` for what no option takes.
    fn of(value: &DeValue) -> Option<Self> {
        match value {
            DeValue::Array(items) => {
                let items: Option<_> = items.iter().map(|item| scalar(item.get_ref())).collect();
                items.map(Self::List)
            }
            value => scalar(value).map(Self::One),
        }
    }

    /// The values of an option, as if it stood on the command line once for each. `None` for a list
    /// where one value has no parts.
    fn words(self, arg: &Arg) -> Option<Vec<String>> {
        match self {
            Self::One(value) => Some(vec![value]),
            Self::List(items) if matches!(arg.get_action(), ArgAction::Append) => Some(items),
            // A path is one, whatever stands in it; what else is no list says so itself.
            Self::List(_) if is_path(arg) => None,
            Self::List(items) => Some(vec![items.join(",")]),
        }
    }
}

/// Whether the value of an argument is a path.
pub fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::simulate::SimulateOptions;
    use clap::{Args, FromArgMatches};
    use std::io::Write;

    /// `simulate` with a configuration of this text.
    fn simulate(config: &str, line: &str) -> SimulateOptions {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(config.as_bytes()).unwrap();
        let path = Arg::new("config")
            .long("config")
            .global(true)
            .value_parser(clap::value_parser!(PathBuf));
        let command = Command::new("turnpike")
            .arg(path)
            .subcommand(SimulateOptions::augment_args(Command::new("simulate")));
        let mut args: Vec<OsString> = vec!["turnpike".into(), "simulate".into()];
        args.extend(line.split_whitespace().map(Into::into));
        args.extend(["--config".into(), file.path().into()]);
        let Configured { command, args, .. } = apply(command, args).unwrap();
        let matches = command.try_get_matches_from(args).unwrap();
        SimulateOptions::from_arg_matches(matches.subcommand().unwrap().1).unwrap()
    }

    /// A list is an option given for each of its items, where that may be, and also where an item
    /// has a comma in it; else one value, with commas.
    #[test]
    fn lists_are_as_on_the_command_line() {
        let options = simulate("failed = [\"0_0\", \"2_2\"]\nshape = [3, 3]\n", "mesh");
        assert_eq!(options.fabric.network.unrouted.failed, ["0_0", "2_2"]);
        let shape = options.fabric.network.unrouted.size.values.shape.unwrap();
        assert_eq!(shape.sides().unwrap().to_string(), "3x3");
        let options = simulate("failed = [\"a,b\", 7]\nshape = [3, 2, 4]\n", "mesh");
        assert_eq!(options.fabric.network.unrouted.failed, ["a,b", "7"]);
        let shape = options.fabric.network.unrouted.size.values.shape.unwrap();
        let (sides, clos) = (shape.sides().unwrap(), shape.clos().unwrap());
        assert_eq!((sides.to_string(), clos.to_string()), ("3x2x4".into(), "3,2,4".into()));
        // The command line wins over the whole list; no items are no option.
        let options = simulate("failed = [\"x\", \"y\"]\nhotspot = []\n", "mesh --failed z");
        assert_eq!(
            (&options.fabric.network.unrouted.failed[..], &options.details.hotspot[..]),
            (&["z".to_owned()][..], &[][..])
        );
        let options = simulate("failed = []\ntopology = \"mesh\"\n", "");
        assert!(options.fabric.network.unrouted.failed.is_empty());
    }

    #[test]
    fn lists_flags_and_numbers() {
        let config = "topology = \"hypercube\"\ndim = 4\nload = 0.25\ntraffic = \"hotspot\"\n\
                      hotspot = [\"0001\", \"0010\"]\nself-addressed = false\nseed = 1_000\n";
        let options = simulate(config, "");
        assert_eq!(options.details.hotspot, ["0001", "0010"]);
        assert_eq!((options.load, options.run.seed), (Some(0.25), 1000));
        assert_eq!(options.traffic, "hotspot");
        assert!(!options.details.draws_self_addressed());
        let options = simulate(config, "--hotspot 1111 --self-addressed --load 1");
        assert_eq!(options.details.hotspot, ["1111"]);
        assert_eq!(options.load, Some(1.0));
        assert!(options.details.draws_self_addressed());
        let options = simulate("dim = 3\nworkload = \"random\"", "hypercube --load 0.3");
        assert_eq!((options.workload.workload, options.load), (None, Some(0.3)));
        let options = simulate("dim = 3\nload = 0.3", "hypercube --workload random");
        assert_eq!(options.workload.workload.as_deref(), Some("random"));
        let options = simulate("self-addressed = true", "hypercube --dim 4 --no-self-addressed");
        assert!(!options.details.draws_self_addressed());
    }
}
