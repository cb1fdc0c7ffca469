//! The plan of the terminals' side: how the headers of new packets are made.

use super::{FabricPlan, PlanError, SwitchPlan, of_class};
use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::routing::{Draw, Drawn, Injection, Input};
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
    /// Addresses of the terminals that packets of its sources go to, ascending, where the network is for
    /// flows; of all that take packets where `None`.
    pub destinations: Option<Vec<Terminal>>,
}

impl FabricPlan {
    /// Addresses that packets from this class of injectors may have, ascending.
    pub fn destinations<'a>(
        &'a self,
        class: &'a InjectorPlan,
    ) -> Box<dyn Iterator<Item = Terminal> + 'a> {
        match &class.destinations {
            None => self.topology().sinks(),
            Some(destinations) => Box::new(destinations.iter().copied()),
        }
    }

    /// Whether there are addresses to which packets from this class of injectors do not go: those are
    /// refused.
    pub fn refuses(&self, class: &InjectorPlan) -> bool {
        (self.destinations(class).count() as u64) < 1 << self.topology().address_bits()
    }

    /// Whether packets to some address are refused at some source.
    pub fn refuses_any(&self) -> bool {
        match self.topology().flows() {
            None => (self.topology().sinks().count() as u64) < 1 << self.topology().address_bits(),
            Some(_) => self.injectors.iter().any(|class| self.refuses(class)),
        }
    }
}

/// The injectors of a network, and which one each terminal has that stands for others
/// ([`Network::sources`]).
///
/// None where the routes of rows alone were walked ([`Network::is_by_row`]): there may be no tables for that many
/// sources, and no RTL. Of a network that is to be run alone ([`Network::is_unchecked`]) they are taken at their
/// word.
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
    let mut injections: Vec<InjectorPlan> = Vec::new();
    let mut of_source = BTreeMap::new();
    for source in network.sources() {
        let Some((node, inject)) = Input::of(topology, source) else { continue };
        let injection = relation.injection(source);
        // Of a terminal that is drawn by rule alike draws make one header by construction; tables have a row for each.
        let by_rule = matches!(injection.drawn, Some(Drawn::Between { .. }));
        let draws = |destination| -> Box<dyn Iterator<Item = Draw>> {
            match by_rule {
                true => Box::new(relation.unlike_draws(source, destination).map(|(draw, _)| draw)),
                false => Box::new(relation.draws()),
            }
        };
        let each = |destination| draws(destination).map(move |draw| (destination, draw));
        let checked = (!network.is_unchecked()).then(|| topology.destinations(source));
        for (destination, draw) in checked.into_iter().flatten().flat_map(each) {
            let (hardware, wanted) = (
                injection.header(topology.address(source), topology.address(destination), draw),
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
        let header = inject.map_or(Vec::new(), |input| input.header.clone());
        let destinations = topology
            .flows()
            .map(|_| topology.destinations(source).map(|to| topology.address(to)).collect());
        let kind = InjectorPlan { name: String::new(), injection, header, destinations };
        let known = injections.iter().position(|i| *i == kind).unwrap_or_else(|| {
            injections.push(kind);
            injections.len() - 1
        });
        of_source.insert(source, known);
    }
    let classes = injections.len();
    for (i, class) in injections.iter_mut().enumerate() {
        class.name = of_class(fabric, "injector", i, classes);
    }
    Ok((injections, of_source))
}
