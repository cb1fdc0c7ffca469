//! What the generators of different terminals draw spreads the second phase as independent draws do.

use std::collections::HashMap;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::routing::walk::walk;
use turnpike_network::routing::{Output, Vc};
use turnpike_network::topology::{Node, Port, Terminal};

const ROUNDS: u32 = 1_000;

/// Each terminal sends a packet to one other in every round. On average half a packet crosses each
/// channel in its second phase. The sum over the rounds has less variance than a Poisson variable of that mean,
/// as each packet crosses it with some probability; were terminals to draw alike, packets would come to
/// a channel together and it would have many times more.
#[test]
fn second_phases_spread_as_independent_draws_do() {
    for (k, seed) in [(4, 1), (6, 1), (6, 99)] {
        let network = Network::new("hypercube", k, Some("two-phase"), None).unwrap();
        let parameters = Parameters { draw_seed: seed, ..Parameters::default() };
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let (topology, relation) = (plan.topology(), plan.relation());
        let mut crossed: HashMap<(Node, Port), u32> = HashMap::new();
        for source in topology.sources() {
            // The complement: every bit differs.
            let destination = Terminal(source.0 ^ ((1 << k) - 1));
            let mut generator = plan.generator(source).unwrap();
            for _ in 0..ROUNDS {
                walk(topology, relation, source, destination, generator.draw(), |step| {
                    if let (Output::Network(port), Vc(1)) = (step.hop.output, step.hop.vc) {
                        *crossed.entry((step.node, port)).or_default() += 1;
                    }
                })
                .unwrap();
                generator.step();
            }
        }
        let channels = (k << k) as usize;
        assert_eq!(crossed.len(), channels);
        let mean = f64::from(ROUNDS) / 2.0;
        let off = |&count: &u32| (f64::from(count) - mean).powi(2) / mean;
        let dispersion = crossed.values().map(off).sum::<f64>() / channels as f64;
        assert!((0.3..1.3).contains(&dispersion), "k={k} seed {seed}: {dispersion}");
        let far = crossed.values().map(off).fold(0.0, f64::max);
        assert!(far < 25.0, "k={k} seed {seed}: a channel {far} variances off");
    }
}
