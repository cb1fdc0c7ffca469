//! Networks for tests, from edges and tables.

use turnpike_audit::model::Routed;
use turnpike_audit::readers::{Format, Input, Inputs, ReadError, Reading};
use turnpike_network::description::{Builder, LooseEnd};

/// A network of these edges, with a terminal at each switch, and no table entry yet.
pub fn network(switches: usize, edges: &[(usize, usize)], vcs: u32) -> Routed {
    let mut builder = Builder::default();
    for switch in 0..switches {
        builder.node(&format!("s{switch}")).unwrap();
        builder.terminal(&format!("t{switch}"), Some(switch), Some(switch)).unwrap();
    }
    for &(from, to) in edges {
        let end = |node| LooseEnd { node, port: None };
        builder.link(end(from), end(to), false, [0; 2], None).unwrap();
    }
    Routed::new(&builder.finish("drawn").unwrap(), vcs).unwrap()
}

/// Hops from each switch to each by the edges; `None` where there is no way.
pub fn distances(switches: usize, edges: &[(usize, usize)]) -> Vec<Vec<Option<u32>>> {
    let mut all = vec![vec![None; switches]; switches];
    for (from, row) in all.iter_mut().enumerate() {
        row[from] = Some(0);
        for length in 0..switches as u32 {
            for &(a, b) in edges {
                if row[a] == Some(length) && row[b].is_none() {
                    row[b] = Some(length + 1);
                }
            }
        }
    }
    all
}

/// By switch and destination, the channels that begin a shortest way.
pub fn shortest(routed: &Routed) -> Vec<Vec<Vec<u32>>> {
    let switches = routed.switches.len();
    let edges: Vec<(usize, usize)> =
        routed.channels.iter().map(|c| (c.from as usize, c.to as usize)).collect();
    let distance = distances(switches, &edges);
    let next = |at: usize, to: usize| -> Vec<u32> {
        let nearer = |c: &&(u32, (usize, usize))| {
            let (_, (from, next)) = **c;
            from == at && at != to && distance[next][to].map(|d| d + 1) == distance[at][to]
        };
        let all: Vec<(u32, (usize, usize))> = (0..).zip(edges.iter().copied()).collect();
        all.iter().filter(nearer).map(|c| c.0).collect()
    };
    (0..switches).map(|at| (0..switches).map(|to| next(at, to)).collect()).collect()
}

/// Reads a network with its routes.
pub fn read(
    format: &str,
    network: (&str, &str),
    routes: Option<(&str, &str)>,
) -> Result<Reading, ReadError> {
    let inputs = Inputs {
        network: Input { name: network.0, bytes: network.1.as_bytes() },
        routes: routes.map(|(name, text)| Input { name, bytes: text.as_bytes() }),
    };
    Format::named(format).expect("a format").read(&inputs)
}
