//! Rewriting rules of [`Values`], each by exhaustion: every operator on operands made in every
//! way that a rule looks for, for all widths up to 4 and all values.

use super::program::Op;
use super::values::{Slot, Values, mask};

/// Slots with their values under every assignment of the free ones.
struct Table {
    values: Values,
    /// By slot, then by assignment.
    rows: Vec<Vec<u64>>,
    /// Instructions that have rows.
    done: usize,
    assignments: u64,
    x: Slot,
    y: Slot,
    s: Slot,
    width: u32,
}

impl Table {
    /// Two free slots `x` and `y` of `width` bits, and a free bit `s`.
    fn new(width: u32) -> Self {
        let mut values = Values::default();
        let [x, y, s] = [width, width, 1].map(|bits| values.fresh(bits));
        let assignments = 1 << (2 * width + 1);
        let row = |low: u32, bits: u32| (0..assignments).map(|a| a >> low & mask(bits)).collect();
        let rows = vec![row(0, width), row(width, width), row(2 * width, 1)];
        Self { values, rows, done: 0, assignments, x, y, s, width }
    }

    /// Fills in the rows of slots that were made meanwhile, and holds each to its bound.
    fn fill(&mut self) {
        for slot in self.rows.len()..self.values.initial.len() {
            let row = match self.values.value(slot as Slot) {
                Some(value) => vec![value; self.assignments as usize],
                None => {
                    let i = self.values.list[self.done];
                    self.done += 1;
                    assert_eq!(i.to as usize, slot);
                    let at = |slot: Slot, a: usize| self.rows[slot as usize][a];
                    let cut = |v: u64| v << i.keep >> i.keep;
                    let value = |n: usize| {
                        let a = at(i.a, n);
                        let (b, c) = (|| at(i.b, n), || at(i.c, n));
                        match i.op {
                            Op::Not => cut(!a),
                            Op::And => a & b(),
                            Op::AndNot => a & !b(),
                            Op::Or => a | b(),
                            Op::Xor => a ^ b(),
                            Op::Gate => a * b(),
                            Op::Repeat => cut(a.wrapping_neg()),
                            Op::Any => u64::from(a != 0),
                            Op::Equal => u64::from(a == b()),
                            Op::Add => cut(a.wrapping_add(b())),
                            Op::Sub => cut(a.wrapping_sub(b())),
                            Op::Sum => a.wrapping_add(b()).wrapping_add(c()),
                            Op::Carry => {
                                let sum = u128::from(a) + u128::from(b()) + u128::from(c());
                                (sum >> 64) as u64
                            }
                            Op::Mux => [c(), b()][a as usize],
                            Op::Field => cut(a >> i.b),
                            Op::PlaceUp => a | b() << i.c,
                            Op::PlaceDown => a | b() >> i.c,
                            Op::Table => self.values.tables[i.b as usize][a as usize],
                            Op::Read => unreachable!("no memory is made here"),
                        }
                    };
                    (0..self.assignments as usize).map(value).collect()
                }
            };
            let bound = mask(u32::from(self.values.bound[slot]));
            let above = row.iter().find(|&&value| value & !bound != 0);
            assert_eq!(above, None, "slot {slot} has bits above its bound {bound:b}");
            self.rows.push(row);
        }
    }

    fn holds(&mut self, slot: Slot, what: &str, definition: impl Fn(&dyn Fn(Slot) -> u64) -> u64) {
        self.fill();
        for a in 0..self.assignments as usize {
            let value = |slot: Slot| self.rows[slot as usize][a];
            let (found, expected) = (value(slot), definition(&value));
            if found != expected {
                let list = &self.values.list;
                panic!(
                    "{what} of {} bits, assignment {a:b}: {found:b}, by definition {expected:b}: \
                     {list:?}",
                    self.width
                );
            }
        }
    }

    /// Slots of `width` bits made in every way: what the rules look for, and beside it.
    fn forms(&mut self, width: u32) -> Vec<Slot> {
        let (x, y, s) = (self.x, self.y, self.s);
        let of = self.width;
        let v = &mut self.values;
        let mut forms: Vec<Slot> = (0..1 << width).map(|value| v.constant(value)).collect();
        let (x, y) = (v.field(x, 0, width, of), v.field(y, 0, width, of));
        let (one, zero) = (v.constant(1), v.constant(0));
        let every = v.repeat(s, width);
        let bits = |v: &mut Values, from: Slot, last: Slot| {
            (0..width).fold(zero, |word, at| {
                let bit = if at == 0 { last } else { v.field(from, at, 1, width) };
                v.place_up(word, bit, at)
            })
        };
        let both = v.place_up(x, y, width);
        let product = v.and(x, y, width);
        forms.extend([
            x,
            y,
            every,
            product,
            v.not(x, width),
            v.not(y, width),
            v.not(every, width),
            v.not(product, width),
            v.and(x, one, width),
            v.and(every, x, width),
            v.or(x, y, width),
            v.or(every, y, width),
            v.xor(x, y),
            v.xor(x, every),
            v.add(x, y, width),
            v.sub(y, x, width),
            v.mux(s, x, y, width),
            v.mux(s, y, zero, width),
            v.mux(s, zero, y, width),
            v.field(both, 1, width, 2 * width),
            v.place_down(zero, both, width),
            bits(v, x, s),
            bits(v, y, one),
        ]);
        let word = bits(v, y, s);
        let not_word = v.not(word, width);
        let gated = v.and(every, word, width);
        let chosen = v.mux(s, word, not_word, width);
        forms.extend([word, not_word, gated, chosen]);
        let no_word = v.and(x, not_word, width);
        let rows: Vec<u64> = (0..1 << width).map(|i| (i * 5 + 3) & mask(width)).collect();
        forms.extend([no_word, v.table(x, &rows), v.equal(x, y), v.any(x, width)]);
        forms
    }

    /// Slots of up to `width` bits: those of fewer bits have zeros above.
    fn operands(&mut self) -> Vec<Slot> {
        let width = self.width;
        let mut forms = self.forms(width);
        if width > 1 {
            forms.extend(self.forms(width - 1));
        }
        forms.sort_unstable();
        forms.dedup();
        forms
    }
}

#[test]
fn every_operator_on_every_pair_of_forms_is_its_definition() {
    for width in 1..=4 {
        let mut t = Table::new(width);
        let m = mask(width);
        let forms = t.operands();
        for (&a, &b) in forms.iter().flat_map(|a| forms.iter().map(move |b| (a, b))) {
            let slot = t.values.and(a, b, width);
            t.holds(slot, "and", |v| v(a) & v(b));
            let slot = t.values.or(a, b, width);
            t.holds(slot, "or", |v| v(a) | v(b));
            let slot = t.values.xor(a, b);
            t.holds(slot, "xor", |v| v(a) ^ v(b));
            let slot = t.values.add(a, b, width);
            t.holds(slot, "add", |v| v(a).wrapping_add(v(b)) & m);
            let slot = t.values.sub(a, b, width);
            t.holds(slot, "sub", |v| v(a).wrapping_sub(v(b)) & m);
            let slot = t.values.equal(a, b);
            t.holds(slot, "equal", |v| u64::from(v(a) == v(b)));
            let shift = width - 1;
            let slot = t.values.place_up(a, b, shift);
            t.holds(slot, "place_up", |v| v(a) | v(b) << shift);
            let slot = t.values.place_down(a, b, 1);
            t.holds(slot, "place_down", |v| v(a) | v(b) >> 1);
            let (sum, carry) = t.values.sum(a, b, t.s);
            let s = t.s;
            t.holds(sum, "sum", |v| v(a) + v(b) + v(s));
            t.holds(carry, "carry", |_| 0);
        }
    }
}

#[test]
fn every_operator_on_one_form_is_its_definition() {
    for width in 1..=4 {
        let mut t = Table::new(width);
        let m = mask(width);
        for a in t.operands() {
            let slot = t.values.not(a, width);
            t.holds(slot, "not", |v| !v(a) & m);
            let twice = t.values.not(slot, width);
            t.holds(twice, "not not", |v| v(a));
            let slot = t.values.any(a, width);
            t.holds(slot, "any", |v| u64::from(v(a) != 0));
            for low in 0..width {
                for bits in 1..=width - low {
                    let slot = t.values.field(a, low, bits, width);
                    t.holds(slot, "field", |v| v(a) >> low & mask(bits));
                }
                let bit = t.values.field(a, low, 1, width);
                for times in 1..=4 {
                    let slot = t.values.repeat(bit, times);
                    t.holds(slot, "repeat", |v| (v(a) >> low & 1).wrapping_neg() & mask(times));
                }
            }
            let rows: Vec<u64> = (0..=m).map(|i| (i * 7 + 2) % 11).collect();
            let slot = t.values.table(a, &rows);
            t.holds(slot, "table", |v| rows[v(a) as usize]);
        }
    }
}

#[test]
fn every_choice_between_two_forms_is_its_definition() {
    for width in 1..=4 {
        let mut t = Table::new(width);
        let forms = t.operands();
        let selects: Vec<Slot> = t.forms(1);
        for &select in &selects {
            for (&a, &b) in forms.iter().flat_map(|a| forms.iter().map(move |b| (a, b))) {
                let slot = t.values.mux(select, a, b, width);
                t.holds(slot, "mux", |v| if v(select) == 1 { v(a) } else { v(b) });
                let bit = t.values.field(slot, width - 1, 1, width);
                t.holds(bit, "a bit of mux", |v| v(slot) >> (width - 1) & 1);
            }
        }
    }
}

#[test]
fn bounds_are_as_tight_as_operands_give_them() {
    let mut v = Values::default();
    let [x, narrow, s] = [8, 3, 1].map(|bits| v.fresh(bits));
    let five = v.constant(5);
    let results = [
        (five, 3),
        (v.and(x, narrow, 8), 3),
        (v.or(x, narrow, 8), 8),
        (v.xor(narrow, s), 3),
        (v.mux(s, narrow, five, 8), 3),
        (v.place_up(narrow, narrow, 3), 6),
        (v.field(x, 6, 5, 8), 2),
        (v.table(s, &[9, 1]), 4),
    ];
    let not_narrow = v.not(narrow, 8);
    let both = [(v.and(s, not_narrow, 8), 1), (v.place_down(s, x, 6), 2)];
    for (slot, bound) in results.into_iter().chain(both) {
        assert_eq!(v.bound[slot as usize], bound, "slot {slot}");
    }
}
