//! Graphviz's own reader of DOT, by `gvpr`.

use super::{Graph, GraphEdge, GraphNode};
use crate::process::{self, LIMIT};
use crate::tools::{Tool, helper, on_path};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sides of a node at which an edge is drawn (graphviz.org/docs/attr-types/portPos).
const SIDES: [&str; 10] = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"];

/// An installed Graphviz.
#[derive(Clone, Debug)]
pub struct Graphviz {
    gvpr: PathBuf,
}

impl Tool for Graphviz {
    const NAME: &'static str = "Graphviz (gvpr)";

    fn locate() -> Option<Self> {
        Some(Self { gvpr: on_path("gvpr")? })
    }
}

impl Graphviz {
    /// The graphs of these files, whose paths hold no separators of records; an error or a warning
    /// where it has any of a file.
    ///
    /// # Panics
    /// Where `gvpr` cannot be run, or says what nobody understands.
    pub fn read(&self, files: &[PathBuf]) -> Vec<Result<Graph, String>> {
        let mut command = Command::new(&self.gvpr);
        command.arg("-f").arg(helper("graphs.gvpr")).args(files);
        let run = process::run(&mut command, LIMIT);
        assert!(run.success(), "gvpr: {}", run.ending());
        let mut graphs: HashMap<&Path, Graph> = HashMap::new();
        let mut several = HashSet::new();
        let mut last = None;
        for record in run.stdout.split_terminator('\x1e') {
            let fields: Vec<&str> = record.split('\x1f').collect();
            match fields[..] {
                ["graph", file, directed, ports] => {
                    let file = Path::new(file);
                    let directed = directed == "1";
                    let graph = Graph { directed, ..Graph::default() };
                    if graphs.insert(file, graph).is_some() {
                        several.insert(file);
                    }
                    last = Some((file, ports));
                }
                ["node", name, terminals, role] => {
                    let graph = last.and_then(|(file, _)| graphs.get_mut(file));
                    graph.expect("a graph begins").nodes.push(GraphNode {
                        name: name.to_owned(),
                        terminals: terminals.to_owned(),
                        role: role.to_owned(),
                    });
                }
                ["edge", tail, head, out, into] => {
                    let (file, ports) = last.expect("a graph begins");
                    let edge = GraphEdge {
                        ends: [tail.to_owned(), head.to_owned()],
                        ports: [port(out, ports), port(into, ports)],
                    };
                    graphs.get_mut(file).expect("a graph begins").edges.push(edge);
                }
                _ => panic!("gvpr: {record:?}"),
            }
        }
        let graph_of = |file: &PathBuf| {
            let name = file.to_string_lossy();
            let names = |line: &&str| {
                let at = line.find(&*name).map(|at| at + name.len());
                at.is_some_and(|at| !line[at..].starts_with(|c: char| c.is_alphanumeric()))
            };
            match run.stderr.lines().find(names) {
                Some(line) => Err(line.to_owned()),
                None if several.contains(file.as_path()) => Err("several graphs".to_owned()),
                None => graphs.get(file.as_path()).cloned().ok_or("there is no graph".to_owned()),
            }
        };
        files.iter().map(graph_of).collect()
    }
}

/// The port that an attribute says, where it is no side alone or the graph's `ports` name it.
fn port(text: &str, ports: &str) -> Option<String> {
    let port = text.split(':').next().unwrap_or_default();
    let named = ports.split([' ', ',', '\t', '\n']).any(|named| named == port);
    let is_side = port == text && SIDES.contains(&port) && !named;
    (!port.is_empty() && !is_side).then(|| port.to_owned())
}
