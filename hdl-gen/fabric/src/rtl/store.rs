//! The words of a queue in registers, beside a queue of their headers that says when one comes
//! and when one goes.

use super::fifo::ring::pointer;
use super::mux::{Chains, Stages};
use crate::plan::MuxStyle;
use std::sync::Arc;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// A ring of `depth` words of `width` bits. Ports:
/// - `write`: `in_data` is stored where the next word goes (it may be high without a word);
/// - `push`, `pop`: a word came, the oldest one goes; whoever drives them knows the fill level;
/// - `out_data`: the oldest word.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn store(
    prefix: &str,
    width: u32,
    depth: u32,
    style: MuxStyle,
    stages: &mut Stages,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "store", depth);
    m.about(format!(
        "The words of a queue of {depth}, in registers. What it holds is known outside:"
    ));
    m.about("push and pop say when a word comes and when the oldest goes.");
    let write = m.input("write", 1);
    let push = m.input("push", 1);
    let pop = m.input("pop", 1);
    let in_data = m.input("in_data", width);
    let out_data = m.output("out_data", width);

    m.section("Words");
    m.comment("While write is high the next place takes on the input in every cycle, word or not.");
    let bits = address_bits(depth);
    let (tail, head) = (m.reg("tail", bits), m.reg("head", bits));
    let words: Vec<Net> = (0..depth).map(|i| m.reg(format!("word{i}"), width)).collect();
    let register = |(i, &net): (usize, &Net)| {
        let here = Expr::from(tail).equals(Expr::constant(bits, i as u64));
        Register { net, reset: None, enable: Some(here & write), next: in_data.into() }
    };
    m.registers(words.iter().enumerate().map(register).collect());
    m.registers(vec![pointer(tail, push, depth), pointer(head, pop, depth)]);

    m.section("The oldest word");
    let oldest = match style {
        MuxStyle::OneHot => chosen(head, &words, bits),
        MuxStyle::Lut4 => Chains { m: &mut m, stages, prefix }.by_address(head, &words)?.into(),
    };
    m.assign(out_data, oldest);
    m.finish()
}

/// The word at `head`, by its lowest `bits` bits; a place beyond the last is never asked for.
fn chosen(head: Net, words: &[Net], bits: u32) -> Expr {
    if words.len() == 1 {
        return words[0].into();
    }
    let half = words.len().min(1 << (bits - 1));
    let (low, high) = words.split_at(half);
    match high.is_empty() {
        true => chosen(head, low, bits - 1),
        false => {
            let (low, high) = (chosen(head, low, bits - 1), chosen(head, high, bits - 1));
            head.bit(bits - 1).mux(high, low)
        }
    }
}
