//! Intermediate terminals that are a random permutation of the sources (Routing in a Parallel Computer,
//! Randomized Routing, step 1).

use super::Packet;
use crate::traffic::random::Random;
use std::collections::BTreeMap;
use turnpike_network::routing::{Draw, Relation};
use turnpike_network::topology::{Terminal, Topology};

/// Whether packets of every source can go to every source first, whatever their destinations.
pub fn can_be(topology: &dyn Topology, relation: &Relation) -> bool {
    let sources = || topology.sources();
    sources().next().is_some_and(|first| {
        let reaches = |(from, to)| relation.draw_to(from, to).is_some();
        sources().all(|to| reaches((first, to)) && reaches((to, first)) && reaches((to, to)))
    })
}

/// Draws of these packets. Those that are the first of their sources share one
/// permutation, the second ones another, and so on: each is drawn for all sources, whichever of them
/// have packets.
pub fn draws(
    topology: &dyn Topology,
    relation: &Relation,
    packets: &[Packet],
    random: &mut Random,
) -> Vec<Draw> {
    let sources: Vec<Terminal> = topology.sources().collect();
    let places: BTreeMap<Terminal, usize> = sources.iter().copied().zip(0..).collect();
    let mut permutations: Vec<Vec<Terminal>> = Vec::new();
    let mut sent: Vec<usize> = vec![0; sources.len()];
    let draw = |packet: &Packet| {
        // One that sends nothing has no route, which is told where routes are walked.
        let Some(&place) = places.get(&packet.source) else { return Draw::NONE };
        let round = sent[place];
        sent[place] += 1;
        if round == permutations.len() {
            let mut permutation = sources.clone();
            random.shuffle(&mut permutation);
            permutations.push(permutation);
        }
        let to = permutations[round][place];
        relation.draw_to(packet.source, to).expect("every source reaches every source first")
    };
    packets.iter().map(draw).collect()
}
