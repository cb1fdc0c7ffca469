//! A design behind few pins, so that it can be placed and its clock be measured: registers on
//! every input and output, filled and emptied one bit at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_fabric::rtl::switch::port;
use turnpike_netlist::{Domain, Expr, Module, ModuleBuilder, Net, NetKind, Register, RtlError};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Node, Port};

/// By input port of a design: the output of its own that drives it.
pub type Loops = BTreeMap<String, String>;

/// Loops of the channels of a switch back to itself: a channel that leaves by some port comes in
/// where it would at the neighbour, if no other does. So the path over a link into a queue counts.
pub fn loops(plan: &FabricPlan, switch: &SwitchPlan) -> Loops {
    let topology = plan.topology();
    let own = |node: &Node| plan.switch_of(*node).name == switch.name;
    let nodes: Vec<Node> = topology.all_nodes().filter(own).collect();
    // A switch of another plan, such as a full crossbar.
    let nodes = if nodes.is_empty() { topology.all_nodes().collect() } else { nodes };
    let end = |from: Port| nodes.iter().find_map(|&node| topology.channel(node, from));
    let mut loops = Loops::new();
    let mut taken = BTreeSet::new();
    for output in &switch.outputs {
        let Output::Network(from) = output.output else { continue };
        let Some((_, to)) = end(from) else { continue };
        let Some(input) = switch.inputs.iter().find(|i| i.input == Input::Network(to)) else {
            continue;
        };
        if !taken.insert(to) {
            continue;
        }
        for &vc in output.vcs.iter().filter(|vc| input.vcs.contains(vc)) {
            let ends =
                |signal| (port::input_vc(input, vc, signal), port::output_vc(output, vc, signal));
            let (at_input, at_output) = ends("valid");
            loops.insert(at_input, at_output);
            let (at_input, at_output) = ends("ready");
            loops.insert(at_output, at_input);
        }
        let flit = "flit";
        loops.insert(port::input(input, flit), port::output(output, flit));
        if !input.header.is_empty() && input.header == output.header {
            loops.insert(port::input(input, "header"), port::output(output, "header"));
        }
    }
    loops
}

/// `design` between a shift register that feeds its inputs and one that gathers its outputs.
/// Ports: `feed`, `gathered`, one bit each. Inputs in `loops` are driven by the outputs named
/// there instead. Clocks that are ports of the design are ports of the harness, too, and its registers
/// are of the first; paths from one clock to another are not timed.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn harness(design: &Arc<Module>, loops: &Loops) -> Result<Arc<Module>, RtlError> {
    // A switch that packets only pass through would feed itself alone: nothing would be left of it.
    let mut inputs = design.ports().filter(|(_, info)| info.kind == NetKind::Input);
    let none = Loops::new();
    let loops = if inputs.all(|(_, info)| loops.contains_key(&info.name)) { &none } else { loops };
    let clocks: BTreeSet<Net> = design.instances().filter_map(|i| i.domain.clock).collect();
    let looped: BTreeSet<&String> = loops.values().collect();
    let width = |wanted: &dyn Fn(NetKind, &String) -> bool| -> u32 {
        let ports = design.ports().filter(|(net, _)| !clocks.contains(net));
        let ports = ports.filter(|(_, info)| wanted(info.kind, &info.name));
        ports.map(|(net, _)| net.width).sum()
    };
    let fed = width(&|kind, name| kind == NetKind::Input && !loops.contains_key(name));
    let caught = width(&|kind, name| kind == NetKind::Output && !looped.contains(name));
    let name = format!("{}_harness", design.name);
    let registers = match clocks.is_empty() {
        true => None,
        false => Some(registers(&name, fed, caught)?),
    };
    let mut m = match &registers {
        None => ModuleBuilder::new(name),
        Some(_) => ModuleBuilder::of_domains(name),
    };
    m.about("A design behind few pins, to be placed and timed: registers on every input and");
    m.about("output, filled and emptied one bit at a time.");
    let input = |&clock: &Net| (clock, m.input(design.net(clock).name.clone(), 1));
    let clocks: BTreeMap<Net, Net> = clocks.iter().map(input).collect();
    let feed = m.input("feed", 1);
    let gathered = m.output("gathered", 1);
    let source = match &registers {
        None => m.reg("source", fed.max(1)),
        Some(_) => m.wire("source", fed),
    };
    let mut wires: BTreeMap<&str, Net> = BTreeMap::new();
    let mut low = 0;
    let mut outputs: Vec<Expr> = Vec::new();
    m.section("The design");
    for (net, info) in design.ports().filter(|(_, info)| info.kind == NetKind::Output) {
        let wire = m.wire(info.name.clone(), net.width);
        wires.insert(&info.name, wire);
        if !looped.contains(&info.name) {
            outputs.push(wire.into());
        }
    }
    let mut connections: Vec<(&str, Expr)> = Vec::new();
    for (net, info) in design.ports() {
        let value = match (clocks.get(&net), info.kind, loops.get(&info.name)) {
            (Some(&clock), ..) => clock.into(),
            (_, NetKind::Output, _) => wires[&*info.name].into(),
            (_, _, Some(from)) => wires[&**from].into(),
            (_, _, None) => {
                low += net.width;
                source.slice(low - net.width, net.width)
            }
        };
        connections.push((&info.name, value));
    }
    m.instance("inner", design, connections);
    let outputs = if outputs.is_empty() { feed.into() } else { Expr::concat(outputs) };
    match registers {
        None => shift(&mut m, [feed, gathered, source], (outputs, caught.max(1))),
        Some(registers) => {
            let domain = Domain { clock: clocks.values().next().copied(), reset: None };
            let connections = [
                ("feed", feed.into()),
                ("outputs", outputs),
                ("gathered", gathered.into()),
                ("source", source.into()),
            ];
            m.instance_in(domain, "registers", &registers, connections);
        }
    }
    m.finish()
}

/// The registers as a module of one clock.
fn registers(name: &str, fed: u32, caught: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{name}_registers"));
    m.about("Registers on every input and output of a design.");
    let feed = m.input("feed", 1);
    let outputs = m.input("outputs", caught);
    let gathered = m.output("gathered", 1);
    let source = m.output("source", fed);
    shift(&mut m, [feed, gathered, source], (outputs.into(), caught));
    m.finish()
}

/// The registers: `source` is filled from `feed`, and `outputs`, of so many bits, leave by `gathered`.
fn shift(m: &mut ModuleBuilder, [feed, gathered, source]: [Net; 3], outputs: (Expr, u32)) {
    m.section("Registers");
    let register = |net: Net, next: Expr| Register { net, reset: None, enable: None, next };
    let shifted = |net: Net| match net.width {
        1 => Expr::from(feed),
        width => Expr::concat([net.slice(0, width - 1), feed.into()]),
    };
    let mut registers = vec![register(source, shifted(source))];
    let sink = m.reg("sink", outputs.1);
    registers.push(register(sink, outputs.0));
    // Each bit on its way out is mixed with the next output: none can be left out.
    let chain = m.reg("chain", sink.width);
    registers.push(register(chain, shifted(chain) ^ sink));
    m.registers(registers);
    m.assign(gathered, chain.bit(chain.width - 1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::{Parameters, full_crossbar_no_uturn};
    use turnpike_fabric::rtl::fabric::fabric;
    use turnpike_fabric::rtl::switch::{Parts, switch};
    use turnpike_fabric::testing::plan_of;

    fn plan(routing: &str, k: u32) -> FabricPlan {
        let network = Network::new("hypercube", k, Some(routing), None).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    }

    /// Only what a terminal has is fed and gathered: every channel leads back.
    #[test]
    fn channels_lead_back() {
        for (routing, k) in [("ecube", 3), ("rotation", 4), ("thacker", 4)] {
            let plan = plan(routing, k);
            let network = plan.network();
            let full = full_crossbar_no_uturn(network, &network.turns().classes[0], "full".into());
            for class in [&plan.switches[0], &full] {
                let module = switch(&plan, class, &mut Parts::new(&plan)).unwrap();
                let loops = loops(&plan, class);
                for (_, info) in module.ports() {
                    let terminal =
                        info.name.starts_with("inject_") || info.name.starts_with("eject_");
                    let inner = match info.kind {
                        NetKind::Input => loops.contains_key(&info.name),
                        _ => loops.values().any(|name| *name == info.name),
                    };
                    assert_eq!(inner, !terminal, "{routing} {k}: {}", info.name);
                }
                harness(&module, &loops).unwrap();
            }
        }
    }

    /// Packets only pass through the switch in the middle: its outputs could feed all its inputs.
    #[test]
    fn a_switch_without_a_terminal_is_not_left_to_itself() {
        let plan = plan_of("mesh 3x2 dimension-order for 0_0>2_0", Parameters::default());
        let mut alone = 0;
        for class in plan.built_switches() {
            let module = switch(&plan, class, &mut Parts::new(&plan)).unwrap();
            let loops = loops(&plan, class);
            let inputs = module.ports().filter(|(_, info)| info.kind == NetKind::Input);
            alone += u32::from(inputs.count() == loops.len());
            let harness = harness(&module, &loops).unwrap();
            let source = harness.nets.iter().find(|net| net.name == "source");
            assert!(source.is_some_and(|net| net.width > 32), "{}", class.name);
        }
        assert_eq!(alone, 1);
    }

    #[test]
    fn a_whole_fabric_has_few_pins() {
        let fabric = fabric(&plan("ecube", 2)).unwrap();
        let module = harness(fabric.top(), &Loops::new()).unwrap();
        let names: Vec<&str> = module.ports().map(|(_, info)| &*info.name).collect();
        assert_eq!(names, ["feed", "gathered"]);
        assert!(module.clocked && module.has_reset);
    }
}
