//! The state machine of senders that take turns: words in order, and the first for the receiver
//! whose turn it is.

use super::Nets;
use crate::plan::BusPlan;
use crate::rtl::turn::turn;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register, RtlError};

pub(super) fn build(
    plan: &BusPlan,
    dimension: usize,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<(), RtlError> {
    let depth = plan.parameters.depth;
    let bits = plan.grid.coordinate_bits(dimension);
    let width = nets.head.width;
    let receiver = receiver(plan, dimension, m, nets)?;

    m.section("Words that are here");
    m.comment("The oldest is word0. Words come in slots for data, and leave in those for acknowledgements:");
    m.comment("then those behind move up.");
    let held = m.reg("held", depth);
    let words: Vec<Net> = (0..depth).map(|at| m.reg(format!("word{at}"), width)).collect();
    m.assign(nets.in_ready, !held.bit(depth - 1));
    let push = m.define("push", 1, Expr::from(nets.in_valid) & nets.in_ready);

    m.section("Which word to send");
    let here =
        |at: u32| held.bit(at) & words[at as usize].slice(width - bits, bits).equals(receiver);
    let here = m.define("here", depth, Expr::concat((0..depth).rev().map(here)));
    m.comment("The first of those.");
    let rest = Expr::from(here) - Expr::constant(depth, 1);
    let first = m.define("first", depth, Expr::from(here) & !rest);
    m.assign(nets.waiting, Expr::from(here).any());
    m.assign(nets.send, Expr::from(nets.data_slot) & nets.waiting);
    let sent = m.reg("sent_place", depth);
    let chosen = Expr::from(nets.data_slot).mux(first, sent);
    let chosen = m.define("chosen", depth, chosen);
    let passes = |at: u32| chosen.bit(at).repeat(width) & words[at as usize];
    m.assign(nets.head, Expr::any_of((0..depth).map(passes)));

    m.section("Words that come and leave");
    let more = Expr::concat([held.slice(0, depth - 1), Expr::constant(1, 1)]);
    let fewer = Expr::concat([Expr::constant(1, 0), held.slice(1, depth - 1)]);
    let mut registers = vec![
        Register { net: sent, reset: None, enable: Some(nets.send.into()), next: first.into() },
        Register {
            net: held,
            reset: Some(0),
            enable: Some(Expr::from(push) | nets.done),
            next: Expr::from(push).mux(more, fewer),
        },
    ];
    for at in 0..depth {
        let free = !held.bit(at);
        let comes = match at {
            0 => Expr::from(push) & free,
            _ => Expr::all([push.into(), free, held.bit(at - 1)]),
        };
        let net = words[at as usize];
        registers.push(match words.get(at as usize + 1) {
            None => Register { net, reset: None, enable: Some(comes), next: nets.in_data.into() },
            Some(&behind) => {
                let left = if at == 0 { sent.bit(0) } else { sent.slice(0, at + 1).any() };
                let moves = Expr::from(nets.done) & left;
                let next = Expr::from(push).mux(nets.in_data, behind);
                Register { net, reset: None, enable: Some(comes | moves), next }
            }
        });
    }
    m.registers(registers);
    Ok(())
}

/// Receiver to which the sender may send in this slot.
fn receiver(
    plan: &BusPlan,
    dimension: usize,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<Net, RtlError> {
    let position = nets.position.expect("senders that take turns are told where they are");
    m.section("Whose turn it is");
    if plan.grid.sides()[dimension] == 2 {
        m.comment("There is one other.");
        return Ok(m.define("receiver", 1, !Expr::from(position)));
    }
    let receiver = m.wire("receiver", position.width);
    m.instance(
        "turn",
        &turn(plan, dimension)?,
        [
            ("data_slot", nets.data_slot.into()),
            ("position", position.into()),
            ("receiver", receiver.into()),
        ],
    );
    Ok(receiver)
}
