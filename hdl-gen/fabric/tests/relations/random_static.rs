//! Routes that are drawn from a seed.

use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_network::routing::Draw;
use turnpike_network::routing::Output;
use turnpike_network::routing::random_static::KIND;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::Terminal;

fn wanted(failed: &[String], routing: &str, route_seed: u64) -> Result<Network, NetworkError> {
    Network::wanted(&Wanted {
        routing: Some(routing),
        route_seed: Some(route_seed),
        failed,
        ..Wanted::new("hypercube", 4)
    })
}

fn routes(network: &Network) -> Vec<Vec<Output>> {
    let (topology, relation) = (network.topology(), network.relation());
    let ports = |to| -> Vec<Output> {
        let steps = route(topology, relation, Terminal(0), to, Draw::NONE).unwrap();
        steps.iter().map(|step| step.hop.output).collect()
    };
    topology.sinks().map(ports).collect()
}

#[test]
fn the_seed_says_which_routes() {
    let drawn = |seed| wanted(&[], KIND.name, seed).unwrap();
    assert_eq!(routes(&drawn(7)), routes(&drawn(7)));
    assert_ne!(routes(&drawn(7)), routes(&drawn(8)));
    let default = Network::new("hypercube", 4, Some(KIND.name), None).unwrap();
    assert_eq!(routes(&default), routes(&drawn(1)));
    assert_eq!(default.relation().route_seed(), Some(1));
    assert_eq!(drawn(7).relation().route_seed(), Some(7));
    let around = wanted(&["1000".to_owned()], KIND.name, 7).unwrap();
    assert_eq!(around.relation().route_seed(), Some(7));
}

#[test]
fn other_relations_take_no_seed() {
    let error = wanted(&[], "ecube", 7).unwrap_err().to_string();
    let wanted = "routing 'ecube' draws no routes: leave the seed out, or use routing \
                  'random-static'";
    assert_eq!(error, wanted);
}
