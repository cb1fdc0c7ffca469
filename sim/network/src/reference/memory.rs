//! Memory that a model of a fabric takes, in bytes, before it is made.

use super::arbiter::OutputVc;
use super::fields::Fields;
use super::flit::Flit;
use super::layout::header_bits;
use super::queues::Queues;
use super::{Reference, Terminal};
use turnpike_fabric::plan::FabricPlan;

impl Reference {
    /// Bytes that the model of a plan takes, near enough: for whoever wants to know before it
    /// is made.
    pub fn bytes(plan: &FabricPlan) -> u64 {
        let nodes = u64::from(plan.topology().nodes());
        let queues = plan.switches.iter().map(|s| s.queues.len()).max().unwrap_or(0);
        let outputs = plan.switches.iter().map(|s| s.output_vcs.len()).max().unwrap_or(0);
        let size = |bytes: usize, count: u64| bytes as u64 * count;
        let depth = u64::from(plan.most_held());
        let each = Fields::new(queues.max(outputs)).each() as u64;
        // A queue and an output each have a place of 4 bytes while the links are laid.
        let queue = Queues::bytes(depth, header_bits(plan)) + 4;
        let output = size(size_of::<OutputVc>() + 4, 1);
        let switch = size(size_of::<Terminal>() + 2 * size_of::<Flit>(), 1);
        nodes * (each * (queue + output) + switch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;

    #[test]
    fn twice_the_depth_takes_near_twice_the_memory() {
        let bytes = |k, depth| {
            let network = Network::new("hypercube", k, Some("rotation"), None).unwrap();
            let parameters = Parameters { depth, ..Parameters::default() };
            let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
            Reference::bytes(&plan)
        };
        // 19 queues, numbered as 32 are, of 512 flits of 8 bytes at each of 1,024 nodes.
        let flits = 32 * 512 * 8 * 1024;
        let found = bytes(10, 512);
        assert!((flits..flits + flits / 10).contains(&found), "{found}");
        assert!(bytes(10, 1024) > 19 * found / 10);
    }
}
