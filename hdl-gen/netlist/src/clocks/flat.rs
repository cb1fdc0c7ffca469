//! A design laid out flat, as far as clocks matter: which net depends on which, and what registers
//! take on.

use crate::expr::{Expr, Net};
use crate::module::{Crossing, Item, Module, NetKind, Register};
use crate::{Design, Instance};

/// A net or memory of any instance.
pub(super) type Node = u32;

/// Path into a register or a memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sink {
    /// Net or memory that is taken on.
    pub from: Node,
    /// The register, or the memory.
    pub to: Node,
    /// Clock of that; none for the clock of the top.
    pub clock: Option<Node>,
    /// Way in which it may come from another clock.
    pub crossing: Option<Crossing>,
}

#[derive(Debug, Default)]
pub(super) struct Flat {
    /// Hierarchical names, and bits.
    pub nodes: Vec<(String, u32)>,
    /// By node: what depends on it within the cycle.
    pub followers: Vec<Vec<Node>>,
    /// By node: the net that it is one and the same with, through ports and plain assignments.
    pub same_as: Vec<Option<Node>>,
    /// Registers and memories, with their clocks.
    pub launches: Vec<(Node, Option<Node>)>,
    pub sinks: Vec<Sink>,
}

/// Place of an instance.
#[derive(Clone, Copy)]
struct Scope {
    nets: Node,
    memories: Node,
    clock: Option<Node>,
    reset: Option<Node>,
}

impl Flat {
    pub fn new(design: &Design) -> Self {
        let mut flat = Self::default();
        flat.place(design, design.top(), "", None, None);
        flat
    }

    fn nodes<'m>(&mut self, prefix: &str, names: impl Iterator<Item = (&'m str, u32)>) -> Node {
        let first = self.nodes.len() as Node;
        self.nodes.extend(names.map(|(name, bits)| (format!("{prefix}{name}"), bits)));
        self.followers.resize(self.nodes.len(), Vec::new());
        self.same_as.resize(self.nodes.len(), None);
        first
    }

    fn place(
        &mut self,
        design: &Design,
        module: &Module,
        prefix: &str,
        clock: Option<Node>,
        reset: Option<Node>,
    ) -> Node {
        let nets = module.nets.iter().map(|net| (net.name.as_str(), net.width));
        let nets = self.nodes(prefix, nets);
        let memories = module.memories.iter().map(|memory| (memory.name.as_str(), memory.width));
        let memories = self.nodes(prefix, memories);
        let scope = Scope { nets, memories, clock, reset };
        self.launches.extend((0..module.memories.len() as Node).map(|at| (memories + at, clock)));
        for item in &module.items {
            match item {
                Item::Section(_) | Item::Comment(_) => {}
                Item::Assign { net, value } => self.drive(scope, nets + net.index, value),
                Item::Table { net, index, .. } => {
                    self.followers[(nets + index.index) as usize].push(nets + net.index);
                }
                Item::Registers(list) => {
                    list.iter().for_each(|register| self.register(scope, module, register));
                }
                Item::Write { memory, enable, address, data } => {
                    let to = memories + memory.0;
                    [enable, address, data]
                        .into_iter()
                        .for_each(|e| self.takes(scope, to, e, None));
                }
                Item::Instance(instance) => self.instance(design, scope, prefix, instance),
            }
        }
        nets
    }

    fn instance(&mut self, design: &Design, scope: Scope, prefix: &str, instance: &Instance) {
        let domain = instance.domain;
        let own = |net: Option<Net>| net.map(|net| scope.nets + net.index);
        let (clock, reset) = (own(domain.clock).or(scope.clock), own(domain.reset).or(scope.reset));
        let prefix = format!("{prefix}{}.", instance.name);
        let module = design.placed(instance);
        let nets = self.place(design, module, &prefix, clock, reset);
        for ((port, info), e) in module.ports().zip(&instance.connections) {
            let inner = nets + port.index;
            match (info.kind, e) {
                (NetKind::Output, Expr::Net(outer)) => {
                    self.same(inner, scope.nets + outer.index);
                }
                _ => self.drive(scope, inner, e),
            }
        }
    }

    fn same(&mut self, from: Node, to: Node) {
        self.same_as[to as usize] = Some(from);
        self.followers[from as usize].push(to);
    }

    fn drive(&mut self, scope: Scope, to: Node, e: &Expr) {
        match e {
            Expr::Net(net) => self.same(scope.nets + net.index, to),
            e => reads(scope, e, &mut |from| self.followers[from as usize].push(to)),
        }
    }

    fn register(&mut self, scope: Scope, module: &Module, register: &Register) {
        let to = scope.nets + register.net.index;
        self.launches.push((to, scope.clock));
        let crossing = module.net(register.net).crossing;
        self.takes(scope, to, &register.next, crossing);
        if let Some(enable) = &register.enable {
            self.takes(scope, to, enable, None);
        }
        if register.reset.is_some() {
            self.takes(scope, to, &Expr::Reset, None);
        }
    }

    fn takes(&mut self, scope: Scope, to: Node, e: &Expr, crossing: Option<Crossing>) {
        let Scope { clock, .. } = scope;
        reads(scope, e, &mut |from| self.sinks.push(Sink { from, to, clock, crossing }));
    }

    /// The net that one and the same value comes from, through ports and plain assignments.
    pub fn origin(&self, mut node: Node) -> Node {
        while let Some(from) = self.same_as[node as usize] {
            node = from;
        }
        node
    }
}

/// Calls `visit` on each net and memory that an expression reads.
fn reads(scope: Scope, e: &Expr, visit: &mut impl FnMut(Node)) {
    match e {
        Expr::Net(net) | Expr::Slice { net, .. } => visit(scope.nets + net.index),
        Expr::Reset => scope.reset.into_iter().for_each(visit),
        e => {
            if let Expr::Read { memory, .. } = e {
                visit(scope.memories + memory.0);
            }
            e.operands().for_each(|e| reads(scope, e, visit));
        }
    }
}
