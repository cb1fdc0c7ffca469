//! Covering arrays of the options that change the hardware: every triple of values of those of
//! the switches, and every pair of these with those of the network. Each configuration is read
//! by every lint, its testbench runs on Icarus, its RTL in lockstep with the reference router.
//!
//! `make test` runs a sample of those up to 256 bits wide, the same in every run; `make sample SEED=n` draws another;
//! `make test-all` runs all.

mod array;
mod busses;
mod case;
mod ends;
mod options;

use array::{Array, Space, Tuple, every_row, holds, tuples};
use case::Networks;
use options::{Case, Factor, case_of, hardware, network};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Instant;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, MuxStyle, Parameters, PortStyle, QueueStyle, check_rtl};
use turnpike_fabric::testing::draw;
use turnpike_network::topology::{self, Topology};

/// Environment variable with the seed of the sample; 1 where there is none.
const SEED: &str = "TURNPIKE_SAMPLE_SEED";

/// Environment variable with the numbers of the only configurations to be run, as they are printed: `3,17`.
const ROWS: &str = "TURNPIKE_ROWS";

/// Configurations of switched fabrics of which a sample has one.
const PART: usize = 120;

/// Bits of a flit's data in a sample, at most.
const SAMPLED_WIDTH: u32 = 256;

/// Bits in the queues of an input, at most, where there are many inputs.
const MANY_BITS: u32 = 16 << 10;

/// Every triple of values of the options of the switches. Made once for all tests.
fn triples() -> &'static (Vec<Factor>, Array) {
    static TRIPLES: OnceLock<(Vec<Factor>, Array)> = OnceLock::new();
    TRIPLES.get_or_init(every_triple_of)
}

fn every_triple_of() -> (Vec<Factor>, Array) {
    let factors = hardware();
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let any = any_topology();
    let allowed = |row: &[Option<usize>]| goes_together(&likely_case(&factors, row), &*any);
    let space = Space { sizes: &sizes, first: 0, allowed: &allowed };
    let array = space.cover(&tuples(&sizes, 3), 1);
    (factors, array)
}

/// The configuration of a row in which what is left out goes with most: no need to try all that may follow.
fn likely_case(factors: &[Factor], row: &[Option<usize>]) -> Case {
    let mut case = case_of(factors, row);
    let is_left_out = |name| {
        let factor = factors.iter().position(|factor| factor.name == name);
        row[factor.expect("an option")].is_none()
    };
    if is_left_out("ports") {
        case.parameters.ports = PortStyle::Named;
    }
    // A terminal as wide as the network may share its ports.
    if is_left_out("width") && case.parameters.ports == PortStyle::Flat {
        case.wishes.widths.clear();
    }
    case
}

/// A topology, for what goes together on every one.
fn any_topology() -> Box<dyn Topology> {
    let kind = topology::find("hypercube").expect("a topology");
    let size = kind.sizes.small().into_iter().next().expect("it has sizes");
    kind.build(size).expect("it is small")
}

/// Whether the options of the switches and the terminals go together, whatever the network.
fn goes_together(case: &Case, any: &dyn Topology) -> bool {
    case.parameters.check().is_ok()
        && FabricPlan::check_wishes(any, &case.parameters, &case.wishes).is_ok()
}

/// Every pair of a value of an option of the network and one of any other option. Made once for all
/// tests: it asks every network.
fn pairs() -> &'static (Vec<Factor>, Array) {
    static PAIRS: OnceLock<(Vec<Factor>, Array)> = OnceLock::new();
    PAIRS.get_or_init(|| every_pair_of(&Networks::default()))
}

fn every_pair_of(networks: &Networks) -> (Vec<Factor>, Array) {
    let mut factors = network();
    let first = factors.len();
    factors.extend(hardware());
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let at = |name| factors.iter().position(|factor| factor.name == name).expect("an option");
    let of_size = ["topology", "routing"].map(at);
    let [width, depth] = ["width", "depth"].map(at);
    let allowed = |row: &[Option<usize>]| {
        let Case { network, parameters, wishes, .. } = likely_case(&factors, row);
        let [topology, routing] = of_size.map(|factor| row[factor].is_some());
        if routing && !case::takes_its_options(&network) {
            return false;
        }
        if row[..first].iter().any(Option::is_none) {
            return !(topology && routing) || networks.size(&network).is_ok();
        }
        let Ok(network) = networks.get(&network) else { return false };
        let sized = row[width].is_some() && row[depth].is_some();
        FabricPlan::check(&network, &parameters).is_ok()
            && FabricPlan::check_wishes(network.topology(), &parameters, &wishes).is_ok()
            && (!sized || is_small(&network, &parameters))
    };
    let space = Space { sizes: &sizes, first, allowed: &allowed };
    let mut wanted = tuples(&sizes, 2);
    wanted.retain(|pair| pair[0].0 < first);
    let array = space.cover(&wanted, 1);
    (factors, array)
}

/// Whether parameters do not make a network large: what is both wide and deep is tried on two
/// switches, among the triples.
fn is_small(network: &turnpike_analysis::network::Network, p: &Parameters) -> bool {
    let topology = network.topology();
    let intact = topology.intact().unwrap_or(topology);
    p.width * p.depth <= MANY_BITS && check_rtl(intact, p).is_ok()
}

/// The configurations of an array.
fn cases<'a>(factors: &'a [Factor], array: &'a Array) -> impl Iterator<Item = Case> + 'a {
    array.rows.iter().map(|row| {
        let row: Vec<Option<usize>> = row.iter().copied().map(Some).collect();
        case_of(factors, &row)
    })
}

fn shown<C: 'static>(factors: &[Factor<C>], tuple: &Tuple) -> String {
    let words = tuple.iter().map(|&(factor, value)| factors[factor].shown(value).to_string());
    words.collect::<Vec<_>>().join(", ")
}

/// Each pair of values that is not refused stands in a row.
fn every_other_pair_is_covered<C: 'static>(factors: &[Factor<C>], array: &Array) {
    let wanted = tuples(&factors.iter().map(Factor::size).collect::<Vec<_>>(), 2);
    for pair in wanted.iter().filter(|pair| !array.refused.contains(pair)) {
        assert!(array.rows.iter().any(|row| holds(row, pair)), "{}", shown(factors, pair));
    }
}

/// By brute force: a triple that no row of the array holds is in no configuration at all that
/// the generator takes.
#[test]
fn every_triple_is_covered_or_refused() {
    let (factors, array) = triples();
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let any = any_topology();
    let goes = |row: &[Option<usize>]| goes_together(&case_of(factors, row), &*any);
    // Of options that are no matter of what goes together, one value stands for all.
    let stands = silent(&sizes, &goes);
    let tried = (0..sizes.len()).map(|factor| if stands[factor] { 1 } else { sizes[factor] });
    let tried: Vec<usize> = tried.collect();
    let loud: Vec<&str> =
        (0..sizes.len()).filter(|&f| !stands[f]).map(|f| factors[f].name).collect();
    println!("what goes together is a matter of {}", loud.join(", "));
    // By triple of values, each numbered among those of all factors.
    let values: usize = sizes.iter().sum();
    let begins = |factor: usize| sizes[..factor].iter().sum::<usize>();
    let begins: Vec<usize> = (0..sizes.len()).map(begins).collect();
    let index = |triple: [(usize, usize); 3]| {
        triple.into_iter().fold(0, |all, (factor, value)| all * values + begins[factor] + value)
    };
    let mut marks = vec![false; values.pow(3)];
    for row in every_row(&tried).filter(|row| goes(row)) {
        // Its values, and all of those for which one stands.
        let of_row = |factor: usize| match stands[factor] {
            true => 0..sizes[factor],
            false => row[factor].unwrap()..row[factor].unwrap() + 1,
        };
        let held: Vec<(usize, usize)> =
            (0..sizes.len()).flat_map(|factor| of_row(factor).map(move |v| (factor, v))).collect();
        for (at, third) in held.iter().enumerate() {
            for (at, second) in held[..at].iter().enumerate() {
                for first in &held[..at] {
                    if first.0 < second.0 && second.0 < third.0 {
                        marks[index([*first, *second, *third])] = true;
                    }
                }
            }
        }
    }
    let all = tuples(&sizes, 3);
    for triple in &all {
        let covered = array.rows.iter().any(|row| holds(row, triple));
        let refused = array.refused.contains(triple);
        let can = marks[index([triple[0], triple[1], triple[2]])];
        let name = || shown(factors, triple);
        assert_eq!((covered, refused), (can, !can), "{}", name());
    }
    let whole = |row: &Vec<usize>| row.iter().copied().map(Some).collect::<Vec<_>>();
    assert!(array.rows.iter().all(|row| goes(&whole(row))), "a row is refused");
    let (rows, refused) = (array.rows.len(), array.refused.len());
    println!("{rows} rows hold {} triples; {refused} are refused", all.len() - refused);
    assert!(rows < 280, "{rows} rows");
}

/// Rows of which each gets every value of every factor in turn, to find out which factors matter.
const ASKED: u64 = 2_000;

/// By factor: whether no value of it ever changed what goes together, in a sample of rows.
fn silent(sizes: &[usize], goes: &dyn Fn(&[Option<usize>]) -> bool) -> Vec<bool> {
    let mut silent = vec![true; sizes.len()];
    for number in 0..ASKED {
        let draw = |factor: usize| hash(number, &[factor as u64]) as usize % sizes[factor];
        let row: Vec<Option<usize>> = (0..sizes.len()).map(|factor| Some(draw(factor))).collect();
        for factor in (0..sizes.len()).filter(|&factor| silent[factor]).collect::<Vec<_>>() {
            let with = |value| {
                let mut row = row.clone();
                row[factor] = Some(value);
                goes(&row)
            };
            silent[factor] = (0..sizes[factor]).all(|value| with(value) == with(0));
        }
    }
    silent
}

/// What the generator refuses of pairs, pair by pair and by name.
#[test]
fn every_pair_is_covered_or_refused() {
    let (factors, array) = pairs();
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let first = network().len();
    let all: Vec<Tuple> = tuples(&sizes, 2).into_iter().filter(|t| t[0].0 < first).collect();
    for pair in &all {
        let covered = array.rows.iter().any(|row| holds(row, pair));
        assert_ne!(covered, array.refused.contains(pair), "{}", shown(factors, pair));
    }
    let (rows, refused) = (array.rows.len(), &array.refused);
    println!("{rows} rows hold {} pairs; {} are refused", all.len() - refused.len(), refused.len());
    // A relation goes with its topologies alone, and a few options with some relations alone.
    let other = |pair: &&Tuple| pair[1].0 >= 2;
    let others: Vec<String> = refused.iter().filter(other).map(|p| shown(factors, p)).collect();
    println!("refused beside relations of other topologies:\n{}", others.join("\n"));
    assert!(rows < 330, "{rows} rows");
}

/// Runs configurations of switched fabrics, all or a sample.
fn run(name: &str, mut cases: Vec<Case>, networks: &Networks, sample: bool) {
    if sample {
        // Wide ones take minutes each; they are among all.
        cases.retain(|case| case.parameters.width <= SAMPLED_WIDTH);
    }
    run_all(name, cases.len(), sample.then_some(PART), |at| {
        let case = &cases[at];
        let plan = networks.plan(case);
        let words = plan.as_ref().map_or(format!("{case:?}"), |plan| plan.canonical());
        (words, plan.and_then(|plan| case::run(plan, case.network.vcs, case.core)))
    });
}

/// Runs every configuration of so many, or one in `part`, and says which ones failed and why. `one`
/// runs one: its words, and whether it is right.
fn run_all(
    name: &str,
    count: usize,
    part: Option<usize>,
    one: impl Fn(usize) -> (String, Result<(), String>),
) {
    let seed = std::env::var(SEED).map_or(1, |seed| seed.parse().expect("a number"));
    let mut chosen = part.map_or_else(|| (0..count).collect(), |part| draw(seed, count, part));
    if let Ok(rows) = std::env::var(ROWS) {
        chosen = rows.split(',').map(|row| row.parse().expect("a number")).collect();
    }
    if part.is_some() {
        println!("{name}: {} of {count} configurations, {SEED}={seed}", chosen.len());
    }
    let mut failures = Vec::new();
    for at in chosen {
        let begin = Instant::now();
        let (words, result) = one(at);
        println!("{name} {at}: {words}: {:.1?}", begin.elapsed());
        if let Err(error) = result {
            println!("FAILED: {error}");
            failures.push(format!("turnpike generate {words}\n{error}"));
        }
    }
    let repeat = part.map_or(String::new(), |_| format!("; {SEED}={seed} repeats this"));
    let count = failures.len();
    assert!(failures.is_empty(), "{count} failed{repeat}\n{}", failures.join("\n"));
}

/// The fabrics of the triples: eight switches, with multiplexers of up to five sources; of what
/// is wide or deep four, of what is both two.
fn run_triples(sample: bool) {
    let networks = Networks::default();
    let (factors, array) = triples();
    let cases = cases(factors, array).enumerate().map(|(at, mut case)| {
        case.network.least_dimension = match case.parameters.width * case.parameters.depth {
            0..=400 => 3,
            401..=MANY_BITS => 2,
            _ => 1,
        };
        case.network.routing = ["ecube", "rotation"][at % 2];
        case
    });
    run("triples", cases.collect(), &networks, sample);
}

fn run_pairs(sample: bool) {
    let networks = Networks::default();
    let (factors, array) = pairs();
    run("pairs", cases(factors, array).collect(), &networks, sample);
}

/// Two stages of a multiplexer, of widths 1 and 2, once had one name and one text.
#[test]
fn a_fault_that_took_three_options_at_once() {
    let parameters = Parameters {
        width: 1,
        queue: QueueStyle::Registers,
        mux: MuxStyle::Lut4,
        ..Parameters::default()
    };
    let mut case = case_of(&[], &[]);
    (case.network.least_dimension, case.network.routing) = (3, "rotation");
    case.parameters = parameters;
    run("known", vec![case], &Networks::default(), false);
}

/// What the generator takes it can make, all of it: only simulation and lints are sampled.
#[test]
fn every_pair_is_planned() {
    let networks = Networks::default();
    let (factors, array) = pairs();
    let failures: Vec<String> = cases(factors, array)
        .filter_map(|case| networks.plan(&case).err().map(|error| format!("{case:?}: {error}")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Default names tell configurations apart.
#[test]
fn no_two_configurations_have_one_name() {
    let networks = Networks::default();
    let (factors, array) = pairs();
    let (of_switches, triples) = triples();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for case in cases(factors, array).chain(cases(of_switches, triples)) {
        let Ok(plan) = networks.plan(&case) else { continue };
        let words = plan.canonical();
        let before = names.insert(plan.name.clone(), words.clone());
        assert!(before.as_ref().is_none_or(|before| *before == words), "{before:?}, {words}");
    }
    assert!(names.len() > 300, "{} names", names.len());
}

#[test]
fn a_sample_of_triples() {
    run_triples(true);
}

#[test]
fn a_sample_of_pairs() {
    run_pairs(true);
}

#[test]
#[ignore = "ten minutes: `make test-all`"]
fn every_triple() {
    run_triples(false);
}

#[test]
#[ignore = "ten minutes: `make test-all`"]
fn every_pair() {
    run_pairs(false);
}
