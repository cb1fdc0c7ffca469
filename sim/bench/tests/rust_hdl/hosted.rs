//! The circuit as rust-hdl sees it: its checks, its waveform, its simulation.

use rust_hdl::core::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::fifo::{Shape, fifo};
use turnpike_fabric::testing::{plan, plan_with};
use turnpike_netlist::{Design, Expr, Item, Module, NetInfo, NetKind};
use turnpike_sim_bench::testbench::fabric::{self, Until};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_bench::testbench::{Bench, Failure, Flow, RunError};
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rust_hdl::{HostError, Hosted, run, run_fabric};

/// What a probe of rust-hdl is shown: scopes and signals by their paths.
#[derive(Default)]
struct Shown {
    path: Vec<String>,
    scopes: Vec<String>,
    /// By path: width and kind.
    signals: BTreeMap<String, (usize, AtomKind)>,
    ids: BTreeSet<usize>,
    unconnected: Vec<String>,
}

impl Probe for Shown {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(name.to_owned());
        self.scopes.push(self.path.join("."));
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let path = format!("{}.{name}", self.path.join("."));
        assert!(self.ids.insert(signal.id()), "{path}: another signal has its identity");
        if !signal.connected() {
            self.unconnected.push(path.clone());
        }
        let seen = self.signals.insert(path.clone(), (signal.bits(), signal.kind()));
        assert!(seen.is_none(), "{path} is shown twice");
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
}

/// The nets of a module and of all below it, by path, with their drivers counted in the netlist.
fn nets(module: &Module, path: &str, into: &mut BTreeMap<String, (u32, NetKind, u32)>) {
    let of = |net: &NetInfo| format!("{path}.{}", net.name);
    let mut drivers: BTreeMap<String, u32> = BTreeMap::new();
    let mut drive = |net| *drivers.entry(of(module.net(net))).or_default() += 1;
    for item in &module.items {
        match item {
            Item::Assign { net, .. } | Item::Table { net, .. } => drive(*net),
            Item::Registers(list) => list.iter().for_each(|register| drive(register.net)),
            Item::Instance(instance) => {
                let ports = instance.module.ports().zip(&instance.connections);
                for ((_, port), at) in ports {
                    if let (NetKind::Output, Expr::Net(net)) = (port.kind, at) {
                        drive(*net);
                    }
                }
                nets(&instance.module, &format!("{path}.{}", instance.name), into);
            }
            _ => {}
        }
    }
    for net in &module.nets {
        // An input is driven from above: by an expression at the instance, or by the testbench.
        let own = drivers.get(&of(net)).copied().unwrap_or(0);
        let count = own + u32::from(net.kind == NetKind::Input);
        into.insert(of(net), (net.width, net.kind, count));
    }
}

/// rust-hdl finds no fault, and that says something: it is shown every net of the netlist, as wide
/// as it is, once, and a net that it is told is connected has one driver.
#[test]
fn rust_hdl_sees_the_whole_circuit_and_finds_no_fault() {
    for (routing, k) in [("ecube", 3), ("rotation", 3), ("thacker", 4)] {
        let plan = plan(routing, k);
        let mut circuit = Hosted::new(FabricDut::new(&plan).unwrap());
        circuit.connect_all();
        check_all(&circuit).unwrap();
        let mut shown = Shown::default();
        circuit.accept("uut", &mut shown);
        assert_eq!((shown.path.len(), shown.unconnected), (0, vec![]));
        let mut wanted = BTreeMap::new();
        nets(fabric(&plan).unwrap().top(), "uut", &mut wanted);
        for (path, (width, kind, drivers)) in &wanted {
            let top = path.matches('.').count() == 1;
            let kind = match kind {
                NetKind::Input if top => AtomKind::InputParameter,
                NetKind::Output if top => AtomKind::OutputParameter,
                _ => AtomKind::LocalSignal,
            };
            assert_eq!(shown.signals.remove(path), Some((*width as usize, kind)), "{path}");
            assert_eq!(*drivers, 1, "{path}");
        }
        // Beside the nets there are the clock and the reset.
        let rest: Vec<&str> = shown.signals.keys().map(String::as_str).collect();
        assert_eq!(rest, ["uut.clk", "uut.rst"]);
        // An injector and a switch at each node, with what is in them.
        let of_nodes = shown.scopes.iter().filter(|scope| scope.matches('.').count() == 1);
        assert_eq!(of_nodes.count(), 2 << k);
    }
}

/// A net that nothing drives is one that rust-hdl's check refuses, by its name.
#[test]
fn a_driver_that_is_taken_away_is_missed() {
    let whole = fifo("t", 8, Shape::ram(4)).unwrap();
    let driven = |item: &Item| match item {
        Item::Assign { net, .. } => Some(*net),
        _ => None,
    };
    let assigned = (0..whole.items.len()).filter(|&at| driven(&whole.items[at]).is_some());
    for at in assigned.collect::<Vec<_>>() {
        let mut module = Module::clone(&whole);
        let net = driven(&module.items.remove(at)).unwrap();
        let name = &whole.net(net).name;
        let circuit = Hosted::new(Dut::new(&Design::new(&Arc::new(module)).unwrap()));
        let error = format!("{:?}", check_all(&circuit).expect_err(name));
        assert!(error.contains(&format!("\"{name}\"")), "{name}: {error}");
    }
}

#[test]
fn a_circuit_changes_when_its_inputs_or_its_state_do_and_then_no_more() {
    let dut = Dut::new(&Design::new(&fifo("t", 8, Shape::ram(4)).unwrap()).unwrap());
    let (in_valid, out_valid) = (dut.port("in_valid"), dut.port("out_valid"));
    let mut hosted = Hosted::new(dut);
    let update = |hosted: &mut Hosted<Dut>| {
        hosted.update_all();
        hosted.has_changed()
    };
    // Inputs with the clock low, then the edge; after each, rest.
    hosted.circuit.set_reset(true);
    assert!(update(&mut hosted) && !update(&mut hosted));
    hosted.clock.next = true.into();
    assert!(update(&mut hosted) && !update(&mut hosted));
    hosted.circuit.set_reset(false);
    hosted.circuit.set(in_valid, 1);
    hosted.clock.next = false.into();
    assert!(update(&mut hosted) && !update(&mut hosted));
    assert_eq!(hosted.circuit.get(out_valid), 0);
    hosted.clock.next = true.into();
    assert!(update(&mut hosted) && !update(&mut hosted));
    assert_eq!(hosted.circuit.get(out_valid), 1);
    // A falling edge changes no state.
    hosted.clock.next = false.into();
    assert!(update(&mut hosted) && !update(&mut hosted));
    assert_eq!(hosted.circuit.get(hosted.circuit.evaluator().find("push").unwrap()), 1);
    assert!(hosted.circuit.find_port("no_such_port").is_none());
}

#[test]
fn the_waveform_shows_the_hierarchy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.vcd");
    let plan = plan("rotation", 3);
    let stimulus = Stimulus::new(&plan, 1).with_pauses(0.0, 0.7).with_all_pairs(9);
    let stimulus = Arc::new(stimulus);
    let circuit = FabricDut::new(&plan).unwrap();
    let cycles = run_fabric(circuit, &plan, &stimulus, Until::Delivered(1_000), Some(&path))
        .unwrap()
        .digests
        .len() as u64;

    let mut parser = vcd::Parser::new(BufReader::new(File::open(&path).unwrap()));
    let header = parser.parse_header().unwrap();
    let id = |path: &[&str]| header.find_var(path).unwrap_or_else(|| panic!("{path:?}")).code;
    let clock = id(&["uut", "clk"]);
    let ready = id(&["uut", "s_axis_tready"]);
    let full = id(&["uut", "n101_switch", "inject_fifo", "in_ready"]);
    id(&["uut", "rst"]);
    id(&["uut", "n000_injector", "out_header"]);
    let (mut edges, mut fills, mut ready_width, mut last) = (0, 0, 0, 0);
    for command in parser {
        match command.unwrap() {
            vcd::Command::ChangeScalar(code, vcd::Value::V1) if code == clock => edges += 1,
            vcd::Command::ChangeScalar(code, vcd::Value::V0) if code == full => fills += 1,
            vcd::Command::ChangeVector(code, value) if code == ready => ready_width = value.len(),
            vcd::Command::Timestamp(at) => last = at,
            _ => {}
        }
    }
    assert_eq!(edges, cycles + 1, "the reset's cycle, and all others");
    assert!(fills > 0, "the injection queue was full at times");
    assert_eq!((ready_width, last), (8, 10_000 * (cycles + 1)));
}

/// The evaluator by itself and rust-hdl's simulation run one testbench alike: what the fabric does
/// in every cycle, and the bytes of the waveform.
#[test]
fn by_itself_and_in_rust_hdl_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (routing, k) in [("ecube", 2), ("rotation", 3), ("thacker", 4)] {
        let plan = plan(routing, k);
        let stimulus = Stimulus::new(&plan, 1).with_pauses(0.1, 0.4).with_all_pairs(5);
        let stimulus = Arc::new(stimulus);
        let circuit = || FabricDut::new(&plan).unwrap();
        let until = Until::Delivered(2_000);
        let [own, hosted] = ["own.vcd", "rust_hdl.vcd"].map(|name| folder.path().join(name));
        let by_itself = fabric::run_fabric(circuit(), &plan, &stimulus, until, Some(&own)).unwrap();
        let in_rust_hdl = run_fabric(circuit(), &plan, &stimulus, until, Some(&hosted)).unwrap();
        assert_eq!(by_itself, in_rust_hdl);
        assert!(std::fs::read(&own).unwrap() == std::fs::read(&hosted).unwrap(), "{routing} {k}");
    }
}

/// The wrong circuit for a plan is found out, and the failure says where.
#[test]
fn a_difference_is_named_by_cycle_terminal_and_signal() {
    let stimulus = |plan: &_| Arc::new(Stimulus::new(plan, 1).with_all_pairs(9));
    let expected = plan_with("ecube", 3, None, 4);
    let circuit = FabricDut::new(&plan_with("ecube", 3, None, 3)).unwrap();
    let error = run_fabric(circuit, &expected, &stimulus(&expected), Until::Delivered(999), None);
    let HostError::Run(RunError::Failure(failure)) = error.unwrap_err() else {
        panic!("no failure")
    };
    assert_eq!(failure.signal, "s_axis_tready");
    assert!((3..20).contains(&failure.cycle), "{failure}");
    assert!(failure.place.starts_with("terminal "), "{failure}");
    assert!(failure.to_string().contains("s_axis_tready is 0x0, not 0x1"), "{failure}");

    // Another relation: the same terminals, other routes.
    let circuit = FabricDut::new(&plan("rotation", 3)).unwrap();
    let error = run_fabric(circuit, &expected, &stimulus(&expected), Until::Delivered(999), None);
    assert!(matches!(error, Err(HostError::Run(RunError::Failure(_)))), "{error:?}");

    // Too little time.
    let circuit = FabricDut::new(&expected).unwrap();
    let error = run_fabric(circuit, &expected, &stimulus(&expected), Until::Delivered(9), None);
    assert!(error.unwrap_err().to_string().contains("flits delivered is"), "too little time");
}

struct Panics;

impl Bench<Dut> for Panics {
    fn drive(&mut self, _dut: &mut Dut) -> Result<(), Failure> {
        Ok(())
    }
    fn check(&mut self, _dut: &Dut) -> Result<Flow, Failure> {
        panic!("on purpose");
    }
}

#[test]
fn a_bench_that_panics_ends_the_simulation() {
    let dut = Dut::new(&Design::new(&fifo("t", 8, Shape::ram(4)).unwrap()).unwrap());
    let error = run(dut, Panics, None).err().unwrap();
    assert!(matches!(error, HostError::Simulation(SimError::SimPanic)), "{error}");
}

#[test]
fn a_waveform_that_cannot_be_written_is_an_error_with_its_path() {
    let dut = Dut::new(&Design::new(&fifo("t", 8, Shape::ram(4)).unwrap()).unwrap());
    let path = std::path::Path::new("/nowhere/at/all.vcd");
    let error = run(dut, Panics, Some(path)).err().unwrap();
    assert!(error.to_string().starts_with("/nowhere/at/all.vcd: "), "{error}");
}
