//! Whole command lines at random, drawn from the options that clap knows: a new option takes part
//! by being there. Whatever the line, the program ends by itself, soon, with one of its exit
//! codes; an error is one line; JSON is JSON, and no figure is infinite or no number; nothing
//! temporary stays. Networks are small, and no open tool is to be found.

mod place;

use crate::common::fuzz::{HARD_WORDS, Mutator, Random, seed};
use clap::{Arg, Command};
use place::{Place, is_size};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use turnpike_bus::grid::{MOB, OCPC};
use turnpike_bus::protocol::PROTOCOLS;
use turnpike_cli::busses;
use turnpike_cli::options::acts::CHANNELS;
use turnpike_fabric::board::BOARDS;
use turnpike_flow::target::TARGETS;
use turnpike_network::routing::{self, RELATIONS};
use turnpike_network::topology::parameter::NODES;
use turnpike_network::topology::{Size, TOPOLOGIES, TopologyKind};
use turnpike_sim_network::job::collective::COLLECTIVES;
use turnpike_sim_network::traffic::pattern::PATTERNS;
use turnpike_sim_network::workload::kinds::WORKLOADS;

/// CPU seconds of one line at most, and kilobytes of address space.
const LIMITS: &str = "ulimit -t 20; ulimit -v 4000000; exec \"$@\"";

#[test]
fn no_line_ends_badly() {
    run(300);
}

#[test]
#[ignore = "20,000 lines: a quarter of an hour"]
fn no_line_ends_badly_of_many() {
    run(20_000);
}

const RELATION: &str = "turnpike-relation 1\nname mine\ntopology hypercube\ndimension 2\n\
    by difference\n01 dim0\n10 dim1\n11 dim0\n";
const TRACE: &str = "cycle,source,destination,flits\n0,00,01,1\n5,11,10,3\n5,11,11,1\n";
const JOB: &str =
    "message,source,destination,flits,after,delay\na,00,01,1,,0\nb,01,10,3,a,5\nc,01,11,1,a b,0\n";
const FLOWS: &[&str] = &[
    "source,destination,bandwidth\n*,*,0.01\n",
    "source,destination,bandwidth,packet,burst,latency\n0*,1*,0.01,2,6,50\n1*,0*,0.03,3,,\n",
    "00 01 3\n01 10\n0 1\n0_0 1_1\n",
    "class ask\nclass reply after ask\nsource,destination,class\n0*,1*,ask\n1*,0*,reply\n",
];
const PLACES: &[&str] =
    &["name,at\ncpu,00\nmem,11\n", "name,at\na,0\nb,0\nc,1\n", "name,at\nx,0_0\n"];
const SYSTEM: &[&str] = &[
    include_str!("../../templates/system/first.system"),
    "turnpike-system = 1\n[network]\ninline = '''\nnode a b\nlink a b\n'''\n\
     [[terminal]]\nname = 'x'\nat = 'a'\n[[terminal]]\nname = 'y'\nat = 'b'\n",
    "turnpike-system = 1\n[network]\ntopology = 'hypercube'\ndim = 2\n[options]\nload = 0.3\n",
];
const CONFIG: &str = "topology = \"hypercube\"\ndim = 2\nrouting = \"rotation\"\nload = 0.25\n";

fn run(lines: u64) {
    let seed = seed();
    println!("TURNPIKE_FUZZ_SEED={seed}");
    let mut command = turnpike_cli::command();
    command.build();
    let accepted = accepted(&command);
    let mut wrong = Vec::new();
    let mut codes: BTreeMap<i32, u32> = BTreeMap::new();
    for number in 0..lines {
        // A folder of its own and a stream of its own: a line can be run again by itself.
        let folder = tempfile::tempdir().unwrap();
        let mut line = Line { random: Random::new(seed, number), accepted: &accepted };
        line.files(folder.path());
        let args = line.draw(&command);
        // Twice: the second finds what the first left.
        let times = if line.random.once_in(4) { 2 } else { 1 };
        for _ in 0..times {
            match judge(folder.path(), &args) {
                Ok(code) => *codes.entry(code).or_default() += 1,
                Err(why) => wrong.push(format!("line {number}: {}\n    {why}", shown(&args))),
            }
        }
        assert!(wrong.len() < 50, "TURNPIKE_FUZZ_SEED={seed}\n{}", wrong.join("\n"));
    }
    println!("exit codes: {codes:?}");
    assert!(wrong.is_empty(), "TURNPIKE_FUZZ_SEED={seed}\n{}", wrong.join("\n"));
    // A fuzzer whose lines are all refused tests little.
    let done = codes.get(&0).copied().unwrap_or(0);
    assert!(u64::from(done) > lines / 4, "of {lines} lines, {done} were done");
}

fn shown(args: &[OsString]) -> String {
    args.iter().map(|arg| format!("{arg:?}")).collect::<Vec<_>>().join(" ")
}

/// Runs a line; its exit code, or what is wrong with its end.
fn judge(folder: &Path, args: &[OsString]) -> Result<i32, String> {
    let temporary = folder.join("tmp");
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", LIMITS, "sh", env!("CARGO_BIN_EXE_turnpike")]).args(args);
    command.current_dir(folder.join("here")).stdin(Stdio::null()).env_clear();
    command.envs([("PATH", OsStr::new("/nowhere")), ("HOME", folder.as_os_str())]);
    let output = command.env("TMPDIR", &temporary).output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| "no text".to_owned());
    let (stdout, stderr) = (text(&output.stdout)?, text(&output.stderr)?);
    let Some(code) = output.status.code() else {
        return Err(format!("signal {:?}: {stderr}", output.status.signal()));
    };
    let said = stderr.lines().take(3).collect::<Vec<_>>().join(" | ");
    let bad = |why: &str| Err(format!("{why}: exit code {code}: {said}"));
    if !(0..=3).contains(&code) {
        return bad("an exit code that is none");
    }
    if stderr.contains("panicked") || stderr.contains("internal error") {
        return bad("a bug");
    }
    let is_error = stderr.starts_with("error: ") && stderr.lines().count() == 1;
    if (code == 2) != is_error || (code == 2) != stdout.is_empty() {
        return bad("an error is one line on standard error, and nothing else is");
    }
    let help = args.iter().any(|arg| arg == "--help" || arg == "-h");
    let asks_for_json = args.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    if (stdout.starts_with('{') || stdout.starts_with('[') || asks_for_json)
        && code != 2
        && !help
        && serde_json::from_str::<serde_json::Value>(&stdout).is_err()
    {
        return bad("no JSON");
    }
    let is_no_number = |word: &str| ["NaN", "inf", "Infinity"].contains(&word);
    if let Some(line) = stdout
        .lines()
        .find(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_no_number))
    {
        return bad(&format!("no number in '{line}'"));
    }
    for place in [temporary, folder.join("here")] {
        if let Some(left) = leftover(&place) {
            return bad(&format!("{left} is left"));
        }
    }
    Ok(code)
}

/// A temporary folder that was not removed.
fn leftover(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter_map(|name| name.into_string().ok()).find(|name| name.starts_with(".turnpike-"))
}

/// Words for values, whatever they are for.
fn words() -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    words.extend(TOPOLOGIES.iter().map(|kind| kind.name.to_owned()));
    words.extend(RELATIONS.iter().map(|kind| kind.name.to_owned()));
    words.extend(PATTERNS.iter().map(|kind| kind.name.to_owned()));
    words.extend(WORKLOADS.iter().map(|kind| kind.name.to_owned()));
    words.extend(busses::TOPOLOGIES.iter().map(|kind| kind.name.to_owned()));
    words.extend(PROTOCOLS.iter().map(|kind| kind.name.to_owned()));
    words.extend(CHANNELS.iter().map(|kind| kind.word().to_owned()));
    words.extend(BOARDS.iter().map(|board| board.name.to_owned()));
    words.extend(TARGETS.iter().map(|target| target.name.to_owned()));
    let more = ["0.3", "0.99", "2..=3", "1..3", "12", "mine", "wire", "text", "csv", "json"];
    words.extend(more.map(str::to_owned));
    words.extend(NUMBERS.iter().chain(HARD_WORDS).map(|&word| word.to_owned()));
    words
}

/// Small ones, and those beside bounds.
const NUMBERS: &[&str] = &["0", "1", "2", "3", "4", "5", "7", "8", "9", "16", "33", "64", "100"];

/// By command and argument, the words that clap takes for it.
type Accepted = BTreeMap<(String, String), Vec<String>>;

fn accepted(command: &Command) -> Accepted {
    let words = words();
    let mut accepted = Accepted::new();
    for subcommand in command.get_subcommands() {
        let lenient = subcommand.clone().mut_args(|arg| arg.required(false));
        for arg in subcommand.get_arguments() {
            let mut taken: Vec<String> =
                arg.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
            if taken.is_empty() {
                let takes = |word: &&String| {
                    let word = match arg.get_long() {
                        Some(long) => format!("--{long}={word}"),
                        None => (*word).clone(),
                    };
                    lenient.clone().try_get_matches_from([subcommand.get_name(), &word]).is_ok()
                };
                taken = words.iter().filter(takes).cloned().collect();
            }
            let key = (subcommand.get_name().to_owned(), arg.get_id().to_string());
            accepted.insert(key, taken);
        }
    }
    accepted
}

struct Line<'a> {
    random: Random,
    accepted: &'a Accepted,
}

impl Line<'_> {
    /// What the line finds: files of every format, whole or damaged.
    fn files(&mut self, folder: &Path) {
        let here = folder.join("here");
        fs::create_dir(&here).unwrap();
        fs::create_dir(folder.join("tmp")).unwrap();
        fs::create_dir(here.join("folder")).unwrap();
        fs::write(here.join("notes.txt"), "mine\n").unwrap();
        for (name, texts) in [
            ("mine.relation", &[RELATION][..]),
            ("trace.csv", &[TRACE]),
            ("job.csv", &[JOB]),
            ("config.toml", &[CONFIG]),
            ("flows.csv", FLOWS),
            ("places.csv", PLACES),
            ("mine.system", SYSTEM),
        ] {
            let random = Random::new(seed(), self.random.below(1 << 30) as u64);
            let damaged = self.random.once_in(3);
            let whole = self.random.one(texts).as_bytes().to_vec();
            let bytes = if damaged { Mutator::new(random, texts, &[]).next() } else { whole };
            fs::write(here.join(name), bytes).unwrap();
        }
    }

    fn draw(&mut self, command: &Command) -> Vec<OsString> {
        let subcommands: Vec<&Command> = command.get_subcommands().collect();
        let mut subcommand = *self.random.one(&subcommands);
        if subcommand.get_name() == "verify" && self.random.once_in(2) {
            // It takes longest.
            subcommand = *self.random.one(&subcommands);
        }
        // Mostly of a few nodes.
        let small: Vec<&TopologyKind> = TOPOLOGIES
            .iter()
            .filter(|kind| kind.dimensions().is_none_or(|(least, _)| least < 3))
            .collect();
        let kind = match self.random.once_in(12) {
            true => self.random.one(TOPOLOGIES),
            false => *self.random.one(&small),
        };
        let sizes: Vec<Size> = kind
            .sizes
            .small()
            .into_iter()
            .filter(|size| size.only_dim() != Some(1))
            .take(2)
            .collect();
        let size = *self.random.one(&sizes);
        let place = Place { command: subcommand.get_name().to_owned(), kind, size };
        let mut args: Vec<OsString> = vec![subcommand.get_name().into()];
        for arg in subcommand.get_arguments() {
            let wanted = match arg.get_id().as_str() {
                "help" | "version" => self.random.once_in(200),
                option if is_size(option) => {
                    let due = place.option(option).is_some();
                    if self.random.once_in(40) { !due } else { due }
                }
                "time_limit" => true,
                // 100 runs where nothing is said.
                "cycles" if ["report", "sweep"].contains(&&*place.command) => true,
                "format" => self.random.once_in(2),
                // Of `sweep` it may be left out.
                "topology" => !self.random.once_in(60),
                // Nothing else goes with them.
                "merge" | "task" | "slurm" => self.random.once_in(40),
                _ if arg.is_required_set() => !self.random.once_in(60),
                _ => self.random.once_in(8),
            };
            let again = self.random.once_in(if arg.is_required_set() { 300 } else { 20 });
            for _ in 0..usize::from(wanted) * (1 + usize::from(again)) {
                self.argument(&place, arg, &mut args);
            }
        }
        if self.random.once_in(50) {
            args.push(self.random.one(HARD_WORDS).into());
        }
        if self.random.once_in(100) {
            args.push(OsString::from_vec(vec![b'x', 0xff]));
        }
        // No argument of a program can hold it.
        args.retain(|arg| !arg.as_encoded_bytes().contains(&0));
        args
    }

    fn argument(&mut self, place: &Place, arg: &Arg, args: &mut Vec<OsString>) {
        let value = arg.get_action().takes_values().then(|| self.value(place, arg));
        match (arg.get_long(), value) {
            (Some(long), Some(value)) => {
                // Where the value may be left out it stands after `=`.
                let least = arg.get_num_args().map_or(1, |range| range.min_values());
                match least {
                    0 if self.random.once_in(2) => args.push(format!("--{long}").into()),
                    0 => args.push(format!("--{long}={value}").into()),
                    _ => args.extend([format!("--{long}").into(), value.into()]),
                }
            }
            (Some(long), None) => args.push(format!("--{long}").into()),
            (None, value) => args.extend(value.map(OsString::from)),
        }
    }

    fn value(&mut self, place: &Place, arg: &Arg) -> String {
        let key = (place.command.clone(), arg.get_id().to_string());
        let accepted = &self.accepted[&key];
        if self.random.once_in(30) || accepted.is_empty() {
            return self.random.one(HARD_WORDS).to_string();
        }
        let hint = arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str());
        let files =
            ["notes.txt", "new", "folder", "no/x", "mine.relation", "folder/x", "/dev/full"];
        let label = |line: &mut Self| {
            let topology = place.kind.build(place.size).unwrap();
            let node = line.random.below(topology.nodes() as usize) as u32;
            topology.label(turnpike_network::topology::Node(node))
        };
        match (arg.get_id().as_str(), hint) {
            (option, _) if is_size(option) && !self.random.once_in(10) => {
                place.option(option).unwrap_or_else(|| "4".to_owned())
            }
            // No large ones: they are in order, and take long.
            ("dim", _) => {
                (*self.random.one(&["0", "1", "2", "2..=3", "3..2", "33", "x"])).to_owned()
            }
            ("topology", _) if self.random.once_in(12) => "mine.system".to_owned(),
            ("topology", _) if !self.random.once_in(30) => match &*place.command {
                "search" => "hypercube".to_owned(),
                // Busses take the sizes of some networks of channels.
                "generate" | "verify" | "simulate" if self.random.once_in(4) => {
                    match (place.size.number(&NODES), place.size.shape()) {
                        (Some(_), _) => OCPC.to_owned(),
                        (_, Some(_)) => MOB.to_owned(),
                        _ => place.kind.name.to_owned(),
                    }
                }
                _ => place.kind.name.to_owned(),
            },
            ("class", _) if self.random.once_in(2) => (*self.random.one(&[
                "a:share=1",
                "a:share=0.5,b:share=0.5,packet-length=1:0.5,2:0.5,traffic=shuffle",
                "a:share=0.5",
                "a:",
                "a:share=1,x=2",
            ]))
            .to_owned(),
            ("packet_length", _) if self.random.once_in(2) => {
                (*self.random.one(&["1:0.8,5:0.2", "2:1", "3:0.5,1:0.5", "1:0.5", "1:0.5,2"]))
                    .to_owned()
            }
            ("time_limit", _) => "1".to_owned(),
            ("seeds", _) if ["report", "sweep"].contains(&&*place.command) => {
                (*self.random.one(&["0", "1", "2", "3"])).to_owned()
            }
            ("load", _) if place.command != "simulate" && self.random.once_in(6) => {
                (*self.random.one(&["auto", "auto:8", "auto:7", "auto:9,1"])).to_owned()
            }
            ("trace", _) => (*self.random.one(&["trace.csv", "notes.txt"])).to_owned(),
            ("messages", _) => (*self.random.one(&["job.csv", "notes.txt"])).to_owned(),
            ("collective", _) => self.random.one(COLLECTIVES).name.to_owned(),
            ("places", _) => (*self.random.one(&["places.csv", "notes.txt"])).to_owned(),
            ("flows", _) => (*self.random.one(&["flows.csv", "notes.txt"])).to_owned(),
            ("config", _) => (*self.random.one(&["config.toml", "folder"])).to_owned(),
            ("routing", _) if self.random.once_in(3) => "mine.relation".to_owned(),
            ("routing", _) => {
                let fitting: Vec<_> = routing::of_kind(place.kind).collect();
                self.random.one(&fitting).name.to_owned()
            }
            ("source" | "destination" | "hotspot" | "failed", _)
            | (_, Some("NODE" | "LABELS" | "MASKS")) => label(self),
            // `NAME=BITS`, `NAME=CLOCK`, `NAME=ADDRESS`.
            (_, Some(hint)) if hint.contains('=') => {
                let name = if self.random.once_in(3) { "*".to_owned() } else { label(self) };
                let value = self.random.one(&["8", "24", "64", "0", "0x10", "2000", "io_clk"]);
                format!("{name}={value}")
            }
            (_, Some("FILE" | "DIR")) => (*self.random.one(&files)).to_owned(),
            (_, Some("IDENTIFIER")) => (*self.random.one(&["mine", "other"])).to_owned(),
            _ => {
                let number = |word: &&String| word.parse::<f64>().is_ok() && word.len() < 4;
                let small: Vec<&String> = accepted.iter().filter(number).collect();
                match small.is_empty() || self.random.once_in(20) {
                    true => self.random.one(accepted).clone(),
                    false => (*self.random.one(&small)).clone(),
                }
            }
        }
    }
}
