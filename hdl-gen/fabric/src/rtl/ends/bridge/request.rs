//! Transfers of a manager that are captured one at a time, and become transactions of AXI4.

use super::axi::issue;
use super::{Access, Answer};
use crate::rtl::ends::axi::PortNets;
use crate::rtl::registers::held;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Signals of a manager that asks, cycle by cycle.
pub(super) struct Asked {
    /// Whether it asks.
    pub asks: Expr,
    /// Whether it still waits for an answer; where it does not, none is given.
    pub waits: Expr,
    pub write: Net,
    pub address: Net,
    pub data: Net,
    pub strobes: Net,
    pub prot: Expr,
}

/// Answer to what was asked.
pub(super) struct Answered {
    /// Whether something is under way.
    pub busy: Net,
    /// Whether the answer is there, in this cycle alone.
    pub answers: Net,
    /// Data of a read.
    pub data: Net,
    /// Whether there was an error.
    pub error: Expr,
}

/// Takes what a manager asks, and brings it to the end.
pub(super) fn request(m: &mut ModuleBuilder, asked: Asked, end: &PortNets) -> Answered {
    let Asked { asks, waits, write, address, data, strobes, prot } = asked;
    m.section("What was asked: it is taken on as a whole, and stays until it is done");
    let busy = m.reg("busy", 1);
    let answer = Answer::wires(m, data.width);
    let takes = m.define("takes", 1, Expr::all([!Expr::Reset, asks, !Expr::from(busy)]));
    let kept = |m: &mut ModuleBuilder, name: &str, bits| m.reg(format!("asked_{name}"), bits);
    let access = Access {
        valid: busy,
        write: kept(m, "write", 1),
        address: kept(m, "address", address.width),
        data: kept(m, "data", data.width),
        strobes: kept(m, "strobes", strobes.width),
        prot: kept(m, "prot", 3),
        attributes: Vec::new(),
        answer,
    };
    let load = |net, next| Register { net, reset: None, enable: Some(takes.into()), next };
    m.registers(vec![
        held(busy, 0, Expr::from(takes) | (Expr::from(busy) & !Expr::from(answer.done))),
        load(access.write, write.into()),
        load(access.address, address.into()),
        load(access.data, data.into()),
        load(access.strobes, strobes.into()),
        load(access.prot, prot),
    ]);
    m.comment("Who does not wait any more is given no answer.");
    let left = m.reg("left", 1);
    let waits = m.define("waits", 1, waits);
    let stays = Expr::from(left) | !Expr::from(waits);
    m.registers(vec![Register {
        net: left,
        reset: None,
        enable: None,
        next: Expr::from(busy) & stays,
    }]);
    issue(m, end, &access);
    let answers = [Expr::from(answer.done), waits.into(), !Expr::from(left)];
    let answers = m.define("answers", 1, Expr::all(answers));
    m.gather_unused("response", answer.response.bit(0));
    Answered { busy, answers, data: answer.data, error: answer.response.bit(1) }
}
