//! Storage in a shift register: the oldest word stands in front, and all move up when it is
//! taken.

use super::Ports;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Word i is overwritten while there are no more than i words, and whenever a word is taken; it
/// takes the word behind it where there is one, else what is offered. So no select depends on
/// a handshake. `filled` is the fill level of [`super::level`].
pub(super) fn storage(m: &mut ModuleBuilder, ports: &Ports, filled: &[Expr], pop: Net) {
    m.section("Storage: the oldest word in front");
    m.comment(
        "A free place takes on the input in every cycle, word or not: the next word goes there.",
    );
    let width = ports.in_data.width;
    let words: Vec<Net> = (0..filled.len())
        .map(|i| {
            let net = m.reg(format!("word{i}"), width);
            m.parametric(net)
        })
        .collect();
    let register = |i: usize| {
        let free = !filled[i].clone();
        let (enable, next) = match words.get(i + 1) {
            Some(&behind) => (free | pop, filled[i + 1].clone().mux(behind, ports.in_data)),
            None => (free, ports.in_data.into()),
        };
        Register { net: words[i], reset: None, enable: Some(enable), next }
    };
    m.registers((0..words.len()).map(register).collect());
    m.assign(ports.out_data, words[0]);
}
