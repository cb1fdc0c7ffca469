//! Latency of a packet that meets no other, and whether its flits follow one another.

use super::{FabricPlan, Parameters};
use turnpike_network::routing::Output;
use turnpike_network::routing::walk::{RouteError, Step, route};

impl FabricPlan {
    /// Cycles from the acceptance of a flit at a terminal to its being at the head of an empty
    /// injection queue.
    pub fn injection_cycles(&self) -> u32 {
        1 + u32::from(self.registers_injection())
    }

    /// Cycles from the head of one queue to the head of the next, for a packet's first flit
    /// that meets no other, over a channel without registers of the network's own.
    pub fn hop_cycles(&self) -> u32 {
        1 + self.parameters.pipeline.registers() + self.parameters.link_registers
    }

    /// Cycles from the head of the last queue to `m_axis_tvalid`, for a packet's first flit
    /// that meets no other.
    pub fn ejection_cycles(&self) -> u32 {
        self.parameters.pipeline.registers()
    }

    /// Cycles from the acceptance of a flit to `m_axis_tvalid`, over `hops` channels of an
    /// empty network, without registers of the network's own.
    pub fn zero_load_latency(&self, hops: u32) -> u32 {
        self.injection_cycles() + hops * self.hop_cycles() + self.ejection_cycles()
    }

    /// Cycles as [`FabricPlan::zero_load_latency`], over the channels of a route, with their own
    /// registers.
    pub fn route_latency(&self, route: &[Step]) -> u32 {
        let channel = |step: &Step| match step.hop.output {
            Output::Network(port) => Some(self.topology().delay(step.node, port)),
            Output::Eject(_) => None,
        };
        let delays = route.iter().filter_map(channel);
        let (hops, delay) = delays.fold((0, 0), |(hops, sum), delay| (hops + 1, sum + delay));
        self.zero_load_latency(hops) + delay
    }

    /// Cycles that no packet alone over `hops` channels takes more than.
    pub fn most_latency(&self, hops: u32) -> u32 {
        let own = hops.saturating_mul(self.topology().most_delay());
        self.zero_load_latency(hops).saturating_add(own)
    }

    /// Cycles of the slowest packet alone in the network, from acceptance to `m_axis_tvalid`.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn longest_latency(&self) -> Result<u32, RouteError> {
        let (topology, relation) = (self.topology(), self.relation());
        if topology.most_delay() == 0 {
            return Ok(self.zero_load_latency(self.network.longest_route()));
        }
        let pairs = topology
            .sources()
            .flat_map(|from| topology.destinations(from).map(move |to| (from, to)));
        let mut longest = 0;
        for ((from, to), draw) in relation.with_each_route(pairs) {
            longest = longest.max(self.route_latency(&route(topology, relation, from, to, draw)?));
        }
        Ok(longest)
    }

    /// Whether the beats of a packet that meets no other follow one another in every cycle. A first
    /// flit that waits for a registered grant holds up those behind it where queues are short, but where it
    /// waits in a register behind its queue.
    pub fn runs_at_full_rate(&self) -> bool {
        let Parameters { depth, pipeline, .. } = self.parameters;
        pipeline.asks_ahead() || depth >= 2 + pipeline.registers()
    }
}
