//! A plain interpreter of netlists, written apart from the evaluator: bits in vectors, nets
//! found by recursion, nothing compiled. Slow and simple.

use std::collections::HashMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Instance, Item, Module, Net, NetKind};

/// Bits of a value, bit 0 first.
pub type Bits = Vec<bool>;

/// An instance and all below it.
pub struct Interpreter {
    module: Arc<Module>,
    registers: HashMap<u32, Bits>,
    memories: Vec<Vec<Bits>>,
    children: Vec<Interpreter>,
    inputs: HashMap<u32, Bits>,
    /// Nets that were computed since an input or the state changed.
    settled: HashMap<u32, Bits>,
    reset: bool,
}

fn bits(value: u64, width: u32) -> Bits {
    (0..width).map(|i| i < 64 && value >> i & 1 == 1).collect()
}

impl Interpreter {
    /// A netlist whose inputs, registers and memories are 0.
    pub fn new(module: &Arc<Module>) -> Self {
        let memories = module.memories.iter();
        Self {
            registers: HashMap::new(),
            memories: memories.map(|m| vec![bits(0, m.width); m.depth as usize]).collect(),
            children: module.instances().map(|i| Self::new(&i.module)).collect(),
            inputs: HashMap::new(),
            settled: HashMap::new(),
            reset: false,
            module: Arc::clone(module),
        }
    }

    /// Sets an input of the top.
    ///
    /// # Panics
    /// If the value has another width.
    pub fn set(&mut self, net: Net, value: Bits) {
        assert_eq!(value.len(), net.width as usize);
        self.inputs.insert(net.index, value);
        self.settled.clear();
    }

    pub fn set_reset(&mut self, reset: bool) {
        self.reset = reset;
        self.settled.clear();
        for (child, instance) in self.children.iter_mut().zip(self.module.instances()) {
            if instance.domain.reset.is_none() {
                child.set_reset(reset);
            }
        }
    }

    /// Value of a net of this module.
    ///
    /// # Panics
    /// If the net has no driver.
    pub fn get(&mut self, net: Net) -> Bits {
        if let Some(value) = self.settled.get(&net.index) {
            return value.clone();
        }
        let module = Arc::clone(&self.module);
        let value = self.drive(&module, net);
        assert_eq!(value.len(), net.width as usize, "{}", module.net(net).name);
        self.settled.insert(net.index, value.clone());
        value
    }

    fn drive(&mut self, module: &Module, net: Net) -> Bits {
        if module.net(net).kind == NetKind::Input {
            return self.inputs.get(&net.index).cloned().unwrap_or(bits(0, net.width));
        }
        let mut child = 0;
        for item in &module.items {
            match item {
                Item::Assign { net: to, value } if *to == net => return self.expr(value),
                Item::Table { net: to, index, rows } if *to == net => {
                    let row = number(&self.get(*index));
                    return bits(rows[row], net.width);
                }
                Item::Registers(list) if list.iter().any(|r| r.net == net) => {
                    return self.registers.get(&net.index).cloned().unwrap_or(bits(0, net.width));
                }
                Item::Instance(instance) => {
                    for ((port, info), e) in instance.module.ports().zip(&instance.connections) {
                        if info.kind == NetKind::Output && *e == Expr::Net(net) {
                            self.feed(child, instance);
                            return self.children[child].get(port);
                        }
                    }
                    child += 1;
                }
                _ => {}
            }
        }
        panic!("{} has no driver", module.net(net).name);
    }

    /// Brings the inputs of an instance up to date. Instances in these tests have no path from
    /// an output around to an input.
    fn feed(&mut self, child: usize, instance: &Instance) {
        for ((port, info), e) in instance.module.ports().zip(&instance.connections) {
            if info.kind == NetKind::Input {
                let value = self.expr(e);
                if self.children[child].inputs.get(&port.index) != Some(&value) {
                    self.children[child].set(port, value);
                }
            }
        }
        if let Some(reset) = instance.domain.reset {
            let reset = self.get(reset)[0];
            if self.children[child].reset != reset {
                self.children[child].set_reset(reset);
            }
        }
    }

    fn expr(&mut self, e: &Expr) -> Bits {
        let zip = |a: Bits, b: Bits, f: fn(bool, bool) -> bool| -> Bits {
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
        };
        match e {
            Expr::Net(net) => self.get(*net),
            Expr::Reset => vec![self.reset],
            Expr::Const { width, value } => bits(*value, *width),
            Expr::Slice { net, low, width } => {
                self.get(*net)[*low as usize..(*low + *width) as usize].to_vec()
            }
            Expr::Concat(parts) => parts.iter().rev().flat_map(|p| self.expr(p)).collect(),
            Expr::Repeat { times, bit, .. } => vec![self.expr(bit)[0]; *times as usize],
            Expr::Not(e) => self.expr(e).into_iter().map(|b| !b).collect(),
            Expr::And(list) => {
                let values: Vec<Bits> = list.iter().map(|e| self.expr(e)).collect();
                values.into_iter().reduce(|a, b| zip(a, b, |a, b| a && b)).unwrap()
            }
            Expr::Or(list) => {
                let values: Vec<Bits> = list.iter().map(|e| self.expr(e)).collect();
                values.into_iter().reduce(|a, b| zip(a, b, |a, b| a || b)).unwrap()
            }
            Expr::Xor(list) => {
                let values: Vec<Bits> = list.iter().map(|e| self.expr(e)).collect();
                values.into_iter().reduce(|a, b| zip(a, b, |a, b| a != b)).unwrap()
            }
            Expr::Any(e) => vec![self.expr(e).contains(&true)],
            Expr::Equal(a, b) => vec![self.expr(a) == self.expr(b)],
            Expr::Add(a, b) => ripple(&self.expr(a), &self.expr(b), false),
            Expr::Sub(a, b) => {
                let b: Bits = self.expr(b).into_iter().map(|b| !b).collect();
                ripple(&self.expr(a), &b, true)
            }
            Expr::Mux { select, then, otherwise } => match self.expr(select)[0] {
                true => self.expr(then),
                false => self.expr(otherwise),
            },
            Expr::Read { memory, address } => {
                let address = number(&self.expr(address));
                let words = &self.memories[memory.0 as usize];
                let width = self.module.memories[memory.0 as usize].width;
                words.get(address).cloned().unwrap_or(bits(0, width))
            }
        }
    }

    /// The rising edge.
    pub fn clock(&mut self) {
        self.prepare();
        self.commit(true);
    }

    /// Brings every instance's inputs up to date, all the way down.
    fn prepare(&mut self) {
        let module = Arc::clone(&self.module);
        for (child, instance) in module.instances().enumerate() {
            self.feed(child, instance);
            self.children[child].prepare();
        }
    }

    /// The edge, where the clock of the module has one.
    fn commit(&mut self, edge: bool) {
        let module = Arc::clone(&self.module);
        let below: Vec<bool> = module
            .instances()
            .map(|instance| instance.domain.clock.map_or(edge, |clock| self.get(clock)[0]))
            .collect();
        let mut next = HashMap::new();
        let mut writes = Vec::new();
        for item in module.items.iter().filter(|_| edge) {
            match item {
                Item::Registers(list) => {
                    for r in list {
                        let enabled = match &r.enable {
                            Some(e) => self.expr(e)[0],
                            None => true,
                        };
                        let value = match r.reset {
                            Some(value) if self.reset => bits(value, r.net.width),
                            _ if enabled => self.expr(&r.next),
                            _ => self.get(r.net),
                        };
                        next.insert(r.net.index, value);
                    }
                }
                Item::Write { memory, enable, address, data } if self.expr(enable)[0] => {
                    let address = number(&self.expr(address));
                    writes.push((memory.0 as usize, address, self.expr(data)));
                }
                _ => {}
            }
        }
        self.children.iter_mut().zip(below).for_each(|(child, edge)| child.commit(edge));
        self.registers.extend(next);
        for (memory, address, data) in writes {
            if let Some(word) = self.memories[memory].get_mut(address) {
                *word = data;
            }
        }
        self.settled.clear();
    }

    /// Names of all nets, those of instances under their names joined by `.`.
    pub fn names(&self, prefix: &str, found: &mut Vec<String>) {
        found.extend(self.module.nets.iter().map(|info| format!("{prefix}{}", info.name)));
        for (child, instance) in self.children.iter().zip(self.module.instances()) {
            child.names(&format!("{prefix}{}.", instance.name), found);
        }
    }

    /// Values of all nets, in the order of their names.
    pub fn all(&mut self, found: &mut Vec<Bits>) {
        let module = Arc::clone(&self.module);
        for (i, info) in module.nets.iter().enumerate() {
            found.push(self.get(Net { index: i as u32, width: info.width }));
        }
        for (child, instance) in module.instances().enumerate() {
            self.feed(child, instance);
            self.children[child].all(found);
        }
    }
}

fn ripple(a: &Bits, b: &Bits, mut carry: bool) -> Bits {
    let add = |(&a, &b): (&bool, &bool)| {
        let ones = u8::from(a) + u8::from(b) + u8::from(carry);
        carry = ones > 1;
        ones & 1 == 1
    };
    a.iter().zip(b).map(add).collect()
}

fn number(bits: &Bits) -> usize {
    bits.iter().rev().fold(0, |v, &b| v << 1 | usize::from(b))
}
