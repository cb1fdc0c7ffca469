//! What a model of a fabric takes, before it is made.

use super::flit::Flit;
use super::{OutputVc, Queue, Reference, Switch, Terminal};
use turnpike_fabric::plan::FabricPlan;

impl Reference {
    /// Bytes that the model of a plan takes, near enough: for whoever wants to know before it
    /// is made.
    pub fn bytes(plan: &FabricPlan) -> u64 {
        let nodes = u64::from(plan.topology().nodes());
        let queues = plan.switches.iter().map(|s| s.queues.len()).max().unwrap_or(0);
        let outputs = plan.switches.iter().map(|s| s.output_vcs.len()).max().unwrap_or(0);
        let size = |bytes: usize, count: u64| bytes as u64 * count;
        let depth = u64::from(plan.parameters.depth);
        // A queue and an output each have a place of 4 bytes while the links are laid.
        let queue = size(size_of::<Flit>(), depth) + size(size_of::<Queue>() + 4, 1);
        let switch = size(size_of::<OutputVc>() + 4, outputs as u64)
            + size(size_of::<Switch>() + size_of::<Terminal>() + 2 * size_of::<Flit>(), 1);
        nodes * (queues as u64 * queue + switch)
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
        // 19 queues of 512 flits of 16 bytes at each of 1,024 nodes.
        let flits = 19 * 512 * 16 * 1024;
        let found = bytes(10, 512);
        assert!((flits..flits + flits / 10).contains(&found), "{found}");
        assert!(bytes(10, 1024) > 19 * found / 10);
    }
}
