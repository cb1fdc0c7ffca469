//! Transactions in flight of one direction: which may go on its way, and whose a reply is.

use crate::rtl::registers::{at_index, is_at};
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_ends::tag_bits;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Rule by which the transactions of an ID end in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// Transactions of an ID that are in flight are with one target, whose replies come in order.
    OneTarget,
    /// At most one transaction of an ID is in flight.
    OneInFlight,
    /// The IDs of all that are in flight differ.
    Unlike,
}

impl Order {
    /// End of the name of its tables.
    fn suffix(self) -> &'static str {
        match self {
            Self::OneTarget => "",
            Self::OneInFlight => "_single",
            Self::Unlike => "_unlike",
        }
    }
}

/// Table of `entries` transactions, so that all replies of an ID are in order. Ports:
/// - `id`: of the transaction that waits, and with [`Order::OneTarget`] its `target`; `may`: whether it
///   may go; `tag`: the tag that it gets; `take`: it goes;
/// - `done_tag`: tag of a reply; `done_id`: the ID of its transaction; `done`: that is over.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn in_flight(
    prefix: &str,
    entries: u32,
    [id_bits, target_bits]: [u32; 2],
    order: Order,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(table_name(prefix, entries, id_bits, order));
    m.about(format!("The transactions in flight, {entries} at most, and their IDs."));
    for line in match order {
        Order::OneTarget => [
            "A transaction waits while others of its ID are with another target: so the replies of",
            "each ID come in the order of its transactions.",
        ],
        Order::OneInFlight => [
            "A transaction waits while another of its ID is in flight, for packets may overtake one",
            "another.",
        ],
        Order::Unlike => [
            "IDs of all that are in flight differ: the replies are put in order behind",
            "the table.",
        ],
    } {
        m.about(line);
    }
    let id = m.input("id", id_bits);
    let target = (order == Order::OneTarget).then(|| m.input("target", target_bits));
    let may = m.output("may", 1);
    let tag = m.output("tag", tag_bits(entries));
    let take = m.input("take", 1);
    let done_tag = m.input("done_tag", tag_bits(entries));
    let done_id = m.output("done_id", id_bits);
    let done = m.input("done", 1);

    m.section("The entries");
    let busy = m.reg("busy", entries);
    let kept = |m: &mut ModuleBuilder, what: &str, bits: u32| -> Vec<Net> {
        (0..entries).map(|entry| m.reg(format!("{what}{entry}"), bits)).collect()
    };
    let ids = kept(&mut m, "id", id_bits);
    let targets = target.map(|_| kept(&mut m, "target", target_bits)).unwrap_or_default();
    m.comment("The lowest that is free.");
    let free = m.define("free", entries, !Expr::from(busy));
    let first = Expr::from(free) & (Expr::constant(entries, 0) - Expr::from(free));
    let first = m.define("first", entries, first);
    m.assign(tag, number(first, tag.width));
    let ends = (0..entries).map(|entry| Expr::from(done) & is_at(done_tag, entry));
    let ends = m.define("ends", entries, Expr::concat(ends.rev()));
    let begins = Expr::from(take).repeat(entries) & first;
    let next = (Expr::from(busy) & !Expr::from(ends)) | begins;
    m.registers(vec![Register { net: busy, reset: Some(0), enable: None, next }]);
    let taken = |entry: usize, net: Net, from: Net| Register {
        net,
        reset: None,
        enable: Some(Expr::from(take) & first.bit(entry as u32)),
        next: from.into(),
    };
    let all = ids.iter().map(|net| (net, Some(id)));
    let all = all.chain(targets.iter().map(|net| (net, target)));
    let all = all.filter_map(|(net, from)| Some((net, from?)));
    let registers =
        all.enumerate().map(|(at, (net, from))| taken(at % entries as usize, *net, from));
    m.registers(registers.collect());

    m.section("Whether a transaction may go");
    let of_its_id = |(entry, own): (usize, &Net)| {
        let same = busy.bit(entry as u32) & Expr::from(*own).equals(id);
        match (targets.get(entry), target) {
            (Some(other), Some(target)) => same & !Expr::from(*other).equals(target),
            _ => same,
        }
    };
    let is_free = Expr::from(free).any();
    let may_go = match order {
        Order::Unlike => is_free,
        _ => {
            let waits = Expr::any_of(ids.iter().enumerate().map(of_its_id));
            is_free & !Expr::from(m.define("waits", 1, waits))
        }
    };
    m.assign(may, may_go);

    m.section("Whose a reply is");
    m.assign(done_id, at_index(done_tag, &ids));
    m.finish()
}

/// Name of the module of a table.
pub(super) fn table_name(prefix: &str, entries: u32, id_bits: u32, order: Order) -> String {
    format!("{prefix}_in_flight_{entries}_{id_bits}{}", order.suffix())
}

/// Number of the one bit that is high.
fn number(one_hot: Net, bits: u32) -> Expr {
    let bit = |bit: u32| {
        let those = (0..one_hot.width).filter(|at| at >> bit & 1 == 1).map(|at| one_hot.bit(at));
        let those: Vec<Expr> = those.collect();
        if those.is_empty() { Expr::constant(1, 0) } else { Expr::any_of(those) }
    };
    debug_assert!(bits >= bits_for(one_hot.width));
    Expr::concat((0..bits).rev().map(bit))
}
