//! Covering array of memory-mapped ends: every pair of values of their protocols, widths and numbers,
//! and of the options of the network beneath. Each configuration is read by every lint, and its RTL
//! answers transactions.

use crate::cover::array::{Array, Space, tuples};
use crate::cover::options::{Factor, set};
use crate::cover::{every_other_pair_is_covered, run_all, shown};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_ends::Ends;
use turnpike_fabric::plan::{
    FabricPlan, Parameters, Pipeline, QueueStyle, ResetStyle, TerminalWishes,
};
use turnpike_network::topology;
use turnpike_sim_bench::verify;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::lint::every;

/// Configurations of which a sample has one.
const PART: usize = 100;

/// A network of four terminals at least: topology, values of its parameters, relation, and the
/// terminals of two managers and two subordinates.
type Below = (&'static str, &'static [&'static str], &'static str, [&'static str; 4]);

const NETWORKS: [Below; 7] = [
    ("mesh", &["2x2"], "dimension-order", ["0_0", "1_0", "0_1", "1_1"]),
    ("mesh", &["2x2"], "adaptive", ["0_0", "1_0", "0_1", "1_1"]),
    ("mesh", &["3x2"], "two-phase", ["0_0", "2_0", "0_1", "2_1"]),
    ("torus", &["3x3"], "dimension-order", ["0_0", "1_0", "2_2", "1_2"]),
    ("hypercube", &["2"], "rotation", ["00", "11", "01", "10"]),
    ("ring", &["5"], "shortest", ["0", "1", "3", "4"]),
    ("fat-tree", &["2", "2"], "up-down", ["0", "1", "2", "3"]),
];

/// A protocol and its bits of data.
type Port = (&'static str, u32);

const PORTS: [Port; 12] = [
    ("axi4", 32),
    ("axi4", 64),
    ("axi4", 8),
    ("axi4", 512),
    ("axi4-lite", 32),
    ("axi4-lite", 64),
    ("apb", 8),
    ("apb", 32),
    ("wishbone", 8),
    ("wishbone", 16),
    ("wishbone", 64),
    ("wishbone-pipelined", 32),
];

/// Ports of the other manager and the other subordinate.
const OTHERS: [Port; 3] = [("axi4", 32), ("apb", 16), ("wishbone-pipelined", 8)];

/// A configuration.
#[derive(Clone)]
struct EndsCase {
    below: Below,
    is_separate: bool,
    managers: [Port; 2],
    subordinates: [Port; 2],
    id_width: u32,
    outstanding: u32,
    burst: u32,
    reorder: Option<u32>,
    /// Transactions in flight at the subordinates.
    behind: u32,
    /// Addresses of the second subordinate.
    range: &'static str,
    parameters: Parameters,
    has_counters: bool,
}

/// Options of which what goes together is a matter: the first ones.
const LOUD: usize = 7;

/// The options, the cheapest value of each first.
fn factors() -> Vec<Factor<EndsCase>> {
    vec![
        Factor::of("network", NETWORKS, |c: &mut EndsCase, v| c.below = v),
        Factor::of("separate classes", [false, true], |c, v| c.is_separate = v),
        Factor::of("reorder", [None, Some(4), Some(64)], |c, v| c.reorder = v),
        Factor::of("depth", [4, 2, 3, 9], |c, v| c.parameters.depth = v),
        Factor::of("pipeline", Pipeline::ALL.to_vec(), |c, v| c.parameters.pipeline = v),
        Factor::of("queue", QueueStyle::ALL.to_vec(), |c, v| c.parameters.queue = v),
        Factor::of("link-registers", [0, 1], |c, v| c.parameters.link_registers = v),
        Factor::of("manager", PORTS, |c, v| c.managers[0] = v),
        Factor::of("subordinate", PORTS, |c, v| c.subordinates[0] = v),
        Factor::of("other manager", OTHERS, |c, v| c.managers[1] = v),
        Factor::of("other subordinate", OTHERS, |c, v| c.subordinates[1] = v),
        Factor::of("id-width", [4, 1, 16], |c, v| c.id_width = v),
        Factor::of("outstanding", [8, 1, 2, 5, 64], |c, v| c.outstanding = v),
        Factor::of("burst", [16, 1, 3, 256], |c, v| c.burst = v),
        Factor::of("behind", [8, 2, 3, 64], |c, v| c.behind = v),
        Factor::of("range", ["0x8000..0x8fff", "0xfff0000000..0xffffffffff"], |c, v| c.range = v),
        Factor::of("reset", [ResetStyle::High, ResetStyle::Low], |c, v| c.parameters.reset = v),
        Factor::of("counters", [false, true], |c, v| c.has_counters = v),
    ]
}

fn case_of(factors: &[Factor<EndsCase>], row: &[Option<usize>]) -> EndsCase {
    let mut case = EndsCase {
        below: NETWORKS[0],
        is_separate: false,
        managers: [PORTS[0]; 2],
        subordinates: [PORTS[0]; 2],
        id_width: 4,
        outstanding: 8,
        burst: 16,
        reorder: None,
        behind: 8,
        range: "0x8000..0x8fff",
        parameters: Parameters::default(),
        has_counters: false,
    };
    set(factors, row, &mut case);
    case
}

impl EndsCase {
    /// The file of ends: of each manager what its protocol has.
    fn file(&self) -> String {
        let Self { id_width, outstanding, burst, behind, .. } = self;
        let names = self.below.3;
        let reorder = self.reorder.map(|beats| beats.to_string()).unwrap_or_default();
        let mut text =
            "name,protocol,role,data-width,id-width,outstanding,burst,reorder,range\n".to_owned();
        for (name, (protocol, width)) in names.iter().zip(self.managers) {
            let numbers = match protocol {
                "axi4" => format!("{id_width},{outstanding},{burst},{reorder}"),
                "axi4-lite" => format!(",{outstanding},,{reorder}"),
                _ => ",,,".to_owned(),
            };
            text += &format!("{name},{protocol},manager,{width},{numbers},\n");
        }
        let ranges = ["0x0..0x1fff", self.range];
        for ((name, (protocol, width)), range) in
            names[2..].iter().zip(self.subordinates).zip(ranges)
        {
            text += &format!("{name},{protocol},subordinate,{width},,{behind},,,{range}\n");
        }
        text
    }

    /// The plan.
    ///
    /// # Errors
    /// The refusal of the generator.
    fn plan(&self) -> Result<FabricPlan, String> {
        let ends = Ends::parse(&self.file()).map_err(|error| error.to_string())?;
        let flows = ends.flows().map_err(|error| error.to_string())?;
        let (name, values, routing, _) = self.below;
        let mut values = values.iter();
        let sizes = topology::find(name).expect("a topology").sizes;
        let size = sizes.of_values(|parameter| parameter.sort.parse(values.next()?));
        let plain = Wanted::new(name, size.expect("a size"));
        let (routing, flows, separate) = (Some(routing), Some(&flows), self.is_separate);
        let network = Network::wanted(&Wanted { routing, flows, separate, ..plain })
            .map_err(|error| error.to_string())?;
        let wishes = TerminalWishes {
            ends: Some(Arc::new(ends)),
            counters: self.has_counters.then_some(1000),
            ..TerminalWishes::default()
        };
        FabricPlan::with_interfaces(Arc::new(network), self.parameters, &wishes, None)
            .map_err(|error| error.to_string())
    }
}

/// Every pair of values of two options. What is refused is so for the first options, whatever the others:
/// else a row of the array cannot be planned, which a test finds.
fn pairs() -> (Vec<Factor<EndsCase>>, Array) {
    let factors = factors();
    let sizes: Vec<usize> = factors.iter().map(Factor::size).collect();
    let known = RefCell::new(HashMap::new());
    let allowed = |row: &[Option<usize>]| {
        let loud = &row[..LOUD];
        let is_planned = || case_of(&factors, loud).plan().is_ok();
        loud.iter().any(Option::is_none)
            || *known.borrow_mut().entry(loud.to_vec()).or_insert_with(is_planned)
    };
    let space = Space { sizes: &sizes, first: LOUD, allowed: &allowed };
    let array = space.cover(&tuples(&sizes, 2), 1);
    (factors, array)
}

/// Reads the fabric with every lint, and has its ends answer transactions.
fn is_right(plan: FabricPlan) -> Result<(), String> {
    verify::ends::check(&plan)?;
    if plan.has_counters() {
        verify::counters::check(&plan)?;
    }
    let fabric = Fabric::of_plan(plan);
    match every(&fabric.sources()).into_iter().find(|report| !report.is_clean()) {
        None => Ok(()),
        Some(report) => Err(report.to_string()),
    }
}

/// The configurations of an array.
fn cases(factors: &[Factor<EndsCase>], array: &Array) -> Vec<EndsCase> {
    let whole = |row: &Vec<usize>| row.iter().copied().map(Some).collect::<Vec<_>>();
    array.rows.iter().map(|row| case_of(factors, &whole(row))).collect()
}

fn run(part: Option<usize>) {
    let (factors, array) = pairs();
    let cases = cases(&factors, &array);
    run_all("ends", cases.len(), part, |at| {
        let file = cases[at].file();
        match cases[at].plan() {
            Ok(plan) => (format!("{} with\n{file}", plan.canonical()), is_right(plan)),
            Err(error) => (file, Err(error)),
        }
    });
}

/// Each row is planned: only simulation and lints are sampled.
#[test]
fn every_pair_of_ends_is_planned() {
    let (factors, array) = pairs();
    let refusal =
        |case: &EndsCase| case.plan().err().map(|error| format!("{}{error}", case.file()));
    let refusals: Vec<String> = cases(&factors, &array).iter().filter_map(refusal).collect();
    assert!(refusals.is_empty(), "{}", refusals.join("\n"));
}

/// What is refused, pair by pair: buffers for order where packets may overtake, registers with an adaptive
/// relation, queues of depths that do not go with their style or with registers.
#[test]
fn every_pair_of_ends_is_covered_or_refused() {
    let (factors, array) = pairs();
    let refused: Vec<String> = array.refused.iter().map(|pair| shown(&factors, pair)).collect();
    println!("{} rows; refused: {refused:#?}", array.rows.len());
    let of = |pieces: [&str; 2]| {
        refused.iter().filter(|pair| pieces.iter().all(|piece| pair.contains(piece))).count()
    };
    let counts = [
        ["\"adaptive\"", "reorder"],
        ["\"two-phase\"", "reorder"],
        ["\"adaptive\"", "pipeline"],
        ["\"adaptive\"", "link-registers 1"],
        ["depth 2", "pipeline Output"],
        ["depth 9", "queue"],
    ]
    .map(of);
    assert_eq!(counts, [2, 2, 4, 1, 2, 2], "{refused:?}");
    assert_eq!(refused.len(), counts.iter().sum::<usize>(), "{refused:?}");
    every_other_pair_is_covered(&factors, &array);
    assert!(array.rows.len() < 220, "{} rows", array.rows.len());
}

#[test]
fn a_sample_of_ends() {
    run(Some(PART));
}

#[test]
#[ignore = "half an hour: `make test-all`"]
fn every_pair_of_ends() {
    run(None);
}
