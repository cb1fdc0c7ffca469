//! A queue between two clocks.

use super::reader::reader;
use super::writer::writer;
use super::{async_depth, pointer_bits};
use std::sync::Arc;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Domain, Expr, Module, ModuleBuilder, RtlError, StreamType};

/// A queue for words of `width` bits from one clock to another. Ports: `in_clk` and `in_rst` with the
/// stream `in`, `out_clk` and `out_rst` with the stream `out`. Both ends have to be under reset at one
/// time, and the words in it are then lost. At equal clocks a word can leave two cycles and the stages
/// of the synchronisers after it came.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn async_fifo(prefix: &str, width: u32, sync_stages: u32) -> Result<Arc<Module>, RtlError> {
    let depth = async_depth(sync_stages);
    let mut m = ModuleBuilder::of_domains(format!("{prefix}_async_fifo_{width}"));
    m.about(format!("Queue of {depth} words of {width} bits from one clock to another."));
    m.about(format!("Pointers pass in Gray code, through {sync_stages} flip-flops; one word per cycle of the slower clock."));
    m.about("Both ends have to be under reset at one time.");
    let mut domain = |end: &str| {
        let mut input = |what| Some(m.input(format!("{end}_{what}"), 1));
        Domain { clock: input("clk"), reset: input("rst") }
    };
    let (input, output) = (domain("in"), domain("out"));
    let words = || StreamType::plain([("data", width)]);
    let (from, to) = (m.stream_in("in", words()), m.stream_out("out", words()));
    let [tail, head] = ["tail", "head"].map(|name| m.wire(name, pointer_bits(depth)));
    let address = m.wire("address", address_bits(depth));
    let word = m.wire("word", width);
    let shared = [("tail", tail), ("head", head), ("address", address), ("word", word)];
    let ends = [
        (input, "writer", writer(prefix, width, depth, sync_stages)?, "in", from),
        (output, "reader", reader(prefix, width, depth, sync_stages)?, "out", to),
    ];
    for (domain, name, module, stream, wires) in ends {
        let shared = shared.map(|(port, net)| (port, Expr::from(net)));
        m.instance_in(
            domain,
            name,
            &module,
            module.connect(stream, &wires).into_iter().chain(shared),
        );
    }
    m.finish()
}
