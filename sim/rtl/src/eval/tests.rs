//! The evaluator on small netlists with known answers.

use super::{Evaluator, Layout};
use crate::testing::case::Case;
use turnpike_netlist::{Design, Domain, Expr, ModuleBuilder, Register};

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
    let domain = Domain { clock: None, reset: Some(reset) };
    top.instance_in(domain, "middle", &middle, [("q", q.into()), ("quiet", quiet.into())]);
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

/// Two counters and a memory: an edge of one clock leaves what is in the other as it was, under reset
/// too.
#[test]
fn an_instance_can_have_a_clock_of_its_own() {
    let mut inner = ModuleBuilder::new("inner");
    let (count, held) = (inner.output("count", 8), inner.output("held", 8));
    let next = Expr::from(count) + Expr::constant(8, 1);
    let words = inner.memory("words", 8, 2);
    let one = || Expr::constant(1, 1);
    inner.write(words, one(), one(), count.into());
    inner.assign(held, Expr::Read { memory: words, address: Box::new(one()) });
    inner.registers(vec![Register { net: count, reset: Some(5), enable: None, next }]);
    let inner = inner.finish().unwrap();
    let mut top = ModuleBuilder::of_domains("top");
    let [fast, slow, rst] = ["clk", "slow_clk", "rst"].map(|name| top.input(name, 1));
    let outputs = ["a", "a_held", "b", "b_held"].map(|name| top.output(name, 8));
    for (at, clock) in [fast, slow].into_iter().enumerate() {
        let domain = Domain { clock: Some(clock), reset: Some(rst) };
        let [count, held] = [outputs[2 * at], outputs[2 * at + 1]];
        let connections = [("count", count.into()), ("held", held.into())];
        top.instance_in(domain, format!("part{at}"), &inner, connections);
    }
    let top = top.finish().unwrap();
    assert!(!top.clocked && !top.has_reset, "clocks and resets are ports of its own");
    let mut e = Evaluator::new(&Design::new(&top).unwrap());
    let ports = ["clk", "slow_clk", "rst"].map(|name| e.port(name).unwrap());
    let mut seen = Vec::new();
    for inputs in [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0]] {
        ports.iter().zip(inputs).for_each(|(&port, value)| e.set(port, &[value]));
        e.clock();
        seen.push(outputs.map(|net| e.get_low(e.top_net(net))));
    }
    let expected = [
        [5, 0, 5, 0],
        [6, 5, 5, 0],
        [6, 5, 6, 5],
        [6, 5, 7, 6],
        [6, 5, 7, 6],
        [6, 5, 5, 7],
        [7, 6, 5, 7],
    ];
    assert_eq!(seen, expected);
}

/// Every field of up to 64 bits of a port of three words: alone, and with all else left as it was.
#[test]
fn bits_of_ports_are_set_and_read_alone() {
    let mut m = ModuleBuilder::new("pass");
    let (a, y) = (m.input("a", 150), m.output("y", 150));
    m.assign(y, a);
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let (a, y) = (e.port("a").unwrap(), e.port("y").unwrap());
    let before = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x2a_aaaa];
    for low in 0..150 {
        for width in 1..=64.min(150 - low) {
            let value = 0xc3a5_96f0_1e2d_4b87_u64.rotate_left(low + width);
            e.set(a, &before);
            e.settle();
            let bit = |words: &[u64], i: u32| words[i as usize / 64] >> (i % 64) & 1;
            let whole: u64 = (0..width).map(|i| bit(&before, low + i) << i).sum();
            assert_eq!(e.get_bits(y, low, width), whole, "{width} bits from {low}");
            e.set_bits(a, low, width, value);
            e.settle();
            let after: Vec<u64> = e.get(y).collect();
            for i in 0..150 {
                let inside = (low..low + width).contains(&i);
                let expected = if inside { value >> (i - low) & 1 } else { bit(&before, i) };
                assert_eq!(bit(&after, i), expected, "bit {i}, {width} bits from {low}");
            }
            assert_eq!(after[2] >> 22, 0);
            assert_eq!(e.get_bits(y, low, width), value & super::mask(width));
        }
    }
}

#[test]
fn the_reset_is_read_as_it_was_set() {
    let mut m = ModuleBuilder::new("held");
    let y = m.output("y", 1);
    m.registers(vec![register(y, Some(1), !Expr::from(y))]);
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    for reset in [false, true, true, false] {
        e.set_reset(reset);
        assert_eq!(e.reset(), reset);
    }
}

#[test]
fn a_memory_is_read_at_several_addresses() {
    let mut m = ModuleBuilder::new("ram");
    let (to, from, data) = (m.input("to", 2), m.input("from", 2), m.input("data", 5));
    let read = ["p", "q", "r"].map(|name| m.output(name, 5));
    let (words, others) = (m.memory("words", 5, 4), m.memory("others", 5, 4));
    for (memory, flip) in [(words, 0), (others, 31)] {
        m.write(
            memory,
            Expr::constant(1, 1),
            to.into(),
            Expr::from(data) ^ Expr::constant(5, flip),
        );
    }
    let sources = [(words, from), (words, to), (others, from)];
    for (net, (memory, address)) in read.into_iter().zip(sources) {
        m.assign(net, Expr::Read { memory, address: Box::new(address.into()) });
    }
    let mut e = Evaluator::new(&Design::new(&m.finish().unwrap()).unwrap());
    let [to, from, data, p, q, r] =
        ["to", "from", "data", "p", "q", "r"].map(|name| e.port(name).unwrap());
    for word in 0..4 {
        e.set(to, &[word]);
        e.set(data, &[word * 7 + 1]);
        e.clock();
    }
    for (at, other) in (0..4).flat_map(|at| (0..4).map(move |other| (at, other))) {
        e.set(from, &[at]);
        e.set(to, &[other]);
        e.settle();
        let found = [p, q, r].map(|net| e.get_low(net));
        assert_eq!(found, [at * 7 + 1, other * 7 + 1, (at * 7 + 1) ^ 31]);
    }
}

/// A ring of cells that count how often they hear their own number, which the top gives them.
fn ring(cells: u32) -> Evaluator {
    let mut cell = ModuleBuilder::new("counter");
    let (number, heard, put_in) =
        (cell.input("number", 6), cell.input("heard", 6), cell.input("put_in", 6));
    let (says, carries) = (cell.output("says", 6), cell.output("carries", 1));
    let sum = cell.define("sum", 6, Expr::from(says) + Expr::constant(6, 5));
    let own = cell.define("own", 1, Expr::from(heard).equals(number));
    let next = Expr::from(own).mux(sum, Expr::from(heard) ^ Expr::from(put_in));
    cell.registers(vec![register(says, Some(3), next)]);
    cell.assign(carries, Expr::from(own) & heard.bit(0));
    let cell = cell.finish().unwrap();
    let mut m = ModuleBuilder::new("ring");
    let (put_in, says) = (m.input("put_in", 6 * cells), m.output("says", 6 * cells));
    let carries = m.output("carries", cells);
    let said: Vec<_> = (0..cells).map(|i| m.wire(format!("said_{i}"), 6)).collect();
    let carried: Vec<_> = (0..cells).map(|i| m.wire(format!("carried_{i}"), 1)).collect();
    for i in 0..cells {
        let before = said[((i + cells - 1) % cells) as usize];
        let connections = [
            ("number", Expr::constant(6, (i + 2).into())),
            ("heard", before.into()),
            ("put_in", put_in.slice(6 * i, 6)),
            ("says", said[i as usize].into()),
            ("carries", carried[i as usize].into()),
        ];
        m.instance(format!("cell_{i}"), &cell, connections);
    }
    m.assign(says, Expr::concat(said.into_iter().rev().map(Expr::from)));
    m.assign(carries, Expr::concat(carried.into_iter().rev().map(Expr::from)));
    Evaluator::of_ports(&Design::new(&m.finish().unwrap()).unwrap())
}

/// Steps do not grow with the instances: what many instances do alike is one step, whatever
/// constants and neighbours they have. Steps grow with the words of the ports alone, in which all
/// of them lie side by side.
#[test]
fn steps_do_not_grow_with_the_instances() {
    let steps = |cells| ring(cells).program.all.len();
    assert_eq!([9, 10].map(steps), [27, 27], "one word");
    assert_eq!([12, 20, 21].map(steps), [45, 45, 45], "two words");
}

/// Evaluators compiled together are those compiled alone, so that random netlists stand for both.
#[test]
fn compiled_together_is_compiled_alone() {
    for case in (0..200).map(|index| Case::drawn(1, index)) {
        let design = Design::new(&case.netlist()).unwrap();
        let (all, ports) = Evaluator::with_ports(&design);
        for (together, alone) in
            [(all, Evaluator::new(&design)), (ports, Evaluator::of_ports(&design))]
        {
            assert_eq!(format!("{:?}", together.program), format!("{:?}", alone.program));
            let Layout { starts, places, .. } = &*together.layout;
            assert_eq!((starts, places), (&alone.layout.starts, &alone.layout.places));
            assert_eq!(together.instructions(), alone.instructions());
        }
    }
}
