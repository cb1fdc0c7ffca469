//! Faults in the fabric's Verilog, each as a hand could make it or a chip could have it: the
//! self-test fails, and its LEDs say what was seen.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_fabric::testing::sample;
use turnpike_tests::fabric::{Fabric, with_testbench};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::mutate::Find::{self, Regex, Text};
use turnpike_tests::mutate::Occurrence::{self, Nth, Only};
use turnpike_tests::mutate::{Mutant, all_can_be_made};
use turnpike_tests::require;

use crate::selftest::{every_option, on_icarus};

/// A fault with what the LEDs may say.
pub type Case = (Mutant, &'static [Fault]);

/// What beats that are lost, twice or astray look like depends on what comes after them.
const ASTRAY: &[Fault] = &[Fault::Destination, Fault::Order, Fault::Data, Fault::Length];

pub const fn case(
    name: &'static str,
    file: &'static str,
    (find, occurrence): (Find, Occurrence),
    replace: &'static str,
    fault: &'static [Fault],
) -> Case {
    (Mutant { name, file, find, replace, occurrence }, fault)
}

/// Faults that are tried at the same time.
const WORKERS: usize = 2;

const FABRIC: &str = "hypercube_2_ecube.v";
const FABRIC_WITH_OPTIONS: &str = "*_id_user3_keep.v";
const SWITCH: &str = "*_switch.v";
const INJECTOR: &str = "*_injector.v";

/// Of `hypercube --dim 2 --routing ecube`, 32 bits.
const CASES: &[Case] = &[
    // Links: node 00 hears node 01 by dim0.
    case(
        "a data bit of a link stuck at 0",
        FABRIC,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit & ~33'd65536)",
        &[Fault::Data],
    ),
    case(
        "two data bits of a link exchanged",
        FABRIC,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit({n01_dim0_flit[32:31], n01_dim0_flit[29], n01_dim0_flit[30], \
         n01_dim0_flit[28:0]})",
        &[Fault::Data],
    ),
    case(
        "tlast of a link stuck at 0",
        FABRIC,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit & ~33'd4294967296)",
        &[Fault::Length],
    ),
    case(
        "tlast comes too early",
        FABRIC,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit | {n01_dim0_flit[5] & n01_dim0_flit[9], 32'd0})",
        ASTRAY,
    ),
    case(
        "a link loses some flits",
        FABRIC,
        (Text(".dim0_in_valid(n01_dim0_valid)"), Only),
        ".dim0_in_valid(n01_dim0_valid & (n01_dim0_flit[20:16] != 5'd7))",
        ASTRAY,
    ),
    case(
        "a link is stuck",
        FABRIC,
        (Text(".dim0_out_ready(n01_dim0_ready)"), Only),
        ".dim0_out_ready(1'd0)",
        &[Fault::Timeout],
    ),
    case(
        "a header bit of a link inverted",
        FABRIC,
        (Text(".dim0_in_header(n01_dim0_header)"), Only),
        ".dim0_in_header(~n01_dim0_header)",
        &[Fault::Destination],
    ),
    case(
        "a node with another's address",
        FABRIC,
        (Text(".address(2'd1)"), Only),
        ".address(2'd3)",
        &[Fault::Destination],
    ),
    // Terminals.
    case(
        "beats vanish at the terminals",
        FABRIC,
        (Regex(r"assign m_axis_tvalid = ([^;]*);"), Only),
        "assign m_axis_tvalid = ${1} & {4{~m_axis_tdata[3] | m_axis_tready[0]}};",
        ASTRAY,
    ),
    case(
        "a good packet is called refused",
        FABRIC,
        (Text("s_axis_error = 4'd0"), Only),
        "s_axis_error = 4'd4",
        &[Fault::Protocol],
    ),
    case(
        "beats come twice",
        INJECTOR,
        (Text("in_ready = out_ready"), Only),
        "in_ready = out_ready & ~(in_flit[4] & in_flit[20])",
        ASTRAY,
    ),
    case(
        "tdest counts on every beat",
        INJECTOR,
        (Text("inside_packet ? kept_difference : (in_dest ^ address)"), Only),
        "in_dest ^ address",
        ASTRAY,
    ),
    // Inside a switch.
    case(
        "a crosspoint's select exchanged",
        "*_mux_2.v",
        (Text("& in0) | ({WIDTH{select[1]}} & in1)"), Only),
        "& in1) | ({WIDTH{select[1]}} & in0)",
        ASTRAY,
    ),
    case(
        "a header bit is not cleared",
        SWITCH,
        (Regex(r"dim0_out_header = [^;]*;"), Only),
        "dim0_out_header = inject_header[0];",
        &[Fault::Destination],
    ),
    case(
        "a queue's head never leaves",
        SWITCH,
        (Text(".out_ready(dim1_pop)"), Only),
        ".out_ready(1'd0)",
        ASTRAY,
    ),
    case(
        "packets are interleaved",
        "*_arbiter_*.v",
        (Regex(r"<= ~done;"), Nth(1)),
        "<= 1'd0;",
        ASTRAY,
    ),
];

/// Of the same with every option: a flit is `{last, id [2], user [3], keep [3], data [24]}`.
const CASES_WITH_OPTIONS: &[Case] = &[
    case(
        "a bit of tkeep stuck at 1",
        FABRIC_WITH_OPTIONS,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit | 33'h2000000)",
        &[Fault::Data],
    ),
    case(
        "a bit of tuser stuck at 0",
        FABRIC_WITH_OPTIONS,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit & ~33'h8000000)",
        &[Fault::Data],
    ),
    case(
        "a bit of tid inverted",
        FABRIC_WITH_OPTIONS,
        (Text(".dim0_in_flit(n01_dim0_flit)"), Only),
        ".dim0_in_flit(n01_dim0_flit ^ 33'h40000000)",
        &[Fault::Id],
    ),
];

/// Runs the self-test of this name in a folder with each of these faults, one at a time.
pub fn campaign(folder: &Path, top: &str, cases: &[Case]) {
    let Some(icarus) = require::<Icarus>() else { return };
    all_can_be_made(folder, cases.iter().map(|(mutant, _)| mutant));
    let cases = sample("faults", cases);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some((mutant, faults)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let copy = mutant.apply(folder).unwrap_or_else(|e| panic!("{e}"));
            let seen = on_icarus(&icarus, &with_testbench(copy.path(), top));
            println!("{}: {seen:?}", mutant.name);
            if !seen.is_some_and(|fault| faults.contains(&fault)) {
                wrong.lock().unwrap().push(format!("{}: {seen:?}, not {faults:?}", mutant.name));
            }
        }
    };
    thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn of_cube(parameters: Parameters, cases: &[Case]) {
    let fabric = Fabric::with_selftest("hypercube 2 ecube", parameters, "ice40-hx8k");
    campaign(&fabric.folder(), &format!("{}_selftest", fabric.plan.name), cases);
}

#[test]
fn faults_are_found_and_named() {
    of_cube(Parameters::default(), CASES);
}

#[test]
fn faults_beside_the_data_are_found_and_named() {
    of_cube(every_option(), CASES_WITH_OPTIONS);
}
