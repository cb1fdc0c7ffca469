//! The rules of the netlist: equal widths, sized literals, one driver per net, nothing
//! unused, no combinational loop. Checked on construction.

use super::expr::{Expr, Net};
use super::module::{Crossing, Domain, Item, Module, NetKind, Register};
use super::{CLOCK, RESET, RESET_LOW, RtlError};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashSet;
use turnpike_base::bits::bits_for;
use turnpike_base::names;

/// Checks everything but combinational loops.
///
/// # Errors
/// [`RtlError`] with the net at fault.
pub fn check(module: &Module) -> Result<(), RtlError> {
    Checker { module }.run()
}

struct Checker<'a> {
    module: &'a Module,
}

impl Checker<'_> {
    fn error(&self, net: impl Into<String>, problem: impl Into<String>) -> RtlError {
        let (module, net, problem) = (self.module.name.clone(), net.into(), problem.into());
        RtlError::Net { module, net, problem }
    }

    fn run(&self) -> Result<(), RtlError> {
        self.names()?;
        let mut drivers = vec![0u32; self.module.nets.len()];
        let mut used = vec![false; self.module.nets.len()];
        let mut written = vec![0u32; self.module.memories.len()];
        for item in &self.module.items {
            self.item(item, &mut drivers, &mut written)?;
            for_each_read(item, &mut |net| used[net.index as usize] = true);
        }
        for (i, info) in self.module.nets.iter().enumerate() {
            if info.width == 0 {
                return Err(self.error(&info.name, "has no bits"));
            }
            let expected = u32::from(info.kind != NetKind::Input);
            if drivers[i] != expected {
                let problem = format!("has {} drivers, not {expected}", drivers[i]);
                return Err(self.error(&info.name, problem));
            }
            if info.kind != NetKind::Output && !used[i] && !info.gathers_unused {
                return Err(self.error(&info.name, "is never read"));
            }
        }
        if let Some(empty) = self.module.memories.iter().find(|m| m.width == 0 || m.depth == 0) {
            return Err(self.error(&empty.name, "holds nothing"));
        }
        match written.iter().position(|&n| n != 1) {
            Some(i) => Err(self.error(&self.module.memories[i].name, "needs one write port")),
            None => Ok(()),
        }
    }

    fn names(&self) -> Result<(), RtlError> {
        let module = self.module;
        if !names::is_basic(&module.name) {
            return Err(self.error("the module", "has a name that is no identifier"));
        }
        let clock = module.clocked.then_some(CLOCK);
        let reset = module.has_reset.then_some([RESET, RESET_LOW]);
        let mut seen: HashSet<String> =
            clock.into_iter().chain(reset.into_iter().flatten()).map(str::to_owned).collect();
        let nets = module.nets.iter().map(|n| n.name.as_str());
        let memories = module.memories.iter().map(|m| m.name.as_str());
        for name in nets.chain(memories).chain(module.instances().map(|i| i.name.as_str())) {
            if !names::is_basic(name) {
                return Err(self.error(name, "is no identifier"));
            }
            if !seen.insert(name.to_ascii_lowercase()) {
                return Err(self.error(name, "is declared twice"));
            }
        }
        let ports = module.ports().count();
        let late = module.nets[ports..]
            .iter()
            .find(|n| matches!(n.kind, NetKind::Input | NetKind::Output));
        match late {
            Some(port) => Err(self.error(&port.name, "is a port declared after a net")),
            None => Ok(()),
        }
    }

    fn item(&self, item: &Item, drivers: &mut [u32], written: &mut [u32]) -> Result<(), RtlError> {
        let mut drive = |net: Net, by: &[NetKind]| {
            let info = self.module.net(net);
            drivers[net.index as usize] += 1;
            match by.contains(&info.kind) {
                true => Ok(()),
                false => Err(self.error(&info.name, format!("is a {:?}", info.kind))),
            }
        };
        match item {
            Item::Section(_) | Item::Comment(_) => Ok(()),
            Item::Assign { net, value } => {
                drive(*net, &[NetKind::Wire, NetKind::Output])?;
                self.expect(net.width, value, *net)
            }
            Item::Table { net, index, rows } => {
                drive(*net, &[NetKind::Wire, NetKind::Output])?;
                let fits = |&v: &u64| net.width >= 64 || v >> net.width == 0;
                if [net, index].into_iter().any(|net| self.module.net(*net).parametric) {
                    return Err(
                        self.error(&self.module.net(*net).name, "has a table of WIDTH bits")
                    );
                }
                match rows.len() == 1 << index.width && rows.iter().all(fits) {
                    true => Ok(()),
                    false => Err(self.error(&self.module.net(*net).name, "has a bad table")),
                }
            }
            Item::Registers(list) => list.iter().try_for_each(|register| {
                let info = self.module.net(register.net);
                if info.parametric && (register.reset.is_some() || info.starts_at_zero) {
                    return Err(self.error(&info.name, "has a value, but WIDTH bits"));
                }
                drive(register.net, &[NetKind::Register, NetKind::Output])?;
                if info.crossing == Some(Crossing::Synchroniser) {
                    self.stage(register)?;
                }
                if let Some(enable) = &register.enable {
                    self.expect(1, enable, register.net)?;
                }
                self.expect(register.net.width, &register.next, register.net)
            }),
            Item::Write { memory, enable, address, data } => {
                let info = &self.module.memories[memory.0 as usize];
                written[memory.0 as usize] += 1;
                let wrong = |e: String| self.error(&info.name, e);
                expect(self.module, 1, enable).map_err(wrong)?;
                expect(self.module, address_bits(info.depth), address).map_err(wrong)?;
                expect(self.module, info.width, data).map_err(wrong)
            }
            Item::Instance(instance) => {
                let Domain { clock, reset } = instance.domain;
                for (net, problem) in
                    [(clock, "is a clock, so has one bit"), (reset, "resets, so has one bit")]
                {
                    if let Some(net) = net.filter(|net| net.width != 1) {
                        return Err(self.error(&self.module.net(net).name, problem));
                    }
                }
                for ((port, info), e) in instance.module.ports().zip(&instance.connections) {
                    let wrong = |p| self.error(format!("{}.{}", instance.name, info.name), p);
                    expect(self.module, port.width, e).map_err(wrong)?;
                    if info.kind == NetKind::Output {
                        let Expr::Net(net) = e else {
                            return Err(wrong("drives no whole net".into()));
                        };
                        drive(*net, &[NetKind::Wire, NetKind::Output])?;
                    }
                }
                Ok(())
            }
        }
    }

    /// A stage of a synchroniser takes on a net in every cycle, and of the first alone one more stage
    /// hears.
    fn stage(&self, register: &Register) -> Result<(), RtlError> {
        let is_stage = |net: Net| self.module.net(net).crossing == Some(Crossing::Synchroniser);
        let wrong = |problem| Err(self.error(&self.module.net(register.net).name, problem));
        let Expr::Net(from) = register.next else {
            return wrong("synchronises, so takes on a net as it is");
        };
        if register.reset.is_some() || register.enable.is_some() {
            return wrong("synchronises, so takes on something in every cycle");
        }
        if is_stage(from) {
            return Ok(());
        }
        let (mut readers, mut stages) = (0, 0);
        for item in &self.module.items {
            for_each_read(item, &mut |net| readers += u32::from(net == register.net));
            if let Item::Registers(list) = item {
                let next = list.iter().filter(|next| is_stage(next.net));
                stages += next.filter(|next| next.next == register.net.into()).count() as u32;
            }
        }
        match readers == stages {
            true => Ok(()),
            false => wrong("is the first stage of a synchroniser, and more than the next reads it"),
        }
    }

    fn expect(&self, width: u32, e: &Expr, net: Net) -> Result<(), RtlError> {
        let name = &self.module.net(net).name;
        expect(self.module, width, e).map_err(|problem| self.error(name, problem))
    }
}

/// Bits of an address into `depth` words, at least 1.
pub fn address_bits(depth: u32) -> u32 {
    bits_for(depth).max(1)
}

fn expect(module: &Module, width: u32, e: &Expr) -> Result<(), String> {
    match width_of(module, e)? {
        w if w == width => Ok(()),
        w => Err(format!("{w} bits where {width} are wanted")),
    }
}

/// The width of an expression, all widths in it checked.
fn width_of(module: &Module, e: &Expr) -> Result<u32, String> {
    let whole = |e: &Expr| {
        use Expr::{And, Mux, Net, Not, Or, Read, Xor};
        matches!(e, Net(_) | Read { .. } | Mux { .. } | And(_) | Or(_) | Xor(_) | Not(_))
    };
    let parametric = |e: &Expr| match e {
        Expr::Net(net) => module.net(*net).parametric,
        Expr::Repeat { parametric, .. } => *parametric,
        _ => false,
    };
    let sliced = matches!(e, Expr::Slice { net, .. } if module.net(*net).parametric);
    if sliced || !whole(e) && e.operands().any(parametric) {
        return Err("takes apart a net whose width is a parameter".into());
    }
    let equal = |list: &[&Expr]| -> Result<u32, String> {
        let width = width_of(module, list[0])?;
        list[1..].iter().try_for_each(|e| expect(module, width, e))?;
        Ok(width)
    };
    match e {
        Expr::Net(net) => Ok(net.width),
        Expr::Reset => Ok(1),
        Expr::Const { width: 0, .. } => Err("a literal of no bits".into()),
        Expr::Const { width, value } => match *width >= 64 || value >> width == 0 {
            true => Ok(*width),
            false => Err(format!("the literal {value} does not fit {width} bits")),
        },
        Expr::Slice { net, low, width } => match low + width <= net.width && *width > 0 {
            true => Ok(*width),
            false => Err(format!("slice {low} +: {width} of {} bits", net.width)),
        },
        Expr::Concat(list) if list.is_empty() => Err("nothing side by side".into()),
        Expr::Concat(list) => list.iter().map(|e| width_of(module, e)).sum(),
        Expr::Repeat { times: 0, .. } => Err("a bit repeated no times".into()),
        Expr::Repeat { times, parametric, bit } => match module.width_parameter == Some(*times) {
            false if *parametric => Err(format!("fills {times} bits, which is not WIDTH")),
            _ => expect(module, 1, bit).map(|()| *times),
        },
        Expr::Not(e) => width_of(module, e),
        Expr::And(list) | Expr::Or(list) | Expr::Xor(list) => match list.len() {
            0 | 1 => Err("an operator with fewer than two operands".into()),
            _ => equal(&list.iter().collect::<Vec<_>>()),
        },
        Expr::Any(e) => width_of(module, e).map(|_| 1),
        Expr::Equal(a, b) => equal(&[a, b]).map(|_| 1),
        Expr::Add(a, b) | Expr::Sub(a, b) => equal(&[a, b]),
        Expr::Mux { select, then, otherwise } => {
            expect(module, 1, select)?;
            equal(&[then, otherwise])
        }
        Expr::Read { memory, address } => {
            let info = &module.memories[memory.0 as usize];
            expect(module, address_bits(info.depth), address)?;
            Ok(info.width)
        }
    }
}

fn for_each_read(item: &Item, visit: &mut impl FnMut(Net)) {
    match item {
        Item::Section(_) | Item::Comment(_) => {}
        Item::Assign { value, .. } => value.nets(visit),
        Item::Table { index, .. } => visit(*index),
        Item::Registers(list) => {
            for register in list {
                register.next.nets(visit);
                if let Some(enable) = &register.enable {
                    enable.nets(visit);
                }
            }
        }
        Item::Write { enable, address, data, .. } => {
            [enable, address, data].into_iter().for_each(|e| e.nets(visit));
        }
        Item::Instance(instance) => {
            instance.domain.nets().for_each(&mut *visit);
            for ((_, info), e) in instance.module.ports().zip(&instance.connections) {
                if info.kind == NetKind::Input {
                    e.nets(visit);
                }
            }
        }
    }
}

/// The combinational paths from inputs to outputs.
///
/// # Errors
/// [`RtlError`] with a net on a combinational loop.
pub fn paths(module: &Module) -> Result<Vec<(Net, Net)>, RtlError> {
    let graph = dependencies(module);
    let looping =
        tarjan_scc(&graph).into_iter().find(|c| c.len() > 1 || graph.contains_edge(c[0], c[0]));
    if let Some(component) = looping {
        let names: Vec<&str> =
            component.iter().map(|n| module.nets[n.index()].name.as_str()).take(8).collect();
        return Err(RtlError::Net {
            module: module.name.clone(),
            net: names[0].to_owned(),
            problem: format!("is on a combinational loop with {}", names.join(", ")),
        });
    }
    let is = |kind| move |(_, info): &(Net, &super::NetInfo)| info.kind == kind;
    let outputs: HashSet<u32> =
        module.ports().filter(is(NetKind::Output)).map(|(net, _)| net.index).collect();
    let mut paths = Vec::new();
    for (input, _) in module.ports().filter(is(NetKind::Input)) {
        let mut seen = HashSet::from([input.index]);
        let mut stack = vec![NodeIndex::new(input.index as usize)];
        while let Some(at) = stack.pop() {
            for to in graph.neighbors(at) {
                let index = to.index() as u32;
                if seen.insert(index) {
                    stack.push(to);
                    if outputs.contains(&index) {
                        let width = module.nets[to.index()].width;
                        paths.push((input, Net { index, width }));
                    }
                }
            }
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Net-to-net combinational dependencies, through instances by their own paths.
fn dependencies(module: &Module) -> DiGraph<(), ()> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    module.nets.iter().for_each(|_| {
        graph.add_node(());
    });
    let node = |net: Net| NodeIndex::new(net.index as usize);
    for item in &module.items {
        match item {
            Item::Assign { net, value } => value.nets(&mut |from| {
                graph.update_edge(node(from), node(*net), ());
            }),
            Item::Table { net, index, .. } => {
                graph.update_edge(node(*index), node(*net), ());
            }
            Item::Instance(instance) => {
                // A reset may reach any output within the cycle.
                if let Some(reset) = instance.domain.reset {
                    for ((_, info), e) in instance.module.ports().zip(&instance.connections) {
                        let output = info.kind == NetKind::Output;
                        if let (true, Expr::Net(to)) = (output, e) {
                            graph.update_edge(node(reset), node(*to), ());
                        }
                    }
                }
                for (input, output) in &instance.module.paths {
                    let Expr::Net(to) = instance.connections[output.index as usize] else {
                        continue;
                    };
                    instance.connections[input.index as usize].nets(&mut |from| {
                        graph.update_edge(node(from), node(to), ());
                    });
                }
            }
            _ => {}
        }
    }
    graph
}

#[cfg(test)]
mod tests;
