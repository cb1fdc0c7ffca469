//! networkx, whose reader of GraphML is another than ours.

use super::{Graph, GraphEdge, GraphNode};
use crate::tools::{Tool, helper, package};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An installed networkx.
#[derive(Clone, Debug)]
pub struct Networkx {
    python: PathBuf,
}

impl Tool for Networkx {
    const NAME: &'static str = "networkx";

    fn locate() -> Option<Self> {
        Some(Self { python: package("networkx")?.python })
    }
}

impl Networkx {
    /// The graphs of these GraphML files, whose paths hold no ends of lines; the error where it has
    /// one.
    ///
    /// # Panics
    /// Where Python cannot be run, or says what nobody understands.
    pub fn read(&self, files: &[PathBuf]) -> Vec<Result<Graph, String>> {
        let mut command = Command::new(&self.python);
        command.arg(helper("networkx_graphs.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("Python can be run");
        let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // Nothing goes out before all names are in.
        stdin.write_all(names.join("\n").as_bytes()).expect("Python reads");
        drop(stdin);
        let output = child.wait_with_output().expect("Python ends");
        assert!(output.status.success(), "networkx: {}", output.status);
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let graphs: Vec<_> = text.lines().map(graph).collect();
        assert_eq!(graphs.len(), files.len(), "networkx: {text}");
        graphs
    }
}

fn graph(line: &str) -> Result<Graph, String> {
    let value: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
    if let Some(error) = value["error"].as_str() {
        return Err(error.to_owned());
    }
    let rows = |key: &str| -> Vec<Vec<String>> {
        let rows = value[key].as_array().expect("a list");
        let words = |row: &serde_json::Value| {
            let words = row.as_array().expect("a list").iter();
            words.map(|word| word.as_str().expect("a text").to_owned()).collect()
        };
        rows.iter().map(words).collect()
    };
    let node = |row: Vec<String>| {
        let [name, terminals, role] = row.try_into().expect("three texts");
        GraphNode { name, terminals, role }
    };
    let edge = |row: Vec<String>| GraphEdge {
        ends: row.try_into().expect("two texts"),
        ..GraphEdge::default()
    };
    Ok(Graph {
        nodes: rows("nodes").into_iter().map(node).collect(),
        edges: rows("edges").into_iter().map(edge).collect(),
        directed: value["directed"] == true,
    })
}
