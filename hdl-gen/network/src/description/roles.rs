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
    /// Address of the first terminal, where it is given; those of the others follow it.
    pub address: Option<u32>,
}

impl Role {
    /// The terminals that the attributes `terminals`, `role` and `address` say.
    pub(super) fn read(
        terminals: Option<&str>,
        role: Option<&str>,
        address: Option<&str>,
    ) -> Result<Self, Fault> {
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
        let address = address.map(|word| Fault::address(word, "")).transpose()?;
        match address {
            Some(_) if count == 0 => {
                Err(Fault::Syntax("a node without terminals has an address; leave one out".into()))
            }
            _ => Ok(Self { role, count, address }),
        }
    }

    /// Adds the terminals of a node of this name, which stands in this line.
    pub(super) fn add(
        self,
        builder: &mut Builder,
        name: &str,
        node: usize,
        line: Option<usize>,
    ) -> Result<(), Fault> {
        let node = Some(node);
        let (source, sink) =
            (node.filter(|_| self.role != "sink"), node.filter(|_| self.role != "source"));
        (0..self.count).try_for_each(|number| {
            match self.count {
                1 => builder.terminal(name, source, sink),
                _ => builder.terminal(&format!("{name}_{number}"), source, sink),
            }?;
            let Some(first) = self.address else { return Ok(()) };
            let address = u64::from(first) + u64::from(number);
            builder.address(Fault::address(&address.to_string(), "")?, line)
        })
    }
}

/// The terminals of each node, for a format that says them by [`Role`].
///
/// # Errors
/// [`Fault::Syntax`] for terminals of unlike roles at a node, those that receive elsewhere than
/// where they send, those in another order than their nodes, and addresses at a node that do not
/// follow each other.
pub(super) fn roles(description: &Description, format: &str) -> Result<Vec<Role>, Fault> {
    let cannot = |what: &str| Fault::Syntax(format!("{format} cannot say {what}"));
    let none = Role { role: "terminal", count: 0, address: None };
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
        let Role { count, address, .. } = roles[node];
        let first = if count == 0 { terminal.address } else { address };
        if terminal.address != first.map(|first| first + count) {
            return Err(cannot("addresses at a node that do not follow each other"));
        }
        roles[node] = Role { role, count: count + 1, address: first };
    }
    Ok(roles)
}
