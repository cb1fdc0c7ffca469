//! The evaluator on small netlists with known answers.

use super::Evaluator;
use turnpike_netlist::{Design, Expr, ModuleBuilder, Register};

fn register(net: turnpike_netlist::Net, reset: Option<u64>, next: impl Into<Expr>) -> Register {
    Register { net, reset, enable: None, next: next.into() }
}

#[test]
fn registers_swap_and_reset() {
    let mut m = ModuleBuilder::new("swap");
    let (x, y) = (m.output("x", 4), m.output("y", 4));
    m.registers(vec![register(x, Some(5), y), register(y, Some(10), x)]);
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let (x, y) = (e.port("x").unwrap(), e.port("y").unwrap());
    e.set_reset(true);
    e.clock();
    assert_eq!((e.get_low(x), e.get_low(y)), (5, 10));
    e.set_reset(false);
    assert!(e.clock());
    assert_eq!((e.get_low(x), e.get_low(y)), (10, 5));
}

#[test]
fn a_memory_shows_its_old_word_until_the_edge() {
    let mut m = ModuleBuilder::new("ram");
    let (address, data) = (m.input("address", 2), m.input("data", 70));
    let q = m.output("q", 70);
    let words = m.memory("words", 70, 3);
    m.write(words, Expr::constant(1, 1), address.into(), data.into());
    m.assign(q, Expr::Read { memory: words, address: Box::new(address.into()) });
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let (address, data, q) =
        (e.port("address").unwrap(), e.port("data").unwrap(), e.port("q").unwrap());
    e.set(address, &[2]);
    e.set(data, &[7, u64::MAX]);
    e.settle();
    assert_eq!(e.get(q).collect::<Vec<_>>(), [0, 0]);
    e.clock();
    assert_eq!(e.get(q).collect::<Vec<_>>(), [7, 0x3f]);
    // An address past the depth reads 0 and writes nothing.
    e.set(address, &[3]);
    e.clock();
    assert_eq!(e.get(q).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn wide_sums_carry_and_are_cut_at_the_width() {
    let mut m = ModuleBuilder::new("wide");
    let (a, b) = (m.input("a", 100), m.input("b", 100));
    let (sum, difference) = (m.output("sum", 100), m.output("difference", 100));
    m.assign(sum, Expr::from(a) + b);
    m.assign(difference, Expr::from(a) - b);
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let value = |e: &Evaluator, name| {
        let words: Vec<u64> = e.get(e.port(name).unwrap()).collect();
        u128::from(words[0]) | u128::from(words[1]) << 64
    };
    let cut = (1u128 << 100) - 1;
    for (x, y) in [(cut, 1), (0, 1), (1 << 64, 1), (u128::from(u64::MAX), 1), (3, cut)] {
        e.set(e.port("a").unwrap(), &[x as u64, (x >> 64) as u64]);
        e.set(e.port("b").unwrap(), &[y as u64, (y >> 64) as u64]);
        e.settle();
        assert_eq!(value(&e, "sum"), x.wrapping_add(y) & cut);
        assert_eq!(value(&e, "difference"), x.wrapping_sub(y) & cut);
    }
}

#[test]
fn nets_are_found_by_path_and_ports_share_their_value() {
    let mut inner = ModuleBuilder::new("inner");
    let (a, y) = (inner.input("a", 3), inner.output("y", 3));
    inner.assign(y, !Expr::from(a));
    let inner = inner.finish().unwrap();
    let mut m = ModuleBuilder::new("outer");
    let (a, y) = (m.input("a", 3), m.output("y", 3));
    let between = m.wire("between", 3);
    m.instance("first", &inner, [("a", a.into()), ("y", between.into())]);
    m.instance("second", &inner, [("a", between.into()), ("y", y.into())]);
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    // Complements cancel: one instruction in all.
    assert_eq!(e.instructions(), 1);
    e.set(e.port("a").unwrap(), &[0b0011]);
    assert!(e.is_unsettled() && e.settle() && !e.settle());
    for (path, value) in [("second.a", 0b100), ("first.y", 0b100), ("y", 0b011), ("first.a", 0b011)]
    {
        assert_eq!(e.get_low(e.find(path).unwrap()), value, "{path}");
    }
    assert!(e.find("third.a").is_none() && e.find("first.z").is_none());
    assert_eq!(e.scopes().len(), 3);
    assert_eq!(e.scopes()[0].children, [1, 2]);
}

#[test]
fn bits_across_words_are_set_and_read() {
    let mut m = ModuleBuilder::new("bits");
    let (a, y) = (m.input("a", 130), m.output("y", 130));
    m.assign(y, !Expr::from(a));
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let (a, y) = (e.port("a").unwrap(), e.port("y").unwrap());
    e.set_bits(a, 60, 40, 0x12_3456_789a);
    e.set_bits(a, 64, 4, 0);
    e.settle();
    assert_eq!(e.get_bits(y, 60, 40), !(0x12_3456_789a & !0xf0) & 0xff_ffff_ffff);
    assert_eq!(e.get_bits(y, 128, 2), 3);
}

/// A repetition or a complement beside constant zeros is in a slot with more bits than it has.
#[test]
fn operators_over_part_of_a_slot_keep_to_it() {
    let mut m = ModuleBuilder::new("part");
    let (one, a) = (m.input("one", 1), m.input("a", 8));
    let names = ["repetition", "complement", "twice"];
    let outputs = names.map(|name| m.output(name, 8));
    let padded = |e: Expr| Expr::concat([Expr::constant(4, 0), e]);
    let low = || !a.slice(0, 4);
    m.assign(outputs[0], padded(Expr::from(one).repeat(4)) & a);
    m.assign(outputs[1], Expr::from(a) & padded(low()));
    m.assign(outputs[2], !padded(low()));
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    e.set(e.port("one").unwrap(), &[1]);
    e.set(e.port("a").unwrap(), &[0xf5]);
    e.settle();
    let found = names.map(|name| e.get_low(e.port(name).unwrap()));
    assert_eq!(found, [0x05, 0x00, 0xf5]);
}

/// A counter from 5 under a reset of two cycles that its surroundings make from nothing.
#[test]
fn an_instance_can_have_a_reset_of_its_own() {
    let mut inner = ModuleBuilder::new("inner");
    let (q, quiet) = (inner.output("q", 70), inner.output("quiet", 1));
    let next = Expr::from(q) + Expr::constant(70, 1);
    let enable = Some(Expr::constant(1, 1));
    inner.registers(vec![Register { net: q, reset: Some(5), enable, next }]);
    inner.assign(quiet, Expr::Reset);
    let inner = inner.finish().unwrap();
    assert!(inner.has_reset);
    let mut middle = ModuleBuilder::new("middle");
    let (q, quiet) = (middle.output("q", 70), middle.output("quiet", 1));
    middle.instance("inner", &inner, [("q", q.into()), ("quiet", quiet.into())]);
    let middle = middle.finish().unwrap();
    let mut top = ModuleBuilder::new("top");
    let (q, quiet) = (top.output("q", 70), top.output("quiet", 1));
    let age = top.reg_from_zero("age", 2);
    let grown = age.bit(1);
    let reset = top.define("reset", 1, !grown.clone());
    top.registers(vec![register(
        age,
        None,
        grown.mux(age, Expr::from(age) + Expr::constant(2, 1)),
    )]);
    top.instance_under(reset, "middle", &middle, [("q", q.into()), ("quiet", quiet.into())]);
    let top = top.finish().unwrap();
    assert!(top.clocked && !top.has_reset, "the top makes its own reset");
    let mut e = Evaluator::new(&Design::new(&top).unwrap());
    let (q, quiet) = (e.port("q").unwrap(), e.port("quiet").unwrap());
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push((e.get_low(quiet), e.get_low(q)));
        e.clock();
    }
    assert_eq!(seen, [(1, 0), (1, 5), (0, 5), (0, 6), (0, 7)]);
}
