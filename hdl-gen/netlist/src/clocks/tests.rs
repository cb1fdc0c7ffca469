use super::*;
use crate::{Domain, Expr, Module, ModuleBuilder, Register};
use std::sync::Arc;

/// A register `q` of what `d` is.
fn register() -> Arc<Module> {
    let mut m = ModuleBuilder::new("register");
    let (d, q) = (m.input("d", 1), m.output("q", 1));
    m.registers(vec![Register { net: q, reset: Some(0), enable: None, next: d.into() }]);
    m.finish().unwrap()
}

/// `q` is what `d` was two cycles before, of another clock.
fn synchroniser() -> Arc<Module> {
    let mut m = ModuleBuilder::new("synchroniser");
    let (d, q) = (m.input("d", 1), m.output("q", 1));
    let last = m.synchronised("d", d, 2);
    m.assign(q, last);
    m.finish().unwrap()
}

/// `q` takes on `d` where `take` is high.
fn waiting() -> Arc<Module> {
    let mut m = ModuleBuilder::new("waiting");
    let (take, d, q) = (m.input("take", 1), m.input("d", 1), m.output("q", 1));
    m.takes_still(q);
    m.registers(vec![Register { net: q, reset: None, enable: Some(take.into()), next: d.into() }]);
    m.finish().unwrap()
}

/// A register of `a_clk` in front of what `build` places, which is given its output, `b_clk`, `b_rst`,
/// an input of the top, and the output to be driven.
fn crossing(build: impl FnOnce(&mut ModuleBuilder, [Net; 6])) -> Result<Clocks, ClockError> {
    let mut m = ModuleBuilder::of_domains("top");
    let [a, b, a_rst, b_rst, d, e] =
        ["a_clk", "b_clk", "a_rst", "b_rst", "d", "e"].map(|name| m.input(name, 1));
    let y = m.output("y", 1);
    let q = m.wire("q", 1);
    let domain = Domain { clock: Some(a), reset: Some(a_rst) };
    m.instance_in(domain, "first", &register(), [("d", d.into()), ("q", q.into())]);
    build(&mut m, [q, a, b, b_rst, e, y]);
    clocks(&Design::new(&m.finish().unwrap()).unwrap())
}

#[test]
fn what_is_synchronised_may_cross() {
    let found = crossing(|m, [q, _, b, rst, e, y]| {
        let s = m.wire("s", 1);
        let domain = Domain { clock: Some(b), reset: Some(rst) };
        m.instance_in(domain, "sync", &synchroniser(), [("d", q.into()), ("q", s.into())]);
        let connections = [("d", Expr::from(s) & e), ("q", y.into())];
        m.instance_in(domain, "second", &register(), connections);
    });
    let found = found.unwrap();
    assert_eq!(found.names, ["a_clk", "b_clk"]);
    assert_eq!((found.synchronised, found.still), (1, 0));
    // By port: a_rst, b_rst, d, e and y.
    let ports: Vec<(u32, usize)> = found.ports.iter().map(|(net, at)| (net.index, *at)).collect();
    assert_eq!(ports, [(2, 0), (3, 1), (4, 0), (5, 1), (6, 1)]);
}

#[test]
fn what_waits_may_cross_and_what_it_waits_for_may_not() {
    let take = |of_a: bool| {
        crossing(move |m, [q, _, b, rst, e, y]| {
            let take = if of_a { q } else { e };
            let connections = [("take", take.into()), ("d", q.into()), ("q", y.into())];
            let domain = Domain { clock: Some(b), reset: None };
            m.instance_in(domain, "waits", &waiting(), connections);
            // The inputs that this case does not need.
            m.gather_unused("inputs", Expr::concat([rst, e].map(Expr::from)));
        })
    };
    assert_eq!(take(false).unwrap().still, 1);
    let error = take(true).unwrap_err().to_string();
    assert_eq!(
        error,
        "waits.q, of b_clk, takes on waits.take, which depends on registers of a_clk"
    );
}

#[test]
fn nothing_else_may_cross() {
    let error = crossing(|m, [q, _, b, rst, e, y]| {
        let domain = Domain { clock: Some(b), reset: Some(rst) };
        m.instance_in(domain, "second", &register(), [("d", Expr::from(q) & e), ("q", y.into())]);
    });
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "second.q, of b_clk, takes on second.d, which depends on registers of a_clk");
    // A reset of the other clock.
    let error = crossing(|m, [q, _, b, rst, e, y]| {
        let domain = Domain { clock: Some(b), reset: Some(q) };
        m.instance_in(domain, "second", &register(), [("d", e.into()), ("q", y.into())]);
        m.gather_unused("rst", rst);
    });
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "second.q, of b_clk, takes on q, which depends on registers of a_clk");
    // Logic in front of a synchroniser.
    let error = crossing(|m, [q, _, b, rst, e, y]| {
        let domain = Domain { clock: Some(b), reset: Some(rst) };
        let connections = [("d", Expr::from(q) & e), ("q", y.into())];
        m.instance_in(domain, "sync", &synchroniser(), connections);
    });
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "sync.d_sync1 synchronises sync.d, which is no register");
}

#[test]
fn ports_are_of_one_clock_and_clocks_are_only_that() {
    let error = crossing(|m, [q, _, b, rst, e, y]| {
        let second = m.wire("second_q", 1);
        let domain = Domain { clock: Some(b), reset: Some(rst) };
        m.instance_in(domain, "second", &register(), [("d", e.into()), ("q", second.into())]);
        m.assign(y, Expr::from(q) & second);
    });
    assert_eq!(error.unwrap_err().to_string(), "port y is of a_clk and of b_clk");
    let error = crossing(|m, [q, a, b, rst, e, y]| {
        let domain = Domain { clock: Some(b), reset: Some(rst) };
        m.instance_in(domain, "second", &register(), [("d", e.into()), ("q", y.into())]);
        m.gather_unused("clock", Expr::from(a) & q);
    });
    assert_eq!(error.unwrap_err().to_string(), "a_clk is a clock, and unused_clock depends on it");
    let error = crossing(|m, [q, _, b, rst, e, y]| {
        let clock = m.define("gated", 1, Expr::from(b) & e);
        let domain = Domain { clock: Some(clock), reset: Some(rst) };
        m.instance_in(domain, "second", &register(), [("d", q.into()), ("q", y.into())]);
    });
    let wanted = "gated clocks something, and is no input of the top module";
    assert_eq!(error.unwrap_err().to_string(), wanted);
}

/// The stages of a synchroniser are flip-flops alone, and of the first nothing but the next hears.
#[test]
fn synchronisers_are_nothing_but_flip_flops() {
    let module = |change: fn(&mut ModuleBuilder, Net, Net)| {
        let mut m = ModuleBuilder::new("m");
        let (d, y) = (m.input("d", 1), m.output("y", 1));
        change(&mut m, d, y);
        m.finish().map(drop).map_err(|error| error.to_string())
    };
    let good = module(|m, d, y| {
        let last = m.synchronised("d", d, 3);
        m.assign(y, last);
    });
    assert_eq!(good, Ok(()));
    let early = module(|m, d, y| {
        let last = m.synchronised("d", d, 1);
        m.assign(y, last);
    });
    assert!(early.unwrap_err().contains("d_sync1: is the first stage"));
}
