//! The plan of the terminals' side: how the headers of new packets are made.

use super::PlanError;
use crate::network::Network;
use crate::routing::Injection;
use crate::topology::Node;

/// A class of identical injectors: one Verilog module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InjectorPlan {
    /// Module name.
    pub name: String,
    /// How it makes headers.
    pub injection: Injection,
}

/// The injectors of a network, and which one each site has ([`crate::symmetry::Symmetry`]);
/// `None` where it has no terminal.
///
/// # Errors
/// [`PlanError::Header`] where an injector and the relation disagree.
pub(super) fn plan_injectors(
    network: &Network,
    fabric: &str,
) -> Result<(Vec<InjectorPlan>, Vec<Option<usize>>), PlanError> {
    let (topology, relation) = (network.topology(), network.relation());
    let mut injections: Vec<Injection> = Vec::new();
    let mut of_site = vec![None; network.symmetry().sites().len()];
    for source in network.sources() {
        let injection = relation.injection(source);
        for destination in topology.terminal_nodes() {
            let (hardware, wanted) =
                (injection.header(source, destination), relation.inject(source, destination));
            if hardware != wanted {
                let label = |node: Node| topology.label(node);
                return Err(PlanError::Header {
                    relation: relation.name(),
                    from: label(source),
                    to: label(destination),
                    hardware,
                    wanted,
                });
            }
        }
        let known = injections.iter().position(|i| *i == injection).unwrap_or_else(|| {
            injections.push(injection);
            injections.len() - 1
        });
        of_site[network.symmetry().index(topology, source)] = Some(known);
    }
    let several = injections.len() > 1;
    let named = |(i, injection)| {
        let suffix = if several { format!("_{i}") } else { String::new() };
        InjectorPlan { name: format!("{fabric}_injector{suffix}"), injection }
    };
    Ok((injections.into_iter().enumerate().map(named).collect(), of_site))
}
