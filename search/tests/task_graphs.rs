//! Task graphs of the literature on mapping to networks on chips, each with the least cost on a mesh.
//!
//! VOPD is from Murali and De Micheli (DATE 2004), who put it first; the others are of its kind. Copies of them
//! differ: these are the bandwidths on which most public copies agree. The least costs are computed from
//! them.

use turnpike_network::topology::{self, Topology};
use turnpike_search::placing::question::{Flow, Question};

/// Channels between the terminals of a network.
pub fn channels(name: &str, size: &[&str]) -> Vec<Vec<u32>> {
    let kind = topology::find(name).unwrap();
    let topology = kind.build(kind.sizes.of_keys(size).unwrap()).unwrap();
    let topology: &dyn Topology = &*topology;
    let from = |source| topology.distances(topology.source(source).unwrap().0);
    let to = |sink| topology.sink(sink).unwrap().0.0 as usize;
    let row = |distances: Vec<u32>| topology.sinks().map(|sink| distances[to(sink)]).collect();
    topology.sources().map(|source| row(from(source))).collect()
}

/// Task graph.
pub struct TaskGraph {
    pub name: &'static str,
    /// The mesh on which it is placed.
    pub mesh: &'static str,
    /// Flows, separated by semicolons: sender, receiver, megabytes per second.
    pub flows: &'static str,
    /// Least sum of bandwidth times hops, in thousandths of a megabyte per second.
    pub least: u64,
}

/// The graphs.
pub const TASK_GRAPHS: &[TaskGraph] = &[
    TaskGraph {
        name: "vopd",
        mesh: "4x4",
        flows: "0 1 70; 1 2 362; 2 3 362; 3 4 362; 3 15 49; 4 5 357; 5 6 353; 6 7 300; 7 8 313; 7 9 500; \
                8 9 313; 9 8 94; 10 11 16; 11 5 16; 11 8 16; 11 12 16; 12 13 157; 13 14 16; 14 10 16; 14 \
                12 16; 15 4 27",
        least: 4119000,
    },
    TaskGraph {
        name: "mpeg4",
        mesh: "4x4",
        flows: "0 4 190; 1 4 0.5; 2 4 60; 2 5 40; 3 4 600; 3 5 40; 4 8 0.5; 4 9 910; 4 10 32; 6 7 250; 6 \
                9 670; 6 10 173; 6 11 500",
        least: 3567000,
    },
    TaskGraph {
        name: "mwd",
        mesh: "4x4",
        flows: "0 1 64; 0 4 128; 1 2 128; 1 5 96; 3 4 96; 4 7 96; 5 6 96; 6 9 96; 7 8 96; 8 9 96; 8 10 \
                64; 10 11 64",
        least: 1120000,
    },
    TaskGraph {
        name: "pip",
        mesh: "4x2",
        flows: "0 4 64; 1 0 128; 1 2 64; 2 3 64; 3 6 64; 4 5 64; 5 6 64; 6 7 64",
        least: 640000,
    },
    TaskGraph {
        name: "263enc-mp3dec",
        mesh: "4x4",
        flows: "0 1 38.001; 0 2 0.193; 0 3 24.634; 0 5 38.016; 0 7 0.025; 1 4 38.001; 2 3 37.958; 2 6 \
                46.733; 7 8 2.083; 8 11 0.01; 9 10 4.06; 10 11 0.5",
        least: 230407,
    },
    TaskGraph {
        name: "mp3enc-mp3dec",
        mesh: "4x4",
        flows: "0 1 2.083; 0 2 4.06; 0 8 0.025; 1 4 1; 2 3 0.5; 3 4 1; 4 5 0.87; 5 6 0.15; 5 7 0.18; 8 9 \
                2.083; 9 12 0.01; 10 11 4.06; 11 12 0.5",
        least: 17021,
    },
    TaskGraph {
        name: "263dec-mp3dec",
        mesh: "4x4",
        flows: "0 1 0.25; 0 3 0.187; 0 7 0.025; 0 9 0.025; 1 2 3.672; 2 4 3.672; 3 4 0.1; 4 6 0.38; 5 3 \
                0.5; 5 6 3.672; 7 8 0.5; 9 10 2.083; 10 13 0.01; 11 12 4.06; 12 13 0.5",
        least: 19823,
    },
];

impl TaskGraph {
    /// The question where its terminals should be.
    pub fn question(&self) -> Question {
        let flows: Vec<Flow> = self
            .numbers()
            .into_iter()
            .map(|(from, to, weight)| Flow { from, to, weight, most_channels: u32::MAX })
            .collect();
        let terminals =
            flows.iter().map(|flow| flow.from.max(flow.to)).max().map_or(0, |most| most + 1);
        let mesh = channels("mesh", &[self.mesh]);
        let allowed = vec![vec![true; mesh.len()]; terminals];
        Question::new(mesh, &flows, allowed).unwrap()
    }

    /// Flows by the numbers of their ends, in thousandths of a megabyte per second.
    fn numbers(&self) -> Vec<(usize, usize, u64)> {
        let flow = |text: &str| {
            let [from, to, bandwidth] = text.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{text}")
            };
            let thousandths = bandwidth.parse::<f64>().unwrap() * 1000.0;
            (from.parse().unwrap(), to.parse().unwrap(), thousandths.round() as u64)
        };
        self.flows.split(';').map(flow).collect()
    }
}
