//! The hierarchy laid out flat: every net of every instance has a number.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use turnpike_netlist::{Design, Expr, Instance, Item, Memory, Module, Net, NetKind, Register};

/// An instance, or the top.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The instance's name; the module's at the top.
    pub name: String,
    /// Module that is placed.
    pub module: Arc<Module>,
    /// The scope around it; `None` at the top.
    pub parent: Option<usize>,
    /// The scopes in it, in their order.
    pub children: Vec<usize>,
    /// The number of its first net; the others follow in the order of [`Module::nets`].
    pub(super) nets: u32,
    /// The number of its first memory.
    pub(super) memories: u32,
    /// The net that clocks it; `None`: the clock of the top.
    pub(super) clock: Option<u32>,
    /// The net that resets it; `None`: the reset of the top.
    pub(super) reset: Option<u32>,
}

/// Driver of a net.
#[derive(Clone, Copy, Debug)]
pub(super) enum Driver<'a> {
    /// The caller.
    Input,
    /// A register, with the scope of its expressions.
    Register(usize, &'a Register),
    /// An expression over the nets of a scope.
    Expr(usize, &'a Expr),
    /// A table, with the number of its index.
    Table(u32, &'a [u64]),
    /// Another net.
    Net(u32),
}

/// The write port of a memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write<'a> {
    pub scope: usize,
    pub memory: u32,
    pub enable: &'a Expr,
    pub address: &'a Expr,
    pub data: &'a Expr,
}

/// A netlist without hierarchy.
#[derive(Debug)]
pub(super) struct Flat<'a> {
    pub scopes: Vec<Scope>,
    pub widths: Vec<u32>,
    pub drivers: Vec<Driver<'a>>,
    pub memories: Vec<&'a Memory>,
    pub writes: Vec<Write<'a>>,
}

impl<'a> Flat<'a> {
    pub fn new(design: &'a Design) -> Self {
        let mut flat = Self {
            scopes: Vec::new(),
            widths: Vec::new(),
            drivers: Vec::new(),
            memories: Vec::new(),
            writes: Vec::new(),
        };
        let mut pending = vec![(None, None, design.top())];
        // Instances are numbered parents first, siblings in their order.
        while let Some((parent, instance, module)) = pending.pop() {
            let scope = flat.scope(parent, instance, module);
            let instances: Vec<&'a Instance> = module.instances().collect();
            let below = |i: &'a Instance| (Some(scope), Some(i), design.placed(i));
            pending.extend(instances.into_iter().rev().map(below));
        }
        flat
    }

    /// Number of nets of the top, which come first.
    pub fn nets_of_top(&self) -> u32 {
        self.scopes[0].module.nets.len() as u32
    }

    fn scope(
        &mut self,
        parent: Option<usize>,
        instance: Option<&'a Instance>,
        module: &'a Arc<Module>,
    ) -> usize {
        let scope = self.scopes.len();
        let nets = self.widths.len() as u32;
        let memories = self.memories.len() as u32;
        let around = parent.map(|p| &self.scopes[p]);
        let own = instance.map(|i| i.domain).unwrap_or_default();
        let net = |own: Option<Net>, of: fn(&Scope) -> Option<u32>| match (around, own) {
            (Some(around), Some(net)) => Some(around.nets + net.index),
            (around, _) => around.and_then(of),
        };
        let (clock, reset) = (net(own.clock, |s| s.clock), net(own.reset, |s| s.reset));
        self.scopes.push(Scope {
            name: instance.map_or(&module.name, |i| &i.name).clone(),
            module: Arc::clone(module),
            parent,
            children: Vec::new(),
            nets,
            memories,
            clock,
            reset,
        });
        self.widths.extend(module.nets.iter().map(|n| n.width));
        self.drivers.extend(module.nets.iter().map(|_| Driver::Input));
        self.memories.extend(&module.memories);
        for item in &module.items {
            self.item(scope, item);
        }
        if let (Some(parent), Some(instance)) = (parent, instance) {
            self.scopes[parent].children.push(scope);
            let base = self.scopes[parent].nets;
            for ((port, info), e) in module.ports().zip(&instance.connections) {
                let inner = nets + port.index;
                match (info.kind, e) {
                    (NetKind::Input, _) => {
                        self.drivers[inner as usize] = Driver::Expr(parent, e);
                    }
                    (_, Expr::Net(outer)) => {
                        self.drivers[(base + outer.index) as usize] = Driver::Net(inner);
                    }
                    _ => unreachable!("checked on construction"),
                }
            }
        }
        scope
    }

    fn item(&mut self, scope: usize, item: &'a Item) {
        let (base, memories) = (self.scopes[scope].nets, self.scopes[scope].memories);
        let mut drive = |net: u32, by: Driver<'a>| self.drivers[(base + net) as usize] = by;
        match item {
            Item::Section(_) | Item::Comment(_) | Item::Instance(_) => {}
            Item::Assign { net, value } => drive(net.index, Driver::Expr(scope, value)),
            Item::Table { net, index, rows } => {
                drive(net.index, Driver::Table(base + index.index, rows));
            }
            Item::Registers(list) => {
                list.iter().for_each(|r| drive(r.net.index, Driver::Register(scope, r)));
            }
            Item::Write { memory, enable, address, data } => {
                let memory = memories + memory.0;
                self.writes.push(Write { scope, memory, enable, address, data });
            }
        }
    }
}

/// Nets by hierarchical name: names joined by `.`, the top's own name left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    children: FxHashMap<(usize, String), usize>,
}

impl Names {
    pub fn new(scopes: &[Scope]) -> Self {
        let named = scopes.iter().enumerate();
        let children = named.filter_map(|(i, s)| Some(((s.parent?, s.name.clone()), i)));
        Self { children: children.collect() }
    }

    /// The number of a net.
    pub fn find(&self, scopes: &[Scope], path: &str) -> Option<u32> {
        let (within, name) = path.rsplit_once('.').map_or((None, path), |(w, n)| (Some(w), n));
        let mut parts = within.into_iter().flat_map(|w| w.split('.'));
        let scope =
            parts.try_fold(0, |at, part| self.children.get(&(at, part.to_owned())).copied())?;
        let place = scopes[scope].module.nets.iter().position(|n| n.name == name)?;
        Some(scopes[scope].nets + place as u32)
    }
}
