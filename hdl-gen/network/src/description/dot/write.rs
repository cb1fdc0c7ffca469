//! A network in DOT.

use crate::description::roles::{Role, roles};
use crate::description::{Description, End, Fault};
use std::fmt::Write;

/// The file that says it. The graph's `ports` name the ports in their order, so that none of them
/// is taken for a compass point.
///
/// # Errors
/// As of GraphML.
pub(in crate::description) fn write(description: &Description) -> Result<String, Fault> {
    let roles = roles(description, "DOT")?;
    let mut text = match super::parse::is_keyword(&description.name) {
        true => format!("digraph \"{}\" {{\n", description.name),
        false => format!("digraph {} {{\n", description.name),
    };
    if !description.ports.is_empty() {
        let _ = writeln!(text, "  ports=\"{}\";", description.ports.join(" "));
    }
    for (node, role) in description.nodes.iter().zip(roles) {
        let Role { role, count, address } = role;
        let _ = write!(text, "  \"{}\" [terminals={count}", node.identifier);
        if role != "terminal" {
            let _ = write!(text, ", role={role}");
        }
        if let Some(address) = address {
            let _ = write!(text, ", address={address}");
        }
        text.push_str("];\n");
    }
    for channel in &description.channels {
        let end =
            |end: &End| format!("\"{}\":\"{}\"", description.nodes[end.node].identifier, end.port);
        let _ = write!(text, "  {} -> {}", end(&channel.from), end(&channel.to));
        if channel.delay > 0 {
            let _ = write!(text, " [delay={}]", channel.delay);
        }
        text.push_str(";\n");
    }
    text.push_str("}\n");
    Ok(text)
}
