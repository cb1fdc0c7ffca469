//! Wishbone (B4): classic cycles, in which `stb` stays until the answer, and pipelined ones, in which it
//! stays until it is taken.

use super::axi::of_word;
use super::request::{Asked, request};
use super::{Access, BridgeShape};
use crate::rtl::ends::axi::PortNets;
use turnpike_netlist::{Expr, ModuleBuilder, Register};

pub(super) fn from_manager(
    m: &mut ModuleBuilder,
    shape: &BridgeShape,
    own: &PortNets,
    end: &PortNets,
    is_pipelined: bool,
) {
    let [cycle, strobe] = ["cyc", "stb"].map(|name| own.of(name));
    let address = own.of("adr");
    let aligned = m.define("address", address.width, of_word(address, shape.outer.data));
    let both = || Expr::from(cycle) & strobe;
    let asked = Asked {
        asks: both(),
        waits: if is_pipelined { cycle.into() } else { both() },
        write: own.of("we"),
        address: aligned,
        data: own.of("dat_w"),
        strobes: own.of("sel"),
        prot: Expr::constant(3, 0),
    };
    let answered = request(m, asked, end);
    m.section("The answer");
    let error = m.define("error", 1, answered.error);
    m.assign(own.of("ack"), Expr::from(answered.answers) & !Expr::from(error));
    m.assign(own.of("err"), Expr::from(answered.answers) & error);
    m.assign(own.of("dat_r"), answered.data);
    if is_pipelined {
        m.assign(own.of("stall"), Expr::Reset | answered.busy);
    }
    let low = (shape.outer.data / 8).ilog2();
    if low > 0 {
        m.gather_unused("adr", address.slice(0, low));
    }
}

pub(super) fn to_subordinate(
    m: &mut ModuleBuilder,
    own: &PortNets,
    access: &Access,
    is_pipelined: bool,
) {
    let Access { valid, write, address, data, strobes, prot, answer, .. } = *access;
    m.section("Its signals");
    let cycle = m.define("cycle", 1, !Expr::Reset & valid);
    m.assign(own.of("cyc"), cycle);
    m.assign(own.of("we"), write);
    m.assign(own.of("adr"), address);
    m.assign(own.of("dat_w"), data);
    m.assign(own.of("sel"), strobes);
    let answers = Expr::from(own.of("ack")) | own.of("err");
    let done = match is_pipelined {
        false => {
            m.assign(own.of("stb"), cycle);
            Expr::from(cycle) & answers
        }
        true => {
            let taken = m.reg("taken", 1);
            m.assign(own.of("stb"), Expr::from(cycle) & !Expr::from(taken));
            let takes = Expr::from(taken) | !Expr::from(own.of("stall"));
            let takes = m.define("takes", 1, Expr::from(cycle) & takes);
            let next = Expr::from(takes) & !Expr::from(answer.done);
            m.registers(vec![Register { net: taken, reset: None, enable: None, next }]);
            Expr::from(takes) & answers
        }
    };
    answer.give(m, done, own.of("dat_r"), own.of("err"));
    m.gather_unused("prot", prot);
}
