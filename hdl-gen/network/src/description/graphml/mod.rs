//! GraphML: nodes, and edges with or without direction. (Brandes et al., GraphML progress report,
//! Graph Drawing 2001; graphml.graphdrawing.org.)
//!
//! A node's `terminals` says how many terminals it has, 1 where neither it nor the default of its
//! `<key>` says; with `role` it is one that only sends (`source`) or receives (`sink`). Its `address`
//! is that of its terminal, or of the first of several, whose addresses follow each other. An edge
//! without direction is a link. Its `sourceport` and `targetport` are names of ports, and its `delay`
//! is the registers on it; the graph's `ports` are those that come first, in their order.

mod data;
mod lines;

use super::build::{Builder, LooseEnd, Words};
use super::formats::Wanted;
use super::roles::{Role, roles};
use super::{Description, DescriptionError, Fault};
use data::Keys;
use lines::Lines;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;
use std::fmt::Write;

const WORDS: Words =
    Words { node: "<node id=\"a\"/>", terminal: "<data key=\"terminals\">1</data> in a <node>" };

pub(super) fn read(text: &str, wanted: Wanted<'_>) -> Result<Description, DescriptionError> {
    if text.trim().is_empty() {
        return Err(Fault::Empty("a GraphML file holds a <graphml>").into());
    }
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| not_xml(text, &error))?;
    let lines = Lines::of(text);
    let at = |node: Node, fault| DescriptionError::at(lines.line(node), fault);
    let syntax = |node: Node, text: String| at(node, Fault::Syntax(text));
    encoding(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(syntax(root, format!("this is <{}>, not <graphml>", root.tag_name().name())));
    }
    let Some(graph) = root.children().find(|node| node.has_tag_name_of("graph")) else {
        return Err(syntax(root, "there is no <graph>".to_owned()));
    };
    if let Some(another) = root.children().filter(|node| node.has_tag_name_of("graph")).nth(1) {
        let text = "another <graph>: a file holds one network; put this one into a file of its own";
        return Err(syntax(another, text.to_owned()));
    }
    let directed = match graph.attribute("edgedefault") {
        Some("directed") => true,
        Some("undirected") | None => false,
        Some(other) => {
            let text = format!("edgedefault '{other}' is not known; use directed or undirected");
            return Err(syntax(graph, text));
        }
    };
    let keys = Keys::of(root).map_err(|(node, text)| syntax(node, text))?;
    let data = |of: Node, name: &str| {
        let value = keys.value(of, name);
        value.map_err(|(node, text)| syntax(node, text))
    };
    let mut builder = Builder::of(WORDS, wanted.two_way);
    for port in data(graph, "ports")?.unwrap_or_default().split_ascii_whitespace() {
        builder.port(port).map_err(|fault| at(graph, fault))?;
    }
    let nodes = || graph.children().filter(|node| node.has_tag_name_of("node"));
    for node in nodes() {
        let Some(id) = node.attribute("id") else {
            return Err(syntax(node, "a <node> has no id".to_owned()));
        };
        builder.node(id).map_err(|fault| at(node, fault))?;
        if let Some(graph) = graph_within(node) {
            let text = "a graph within a node is not a network; take its nodes out".to_owned();
            return Err(syntax(graph, text));
        }
    }
    for node in nodes() {
        let id = node.attribute("id").unwrap_or_default();
        let place = builder.find(id).map_err(|fault| at(node, fault))?;
        let (terminals, role) = (data(node, "terminals")?, data(node, "role")?);
        let address = data(node, "address")?;
        let role = Role::read(terminals.as_deref(), role.as_deref(), address.as_deref());
        let role = role.map_err(|fault| at(node, fault))?;
        let added = role.add(&mut builder, id, place, Some(lines.line(node)));
        added.map_err(|fault| at(node, fault))?;
    }
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for edge in graph.children().filter(|node| node.is_element()) {
        match edge.tag_name().name() {
            "edge" => {}
            "hyperedge" => {
                let text = "a hyperedge is no link between two nodes".to_owned();
                return Err(syntax(edge, text));
            }
            _ => continue,
        }
        if let Some(graph) = graph_within(edge) {
            let text = "a graph within an edge is not a network; take it out".to_owned();
            return Err(syntax(graph, text));
        }
        let line = lines.line(edge);
        if let Some(before) = edge.attribute("id").and_then(|id| ids.insert(id, line)) {
            let id = edge.attribute("id").unwrap_or_default();
            let text = format!("there is an <edge> '{id}' already, in line {before}");
            return Err(syntax(edge, text));
        }
        let end = |node: &str, port: &str| -> Result<LooseEnd, DescriptionError> {
            let Some(name) = edge.attribute(node) else {
                return Err(syntax(edge, format!("an <edge> has no {node}")));
            };
            let node = builder.find(name).map_err(|fault| at(edge, fault))?;
            Ok(LooseEnd { node, port: edge.attribute(port).map(str::to_owned) })
        };
        let (from, to) = (end("source", "sourceport")?, end("target", "targetport")?);
        let one_way = match edge.attribute("directed") {
            None => directed,
            Some("true" | "1") => true,
            Some("false" | "0") => false,
            Some(other) => {
                let text = format!("directed '{other}' is not known; use true or false");
                return Err(syntax(edge, text));
            }
        };
        let delay = data(edge, "delay")?;
        let delay =
            delay.as_deref().map_or(Ok(0), Fault::delay).map_err(|fault| at(edge, fault))?;
        let linked = builder.link(from, to, !one_way, [delay; 2], Some(line));
        linked.map_err(|fault| at(edge, fault))?;
    }
    builder.finish(wanted.name)
}

/// A graph in an element of another.
fn graph_within<'a, 'i>(node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    node.descendants().find(|inner| inner.has_tag_name_of("graph"))
}

/// Fault of a text that is no XML, with its line: the last, where the text ends too early.
fn not_xml(text: &str, error: &roxmltree::Error) -> DescriptionError {
    use roxmltree::Error;
    let last = text.trim_end().lines().count();
    match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            let text = "the file ends before </graphml>: it is cut off".to_owned();
            DescriptionError::at(last, Fault::Syntax(text))
        }
        Error::NoRootNode => Fault::Syntax("there is no <graphml>".to_owned()).into(),
        Error::NodesLimitReached | Error::AttributesLimitReached => {
            Fault::Syntax(format!("XML: {error}")).into()
        }
        _ => {
            let line = error.pos().row as usize;
            DescriptionError::at(line, Fault::Syntax(format!("XML: {error}")))
        }
    }
}

/// Refuses a text whose declaration says another encoding, where that makes a difference.
fn encoding(text: &str) -> Result<(), DescriptionError> {
    let declaration = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    let Some((_, said)) = declaration.and_then(|(said, _)| said.split_once("encoding")) else {
        return Ok(());
    };
    let said = said.trim_start_matches(['=', ' ', '\t', '\r', '\n', '"', '\'']);
    let said = said.split(['"', '\'']).next().unwrap_or_default();
    match text.is_ascii() || said.eq_ignore_ascii_case("utf-8") {
        true => Ok(()),
        false => {
            let text = format!("the encoding is UTF-8, and not '{said}' as it says");
            Err(DescriptionError::at(1, Fault::Syntax(text)))
        }
    }
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

/// The file that says it. Terminals have no names there.
///
/// # Errors
/// As [`roles`].
pub(super) fn write(description: &Description) -> Result<String, Fault> {
    let roles = roles(description, "GraphML")?;
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"terminals\" for=\"node\" attr.name=\"terminals\" attr.type=\"int\"/>\n  \
         <key id=\"role\" for=\"node\" attr.name=\"role\" attr.type=\"string\"/>\n  \
         <key id=\"ports\" for=\"graph\" attr.name=\"ports\" attr.type=\"string\"/>\n"
        .to_owned();
    if description.channels.iter().any(|channel| channel.delay > 0) {
        text.push_str("  <key id=\"delay\" for=\"edge\" attr.name=\"delay\" attr.type=\"int\"/>\n");
    }
    if roles.iter().any(|role| role.address.is_some()) {
        text.push_str(
            "  <key id=\"address\" for=\"node\" attr.name=\"address\" attr.type=\"int\"/>\n",
        );
    }
    let _ = writeln!(text, "  <graph id=\"{}\" edgedefault=\"directed\">", description.name);
    if !description.ports.is_empty() {
        let _ = writeln!(text, "    <data key=\"ports\">{}</data>", description.ports.join(" "));
    }
    for (node, role) in description.nodes.iter().zip(roles) {
        let Role { role, count, address } = role;
        let id = &node.identifier;
        let _ = write!(text, "    <node id=\"{id}\"><data key=\"terminals\">{count}</data>");
        if role != "terminal" {
            let _ = write!(text, "<data key=\"role\">{role}</data>");
        }
        if let Some(address) = address {
            let _ = write!(text, "<data key=\"address\">{address}</data>");
        }
        text.push_str("</node>\n");
    }
    for channel in &description.channels {
        let [(from, from_port), (to, to_port)] = [&channel.from, &channel.to]
            .map(|end| (&description.nodes[end.node].identifier, &end.port));
        let _ = write!(
            text,
            "    <edge source=\"{from}\" target=\"{to}\" sourceport=\"{from_port}\" \
             targetport=\"{to_port}\""
        );
        let _ = match channel.delay {
            0 => writeln!(text, "/>"),
            delay => writeln!(text, "><data key=\"delay\">{delay}</data></edge>"),
        };
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

    fn small(text: &str) -> Result<Description, DescriptionError> {
        read(text, Wanted { name: "small", two_way: false })
    }

    #[test]
    fn a_graph_becomes_a_network() {
        let net = small(SMALL).unwrap();
        assert_eq!((net.nodes.len(), net.terminals.len(), net.channels.len()), (3, 3, 5));
        assert_eq!(net.nodes[2].identifier, "b_b");
        assert!(net.channels.iter().any(|channel| channel.from.port == "east"));
        let again = small(&write(&net).unwrap()).unwrap();
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
            ("=\"undirected\"", "=\"Directed\"", "line 4: edgedefault 'Directed' is not known"),
            ("=\"true\"", "=\"yes\"", "line 10: directed 'yes' is not known; use true or false"),
            (
                "</graph>",
                "</graph>\n<graph/>",
                "line 12: another <graph>: a file holds one network",
            ),
            (">2<", "><graph/><", "line 7: a graph within a node is not a network"),
            (
                ">2</data>",
                ">2</data><data key=\"d0\">3</data>",
                "line 7: the <data> of 'terminals' stands twice",
            ),
            ("</graph>\n</graphml>\n", "", "line 10: the file ends before </graphml>"),
            ("port=\"east\" targetport=\"west\"/>", "port=\"ea", "line 10: XML: "),
            ("</graphml>\n", "", "line 11: the file ends before </graphml>: it is cut off"),
        ] {
            let error = small(&SMALL.replace(from, to)).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let twice = "<edge id=\"e\" source=\"hub\" target=\"a\"/>\n";
        let text = SMALL.replace("</graph>", &format!("{twice}{twice}</graph>"));
        let error = small(&text).unwrap_err().to_string();
        assert_eq!(error, "line 12: there is an <edge> 'e' already, in line 11");
        let latin = "<?xml version=\"1.0\" encoding='latin1'?><graphml>\u{e9}</graphml>";
        assert!(small(latin).unwrap_err().to_string().contains("not 'latin1' as it says"));
        let none = "<graphml>\n<graph></graph></graphml>";
        let error = small(none).unwrap_err().to_string();
        assert_eq!(error, "there is no node; give one, such as '<node id=\"a\"/>'");
        let none =
            SMALL.replace("<node id=\"a\"/>", "<node id=\"a\"><data key=\"d0\">0</data></node>");
        let error = small(&none.replace(">2<", ">0<")).unwrap_err().to_string();
        assert!(
            error.contains("such as '<data key=\"terminals\">1</data> in a <node>'"),
            "{error}"
        );
        assert!(small("<svg/>").unwrap_err().to_string().contains("not <graphml>"));
    }

    /// A key's default holds for each node that does not say otherwise, a key of edges for none.
    #[test]
    fn defaults_of_keys_are_taken() {
        let text = |key: &str| {
            let key = format!(
                "<key id=\"d0\" {key} attr.name=\"terminals\"><default> 0 </default></key>"
            );
            let old = "<key id=\"d0\" for=\"node\" attr.name=\"terminals\" attr.type=\"int\"/>";
            SMALL.replace(old, &key)
        };
        for key in ["for=\"node\"", "for=\"all\"", ""] {
            let net = small(&text(key)).unwrap();
            let at: Vec<_> = net.terminals.iter().map(|t| t.source).collect();
            assert_eq!(at, [Some(2), Some(2)], "{key}");
        }
        let error = small(&text("for=\"edge\"")).unwrap_err().to_string();
        assert!(
            error.starts_with("line 5: <data> of a node has the key 'd0', which is for edge"),
            "{error}"
        );
        let text = "<graphml><key id=\"r\" for=\"node\" attr.name=\"role\"><default>sink</default></key>\
                    <graph><node id=\"a\"/><node id=\"b\"><data key=\"r\">terminal</data></node>\
                    <edge source=\"a\" target=\"b\"/></graph></graphml>";
        let net = small(text).unwrap();
        assert_eq!(net.terminals.iter().map(|t| t.source).collect::<Vec<_>>(), [None, Some(1)]);
    }
}
