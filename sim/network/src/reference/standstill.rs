//! Standstill: nothing inside will move again.

use super::Reference;

/// Watches for the end of all movement. See [`Reference::progressed`].
#[derive(Clone, Copy, Default, Debug)]
pub struct Standstill {
    /// Cycles in a row in which nothing moved.
    cycles: u32,
}

impl Standstill {
    /// Called after every cycle: whether the flits inside wait for each other for ever.
    pub fn after_cycle(&mut self, reference: &Reference) -> bool {
        let stands = !reference.progressed() && reference.flits() > 0;
        self.cycles = if stands { self.cycles + 1 } else { 0 };
        self.cycles >= 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Beat;
    use crate::terminals::TerminalSet;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
    use turnpike_network::topology::Terminal;

    fn reference(topology: &str, routing: &str, pipeline: Pipeline) -> Reference {
        let network = Network::new(topology, 3, Some(routing), None).unwrap();
        let parameters = Parameters { pipeline, ..Parameters::default() };
        Reference::new(&FabricPlan::new(Arc::new(network), parameters, None).unwrap()).unwrap()
    }

    /// One packet through the network, then a sink that does not take it: a cycle counts as
    /// progress where the flit is accepted, moves or is delivered, and in no other.
    #[test]
    fn progress_is_what_moves() {
        for pipeline in [Pipeline::None, Pipeline::Grant, Pipeline::Output] {
            for (topology, routing) in [("hypercube", "ecube"), ("directed-cube", "static")] {
                let mut model = reference(topology, routing, pipeline);
                let (none, all) = (TerminalSet::none(8), TerminalSet::all(8));
                let clock = |model: &mut Reference, sinks| {
                    model.clock(sinks);
                    model.progressed()
                };
                assert!(!clock(&mut model, &all), "nothing is there");
                assert!(model.offer(0, Beat { packet: 1, destination: Terminal(7), last: true }));
                assert!(clock(&mut model, &none), "accepted");
                while model.m_flit(7).is_none() {
                    let hops = model.flit_hops();
                    // A registered grant takes a cycle in which no flit moves.
                    let moved = clock(&mut model, &none);
                    assert!(moved || pipeline != Pipeline::None);
                    assert!(moved || model.flit_hops() == hops);
                }
                for _ in 0..3 {
                    assert!(!clock(&mut model, &none), "{routing} {pipeline}: the sink waits");
                }
                assert!(clock(&mut model, &all), "delivered");
                assert!(!clock(&mut model, &all), "nothing is left");
            }
        }
    }
}
