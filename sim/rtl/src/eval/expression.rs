//! From an expression to instructions: values of any width, 64 bits a slot.

use super::compile::Compiler;
use super::program::Words;
use super::values::{Slot, Values};
use turnpike_netlist::Expr;

/// Slots of a value, and its width.
pub(super) struct Value {
    pub slots: Vec<Slot>,
    pub width: u32,
}

impl Value {
    /// Bits in slot `i`.
    pub fn bits(&self, i: usize) -> u32 {
        (self.width - 64 * i as u32).min(64)
    }
}

impl Compiler<'_> {
    /// Compiles an expression of a scope; the nets in it are compiled.
    pub fn expr(&mut self, scope: usize, e: &Expr) -> Value {
        let base = self.flat.scopes[scope].nets;
        let single = |slot| Value { slots: vec![slot], width: 1 };
        match e {
            Expr::Net(net) => {
                Value { slots: self.slots(base + net.index).to_vec(), width: net.width }
            }
            Expr::Reset => single(self.reset(scope)),
            Expr::Const { width, value } => {
                let mut slots = vec![self.values.constant(*value)];
                let zero = self.values.constant(0);
                slots.resize(width.div_ceil(64) as usize, zero);
                Value { slots, width: *width }
            }
            Expr::Slice { net, low, width } => {
                let whole = self.slots(base + net.index).to_vec();
                self.slice(&Value { slots: whole, width: net.width }, *low, *width)
            }
            Expr::Concat(parts) => self.concat(scope, parts),
            Expr::Repeat { times, bit, .. } => {
                let bit = self.expr(scope, bit).slots[0];
                let mut value = Value { slots: Vec::new(), width: *times };
                for i in 0..times.div_ceil(64) as usize {
                    let bits = value.bits(i);
                    value.slots.push(self.values.repeat(bit, bits));
                }
                value
            }
            Expr::Not(e) => {
                let mut value = self.expr(scope, e);
                for i in 0..value.slots.len() {
                    value.slots[i] = self.values.not(value.slots[i], value.bits(i));
                }
                value
            }
            Expr::And(list) => self.fold(scope, list, Values::and),
            Expr::Or(list) => self.fold(scope, list, Values::or),
            Expr::Xor(list) => self.fold(scope, list, |v, a, b, _| v.xor(a, b)),
            Expr::Any(e) => {
                let value = self.expr(scope, e);
                let mut any = self.values.any(value.slots[0], value.bits(0));
                for i in 1..value.slots.len() {
                    let more = self.values.any(value.slots[i], value.bits(i));
                    any = self.values.or(any, more, 1);
                }
                single(any)
            }
            Expr::Equal(a, b) => {
                let (a, b) = (self.expr(scope, a), self.expr(scope, b));
                let mut equal = self.values.equal(a.slots[0], b.slots[0]);
                for (&a, &b) in a.slots.iter().zip(&b.slots).skip(1) {
                    let more = self.values.equal(a, b);
                    equal = self.values.and(equal, more, 1);
                }
                single(equal)
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.expr(scope, a), self.expr(scope, b));
                if a.width <= 64 {
                    let sum = self.values.add(a.slots[0], b.slots[0], a.width);
                    return Value { slots: vec![sum], width: a.width };
                }
                self.wide_sum(&a, &b.slots, 0)
            }
            Expr::Sub(a, b) => {
                let (a, b) = (self.expr(scope, a), self.expr(scope, b));
                if a.width <= 64 {
                    let difference = self.values.sub(a.slots[0], b.slots[0], a.width);
                    return Value { slots: vec![difference], width: a.width };
                }
                let inverse: Vec<Slot> = b.slots.iter().map(|&s| self.values.not(s, 64)).collect();
                self.wide_sum(&a, &inverse, 1)
            }
            Expr::Mux { select, then, otherwise } => {
                let select = self.expr(scope, select).slots[0];
                let mut value = self.expr(scope, then);
                let otherwise = self.expr(scope, otherwise).slots;
                for (i, &other) in otherwise.iter().enumerate() {
                    let bits = value.bits(i);
                    value.slots[i] = self.values.mux(select, value.slots[i], other, bits);
                }
                value
            }
            Expr::Read { memory, address } => {
                let memory = (self.flat.scopes[scope].memories + memory.0) as usize;
                let address = self.expr(scope, address).slots[0];
                let words = self.memories[memory];
                let slot = |i| Words { base: words.base + i, ..words };
                let mut value =
                    Value { slots: Vec::new(), width: self.flat.memories[memory].width };
                for i in 0..words.stride {
                    let bits = value.bits(i as usize);
                    value.slots.push(self.values.read(address, slot(i), bits));
                }
                value
            }
        }
    }

    fn fold(
        &mut self,
        scope: usize,
        list: &[Expr],
        operator: impl Fn(&mut Values, Slot, Slot, u32) -> Slot,
    ) -> Value {
        let mut value = self.expr(scope, &list[0]);
        for e in &list[1..] {
            let other = self.expr(scope, e).slots;
            for (i, &other) in other.iter().enumerate() {
                let bits = value.bits(i);
                value.slots[i] = operator(&mut self.values, value.slots[i], other, bits);
            }
        }
        value
    }

    /// Sum of more than 64 bits; the complement of a slot may have bits above the width.
    fn wide_sum(&mut self, a: &Value, b: &[Slot], carry: u64) -> Value {
        let mut carry = self.values.constant(carry);
        let mut sum = Value { slots: Vec::new(), width: a.width };
        for (i, (&x, &y)) in a.slots.iter().zip(b).enumerate() {
            let (low, out) = self.values.sum(x, y, carry);
            sum.slots.push(self.values.field(low, 0, sum.bits(i), 64));
            carry = out;
        }
        sum
    }

    fn slice(&mut self, of: &Value, low: u32, width: u32) -> Value {
        let mut value = Value { slots: Vec::new(), width };
        for i in 0..width.div_ceil(64) as usize {
            let bits = value.bits(i);
            let from = low + 64 * i as u32;
            let (slot, shift) = ((from / 64) as usize, from % 64);
            let low_slot = of.slots[slot];
            value.slots.push(if shift + bits <= 64 {
                self.values.field(low_slot, shift, bits, of.bits(slot))
            } else {
                let low_part = self.values.field(low_slot, shift, 64 - shift, 64);
                let whole = self.values.place_up(low_part, of.slots[slot + 1], 64 - shift);
                self.values.field(whole, 0, bits, 64)
            });
        }
        value
    }

    fn concat(&mut self, scope: usize, parts: &[Expr]) -> Value {
        let parts: Vec<Value> = parts.iter().rev().map(|e| self.expr(scope, e)).collect();
        let width = parts.iter().map(|p| p.width).sum::<u32>();
        let zero = self.values.constant(0);
        let mut slots = vec![zero; width.div_ceil(64) as usize];
        let mut low = 0;
        for part in &parts {
            for (i, &slot) in part.slots.iter().enumerate() {
                let at = low + 64 * i as u32;
                let (to, shift) = ((at / 64) as usize, at % 64);
                slots[to] = self.values.place_up(slots[to], slot, shift);
                if shift + part.bits(i) > 64 {
                    slots[to + 1] = self.values.place_down(slots[to + 1], slot, 64 - shift);
                }
            }
            low += part.width;
        }
        Value { slots, width }
    }
}
