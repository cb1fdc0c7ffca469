//! Number of instructions that operators of [`Values`] take.

use super::values::{Slot, Values};

/// A rule that does not apply costs speed and no meaning, so that only the number of instructions
/// shows it.
#[test]
fn what_is_known_or_there_takes_no_instruction() {
    type Use = fn(&mut Values, [Slot; 4]) -> Slot;
    // Of x, y, a bit s and a word of the bits of x.
    let none: &[(&str, Use)] = &[
        ("constant and constant", |v, _| {
            let (a, b) = (v.constant(5), v.constant(3));
            v.and(a, b, 4)
        }),
        ("x and 0", |v, [x, ..]| {
            let zero = v.constant(0);
            v.and(zero, x, 4)
        }),
        ("x and all", |v, [x, ..]| {
            let ones = v.constant(15);
            let a = v.and(x, ones, 4);
            v.and(ones, a, 4)
        }),
        ("x and x", |v, [x, ..]| v.and(x, x, 4)),
        ("constant or constant", |v, _| {
            let (a, b) = (v.constant(5), v.constant(3));
            v.or(a, b, 4)
        }),
        ("x or 0", |v, [x, ..]| {
            let zero = v.constant(0);
            let a = v.or(x, zero, 4);
            v.or(zero, a, 4)
        }),
        ("x or all", |v, [x, ..]| {
            let ones = v.constant(15);
            let a = v.or(x, ones, 4);
            v.or(ones, a, 4)
        }),
        ("x or x", |v, [x, ..]| v.or(x, x, 4)),
        ("constant xor constant", |v, _| {
            let (a, b) = (v.constant(5), v.constant(3));
            v.xor(a, b)
        }),
        ("x xor 0 and x xor x", |v, [x, ..]| {
            let zero = v.constant(0);
            let a = v.xor(x, zero);
            let b = v.xor(zero, a);
            v.xor(a, b)
        }),
        ("constant plus constant, x plus 0", |v, [x, ..]| {
            let (a, b, zero) = (v.constant(5), v.constant(3), v.constant(0));
            v.add(a, b, 4);
            let x = v.add(x, zero, 4);
            v.add(zero, x, 4)
        }),
        ("constant less constant, x less 0 and x", |v, [x, ..]| {
            let (a, b, zero) = (v.constant(5), v.constant(3), v.constant(0));
            v.sub(a, b, 4);
            let other = v.sub(x, zero, 4);
            v.sub(x, other, 4)
        }),
        ("equal constants, and x equal to itself", |v, [x, ..]| {
            let (a, b) = (v.constant(5), v.constant(3));
            v.equal(a, b);
            v.equal(x, x)
        }),
        ("not of a constant", |v, _| {
            let a = v.constant(5);
            v.not(a, 4)
        }),
        ("any of a constant and of a bit", |v, [_, _, s, _]| {
            let a = v.constant(5);
            v.any(a, 4);
            v.any(s, 1)
        }),
        ("a bit in one bit, a constant in four", |v, [_, _, s, _]| {
            let one = v.constant(1);
            v.repeat(one, 4);
            v.repeat(s, 1)
        }),
        ("a choice that is known", |v, [x, y, s, _]| {
            let (zero, one) = (v.constant(0), v.constant(1));
            let a = v.mux(one, x, y, 4);
            let b = v.mux(zero, y, a, 4);
            let c = v.mux(s, a, b, 4);
            let d = v.mux(s, one, zero, 1);
            v.mux(d, c, c, 4)
        }),
        ("all bits of x", |v, [x, ..]| v.field(x, 0, 4, 4)),
        ("bits of a constant", |v, _| {
            let a = v.constant(5);
            v.field(a, 1, 2, 4)
        }),
        ("nothing placed above x", |v, [x, ..]| {
            let zero = v.constant(0);
            let a = v.place_up(x, zero, 2);
            let b = v.place_up(zero, a, 0);
            v.place_down(b, zero, 1)
        }),
        ("constants placed", |v, _| {
            let (a, b) = (v.constant(5), v.constant(3));
            v.place_up(a, b, 3);
            v.place_down(a, b, 1)
        }),
        ("the bits that a word was put together of", |v, [_, _, _, word]| {
            (0..4).fold(word, |_, at| v.field(word, at, 1, 4))
        }),
        ("a row that is known", |v, _| {
            let two = v.constant(2);
            v.table(two, &[1, 2, 3, 4])
        }),
    ];
    for (what, operation) in none {
        assert_eq!(instructions(*operation), 0, "{what}");
    }
    let one: &[(&str, Use)] = &[
        ("not, twice", |v, [x, ..]| {
            let a = v.not(x, 4);
            v.not(a, 4)
        }),
        ("the same again, operands exchanged", |v, [x, y, ..]| {
            v.and(x, y, 4);
            v.and(y, x, 4)
        }),
        ("a bit of a repeated bit", |v, [_, _, s, _]| {
            let a = v.repeat(s, 4);
            v.field(a, 2, 1, 4)
        }),
    ];
    for (what, operation) in one {
        assert_eq!(instructions(*operation), 1, "{what}");
    }
    // Operators over a word that was put together of bits: one for it, one for its bit.
    let two: &[(&str, Use)] = &[
        ("a bit of not", |v, [.., word]| {
            let a = v.not(word, 4);
            v.field(a, 1, 1, 4)
        }),
        ("a bit of xor", |v, [x, .., word]| {
            let x = v.table(x, &[0]);
            let a = v.xor(word, x);
            v.field(a, 1, 1, 4)
        }),
        ("a bit of a choice", |v, [_, _, s, word]| {
            let five = v.constant(5);
            let a = v.mux(s, word, five, 4);
            v.field(a, 3, 1, 4)
        }),
        ("a bit of a gate", |v, [_, _, s, word]| {
            let zero = v.constant(0);
            let a = v.mux(s, word, zero, 4);
            v.field(a, 3, 1, 4)
        }),
    ];
    for (what, operation) in two {
        assert!(instructions(*operation) <= 2, "{what}");
    }
    let any: Use = |v, [.., word]| v.any(word, 4);
    assert_eq!(instructions(any), 3, "any of four bits that are there: three ors");
}

/// Instructions that an operation adds.
fn instructions(operation: fn(&mut Values, [Slot; 4]) -> Slot) -> usize {
    let mut values = Values::default();
    let [x, y, s] = [4, 4, 1].map(|bits| values.fresh(bits));
    let bits = [1; 4].map(|bits| values.fresh(bits));
    let zero = values.constant(0);
    let place = |word, (at, bit)| values.place_up(word, bit, at);
    let word = (0..).zip(bits).fold(zero, place);
    let before = values.list.len();
    operation(&mut values, [x, y, s, word]);
    values.list.len() - before
}
