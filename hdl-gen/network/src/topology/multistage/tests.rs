use super::*;
use crate::topology::tests::keeps_the_contract;

fn network(kind: &TopologyKind, size: &[&str]) -> Multistage {
    Multistage::of(kind, kind.sizes.of_keys(size).unwrap()).unwrap()
}

fn networks() -> Vec<Multistage> {
    let of = |kind: &TopologyKind, sizes: &[&str]| {
        let network = |size: &&str| network(kind, &size.split(' ').collect::<Vec<_>>());
        sizes.iter().map(network).collect::<Vec<_>>()
    };
    let mut all = of(&BUTTERFLY, &["2 1", "2 2", "2 4", "3 3", "4 2", "5 2"]);
    all.extend(of(&BENES, &["2 1", "2 2", "2 3", "2 5"]));
    all.extend(of(&DOUBLE_BUTTERFLY, &["2 1", "2 2", "2 4"]));
    all.extend(of(&CLOS, &["2,2,2", "3,2,4", "5,4,3", "1,1,2", "7,1,2", "2,5,7"]));
    all
}

/// Paths from a terminal to each: one in a butterfly, one by each switch or row in the middle
/// of the others.
#[test]
fn there_are_as_many_paths_as_middles() {
    for network in networks() {
        keeps_the_contract(&network);
        let middles = match network.stages {
            _ if network.name == BUTTERFLY.name => 1,
            Stages::Rows { length, .. } if network.name == BENES.name => 1 << (length - 1),
            Stages::Rows { length, .. } => 1 << length,
            Stages::Clos(clos) => clos.middle,
        };
        for source in network.sources() {
            let mut paths = vec![0; network.nodes() as usize];
            paths[network.source(source).unwrap().0.0 as usize] = 1;
            // Nodes are numbered stage by stage.
            for from in network.all_nodes() {
                for port in (0..network.ports()).map(Port) {
                    if let Some((to, _)) = network.channel(from, port) {
                        paths[to.0 as usize] += paths[from.0 as usize];
                    }
                }
            }
            for sink in network.sinks() {
                let (node, _) = network.sink(sink).unwrap();
                assert_eq!(paths[node.0 as usize], middles, "{network:?}");
            }
        }
    }
}

/// A link does not leave its row, nor do terminals.
#[test]
fn links_stay_in_their_rows() {
    for network in networks() {
        let Stages::Rows { radix, .. } = network.stages else { continue };
        for from in network.all_nodes() {
            let rows: Vec<u32> = (0..radix).map(|digit| network.row(from, digit)).collect();
            assert!(rows.is_sorted_by(|a, b| a < b), "{rows:?}");
            for (digit, row) in (0..).zip(rows) {
                if let Some((to, Port(input))) = network.channel(from, Port(digit)) {
                    assert_eq!(network.row(to, input.into()), row, "{network:?}");
                }
                let ends =
                    [network.source_at(from, Local(digit)), network.sink_at(from, Local(digit))];
                assert!(ends.into_iter().flatten().all(|end| end.0 == row), "{network:?}");
            }
        }
    }
}

/// The butterfly as a graph: straight and cross edges lead from (i, x) to the rows that differ
/// from x at most in one digit, the first digit first; a switch is where R rows meet.
#[test]
fn switches_are_the_edges_of_rows_that_meet() {
    for network in networks() {
        let Stages::Rows { radix, length, ref digits } = network.stages else { continue };
        let rows = |stage: u32, index: u32| {
            let place = (length - 1 - digits[stage as usize]) as usize;
            let text = |row: u32| {
                let digit = |at| char::from_digit(row / radix.pow(at) % radix, 36).unwrap();
                (0..length).rev().map(digit).collect::<String>()
            };
            (0..radix.pow(length)).map(text).filter(move |row| {
                let mut rest = row.clone();
                rest.remove(place);
                // Of one digit nothing is left.
                u32::from_str_radix(&rest, radix).unwrap_or(0) == index
            })
        };
        for from in network.all_nodes() {
            let (stage, index) = network.place(from);
            assert_eq!(rows(stage, index).count() as u32, radix);
            if stage + 1 == network.stages() {
                continue;
            }
            for (row, port) in rows(stage, index).zip(0..) {
                let (to, input) = network.channel(from, Port(port)).unwrap();
                let (next, to) = network.place(to);
                assert_eq!(next, stage + 1);
                assert_eq!(rows(next, to).nth(input.0.into()), Some(row), "{network:?}");
            }
        }
    }
}

#[test]
fn sizes_and_labels_are_bounded() {
    let error = |kind: &TopologyKind, size: &[&str]| {
        let size = kind.sizes.of_keys(size).unwrap();
        kind.build(size).unwrap_err().to_string()
    };
    for (size, what) in [
        (["1", "3"], "radix 1 is out of range; use 2 to 32"),
        (["33", "3"], "radix 33 is out of range; use 2 to 32"),
        (["2", "0"], "dimension 0 is out of range; use 1 to 16"),
        (["2", "17"], "dimension 17 is out of range; use 1 to 16"),
        (["8", "6"], "262144 terminals are more than 65536"),
        // 2^64 and 2^80.
        (["16", "16"], "18446744073709551615 terminals are more than 65536"),
        (["32", "16"], "18446744073709551615 terminals are more than 65536"),
    ] {
        assert!(error(&BUTTERFLY, &size).starts_with(&format!("butterfly: {what}")));
    }
    for kind in [BENES, DOUBLE_BUTTERFLY] {
        assert!(error(&kind, &["2", "17"]).ends_with("17 is out of range; use 1 to 16"));
        assert!(error(&kind, &["3", "2"]).ends_with("radix 3 is out of range; use 2 to 2"));
    }
    let clos = network(&CLOS, &["3,2,4"]);
    assert_eq!((clos.nodes(), clos.terminals(), clos.label(Node(10))), (11, 8, "2_3".into()));
    for bad in ["", "3_0", "1_3", "0_4", "00_1", "1", "_"] {
        let text = clos.node(bad).unwrap_err().to_string();
        assert!(text.ends_with("a stage below 3 and a switch of that stage, such as 2_3"));
    }
    for bad in ["8", "0_0", "+1"] {
        let text = clos.terminal(bad).unwrap_err().to_string();
        assert!(text.ends_with("a label is the number of a terminal, from 0 to 7"), "{text}");
    }
}
