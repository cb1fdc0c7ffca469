//! A fabric's configuration in its canonical form: what its name, its files and its digest begin with.

use super::counters::MOST_WATCHDOG;
use super::{
    ENDS_FILE, FLOWS_FILE, FabricPlan, MuxStyle, PLACES_FILE, Pipeline, PortStyle, QueueStyle,
    ResetStyle, TerminalWishes,
};
use turnpike_network::flows::Flows;
use turnpike_network::routing::DEFAULT_SEED;
use turnpike_network::routing::several_vcs::VcAllocation;

impl FabricPlan {
    /// The configuration in its canonical form: the words after `turnpike generate` that make
    /// this fabric, without paths and output options. A given relation is named by its file in
    /// the fabric's folder.
    pub fn canonical(&self) -> String {
        self.configuration.clone()
    }

    /// Canonical form of the configuration, worked out.
    pub(super) fn words(&self) -> String {
        let (relation, p) = (self.network.relation(), &self.parameters);
        let mut words = self.canonical_routes();
        if self.network.certificate().is_none() {
            words += &format!(" --vcs {} --allow-deadlock", relation.vcs());
        }
        if let Some(allocation) = relation.vc_allocation() {
            words += &format!(" --vcs {}", relation.vcs());
            if allocation != VcAllocation::default() {
                words += &format!(" --vc-allocation {allocation}");
            }
        }
        if self.ends().is_none() {
            words += &format!(" --width {}", p.width);
        }
        words += &format!(" --depth {}", p.depth);
        if p.source_id {
            words += " --source-id";
        }
        if p.user_width > 0 {
            words += &format!(" --user-width {}", p.user_width);
        }
        if p.keep {
            words += " --keep";
        }
        if p.pipeline != Pipeline::default() {
            words += &format!(" --pipeline {}", p.pipeline);
        }
        if p.link_registers > 0 {
            words += &format!(" --link-registers {}", p.link_registers);
        }
        if p.queue != QueueStyle::default() {
            words += &format!(" --queue {}", p.queue);
        }
        if p.mux != MuxStyle::default() {
            words += &format!(" --mux {}", p.mux);
        }
        let wishes = self.terminal_wishes();
        for width in &wishes.widths {
            words += &format!(" --terminal-width {width}");
        }
        for clock in &wishes.clocks {
            words += &format!(" --terminal-clock {clock}");
        }
        for address in &wishes.addresses {
            words += &format!(" --terminal-address {address}");
        }
        if wishes.sync_stages != TerminalWishes::SYNC_STAGES && !wishes.clocks.is_empty() {
            words += &format!(" --sync-stages {}", wishes.sync_stages);
        }
        if let Some(watchdog) = wishes.counters {
            words += " --counters";
            if watchdog != MOST_WATCHDOG {
                words += &format!(" --watchdog {watchdog}");
            }
        }
        if let Some(room) = wishes.shaper {
            words += " --shaper";
            if room > 0 {
                words += &format!(" --shaper-room {room}");
            }
        }
        if p.ports != PortStyle::default() && self.ends().is_none() {
            words += &format!(" --ports {}", p.ports);
        }
        if p.reset != ResetStyle::default() {
            words += &format!(" --reset {}", p.reset);
        }
        words + &format!(" --name {}", self.name)
    }

    /// The words of [`FabricPlan::canonical`] that say network and relation, and the terminals, flows and
    /// failed nodes that they are for.
    pub fn canonical_routes(&self) -> String {
        let (topology, relation) = (self.topology(), self.network.relation());
        let mut words = self.canonical_network();
        if let Some(seed) = relation.route_seed() {
            words += &format!(" --route-seed {seed}");
        }
        if relation.is_randomised() && self.parameters.draw_seed != DEFAULT_SEED {
            words += &format!(" --draw-seed {}", self.parameters.draw_seed);
        }
        if topology.places().is_some() {
            words += &format!(" --places {PLACES_FILE}");
        }
        if self.ends().is_some() {
            words += &format!(" --ends {ENDS_FILE}");
        } else if topology.flows().is_some() {
            words += &format!(" --flows {FLOWS_FILE}");
        }
        if topology.flows().is_some_and(Flows::are_separate) {
            words += " --classes separate";
        }
        for node in topology.failed_nodes() {
            words += &format!(" --failed {}", topology.label(node));
        }
        words
    }

    /// The words of [`FabricPlan::canonical`] that say which topology and which relation.
    pub fn canonical_network(&self) -> String {
        let (topology, relation) = (self.topology(), self.network.relation());
        let routing = match self.network.given_relation() {
            Some(given) => given.file_name(),
            None => relation.name().to_owned(),
        };
        let network = match self.network.description() {
            Some(description) => description.file_name(),
            None => format!("{} {}", topology.name(), topology.size()),
        };
        let network = match topology.concentration() {
            1 => network,
            several => format!("{network} --concentration {several}"),
        };
        let mut words = format!("{network} --routing {routing}");
        if let Some([first, second]) = relation.phases() {
            words += &format!(" --phases {first},{second}");
        }
        if let Some(intermediate) = relation.intermediate() {
            words += &format!(" --intermediate {intermediate}");
        }
        words
    }
}
