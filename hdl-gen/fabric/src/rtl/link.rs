//! Registers of a channel between two switches.

use super::side_by_side::{self, apart, together};
use super::switch::Parts;
use std::sync::Arc;
use turnpike_netlist::{Expr, Handshake, Module, ModuleBuilder, Net, Register, RtlError, Stream};

/// Size and make of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinkShape {
    /// Registers on the way, at least 1, and as many on the way back.
    pub delay: u32,
    /// Virtual channels that share the link, at least 1.
    pub vcs: u32,
}

/// A channel with registers, for words of `width` bits. Ports, of which those of the handshake have
/// a bit per virtual channel:
/// - `in_valid`, `in_data`: what the switch before sends, which has looked at `in_ready` before;
/// - `in_ready`: what the queue at the end said `delay` cycles before;
/// - `out_valid`, `out_data`: what was sent `delay` cycles before; `out_ready`: whether the queue
///   at the end has room, beside what may be on the way.
///
/// Nothing stops in a link: each word moves on in every cycle. The queue at its end has room for
/// all that are on the way, so that a link waits for nothing, and adds no dependence to those of
/// the network (Dally and Towles, chapters 13 and 14).
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn link(prefix: &str, width: u32, shape: LinkShape) -> Result<Arc<Module>, RtlError> {
    let LinkShape { delay, vcs } = shape;
    let prefix = match vcs {
        1 => prefix.to_owned(),
        several => format!("{prefix}_vcs{several}"),
    };
    let mut m = ModuleBuilder::of_kind(&prefix, "link", delay);
    m.width_parameter(width);
    m.keep_registers();
    let (registers, cycles) = match delay {
        1 => ("A register".to_owned(), "a cycle".to_owned()),
        several => (format!("{several} registers"), format!("{several} cycles")),
    };
    m.about(format!(
        "{registers} on a channel, forward and back: a flit arrives {cycles} after it was"
    ));
    m.about("sent. Nothing stops here: the queue at the end has room for all that is on the way.");
    let in_valid = m.input("in_valid", vcs);
    let in_ready = m.output("in_ready", vcs);
    let in_data = m.input("in_data", width);
    let out_valid = m.output("out_valid", vcs);
    let out_ready = m.input("out_ready", vcs);
    let out_data = m.output("out_data", width);
    for data in [in_data, out_data] {
        m.parametric(data);
    }

    m.section("Forward");
    let valid = |net, next| Register { net, reset: Some(0), enable: None, next };
    chain(&mut m, "valid", false, in_valid.into(), out_valid, delay, &valid);
    let data = |net, next| Register { net, reset: None, enable: None, next };
    chain(&mut m, "data", true, in_data.into(), out_data, delay, &data);

    m.section("Back");
    m.comment("After a reset the queue has room.");
    let all = u64::MAX >> (64 - vcs);
    let ready = |net, next| Register { net, reset: Some(all), enable: None, next };
    chain(&mut m, "ready", false, out_ready.into(), in_ready, delay, &ready);
    m.finish()
}

/// `delay` registers one behind the other, from `first` to the output port `last`.
fn chain(
    m: &mut ModuleBuilder,
    name: &str,
    parametric: bool,
    first: Expr,
    last: Net,
    delay: u32,
    register: &dyn Fn(Net, Expr) -> Register,
) {
    let mut before = first;
    let mut registers = Vec::new();
    for stage in 1..=delay {
        let net = if stage == delay { last } else { m.reg(format!("{name}{stage}"), last.width) };
        if parametric {
            m.parametric(net);
        }
        registers.push(register(net, before));
        before = net.into();
    }
    m.registers(registers);
}

/// Places the registers of a channel in the module around: `sent` is what the switch before sends.
/// Returns what arrives. The names of all begin with `end`.
pub(super) fn place(
    m: &mut ModuleBuilder,
    parts: &mut Parts,
    delay: u32,
    end: &str,
    sent: &Stream,
) -> Result<Stream, RtlError> {
    let arrives = m.stream_wires(&format!("{end}_in"), sent.of.clone());
    // The lowest bits first: the flit, and a header where one is carried.
    let fields = |stream: &Stream| -> Vec<Net> {
        ["flit", "header"].into_iter().filter_map(|name| stream.field(name)).collect()
    };
    let lanes = |stream: &Stream, of: fn(&Handshake) -> Net| -> Vec<Net> {
        stream.lanes.iter().map(of).collect()
    };
    let width = fields(sent).iter().map(|net| net.width).sum();
    let link = parts.link(width, LinkShape { delay, vcs: sent.lanes.len() as u32 })?;
    let mut connections = vec![
        ("in_valid", together(&lanes(sent, |lane| lane.valid))),
        ("in_data", together(&fields(sent))),
        ("out_ready", together(&lanes(&arrives, |lane| lane.ready))),
    ];
    // An output drives a whole net, of which the parts are slices.
    let mut shared = Vec::new();
    for (port, parts) in [
        ("in_ready", lanes(sent, |lane| lane.ready)),
        ("out_valid", lanes(&arrives, |lane| lane.valid)),
        ("out_data", fields(&arrives)),
    ] {
        let whole = match parts[..] {
            [one] => one,
            _ => {
                let whole = side_by_side::wire(m, format!("{end}_link_{port}"), &parts);
                shared.push((whole, parts));
                whole
            }
        };
        connections.push((port, whole.into()));
    }
    m.instance(format!("{end}_link"), &link, connections);
    for (whole, parts) in shared {
        apart(m, whole, &parts);
    }
    Ok(arrives)
}
