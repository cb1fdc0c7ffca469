//! From instructions to lanes: finds those that are the same in many places of a netlist.
//!
//! Places are the same where they are so named: a register of an instance is of the same *kind*
//! as that register of every other instance of the module. That goes for modules that are placed
//! often, the *units*: switches, or queues and arbiters where no two switches are alike.
//! Instructions are of one kind where they do the same to operands of the same kinds. That alone decides how fast a netlist runs, and nothing of what it does:
//! operands that do not lie in the order of the lanes are gathered first.

mod chains;
mod columns;
mod kinds;
mod steps;

use super::compile::Compiled;
use super::flatten::{Driver, Flat};
use super::lanes::{Lanes, Memories, Place, Registers, Step, Writes};
use super::program::{Instruction, Op, Program, Words, WriteSlot};
use super::values::{Slot, Values};
use columns::Columns;
use kinds::{Kind, Kinds};
use rustc_hash::FxHashMap;

/// The program in lanes, and where each net's slots are: for each net the first of its places, and
/// after the last net the number of places; none for nets that are not kept.
pub(super) fn group(flat: &Flat, compiled: &Compiled) -> (Lanes, Vec<u32>, Vec<Place>) {
    let Compiled { program, values, nets } = compiled;
    let mut builder = Builder::new(flat, program, values);
    builder.sources(nets);
    builder.instructions(nets);
    builder.edge();
    let Builder { mut lanes, steps, places, .. } = builder;
    for (step, reached) in steps {
        lanes.all.push(step);
        if reached.inputs {
            lanes.after_inputs.push(step);
        }
        if reached.state {
            lanes.after_clock.push(step);
        }
    }
    let (mut starts, mut of_nets) = (Vec::with_capacity(nets.len() + 1), Vec::new());
    for slots in nets {
        starts.push(of_nets.len() as u32);
        of_nets.extend(slots.iter().flatten().map(|&slot| places[slot as usize]));
    }
    starts.push(of_nets.len() as u32);
    (lanes, starts, of_nets)
}

/// Sources that a value depends on.
#[derive(Clone, Copy, Default)]
struct Reached {
    inputs: bool,
    state: bool,
}

impl Reached {
    fn and(self, other: Self) -> Self {
        Self { inputs: self.inputs | other.inputs, state: self.state | other.state }
    }
}

struct Builder<'a> {
    flat: &'a Flat<'a>,
    program: &'a Program,
    values: &'a Values,
    kinds: Kinds<'a>,
    /// By scope: its kind, and the unit that it is in.
    scopes: Vec<(u32, u32)>,
    /// By net: its scope.
    scope_of: Vec<u32>,
    /// By slot.
    kind: Vec<u32>,
    places: Vec<Place>,
    reached: Vec<Reached>,
    memories: FxHashMap<Words, u32>,
    /// Columns in which values lie side by side, as words and as bits.
    columns: [Columns; 2],
    /// By entry of the registers in lanes: those of the program, in the order of the lanes.
    registers: Vec<Vec<usize>>,
    lanes: Lanes,
    steps: Vec<(Step, Reached)>,
}

/// Instructions of one kind.
struct Group {
    depth: u32,
    members: Vec<Instruction>,
}

impl<'a> Builder<'a> {
    fn new(flat: &'a Flat<'a>, program: &'a Program, values: &'a Values) -> Self {
        let mut kinds = Kinds::with_room(values.initial.len());
        let scopes = kinds::units(flat, &mut kinds);
        let mut scope_of = vec![0; flat.widths.len()];
        for (i, scope) in (0..).zip(&flat.scopes) {
            scope_of[scope.nets as usize..][..scope.module.nets.len()].fill(i);
        }
        let slots = values.initial.len();
        let nowhere = Place { word: u32::MAX, shift: 0, keep: 0 };
        let lanes = Lanes {
            tables: program.tables.clone(),
            memory_words: program.memory_slots,
            ..Lanes::default()
        };
        Self {
            flat,
            program,
            values,
            kinds,
            scopes,
            scope_of,
            kind: vec![u32::MAX; slots],
            places: vec![nowhere; slots],
            reached: vec![Reached::default(); slots],
            memories: FxHashMap::default(),
            columns: [(); 2].map(|()| Columns::new(slots)),
            registers: Vec::new(),
            lanes,
            steps: Vec::new(),
        }
    }

    /// Constants, inputs and registers, in that order.
    fn sources(&mut self, nets: &[Option<Vec<Slot>>]) {
        for slot in 0..self.values.initial.len() as Slot {
            if let Some(value) = self.values.value(slot) {
                let at = self.allocate(1, false);
                self.lanes.initial[at as usize] = value;
                self.settle(&[slot], at, false);
                self.kind[slot as usize] = self.kinds.of(Kind::Constant(value));
            }
        }
        self.input(self.program.reset, Kind::Single(u32::MAX));
        self.lanes.reset = self.places[self.program.reset as usize].word;
        for (net, slots) in (0..).zip(nets) {
            if matches!(self.flat.drivers[net as usize], Driver::Input) {
                let slots = slots.iter().flatten();
                slots.for_each(|&slot| self.input(slot, Kind::Single(net)));
            }
        }
        self.lanes.registers_at = self.lanes.initial.len() as u32;
        let mut kinds: FxHashMap<(u32, bool, Option<u64>), usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, r) in self.program.registers.iter().enumerate() {
            let net = self.values.home[r.to as usize];
            let scope = self.scope_of[net as usize] as usize;
            let inner = net - self.flat.scopes[scope].nets;
            let kind = self.kinds.of(Kind::Net(self.scopes[scope].0, inner, r.part));
            self.kind[r.to as usize] = kind;
            self.reached[r.to as usize].state = true;
            let key = (kind, self.is_bit(r.to), r.reset);
            let group = *kinds.entry(key).or_insert(groups.len());
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            groups[group].push(i);
        }
        for group in &groups {
            let first = self.program.registers[group[0]];
            let bits = self.is_bit(first.to);
            let to = self.allocate(group.len(), bits);
            let slots: Vec<Slot> = group.iter().map(|&i| self.program.registers[i].to).collect();
            self.settle(&slots, to, bits);
            let (lanes, reset) = (group.len() as u32, first.reset);
            // What they become is known when all else is placed.
            let unknown = u32::MAX;
            let registers = Registers { bits, lanes, to, next: unknown, enable: None, reset };
            self.lanes.registers.push(registers);
        }
        self.registers = groups;
        let mut base = 0;
        for (scope, &(kind, _)) in self.flat.scopes.iter().zip(&self.scopes) {
            for (i, memory) in (0..).zip(&scope.module.memories) {
                let (stride, depth) = (memory.width.div_ceil(64), memory.depth);
                for part in 0..stride {
                    let kind = self.kinds.of(Kind::Memory(kind, i, part, stride));
                    self.memories.insert(Words { base: base + part, stride, depth }, kind);
                }
                base += stride * depth;
            }
        }
    }

    fn input(&mut self, slot: Slot, kind: Kind<'a>) {
        let at = self.allocate(1, false);
        self.settle(&[slot], at, false);
        self.kind[slot as usize] = self.kinds.of(kind);
        self.reached[slot as usize].inputs = true;
    }

    fn is_bit(&self, slot: Slot) -> bool {
        self.values.bound[slot as usize] == 1
    }

    fn instructions(&mut self, nets: &[Option<Vec<Slot>>]) {
        let mut numbers = FxHashMap::default();
        let mut depths = vec![0u32; self.values.initial.len()];
        // By kind.
        let mut group_of: Vec<Option<usize>> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for i in &self.program.all {
            let operands = &[i.a, i.b, i.c][..i.operands()];
            let reached = operands.iter().map(|&s| self.reached[s as usize]);
            let mut reached = reached.fold(Reached::default(), Reached::and);
            reached.state |= i.op == Op::Read;
            let to = i.to as usize;
            self.reached[to] = reached;
            let from = self.values.home[i.a as usize];
            // The ports of the top have all terminals side by side: bits of an input stay where
            // they are, and the bits of all terminals are of one kind.
            if i.op == Op::Field && self.is_input(i.a) {
                let Place { word, .. } = self.places[i.a as usize];
                self.places[to] = Place { word, shift: i.b as u8, keep: i.keep };
                self.kind[to] = self.kinds.of(Kind::Input(from, i.keep));
                continue;
            }
            let mut parts = [u32::MAX; 3];
            for (part, &slot) in parts.iter_mut().zip(operands) {
                let depth = depths[slot as usize];
                *part = match self.values.value(slot) {
                    Some(value) if value > 1 => self.number(i.to, (0, true), &mut numbers),
                    None if self.is_foreign(slot, i.to) => {
                        self.number(i.to, (depth, self.is_bit(slot)), &mut numbers)
                    }
                    _ => self.kind[slot as usize],
                };
            }
            let mut i = *i;
            if i.is_commutative() && parts[0] > parts[1] {
                (i.a, i.b) = (i.b, i.a);
                parts.swap(0, 1);
            }
            let number = match i.op {
                Op::Field | Op::Table => i.b,
                Op::PlaceUp | Op::PlaceDown => i.c,
                Op::Read => self.memories[&self.program.reads[i.b as usize]],
                _ => 0,
            };
            let depth = operands.iter().map(|&s| depths[s as usize] + 1).max().unwrap_or(0);
            depths[to] = depth;
            let kind = Kind::Made(i.op, i.keep, number, parts, self.is_bit(i.to));
            self.kind[to] = self.kinds.of(kind);
            let kind = self.kind[to] as usize;
            group_of.resize(group_of.len().max(kind + 1), None);
            let group = *group_of[kind].get_or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group { depth, members: Vec::new() });
            }
            debug_assert_eq!(groups[group].depth, depth);
            groups[group].members.push(i);
        }
        // Steps of one operation one after the other: the processor foresees them.
        groups.sort_by_key(|group| (group.depth, group.members[0].op as u8));
        let chains = self.chains(&groups, nets);
        for group in groups {
            match chains.get(&group.members[0].to) {
                None => self.step(group.members),
                Some(None) => {}
                Some(Some(parts)) => self.collect(group.members[0].to, parts),
            }
        }
    }

    /// The unit of the net that was compiled when a slot was made.
    fn unit(&self, slot: Slot) -> u32 {
        let net = self.values.home[slot as usize] as usize;
        self.scopes[self.scope_of[net] as usize].1
    }

    /// Whether a slot comes from another unit than the one that reads it.
    fn is_foreign(&self, slot: Slot, by: Slot) -> bool {
        self.unit(by) > 0 && ![0, self.unit(by)].contains(&self.unit(slot))
    }

    /// The kind of an operand that may be unlike in every unit: the number of such operands in
    /// the net that is compiled. An address, say, is another constant in every switch, and
    /// what a switch hears of its neighbour comes from a switch with other ports.
    fn number(&mut self, to: Slot, like: (u32, bool), numbers: &mut FxHashMap<u32, u32>) -> u32 {
        let net = self.values.home[to as usize];
        let scope = self.scope_of[net as usize] as usize;
        let number = numbers.entry(net).or_default();
        *number += 1;
        let inner = net - self.flat.scopes[scope].nets;
        self.kinds.of(Kind::Number(self.scopes[scope].0, inner, *number, like))
    }

    fn is_input(&self, slot: Slot) -> bool {
        self.reached[slot as usize].inputs
            && matches!(self.flat.drivers[self.values.home[slot as usize] as usize], Driver::Input)
            && !self.values.is_made(slot)
            && slot != self.program.reset
    }

    /// Registers and write ports.
    fn edge(&mut self) {
        for (at, group) in std::mem::take(&mut self.registers).into_iter().enumerate() {
            let of = |&i: &usize| self.program.registers[i];
            let next: Vec<Slot> = group.iter().map(|i| of(i).next).collect();
            let enable: Vec<Slot> = group.iter().map(|i| of(i).enable).collect();
            let always = enable.iter().all(|&slot| self.values.value(slot) == Some(1));
            let bits = self.lanes.registers[at].bits;
            let next = self.column(&next, bits);
            let enable = (!always).then(|| self.column(&enable, true));
            let registers = &mut self.lanes.registers[at];
            (registers.next, registers.enable) = (next, enable);
        }
        let mut groups: Vec<((u32, u32), Vec<usize>)> = Vec::new();
        let mut index: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (i, w) in self.program.writes.iter().enumerate() {
            let key = (w.port, self.memories[&w.words]);
            let group = *index.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push((key, Vec::new()));
            }
            groups[group].1.push(i);
        }
        // The ports of a memory in their order.
        groups.sort_by_key(|((port, _), _)| *port);
        for (_, members) in groups {
            let of = |i: &usize| self.program.writes[*i];
            let column = |slot: &dyn Fn(WriteSlot) -> Slot| -> Vec<Slot> {
                members.iter().map(|i| slot(of(i))).collect()
            };
            let (enable, address) = (column(&|w| w.enable), column(&|w| w.address));
            let data = column(&|w| w.data);
            let Words { stride, depth, .. } = of(&members[0]).words;
            let bases = members.iter().map(|i| of(i).words.base).collect();
            let writes = Writes {
                memories: Memories { bases, stride, depth },
                enable: self.column(&enable, true),
                address: self.column(&address, false),
                data: self.column(&data, false),
            };
            self.lanes.writes.push(writes);
        }
    }
}
