//! Networks for flows of message classes: a relation for each class, on virtual channels of its own or in a
//! network of its own.

use super::{Routed, Wanted, for_flows, left};
use crate::error::NetworkError;
use crate::network::Network;
use crate::shared;
use turnpike_network::description::MOST_PORTS;
use turnpike_network::flows::{Flows, MessageClass};
use turnpike_network::routing::MAX_VCS;
use turnpike_network::routing::by_class::by_class;
use turnpike_network::topology::{Local, Topology};

impl Wanted<'_> {
    /// The network with streams for each message class, and for each a relation over its own flows, on
    /// virtual channels of its own.
    pub(super) fn by_class(&self, failed: &[String], flows: Flows) -> Result<Routed, NetworkError> {
        let whole = self.whole()?;
        let sharing = if flows.are_separate() { 1 } else { flows.classes().len() };
        streams_fit(&*whole, sharing)?;
        let names = flows.classes().iter().map(|class| class.name.as_str());
        // Of networks that stand side by side a node may fail in one, or in all.
        let everywhere = |label: &&String| !flows.are_separate() || whole.node(label).is_ok();
        let of_class = |class: usize| {
            let suffix = format!("_{}", flows.classes()[class].name);
            let own = |label: &String| match everywhere(&label) {
                true => Some(label.clone()),
                false => label.strip_suffix(&suffix).map(str::to_owned),
            };
            let failed: Vec<String> = failed.iter().filter_map(own).collect();
            let (topology, relation) = self.routed(&failed, Some(flows.of_class(class)))?;
            // The certificate is checked over all classes.
            Network::analysed(topology, relation, None)
        };
        let networks = (0..flows.classes().len()).map(of_class);
        let networks = networks.collect::<Result<Vec<Network>, NetworkError>>()?;
        let each = |label: &String| match flows.are_separate() && everywhere(&label) {
            true => names.clone().map(|name| format!("{label}_{name}")).collect(),
            false => vec![label.clone()],
        };
        let failed: Vec<String> = failed.iter().flat_map(each).collect();
        if !flows.are_separate() {
            self.classes_fit(&*whole, flows.classes(), &networks)?;
        }
        let relations = networks.iter().map(|network| network.relation().clone()).collect();
        let topology = left(for_flows(whole, Some(flows)), &failed)?;
        let relation = by_class(&*topology, relations)?;
        Ok((topology, relation))
    }

    /// Refuses classes that would have to share virtual channels and then wait for each other in a
    /// circle.
    fn classes_fit(
        &self,
        whole: &dyn Topology,
        classes: &[MessageClass],
        networks: &[Network],
    ) -> Result<(), NetworkError> {
        let most = self.vcs.unwrap_or(MAX_VCS);
        let vcs = || networks.iter().map(|network| network.relation().vcs());
        let needed = vcs().map(u32::from).sum();
        if needed <= most.into() || vcs().any(|vcs| vcs > most) {
            return Ok(());
        }
        let networks: Vec<&Network> = networks.iter().collect();
        let Some(circle) = shared::circle(classes, &networks, false) else { return Ok(()) };
        let circle = shared::in_words(whole, classes, &circle);
        Err(NetworkError::ClassesShare { needed, most, circle })
    }
}

/// Whether each switch has few enough streams, where each of its terminals has one for each class.
fn streams_fit(topology: &dyn Topology, classes: usize) -> Result<(), NetworkError> {
    let ends = topology.all_terminals();
    let ends = ends.flat_map(|end| [topology.source(end), topology.sink(end)]).flatten();
    match ends.max_by_key(|&(_, Local(local))| local) {
        Some((node, Local(last))) if (usize::from(last) + 1) * classes > MOST_PORTS => {
            let (node, terminals) = (topology.label(node), usize::from(last) + 1);
            Err(NetworkError::ManyStreams { node, terminals, classes })
        }
        _ => Ok(()),
    }
}
