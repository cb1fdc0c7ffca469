//! From the flat netlist to a program.

use super::flatten::{Driver, Flat};
use super::program::{Instruction, Op, Program, RegisterSlot, Words, WriteSlot};
use super::values::{Slot, Values, mask};
use turnpike_netlist::Expr;

/// The program, and the slots of each net: those of net n are `slots[starts[n]..starts[n + 1]]`.
pub(super) struct Compiled {
    pub program: Program,
    pub starts: Vec<u32>,
    pub slots: Vec<Slot>,
}

pub(super) fn compile(flat: &Flat) -> Compiled {
    let mut memory_slots = 0u32;
    let memories = flat.memories.iter().map(|m| {
        let words = Words { base: memory_slots, stride: m.width.div_ceil(64), depth: m.depth };
        memory_slots += words.stride * words.depth;
        words
    });
    let memories = memories.collect();
    let mut values = Values::default();
    let reset = values.fresh();
    let mut compiler =
        Compiler { flat, values, reset, memories, nets: vec![None; flat.widths.len()] };
    for net in 0..flat.widths.len() {
        compiler.net(net as u32);
    }
    let registers = compiler.registers();
    let writes = compiler.writes();
    let mut starts = Vec::with_capacity(flat.widths.len() + 1);
    let mut slots = Vec::new();
    for net in &compiler.nets {
        starts.push(slots.len() as u32);
        slots.extend(net.iter().flatten().copied());
    }
    starts.push(slots.len() as u32);
    let values = compiler.values;
    let mut program = Program {
        initial: values.initial,
        reads: values.reads,
        tables: values.tables,
        registers,
        writes,
        memory_slots: memory_slots as usize,
        reset,
        ..Program::default()
    };
    let mut inputs = vec![reset];
    for (net, driver) in flat.drivers.iter().enumerate() {
        if matches!(driver, Driver::Input) {
            inputs.extend(&slots[starts[net] as usize..starts[net + 1] as usize]);
        }
    }
    schedule(&mut program, &values.list, &slots, &inputs);
    Compiled { program, starts, slots }
}

/// Drops what nothing uses, and finds what follows from inputs and what from the state.
fn schedule(program: &mut Program, list: &[Instruction], named: &[Slot], inputs: &[Slot]) {
    let mut used = vec![false; program.initial.len()];
    let mut need = |slot: Slot| used[slot as usize] = true;
    named.iter().copied().for_each(&mut need);
    for r in &program.registers {
        [r.next, r.enable].into_iter().for_each(&mut need);
    }
    for w in &program.writes {
        [w.enable, w.address, w.data].into_iter().for_each(&mut need);
    }
    for i in list.iter().rev() {
        if used[i.to as usize] {
            operands(i).into_iter().for_each(|slot| used[slot as usize] = true);
        }
    }
    program.all = list.iter().filter(|i| used[i.to as usize]).copied().collect();
    let downstream = |from: &mut dyn Iterator<Item = Slot>, reads: bool| {
        let mut reached = vec![false; program.initial.len()];
        from.for_each(|slot| reached[slot as usize] = true);
        let mut of = Vec::new();
        for i in &program.all {
            let touched = operands(i).into_iter().any(|slot| reached[slot as usize]);
            if touched || (reads && i.op == Op::Read) {
                reached[i.to as usize] = true;
                of.push(*i);
            }
        }
        of
    };
    program.after_inputs = downstream(&mut inputs.iter().copied(), false);
    program.after_clock = downstream(&mut program.registers.iter().map(|r| r.to), true);
}

/// The slots that an instruction reads; unused operands repeat another.
fn operands(i: &Instruction) -> [Slot; 3] {
    match i.op {
        Op::Field | Op::Read | Op::Table => [i.a; 3],
        Op::PlaceUp | Op::PlaceDown => [i.a, i.b, i.b],
        _ => [i.a, i.b, i.c],
    }
}

pub(super) struct Compiler<'a> {
    pub flat: &'a Flat<'a>,
    pub values: Values,
    pub reset: Slot,
    pub memories: Vec<Words>,
    /// Slots by net; `None` until compiled.
    nets: Vec<Option<Vec<Slot>>>,
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
        match self.flat.drivers[net as usize] {
            Driver::Input | Driver::Register(..) => {
                (0..width.div_ceil(64)).map(|_| self.values.fresh()).collect()
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

    /// The slot of the reset of a scope.
    pub fn reset(&self, scope: usize) -> Slot {
        self.flat.scopes[scope].reset.map_or(self.reset, |net| self.slots(net)[0])
    }

    fn registers(&mut self) -> Vec<RegisterSlot> {
        let mut registers = Vec::new();
        for net in 0..self.flat.drivers.len() {
            let Driver::Register(scope, register) = self.flat.drivers[net] else { continue };
            let enable = match &register.enable {
                Some(e) => self.expr(scope, e).slots[0],
                None => self.values.constant(1),
            };
            let next = self.expr(scope, &register.next);
            let low = register.net.width.min(64);
            let held = self.slots(net as u32).to_vec();
            for (i, (&to, &next)) in held.iter().zip(&next.slots).enumerate() {
                let value = |v: u64| if i == 0 { v & mask(low) } else { 0 };
                let reset = register.reset.map(value);
                let (next, enable, reset) = match (self.flat.scopes[scope].reset, reset) {
                    // Under a reset of its own that is one more choice of the next value.
                    (Some(net), Some(value)) => {
                        let (by, value) = (self.slots(net)[0], self.values.constant(value));
                        let bits = (register.net.width - 64 * i as u32).min(64);
                        let next = self.values.mux(by, value, next, bits);
                        (next, self.values.or(enable, by, 1), None)
                    }
                    _ => (next, enable, reset),
                };
                registers.push(RegisterSlot { to, next, enable, reset });
            }
        }
        registers
    }

    fn writes(&mut self) -> Vec<WriteSlot> {
        let mut writes = Vec::new();
        for w in &self.flat.writes {
            let words = self.memories[w.memory as usize];
            let enable = self.expr(w.scope, w.enable).slots[0];
            let address = self.expr(w.scope, w.address).slots[0];
            let data = self.expr(w.scope, w.data).slots;
            writes.extend((0..).zip(data).map(|(i, data)| {
                let words = Words { base: words.base + i, ..words };
                WriteSlot { words, enable, address, data }
            }));
        }
        writes
    }
}
