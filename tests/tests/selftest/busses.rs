//! The self-test of bus fabrics: no lint warns, right fabrics pass on Icarus and Verilator, and faults
//! in their Verilog are found and named.

use std::path::PathBuf;

use tempfile::TempDir;
use turnpike_bus::protocol::{Backoff, Thinning, Window};
use turnpike_bus::{BusPlan, Grid, Parameters, Protocol, SplitHash};
use turnpike_emit::bus::render;
use turnpike_emit::{Vlnv, folder};
use turnpike_fabric::board;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_tests::fabric::{sources, with_testbench};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::lint::every;
use turnpike_tests::mutate::Find::Text;
use turnpike_tests::mutate::Occurrence::{Nth, Only};
use turnpike_tests::require;
use turnpike_tests::verilator::{BuildOptions, Verilator};

use crate::selftest::faults::{Case, campaign, case};
use crate::selftest::{LIMIT, on_icarus};

/// A fabric in a folder, with its self-test on a board.
struct Written {
    plan: BusPlan,
    folder: TempDir,
}

impl Written {
    fn new(sides: &[u32], protocol: Protocol, parameters: Parameters, board: &str) -> Self {
        let grid = Grid::new(sides).unwrap();
        Self::of(BusPlan::new(grid, protocol, parameters, None).unwrap(), board)
    }

    fn of(plan: BusPlan, board: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let board = Some(board::find(board).unwrap());
        let files = render(&plan, board, &Vlnv::default()).unwrap().files;
        folder::write(&folder.path().join("fabric"), &files, false).unwrap();
        Self { plan, folder }
    }

    fn at(&self) -> PathBuf {
        self.folder.path().join("fabric")
    }

    fn top(&self) -> String {
        format!("{}_selftest", self.plan.name)
    }
}

/// One of each protocol, board and option: one bus and several, addresses without a node, funnels.
fn some() -> [Written; 5] {
    let base = Parameters::default();
    let all = Parameters { width: 24, depth: 3, source_id: true, reset_low: true, ..base };
    let window = Protocol::Window(Window::new(4).unwrap());
    let backoff = Protocol::Backoff(Backoff::new(4).unwrap());
    let thinning = Protocol::Thinning(Thinning::new(8).unwrap());
    [
        Written::new(&[4], window, base, "ice40-hx8k"),
        Written::new(&[3, 2], backoff, all, "ulx3s-85f"),
        Written::new(&[5], thinning, Parameters { width: 12, ..base }, "arty-a7-35t"),
        Written::new(&[6], Protocol::Rotor, Parameters { width: 8, ..base }, "ice40-hx8k"),
        Written::of(
            BusPlan::of_split_hash(
                SplitHash::new(5, 2, 2).unwrap(),
                1,
                Protocol::Backoff(Backoff::new(8).unwrap()),
                Parameters { width: 24, ..base },
                None,
            )
            .unwrap(),
            "ulx3s-85f",
        ),
    ]
}

#[test]
fn right_bus_fabrics_pass_without_a_warning() {
    let icarus = require::<Icarus>();
    for written in some() {
        let (folder, top) = (written.at(), written.top());
        for report in every(&sources(&folder, &top)) {
            report.assert_clean();
        }
        let Some(icarus) = &icarus else { continue };
        let fault = on_icarus(icarus, &with_testbench(&folder, &top));
        assert_eq!(fault, None, "{}", written.plan.canonical());
    }
}

/// Sixteen terminals of 32 bits on two dimensions.
#[test]
#[ignore = "half a minute: `make test-all`"]
fn a_larger_bus_fabric_passes_on_verilator() {
    let Some(verilator) = require::<Verilator>() else { return };
    let backoff = Protocol::Backoff(Backoff::new(10).unwrap());
    let written = Written::new(&[4, 4], backoff, Parameters::default(), "ulx3s-85f");
    let sources = with_testbench(&written.at(), &written.top());
    let flags = vec!["-Wall".into()];
    let options = BuildOptions { verilator_flags: flags, ..BuildOptions::default() };
    let built = verilator.build_testbench(&sources, &options).unwrap_or_else(|r| panic!("{r:?}"));
    let said = built.run(&[], LIMIT).stdout;
    assert!(said.starts_with("PASS: "), "{said}");
}

/// What words that are lost, twice or astray look like depends on what comes after them.
const ASTRAY: &[Fault] = &[Fault::Destination, Fault::Order, Fault::Data, Fault::Timeout];

/// Of `mob --shape 4x2 --protocol window --window 4`, 32 bits.
const CASES: &[Case] = &[
    case(
        "a collision is understood",
        "*_x_receiver.v",
        (Text("only = (|here) & (~(|all_but_lowest))"), Only),
        "only = |here",
        ASTRAY,
    ),
    case(
        "a sender takes itself for told",
        "*_x_sender.v",
        (Text("done = sent & told"), Only),
        "done = sent",
        &[Fault::Order, Fault::Timeout],
    ),
    case(
        "a sender is never told",
        "*_y_sender.v",
        (Text("done = sent & told"), Only),
        "done = sent & told & ~sent",
        &[Fault::Order, Fault::Timeout],
    ),
    case(
        "words for the sink go on",
        "*_switch.v",
        (Text("from_x_is_at_y = "), Only),
        "from_x_is_at_y = ~",
        &[Fault::Destination],
    ),
    case(
        "the acknowledgement is that of another",
        "*_x_bus.v",
        (Text("take[0]"), Nth(1)),
        "take[1]",
        ASTRAY,
    ),
    case(
        "a bit of the words of all sinks inverted",
        "mob_4x2_window.v",
        (Text("assign m_axis_tdata = "), Only),
        "assign m_axis_tdata = 256'd1048576 ^ ",
        &[Fault::Data],
    ),
    case(
        "no word leaves a sink",
        "mob_4x2_window.v",
        (Text("assign m_axis_tvalid = "), Only),
        "assign m_axis_tvalid = 8'd0 & ",
        &[Fault::Timeout],
    ),
];

#[test]
fn faults_of_bus_fabrics_are_found_and_named() {
    let window = Protocol::Window(Window::new(4).unwrap());
    let written = Written::new(&[4, 2], window, Parameters::default(), "ice40-hx8k");
    campaign(&written.at(), &written.top(), CASES);
}
