//! Covering array of the options of bus fabrics: every pair of their values that go together. Each
//! configuration is read by every lint, its RTL runs in lockstep with the reference model, and its
//! testbench on Icarus.

use crate::cover::array::{Array, Space, tuples};
use crate::cover::options::{Factor, set};
use crate::cover::{every_other_pair_is_covered, run_all, shown};
use std::time::Duration;
use turnpike_bus::protocol::{Backoff, Protocol, Thinning, Window};
use turnpike_bus::protocol::{PROTOCOLS, backoff, thinning, window};
use turnpike_bus::{BusPlan, Grid, Parameters, SplitHash};
use turnpike_emit::bus::render;
use turnpike_emit::{Vlnv, folder};
use turnpike_sim_bench::verify::CheckVerdict;
use turnpike_sim_bench::verify::bus::run_bus;
use turnpike_tests::fabric::{sources, with_testbench};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::lint::every;
use turnpike_tests::require;

const LIMIT: Duration = Duration::from_secs(1800);

/// Configurations of which a sample has one.
const PART: usize = 30;

/// The numbers of a protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbers {
    Usual,
    Small,
    Large,
}

/// A network of busses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Network {
    /// A grid of these sides.
    Grid(&'static [u32]),
    /// A split&hash network of this side, of two levels and factor 2.
    SplitHash(u32),
}

impl Network {
    /// The most senders on a bus; `None` where there is no such network.
    fn most_senders(self) -> Option<u32> {
        Some(match self {
            Self::Grid(sides) => Grid::new(sides).ok()?.longest_bus(),
            Self::SplitHash(side) => SplitHash::new(side, 2, 2).ok()?.most_senders(),
        })
    }
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BusCase {
    network: Network,
    protocol: &'static str,
    numbers: Numbers,
    parameters: Parameters,
}

/// The options, the cheapest value of each first.
fn factors() -> Vec<Factor<BusCase>> {
    // One bus, of two nodes, of an odd number, full addresses and not; up to four dimensions; funnels.
    let sides: [&[u32]; 8] = [&[4], &[2], &[3], &[7], &[2, 2], &[3, 4], &[2, 3, 2], &[2, 2, 3, 2]];
    let grids = sides.into_iter().map(Network::Grid);
    let networks = grids.chain([Network::SplitHash(4), Network::SplitHash(5)]);
    vec![
        Factor::of("network", networks, |c: &mut BusCase, v| c.network = v),
        Factor::of("protocol", PROTOCOLS.iter().map(|k| k.name), |c, v| c.protocol = v),
        Factor::of("numbers", [Numbers::Usual, Numbers::Small, Numbers::Large], |c, v| {
            c.numbers = v;
        }),
        Factor::of("width", [8, 1, 2, 33, 70], |c, v| c.parameters.width = v),
        Factor::of("depth", [4, 2, 3, 9, 33], |c, v| c.parameters.depth = v),
        Factor::of("source-id", [false, true], |c, v| c.parameters.source_id = v),
        Factor::of("reset low", [false, true], |c, v| c.parameters.reset_low = v),
        Factor::of("draw-seed", [1, 7], |c, v| c.parameters.draw_seed = v),
    ]
}

fn case_of(factors: &[Factor<BusCase>], row: &[Option<usize>]) -> BusCase {
    let mut case = BusCase {
        network: Network::Grid(&[4]),
        protocol: PROTOCOLS[0].name,
        numbers: Numbers::Usual,
        parameters: Parameters::default(),
    };
    set(factors, row, &mut case);
    case
}

/// The plan of a configuration; `None` where its protocol does not have such numbers.
fn plan(case: &BusCase) -> Option<BusPlan> {
    let kind = PROTOCOLS.iter().find(|kind| kind.name == case.protocol)?;
    let depth = case.parameters.depth;
    let least = (depth + 1).next_power_of_two();
    let small = case.numbers == Numbers::Small;
    // So many senders meet that a word hardly ever gets through.
    if small && matches!(case.network, Network::SplitHash(_)) {
        return None;
    }
    let protocol = match case.protocol {
        _ if case.numbers == Numbers::Usual => (kind.usual)(case.network.most_senders()?, depth),
        name if name == window::KIND.name => {
            Protocol::Window(Window::new(if small { 2 } else { 24 }).ok()?)
        }
        name if name == backoff::KIND.name => {
            Protocol::Backoff(Backoff::new(if small { 1 } else { 12 }).ok()?)
        }
        name if name == thinning::KIND.name => {
            Protocol::Thinning(Thinning::new(if small { least } else { 4 * least }).ok()?)
        }
        _ => return None,
    };
    match case.network {
        Network::Grid(sides) => {
            BusPlan::new(Grid::new(sides).ok()?, protocol, case.parameters, None).ok()
        }
        Network::SplitHash(side) => {
            let network = SplitHash::new(side, 2, 2).ok()?;
            BusPlan::of_split_hash(network, 1, protocol, case.parameters, None).ok()
        }
    }
}

fn pairs() -> (Vec<Factor<BusCase>>, Array) {
    let factors = factors();
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let allowed = |row: &[Option<usize>]| {
        row.iter().any(Option::is_none) || plan(&case_of(&factors, row)).is_some()
    };
    let space = Space { sizes: &sizes, first: 0, allowed: &allowed };
    let array = space.cover(&tuples(&sizes, 2), 1);
    (factors, array)
}

/// Emits the fabric, reads it with every lint, runs it in lockstep with the reference model, and its
/// testbench on Icarus.
fn is_right(plan: &BusPlan) -> Result<(), String> {
    let written = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = written.path().join("fabric");
    folder::write(
        &at,
        &render(plan, None, &Vlnv::default()).map_err(|e| e.to_string())?.files,
        false,
    )
    .map_err(|e| e.to_string())?;
    if let Some(report) =
        every(&sources(&at, &plan.name)).into_iter().find(|report| !report.is_clean())
    {
        return Err(report.to_string());
    }
    let checks = run_bus(plan, &mut |_| ());
    if let Some(check) = checks.iter().find(|check| check.verdict != CheckVerdict::Holds) {
        return Err(format!("{check:?}"));
    }
    let Some(icarus) = require::<Icarus>() else { return Ok(()) };
    let report = icarus.simulate_in(&at, &with_testbench(&at, &plan.name), LIMIT);
    match report.is_clean() && report.run.stdout.starts_with("PASS: ") {
        true => Ok(()),
        false => Err(report.to_string()),
    }
}

fn run(part: Option<usize>) {
    let (factors, array) = pairs();
    run_all("busses", array.rows.len(), part, |at| {
        let row: Vec<Option<usize>> = array.rows[at].iter().copied().map(Some).collect();
        let plan = plan(&case_of(&factors, &row)).expect("as the array allows");
        (plan.canonical(), is_right(&plan))
    });
}

/// What is refused, pair by pair: senders that take turns on several busses, or with numbers; funnels
/// with numbers for few senders.
#[test]
fn every_pair_of_busses_is_covered_or_refused() {
    let (factors, array) = pairs();
    let refused: Vec<String> = array.refused.iter().map(|pair| shown(&factors, pair)).collect();
    println!("{} rows; refused: {refused:?}", array.rows.len());
    let turns = |pair: &&String| pair.contains("\"rotor\"");
    let (turns, funnels): (Vec<_>, Vec<_>) = refused.iter().partition(turns);
    // Four grids of several busses, two split&hash networks, two kinds of numbers.
    assert_eq!(turns.len(), 4 + 2 + 2, "{refused:?}");
    assert_eq!(funnels.len(), 2, "{refused:?}");
    assert!(funnels.iter().all(|p| p.contains("SplitHash") && p.contains("Small")), "{refused:?}");
    every_other_pair_is_covered(&factors, &array);
    assert!(array.rows.len() < 60, "{} rows", array.rows.len());
}

/// Every parameter has a line. This stops compiling where one is added.
#[test]
fn every_parameter_of_busses_is_listed() {
    let Parameters { width: _, depth: _, source_id: _, reset_low: _, draw_seed: _ } =
        Parameters::default();
    let names: Vec<&str> = factors().iter().map(|factor| factor.name).collect();
    assert_eq!(names[3..], ["width", "depth", "source-id", "reset low", "draw-seed"]);
}

#[test]
fn a_sample_of_busses() {
    run(Some(PART));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_pair_of_busses() {
    run(None);
}
