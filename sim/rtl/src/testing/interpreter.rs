//! A plain interpreter of netlists, written apart from the evaluator: a bit is a `bool`, nets
//! are found by recursion, nothing is compiled.
//!
//! Values are not made and thrown away one by one, for the tests run millions of netlists: those of
//! nets have their places in one list, those in between are on a stack.

use std::ops::Range;
use turnpike_netlist::{Expr, Instance, Item, Module, Net, NetInfo, NetKind};

/// An instance and all below it.
pub struct Interpreter<'m> {
    module: &'m Module,
    /// By net.
    drivers: Vec<Driver<'m>>,
    /// Bits of all nets, one net after the other, bit 0 of each first.
    values: Vec<bool>,
    /// By net, the place of its bit 0 in `values`.
    starts: Vec<usize>,
    /// By net, whether it was computed since an input or the state changed.
    settled: Vec<bool>,
    /// Values that are worked on, the last one at the end.
    stack: Vec<bool>,
    /// By memory, its words.
    memories: Vec<Vec<Vec<bool>>>,
    instances: Vec<&'m Instance>,
    /// By instance.
    children: Vec<Interpreter<'m>>,
    /// By instance, whether it got its inputs since an input or the state changed.
    fed: Vec<bool>,
    reset: bool,
}

/// Driver of a net.
#[derive(Clone, Copy)]
enum Driver<'m> {
    /// No driver: the net is an input or a register.
    Held,
    Assign(&'m Expr),
    /// A table, with its index.
    Table(Net, &'m [u64]),
    /// A port of an instance.
    Port(usize, Net),
    Missing,
}

/// The driver of every net of a module.
fn drivers(module: &Module) -> Vec<Driver<'_>> {
    let held = |info: &NetInfo| match info.kind {
        NetKind::Input => Driver::Held,
        _ => Driver::Missing,
    };
    let mut drivers: Vec<Driver> = module.nets.iter().map(held).collect();
    let mut child = 0;
    for item in &module.items {
        match item {
            Item::Assign { net, value } => drivers[net.index as usize] = Driver::Assign(value),
            Item::Table { net, index, rows } => {
                drivers[net.index as usize] = Driver::Table(*index, rows);
            }
            Item::Registers(list) => {
                list.iter().for_each(|r| drivers[r.net.index as usize] = Driver::Held);
            }
            Item::Instance(instance) => {
                for ((port, info), e) in instance.module.ports().zip(&instance.connections) {
                    if let (NetKind::Output, Expr::Net(net)) = (info.kind, e) {
                        drivers[net.index as usize] = Driver::Port(child, port);
                    }
                }
                child += 1;
            }
            Item::Section(_) | Item::Comment(_) | Item::Write { .. } => {}
        }
    }
    drivers
}

impl<'m> Interpreter<'m> {
    /// A netlist whose inputs, registers and memories are 0.
    pub fn new(module: &'m Module) -> Self {
        let (mut starts, mut bits) = (Vec::with_capacity(module.nets.len()), 0);
        for info in &module.nets {
            starts.push(bits);
            bits += info.width as usize;
        }
        let words = |depth: u32, width: u32| vec![vec![false; width as usize]; depth as usize];
        let instances: Vec<&Instance> = module.instances().collect();
        Self {
            module,
            drivers: drivers(module),
            values: vec![false; bits],
            starts,
            settled: vec![false; module.nets.len()],
            stack: Vec::new(),
            memories: module.memories.iter().map(|m| words(m.depth, m.width)).collect(),
            children: instances.iter().map(|i| Self::new(&i.module)).collect(),
            fed: vec![false; instances.len()],
            instances,
            reset: false,
        }
    }

    /// Sets an input of the top, bit 0 first.
    ///
    /// # Panics
    /// If the value has another width.
    pub fn set(&mut self, net: Net, value: &[bool]) {
        let place = self.place(net);
        self.values[place].copy_from_slice(value);
        self.unsettle();
    }

    pub fn set_reset(&mut self, reset: bool) {
        self.reset = reset;
        self.unsettle();
        for (child, instance) in self.children.iter_mut().zip(&self.instances) {
            if instance.domain.reset.is_none() {
                child.set_reset(reset);
            }
        }
    }

    fn unsettle(&mut self) {
        self.settled.fill(false);
        self.fed.fill(false);
    }

    fn place(&self, net: Net) -> Range<usize> {
        let start = self.starts[net.index as usize];
        start..start + net.width as usize
    }

    /// Value of a net of this module, bit 0 first.
    ///
    /// # Panics
    /// If the net has no driver.
    pub fn get(&mut self, net: Net) -> &[bool] {
        let place = self.place(net);
        if !self.settled[net.index as usize] {
            let at = self.stack.len();
            match self.drivers[net.index as usize] {
                Driver::Held => self.stack.extend_from_slice(&self.values[place.clone()]),
                Driver::Assign(value) => self.push(value),
                Driver::Table(index, rows) => {
                    let row = rows[number(self.get(index))];
                    self.push_number(row, net.width);
                }
                Driver::Port(child, port) => {
                    self.feed(child);
                    self.stack.extend_from_slice(self.children[child].get(port));
                }
                Driver::Missing => panic!("{} has no driver", self.module.net(net).name),
            }
            let width = self.stack.len() - at;
            assert_eq!(width, net.width as usize, "{}", self.module.net(net).name);
            self.values[place.clone()].copy_from_slice(&self.stack[at..]);
            self.stack.truncate(at);
            self.settled[net.index as usize] = true;
        }
        &self.values[place]
    }

    /// Brings the inputs of an instance up to date. Instances in these tests have no path from
    /// an output around to an input.
    fn feed(&mut self, child: usize) {
        if self.fed[child] {
            return;
        }
        let instance = self.instances[child];
        for ((port, info), e) in instance.module.ports().zip(&instance.connections) {
            if info.kind == NetKind::Input {
                let at = self.stack.len();
                self.push(e);
                let (child, value) = (&mut self.children[child], &self.stack[at..]);
                if child.values[child.place(port)] != *value {
                    child.set(port, value);
                }
                self.stack.truncate(at);
            }
        }
        if let Some(reset) = instance.domain.reset {
            let reset = self.get(reset)[0];
            if self.children[child].reset != reset {
                self.children[child].set_reset(reset);
            }
        }
        self.fed[child] = true;
    }

    /// Puts the value of an expression on the stack.
    fn push(&mut self, e: &Expr) {
        match e {
            Expr::Net(net) => {
                self.get(*net);
                self.stack.extend_from_slice(&self.values[self.place(*net)]);
            }
            Expr::Reset => self.stack.push(self.reset),
            Expr::Const { width, value } => self.push_number(*value, *width),
            Expr::Slice { net, low, width } => {
                self.get(*net);
                let bits = &self.values[self.place(*net)][*low as usize..];
                self.stack.extend_from_slice(&bits[..*width as usize]);
            }
            Expr::Concat(parts) => parts.iter().rev().for_each(|part| self.push(part)),
            Expr::Repeat { times, bit, .. } => {
                let bit = self.bit(bit);
                self.stack.resize(self.stack.len() + *times as usize, bit);
            }
            Expr::Not(e) => {
                let at = self.stack.len();
                self.push(e);
                self.stack[at..].iter_mut().for_each(|bit| *bit = !*bit);
            }
            Expr::And(list) => self.fold(list, |a, b| a & b),
            Expr::Or(list) => self.fold(list, |a, b| a | b),
            Expr::Xor(list) => self.fold(list, |a, b| a ^ b),
            Expr::Any(e) => {
                let any = self.with(e, |bits| bits.contains(&true));
                self.stack.push(any);
            }
            Expr::Equal(a, b) => {
                let at = self.stack.len();
                self.push(a);
                let equal = self.with_both(b, at, |a, b| a == b);
                self.stack.truncate(at);
                self.stack.push(equal);
            }
            Expr::Add(a, b) => {
                let at = self.stack.len();
                self.push(a);
                self.with_both(b, at, |a, b| ripple(a, b.iter().copied(), false));
            }
            Expr::Sub(a, b) => {
                let at = self.stack.len();
                self.push(a);
                self.with_both(b, at, |a, b| ripple(a, b.iter().map(|b| !b), true));
            }
            Expr::Mux { select, then, otherwise } => match self.bit(select) {
                true => self.push(then),
                false => self.push(otherwise),
            },
            Expr::Read { memory, address } => {
                let address = self.with(address, number);
                let memory = memory.0 as usize;
                match self.memories[memory].get(address) {
                    Some(word) => self.stack.extend_from_slice(word),
                    None => self.push_number(0, self.module.memories[memory].width),
                }
            }
        }
    }

    fn push_number(&mut self, value: u64, width: u32) {
        self.stack.extend((0..width).map(|i| i < 64 && value >> i & 1 == 1));
    }

    /// Outcome of `look` at an expression's value, which is off the stack again.
    fn with<T>(&mut self, e: &Expr, look: impl FnOnce(&[bool]) -> T) -> T {
        let at = self.stack.len();
        self.push(e);
        let seen = look(&self.stack[at..]);
        self.stack.truncate(at);
        seen
    }

    /// Outcome of `act` on the value from `at` on, which it may change, and that of an expression.
    fn with_both<T>(
        &mut self,
        e: &Expr,
        at: usize,
        act: impl FnOnce(&mut [bool], &[bool]) -> T,
    ) -> T {
        let middle = self.stack.len();
        self.push(e);
        let (a, b) = self.stack[at..].split_at_mut(middle - at);
        let seen = act(a, b);
        self.stack.truncate(middle);
        seen
    }

    fn bit(&mut self, e: &Expr) -> bool {
        self.with(e, |bits| bits[0])
    }

    /// An operator on each bit of some operands.
    fn fold(&mut self, list: &[Expr], operator: impl Fn(bool, bool) -> bool) {
        let at = self.stack.len();
        self.push(&list[0]);
        for e in &list[1..] {
            self.with_both(e, at, |a, b| {
                a.iter_mut().zip(b).for_each(|(a, &b)| *a = operator(*a, b));
            });
        }
    }

    /// The rising edge.
    pub fn clock(&mut self) {
        self.prepare();
        self.commit(true);
    }

    /// Brings every instance's inputs up to date, all the way down.
    fn prepare(&mut self) {
        for child in 0..self.children.len() {
            self.feed(child);
            self.children[child].prepare();
        }
    }

    /// The edge, where the clock of the module has one.
    fn commit(&mut self, edge: bool) {
        let children = self.children.len();
        let below = |i: usize| match self.instances[i].domain.clock {
            Some(clock) => self.get(clock)[0],
            None => edge,
        };
        let below: Vec<bool> = (0..children).map(below).collect();
        // What registers and words take on is on the stack until all of it is known.
        let at = self.stack.len();
        let (mut registers, mut writes) = (Vec::new(), Vec::new());
        for item in self.module.items.iter().filter(|_| edge) {
            match item {
                Item::Registers(list) => {
                    for r in list {
                        let from = self.stack.len();
                        let enabled = r.enable.as_ref().is_none_or(|e| self.bit(e));
                        match r.reset {
                            Some(value) if self.reset => self.push_number(value, r.net.width),
                            _ if enabled => self.push(&r.next),
                            _ => self.push(&Expr::Net(r.net)),
                        }
                        registers.push((r.net, from..self.stack.len()));
                    }
                }
                Item::Write { memory, enable, address, data } if self.bit(enable) => {
                    let address = self.with(address, number);
                    let from = self.stack.len();
                    self.push(data);
                    writes.push((memory.0 as usize, address, from..self.stack.len()));
                }
                _ => {}
            }
        }
        self.children.iter_mut().zip(below).for_each(|(child, edge)| child.commit(edge));
        for (net, next) in registers {
            let place = self.place(net);
            self.values[place].copy_from_slice(&self.stack[next]);
        }
        for (memory, address, data) in writes {
            if let Some(word) = self.memories[memory].get_mut(address) {
                word.copy_from_slice(&self.stack[data]);
            }
        }
        self.stack.truncate(at);
        self.unsettle();
    }

    /// Nets of all instances, each with the name of the instance that it is in: this instance's,
    /// which is `name`, then those of each instance below.
    pub fn nets(&self, name: &'m str, found: &mut Vec<(&'m str, &'m NetInfo)>) {
        found.extend(self.module.nets.iter().map(|info| (name, info)));
        for (child, instance) in self.children.iter().zip(&self.instances) {
            child.nets(&instance.name, found);
        }
    }

    /// Names of all nets, in the order of [`Interpreter::nets`], those of instances under their
    /// names joined by `.`.
    pub fn names(&self, prefix: &str, found: &mut Vec<String>) {
        found.extend(self.module.nets.iter().map(|info| format!("{prefix}{}", info.name)));
        for (child, instance) in self.children.iter().zip(&self.instances) {
            child.names(&format!("{prefix}{}.", instance.name), found);
        }
    }

    /// Bits of all nets, in the order of [`Interpreter::nets`], bit 0 of each first.
    pub fn all(&mut self, found: &mut Vec<bool>) {
        for (i, info) in self.module.nets.iter().enumerate() {
            self.get(Net { index: i as u32, width: info.width });
        }
        found.extend_from_slice(&self.values);
        for child in 0..self.children.len() {
            self.feed(child);
            self.children[child].all(found);
        }
    }
}

/// Adds `b` and a carry to `a`, bit by bit.
fn ripple(a: &mut [bool], b: impl Iterator<Item = bool>, mut carry: bool) {
    for (a, b) in a.iter_mut().zip(b) {
        let ones = u8::from(*a) + u8::from(b) + u8::from(carry);
        carry = ones > 1;
        *a = ones & 1 == 1;
    }
}

fn number(bits: &[bool]) -> usize {
    bits.iter().rev().fold(0, |v, &b| v << 1 | usize::from(b))
}
