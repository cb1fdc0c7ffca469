//! The checker of one terminal.

use super::fault::Fault;
use super::numbers::{Clear, numbers};
use super::pattern::{BEAT_BITS, Pattern};
use super::tally::{Packet, tally};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// The module. Ports: `address`, a constant at the instance; `clear`, `slot`, `pause`, `chance`
/// as at the source; the terminal's `tvalid`, `tready`, `word`, unless each beat is a packet `tlast`
/// and, with `id`, `tid`;
/// `refused`, the terminal's `s_axis_error`; where packets overtake each other, `complete`: as many
/// have come as were sent, at all sinks together; `arrived`, a packet's last beat came; `fault`,
/// what was wrong, as [`Fault`] numbers it.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn sink(prefix: &str, pattern: Pattern, id: bool) -> Result<Arc<Module>, RtlError> {
    let a = pattern.address;
    let mut m = ModuleBuilder::new(format!("{prefix}_selftest_sink"));
    m.about(
        "Checker of one terminal. It knows what each packet must hold from the packet's source,",
    );
    match pattern.in_order {
        true => m.about("in the first beat, and from how many have come from there."),
        false => {
            m.about("and the packet's number, in the first beat. Packets may overtake each other.");
        }
    }
    m.about("It compares every bit.");
    let address = m.input("address", a);
    let clear = m.input("clear", 1);
    let slot = m.input("slot", a);
    let pause = m.input("pause", 1);
    let chance = m.input("chance", 1);
    let refused = m.input("refused", 1);
    let complete = (!pattern.in_order).then(|| m.input("complete", 1));
    let tvalid = m.input("tvalid", 1);
    let tready = m.output("tready", 1);
    let tid = id.then(|| m.input("tid", a));
    let word = m.input("word", pattern.word);
    let tlast = (!pattern.single).then(|| m.input("tlast", 1));
    let arrived = m.output("arrived", 1);
    let fault = m.output("fault", Fault::BITS);

    m.section("The terminal");
    m.comment("A beat is taken into registers and looked at in the next cycle.");
    let ready = m.reg("ready", 1);
    let came = m.reg("came", 1);
    let held = m.reg("held_word", pattern.word);
    let last = tlast.map(|tlast| (m.reg("held_last", 1), tlast));
    let held_id = tid.map(|tid| (m.reg("held_id", a), tid));
    let stalled = m.reg("stalled", 1);
    let reset = |net, next: Expr| Register { net, reset: Some(0), enable: None, next };
    let free = |net, next: Net| Register { net, reset: None, enable: None, next: next.into() };
    m.registers(vec![
        reset(ready, !(Expr::from(clear) | (Expr::from(pause) & chance))),
        reset(came, Expr::from(tvalid) & ready),
        reset(stalled, Expr::from(tvalid) & !Expr::from(ready)),
    ]);
    m.registers(
        [(held, word)].into_iter().chain(last).chain(held_id).map(|(q, d)| free(q, d)).collect(),
    );
    let last = last.map(|(last, _)| last);
    m.assign(tready, ready);
    m.assign(arrived, last.map_or(came.into(), |last| Expr::from(came) & last));

    m.section("What must have come");
    let beats = last.map(|last| Beats::declare(&mut m, pattern, last));
    let first = match &beats {
        Some(beats) => m.define("opens", 1, Expr::from(came) & !Expr::from(beats.inside)),
        None => came,
    };
    let source = m.define("source", a, held.slice(0, a));
    let by = Clear { clear, slot };
    let next = numbers(&mut m, pattern, source, first, by);
    let number = match pattern.in_order {
        true => next,
        false => m.define("its_number", pattern.sequence, held.slice(2 * a, pattern.sequence)),
    };
    let at_first = m.define("first_state", pattern.state(), pattern.first(source, address, number));
    let (now, must_end) = match &beats {
        Some(beats) => {
            let (now, must_end) = beats.follow(&mut m, pattern, came, at_first);
            (now, Some(must_end))
        }
        None => (at_first, None),
    };

    let missing = complete.map(|complete| {
        let packet = Packet { source, number, next, comes: first };
        let missing = tally(&mut m, pattern, &packet, by) & complete;
        m.define("missing", 1, missing)
    });

    m.section("Faults, the first in this list counts");
    let opening = |m: &mut ModuleBuilder, name, low, must: Net| {
        let differs = !held.slice(low, must.width).equals(must);
        let differs = match &beats {
            Some(beats) => !Expr::from(beats.inside) & differs,
            None => differs,
        };
        m.define(name, 1, differs)
    };
    let destination = opening(&mut m, "wrong_destination", a, address);
    let order = pattern.in_order.then(|| opening(&mut m, "wrong_order", 2 * a, next));
    let id = held_id.map(|(held_id, _)| {
        let must = match &beats {
            None => source,
            Some(Beats { inside, .. }) => {
                let from = m.reg("from", a);
                let must = m.define("id_now", a, Expr::from(*inside).mux(from, source));
                m.registers(vec![Beats::enabled(from, came, must.into())]);
                must
            }
        };
        m.define("wrong_id", 1, !Expr::from(held_id).equals(must))
    });
    let data = m.define("wrong_data", 1, (Expr::from(held) ^ pattern.word(now)).any());
    let length = last
        .zip(must_end)
        .map(|(last, must_end)| m.define("wrong_length", 1, Expr::from(last) ^ must_end));
    let lapsed = m.define("lapsed", 1, (Expr::from(stalled) & !Expr::from(tvalid)) | refused);
    let rules = [
        Some((destination, Fault::Destination)),
        order.map(|order| (order, Fault::Order)),
        id.map(|id| (id, Fault::Id)),
        Some((data, Fault::Data)),
        length.map(|length| (length, Fault::Length)),
    ];
    let code = |fault: Fault| Expr::constant(Fault::BITS, fault.code());
    let found =
        rules.into_iter().flatten().rev().fold(code(Fault::None), |otherwise, (net, fault)| {
            Expr::from(net).mux(code(fault), otherwise)
        });
    let found = m.define("found", Fault::BITS, found);
    let seen = m.reg("seen", Fault::BITS);
    let of_beat = Expr::from(came).repeat(Fault::BITS) & found;
    let counted = match missing {
        None => of_beat,
        Some(missing) => Expr::from(missing).mux(code(Fault::Order), of_beat),
    };
    m.registers(vec![reset(seen, Expr::from(lapsed).mux(code(Fault::Protocol), counted))]);
    m.assign(fault, seen);
    m.finish()
}

/// Position of a checker in a packet of several beats.
struct Beats {
    /// Whether it is past the first.
    inside: Net,
    /// The state that the next one must have.
    state: Net,
    /// Number of the beat.
    beat: Net,
    /// Whether the one that came is marked as the last.
    last: Net,
}

impl Beats {
    fn declare(m: &mut ModuleBuilder, pattern: Pattern, last: Net) -> Self {
        Self {
            inside: m.reg("in_packet", 1),
            state: m.reg("state", pattern.state()),
            beat: m.reg("beat", BEAT_BITS),
            last,
        }
    }

    /// A register that moves on with each beat that came.
    fn enabled(net: Net, came: Net, next: Expr) -> Register {
        Register { net, reset: None, enable: Some(came.into()), next }
    }

    /// The state of the beat that came, and whether it must be the last of its packet.
    fn follow(&self, m: &mut ModuleBuilder, pattern: Pattern, came: Net, first: Net) -> (Net, Net) {
        let Self { inside, state, beat, last } = *self;
        let now = m.define("state_now", pattern.state(), Expr::from(inside).mux(state, first));
        let count = m.define("beat_now", BEAT_BITS, Expr::from(inside).repeat(BEAT_BITS) & beat);
        let next = !Expr::from(last);
        m.registers(vec![Register { reset: Some(0), ..Self::enabled(inside, came, next) }]);
        let more = Expr::from(count) + Expr::constant(BEAT_BITS, 1);
        m.registers(vec![
            Self::enabled(state, came, pattern.next(now)),
            Self::enabled(beat, came, more),
        ]);
        let full = Expr::from(count).equals(Expr::constant(BEAT_BITS, (1 << BEAT_BITS) - 1));
        let must_end = m.define("must_end", 1, !pattern.goes_on(now).any() | full);
        (now, must_end)
    }
}
