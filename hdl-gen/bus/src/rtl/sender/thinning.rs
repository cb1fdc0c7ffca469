//! The state machine of thinning: words that can be picked, the window, and its slots.

use super::{Nets, drawn};
use crate::plan::BusPlan;
use crate::protocol::Thinning;
use turnpike_base::bits::bits_for;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register, RtlError};

pub(super) fn build(
    plan: &BusPlan,
    thinning: Thinning,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<(), RtlError> {
    let depth = plan.parameters.depth;
    let place_bits = address_bits(depth);
    // Places and what is drawn, each may be the wider.
    let bits = bits_for(depth + 1).max(thinning.draw_bits());
    m.section("Words that are here");
    m.comment(
        "They stand in places 0 to held - 1; the last one takes the place of one that leaves.",
    );
    let held = m.reg("held", bits);
    let number = |value: u32| Expr::constant(bits, value.into());
    let words = m.memory("words", nets.head.width, depth);
    let room = !Expr::from(held).equals(number(depth));
    m.assign(nets.in_ready, room);
    let push = m.define("push", 1, Expr::from(nets.in_valid) & nets.in_ready);
    let fewer = m.define("held_less_one", bits, Expr::from(held) - number(1));
    m.registers(vec![Register {
        net: held,
        reset: Some(0),
        enable: Some(Expr::from(push) | nets.done),
        next: Expr::from(push).mux(Expr::from(held) + number(1), fewer),
    }]);

    let picked = window(plan, thinning, m, nets)?;
    m.section("Which word to send");
    m.comment("The one in the place that was drawn, if there is one.");
    m.assign(nets.waiting, less(picked, held));
    m.assign(nets.send, Expr::from(nets.data_slot) & nets.waiting);
    let fits = |net: Net| match net.width.checked_sub(place_bits) {
        None => Expr::concat([Expr::constant(place_bits - net.width, 0), net.into()]),
        Some(_) => net.slice(0, place_bits),
    };
    let sent_place = m.reg("sent_place", place_bits);
    let place = Expr::from(nets.data_slot).mux(fits(picked), sent_place);
    let place = m.define("place", place_bits, place);
    m.registers(vec![Register {
        net: sent_place,
        reset: None,
        enable: Some(nets.send.into()),
        next: place.into(),
    }]);
    let read = |address: Expr| Expr::Read { memory: words, address: Box::new(address) };
    m.assign(nets.head, read(place.into()));
    m.comment(
        "Words come in slots for data and leave in those for acknowledgements: one write port.",
    );
    let last = m.define("last", nets.head.width, read(fewer.slice(0, place_bits)));
    let at = Expr::from(push).mux(held.slice(0, place_bits), sent_place);
    let word = Expr::from(push).mux(nets.in_data, last);
    m.write(words, Expr::from(push) | nets.done, at, word);
    Ok(())
}

/// The place that is picked in each slot.
fn window(
    plan: &BusPlan,
    thinning: Thinning,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<Net, RtlError> {
    m.section("The window");
    let windows = thinning.windows();
    m.comment(format!(
        "From {} words, halved down to 2, and again. `mask` has a bit for each that counts of what is drawn.",
        thinning.first()
    ));
    let draw = drawn(plan, m, nets, "slot", nets.data_slot.into())?;
    let mask = m.reg("mask", windows);
    let picked = m.define("picked", windows, Expr::from(draw) & mask);
    let longest = thinning.slots(0);
    let bits = bits_for(longest);
    let left = m.reg("slots_left", bits);
    let ends = m.define("ends", 1, Expr::from(nets.data_slot) & !Expr::from(left).any());
    let slots = |halved: u32| Expr::constant(bits, u64::from(thinning.slots(halved) - 1));
    let all = turnpike_base::bits::low_bits(windows);
    let (next_mask, next_slots) = match windows {
        // One window: it begins again.
        1 => (Expr::constant(1, 1), slots(0)),
        _ => {
            let half = Expr::concat([Expr::constant(1, 0), mask.slice(1, windows - 1)]);
            let again = !mask.bit(1);
            // By the window that ends: the slots of the next.
            let of = (0..windows - 1).rev().fold(slots(0), |after, halved| {
                let bit = windows - 1 - halved;
                match halved {
                    0 => mask.bit(bit).mux(slots(1), after),
                    _ => mask.bit(bit).mux(slots(halved + 1), after),
                }
            });
            (again.mux(Expr::constant(windows, all), half), of)
        }
    };
    m.registers(vec![
        Register { net: mask, reset: Some(all), enable: Some(ends.into()), next: next_mask },
        Register {
            net: left,
            reset: Some(u64::from(longest - 1)),
            enable: Some(nets.data_slot.into()),
            next: Expr::from(ends).mux(next_slots, Expr::from(left) - Expr::constant(bits, 1)),
        },
    ]);
    Ok(picked)
}

/// Whether `low` is less than `high`, which has as many bits or more.
fn less(low: Net, high: Net) -> Expr {
    let mut less = !low.bit(0) & high.bit(0);
    for at in 1..high.width {
        less = match at < low.width {
            true => (!low.bit(at) & high.bit(at)) | (!(low.bit(at) ^ high.bit(at)) & less),
            false => high.bit(at) | less,
        };
    }
    less
}
