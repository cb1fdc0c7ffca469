//! `compare --across`: hypercubes, directed cubes and cube-connected cycles side by side, at
//! equal dimension and at the nearest number of processors. `compare --network` ([`listed`]): those
//! of a list.

mod busses;
mod charts;
pub mod listed;
mod row;
mod write;

use super::{CompareOptions, plot};
use crate::Report;
use crate::progress::Progress;
use anyhow::bail;
use row::NetworkFigures;
use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::topology::{self, TopologyKind};
pub use write::REPORT;

/// Networks that are compared, each with the crossbar of its relation: relations by formula, whose
/// switches are as small as they get.
const NETWORKS: [(&str, &str); 10] = [
    ("hypercube", "ecube"),
    ("hypercube", "rotation"),
    ("hypercube", "adaptive"),
    ("directed-cube", "static"),
    ("directed-cube", "adaptive"),
    ("ccc", "two-stage"),
    ("dccc", "two-stage"),
    ("clever-ccc", "two-stage"),
    ("clever-dccc", "two-stage"),
    ("pv-ccc", "two-stage"),
];

/// Dimensions that are compared: cube-connected cycles have 49,152 nodes at the last.
const DIMENSIONS: (u32, u32) = (2, 12);

/// A network is compared with a cube of up to this many times its processors, or as many
/// times fewer.
const MOST_RATIO: f64 = 2.0;

/// A network, in the order of [`NETWORKS`], and its dimension.
type Key = (usize, u32);

/// Networks that are compared with each other.
struct Group {
    /// The dimension of all, or of the cube whose processors the others come near to.
    dimension: u32,
    members: Vec<Key>,
}

/// Runs it.
///
/// # Errors
/// Numbers out of range, a network beyond memory, a picture that cannot be written.
pub fn run(options: &CompareOptions) -> anyhow::Result<Report> {
    let parameters = options.build.apply(options.size.parameters());
    parameters.check()?;
    let (low, high) = DIMENSIONS;
    let Some(dim) = options.dim else { bail!("--across takes --dim RANGE, such as 3..=6") };
    for dimension in [dim.first, dim.last] {
        if !(low..=high).contains(&dimension) {
            bail!("--across: dimension {dimension} is out of range; use {low} to {high}");
        }
    }
    let kinds: Vec<&TopologyKind> =
        NETWORKS.iter().map(|(name, _)| topology::find(name)).collect::<Result<_, _>>()?;
    let svg = options.picture()?;
    let mut by_dimension = Vec::new();
    let mut by_processors = Vec::new();
    for dimension in dim.iter() {
        let all = || kinds.iter().enumerate();
        // Not defined for this dimension: no row.
        let defined = all().filter(|(_, kind)| kind.check(dimension).is_ok());
        let members = defined.map(|(network, _)| (network, dimension)).collect();
        by_dimension.push(Group { dimension, members });
        let mut members = Vec::new();
        for (network, kind) in all() {
            members.extend(nearest(kind, 1 << dimension)?.map(|n| (network, n)));
        }
        by_processors.push(Group { dimension, members });
    }
    let rows = rows(&by_dimension, &by_processors, |(network, dimension)| {
        let (topology, routing) = NETWORKS[network];
        let network = Network::new(topology, dimension, Some(routing), None)?;
        NetworkFigures::of(network, parameters, options.seed)
    })?;
    if let Some(svg) = svg {
        let title = format!(
            "Per processor, {} bits wide, queues {} deep, {}",
            options.size.width, options.size.depth, options.build
        );
        svg.write(&plot::svg(&title, "log2 of processors", &charts::charts(&rows))?)?;
    }
    let compared = write::Compared { rows, by_dimension, by_processors };
    options.format.report(&compared.document(options), true, || compared.text(options))
}

/// The dimension in which the topology's processors come nearest to `wanted`, by their ratio,
/// the lower of two; `None` where all are off by more than [`MOST_RATIO`].
fn nearest(kind: &TopologyKind, wanted: u32) -> anyhow::Result<Option<u32>> {
    let mut nearest: Option<(f64, u32)> = None;
    let (least, most) = kind.dimensions().expect("the networks of `--across` have one");
    for dimension in least..=most.min(DIMENSIONS.1) {
        let processors = f64::from(kind.build(dimension)?.terminals());
        let ratio = processors / f64::from(wanted);
        let ratio = ratio.max(1.0 / ratio);
        if ratio <= MOST_RATIO && nearest.is_none_or(|(least, _)| ratio < least) {
            nearest = Some((ratio, dimension));
        }
    }
    Ok(nearest.map(|(_, dimension)| dimension))
}

/// Each network once, whatever the groups that it is in.
fn rows(
    by_dimension: &[Group],
    by_processors: &[Group],
    row: impl Fn(Key) -> anyhow::Result<NetworkFigures>,
) -> anyhow::Result<BTreeMap<Key, NetworkFigures>> {
    let groups = by_dimension.iter().chain(by_processors);
    let mut keys: Vec<Key> = groups.flat_map(|group| &group.members).copied().collect();
    // The largest last.
    keys.sort_unstable_by_key(|&(network, dimension)| (dimension, network));
    keys.dedup();
    let progress = Progress::steps(keys.len() as u64, "comparing");
    let mut rows = BTreeMap::new();
    for key in keys {
        let (topology, routing) = NETWORKS[key.0];
        progress.message(format!("{topology} {} {routing}", key.1));
        rows.insert(key, row(key)?);
        progress.step();
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_of_processors() {
        let of = |name, k: u32| nearest(topology::find(name).unwrap(), 1 << k).unwrap();
        for k in 2..=12 {
            assert_eq!(of("directed-cube", k), Some(k));
        }
        // 24 of 8 are too many; then 24, 24, 64, 160, 384, 384, 896, 2048.
        let ccc: Vec<_> = (3..=11).map(|k| of("ccc", k)).collect();
        assert_eq!(ccc[0], None);
        let dimensions: Vec<u32> = ccc.into_iter().flatten().collect();
        assert_eq!(dimensions, [3, 3, 4, 5, 6, 6, 7, 8]);
        // 64 and 256 are as far from 128.
        assert_eq!(of("pv-ccc", 7), Some(4));
    }
}
