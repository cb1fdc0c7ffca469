//! Files of GraphML, drawn from its schema (graphml.graphdrawing.org). Rarely one is damaged.

use crate::readers::draw::Draw;
use std::fmt::Write;

/// How the nodes are written; several spellings of one name stand beside each other.
const NODES: &[&str] = &[
    "n0",
    "n1",
    "n2",
    "n3",
    "x y",
    "n4",
    "&#110;2",
    "n5",
    "n6",
    "x&#x20;y",
    "&lt;t&gt;",
    "a&amp;b",
    "\u{e9}t\u{e9}",
    "10.0.0.1",
    "it&apos;s",
    "-1",
    "0",
];

/// A file, from a seed.
pub fn file(seed: u64) -> String {
    let mut writer =
        Writer { draw: Draw::new(seed), text: String::new(), prefix: "", keys: Vec::new() };
    writer.document();
    let Writer { mut draw, text, .. } = writer;
    match draw.once_in(60) {
        true => text.chars().take(draw.below(text.len())).collect(),
        false => text,
    }
}

struct Writer {
    draw: Draw,
    text: String,
    /// Of all elements.
    prefix: &'static str,
    /// Declared keys: the id, and what the attribute is called.
    keys: Vec<(&'static str, &'static str)>,
}

impl Writer {
    fn document(&mut self) {
        if !self.draw.once_in(3) {
            let version = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
            self.text += self.draw.one(&[version, "<?xml version='1.0'?>"]);
        }
        self.between();
        self.prefix = self.draw.one(&["", "", "", "g:"]);
        let space = "=\"http://graphml.graphdrawing.org/xmlns\"";
        match self.prefix {
            "" if self.draw.once_in(8) => self.text += "<graphml>",
            "" => write!(self.text, "<graphml xmlns{space}>").expect("text"),
            _ => write!(self.text, "<g:graphml xmlns:g{space}>").expect("text"),
        }
        self.between();
        self.declare();
        self.graph();
        if self.draw.once_in(100) {
            self.graph();
        }
        self.close("graphml");
    }

    /// Blanks, comments and what programs are told.
    fn between(&mut self) {
        self.text +=
            self.draw.one(&["", "\n", "\n  ", "<!-- <node id=\"no\"/> -->", "\n<?do it?>\n"]);
    }

    fn open(&mut self, tag: &str, attributes: &mut [(&str, String)]) {
        let Self { draw, text, prefix, .. } = self;
        write!(text, "<{prefix}{tag}").expect("text");
        for at in (1..attributes.len()).rev() {
            attributes.swap(at, draw.below(at + 1));
        }
        for (name, value) in attributes {
            let quote = draw.one(&["\"", "'"]);
            let blank = draw.one(&[" ", "\n"]);
            write!(text, "{blank}{name}={quote}{value}{quote}").expect("text");
        }
        text.push('>');
    }

    fn close(&mut self, tag: &str) {
        self.between();
        write!(self.text, "</{}{tag}>", self.prefix).expect("text");
    }

    fn declare(&mut self) {
        for (id, name, values) in [
            ("d0", "terminals", &["0", " 1 ", "2"][..]),
            ("role", "role", &["sink", "terminal"]),
            ("d2", "label", &["a", ""]),
        ] {
            if self.draw.once_in(3) {
                continue;
            }
            self.keys.push((id, name));
            let kind = if name == "terminals" { "int" } else { "string" };
            let mut attributes =
                [("id", id), ("for", "node"), ("attr.name", name), ("attr.type", kind)]
                    .map(|(key, value)| (key, value.to_owned()));
            self.open("key", &mut attributes);
            if self.draw.once_in(3) {
                self.open("default", &mut []);
                self.text += self.draw.one(values);
                write!(self.text, "</{}default>", self.prefix).expect("text");
            }
            self.close("key");
            self.between();
        }
    }

    fn graph(&mut self) {
        let default =
            self.draw.one(&["directed", "undirected", "undirected", "directed", "", "Directed"]);
        let default =
            if default == "Directed" && !self.draw.once_in(20) { "directed" } else { default };
        let mut attributes = vec![("id", "G".to_owned())];
        if !default.is_empty() {
            attributes.push(("edgedefault", default.to_owned()));
        }
        self.open("graph", &mut attributes);
        let names = 3 + self.draw.below(NODES.len() - 2);
        // Edges may stand before their nodes. Each node is declared once, mostly.
        let mut declared: Vec<usize> = Vec::new();
        for (name, spelled) in NODES.iter().enumerate().take(names) {
            let is_spelling = spelled.starts_with("&#") || spelled.contains("&#x20;");
            if !is_spelling && !self.draw.once_in(150) || self.draw.once_in(200) {
                declared.push(name);
            }
        }
        let edges = self.draw.below(2 * names);
        let mut statements: Vec<Option<usize>> =
            declared.into_iter().map(Some).chain((0..edges).map(|_| None)).collect();
        if self.draw.once_in(3) {
            for at in (1..statements.len()).rev() {
                statements.swap(at, self.draw.below(at + 1));
            }
        }
        for (number, statement) in statements.into_iter().enumerate() {
            self.between();
            match statement {
                Some(node) => self.node(NODES[node]),
                None => self.edge(number, names, default),
            }
        }
        if self.draw.once_in(150) {
            self.open("hyperedge", &mut []);
            self.close("hyperedge");
        }
        self.close("graph");
        self.between();
    }

    fn node(&mut self, id: &str) {
        self.open("node", &mut [("id", id.to_owned())]);
        for (key, name) in self.keys.clone() {
            if self.draw.once_in(2) {
                let values: &[&str] = match name {
                    "terminals" => {
                        &["1", "0", " 2\n", "3", "<!-- 7 -->1", "1<!-- 7 -->", "<![CDATA[1]]>"]
                    }
                    "role" => &["source", "terminal", "sink", "ter<!-- x -->minal"],
                    _ => &["a &lt; b", "", "<![CDATA[<edge/>]]>", "&#65;"],
                };
                self.open("data", &mut [("key", key.to_owned())]);
                self.text += self.draw.one(values);
                write!(self.text, "</{}data>", self.prefix).expect("text");
            }
        }
        if self.draw.once_in(12) {
            self.open("desc", &mut []);
            self.text += "a node";
            self.close("desc");
        }
        if self.draw.once_in(200) {
            self.open("graph", &mut [("edgedefault", "directed".to_owned())]);
            self.close("graph");
        }
        self.close("node");
    }

    fn edge(&mut self, number: usize, names: usize, default: &str) {
        let (from, to) = (self.draw.below(names), self.draw.below(names));
        // Few loops, which no network has.
        let to = if from == to && !self.draw.once_in(20) { (to + 1) % names } else { to };
        let mut attributes =
            vec![("source", NODES[from].to_owned()), ("target", NODES[to].to_owned())];
        if self.draw.once_in(3) {
            let number = if self.draw.once_in(30) { 1 } else { number };
            attributes.push(("id", format!("e{number}")));
        }
        if self.draw.once_in(8) {
            let other = if default == "directed" { "false" } else { "true" };
            let same = if default == "directed" { "true" } else { "false" };
            let directed = if self.draw.once_in(10) { other } else { same };
            attributes.push(("directed", directed.to_owned()));
        }
        if self.draw.once_in(10) {
            let port = self.draw.one(&["sourceport", "targetport"]);
            attributes.push((port, format!("p{number}")));
        }
        self.open("edge", &mut attributes);
        self.close("edge");
    }
}
