//! Files of DOT, drawn from its grammar (graphviz.org/doc/info/lang.html). Rarely one is damaged.

use crate::readers::draw::Draw;

/// How the nodes are written; several spellings of one name stand beside each other.
const NODES: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g2",
    "\"a\"",
    "_h",
    "\"b\"",
    "1",
    "-2",
    "\"\" + \"c\"",
    ".5",
    "\"1\"",
    "3.",
    "4.25",
    "\"x y\"",
    "\"x \"+\"y\"",
    "\"q\\\"q\"",
    "\"b\\\\s\"",
    "\"l\\\ni\"",
    "\u{e9}t\u{e9}",
    "\"node\"",
    "\"0_1\"",
    "\"sw-1\"",
    "\"10.0.0.1\"",
    "\"a:b\"",
    "\"<t>\"",
    "\"\u{a0}\"",
];
/// Words that are no names of nodes, or several.
const TORN: &[&str] =
    &["0a", "0_1", "sw-1", "10.0.0.1", "node", "Edge", "<t>", "1.2.3", "a.b", "2n"];
const PORTS: &[&str] =
    &["x", "y", "z", "n", "e", "sw", "c", "_", "\"n\"", "p9", "\"x\"", "\"y:ne\""];
const SIDES: &[&str] = &["n", "ne", "s", "c", "_", "\"w\""];
const SUBGRAPHS: &[&str] = &["s", "t", "\"s\"", "cluster_0"];
const COLOURS: &[&str] = &["red", "\"#ff0000\"", "<b>", "\"a -- b;\"", "1.5", "\"}\""];

/// A file, from a seed.
pub fn file(seed: u64) -> String {
    let mut writer =
        Writer { draw: Draw::new(seed), words: Vec::new(), edge: "--", names: 0, last: 0 };
    writer.graph();
    let Writer { mut draw, words, .. } = writer;
    join(&mut draw, words)
}

struct Writer {
    draw: Draw,
    words: Vec<String>,
    edge: &'static str,
    /// How many names of nodes there are in this file: many, so that few edges are loops.
    names: usize,
    /// The name that was written last.
    last: usize,
}

impl Writer {
    fn word(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    /// Writes a mark or not.
    fn may(&mut self, marks: &[&str]) {
        let mark = self.draw.one(marks);
        if !mark.is_empty() {
            self.word(mark);
        }
    }

    fn graph(&mut self) {
        self.names = 14 + self.draw.below(NODES.len() - 13);
        if self.draw.once_in(6) {
            let strict = self.draw.one(&["strict", "STRICT"]);
            self.word(strict);
        }
        let (kind, edge) = match self.draw.below(2) {
            0 => (["graph", "graph", "Graph"], "--"),
            _ => (["digraph", "digraph", "DIGRAPH"], "->"),
        };
        self.edge = edge;
        let kind = self.draw.one(&kind);
        self.word(kind);
        self.may(&["", "net", "\"a b\"", "7"]);
        self.word("{");
        if self.draw.once_in(4) {
            let value = self.draw.one(&["n", "\"n e\"", "\"x,n,sw\"", "\"n n\"", "\"\""]);
            let words = match self.draw.below(3) {
                0 => vec!["ports", "=", value, ";"],
                1 => vec!["graph", "[", "ports", "=", value, "]"],
                _ => vec!["subgraph", "{", "ports", "=", value, "}"],
            };
            words.into_iter().for_each(|word| self.word(word));
        }
        for _ in 0..2 + self.draw.below(6) {
            self.statement(0);
        }
        if !self.draw.once_in(300) {
            self.word("}");
        }
        if self.draw.once_in(300) {
            ["graph", "{", "}"].into_iter().for_each(|word| self.word(word));
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.draw.below(12) {
            0 | 1 => {
                let (kind, more) = match self.draw.below(5) {
                    0 | 1 => ("node", 0),
                    2 | 3 => ("edge", 1),
                    _ => ("Graph", 2),
                };
                self.word(kind);
                self.attributes(more);
            }
            2 => {
                let name = self.draw.one(&["rankdir", "a", "\"b\"", "terminals"]);
                let value = self.draw.one(COLOURS);
                [name, "=", value].into_iter().for_each(|word| self.word(word));
            }
            3 | 4 => {
                self.operand(depth);
                if self.draw.once_in(2) {
                    self.attributes(0);
                }
            }
            _ => {
                self.operand(depth);
                for _ in 0..1 + self.draw.below(2) {
                    let wrong = if self.edge == "--" { "->" } else { "--" };
                    let edge = if self.draw.once_in(200) { wrong } else { self.edge };
                    self.word(edge);
                    self.operand(depth);
                }
                if self.draw.once_in(2) {
                    self.attributes(1);
                }
            }
        }
        self.may(&["", ";", ";"]);
        if self.draw.once_in(400) {
            self.may(&[";", ",", "]", "="]);
        }
    }

    fn operand(&mut self, depth: usize) {
        if depth < 3 && self.draw.once_in(5) {
            if self.draw.once_in(2) {
                self.word("subgraph");
                let name = self.draw.one(SUBGRAPHS);
                if !self.draw.once_in(6) {
                    self.word(name);
                }
            }
            self.word("{");
            for _ in 0..self.draw.below(3) {
                self.statement(depth + 1);
            }
            self.word("}");
            return;
        }
        self.node();
        while self.draw.once_in(7) {
            self.word(",");
            self.node();
        }
    }

    fn node(&mut self) {
        // Near the last one and seldom the same, so that few edges are loops and some meet again.
        self.last = (self.last + 1 + self.draw.below(5)) % self.names;
        let name = if self.draw.once_in(200) { self.draw.one(TORN) } else { NODES[self.last] };
        self.word(name);
        if self.draw.once_in(6) {
            let port = self.draw.one(PORTS);
            [":", port].into_iter().for_each(|word| self.word(word));
            if self.draw.once_in(4) {
                let side = self.draw.one(SIDES);
                [":", side].into_iter().for_each(|word| self.word(word));
            }
        }
    }

    /// Attributes of nodes, edges or the graph, by number.
    fn attributes(&mut self, of: usize) {
        for _ in 0..1 + self.draw.below(8) / 7 {
            self.word("[");
            for _ in 0..self.draw.below(3) {
                let (key, values): (&str, &[&str]) = match (of, self.draw.below(4)) {
                    (_, 0) => ("color", COLOURS),
                    (0, 1 | 2) => ("terminals", &["0", "1", "\"2\"", "3", "2", "two"]),
                    (0, _) => ("role", &["source", "sink", "\"terminal\"", "terminal"]),
                    (1, 1) => ("key", &["k", "\"k\"", "l", "\"\"", "7"]),
                    (1, 2) => ("tailport", PORTS),
                    (1, _) => ("headport", PORTS),
                    _ => ("label", COLOURS),
                };
                let value = self.draw.one(values);
                let rarely = self.draw.once_in(300);
                [key, "=", if rarely { "edge" } else { value }]
                    .into_iter()
                    .for_each(|word| self.word(word));
                self.may(&["", ",", ";"]);
            }
            self.word("]");
        }
    }
}

/// The words, with blanks and comments between them, and where two of them stay two also without.
fn join(draw: &mut Draw, words: Vec<String>) -> String {
    let blanks =
        [" ", " ", "\n", "\t", "\r\n", " /* a -- b */ ", " // c\n", "\n# 1 \"x\"\n", "/**/"];
    let is_mark = |word: &str| "{}[];,=:".contains(word) || word == "--" || word == "->";
    let mut text = String::new();
    let mut before = String::from("{");
    for word in words {
        let apart = is_mark(&word) || is_mark(&before);
        // A sign or a dot may be part of the word before it.
        let joins = word.starts_with(['-', '.']) || before.ends_with('-');
        if (!apart || joins || draw.once_in(3)) && !draw.once_in(400) {
            text += draw.one(&blanks);
        }
        text += &word;
        before = word;
    }
    text + draw.one(&["", "\n", " // the end", "\n/* the end */\n"])
}
