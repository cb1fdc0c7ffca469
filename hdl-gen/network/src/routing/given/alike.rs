//! Symmetry of a given relation on a hypercube: the nodes that a translation which keeps the
//! relation takes to each other.

use super::{Given, Hops, check_by_difference};
use crate::topology::Port;
use std::collections::BTreeMap;

/// The nodes of a hypercube, by what their next hops are for each XOR of node and destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alike {
    /// The next hops of each kind of node, by XOR from 1; `None` where none is given.
    pub(super) kinds: Vec<Vec<Option<Port>>>,
    /// The kind of each node: nodes are numbered by their addresses, kinds by their first nodes.
    pub(super) kind_of: Vec<usize>,
}

impl Alike {
    /// Symmetry of a relation that [`Given::check`] passed, where a translation keeps it. `None`
    /// where none does, where nodes failed, and on other topologies.
    pub(super) fn of(given: &Given) -> Option<Self> {
        let network = given.network().ok()?;
        check_by_difference(&*network, &network.failed_nodes()).ok()?;
        let nodes = network.nodes();
        let hops = match &given.hops {
            Hops::ByDifference(hops) => {
                let hop = |difference: u32| hops.get(&difference.into()).copied();
                let kinds = vec![(1..nodes).map(hop).collect()];
                return Some(Self { kinds, kind_of: vec![0; nodes as usize] });
            }
            Hops::ByPair(hops) => hops,
            Hops::ByRoute(_) => return None,
        };
        let mut rows = vec![vec![None; nodes as usize - 1]; nodes as usize];
        for (&(node, destination), &port) in hops {
            rows[node.0 as usize][(node.0 ^ destination.0) as usize - 1] = Some(port);
        }
        let mut numbers = BTreeMap::new();
        let row_of: Vec<usize> = rows
            .iter()
            .map(|row| {
                let next = numbers.len();
                *numbers.entry(row).or_insert(next)
            })
            .collect();
        let node = |node: u32| row_of[node as usize];
        let keeps = |by: &u32| (0..nodes).all(|at| node(at) == node(at ^ by));
        let kept: Vec<u32> = (0..nodes).filter(|&by| node(by) == node(0)).filter(keeps).collect();
        if kept.len() == 1 {
            return None;
        }
        // The translations that keep a relation are a group: its cosets are the kinds.
        let mut kind_of = vec![usize::MAX; nodes as usize];
        let mut kinds = Vec::new();
        for at in 0..nodes {
            if kind_of[at as usize] == usize::MAX {
                kept.iter().for_each(|by| kind_of[(at ^ by) as usize] = kinds.len());
                kinds.push(rows[at as usize].clone());
            }
        }
        Some(Self { kinds, kind_of })
    }
}
