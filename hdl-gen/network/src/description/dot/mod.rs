//! DOT, the language of Graphviz (graphviz.org/doc/info/lang.html), read as Graphviz does. The parsers
//! that there are for Rust are under the GPL, or say nothing of the line that is wrong.
//!
//! `a -- b` is a link, `a -> b` a channel. A port stands behind a colon (`a:east`) or in
//! `tailport` and `headport`; the sides of a node at which an edge is drawn (`a:n`) are none, unless
//! the graph's `ports` name them. A node's `terminals` says how many terminals it has, 1 where it
//! does not say; `role` and `address` as in GraphML. An edge's `delay` is the registers on it. Other attributes are how it is drawn, and are not kept.

mod attributes;
mod edges;
mod lex;
mod parse;
mod scope;
#[cfg(test)]
mod tests;
mod write;

pub(super) use write::write;

use super::build::{Builder, LooseEnd, Words};
use super::formats::Wanted;
use super::roles::Role;
use super::{Description, DescriptionError, Fault};
use edges::{Edge, Edges};
use parse::Graph;

const WORDS: Words = Words { node: "a", terminal: "a [terminals=1]" };
/// Compass points, which may stand behind a colon and are no ports: the side of a node at which an
/// edge is drawn.
const COMPASS: [&str; 10] = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"];

pub(super) fn read(text: &str, wanted: Wanted<'_>) -> Result<Description, DescriptionError> {
    let builder = Builder::of(WORDS, wanted.two_way);
    let Graph { mut builder, nodes, edges, ports } = parse::parse(lex::tokens(text)?, builder)?;
    let (ports, line) = ports.unwrap_or_default();
    let ports: Vec<&str> = ports.split([' ', ',', '\t', '\n']).filter(|p| !p.is_empty()).collect();
    for port in &ports {
        builder.port(port).map_err(|fault| DescriptionError::at(line, fault))?;
    }
    let Edges { all, directed, .. } = edges;
    for Edge { ends, delay, line } in all {
        let at = |fault| DescriptionError::at(line, fault);
        let ends = ends.map(|place| {
            let port = place.port.as_deref().map_or(Ok(None), |text| port(text, &ports));
            port.map(|port| LooseEnd { node: place.node, port })
        });
        let [from, to] = ends;
        let delay = delay.as_deref().map_or(Ok(0), Fault::delay).map_err(at)?;
        let (from, to) = (from.map_err(at)?, to.map_err(at)?);
        builder.link(from, to, !directed, [delay; 2], Some(line)).map_err(at)?;
    }
    for (number, (name, attributes)) in nodes.iter().enumerate() {
        let value = |key: &str| attributes.get(key).map(|(value, _)| value.as_str());
        let line = attributes.values().map(|(_, line)| *line).max();
        let at = |fault| DescriptionError { line, fault: Box::new(fault) };
        let [terminals, role, address] =
            [attributes::TERMINALS, attributes::ROLE, attributes::ADDRESS].map(value);
        let role = Role::read(terminals, role, address).map_err(at)?;
        role.add(&mut builder, name, number, line).map_err(at)?;
    }
    builder.finish(wanted.name)
}

/// The port of a text behind a colon: what a compass point stands behind, or a word that is none, or
/// that the graph names as a port. `None` where there is no port.
fn port(text: &str, ports: &[&str]) -> Result<Option<String>, Fault> {
    let port = match text.split_once(':') {
        Some((port, point)) if COMPASS.contains(&point) => port,
        Some((port, point)) => {
            let points = COMPASS.join(", ");
            return Err(Fault::Syntax(format!(
                "'{point}' behind the port '{port}' is no compass point; use one of {points}"
            )));
        }
        None if COMPASS.contains(&text) && !ports.contains(&text) => return Ok(None),
        None => text,
    };
    Ok((!port.is_empty()).then(|| port.to_owned()))
}
