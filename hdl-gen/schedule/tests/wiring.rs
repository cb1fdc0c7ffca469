//! The wiring that networks tell of is that which the checker has written out for itself.

use turnpike_schedule::check::sources_by_sink;
use turnpike_schedule::network::{Lead, Network, Place};
use turnpike_schedule::settings::Settings;

/// Follows a source through settings in which output p takes input p, along the links that the
/// network tells of. `None` where a switch has no such output.
fn follow(network: &Network, source: u32) -> Option<u32> {
    let mut at = network.entry(source).unwrap();
    for stage in 0..network.stages() {
        match network.lead(stage, at)? {
            Lead::Input(place) => at = place,
            Lead::Sink(sink) => return Some(sink),
        }
    }
    panic!("the last stage leads to sinks");
}

#[test]
fn links_are_where_the_checker_has_them() {
    let networks = [
        Network::butterfly(2, 4),
        Network::butterfly(3, 3),
        Network::butterfly(65_535, 1),
        Network::double_butterfly(4, 2),
        Network::benes(4),
        Network::rows(3, 3, vec![1, 1, 0, 2]),
        Network::clos(3, 3, 5),
        Network::clos(5, 2, 3),
        Network::clos(2, 4, 3),
    ];
    for network in networks.into_iter().map(Result::unwrap) {
        let mut settings = Settings::idle(&network);
        for stage in 0..network.stages() {
            let ports = network.inputs(stage).min(network.outputs(stage));
            for switch in 0..network.switches(stage) {
                for port in 0..ports {
                    settings.set(stage, switch, port, Some(port as u16)).unwrap();
                }
            }
        }
        let sources = sources_by_sink(&network, &settings).unwrap();
        let mut followed = vec![None; sources.len()];
        for source in 0..network.terminals() {
            if let Some(sink) = follow(&network, source) {
                followed[sink as usize] = Some(source);
            }
        }
        assert_eq!(sources, followed);
    }
}

#[test]
fn every_input_has_one_link() {
    for network in [Network::butterfly(3, 3), Network::benes(3), Network::clos(4, 3, 5)] {
        let network = network.unwrap();
        let places = |stage: u32, ports: u32| {
            let switches = 0..network.switches(stage);
            switches.flat_map(move |switch| (0..ports).map(move |port| Place { switch, port }))
        };
        let mut inputs: Vec<Place> = places(0, network.inputs(0)).collect();
        let entries = (0..network.terminals()).map(|t| network.entry(t).unwrap());
        assert!(entries.eq(inputs.iter().copied()) || matches!(network, Network::Rows(_)));
        for stage in 0..network.stages() - 1 {
            inputs = places(stage + 1, network.inputs(stage + 1)).collect();
            for output in places(stage, network.outputs(stage)) {
                match network.lead(stage, output) {
                    Some(Lead::Input(place)) => inputs.retain(|&input| input != place),
                    other => panic!("{other:?}"),
                }
            }
            assert!(inputs.is_empty());
        }
        let last = network.stages() - 1;
        let sinks = places(last, network.outputs(last)).map(|output| network.lead(last, output));
        let mut sinks: Vec<u32> = sinks
            .map(|lead| match lead {
                Some(Lead::Sink(sink)) => sink,
                other => panic!("{other:?}"),
            })
            .collect();
        sinks.sort_unstable();
        assert!(sinks.into_iter().eq(0..network.terminals()));
        assert_eq!(network.entry(network.terminals()), None);
        let first = Place { switch: 0, port: 0 };
        let nowhere = Place { switch: network.switches(0), port: 0 };
        assert_eq!((network.lead(0, nowhere), network.lead(last + 1, first)), (None, None));
        assert_eq!((network.switches(99), network.inputs(99), network.outputs(99)), (0, 0, 0));
    }
}
