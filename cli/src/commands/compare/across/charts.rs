//! The picture of `compare --across`: cost and throughput over the number of processors.

use super::row::NetworkFigures;
use super::{Key, NETWORKS};
use crate::commands::compare::plot::{Chart, Line};
use plotters::prelude::SeriesLabelPosition;
use std::collections::BTreeMap;

/// A figure, where a row has it.
type Figure = fn(&NetworkFigures) -> Option<f64>;

/// Multiplexers and throughput, per processor.
pub fn charts(rows: &BTreeMap<Key, NetworkFigures>) -> Vec<Chart> {
    let all: [(&str, Figure, SeriesLabelPosition); 2] = [
        (
            "inputs of multiplexers",
            |row| Some(row.multiplexer_inputs as f64 / f64::from(row.processors)),
            SeriesLabelPosition::UpperLeft,
        ),
        (
            "flits per cycle at load 1",
            |row| row.saturation_throughput,
            SeriesLabelPosition::UpperRight,
        ),
    ];
    let chart = |(label, figure, names): (&str, Figure, _)| Chart {
        label: label.to_owned(),
        names,
        lines: (0..NETWORKS.len()).map(|network| line(rows, network, figure)).collect(),
    };
    all.into_iter().map(chart).collect()
}

/// One network, from the fewest processors to the most.
fn line(rows: &BTreeMap<Key, NetworkFigures>, network: usize, figure: Figure) -> Line {
    let (topology, routing) = NETWORKS[network];
    let of_network = rows.iter().filter(|((of, _), _)| *of == network);
    let point = |row: &NetworkFigures| Some((f64::from(row.processors).log2(), figure(row)?));
    Line {
        name: format!("{topology}, {routing}"),
        color: network,
        opacity: 1.0,
        filled: true,
        points: of_network.filter_map(|(_, row)| point(row)).collect(),
    }
}
