//! Number of words in a queue: ready and valid come from it.

use super::{Ports, Shape};
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// The fill level as a thermometer. Returns, per place i, whether there are more than i words.
pub(super) fn thermometer(
    m: &mut ModuleBuilder,
    ports: &Ports,
    push: Net,
    pop: Net,
    shape: Shape,
) -> Vec<Expr> {
    let depth = shape.depth;
    m.section("Fill level");
    m.comment("Bit i is set while there are more than i words.");
    let filled = m.reg("filled", depth - 1);
    // The last place is kept as its opposite: written to a memory, it saves an inverter.
    let room = match shape.in_flight {
        0 => ports.in_ready,
        _ => m.reg("room", 1),
    };
    let one = |value| Expr::constant(1, value);
    let (up, down) = match depth {
        2 => (one(1), !Expr::from(room)),
        _ => (
            Expr::concat([filled.slice(0, depth - 2), one(1)]),
            Expr::concat([!Expr::from(room), filled.slice(1, depth - 2)]),
        ),
    };
    let changes = m.define("changes", 1, Expr::from(push) ^ pop);
    let enable = || Some(changes.into());
    let full = Expr::from(pop) | !filled.bit(depth - 2);
    m.registers(vec![
        Register {
            net: filled,
            reset: Some(0),
            enable: enable(),
            next: Expr::from(pop).mux(down, up),
        },
        Register { net: room, reset: Some(1), enable: enable(), next: full },
    ]);
    let places =
        (0..depth - 1).map(|i| filled.bit(i)).chain([!Expr::from(room)]).collect::<Vec<_>>();
    if shape.in_flight > 0 {
        m.comment(match shape.in_flight {
            1 => "Ready while there is room for one more beside the word on the way.".to_owned(),
            words => format!("Ready while there is room for one more beside {words} on the way."),
        });
        let limit = depth - 1 - shape.in_flight;
        m.assign(ports.in_ready, !places[limit as usize].clone());
    }
    m.assign(ports.out_valid, filled.bit(0));
    places
}

/// The fill level in binary; returns it. Valid follows it, but where words come out two cycles later.
pub(super) fn counter(
    m: &mut ModuleBuilder,
    ports: &Ports,
    push: Net,
    pop: Net,
    shape: Shape,
) -> Net {
    m.section("Fill level");
    let bits = bits_for(shape.depth + 1);
    let count = m.reg("count", bits);
    let constant = |value| Expr::constant(bits, value);
    let more = Expr::from(push) & !Expr::from(pop);
    let fewer = Expr::from(pop) & !Expr::from(push);
    let step = fewer.mux(Expr::from(count) - constant(1), count);
    let next = more.mux(Expr::from(count) + constant(1), step);
    let next = m.define("count_next", bits, next);
    let at = |words: u32| Expr::from(next).equals(constant(u64::from(words)));
    let state = |net, reset, next| Register { net, reset: Some(reset), enable: None, next };
    let ready = match shape.in_flight {
        0 | 1 => !Expr::any_of((0..=shape.in_flight).map(|i| at(shape.depth - i))),
        words => {
            m.comment(format!("Ready while there is room for one more beside {words} on the way;"));
            m.comment("the number of words goes by steps of one.");
            let limit = shape.depth - words;
            let ready_again = at(limit - 1) | ports.in_ready;
            m.define("ready_next", 1, !at(limit) & ready_again).into()
        }
    };
    let valid = state(ports.out_valid, 0, Expr::from(next).any());
    let states = [state(count, 0, next.into()), state(ports.in_ready, 1, ready)];
    m.registers(states.into_iter().chain((!shape.is_behind()).then_some(valid)).collect());
    count
}
