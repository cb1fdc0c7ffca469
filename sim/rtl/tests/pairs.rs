//! Every two operators on the same nets, for all values: what one reads as bits another reads as
//! a word.

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net};
use turnpike_sim_rtl::testing::lockstep::Both;

/// Expressions of `width` bits over the nets x and y of that width and the bit s.
fn forms(x: Net, y: Net, s: Net) -> Vec<Expr> {
    let width = x.width;
    let constant = |value| Expr::constant(width, value);
    let (one, ones) = (constant(1), constant((1 << width) - 1));
    let every = Expr::from(s).repeat(width);
    let [ex, ey, es] = [x, y, s].map(Expr::from);
    let mut forms = vec![
        ex.clone() & one.clone(),
        ex.clone() | one.clone(),
        ex.clone() ^ one.clone(),
        ex.clone() & ey.clone(),
        ex.clone() | ey.clone(),
        ex.clone() ^ ey.clone(),
        ex.clone() ^ ones,
        ex.clone() & !ey.clone(),
        !(ex.clone() & one.clone()),
        ex.clone() & every.clone(),
        (ex.clone() & one.clone()) & every.clone(),
        x.bit(0).repeat(width),
        x.bit(width - 1).repeat(width) & ey.clone(),
        ex.clone() + ey.clone(),
        ey.clone() - ex.clone(),
        es.clone().mux(ex.clone(), ey.clone()),
        es.clone().mux(ex.clone() & one.clone(), ex.clone()),
        es.clone().mux(one, ey.clone()),
        Expr::from(x).any().repeat(width),
        Expr::from(x).equals(ey.clone()).mux(ey.clone(), constant(0)),
    ];
    if width > 1 {
        forms.push(Expr::concat([x.slice(0, 1), y.slice(0, width - 1)]));
        forms.push(Expr::concat([x.slice(1, width - 1), es]));
        forms.push(x.bit(1).mux(ey, ex));
    }
    forms
}

/// A module with two of the expressions, and its input. The nets that they read are parts of
/// that input: no word of the state holds such a part alone, so that it is put there first.
fn pair(width: u32, first: usize, second: usize) -> Option<(Arc<Module>, Net)> {
    let mut m = ModuleBuilder::new("pair");
    let all = m.input("all", 2 * width + 1);
    let [p, q] = ["p", "q"].map(|name| m.output(name, width));
    let read = m.output("read", 2 * width + 1);
    let mut part = |name: &str, low, width| m.define(name, width, all.slice(low, width));
    let (x, y, s) = (part("x", 0, width), part("y", width, width), part("s", 2 * width, 1));
    // Every part is read, whatever the expressions are.
    m.assign(read, Expr::concat([x, y, s].map(Expr::from)));
    let forms = forms(x, y, s);
    m.assign(p, forms.get(first)?.clone());
    m.assign(q, forms.get(second)?.clone());
    Some((m.finish().expect("a legal netlist"), all))
}

#[test]
fn every_two_operators_on_the_same_nets_mean_what_each_means() {
    let mut pairs = 0;
    for width in 1..=3 {
        for (first, second) in (0..30).flat_map(|first| (0..30).map(move |second| (first, second)))
        {
            let Some((module, all)) = pair(width, first, second) else { continue };
            pairs += 1;
            let mut both = Both::new(&module);
            for value in 0..1u64 << (2 * width + 1) {
                both.set(all, &[value]);
                if let Err(difference) = both.settle(value) {
                    panic!("width {width}, forms {first} and {second}: {difference}");
                }
            }
        }
    }
    assert_eq!(pairs, 20 * 20 + 2 * 23 * 23);
}
