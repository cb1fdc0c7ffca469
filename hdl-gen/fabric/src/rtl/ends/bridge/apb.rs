//! APB (IHI 0024 C, chapter 3): a cycle of setup, then access until it is ready.

use super::axi::of_word;
use super::request::{Asked, request};
use super::{Access, BridgeShape};
use crate::rtl::ends::axi::PortNets;
use crate::rtl::registers::held;
use turnpike_netlist::{Expr, ModuleBuilder};

pub(super) fn from_manager(
    m: &mut ModuleBuilder,
    shape: &BridgeShape,
    own: &PortNets,
    end: &PortNets,
) {
    let address = own.of("paddr");
    let aligned = m.define("address", address.width, of_word(address, shape.outer.data));
    let asked = Asked {
        asks: own.of("psel").into(),
        waits: own.of("psel").into(),
        write: own.of("pwrite"),
        address: aligned,
        data: own.of("pwdata"),
        strobes: own.of("pstrb"),
        prot: own.of("pprot").into(),
    };
    let answered = request(m, asked, end);
    m.section("The answer: it is there after the cycle of setup, for the network takes longer");
    m.assign(own.of("pready"), answered.answers);
    m.assign(own.of("prdata"), answered.data);
    m.assign(own.of("pslverr"), answered.error);
    m.gather_unused("penable", own.of("penable"));
    let low = (shape.outer.data / 8).ilog2();
    if low > 0 {
        m.gather_unused("paddr", address.slice(0, low));
    }
}

pub(super) fn to_subordinate(m: &mut ModuleBuilder, own: &PortNets, access: &Access) {
    let Access { valid, write, address, data, strobes, prot, answer, .. } = *access;
    m.section("Its signals: a cycle of setup, then access until it is ready");
    let in_access = m.reg("in_access", 1);
    let select = m.define("select", 1, !Expr::Reset & valid);
    m.assign(own.of("psel"), select);
    m.assign(own.of("penable"), Expr::from(select) & in_access);
    m.assign(own.of("pwrite"), write);
    let paddr = own.of("paddr");
    m.assign(paddr, address.slice(0, paddr.width));
    m.assign(own.of("pprot"), prot);
    m.assign(own.of("pwdata"), data);
    m.comment("A read has no strobes (section 3.2.3).");
    m.assign(own.of("pstrb"), Expr::from(write).repeat(strobes.width) & strobes);
    let done = Expr::all([select, in_access, own.of("pready")].map(Expr::from));
    answer.give(m, done, own.of("prdata"), own.of("pslverr"));
    m.registers(vec![held(in_access, 0, Expr::from(select) & !Expr::from(answer.done))]);
    if address.width > paddr.width {
        let above = address.slice(paddr.width, address.width - paddr.width);
        m.gather_unused("address", above);
    }
}
