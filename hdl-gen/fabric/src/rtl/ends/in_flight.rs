//! Transactions in flight of one direction: which may go on its way, and whose a reply is.

use crate::rtl::registers::is_at;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_ends::tag_bits;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Table of `entries` transactions. Two of one ID are in flight at a time where both are with one
/// target alone, whose replies come in order: so all replies of an ID are in order. Ports:
/// - `id`, `target`: of the transaction that waits; `may`: whether it may go; `tag`: the tag that it
///   gets; `take`: it goes;
/// - `done_tag`: tag of a reply; `done_id`: the ID of its transaction; `done`: that is over.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn in_flight(
    prefix: &str,
    entries: u32,
    [id_bits, target_bits]: [u32; 2],
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(table_name(prefix, entries, id_bits));
    m.about(format!("The transactions in flight, {entries} at most, and their IDs."));
    m.about(
        "A transaction waits while others of its ID are with another target: so the replies of",
    );
    m.about("each ID come in the order of its transactions.");
    let [id, target] = [("id", id_bits), ("target", target_bits)].map(|(n, w)| m.input(n, w));
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
    let targets = kept(&mut m, "target", target_bits);
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
    let all = ids.iter().map(|net| (net, id)).chain(targets.iter().map(|net| (net, target)));
    let registers =
        all.enumerate().map(|(at, (net, from))| taken(at % entries as usize, *net, from));
    m.registers(registers.collect());

    m.section("Whether a transaction may go");
    let with_another = ids.iter().zip(&targets).enumerate().map(|(entry, (own, other))| {
        Expr::all([
            busy.bit(entry as u32),
            Expr::from(*own).equals(id),
            !Expr::from(*other).equals(target),
        ])
    });
    let waits = Expr::any_of(with_another);
    let waits = m.define("waits", 1, waits);
    m.assign(may, Expr::from(free).any() & !Expr::from(waits));

    m.section("Whose a reply is");
    let of = ids.iter().enumerate();
    let of = of.map(|(entry, own)| is_at(done_tag, entry as u32).repeat(id_bits) & *own);
    m.assign(done_id, Expr::any_of(of));
    m.finish()
}

/// Name of the module of a table.
pub(super) fn table_name(prefix: &str, entries: u32, id_bits: u32) -> String {
    format!("{prefix}_in_flight_{entries}_{id_bits}")
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
