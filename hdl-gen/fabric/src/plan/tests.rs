//! Plans of small fabrics, and relations that contradict themselves.

use super::*;
use crate::testing::{FEW_FABRICS, plan_of};
use std::collections::BTreeSet;
use turnpike_network::routing::twisted::Twisted;
use turnpike_network::routing::{self, HeaderUpdate, Input, Select, Vc, low_bits};
use turnpike_network::topology::{self, Limit, Port, Terminal};

fn plan(routing: &str, k: u32) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).unwrap();
    FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
}

#[test]
fn queues_and_headers_of_ecube_shrink_with_the_dimension() {
    let plan = plan("ecube", 4);
    let headers: Vec<_> = plan.switches[0].queues.iter().map(|q| q.header.clone()).collect();
    assert_eq!(
        headers,
        [vec![0, 1, 2, 3], vec![1, 2, 3], vec![2, 3], vec![3], vec![]],
        "dim<i> carries only the bits above i"
    );
}

#[test]
fn rotation_builds_only_the_queues_in_use() {
    for k in 3..=10 {
        let plan = plan("rotation", k);
        let network = plan.switches[0].queues.len() - 1;
        assert_eq!(network as u32, 2 * (k - 1), "k={k}");
    }
}

/// Verdict of the plan on a relation that was twisted.
fn twisted(
    (topology, dimension, routing): (&str, u32, &str),
    twist: fn(&mut Twisted),
) -> Result<(), String> {
    let topology = topology::find(topology).unwrap().build(dimension).unwrap();
    let mut relation = Twisted::new(routing::build(routing, &*topology).unwrap());
    twist(&mut relation);
    let network = Network::of(topology, relation.relation(), None).unwrap();
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None);
    plan.map(drop).map_err(|error| error.to_string())
}

fn reversed(select: Select) -> Select {
    select.with_rules(|rules, one_hot| (rules.into_iter().rev().collect(), one_hot))
}

/// Route logic, header updates, choices and injectors are each held against the definition.
#[test]
fn hardware_that_contradicts_its_relation_is_refused() {
    let ecube = ("hypercube", 3, "ecube");
    let rotation = ("hypercube", 3, "rotation");
    let adaptive = ("hypercube", 3, "adaptive");
    for fabric in [ecube, rotation, adaptive, ("directed-cube", 3, "adaptive")] {
        assert_eq!(twisted(fabric, |_| ()), Ok(()), "{fabric:?}");
    }
    let cases: [(_, fn(&mut Twisted), _); 8] = [
        (
            ecube,
            |r| {
                r.select = |_, input, _, select| match input {
                    Input::Inject(_) => reversed(select),
                    Input::Network(_) => select,
                };
            },
            "the route logic of inject for header 0b11 says",
        ),
        (
            ecube,
            |r| {
                r.select = |_, input, _, select| match input {
                    Input::Network(Port(0)) => reversed(select),
                    _ => select,
                };
            },
            "the route logic of dim0 for header 0b110 says",
        ),
        // A virtual channel that the relation does not use there.
        (
            rotation,
            |r| {
                r.select = |_, _, _, mut select| {
                    select.ways_mut().for_each(|way| way.vc = Some(Vc(1)));
                    select
                };
            },
            "the route logic of inject for header",
        ),
        (
            ecube,
            |r| {
                r.carry = |_, output, carry| match output {
                    Port(1) => HeaderUpdate::keeping(low_bits(3)),
                    _ => carry,
                };
            },
            "the route logic of inject for header 0b10 says",
        ),
        // More than the relation offers, and less.
        (
            adaptive,
            |r| {
                r.choice = |_, mut choice| {
                    choice.ways.extend_from_within(..1);
                    choice
                };
            },
            "the route logic of inject for header 0b1 says",
        ),
        (
            adaptive,
            |r| {
                r.choice = |input, mut choice| {
                    if input == Input::Network(Port(0)) {
                        choice.ways.remove(0);
                    }
                    choice
                };
            },
            "the route logic of dim0_vc0 for header",
        ),
        (
            ecube,
            |r| {
                r.injection = |_, mut injection| {
                    injection.keeps_view = false;
                    injection
                };
            },
            "gives the packet from 000 to 001 the header 0b0, the relation 0b1",
        ),
        (
            ("directed-cube", 3, "adaptive"),
            |r| r.carry = |_, _, _| HeaderUpdate::keeping(low_bits(3)),
            "the route logic of inject for header",
        ),
    ];
    for (fabric, twist, wanted) in cases {
        let error = twisted(fabric, twist).expect_err(wanted);
        assert!(error.contains(wanted), "{error}, not {wanted}");
    }
}

/// The full crossbar has every turn of the fabric's VCs and none of others.
#[test]
fn the_full_crossbar_is_of_the_fabrics_vcs() {
    for (topology, dimension, routing) in
        [("hypercube", 4, "rotation"), ("hypercube", 3, "ecube"), ("ccc", 3, "two-stage")]
    {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        let vcs = network.relation().vcs();
        for class in &network.turns().classes {
            let full = full_crossbar_switch(&network, class, "full".to_owned());
            assert!(full.output_vcs.iter().all(|lane| lane.vc.0 < vcs), "{topology} {routing}");
            let ports = network.topology().ports();
            let there = (0..ports).map(Port);
            let there = there.filter(|&p| network.topology().channel(class.site, p).is_some());
            assert_eq!(full.outputs.len(), there.count() + 1, "every port and eject");
            assert_eq!(full.queues.len(), class.queues().count());
            assert!(class.turns.keys().all(|turn| full.turns.contains(turn)));
        }
    }
}

/// The words that make a fabric again: every option that is not its default, and no other.
#[test]
fn the_canonical_form_names_every_option() {
    let network =
        |routing, vcs| Arc::new(Network::new("hypercube", 3, Some(routing), vcs).unwrap());
    let words = |network: Arc<Network>, parameters| {
        FabricPlan::new(network, parameters, Some("net")).unwrap().canonical()
    };
    let base = Parameters::default();
    let plain = "hypercube --dim 3 --routing ecube --width 32 --depth 4 --name net";
    assert_eq!(words(network("ecube", None), base), plain);
    for (parameters, wanted) in [
        (Parameters { source_id: true, ..base }, " --source-id"),
        (Parameters { user_width: 1, ..base }, " --user-width 1"),
        (Parameters { keep: true, ..base }, " --keep"),
        (Parameters { pipeline: Pipeline::Grant, ..base }, " --pipeline 1"),
        (Parameters { link_registers: 3, ..base }, " --link-registers 3"),
        (Parameters { queue: QueueStyle::Shift, ..base }, " --queue shift"),
        (Parameters { mux: MuxStyle::Lut4, ..base }, " --mux lut4"),
    ] {
        let wanted = plain.replace(" --name", &format!("{wanted} --name"));
        assert_eq!(words(network("ecube", None), parameters), wanted);
    }
    let deadlocks = words(network("rotation", Some(1)), base);
    assert!(deadlocks.contains("--routing rotation --vcs 1 --allow-deadlock --width"));
    let drawn = Network::new("directed-cube", 3, Some("random-static"), None).unwrap();
    assert!(words(Arc::new(drawn), base).contains("random-static --route-seed 1 --width"));
    let failed = ["001".to_owned(), "110".to_owned()];
    let wanted = turnpike_analysis::network::Wanted {
        failed: &failed,
        ..turnpike_analysis::network::Wanted::new("hypercube", 3)
    };
    let plan = FabricPlan::new(Arc::new(Network::wanted(&wanted).unwrap()), base, None).unwrap();
    assert_eq!(plan.name, "hypercube_3_ecube_without_001_without_110");
    assert!(plan.canonical().contains("--failed 001 --failed 110 --width"));
}

/// Classes, injectors and terminals where nodes differ.
#[test]
fn nodes_that_differ_have_modules_of_their_own() {
    let plan = |topology, dimension, routing| {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    };
    let cube = plan("hypercube", 3, "ecube");
    assert!(!cube.refuses_any() && !cube.registers_injection());
    assert!((0..8).map(Terminal).all(|source| cube.injector_of(source) == Some(0)));
    // By fabric: how many classes of switches and of injectors, at least.
    for (plan, switches, injectors) in [
        (cube, 1, 1),
        (plan("directed-cube", 3, "static"), 2, 1),
        (plan("ccc", 3, "shortest"), 1, 3),
    ] {
        let numbered = |all: usize, part: &str, at: usize| match all {
            1 => format!("{}_{part}", plan.name),
            _ => format!("{}_{part}_{at}", plan.name),
        };
        let (all, of) = (plan.switches.len(), plan.injectors.len());
        assert!(all >= switches && of >= injectors, "{}: {all} {of}", plan.name);
        for (at, switch) in plan.switches.iter().enumerate() {
            assert_eq!(switch.name, numbered(all, "switch", at));
        }
        for (at, injector) in plan.injectors.iter().enumerate() {
            assert_eq!(injector.name, numbered(of, "injector", at));
        }
    }

    // Switches without a terminal, and addresses that no terminal has.
    let arcs = plan("arc-cube", 2, "shortest");
    assert_eq!(arcs.sources().len() as u32, arcs.topology().terminals());
    for terminal in (0..arcs.topology().nodes()).map(Terminal) {
        let has_slice = arcs.slice(Side::Source, terminal).is_some();
        assert_eq!(has_slice, terminal.0 < arcs.topology().terminals());
        assert_eq!(arcs.injector_of(terminal).is_some(), has_slice);
    }
    assert!(plan("ccc", 3, "shortest").refuses_any());
}

/// Every bit of every port is one terminal's, and named ports are whole signals.
#[test]
fn every_bit_of_a_port_is_a_terminals() {
    for fabric in FEW_FABRICS.iter().copied().chain(["wired mixed shortest"]) {
        for &ports in PortStyle::ALL {
            let parameters =
                Parameters { ports, source_id: true, user_width: 3, ..Parameters::default() };
            let plan = plan_of(fabric, parameters);
            let mut taken = BTreeSet::new();
            for side in [Side::Source, Side::Sink] {
                for &terminal in plan.terminals_of(side) {
                    for signal in plan.signals(side) {
                        let bits = plan.port_bits(side, terminal, signal.name).unwrap();
                        assert!(ports == PortStyle::Flat || bits.low == 0);
                        for bit in bits.low..bits.low + bits.width {
                            assert!(taken.insert((bits.port.clone(), bit)), "{bits:?}");
                        }
                    }
                }
            }
            let all = plan.terminal_ports();
            let all = all.iter().flat_map(|p| (0..p.width()).map(|bit| (p.name.clone(), bit)));
            assert_eq!(taken, all.collect(), "{fabric}");
        }
    }
    let named = Parameters { ports: PortStyle::Named, ..Parameters::default() };
    let plan = plan_of("mesh 3x2 dimension-order", named);
    let names: Vec<String> = plan.terminal_ports().into_iter().map(|port| port.name).collect();
    assert_eq!(names[..2], ["s_0_0_axis_tvalid", "s_0_0_axis_tready"]);
    assert_eq!(names[5], "s_0_0_axis_error");
    assert_eq!(names.last().unwrap(), "m_2_1_axis_tlast");
}

/// Latency as the module's own documentation counts it: a cycle into the injection queue, one
/// per channel, one more at each for every register.
#[test]
fn latency_counts_registers() {
    for (pipeline, registers) in [(Pipeline::None, 0), (Pipeline::Grant, 1), (Pipeline::Output, 2)]
    {
        for (topology, routing, injection) in
            [("hypercube", "ecube", 1), ("hypercube", "rotation", 2), ("ccc", "two-stage", 1)]
        {
            let network = Network::new(topology, 3, Some(routing), None).unwrap();
            let network = Arc::new(network);
            for link_registers in [0, 1, 5] {
                let parameters = Parameters { pipeline, link_registers, ..Parameters::default() };
                let plan = FabricPlan::new(Arc::clone(&network), parameters, None).unwrap();
                let ends = (plan.injection_cycles(), plan.ejection_cycles());
                assert_eq!(ends, (injection, registers));
                for hops in 0..4 {
                    let wanted = injection + hops * (1 + registers + link_registers) + registers;
                    assert_eq!(plan.zero_load_latency(hops), wanted, "{pipeline} {hops}");
                }
            }
        }
    }
}

/// The fields of a flit and their sum, with each option alone and all together.
#[test]
fn flits_have_the_fields_asked_for() {
    let network = Arc::new(Network::new("hypercube", 3, Some("ecube"), None).unwrap());
    let base = Parameters { width: 16, ..Parameters::default() };
    for (parameters, fields) in [
        (base, &[("data", 16), ("last", 1)][..]),
        (Parameters { keep: true, ..base }, &[("data", 16), ("keep", 2), ("last", 1)]),
        (Parameters { user_width: 5, ..base }, &[("data", 16), ("user", 5), ("last", 1)]),
        (Parameters { source_id: true, ..base }, &[("data", 16), ("id", 3), ("last", 1)]),
        (
            Parameters { keep: true, user_width: 5, source_id: true, ..base },
            &[("data", 16), ("keep", 2), ("user", 5), ("id", 3), ("last", 1)],
        ),
    ] {
        let plan = FabricPlan::new(Arc::clone(&network), parameters, None).unwrap();
        let found: Vec<_> = plan.flit_fields().iter().map(|f| (f.name, f.width)).collect();
        assert_eq!(found, fields);
        assert_eq!(plan.flit_width(), fields.iter().map(|(_, width)| width).sum::<u32>());
    }
}

/// A vector of 65,536 bits is taken and one more terminal's worth is not; what is advised fits.
#[test]
fn vectors_end_where_tools_may() {
    let plan = |k, width, user_width| {
        let network = Network::new("hypercube", k, Some("ecube"), None).unwrap();
        let parameters = Parameters { width, user_width, ..Parameters::default() };
        FabricPlan::new(Arc::new(network), parameters, None).unwrap()
    };
    assert_eq!(plan(6, 1024, 1024).check_rtl(), Ok(()));
    assert_eq!(plan(8, 256, 256).check_rtl(), Ok(()));
    for (width, user_width, port, field) in
        [(257, 0, "s_axis_tdata", "width"), (8, 257, "s_axis_tuser", "user_width")]
    {
        let error = plan(8, width, user_width).check_rtl().unwrap_err();
        assert_eq!(error, PlanError::Vector { port, bits: 257 << 8, field, fits: 256 });
    }
    let mut named = plan(8, 257, 0);
    named.parameters.ports = PortStyle::Named;
    assert_eq!(named.check_rtl(), Ok(()));
    let Limit::Rtl(limit) = topology::find("hypercube").unwrap().sizes.limit else { panic!() };
    assert_eq!(plan(limit, 8, 0).check_rtl(), Ok(()));
    let error = plan(limit + 1, 8, 0).check_rtl().unwrap_err();
    let dimension = limit + 1;
    assert_eq!(error, PlanError::RtlDimension { topology: "hypercube", dimension, limit });
}
