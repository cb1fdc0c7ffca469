//! Converter to narrower words.

use super::{ConverterShape, field};
use crate::rtl::registers::is_at;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Converter that sends the parts of a word one after the other, the lowest first, in no cycle more
/// than there are parts. Where `keep` says which bytes are data, the last word of a packet ends with
/// the last part that has any. Carried fields are those of the word in each of its parts.
/// Ports: the streams `in`, of wide words, and `out`, of narrow ones.
///
/// A wide word is taken with the last of its parts, and must stay as it is until then, as AXI4-Stream
/// has it. So no word is stored here.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn narrow(prefix: &str, shape: &ConverterShape) -> Result<Arc<Module>, RtlError> {
    let ConverterShape { ref fields, narrow, ratio } = *shape;
    let keep = fields.keep;
    let wide = shape.wide();
    let mut m = ModuleBuilder::new(shape.name(prefix, "narrow", wide, narrow));
    m.about(format!("A word of {wide} bits becomes {ratio} of {narrow}, the lowest first."));
    if keep {
        m.about("The last word of a packet ends with its last part that has data.");
    }
    let from = m.stream_in("in", fields.stream(wide));
    let to = m.stream_out("out", fields.stream(narrow));
    let (arrives, leaves) = (from.lanes[0], to.lanes[0]);

    m.section("The part that is sent");
    let at = m.reg("at", bits_for(ratio));
    let last = field(&from, "last");
    let at_end = match keep {
        false => is_at(at, ratio - 1),
        true => {
            let kept = field(&from, "keep");
            let bytes = kept.width / ratio;
            // Of the last part nothing is above.
            let empty_above = |part: u32| {
                let low = (part + 1) * bytes;
                !kept.slice(low, kept.width - low).any()
            };
            let ends = select(at, &(0..ratio - 1).map(empty_above).collect::<Vec<_>>());
            is_at(at, ratio - 1) | (Expr::from(last) & ends)
        }
    };
    let complete = m.define("complete", 1, at_end);
    m.assign(leaves.valid, arrives.valid);
    m.assign(arrives.ready, Expr::from(leaves.ready) & complete);
    let next = Expr::from(at) + Expr::constant(at.width, 1);
    m.registers(vec![Register {
        net: at,
        reset: Some(0),
        enable: Some(Expr::from(arrives.valid) & leaves.ready),
        next: Expr::from(complete).mux(Expr::constant(at.width, 0), next),
    }]);
    let names: &[&str] = if keep { &["data", "keep"] } else { &["data"] };
    for &name in names {
        let whole = field(&from, name);
        let bits = whole.width / ratio;
        let parts: Vec<Expr> = (0..ratio).map(|part| whole.slice(part * bits, bits)).collect();
        m.assign(field(&to, name), select(at, &parts));
    }
    for (name, _) in &fields.carried {
        m.assign(field(&to, name), field(&from, name));
    }
    m.assign(field(&to, "last"), Expr::from(last) & complete);
    m.finish()
}

/// The value of the number that `at` is, by a tree of multiplexers over its bits; any of them where
/// there is none of that number.
fn select(at: Net, values: &[Expr]) -> Expr {
    fn below(at: Net, bit: u32, values: &[Expr]) -> Expr {
        let Some(bit) = bit.checked_sub(1) else { return values[0].clone() };
        let half = 1usize << bit;
        match values.len() > half {
            true => {
                at.bit(bit).mux(below(at, bit, &values[half..]), below(at, bit, &values[..half]))
            }
            false => below(at, bit, values),
        }
    }
    below(at, at.width, values)
}
