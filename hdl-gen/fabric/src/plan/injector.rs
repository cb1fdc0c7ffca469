//! The plan of the terminals' side: how the headers of new packets are made.

use super::{PlanError, SwitchPlan};
use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::routing::{Injection, Input};
use turnpike_network::topology::Terminal;

/// A class of identical injectors: one Verilog module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InjectorPlan {
    /// Module name.
    pub name: String,
    /// Rule by which the injector makes headers.
    pub injection: Injection,
    /// Header bits that it gives the injection queue, ascending: those that some switch needs.
    pub header: Vec<u32>,
}

/// The injectors of a network, and which one each terminal has that stands for others
/// ([`Network::sources`]).
///
/// None where the routes of rows alone were walked ([`Network::is_by_row`]): there may be no tables for that many
/// sources, and no RTL.
///
/// # Errors
/// [`PlanError::Header`] where an injector and the relation disagree.
pub(super) fn plan_injectors(
    network: &Network,
    switches: &[SwitchPlan],
    fabric: &str,
) -> Result<(Vec<InjectorPlan>, BTreeMap<Terminal, usize>), PlanError> {
    let (topology, relation) = (network.topology(), network.relation());
    if network.is_by_row() {
        return Ok((Vec::new(), BTreeMap::new()));
    }
    let mut injections: Vec<(Injection, Vec<u32>)> = Vec::new();
    let mut of_source = BTreeMap::new();
    for source in network.sources() {
        let Some((node, inject)) = Input::of(topology, source) else { continue };
        let injection = relation.injection(source);
        for (destination, draw) in relation.with_each_draw(topology.sinks()) {
            let (hardware, wanted) = (
                injection.header(source, destination, draw),
                relation.inject(source, destination, draw),
            );
            if hardware != wanted {
                let label = |terminal| topology.terminal_label(terminal);
                return Err(PlanError::Header {
                    relation: relation.name().to_owned(),
                    from: label(source),
                    to: label(destination),
                    hardware,
                    wanted,
                });
            }
        }
        let mut inputs = switches[network.turns().class_of(node)].inputs.iter();
        let inject = inputs.find(|input| input.input == inject);
        let kind = (injection, inject.map_or(Vec::new(), |input| input.header.clone()));
        let known = injections.iter().position(|i| *i == kind).unwrap_or_else(|| {
            injections.push(kind);
            injections.len() - 1
        });
        of_source.insert(source, known);
    }
    let several = injections.len() > 1;
    let named = |(i, (injection, header))| {
        let suffix = if several { format!("_{i}") } else { String::new() };
        InjectorPlan { name: format!("{fabric}_injector{suffix}"), injection, header }
    };
    Ok((injections.into_iter().enumerate().map(named).collect(), of_source))
}
