//! `.system` files: a network, its options, terminals, message classes and flows in one file, which stands
//! wherever a topology's name does (docs/systems.md).
//!
//! What a system says are options: those of its tables `network` and `options` become defaults, as a
//! configuration's do, and the file itself is the value of `--places` and `--flows` where it has terminals
//! and flows. So each command takes a system that takes these options.

pub mod keys;
pub mod schema;
mod section;

use crate::config::{self, Setting, Settings, Values};
use crate::options::acts;
use crate::toml_file::TomlFile;
use crate::{input, relation_file};
use anyhow::{Context, bail};
use clap::{Arg, Command};
use keys::{KEYS, NETWORK, VERSION, VERSION_KEY};
use section::Section;
use std::path::{Path, PathBuf, is_separator};
use toml::Spanned;
use toml::de::DeTable;
use turnpike_base::names::check_fabric_name;
use turnpike_ends::{COLUMNS, EndEntry, Ends};
use turnpike_network::description::{self, Description, FIRST_LINE, FORMATS, Format, ReadOptions};
use turnpike_network::flows::{ClassEntry, FlowEntry, FlowList};
use turnpike_network::places::{NamedTerminal, PlaceList};

/// Ending of system files.
pub const ENDING: &str = "system";

/// Headings of the options that belong to the network.
const OF_NETWORK: [&str; 2] = ["Network", "Routing"];
/// Options that keys of a `[[terminal]]` set.
const TERMINAL_OPTIONS: [(&str, &str); 3] =
    [("terminal_width", "width"), ("terminal_clock", "clock"), ("terminal_address", "address")];

/// The system file that an argument names, by its ending.
pub fn path(argument: &str) -> Option<&Path> {
    let path = Path::new(argument);
    let ending = path.extension()?;
    ending.eq_ignore_ascii_case(ENDING).then_some(path)
}

/// Protocol of a terminal that has streams of packets.
const STREAM: &str = "axi4-stream";

/// Whether a terminal is memory-mapped.
fn is_mapped(terminal: Section<'_>) -> bool {
    terminal.value("protocol").is_some_and(|(_, protocol)| protocol != STREAM)
}

/// First words of the lines of a network that say a terminal.
const TERMINAL_LINES: [&str; 3] = ["terminal", "source", "sink"];

/// A system file, with its keys checked.
#[derive(Debug)]
pub struct System {
    path: PathBuf,
    text: String,
}

impl System {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read; as [`System::parse`].
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = input::bytes(path, "system", input::MOST_CONFIG)?;
        let text = String::from_utf8(bytes).map_err(|error| input::fault(path, None, error))?;
        Self::parse(path, text)
    }

    /// Reads the text of a file, which `path` names.
    ///
    /// # Errors
    /// Text that is not TOML; a key that is not known, not there, or has a value of another type. With
    /// the line.
    pub fn parse(path: &Path, text: String) -> anyhow::Result<Self> {
        let system = Self { path: path.to_owned(), text };
        let table = system.table()?;
        let root = system.root(&table);
        root.check(KEYS)?;
        if let Some((line, version)) = root.value(VERSION_KEY)
            && version != VERSION.to_string()
        {
            bail!("{}: version {version} is not known; use {VERSION}", system.place(line));
        }
        if let Some((line, name)) = root.value("name") {
            check_fabric_name(&name).with_context(|| system.place(line))?;
        }
        let network = system.network_of(&table);
        match (network.value("topology"), network.value("inline")) {
            (None, None) => bail!(
                "{}: no topology; add topology = \"mesh\" or another, or inline with nodes and links",
                system.place(network.line)
            ),
            (Some(_), Some((line, _))) => {
                bail!("{}: 'inline' does not go with 'topology'; leave one out", system.place(line))
            }
            _ => {}
        }
        if let (Some(class), None) = (root.tables("class").next(), root.tables("flow").next()) {
            bail!("{}: message classes, and no flows; add [[flow]]", system.place(class.line));
        }
        drop(table);
        Ok(system)
    }

    fn file(&self) -> TomlFile<'_> {
        TomlFile { path: &self.path, text: &self.text }
    }

    fn table(&self) -> anyhow::Result<Spanned<DeTable<'_>>> {
        self.file().table()
    }

    fn place(&self, line: usize) -> String {
        self.file().place(line)
    }

    fn root<'a>(&'a self, table: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section { file: self.file(), table: table.get_ref(), line: 1 }
    }

    fn network_of<'a>(&'a self, table: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        let network = self.root(table).table("network");
        network.expect("the keys are checked")
    }

    /// A path of the file, which is beside it.
    fn beside(&self, path: &str) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        folder.join(path).to_string_lossy().into_owned()
    }

    /// The argument of the command line that its network is: the name of a topology, the path of a file,
    /// or the system file itself where the network stands in it.
    ///
    /// # Errors
    /// None for a file that was read before, and has not changed since.
    pub fn network(&self) -> anyhow::Result<String> {
        let table = self.table()?;
        let network = self.network_of(&table);
        let Some((_, topology)) = network.value("topology") else {
            return Ok(self.path.to_string_lossy().into_owned());
        };
        if let Some(other) = path(&topology) {
            bail!("{}: {} is a system, and no topology", self.path.display(), other.display());
        }
        let is_file = network.value("as").is_some()
            || topology.contains(is_separator)
            || Format::of_file(&topology).is_some();
        Ok(if is_file { self.beside(&topology) } else { topology })
    }

    /// The options of the subcommand `name` that the system sets, with their values; not those that do not
    /// go with one that is `typed` on the command line.
    ///
    /// # Errors
    /// An unknown option, one of the other table, a value that it does not take, or two that do not go
    /// together; flows that the command does not take.
    pub fn values(
        &self,
        command: &Command,
        name: &str,
        typed: impl Fn(&Arg) -> bool,
    ) -> anyhow::Result<Values> {
        let table = self.table()?;
        let root = self.root(&table);
        let mut entries = Vec::new();
        for (section, is_network) in [("network", true), ("options", false)] {
            let Some(section) = root.table(section) else { continue };
            let options = section.table.iter();
            let own = |key: &str| is_network && NETWORK.iter().any(|known| known.name == key);
            for (key, value) in options.filter(|(key, _)| !own(key.get_ref())) {
                let line = self.file().line(key.span().start);
                self.belongs(command, key.get_ref(), is_network, line)?;
                entries.push((key, value));
            }
        }
        let subcommand = command.find_subcommand(name).expect("clap found it");
        let arg = |id: &str| subcommand.get_arguments().find(|arg| arg.get_id() == id);
        let mut values = Settings { file: self.file(), command }.values(entries, name, &typed)?;
        for Setting { id, words, .. } in &mut values {
            let is_file = |word: &str| match id.as_str() {
                "routing" => relation_file::path(word).is_some(),
                id => arg(id).is_some_and(config::is_path),
            };
            for word in words.iter_mut().filter(|word| is_file(word)) {
                *word = self.beside(word);
            }
        }
        let file = self.path.to_string_lossy();
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        // They are terminals of the network then.
        let is_inline = self.network_of(&table).value("inline").is_some();
        let has_ends = root.tables("terminal").any(is_mapped);
        let named = root.value("name").map(|(_, name)| name);
        let named = named.or_else(|| check_fabric_name(&stem).is_ok().then(|| stem.to_string()));
        let own = [
            ("name", named),
            (
                "places",
                root.tables("terminal").next().filter(|_| !is_inline).map(|_| file.to_string()),
            ),
            // Flows beside ends are refused with their line where the ends are read.
            ("flows", root.tables("flow").next().filter(|_| !has_ends).map(|_| file.to_string())),
            ("ends", has_ends.then(|| file.to_string())),
        ];
        let of_terminals = |id: &str, key: &'static str| -> anyhow::Result<_> {
            let said = |terminal: Section<'_>| {
                let (line, value) = terminal.value(key)?;
                Some((line, format!("{}={value}", terminal.text_of("name"))))
            };
            let (lines, words): (Vec<usize>, Vec<String>) =
                root.tables("terminal").filter_map(said).unzip();
            if let Some(arg) = arg(id) {
                let settings = Settings { file: self.file(), command };
                let check = |words: &[String]| settings.check(subcommand, arg, words);
                // All at once, and where that fails one by one for the line.
                if let Err(error) = check(&words) {
                    let mut each = lines.iter().zip(words.chunks(1));
                    let found = each.find_map(|(line, word)| Some((line, check(word).err()?)));
                    let (line, error) = found.unwrap_or((&1, error));
                    return Err(error.context(self.place(*line)));
                }
            }
            Ok((words, lines))
        };
        let mut wishes = Vec::new();
        for (id, key) in TERMINAL_OPTIONS {
            wishes.push((id, of_terminals(id, key)?));
        }
        let own = own.map(|(id, value)| (id, (value.into_iter().collect(), Vec::new())));
        for (id, (words, lines)) in own.into_iter().chain(wishes) {
            if words.is_empty() {
                continue;
            }
            match arg(id) {
                Some(arg) if typed(arg) => {}
                Some(_) if values.iter().any(|known| known.id == id) => {
                    let key = TERMINAL_OPTIONS.iter().find(|(known, _)| *known == id);
                    let what = match (id, key) {
                        (_, Some((_, key))) => format!("the {key} of a [[terminal]]"),
                        ("flows", None) => "[[flow]]".to_owned(),
                        ("ends", None) => "the protocol of a [[terminal]]".to_owned(),
                        (_, None) => "[[terminal]]".to_owned(),
                    };
                    bail!("{}: '{id}' does not go with {what}; leave one out", self.path.display())
                }
                Some(_) => {
                    let (id, file) = (id.to_owned(), file.to_string());
                    values.push(Setting { id, words, file, lines });
                }
                None if id == "name" || TERMINAL_OPTIONS.iter().any(|(known, _)| *known == id) => {}
                None => {
                    let listed = arg("networks").and_then(Arg::get_long);
                    let listed = listed.map(|long| format!(", or the system by --{long} {file}"));
                    bail!(
                        "`{name}` takes no {id}, and {file} has some; name its network alone: {}{}",
                        self.network()?,
                        listed.unwrap_or_default()
                    )
                }
            }
        }
        Ok(values)
    }

    /// Whether an option belongs to a table, by its group in the help.
    fn belongs(
        &self,
        program: &Command,
        key: &str,
        is_network: bool,
        line: usize,
    ) -> anyhow::Result<()> {
        let commands = program.get_subcommands();
        let mut args = commands.flat_map(Command::get_arguments);
        let arg = args.find(|arg| config::key_of(arg).as_deref() == Some(key));
        let Some(rule) = arg.and_then(|arg| acts::rule(arg.get_id().as_str())) else {
            return Ok(());
        };
        if key == "topology" || key == "name" {
            let place = if key == "name" { "the top of the file" } else { "[network]" };
            bail!("{}: '{key}' belongs in {place}", self.place(line));
        }
        if OF_NETWORK.contains(&rule.heading) != is_network {
            let right = if is_network { "[options]" } else { "[network]" };
            bail!("{}: '{key}' belongs in {right}", self.place(line));
        }
        Ok(())
    }

    /// The network that stands in the file itself.
    ///
    /// # Errors
    /// A file without one; lines that describe no network.
    pub fn description(&self) -> anyhow::Result<Description> {
        let table = self.table()?;
        let network = self.network_of(&table);
        let Some((line, text)) = network.value("inline") else {
            bail!(
                "{} is a system, and no topology; name it as the command's own network",
                self.path.display()
            )
        };
        let root = self.root(&table);
        let terminals: Vec<Section<'_>> = root.tables("terminal").collect();
        let is_terminal = |line: &str| {
            line.split_whitespace().next().is_some_and(|key| TERMINAL_LINES.contains(&key))
        };
        if let (Some(terminal), true) = (terminals.first(), text.lines().any(is_terminal)) {
            bail!(
                "{}: the nodes and links of the network say its terminals already; leave [[terminal]] out",
                self.place(terminal.line)
            );
        }
        // The first line, and where the text begins and ends.
        let begins = network.text_line("inline").unwrap_or(line);
        let ends = begins + text.lines().count();
        let own = terminals.iter().map(|terminal| {
            format!("terminal {} {}\n", terminal.text_of("name"), terminal.text_of("at"))
        });
        let text =
            format!("{FIRST_LINE}\n{}\n{}", text.trim_end_matches('\n'), own.collect::<String>());
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let options = ReadOptions { format: Some(&FORMATS[0]), two_way: false };
        let reading = description::read_with(&name, text.as_bytes(), options).map_err(|error| {
            let line = error.line.map(|line| begins + line.saturating_sub(2));
            let of_terminal = |line: usize| Some(terminals.get(line.checked_sub(ends)?)?.line);
            let line = line.map(|line| of_terminal(line).unwrap_or(line));
            input::fault(&self.path, line, error.fault)
        })?;
        Ok(reading.description)
    }

    /// The terminals of the file.
    ///
    /// # Errors
    /// A name that no terminal can have, or that two have.
    pub fn places(&self) -> anyhow::Result<PlaceList> {
        let table = self.table()?;
        let root = self.root(&table);
        let terminal = |section: Section<'_>| NamedTerminal {
            line: section.line,
            name: section.text_of("name"),
            at: section.text_of("at"),
        };
        let list = PlaceList::of(root.tables("terminal").map(terminal).collect());
        list.map_err(|flaw| input::fault(&self.path, flaw.line, flaw.error))
    }

    /// The memory-mapped ends of the file.
    ///
    /// # Errors
    /// A terminal that is no such end, or whose keys do not go together.
    pub fn ends(&self) -> anyhow::Result<Ends> {
        let table = self.table()?;
        let root = self.root(&table);
        if let Some(flow) = root.tables("flow").next() {
            bail!(
                "{}: flows are those between managers and subordinates here; leave [[flow]] out, and say reach",
                self.place(flow.line)
            );
        }
        let mut entries = Vec::new();
        for terminal in root.tables("terminal") {
            if !is_mapped(terminal) {
                bail!(
                    "{}: terminal {} has streams, and others are memory-mapped; give each a protocol and a role",
                    self.place(terminal.line),
                    terminal.text_of("name")
                );
            }
            let value = |column: &&str| {
                let texts = terminal.texts(column);
                (!texts.is_empty()).then(|| ((*column).to_owned(), texts.join(" ")))
            };
            let values = COLUMNS.iter().filter_map(value).collect();
            entries.push(EndEntry { line: terminal.line, values });
        }
        Ends::of(&entries).map_err(|flaw| input::fault(&self.path, flaw.line, flaw.error))
    }

    /// The flows of the file, with its message classes.
    ///
    /// # Errors
    /// Classes or flows that cannot be.
    pub fn flows(&self) -> anyhow::Result<FlowList> {
        let table = self.table()?;
        let root = self.root(&table);
        let class = |section: Section<'_>| ClassEntry {
            line: section.line,
            name: section.text_of("name"),
            after: section.texts("after"),
            priority: section.value("priority").map(|(_, text)| text),
        };
        let flow = |section: Section<'_>| FlowEntry {
            line: section.line,
            values: section.values().collect(),
        };
        let classes = root.tables("class").map(class).collect();
        let list = FlowList::of(classes, root.tables("flow").map(flow));
        list.map_err(|flaw| input::fault(&self.path, flaw.line, flaw.error))
    }
}
