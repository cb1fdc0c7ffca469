//! The readers of DOT and GraphML beside others': files drawn from the grammar of each are read as
//! Graphviz and networkx read them, or refused. Never is a file read as another network.

mod dot;
mod draw;
mod graphml;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use turnpike_base::hash::hash;
use turnpike_network::description::{DescriptionError, Fault, read};
use turnpike_tests::graphs::graphviz::Graphviz;
use turnpike_tests::graphs::networkx::Networkx;
use turnpike_tests::graphs::{Graph, difference};
use turnpike_tests::require;

/// Files of `make test`, of each format, and of `make test-all`.
const FEW: u64 = 1_500;
const MANY: u64 = 60_000;
/// Files that go to another reader at once.
const AT_ONCE: usize = 1_500;

/// Seeds of files that were once read otherwise: run for ever. A failure prints the seed.
const DOT_CASES: &[u64] = &[];
const GRAPHML_CASES: &[u64] = &[];

/// What another reader makes of files: the graph of each, or why it has none.
type Others<'a> = dyn Fn(&[PathBuf]) -> Vec<Result<Graph, String>> + 'a;

/// A format, and whoever else reads it.
struct Format<'a> {
    ending: &'static str,
    draw: fn(u64) -> String,
    others: &'a Others<'a>,
    /// Whether the other takes all that is of the format: then what it refuses is refused.
    is_whole: bool,
}

/// What came of the files.
#[derive(Default)]
struct Tally {
    same: usize,
    /// Taken, where the other refuses.
    alone: usize,
    refused: BTreeMap<String, usize>,
}

impl Format<'_> {
    /// Holds the files of these seeds against the other reader.
    fn hold(&self, seeds: &[u64]) -> Tally {
        let folder = tempfile::tempdir().unwrap();
        let mut tally = Tally::default();
        for seeds in seeds.chunks(AT_ONCE) {
            let path = |seed: &u64| folder.path().join(format!("{seed}.{}", self.ending));
            let paths: Vec<PathBuf> = seeds.iter().map(path).collect();
            let texts: Vec<String> = seeds.iter().map(|&seed| (self.draw)(seed)).collect();
            paths.iter().zip(&texts).for_each(|(path, text)| fs::write(path, text).unwrap());
            let others = (self.others)(&paths);
            for ((seed, text), other) in seeds.iter().zip(&texts).zip(others) {
                let own = read(&format!("net.{}", self.ending), text.as_bytes());
                let wrong = match (own, other) {
                    (Err(error), _) => {
                        *tally.refused.entry(sort(&error)).or_default() += 1;
                        None
                    }
                    (Ok(network), Ok(graph)) => {
                        tally.same += 1;
                        difference(&network, &graph)
                    }
                    (Ok(_), Err(error)) if self.is_whole => Some(error),
                    (Ok(_), Err(_)) => {
                        tally.alone += 1;
                        None
                    }
                };
                if let Some(wrong) = wrong {
                    panic!("{wrong}\na case of .{}: {seed},\n{text}", self.ending);
                }
            }
            paths.iter().for_each(|path| fs::remove_file(path).unwrap());
        }
        tally
    }

    /// Holds so many files of a seed, and all cases there were. Says what came of them.
    fn run(&self, seed: u64, count: u64, cases: &[u64]) {
        println!("seed {seed} of .{}", self.ending);
        self.hold(cases);
        let seeds: Vec<u64> = (0..count).map(|number| hash(seed, &[number])).collect();
        let Tally { same, alone, refused } = self.hold(&seeds);
        println!("{same} of {count} are the same, {alone} are read here alone, refused:");
        refused.iter().for_each(|(why, count)| println!("{count:6} {why}"));
        // Else the grammar draws what says little.
        assert!(same as u64 * 3 > count, "{same} of {count} are read");
    }
}

/// The sort of an error.
fn sort(error: &DescriptionError) -> String {
    match &*error.fault {
        Fault::Syntax(text) => {
            let words = text.split(' ').filter(|word| !word.contains(['\'', '"', '<', '>']));
            words.take(4).collect::<Vec<_>>().join(" ")
        }
        fault => format!("{fault:?}").split([' ', '(']).next().unwrap_or_default().to_owned(),
    }
}

fn held_to_graphviz(seed: u64, count: u64) {
    let Some(graphviz) = require::<Graphviz>() else { return };
    let others = |files: &[PathBuf]| graphviz.read(files);
    let dot = Format { ending: "dot", draw: dot::file, others: &others, is_whole: true };
    dot.run(seed, count, DOT_CASES);
}

fn held_to_networkx(seed: u64, count: u64) {
    let Some(networkx) = require::<Networkx>() else { return };
    let others = |files: &[PathBuf]| networkx.read(files);
    let graphml =
        Format { ending: "graphml", draw: graphml::file, others: &others, is_whole: false };
    graphml.run(seed, count, GRAPHML_CASES);
}

/// The seed that all random tests share: 1 unless the environment says another, as `make test-all`
/// does.
fn seed() -> u64 {
    let seed = std::env::var("PROPTEST_RNG_SEED");
    seed.map_or(1, |seed| seed.parse().expect("PROPTEST_RNG_SEED is a number"))
}

#[test]
fn dot_is_read_as_graphviz_reads_it() {
    held_to_graphviz(seed(), FEW);
}

#[test]
fn graphml_is_read_as_networkx_reads_it() {
    held_to_networkx(seed(), FEW);
}

#[test]
#[ignore = "60,000 files: a minute"]
fn much_dot_is_read_as_graphviz_reads_it() {
    held_to_graphviz(seed(), MANY);
}

#[test]
#[ignore = "60,000 files: minutes"]
fn much_graphml_is_read_as_networkx_reads_it() {
    held_to_networkx(seed(), MANY);
}
