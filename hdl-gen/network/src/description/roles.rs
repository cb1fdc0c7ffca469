//! Terminals as numbers and roles of nodes, in formats that have no terminals of their own.

use super::build::Builder;
use super::{Description, Fault};

/// The terminals of a node, as attributes say them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Role {
    /// `terminal`, `source` or `sink`.
    pub role: &'static str,
    /// Number of terminals.
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
