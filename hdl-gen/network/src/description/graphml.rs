//! GraphML: nodes, and edges with or without direction. (Brandes et al., GraphML progress report,
//! Graph Drawing 2001; graphml.graphdrawing.org.)
//!
//! A node's `terminals` says how many terminals it has, 1 where it does not say; with `role` it is
//! one that only sends (`source`) or receives (`sink`). An edge without direction is a link. Its
//! `sourceport` and `targetport` are names of ports.

use super::build::{Builder, LooseEnd};
use super::{Description, DescriptionError, Fault};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;
use std::fmt::Write;

pub(super) fn read(text: &str, default_name: &str) -> Result<Description, DescriptionError> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        DescriptionError::at(error.pos().row as usize, Fault::Syntax(format!("XML: {error}")))
    })?;
    let line = |node: Node| document.text_pos_at(node.range().start).row as usize;
    let at = |node: Node, fault| DescriptionError::at(line(node), fault);
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        let text = format!("this is <{}>, not <graphml>", root.tag_name().name());
        return Err(at(root, Fault::Syntax(text)));
    }
    let Some(graph) = root.children().find(|node| node.has_tag_name_of("graph")) else {
        return Err(at(root, Fault::Syntax("there is no <graph>".to_owned())));
    };
    let directed = graph.attribute("edgedefault") == Some("directed");
    let keys: HashMap<&str, &str> = root
        .children()
        .filter(|node| node.has_tag_name_of("key"))
        .filter_map(|key| Some((key.attribute("id")?, key.attribute("attr.name")?)))
        .collect();
    let data = |node: Node, name: &str| -> Option<String> {
        let own = |key: &str| keys.get(key).copied().unwrap_or(key) == name;
        let mut all = node.children().filter(|child| child.has_tag_name_of("data"));
        let found = all.find(|data| data.attribute("key").is_some_and(own))?;
        Some(found.text().unwrap_or("").trim().to_owned())
    };
    let mut builder = Builder::default();
    let nodes = || graph.children().filter(|node| node.has_tag_name_of("node"));
    for node in nodes() {
        let Some(id) = node.attribute("id") else {
            return Err(at(node, Fault::Syntax("a <node> has no id".to_owned())));
        };
        builder.node(id).map_err(|fault| at(node, fault))?;
        if let Some(graph) = node.children().find(|child| child.has_tag_name_of("graph")) {
            let text = "a graph within a node is not a network; take its nodes out".to_owned();
            return Err(at(graph, Fault::Syntax(text)));
        }
    }
    for node in nodes() {
        let id = node.attribute("id").unwrap_or_default();
        let place = builder.find(id).map_err(|fault| at(node, fault))?;
        let role = Role::read(data(node, "terminals").as_deref(), data(node, "role").as_deref());
        let role = role.map_err(|fault| at(node, fault))?;
        role.add(&mut builder, id, place).map_err(|fault| at(node, fault))?;
    }
    for edge in graph.children().filter(|node| node.is_element()) {
        match edge.tag_name().name() {
            "edge" => {}
            "hyperedge" => {
                let text = "a hyperedge is no link between two nodes".to_owned();
                return Err(at(edge, Fault::Syntax(text)));
            }
            _ => continue,
        }
        let end = |node: &str, port: &str| -> Result<LooseEnd, DescriptionError> {
            let Some(name) = edge.attribute(node) else {
                return Err(at(edge, Fault::Syntax(format!("an <edge> has no {node}"))));
            };
            let node = builder.find(name).map_err(|fault| at(edge, fault))?;
            Ok(LooseEnd { node, port: edge.attribute(port).map(str::to_owned) })
        };
        let (from, to) = (end("source", "sourceport")?, end("target", "targetport")?);
        let one_way = edge.attribute("directed").map_or(directed, |text| text == "true");
        let linked = builder.link(from, to, !one_way, Some(line(edge)));
        linked.map_err(|fault| at(edge, fault))?;
    }
    builder.finish(default_name)
}

/// Tags by their name, whatever their namespace.
trait TagName {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl TagName for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// The terminals of a node, as attributes say them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Role {
    /// `terminal`, `source` or `sink`.
    pub role: &'static str,
    /// How many.
    pub count: u32,
}

impl Role {
    pub(super) fn read(terminals: Option<&str>, role: Option<&str>) -> Result<Self, Fault> {
        let count = terminals.map_or(Ok(1), |text| {
            let wrong = format!("terminals '{text}' is no number; use one such as 1");
            text.parse().map_err(|_| Fault::Syntax(wrong))
        })?;
        let known = ["terminal", "source", "sink"];
        let role =
            known.into_iter().find(|known| *known == role.unwrap_or(known)).ok_or_else(|| {
                let role = role.unwrap_or_default();
                Fault::Syntax(format!("role '{role}' is not known; use terminal, source or sink"))
            })?;
        Ok(Self { role, count })
    }

    /// Adds the terminals of a node of this name.
    pub(super) fn add(self, builder: &mut Builder, name: &str, node: usize) -> Result<(), Fault> {
        let node = Some(node);
        let (source, sink) =
            (node.filter(|_| self.role != "sink"), node.filter(|_| self.role != "source"));
        (0..self.count).try_for_each(|number| match self.count {
            1 => builder.terminal(name, source, sink),
            _ => builder.terminal(&format!("{name}_{number}"), source, sink),
        })
    }
}

/// The terminals of each node, for a format that says them by [`Role`].
///
/// # Errors
/// [`Fault::Syntax`] for terminals of unlike roles at a node, those that receive elsewhere than
/// where they send, and those in another order than their nodes.
pub(super) fn roles(description: &Description, format: &str) -> Result<Vec<Role>, Fault> {
    let cannot = |what: &str| Fault::Syntax(format!("{format} cannot say {what}"));
    let none = Role { role: "terminal", count: 0 };
    let mut roles = vec![none; description.nodes.len()];
    let mut last = 0;
    for terminal in &description.terminals {
        let (node, role) = match (terminal.source, terminal.sink) {
            (Some(source), Some(sink)) if source == sink => (source, "terminal"),
            (Some(source), None) => (source, "source"),
            (None, Some(sink)) => (sink, "sink"),
            _ => return Err(cannot("terminals that receive elsewhere than where they send")),
        };
        if node < last {
            return Err(cannot("terminals in another order than their nodes"));
        }
        last = node;
        if roles[node].count > 0 && roles[node].role != role {
            return Err(cannot("terminals of unlike roles at a node"));
        }
        roles[node] = Role { role, count: roles[node].count + 1 };
    }
    Ok(roles)
}

/// The file that says it. Terminals have no names there.
///
/// # Errors
/// As [`roles`].
pub(super) fn write(description: &Description) -> Result<String, Fault> {
    let roles = roles(description, "GraphML")?;
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"terminals\" for=\"node\" attr.name=\"terminals\" attr.type=\"int\"/>\n  \
         <key id=\"role\" for=\"node\" attr.name=\"role\" attr.type=\"string\"/>\n"
        .to_owned();
    let _ = writeln!(text, "  <graph id=\"{}\" edgedefault=\"directed\">", description.name);
    for (node, role) in description.nodes.iter().zip(roles) {
        let Role { role, count } = role;
        let id = &node.identifier;
        let _ = write!(text, "    <node id=\"{id}\"><data key=\"terminals\">{count}</data>");
        if role != "terminal" {
            let _ = write!(text, "<data key=\"role\">{role}</data>");
        }
        text.push_str("</node>\n");
    }
    for channel in &description.channels {
        let [(from, from_port), (to, to_port)] = [&channel.from, &channel.to]
            .map(|end| (&description.nodes[end.node].identifier, &end.port));
        let _ = writeln!(
            text,
            "    <edge source=\"{from}\" target=\"{to}\" sourceport=\"{from_port}\" \
             targetport=\"{to_port}\"/>"
        );
    }
    text.push_str("  </graph>\n</graphml>\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="terminals" attr.type="int"/>
  <graph edgedefault="undirected">
    <node id="hub"><data key="d0">0</data></node>
    <node id="a"/>
    <node id="b b"><data key="d0">2</data></node>
    <edge source="hub" target="a"/>
    <edge source="hub" target="b b" sourceport="east" targetport="west"/>
    <edge source="a" target="b b" directed="true"/>
  </graph>
</graphml>
"#;

    #[test]
    fn a_graph_becomes_a_network() {
        let net = read(SMALL, "small").unwrap();
        assert_eq!((net.nodes.len(), net.terminals.len(), net.channels.len()), (3, 3, 5));
        assert_eq!(net.nodes[2].identifier, "b_b");
        assert!(net.channels.iter().any(|channel| channel.from.port == "east"));
        let again = read(&write(&net).unwrap(), "small").unwrap();
        assert_eq!(again.channels, net.channels);
        let at = |net: &Description| net.terminals.iter().map(|t| t.sink).collect::<Vec<_>>();
        assert_eq!(at(&again), at(&net));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (from, to, message) in [
            ("target=\"a\"", "target=\"c\"", "line 8: unknown node 'c'"),
            ("<node id=\"a\"/>", "<node/>", "line 6: a <node> has no id"),
            (">2<", ">two<", "line 7: terminals 'two' is no number"),
            ("</graph>", "</grph>", "line 11: XML: "),
            ("target=\"a\"", "target=\"hub\"", "line 8: hub is linked with itself"),
        ] {
            let error = read(&SMALL.replace(from, to), "small").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert!(read("<svg/>", "x").unwrap_err().to_string().contains("not <graphml>"));
    }
}
