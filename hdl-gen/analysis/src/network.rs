//! A routed network: topology, relation with the virtual channels that it needs, turns, and
//! the verdict on deadlock. Where every command begins.

use crate::certificate;
use crate::deadlock::{self, Certificate, Cycle, DeadlockVerdict};
pub use crate::error::NetworkError;
use crate::rows::ByRows;
use crate::symmetry::Symmetry;
use crate::turns::Turns;
pub use crate::wanted::{Wanted, Which};
use std::sync::{Arc, OnceLock};
use turnpike_network::description::Description;
use turnpike_network::routing::dateline::dateline;
use turnpike_network::routing::given::Given;
use turnpike_network::routing::invariant::invariant;
use turnpike_network::routing::walk::Step;
use turnpike_network::routing::{MAX_VCS, Relation, RoutingError, drawn_routes};
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Size, Terminal, Topology};

mod by_rows;
mod several_vcs;
mod steps;
mod to_run;

use steps::Kept;

/// Switches times destinations at most, where no node stands for another: all routes are walked.
const MOST_STATES: u64 = 1 << 28;
/// Nodes of a network at most where packets choose and no node stands for another: the states of packets on their
/// way are gone through from every node.
const MOST_CHOOSING: u32 = 1 << 10;

/// A topology and a relation, analysed.
#[derive(Debug)]
pub struct Network {
    topology: Arc<dyn Topology>,
    relation: Relation,
    symmetry: Symmetry,
    /// Analysis of the rows, where routes go row by row.
    by_rows: Option<ByRows>,
    /// Whether it is to be run alone, and nothing was checked.
    is_unchecked: bool,
    /// The channels that end at the sites; where the routes of rows alone were walked, at the first
    /// node of each class.
    entering: Entering,
    /// The channels that end anywhere, where they were asked for.
    all_entering: OnceLock<Entering>,
    turns: Turns,
    verdict: DeadlockVerdict,
    /// The cycle that one virtual channel would leave, where more are in use.
    single_vc_cycle: Option<Cycle>,
    routes_checked: u64,
    /// Every step, once asked for; `None` where they are too many to keep.
    steps: OnceLock<Option<Vec<Step>>>,
    /// Channels on the longest route, once asked for.
    longest_route: OnceLock<u32>,
    /// The file's relation, where it comes from one.
    given: Option<Given>,
    /// The file's topology, where it comes from one.
    description: Option<Description>,
}

/// Result of an analysis.
struct Found {
    entering: Entering,
    turns: Turns,
    verdict: DeadlockVerdict,
}

impl Network {
    /// Builds and analyses a network: the topology and relation by name (the topology's
    /// default where `routing` is `None`), with `vcs` virtual channels, as far as they go into its resource
    /// classes, or as many as it takes against deadlock.
    ///
    /// # Errors
    /// [`NetworkError`]. A cycle that remains is not an error: see [`Network::verdict`].
    pub fn new(
        topology: &str,
        size: impl Into<Size>,
        routing: Option<&str>,
        vcs: Option<u8>,
    ) -> Result<Self, NetworkError> {
        Self::wanted(&Wanted { routing, vcs, ..Wanted::new(topology, size) })
    }

    /// Network with all that may be said of it.
    ///
    /// # Errors
    /// As [`Network::new`]; a seed that means nothing, a failed node's label of no node, two
    /// terminals without a path.
    pub fn wanted(wanted: &Wanted) -> Result<Self, NetworkError> {
        let (topology, relation) = wanted.build()?;
        let network = match wanted.is_run_alone() {
            true => Self::to_run(topology, relation, wanted.vcs)?,
            false => Self::of(topology, relation, wanted.vcs)?,
        };
        let network = network.with_several_vcs(wanted)?;
        let (given, description) = (wanted.given.cloned(), wanted.topology.description().cloned());
        Ok(Self { given, description, ..network })
    }

    /// The network of a relation that a user gives, with at most `vcs` virtual channels.
    ///
    /// # Errors
    /// As [`Network::new`];
    /// [`GivenError`](turnpike_network::routing::given::GivenError) where it is not complete or
    /// does not deliver.
    pub fn given(given: &Given, vcs: Option<u8>) -> Result<Self, NetworkError> {
        Self::wanted(&Wanted { vcs, ..Wanted::given(given) })
    }

    /// The network of a given topology and a given relation. Where some nodes stand for
    /// others, the relation is from then on asked at those alone ([`invariant`]).
    ///
    /// # Errors
    /// As [`Network::new`].
    pub fn of(
        topology: Box<dyn Topology>,
        relation: Relation,
        vcs: Option<u8>,
    ) -> Result<Self, NetworkError> {
        check_vcs(&relation, vcs)?;
        if let Some(rows) = relation.rows().cloned() {
            return Self::row_by_row(topology, relation, &rows, vcs);
        }
        Self::analysed(topology, relation, vcs)?.checked(vcs)
    }

    /// The network of what was found of it, and nothing else known.
    fn found(
        topology: Arc<dyn Topology>,
        relation: Relation,
        symmetry: Symmetry,
        Found { entering, turns, verdict }: Found,
    ) -> Self {
        Self {
            topology,
            relation,
            symmetry,
            by_rows: None,
            is_unchecked: false,
            entering,
            all_entering: OnceLock::new(),
            turns,
            verdict,
            single_vc_cycle: None,
            routes_checked: 0,
            steps: OnceLock::new(),
            longest_route: OnceLock::new(),
            given: None,
            description: None,
        }
    }

    /// The network, where it takes no more virtual channels.
    fn within(self, vcs: Option<u8>) -> Result<Self, NetworkError> {
        let needed = self.relation.vcs();
        match vcs.filter(|&most| needed > most) {
            None => Ok(self),
            Some(most) => {
                let routing = self.relation.name().to_owned();
                Err(NetworkError::MoreVcs { routing, needed, most })
            }
        }
    }

    /// The network, before an independent checker looked at its certificate.
    pub(crate) fn analysed(
        topology: Box<dyn Topology>,
        relation: Relation,
        vcs: Option<u8>,
    ) -> Result<Self, NetworkError> {
        let (topology, symmetry) = Symmetry::most_of(topology, &relation)?;
        let (nodes, terminals) = (topology.nodes(), topology.terminals());
        let states = u64::from(nodes) * u64::from(terminals);
        if !symmetry.is_by_translation() && states > MOST_STATES {
            return Err(NetworkError::Large { nodes, terminals });
        }
        if !symmetry.is_by_translation() && relation.choices().is_some() && nodes > MOST_CHOOSING {
            return Err(NetworkError::LargeChoosing { nodes, most: MOST_CHOOSING });
        }
        if relation.is_randomised() {
            let (routes, most) = drawn_routes(&*topology, &relation, symmetry.is_by_translation());
            if routes > most {
                return Err(NetworkError::LargeDrawn { terminals, routes, most });
            }
        }
        let topology: Arc<dyn Topology> = Arc::from(topology);
        let relation = match symmetry.is_by_translation() {
            true => invariant(relation, Arc::clone(&topology)),
            false => relation,
        };
        let mut steps = Kept::default();
        // Where nodes stand for others routes are few, and walked as fast as read.
        let keeps = !symmetry.is_by_translation();
        let keep = |step: &Step| {
            if keeps {
                steps.keep(step)
            }
        };
        let (turns, longest) = Turns::walk(&*topology, &relation, &symmetry, keep)?;
        let entering = Entering::at(&*topology, symmetry.sites());
        let numbered = |vc| relation.is_numbered(vc);
        let verdict = deadlock::decide(&*topology, &entering, &turns, &symmetry, numbered);
        let mut network = Self {
            steps: if keeps { OnceLock::from(steps.whole()) } else { OnceLock::new() },
            longest_route: longest.map_or(OnceLock::new(), OnceLock::from),
            ..Self::found(topology, relation, symmetry, Found { entering, turns, verdict })
        };
        if let DeadlockVerdict::Cyclic(cycle) = &network.verdict
            && vcs != Some(1)
            // A dateline is for packets without a choice, and knows nothing of phases.
            && (network.relation.choices().is_none() || network.relation.has_escape())
            && !network.relation.is_randomised()
        {
            network.single_vc_cycle = Some(cycle.clone());
            network = network.with_dateline()?;
        }
        Ok(network)
    }

    /// The network, where it takes no more virtual channels and its certificate holds.
    fn checked(self, vcs: Option<u8>) -> Result<Self, NetworkError> {
        let mut network = self.within(vcs)?;
        if let DeadlockVerdict::Free(proof) = &network.verdict {
            network.routes_checked =
                certificate::check(&*network.topology, &network.relation, proof)?;
        }
        Ok(network)
    }

    fn with_dateline(mut self) -> Result<Self, NetworkError> {
        let trial = dateline(self.relation, &*self.topology);
        self.turns = Turns::enumerate(&*self.topology, &trial, &self.symmetry)?;
        // Those of the trial are on other virtual channels.
        self.steps = OnceLock::new();
        if self.turns.vcs() > MAX_VCS {
            let vcs = self.turns.vcs().into();
            let error = RoutingError::too_many_vcs(&*self.topology, trial.name(), vcs, MAX_VCS);
            return Err(error.into());
        }
        self.relation = trial.with_vcs(self.turns.vcs());
        let (topology, entering) = (&*self.topology, &self.entering);
        let numbered = |vc| self.relation.is_numbered(vc);
        self.verdict = deadlock::decide(topology, entering, &self.turns, &self.symmetry, numbered);
        Ok(self)
    }

    pub fn topology(&self) -> &dyn Topology {
        &*self.topology
    }
    /// The relation, with its virtual channels.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }
    /// Orbits of the nodes under translations.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
    /// The channels that end at the sites of [`Network::symmetry`], or where the routes of
    /// rows alone were walked ([`Network::is_by_row`]) at the first node of each class of switches.
    pub fn entering(&self) -> &Entering {
        &self.entering
    }
    /// The channels that end at any node: memory for each of them.
    pub fn all_entering(&self) -> &Entering {
        match self.symmetry.is_by_translation() || self.is_by_row() {
            true => self.all_entering.get_or_init(|| Entering::of(&*self.topology)),
            false => &self.entering,
        }
    }
    /// The terminals whose routes stand for all routes.
    pub fn sources(&self) -> Vec<Terminal> {
        self.symmetry.sources(&*self.topology)
    }
    /// The turns in use.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }
    /// Deadlock-free or not.
    pub fn verdict(&self) -> &DeadlockVerdict {
        &self.verdict
    }
    /// The certificate, where the network is deadlock-free.
    pub fn certificate(&self) -> Option<&Certificate> {
        match &self.verdict {
            DeadlockVerdict::Free(certificate) => Some(certificate),
            DeadlockVerdict::Cyclic(_) => None,
        }
    }
    /// The cycle that the network has with one virtual channel, if it has one.
    pub fn single_vc_cycle(&self) -> Option<&Cycle> {
        match &self.verdict {
            DeadlockVerdict::Cyclic(cycle) => Some(cycle),
            DeadlockVerdict::Free(_) => self.single_vc_cycle.as_ref(),
        }
    }
    /// Description of the topology, where it comes from a user's file.
    pub fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }
    /// Relation as a user's file gives it, where it comes from one.
    pub fn given_relation(&self) -> Option<&Given> {
        self.given.as_ref()
    }
    /// Number of routes that the independent checker walked.
    pub fn routes_checked(&self) -> u64 {
        self.routes_checked
    }
}

/// Whether a bound on the virtual channels is one.
fn check_vcs(relation: &Relation, vcs: Option<u8>) -> Result<(), NetworkError> {
    if let Some(n) = vcs.filter(|n| !(1..=MAX_VCS).contains(n)) {
        return Err(NetworkError::Vcs(n));
    }
    match vcs == Some(1) && relation.has_escape() {
        true => Err(NetworkError::OneVc(relation.name().to_owned())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::routing::twisted::Twisted;
    use turnpike_network::routing::walk::route;
    use turnpike_network::routing::{Hop, Output, Vc};
    use turnpike_network::topology::Shape;

    fn network(routing: &str, k: u32, vcs: Option<u8>) -> Network {
        Network::new("hypercube", k, Some(routing), vcs).unwrap()
    }

    #[test]
    fn as_few_virtual_channels_as_suffice() {
        for k in 1..=12 {
            assert_eq!(network("ecube", k, None).relation().vcs(), 1);
            let rotation = network("rotation", k, None);
            assert_eq!(rotation.relation().vcs(), if k < 3 { 1 } else { 2 }, "k={k}");
            assert!(rotation.certificate().is_some());
            assert_eq!(rotation.single_vc_cycle().is_some(), k >= 3);
        }
        assert_eq!(network("thacker", 4, None).relation().vcs(), 2);
    }

    /// Virtual channels by direction or by negative hops leave no cycle, and without them there is one; on cubes
    /// one switch of each colour stands for all.
    #[test]
    fn drawn_hops_are_free_of_deadlock_on_few_virtual_channels() {
        let shape = |text: &str| Size::from(text.parse::<Shape>().unwrap());
        let cubes = [(2, 2), (3, 2), (4, 3), (5, 3), (6, 4)].map(|(k, vcs)| (Size::of_dim(k), vcs));
        let meshes =
            [("4x4", 2), ("2x2x2", 2), ("3x2x2", 3), ("3x3x2", 3), ("5x2x2", 4), ("2x2x2x2", 3)];
        let meshes = meshes.map(|(text, vcs)| (shape(text), vcs));
        for (name, size, vcs) in cubes
            .map(|(size, vcs)| ("hypercube", size, vcs))
            .into_iter()
            .chain(meshes.map(|(size, vcs)| ("mesh", size, vcs)))
        {
            let network = Network::new(name, size, Some("random-hop"), None).unwrap();
            assert!(network.certificate().is_some(), "{name} {size}");
            assert_eq!(
                (network.relation().vcs(), network.turns().vcs()),
                (vcs, vcs),
                "{name} {size}"
            );
            let sites = network.symmetry().sites().len() as u32;
            let nodes = network.topology().nodes();
            assert_eq!(sites, if name == "hypercube" { 2 } else { nodes }, "{name} {size}");
            let (topology, relation) =
                Wanted { routing: Some("random-hop"), ..Wanted::new(name, size) }.build().unwrap();
            let mut relation = Twisted::new(relation);
            relation.hop = |_, _, _, _, hop| Hop { vc: Vc(0), ..hop };
            let network = Network::of(topology, relation.relation(), None).unwrap();
            assert!(network.certificate().is_none(), "{name} {size}");
        }
    }

    /// All routes of all pairs are walked where they are not too many; the relations themselves have no
    /// such bound.
    #[test]
    fn too_many_draws_are_refused() {
        for (routing, k) in [("two-phase", 12), ("romm", 14)] {
            let error = Network::new("hypercube", k, Some(routing), None).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("too many routes"), "{routing}: {error}");
            let wanted = Wanted { routing: Some(routing), ..Wanted::new("hypercube", 20) };
            assert_eq!(wanted.build().unwrap().1.draw_count(), 1 << 20);
        }
    }

    /// Fewer virtual channels than a dateline or routes by table take are refused.
    #[test]
    fn more_virtual_channels_than_asked_for_are_refused() {
        let vcs = |topology, k, routing, vcs| {
            Network::new(topology, k, Some(routing), Some(vcs)).map(|n| n.relation().vcs())
        };
        for (topology, k, routing) in [("ccc", 3, "shortest"), ("hypercube", 5, "random-static")] {
            assert_eq!(vcs(topology, k, routing, 3).unwrap(), 3);
            let error = vcs(topology, k, routing, 2).unwrap_err().to_string();
            assert!(error.contains("takes 3 virtual channels here, more than 2"), "{error}");
        }
        assert_eq!(vcs("hypercube", 3, "rotation", 2).unwrap(), 2);
        assert!(matches!(
            vcs("ccc", 3, "shortest", 1),
            Err(NetworkError::MoreVcs { needed: 3, most: 1, .. })
        ));
    }

    /// Every channel of the cycle is held by a route that then asks for the next channel.
    #[test]
    fn the_cycle_is_made_by_its_routes() {
        for (routing, k) in [("rotation", 3), ("rotation", 4), ("rotation", 7), ("thacker", 4)] {
            let network = network(routing, k, Some(1));
            assert!(network.certificate().is_none());
            let cycle = network.single_vc_cycle().unwrap();
            let n = cycle.channels.len();
            for (i, channel) in cycle.channels.iter().enumerate() {
                let next = &cycle.channels[(i + 1) % n];
                let (top, rel) = (network.topology(), network.relation());
                let steps =
                    route(top, rel, channel.source, channel.destination, channel.draw).unwrap();
                assert!(
                    steps.windows(2).any(|pair| {
                        pair[0].node == channel.from
                            && pair[0].hop.output == Output::Network(channel.output)
                            && pair[1].node == next.from
                            && pair[1].hop.output == Output::Network(next.output)
                            && !pair[1].input.is_inject()
                    }),
                    "{routing} k={k}: {channel:?} -> {next:?}"
                );
            }
        }
    }
}
