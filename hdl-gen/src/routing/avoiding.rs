//! Routes around failed nodes: a pair keeps its route where no failed node is on it, and takes
//! a shortest path of what is left otherwise. No formula knows which: routes are looked up at
//! the source ([`super::source`]).

use super::source::SourceRouted;
use super::walk::walk;
use super::{Output, Relation, RoutingError};
use crate::topology::failed::Failed;
use crate::topology::paths::Paths;
use crate::topology::{Port, Topology};

/// `relation`, which routes the intact network, on what is left of it.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`SourceRouted::new`].
pub fn avoiding(left: &Failed, relation: &dyn Relation) -> Result<SourceRouted, RoutingError> {
    let intact = left.intact().expect("a network with failed nodes was intact before");
    let mut paths = Paths::new(left);
    let found = SourceRouted::new(left, relation.name(), |source, destination| {
        let mut kept: Vec<Port> = Vec::new();
        let mut alive = true;
        let walked = walk(intact, relation, source, destination, |step| {
            if let Output::Network(port) = step.hop.output {
                alive &= left.channel(step.node, port).is_some();
                kept.push(port);
            }
        });
        if walked.is_ok() && alive {
            return Ok(kept);
        }
        let path = paths.from(source).first(destination);
        path.ok_or_else(|| RoutingError::disconnected(left, source, destination))
    })?;
    Ok(found.drawn_from(relation.route_seed()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Network, Wanted};
    use crate::routing::walk::route;
    use crate::topology::Node;

    /// Only routes that met the failed node change, and by two channels at most.
    #[test]
    fn routes_change_where_they_must() {
        let left = Network::wanted(&Wanted {
            topology: "hypercube",
            dimension: 4,
            routing: Some("ecube"),
            failed: &["0101".to_owned()],
            ..Wanted::default()
        });
        let left = left.unwrap();
        let intact = Network::new("hypercube", 4, Some("ecube"), None).unwrap();
        let ports = |network: &Network, from, to| -> (Vec<Output>, bool) {
            let steps = route(network.topology(), network.relation(), from, to).unwrap();
            let meets = steps.iter().any(|step| step.node == Node(5));
            (steps.iter().map(|step| step.hop.output).collect(), meets)
        };
        let (mut same, mut longer) = (0, 0);
        for from in left.topology().terminal_nodes() {
            for to in left.topology().terminal_nodes() {
                let (before, met) = ports(&intact, from, to);
                let (after, meets) = ports(&left, from, to);
                assert!(!meets);
                if met {
                    longer += u32::from(after.len() > before.len());
                    assert!(after.len() <= before.len() + 2);
                } else {
                    assert_eq!(before, after);
                    same += 1;
                }
            }
        }
        assert!(left.certificate().is_some());
        // Of two paths of length 2 one is left; no distance grows in a cube of dimension 4.
        assert_eq!((same, longer), (15 * 15 - 17, 0));
    }
}
