//! Random networks: many instances of one random netlist, and of a module with a parameter.

use super::random_netlist::{Shape, random_netlist, width};
use std::sync::Arc;
use turnpike_base::random::Random;
use turnpike_netlist::{Domain, Expr, Module, ModuleBuilder, Net, NetKind, Register};

/// Many instances of one random netlist, side by side as the switches of a network are: each has
/// its own bits of every port of the top, and what one puts out goes to another, one cycle later.
/// Beside each stands a queue-like store of words of a width of its own, as the queues of switches
/// have, whose headers are of unlike widths. Where there are `clocks`, each part and store is in one
/// of them and under a reset that goes with it.
/// Equal arguments give equal netlists everywhere.
///
/// # Panics
/// As [`random_netlist`].
pub fn random_network(seed: u64, shape: &Shape, instances: u32, clocks: u32) -> Arc<Module> {
    let part = random_netlist(seed, shape);
    let store = store(&part.name);
    let mut random = Random::new(seed);
    let widths: Vec<u32> = (0..instances).map(|_| width(&mut random, shape)).collect();
    let mut m = ModuleBuilder::new(format!("network_{seed}_{instances}"));
    m.about("Many instances of a random netlist, for tests.");
    let ports: Vec<(String, NetKind, u32)> =
        part.ports().map(|(_, info)| (info.name.clone(), info.kind, info.width)).collect();
    let all: Vec<Net> = ports
        .iter()
        .map(|(name, kind, width)| match kind {
            NetKind::Input => m.input(name.clone(), width * instances),
            _ => m.output(name.clone(), width * instances),
        })
        .collect();
    let domain = |m: &mut ModuleBuilder, i| Domain {
        clock: Some(m.input(format!("clock_{i}"), 1)),
        reset: Some(m.input(format!("reset_{i}"), 1)),
    };
    let clocks = clocks.min(instances);
    let domains: Vec<Domain> = (0..clocks).map(|i| domain(&mut m, i)).collect();
    let domain_of = |i: u32| match clocks {
        0 => Domain::default(),
        // Some have a clock of their own and the reset of the top.
        clocks => {
            let Domain { clock, reset } = domains[(i % clocks) as usize];
            Domain { clock, reset: reset.filter(|_| i / clocks % 3 != 1) }
        }
    };
    let stored = m.output("stored", widths.iter().sum());
    let held = |m: &mut ModuleBuilder, i| m.reg(format!("held_{i}"), all_bits(&ports));
    let held: Vec<Net> = (0..instances).map(|i| held(&mut m, i)).collect();
    let mut outputs = vec![Vec::new(); ports.len()];
    let mut words: Vec<Expr> = Vec::new();
    for i in 0..instances {
        let mut connections: Vec<(&str, Expr)> = Vec::new();
        // A step that meets every instance, from one that the seed gives.
        let from = held[((u64::from(i) + 1 + seed % 7) % u64::from(instances)) as usize];
        for ((name, kind, width), (net, outputs)) in ports.iter().zip(all.iter().zip(&mut outputs))
        {
            let connection = match kind {
                NetKind::Input => {
                    let (own, same) = (net.slice(i * width, *width), from.width.min(*width));
                    let other = from.slice(0, same);
                    let above = width - same;
                    let wide = [Expr::constant(above.max(1), 0), other.clone()];
                    own ^ if above == 0 { other } else { Expr::concat(wide) }
                }
                _ => {
                    let wire = m.wire(format!("{name}_{i}"), *width);
                    outputs.push(wire);
                    wire.into()
                }
            };
            connections.push((name, connection));
        }
        m.instance_in(domain_of(i), format!("part_{i}"), &part, connections);
        let put_out = outputs.iter().filter_map(|list| list.last()).map(|&wire| wire.into());
        let (net, reset, next) = (held[i as usize], Some(u64::from(i)), Expr::concat(put_out));
        m.registers(vec![Register { net, reset, enable: None, next }]);
        let width = widths[i as usize];
        let word = m.wire(format!("stored_{i}"), width);
        let connections = [
            ("write", stretched(from, 1)),
            ("to", stretched(from, STORE_ADDRESS)),
            ("from", stretched(net, STORE_ADDRESS)),
            ("data", stretched(net, width)),
            ("word", word.into()),
        ];
        let placed = Arc::new(store.at_width(width));
        m.instance_in(domain_of(i + 1), format!("store_{i}"), &placed, connections);
        words.push(word.into());
    }
    for (net, list) in all.iter().zip(outputs).filter(|(_, list)| !list.is_empty()) {
        m.assign(*net, Expr::concat(list.into_iter().rev().map(Expr::from)));
    }
    m.assign(stored, Expr::concat(words.into_iter().rev()));
    m.finish().expect("what is built here passes the checks")
}

/// The bits of all outputs together.
fn all_bits(ports: &[(String, NetKind, u32)]) -> u32 {
    ports.iter().filter(|(_, kind, _)| *kind != NetKind::Input).map(|(.., width)| width).sum()
}

/// Bits of an address of a store.
const STORE_ADDRESS: u32 = 2;

/// A memory of words as wide as the parameter of the module, and the word read last.
fn store(name: &str) -> Module {
    let width = 8;
    let mut m = ModuleBuilder::new(format!("{name}_store"));
    m.width_parameter(width);
    let write = m.input("write", 1);
    let [to, from] = ["to", "from"].map(|name| m.input(name, STORE_ADDRESS));
    let data = m.input("data", width);
    let word = m.output("word", width);
    let before = m.reg("before", width);
    for net in [data, word, before] {
        m.parametric(net);
    }
    let memory = m.memory("words", width, 1 << STORE_ADDRESS);
    m.write(memory, write.into(), to.into(), data.into());
    let read = Expr::Read { memory, address: Box::new(from.into()) };
    m.registers(vec![Register { net: before, reset: None, enable: None, next: read.clone() }]);
    m.assign(word, read ^ before);
    let module = m.finish().expect("what is built here passes the checks");
    Arc::unwrap_or_clone(module)
}

/// `width` bits of a net: its own, over and over.
fn stretched(net: Net, width: u32) -> Expr {
    let parts = (0..width).step_by(net.width as usize);
    let mut parts: Vec<Expr> = parts.map(|low| net.slice(0, net.width.min(width - low))).collect();
    parts.reverse();
    Expr::concat(parts)
}
