//! Storage of a deep queue for which nobody hurries: the read register of a block RAM.

use super::Ports;
use super::ring::{Ring, pointer};
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// A memory whose registered read is the oldest word. What is written in a cycle is not read in it, so that
/// every block RAM does.
pub(super) fn storage(
    m: &mut ModuleBuilder,
    ports: &Ports,
    push: Net,
    pop: Net,
    count: Net,
    depth: u32,
) {
    m.section("Storage: a block RAM, whose read register has the oldest word");
    let width = ports.in_data.width;
    let ring = Ring::of(m, width, depth);
    let fetched = m.reg("fetched", width);
    m.parametric(fetched);
    let valid = Expr::from(ports.out_valid);
    let ahead = Expr::concat([Expr::constant(count.width - 1, 0), valid.clone()]);
    let in_memory = m.define("memory_has_words", 1, !Expr::from(count).equals(ahead));
    let free = Expr::from(pop) | !valid.clone();
    let fetch = m.define("fetch", 1, Expr::from(in_memory) & free);
    m.write(ring.words, push.into(), ring.tail.into(), ports.in_data.into());
    let next = ring.oldest();
    m.registers(vec![Register { net: fetched, reset: None, enable: Some(fetch.into()), next }]);
    let stays = Expr::from(fetch) | (valid & !Expr::from(pop));
    m.registers(vec![
        Register { net: ports.out_valid, reset: Some(0), enable: None, next: stays },
        pointer(ring.tail, push, depth),
        pointer(ring.head, fetch, depth),
    ]);
    m.assign(ports.out_data, fetched);
}
