use super::super::{Domain, Expr, Item, ModuleBuilder, Net, Register};

fn problem(build: impl FnOnce(&mut ModuleBuilder)) -> String {
    let mut m = ModuleBuilder::new("m");
    build(&mut m);
    m.finish().unwrap_err().to_string()
}

#[test]
fn faults_are_refused_with_the_name_of_the_net() {
    let loop_back = problem(|m| {
        let a = m.input("a", 1);
        let x = m.output("x", 1);
        let y = m.wire("y", 1);
        m.assign(x, Expr::from(y) & a);
        m.assign(y, Expr::from(x) | a);
    });
    assert!(loop_back.contains("combinational loop"), "{loop_back}");
    let width = problem(|m| {
        let a = m.input("a", 2);
        let x = m.output("x", 1);
        m.assign(x, a);
    });
    assert!(width.contains("x: 2 bits where 1 are wanted"), "{width}");
    let undriven = problem(|m| {
        m.output("x", 1);
    });
    assert!(undriven.contains("x: has 0 drivers"), "{undriven}");
    let twice = problem(|m| {
        let x = m.output("x", 1);
        m.assign(x, Expr::constant(1, 0));
        m.assign(x, Expr::constant(1, 1));
    });
    assert!(twice.contains("x: has 2 drivers"), "{twice}");
    let unused = problem(|m| {
        m.input("a", 1);
    });
    assert!(unused.contains("a: is never read"), "{unused}");
    let literal = problem(|m| {
        let x = m.output("x", 2);
        m.assign(x, Expr::constant(2, 4));
    });
    assert!(literal.contains("does not fit"), "{literal}");
}

#[test]
fn loops_through_instances_are_found_and_registers_cut_them() {
    let mut pass = ModuleBuilder::new("pass");
    let a = pass.input("a", 1);
    let y = pass.output("y", 1);
    pass.assign(y, !Expr::from(a));
    let pass = pass.finish().unwrap();
    assert_eq!(pass.paths.len(), 1);
    let around = problem(|m| {
        let y = m.output("y", 1);
        m.instance("u", &pass, [("a", y.into()), ("y", y.into())]);
    });
    assert!(around.contains("combinational loop"), "{around}");

    let mut cut = ModuleBuilder::new("cut");
    let y = cut.output("y", 1);
    let q = cut.reg("q", 1);
    cut.instance("u", &pass, [("a", q.into()), ("y", y.into())]);
    cut.registers(vec![Register { net: q, reset: Some(0), enable: None, next: y.into() }]);
    assert!(cut.finish().unwrap().paths.is_empty());
}

/// Every fault by itself, each beside its nearest neighbour that is none.
#[test]
fn what_is_driven_and_read_is_counted() {
    for (build, wanted) in [
        (
            (|m| {
                let a = m.input("a", 2);
                m.assign(a, Expr::constant(2, 0));
            }) as fn(&mut ModuleBuilder),
            "a: is a Input",
        ),
        (
            |m| {
                let (a, x) = (m.input("a", 2), m.output("x", 2));
                let q = m.reg("q", 2);
                m.assign(q, a);
                m.assign(x, q);
            },
            "q: is a Register",
        ),
        (
            |m| {
                let (a, w) = (m.input("a", 2), m.wire("w", 2));
                m.registers(vec![Register { net: w, reset: None, enable: None, next: a.into() }]);
            },
            "w: is a Wire",
        ),
        (
            |m| {
                let (a, x) = (m.input("a", 2), m.output("x", 2));
                m.assign(x, a);
                m.wire("w", 1);
            },
            "w: has 0 drivers, not 1",
        ),
        (
            |m| {
                let (a, x) = (m.input("a", 2), m.output("x", 2));
                m.assign(x, a);
                m.define("w", 2, a);
            },
            "w: is never read",
        ),
        (
            |m| {
                let a = m.input("a", 2);
                m.define("w", 2, a);
                m.output("late", 1);
            },
            "late: is a port declared after a net",
        ),
        (
            |m| {
                let (a, x) = (m.input("a", 2), m.output("x", 2));
                let memory = m.memory("words", 2, 4);
                m.assign(x, Expr::Read { memory, address: Box::new(a.into()) });
            },
            "words: needs one write port",
        ),
    ] {
        let found = problem(build);
        assert!(found.contains(&format!("module m: {wanted}")), "{found}, not {wanted}");
    }
    let mut m = ModuleBuilder::new("m");
    let (a, x) = (m.input("a", 2), m.output("x", 2));
    m.assign(x, a);
    m.gather_unused("a", a);
    m.finish().expect("what gathers unused bits is not read");
}

/// Each operator asks widths of its operands.
#[test]
fn widths_are_those_of_the_operator() {
    type Build = fn(Net, Net) -> Expr;
    // Of a bit, a word of 4 bits and the width that comes out.
    let right: [(u32, Build); 14] = [
        (1, |_, _| Expr::Reset),
        (4, |_, _| Expr::constant(4, 15)),
        (64, |_, _| Expr::constant(64, u64::MAX)),
        (100, |_, _| Expr::constant(100, u64::MAX)),
        (3, |_, b| b.slice(1, 3)),
        (1, |_, b| b.slice(3, 1)),
        (5, |a, b| Expr::concat([a.into(), b.into()])),
        (7, |a, _| Expr::from(a).repeat(7)),
        (4, |_, b| !Expr::from(b)),
        (4, |_, b| Expr::from(b) ^ Expr::constant(4, 1)),
        (1, |_, b| Expr::from(b).any()),
        (1, |_, b| Expr::from(b).equals(Expr::constant(4, 3))),
        (4, |_, b| Expr::from(b) + Expr::constant(4, 3)),
        (4, |a, b| Expr::from(a).mux(b, Expr::constant(4, 3))),
    ];
    let module = |width: u32, build: Build| {
        let mut m = ModuleBuilder::new("m");
        let (a, b, x) = (m.input("a", 1), m.input("b", 4), m.output("x", width));
        m.gather_unused("both", Expr::concat([a.into(), b.into()]));
        m.assign(x, build(a, b));
        m.finish().map(drop).map_err(|e| e.to_string())
    };
    for (i, (width, build)) in right.into_iter().enumerate() {
        assert_eq!(module(width, build), Ok(()), "{i}");
        let error = module(width + 1, build).unwrap_err();
        assert!(
            error.contains(&format!("x: {width} bits where {} are", width + 1)),
            "{i}: {error}"
        );
    }
    let wrong: [(&str, Build); 17] = [
        ("a literal of no bits", |_, b| Expr::concat([Expr::constant(0, 0), b.into()])),
        ("nothing side by side", |_, _| Expr::Concat(Vec::new())),
        ("a bit repeated no times", |a, b| Expr::concat([Expr::from(a).repeat(0), b.into()])),
        ("the literal 16 does not fit 4 bits", |_, _| Expr::constant(4, 16)),
        ("slice 2 +: 3 of 4 bits", |_, b| b.slice(2, 3)),
        ("slice 4 +: 1 of 4 bits", |_, b| b.slice(4, 1)),
        ("slice 1 +: 0 of 4 bits", |_, b| b.slice(1, 0)),
        ("4 bits where 1 are wanted", |_, b| Expr::from(b).repeat(2)),
        ("1 bits where 4 are wanted", |a, b| Expr::from(b) & a),
        ("4 bits where 1 are wanted", |a, b| Expr::from(a) | b),
        ("1 bits where 4 are wanted", |a, b| Expr::from(b) ^ a),
        ("1 bits where 4 are wanted", |a, b| Expr::from(b).equals(a)),
        ("1 bits where 4 are wanted", |a, b| Expr::from(b) - a),
        ("4 bits where 1 are wanted", |_, b| Expr::from(b).mux(b, b)),
        ("1 bits where 4 are wanted", |a, b| Expr::from(a).mux(b, a)),
        ("fewer than two operands", |_, b| Expr::And(vec![b.into()])),
        ("fewer than two operands", |_, _| Expr::Or(Vec::new())),
    ];
    for (wanted, build) in wrong {
        let error = module(1, build).unwrap_err();
        assert!(error.contains(wanted), "{error}, not {wanted}");
    }
}

/// Verilog has no vectors of no bits: a net, a word or a memory of none is a builder's mistake.
#[test]
fn nothing_has_no_bits() {
    let net = problem(|m| {
        let a = m.input("a", 0);
        let x = m.output("x", 0);
        m.assign(x, a);
    });
    assert!(net.contains("a: has no bits"), "{net}");
    for (width, depth) in [(0, 4), (4, 0)] {
        let memory = problem(|m| {
            m.memory("words", width, depth);
        });
        assert!(memory.contains("words: holds nothing"), "{memory}");
    }
}

/// Tables, memories and registers, whose widths are not those of one expression.
#[test]
fn tables_memories_and_registers_fit() {
    let table = |width: u32, rows: Vec<u64>| {
        let mut m = ModuleBuilder::new("m");
        let (index, x) = (m.input("index", 2), m.output("x", width));
        m.table(x, index, rows);
        m.finish().map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(table(3, vec![0, 1, 7, 3]), Ok(()));
    assert_eq!(table(64, vec![u64::MAX; 4]), Ok(()));
    for (width, rows) in [(3, vec![0, 1, 8, 3]), (3, vec![0; 3]), (3, vec![0; 5])] {
        assert!(table(width, rows).unwrap_err().contains("x: has a bad table"));
    }
    // Of `enable`, `address` and `data`, for 5 words of 3 bits.
    let write = |bits: [u32; 3]| {
        let mut m = ModuleBuilder::new("m");
        let [enable, address, data] =
            [("enable", bits[0]), ("address", bits[1]), ("data", bits[2])]
                .map(|(n, b)| m.input(n, b));
        let (at, x) = (m.input("at", 3), m.output("x", 3));
        let memory = m.memory("words", 3, 5);
        m.write(memory, enable.into(), address.into(), data.into());
        m.assign(x, Expr::Read { memory, address: Box::new(at.into()) });
        m.finish().map(|m| (m.clocked, m.has_reset)).map_err(|e| e.to_string())
    };
    assert_eq!(write([1, 3, 3]), Ok((true, false)));
    for bits in [[2, 3, 3], [1, 2, 3], [1, 4, 3], [1, 3, 4]] {
        assert!(write(bits).unwrap_err().contains("words: "), "{bits:?}");
    }
    let register = |enable: u32, next: u32| {
        let mut m = ModuleBuilder::new("m");
        let (e, n, x) = (m.input("e", enable), m.input("n", next), m.output("x", 3));
        m.registers(vec![Register { net: x, reset: None, enable: Some(e.into()), next: n.into() }]);
        m.finish().map(|m| (m.clocked, m.has_reset)).map_err(|e| e.to_string())
    };
    assert_eq!(register(1, 3), Ok((true, false)));
    assert!(register(2, 3).unwrap_err().contains("x: 2 bits where 1 are wanted"));
    assert!(register(1, 2).unwrap_err().contains("x: 2 bits where 3 are wanted"));
}

/// A net of the parameter's width is used whole: what is emitted for another width is right too.
#[test]
fn a_parametric_net_is_not_taken_apart() {
    let module = |build: fn(Net) -> Expr| {
        let mut m = ModuleBuilder::new("m");
        m.width_parameter(4);
        let (a, x) = (m.input("a", 4), m.output("x", 4));
        m.parametric(a);
        m.parametric(x);
        m.assign(x, build(a));
        m.finish().map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(module(|a| !Expr::from(a) & a), Ok(()));
    let apart: [fn(Net) -> Expr; 3] = [
        |a| Expr::concat([a.slice(0, 1), a.slice(1, 3)]),
        |a| Expr::from(a) + a,
        |a| Expr::from(a).any().repeat(4),
    ];
    for build in apart {
        assert!(module(build).unwrap_err().contains("takes apart a net"));
    }
}

/// An instance's outputs drive whole nets, its inputs have the port's width, its reset is a bit.
#[test]
fn instances_fit_their_ports() {
    let mut inner = ModuleBuilder::new("inner");
    let (a, y) = (inner.input("a", 2), inner.output("y", 2));
    inner.registers(vec![Register { net: y, reset: Some(0), enable: None, next: a.into() }]);
    let inner = inner.finish().unwrap();
    assert!(inner.clocked && inner.has_reset && inner.paths.is_empty());

    let outer = |a_bits: u32, y: fn(Net) -> Expr| {
        let mut m = ModuleBuilder::new("m");
        let (a, x) = (m.input("a", a_bits), m.output("x", 2));
        m.instance("u", &inner, [("a", a.into()), ("y", y(x))]);
        m.finish().map(|m| (m.clocked, m.has_reset)).map_err(|e| e.to_string())
    };
    assert_eq!(outer(2, Expr::from), Ok((true, true)));
    assert!(outer(3, Expr::from).unwrap_err().contains("u.a: 3 bits where 2 are wanted"));
    assert!(outer(2, |x| !Expr::from(x)).unwrap_err().contains("u.y: drives no whole net"));

    let under = |bits: u32| {
        let mut m = ModuleBuilder::new("m");
        let (r, a, x) = (m.input("r", bits), m.input("a", 2), m.output("x", 2));
        m.instance_in(
            Domain { clock: None, reset: Some(r) },
            "u",
            &inner,
            [("a", a.into()), ("y", x.into())],
        );
        m.finish()
    };
    let module = under(1).unwrap();
    assert!(module.clocked && !module.has_reset, "its own reset is not asked for");
    let name = |net: Net| module.net(net).name.as_str();
    let paths: Vec<_> = module.paths.iter().map(|&(from, to)| (name(from), name(to))).collect();
    assert_eq!(paths, [("r", "x")], "a reset may reach what it resets within the cycle");
    assert!(under(2).unwrap_err().to_string().contains("r: resets, so has one bit"));
}

/// The port `rst` is there where something reads it, and only there.
#[test]
fn whoever_reads_the_reset_has_the_port() {
    let module = |build: fn(&mut ModuleBuilder, Net, Net)| {
        let mut m = ModuleBuilder::new("m");
        let (a, x) = (m.input("a", 1), m.output("x", 1));
        build(&mut m, a, x);
        let module = m.finish().unwrap();
        (module.clocked, module.has_reset)
    };
    assert_eq!(module(|m, a, x| m.assign(x, a)), (false, false));
    assert_eq!(module(|m, a, x| m.assign(x, Expr::from(a) & Expr::Reset)), (false, true));
    assert_eq!(module(|m, a, x| m.table(x, a, vec![0, 1])), (false, false));
    let register = |net: Net, reset, enable, next| Register { net, reset, enable, next };
    for (reset, enable, next, has_reset) in [
        (None, None, false, false),
        (Some(0), None, false, true),
        (None, Some(false), false, false),
        (None, Some(true), false, true),
        (None, None, true, true),
    ] {
        let mut m = ModuleBuilder::new("m");
        let (a, x) = (m.input("a", 1), m.output("x", 1));
        let read = |reads: bool| if reads { Expr::from(a) | Expr::Reset } else { a.into() };
        m.registers(vec![register(x, reset, enable.map(read), read(next))]);
        let module = m.finish().unwrap();
        assert_eq!((module.clocked, module.has_reset), (true, has_reset), "{reset:?} {enable:?}");
    }
    for at in 0..4 {
        let mut m = ModuleBuilder::new("m");
        let (a, x) = (m.input("a", 1), m.output("x", 1));
        let memory = m.memory("words", 1, 2);
        let read = |reads: bool| if reads { Expr::from(a) | Expr::Reset } else { a.into() };
        m.write(memory, read(at == 1), read(at == 2), read(at == 3));
        m.assign(x, Expr::Read { memory, address: Box::new(a.into()) });
        let module = m.finish().unwrap();
        assert_eq!((module.clocked, module.has_reset), (true, at > 0), "{at}");
    }
    let mut inner = ModuleBuilder::new("inner");
    let (a, y) = (inner.input("a", 1), inner.output("y", 1));
    inner.assign(y, a);
    let inner = inner.finish().unwrap();
    let mut m = ModuleBuilder::new("m");
    let x = m.output("x", 1);
    m.instance("u", &inner, [("a", Expr::Reset), ("y", x.into())]);
    let module = m.finish().unwrap();
    assert_eq!((module.clocked, module.has_reset), (false, true));
    assert!(module.items.iter().all(|item| matches!(item, Item::Instance(_))));
}
