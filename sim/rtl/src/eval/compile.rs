//! From the flat netlist to a program.

use super::flatten::{Driver, Flat};
use super::program::{Program, RegisterSlot, Words, WriteSlot};
use super::values::{SINGLY, Slot, Values, mask};
use rustc_hash::FxHashMap;
use turnpike_netlist::{Expr, Register};

/// The program, and the slots of each net.
pub(super) struct Compiled {
    pub program: Program,
    pub values: Values,
    /// By net, where it is kept.
    pub nets: Vec<Option<Vec<Slot>>>,
}

impl Compiled {
    /// Keeps what the nets that `keep` names need, and all registers and memories.
    pub fn keep(&mut self, keep: impl Fn(u32) -> bool) {
        let Self { program, values, nets } = self;
        (0..).zip(&mut *nets).filter(|(net, _)| !keep(*net)).for_each(|(_, slots)| *slots = None);
        let kept = nets.iter().flatten().flatten().copied();
        program.keep(values.initial.len(), kept);
    }
}

/// Compiles all nets, registers and memories.
pub(super) fn compile(flat: &Flat) -> Compiled {
    let mut memory_slots = 0u32;
    let memories = flat.memories.iter().map(|m| {
        let words = Words { base: memory_slots, stride: m.width.div_ceil(64), depth: m.depth };
        memory_slots += words.stride * words.depth;
        words
    });
    let memories = memories.collect();
    // Nets have two or three operators each, for the most part.
    let mut values = Values::with_room(3 * flat.widths.len());
    let reset = values.fresh(1);
    let mut compiler = Compiler {
        flat,
        values,
        reset,
        memories,
        nets: vec![None; flat.widths.len()],
        split: FxHashMap::default(),
    };
    for net in 0..flat.widths.len() {
        compiler.net(net as u32);
    }
    let registers = compiler.registers();
    let writes = compiler.writes();
    let Compiler { mut values, nets, .. } = compiler;
    let program = Program {
        all: std::mem::take(&mut values.list),
        reads: std::mem::take(&mut values.reads),
        tables: std::mem::take(&mut values.tables),
        registers,
        writes,
        memory_slots: memory_slots as usize,
        reset,
    };
    Compiled { program, values, nets }
}

pub(super) struct Compiler<'a> {
    pub flat: &'a Flat<'a>,
    pub values: Values,
    pub reset: Slot,
    pub memories: Vec<Words>,
    /// Slots by net; `None` until compiled.
    nets: Vec<Option<Vec<Slot>>>,
    /// The bits of registers that have a slot for each, by net.
    split: FxHashMap<u32, Vec<Slot>>,
}

/// Whether the bits of a register are kept one by one: requests and grants of a few bits are made
/// and looked at bit by bit, numbers are not.
fn is_split(register: &Register) -> bool {
    let number = |e: &Expr| matches!(e, Expr::Add(..) | Expr::Sub(..));
    (2..=SINGLY).contains(&register.net.width) && !register.next.contains(&number)
}

impl Compiler<'_> {
    /// Compiles a net after all that it depends on. A stack of its own, for chains may be long.
    fn net(&mut self, root: u32) {
        let mut stack = vec![root];
        let mut open = Vec::new();
        while let Some(&net) = stack.last() {
            if self.nets[net as usize].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if open.last() != Some(&net) {
                let nets = &self.nets;
                let mut depend = |on: u32| {
                    if nets[on as usize].is_none() {
                        stack.push(on);
                    }
                };
                let base = |scope: usize| self.flat.scopes[scope].nets;
                match self.flat.drivers[net as usize] {
                    Driver::Input | Driver::Register(..) => {}
                    Driver::Expr(scope, e) => {
                        e.nets(&mut |n| depend(base(scope) + n.index));
                        if let Some(reset) = self.flat.scopes[scope].reset
                            && e.contains(&|e| matches!(e, Expr::Reset))
                        {
                            depend(reset);
                        }
                    }
                    Driver::Table(index, _) => depend(index),
                    Driver::Net(other) => depend(other),
                }
            }
            if stack.len() > before {
                open.push(net);
                continue;
            }
            open.pop_if(|last| *last == net);
            let slots = self.drive(net);
            self.nets[net as usize] = Some(slots);
            stack.pop();
        }
    }

    fn drive(&mut self, net: u32) -> Vec<Slot> {
        let width = self.flat.widths[net as usize];
        self.values.current = net;
        match self.flat.drivers[net as usize] {
            Driver::Register(_, register) if is_split(register) => {
                let bits: Vec<Slot> = (0..width).map(|_| self.values.fresh(1)).collect();
                let zero = self.values.constant(0);
                let place = |word, (&bit, at)| self.values.place_up(word, bit, at);
                let word = bits.iter().zip(0..).fold(zero, place);
                self.split.insert(net, bits);
                vec![word]
            }
            Driver::Input | Driver::Register(..) => {
                let bits = (0..width).step_by(64).map(|low| (width - low).min(64));
                bits.map(|bits| self.values.fresh(bits)).collect()
            }
            Driver::Expr(scope, e) => self.expr(scope, e).slots,
            Driver::Net(other) => self.slots(other).to_vec(),
            Driver::Table(index, rows) => {
                let index = self.slots(index)[0];
                let low = self.values.table(index, rows);
                let zero = self.values.constant(0);
                let above = std::iter::repeat_n(zero, width.div_ceil(64) as usize - 1);
                std::iter::once(low).chain(above).collect()
            }
        }
    }

    pub fn slots(&self, net: u32) -> &[Slot] {
        self.nets[net as usize].as_deref().expect("the netlist has no combinational loop")
    }

    pub fn reset(&self, scope: usize) -> Slot {
        self.flat.scopes[scope].reset.map_or(self.reset, |net| self.slots(net)[0])
    }

    fn registers(&mut self) -> Vec<RegisterSlot> {
        let mut registers = Vec::new();
        for net in 0..self.flat.drivers.len() {
            let Driver::Register(scope, register) = self.flat.drivers[net] else { continue };
            self.values.current = net as u32;
            let enable = match &register.enable {
                Some(e) => self.expr(scope, e).slots[0],
                None => self.values.constant(1),
            };
            let mut next = self.expr(scope, &register.next).slots;
            let (width, mut each) = (register.net.width, 64);
            let held = match self.split.get(&(net as u32)) {
                Some(bits) => {
                    each = 1;
                    let bit = |at| self.values.field(next[0], at, 1, width);
                    next = (0..width).map(bit).collect();
                    bits.clone()
                }
                None => self.slots(net as u32).to_vec(),
            };
            for ((part, &to), &next) in (0..).zip(&held).zip(&next) {
                let bits = (width - each * part).min(each);
                let value = |v: u64| v.checked_shr(each * part).unwrap_or(0) & mask(bits);
                let reset = register.reset.map(value);
                let of = &self.flat.scopes[scope];
                let is_own = of.reset.is_some() || of.clock.is_some();
                let (next, enable, reset) = match reset {
                    // A reset or a clock of its own makes that one more choice of the next value.
                    Some(value) if is_own => {
                        let (by, value) = (self.reset(scope), self.values.constant(value));
                        let next = self.values.mux(by, value, next, bits);
                        (next, self.values.or(enable, by, 1), None)
                    }
                    reset => (next, enable, reset),
                };
                let enable = self.ticked(scope, enable);
                registers.push(RegisterSlot { to, part, next, enable, reset });
            }
        }
        registers
    }

    /// The enable of what is in a scope: with a clock of its own it waits for that.
    fn ticked(&mut self, scope: usize, enable: Slot) -> Slot {
        match self.flat.scopes[scope].clock {
            Some(clock) => {
                let tick = self.slots(clock)[0];
                self.values.and(enable, tick, 1)
            }
            None => enable,
        }
    }

    fn writes(&mut self) -> Vec<WriteSlot> {
        let mut writes = Vec::new();
        let mut ports = vec![0; self.memories.len()];
        for w in &self.flat.writes {
            let port = ports[w.memory as usize];
            ports[w.memory as usize] += 1;
            let words = self.memories[w.memory as usize];
            let enable = self.expr(w.scope, w.enable).slots[0];
            let enable = self.ticked(w.scope, enable);
            let address = self.expr(w.scope, w.address).slots[0];
            let data = self.expr(w.scope, w.data).slots;
            writes.extend((0..).zip(data).map(|(i, data)| {
                let words = Words { base: words.base + i, ..words };
                WriteSlot { port, words, enable, address, data }
            }));
        }
        writes
    }
}
