//! The hardware as people read it, one module to a file of `golden/`: the builds that the
//! reference fabric of `verilog-out/` does not show. `TURNPIKE_BLESS=1 cargo test -p
//! turnpike-emit modules::` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_fabric::rtl::fabric;
use turnpike_netlist::Design;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Holds the module of a fabric whose name ends so to its file.
fn hold(file: &str, named: (&str, u32, &str), parameters: Parameters, ending: &str) {
    let (topology, dimension, routing) = named;
    let network = Network::new(topology, dimension, Some(routing), None).unwrap();
    let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
    let fabric = fabric::fabric(&plan).unwrap();
    let mut modules = fabric.modules().iter();
    let module = modules.find(|module| module.name.ends_with(ending)).expect("a module");
    let verilog = turnpike_emit::verilog_files(&Design::new(module).unwrap())
        .unwrap()
        .swap_remove(0)
        .contents;
    let path = folder().join(file);
    if std::env::var_os("TURNPIKE_BLESS").is_some() {
        fs::write(&path, verilog).unwrap();
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    let same = golden.lines().zip(verilog.lines()).take_while(|(old, new)| old == new).count();
    assert!(golden == verilog, "{file}:{}: TURNPIKE_BLESS=1 rewrites it:\n{verilog}", same + 1);
}

macro_rules! parts {
    ($($name:ident: $fabric:expr, $parameters:expr, $ending:literal;)*) => {
        $(#[test] fn $name() {
            hold(concat!(stringify!($name), ".v"), $fabric, $parameters, $ending);
        })*

        /// So that no file stands there untested.
        #[test]
        fn every_file_is_held() {
            let mut held = vec![$(concat!(stringify!($name), ".v")),*];
            held.sort_unstable();
            let files = fs::read_dir(folder()).unwrap().flatten().map(|entry| entry.file_name());
            let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
            files.sort_unstable();
            assert_eq!(files, held);
        }
    };
}

const SQUARE: (&str, u32, &str) = ("hypercube", 2, "ecube");

fn plain() -> Parameters {
    Parameters::default()
}

parts! {
    switch_of_two_vcs: ("hypercube", 3, "rotation"), plain(), "_switch";
    injector_that_refuses: ("ccc", 3, "two-stage"), plain(), "_injector";
    queue_in_block_ram: SQUARE, Parameters { depth: 33, ..plain() }, "_fifo_33";
    queue_of_shift_registers: SQUARE,
        Parameters { queue: QueueStyle::Shift, ..plain() }, "_shift_fifo_4";
    store_of_registers: SQUARE, Parameters { queue: QueueStyle::Registers, ..plain() }, "_store_4";
    arbiter_with_a_register: SQUARE,
        Parameters { pipeline: Pipeline::Grant, ..plain() }, "_registered_arbiter_2";
    matrix_arbiter: ("hypercube", 2, "adaptive"), plain(), "_matrix_arbiter_3";
    multiplexer_of_stages: SQUARE, Parameters { mux: MuxStyle::Lut4, ..plain() }, "_mux_3";
    stage_of_a_multiplexer: SQUARE, Parameters { mux: MuxStyle::Lut4, ..plain() }, "_stage_two";
}
