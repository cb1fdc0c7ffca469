//! Stimulus: the same for every model, the same when read back.

use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::plan;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::stimulus::{ReferenceModel, Stimulus, record};
use turnpike_sim_network::terminals::TerminalSet;
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

fn stimulus(routing: &str, k: u32) -> Stimulus {
    let config =
        TrafficConfig { load: 0.5, packet_flits: 5.into(), seed: 11, ..TrafficConfig::default() };
    let mut traffic = Bernoulli::new(Ends::all(1 << k), &config).unwrap();
    Stimulus::new(&plan(routing, k), 42).with_pauses(0.2, 0.3).with_traffic(&mut traffic, 2000)
}

#[test]
fn reads_back_what_it_writes() {
    let before = stimulus("rotation", 3).with_resets(2000);
    assert_eq!(before.resets.len(), 4);
    let mut text = Vec::new();
    before.write(&mut text).unwrap();
    assert_eq!(Stimulus::read(&text[..]).unwrap(), before);
}

#[test]
fn wrong_files_name_the_line() {
    let good = "turnpike-stimulus 2\nseed 7\ngap 0\nstall 0\nterminals 4\nfields 1\ndata 8\n\
                resets 2\n5\n6\npackets 1\n0 0 3 1\n";
    assert!(Stimulus::read(good.as_bytes()).is_ok());
    for (from, to, parts) in [
        ("turnpike-stimulus 2", "hello", ["line 1", "'turnpike-stimulus 2'"]),
        ("seed 7", "seed x", ["line 2", "'seed' and a number"]),
        ("gap 0", "gap 4294967297", ["line 3", "0 to 4294967296"]),
        ("data 8", "date 8", ["line 7", "data, keep"]),
        ("\n6\n", "\n5\n", ["line 10", "after the one before"]),
        ("0 0 3 1", "0 0 4 1", ["line 12", "destination below 4"]),
        ("0 0 3 1", "0 0 3 0", ["line 12", "flits"]),
        ("0 0 3 1\n", "", ["line 12", "the end of the file"]),
        ("0 0 3 1", "0 0 3 1\n1 0 3 1", ["line 13", "the end after"]),
    ] {
        let error = Stimulus::read(good.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(parts.iter().all(|p| error.contains(p)), "{error}");
    }
}

#[test]
fn recordings_repeat_and_everything_arrives() {
    for (routing, k) in [("ecube", 3), ("rotation", 4), ("thacker", 4)] {
        let plan = plan(routing, k);
        let stimulus = stimulus(routing, k);
        let run = |s: &Stimulus| record(&mut ReferenceModel::new(&plan, s).unwrap(), s, 6000);
        let first = run(&stimulus);
        assert_eq!(first, run(&stimulus));
        assert_eq!(first.accepted, stimulus.size().1);
        assert_eq!(first.delivered, first.accepted);
        let mut other = stimulus.clone();
        other.packets[0][0].flits += 1;
        let difference = first.first_difference(&run(&other));
        assert!(difference.is_some_and(|cycle| cycle < 100), "{difference:?}");
    }
}

/// A reset leaves what the fabric was in the beginning, whatever was on the way.
#[test]
fn a_reset_gives_the_state_of_the_beginning() {
    for (topology, dimension, routing, pipeline, link_registers) in [
        ("hypercube", 3, "rotation", Pipeline::None, 0),
        ("hypercube", 3, "rotation", Pipeline::Grant, 0),
        ("hypercube", 3, "rotation", Pipeline::None, 4),
        ("hypercube", 3, "ecube", Pipeline::Output, 0),
        ("hypercube", 3, "ecube", Pipeline::Output, 1),
        ("hypercube", 3, "adaptive", Pipeline::None, 0),
        ("ccc", 3, "two-stage", Pipeline::None, 0),
    ] {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        let parameters = Parameters { pipeline, link_registers, ..Parameters::default() };
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let fresh = Reference::new(&plan).unwrap();
        let stimulus = Stimulus::new(&plan, 1).with_pauses(0.1, 0.3).with_all_pairs(9);
        let mut model = ReferenceModel::new(&plan, &stimulus).unwrap();
        record(&mut model, &stimulus, 60);
        let mut used = model.into_reference();
        assert!(used.flits() > 20);
        used.reset();
        assert_eq!(used.cycle(), 61);
        // All that follows is the same.
        let all = TerminalSet::all(fresh.terminals());
        let mut models = [fresh, used];
        for cycle in 0..200 {
            for t in 0..all.iter().count() as u32 {
                let destination = Terminal((t + cycle) % all.iter().count() as u32);
                let beat = Beat { packet: cycle, destination, last: cycle % 5 == 4 };
                let taken = models.each_mut().map(|m| m.offer(t, beat));
                assert_eq!(taken[0], taken[1], "{routing} {pipeline:?}: cycle {cycle}");
            }
            let [a, b] = models.each_mut().map(|m| m.clock(&all).to_vec());
            assert_eq!(a, b, "{routing} {pipeline:?}: cycle {cycle}");
        }
        assert!(models[0].flits() > 0);
    }
}

/// The digest as the documentation has it, by hand: one node pair, one packet.
#[test]
fn the_digest_is_as_documented() {
    let plan = plan("ecube", 1);
    let mut stimulus = Stimulus::new(&plan, 5);
    stimulus.packets[0].push(turnpike_sim_network::stimulus::StimulusPacket {
        release: 1,
        destination: 1,
        flits: 1,
    });
    let recording = record(&mut ReferenceModel::new(&plan, &stimulus).unwrap(), &stimulus, 5);
    let fnv = |bytes: &[u8]| {
        let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
    };
    let idle = fnv(&[1, 1]);
    let data = turnpike_base::hash::hash(5, &[16, 0, 0, 0, 0]) as u32;
    let mut bytes = vec![1, 3];
    bytes.extend(data.to_le_bytes());
    bytes.push(1);
    // Accepted in cycle 1, at the output two cycles later.
    assert_eq!(recording.digests, [idle, idle, idle, fnv(&bytes), idle]);
    let all: Vec<u8> = recording.digests.iter().flat_map(|d| d.to_le_bytes()).collect();
    assert_eq!(recording.running, fnv(&all));
}
