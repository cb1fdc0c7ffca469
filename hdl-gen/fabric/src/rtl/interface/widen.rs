//! Converter to wider words.

use super::{ConverterShape, field};
use crate::rtl::registers::is_at;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Converter that puts words side by side, the first in the lowest bits. The last word of a packet
/// ends a wide word, too, and what is missing of that is 0.
/// A wide word has `user` of the last of its words, and each other carried field of the first.
/// Ports: the streams `in`, of narrow words, and `out`, of wide ones.
///
/// A word is taken in every cycle as long as each wide word is taken in the cycle in which it is
/// offered.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn widen(prefix: &str, shape: &ConverterShape) -> Result<Arc<Module>, RtlError> {
    let ConverterShape { ref fields, narrow, ratio } = *shape;
    let keep = fields.keep;
    let wide = shape.wide();
    let mut m = ModuleBuilder::new(shape.name(prefix, "widen", narrow, wide));
    m.about(format!(
        "Words of {narrow} bits become words of {wide}: {ratio} side by side, the first lowest."
    ));
    m.about("The last of a packet ends a wide word, whose other bits are then 0.");
    let from = m.stream_in("in", fields.stream(narrow));
    let to = m.stream_out("out", fields.stream(wide));

    m.section("The lane of the next word, and whether a wide word waits");
    let at = m.reg("at", bits_for(ratio));
    let full = m.reg("full", 1);
    let (arrives, leaves) = (from.lanes[0], to.lanes[0]);
    m.assign(arrives.ready, !Expr::Reset & (!Expr::from(full) | leaves.ready));
    m.assign(leaves.valid, !Expr::Reset & full);
    let accept = m.define("accept", 1, Expr::from(arrives.valid) & arrives.ready);
    let last = field(&from, "last");
    let complete = m.define("complete", 1, Expr::from(last) | is_at(at, ratio - 1));
    let first = m.define("first", 1, is_at(at, 0));
    let next = Expr::from(at) + Expr::constant(at.width, 1);
    let waits = Expr::from(full) & !Expr::from(leaves.ready);
    m.registers(vec![
        Register {
            net: full,
            reset: Some(0),
            enable: None,
            next: Expr::from(accept).mux(complete, waits),
        },
        Register {
            net: at,
            reset: Some(0),
            enable: Some(accept.into()),
            next: Expr::from(complete).mux(Expr::constant(at.width, 0), next),
        },
    ]);

    m.section("The wide word");
    let register = |net: Net, enable: Expr, next: Expr| Register {
        net,
        reset: None,
        enable: Some(enable),
        next,
    };
    m.comment("The first word clears the other lanes.");
    let names: &[&str] = if keep { &["data", "keep"] } else { &["data"] };
    for &name in names {
        let source = field(&from, name);
        let mut lanes: Vec<Expr> = Vec::new();
        let mut registers = Vec::new();
        for lane in 0..ratio {
            let net = m.reg(format!("{name}{lane}"), source.width);
            let accept = Expr::from(accept);
            let (enable, next) = match lane {
                0 => (accept & first, source.into()),
                lane => {
                    let here = is_at(at, lane);
                    let next = Expr::from(source) & here.clone().repeat(source.width);
                    // The highest lane is cleared by every word before its own.
                    let is_last = lane + 1 == ratio;
                    (if is_last { accept } else { accept & (here | first) }, next)
                }
            };
            registers.push(register(net, enable, next));
            lanes.push(net.into());
        }
        m.registers(registers);
        m.assign(field(&to, name), Expr::concat(lanes.into_iter().rev()));
    }
    let of_last = fields.carried.iter().filter(|(name, _)| *name == "user").map(|(name, _)| *name);
    let of_last = of_last.chain(["last"]).map(|name| (name, Expr::from(accept)));
    let of_first = fields.carried.iter().filter(|(name, _)| *name != "user");
    let of_first = of_first.map(|(name, _)| (*name, Expr::from(accept) & first));
    let carried = of_last.chain(of_first);
    let carried =
        carried.map(|(name, enable)| register(field(&to, name), enable, field(&from, name).into()));
    m.registers(carried.collect());
    m.finish()
}
