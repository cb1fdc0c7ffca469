//! Every option of every command acts, or is refused: none is ignored.
//!
//! Each use of a command is run as it stands, and with each of its options beside it at a value other
//! than its default. The option acts where a report or a file is another then; it is refused where the
//! error names it.

mod cases;
mod help;
mod samples;

use crate::common::synth_tools::{NEXTPNR, YOSYS};
use crate::common::{script, tree};
use cases::{Case, HERE, KEPT};
use clap::{Arg, ArgAction, Command};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use turnpike_cli::options::acts::{self, Unseen};

const TRACE: &str = "cycle,source,destination,flits\n0,00,01,1\n5,11,10,3\n5,11,11,1\n";
const GRAPHML: &str = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\
    <edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"a\"/>\
    </graph></graphml>";
const TOPOLOGY: &str = "turnpike-topology 1\nnode a\nnode b\nnode c\nterminal t0 a\nterminal t1 b\nterminal t2 c\nlink a b\nlink b c\nlink c a\n";

/// Next hops of the ring of [`GRAPHML`].
const HOPS: &str = "switch,destination,next\na,b,b\na,c,b\nb,c,c\nb,a,c\nc,a,a\nc,b,a\n";

/// What a run left: its report or error, and the files that it wrote.
#[derive(PartialEq, Debug)]
struct Outcome {
    said: Result<String, String>,
    files: BTreeMap<String, Option<Vec<u8>>>,
}

/// Writes the files that these words name.
fn files(here: &Path, words: &[String]) {
    let is_named = |name: &str| words.iter().any(|word| word.contains(name));
    for (name, text) in [
        ("trace.csv", TRACE),
        ("flows.csv", "source,destination\n00,01\n01,10\n"),
        ("ends.csv", "name,protocol,role,range\n00,axi4,manager,\n11,axi4,subordinate,0..4095\n"),
        ("slow.csv", "source,destination,bandwidth,packet\n0,1,0.1,2\n1,0,0.1,1\n"),
        ("every.csv", "source,destination\n*,*\n"),
        ("cores.csv", "source,destination\ncpu,mem\nmem,io\n"),
        // Small loads from all to all: a bus has the least area, with the ends of each terminal at two switches.
        (
            "rates.csv",
            "source,destination,bandwidth\ncpu,mem,0.05\ncpu,io,0.05\nmem,cpu,0.05\nmem,io,0.05\nio,cpu,0.05\nio,mem,0.05\n",
        ),
        (
            "buckets.csv",
            "source,destination,bandwidth,packet,burst\n00,01,0.1,2,4\n01,11,0.1,1,1\n10,11,0.1,1,1\n",
        ),
        ("other.csv", "source,destination\n00,11\n"),
        ("rows.csv", "source,destination\n0,1\n2,3\n"),
        ("far.csv", "name,at\ncpu,00\nmem,11\nio,01\n"),
        ("places.csv", "name,at\ncpu,00\nmem,01\n"),
        ("kinds.csv", "source,destination,class\n00,01,ask\n01,00,say\n00,01,say\n"),
        ("job.csv", "message,source,destination,flits,after,delay\na,00,01,2,,0\n"),
        ("longer.csv", "message,source,destination,flits,after,delay\na,00,01,5,,0\n"),
        ("asks.csv", "message,source,destination,flits,after,delay\na,00_ask,01_ask,2,,0\n"),
        ("net.graphml", GRAPHML),
        ("net.txt", TOPOLOGY),
        ("there.svg", "mine"),
        ("hops.csv", HOPS),
        ("more.csv", "switch,destination,next\na,b,b\n"),
        (
            "classes.csv",
            "class request\nclass reply after request\nsource,destination,class\na,b,request\nb,a,reply\n",
        ),
    ] {
        if is_named(name) {
            fs::write(here.join(name), text).unwrap();
        }
    }
    if is_named("edited") {
        fs::create_dir(here.join("edited")).unwrap();
        fs::write(here.join("edited/hypercube_2_ecube.v"), "mine").unwrap();
    }
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Tools that stand for the real ones.
struct Tools {
    folder: tempfile::TempDir,
}

impl Tools {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), "yosys", YOSYS);
        script(folder.path(), "sby", "");
        script(folder.path(), "nextpnr", NEXTPNR);
        let tools = Self { folder };
        let sweep = "hypercube --dim 2 --cycles 100 --load 0.4 --seeds 1";
        for more in ["--slurm {kept}/job", "--out {kept}/runs"] {
            let line = format!("{sweep} {more}");
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            run("sweep", &words, &tools).said.unwrap();
        }
        tools
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Runs the words of a line. `~` stands for a blank within a word.
fn run(command: &str, words: &[String], tools: &Tools) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let names_files = words.iter().any(|word| word.contains(HERE));
    if names_files {
        files(here, words);
    }
    if words.iter().any(|word| word.contains("{here}/runs")) {
        copy(&tools.path("runs"), &here.join("runs"));
    }
    let before = tree(here);
    let (shown, kept) = (here.to_str().unwrap(), tools.folder.path().to_str().unwrap());
    let words =
        words.iter().map(|word| word.replace(HERE, shown).replace(KEPT, kept).replace('~', " "));
    let args = ["turnpike".to_owned(), command.to_owned()].into_iter().chain(words);
    let is_of_tools = |word: String| {
        ["synth", "--formal", "--engine=verilator"].contains(&&*word) || word.starts_with("--synth")
    };
    let said = if args.clone().any(is_of_tools) {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_turnpike"));
        program
            .args(args.skip(1))
            .current_dir(here)
            .env("HOME", shown)
            .env("PATH", "/usr/bin:/bin");
        program
            .env("XDG_CACHE_HOME", tools.path("cache"))
            .env("TURNPIKE_VERILATOR", "/no/verilator");
        program.env("TURNPIKE_YOSYS", tools.path("yosys")).env("TURNPIKE_SBY", tools.path("sby"));
        program.env("TURNPIKE_NEXTPNR_ICE40", tools.path("nextpnr"));
        let output = program.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        match output.status.code() {
            Some(2) => Err(text(output.stderr)),
            _ => Ok(text(output.stdout)),
        }
    } else {
        let report = turnpike_cli::run(args.map(OsString::from).collect());
        report.map(|report| report.text).map_err(|error| turnpike_cli::words::message(&error))
    };
    let hide = |text: String| text.replace(shown, HERE);
    let left = if names_files { tree(here) } else { BTreeMap::new() };
    let is_new = |(path, bytes): &(PathBuf, Option<Vec<u8>>)| before.get(path) != Some(bytes);
    let files = left.into_iter().filter(is_new).map(|(path, bytes)| {
        let bytes = bytes.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => hide(text).into_bytes(),
            Err(error) => error.into_bytes(),
        });
        (hide(path.display().to_string()), bytes)
    });
    Outcome { said: said.map(&hide).map_err(&hide), files: files.collect() }
}

/// The words of a case with one option more, which takes the place of its own where it has it.
fn with(line: &[String], arg: &Arg, value: &str) -> Vec<String> {
    let mut words = line.to_vec();
    let new = samples::word(arg, value);
    let own = format!("--{}", arg.get_long().unwrap());
    match words.iter().position(|word| *word == own) {
        Some(at) if !matches!(arg.get_action(), ArgAction::Append) => {
            let takes = arg.get_action().takes_values() && !arg.is_require_equals_set();
            words.splice(at..=at + usize::from(takes), [new]);
        }
        _ => words.push(new),
    }
    words
}

/// What was found of one use.
#[derive(Default)]
struct Found {
    /// Ids of the options that leave every output as it is.
    ignored: Vec<String>,
    /// Ids of the options that act.
    acts: Vec<String>,
    /// Refusals of the gate.
    refusals: Vec<String>,
    runs: u32,
}

/// Words by which the gate refuses.
const GATE: &str = " does nothing in `";

fn found(case: &Case, program: &Command, tools: &Tools) -> Found {
    let Case { command: name, line, tried } = case;
    let command = program.find_subcommand(name).unwrap();
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let options: Vec<&Arg> =
        command.get_arguments().filter(|arg| arg.get_long().is_some()).collect();
    let reports = options.iter().any(|arg| arg.get_id() == "format") && *name != "export";
    let as_json = reports && !line.contains("--slurm") && !line.contains("--merge");
    let words = match as_json {
        true => [&words[..], &["--format".to_owned(), "json".to_owned()]].concat(),
        false => words,
    };
    let base = run(name, &words, tools);
    let mut found = Found { runs: 1, ..Found::default() };
    for arg in options {
        let id = arg.get_id().as_str();
        let heading = acts::rule(id).map_or("", |rule| rule.heading);
        let is_tried = tried.is_empty() || tried.contains(&id) || tried.contains(&heading);
        if id == "config" || !is_tried {
            continue;
        }
        let long = arg.get_long().unwrap();
        let (mut acts, mut ignored) = (false, false);
        for value in samples::of(arg) {
            let more = with(&words, arg, &value);
            let is_on = value.is_empty() || value == "true";
            let asked_already = is_on && words.contains(&samples::word(arg, ""));
            let same = more.join(" ").replace('=', " ") == words.join(" ").replace('=', " ");
            if asked_already || same {
                continue;
            }
            let outcome = run(name, &more, tools);
            found.runs += 1;
            match &outcome.said {
                Err(error) if error.contains("invalid value '") => continue,
                Err(error) if error.contains(GATE) => {
                    found.refusals.push(error.clone());
                    (acts, ignored) = (false, false);
                    break;
                }
                // Another fault than the one that the line has anyhow.
                Err(_) if base.said.is_err() => acts |= outcome != base,
                _ if outcome == base => ignored = true,
                // The library refuses it, whatever its value.
                Err(error) if error.contains(&format!("leave --{long} out")) => break,
                // Out of range, for one: that is no action.
                Err(error) if error.contains(&format!("--{long}")) => {}
                _ => {
                    acts = true;
                    break;
                }
            }
        }
        if acts {
            found.acts.push(id.to_owned());
        } else if ignored && base.said.is_ok() && acts::rule(id).unwrap().unseen.is_none() {
            found.ignored.push(id.to_owned());
        }
    }
    found
}

#[test]
fn none_is_ignored() {
    let program = turnpike_cli::command();
    let all = cases::all();
    let tools = Tools::new();
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Found>> = all.iter().map(|_| Mutex::default()).collect();
    // A folder is written to the disk before it is there: others go on meanwhile.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = all.get(at) else { break };
                    *results[at].lock().unwrap() = found(case, &program, &tools);
                }
            });
        }
    });
    let results: Vec<Found> =
        results.into_iter().map(|found| found.into_inner().unwrap()).collect();
    println!("{} runs", results.iter().map(|found| found.runs).sum::<u32>());
    let mut wrong = Vec::new();
    let mut acting: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (Case { command, line, .. }, found) in all.iter().zip(&results) {
        if !found.ignored.is_empty() {
            wrong.push(format!("{command} {line}: ignored: {}", found.ignored.join(" ")));
        }
        acting.extend(found.acts.iter().map(|id| (*command, &**id)));
    }
    for command in program.get_subcommands() {
        for arg in command.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let (name, id) = (command.get_name(), arg.get_id().as_str());
            let is_seen = match acts::rule(id).and_then(|rule| rule.unseen) {
                _ if id == "config" || acts::rule(id).unwrap().is_idle_in(name) => true,
                None => acting.contains(&(name, id)),
                Some(Unseen::Often(_)) => acting.iter().any(|(_, acting)| *acting == id),
                Some(Unseen::Always(_)) => true,
            };
            if !is_seen {
                wrong.push(format!("{name}: --{} acts in no case", arg.get_long().unwrap()));
            }
        }
    }
    // No line of the table is there for nothing.
    let refusals: Vec<&str> =
        results.iter().flat_map(|found| &found.refusals).map(|text| &**text).collect();
    for rule in acts::rules() {
        for idle in rule.idle.iter().copied().flatten() {
            let is_seen = |text: &&&str| text.contains(&format!(": {};", idle.why));
            if !refusals.iter().any(|text| is_seen(&text)) {
                wrong.push(format!("{}: nothing is refused for '{}'", rule.id, idle.why));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
