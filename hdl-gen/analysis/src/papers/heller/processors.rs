//! Table 5-6: undirected and directed n-cube processor networks.

use super::exact::{average, decimal, expected, float, longest, ratio};
use super::{Cell, Table, printed};
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::{Port, Topology, TopologyError};

/// The dimensions of the table; the memo's column for the directed cube is for even n.
const DIMENSIONS: [u32; 5] = [2, 4, 6, 8, 10];

/// The output ports of the largest switch, its terminal's among them.
pub(super) fn switch_ports(topology: &dyn Topology) -> usize {
    let leaves = |node, port: u8| topology.channel(node, Port(port)).is_some();
    let outputs = |node| (0..topology.ports()).filter(|&port| leaves(node, port)).count();
    topology.all_nodes().map(|node| outputs(node) + 1).max().unwrap_or(0)
}

fn row(n: u32, memo: &printed::Cube, directed: bool) -> Result<Vec<Cell>, TopologyError> {
    let topology: Box<dyn Topology> =
        if directed { Box::new(DirectedCube::new(n)?) } else { Box::new(Hypercube::new(n)?) };
    let of = u64::from(n);
    let average = average(&*topology);
    let distance = if directed {
        // The memo gives a bound; what is below it does not differ.
        let bound = f64::from(n) / 2.0 + 0.399 * f64::from(n).sqrt();
        let differs = average != expected(n) || float(&average) >= bound;
        let ours = decimal(&average, 4);
        Cell { ours, memo: Some(format!("< {bound:.4}")), differs }
    } else {
        Cell::against(decimal(&average, 4), decimal(&ratio(n, 2), 4))
    };
    Ok(vec![
        Cell::plain(n),
        Cell::plain(memo.name),
        Cell::against(switch_ports(&*topology), (memo.switch)(of)),
        Cell::against(topology.terminals(), (memo.processors)(of)),
        Cell::against(topology.channels(), (memo.links)(of)),
        Cell::against(longest(&*topology), (memo.maximum)(of)),
        distance,
    ])
}

/// Table 5-6, its formulas evaluated.
pub fn table_5_6() -> Table {
    let [undirected, directed] = &printed::TABLE_5_6;
    let rows =
        DIMENSIONS.into_iter().flat_map(|n| [row(n, undirected, false), row(n, directed, true)]);
    Table {
        id: "5-6",
        title: "Undirected and directed n-cube processor networks",
        note: "Counted on the graphs, beside the memo's formulas at each n. The switch is given \
               by its ports on one side; links are one-way, those to the processors not counted.",
        keys: 2,
        columns: vec![
            "n",
            "network",
            "switch",
            "processors",
            "links",
            "max distance",
            "average distance",
        ],
        rows: rows.filter_map(Result::ok).collect(),
    }
}
