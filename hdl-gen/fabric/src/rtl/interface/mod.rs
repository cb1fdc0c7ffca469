//! Interfaces between the network and the ports of terminals whose words are of another width or of
//! another clock, or whose addresses are others, or that are held to token buckets.

mod address;
mod bucket;
mod counting;
mod domains;
mod narrow;
mod shaper;
mod shaping;
mod top;
mod widen;

pub use bucket::{OWED, Tokens, bucket};
pub use top::{design, streams, streams_design, top};

use crate::plan::{Conversion, FabricPlan, InterfaceStep, Side, of_class};
use crate::rtl::clocks::async_fifo;
use address::exchange;
use narrow::narrow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use turnpike_netlist::{Module, Net, RtlError, Stream, StreamType};
use turnpike_network::flows::TokenBucket;
use widen::widen;

/// Fields of the words between the terminals of a side and the network.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fields {
    /// The side of the terminals.
    side: Side,
    /// Whether each byte has a bit that says whether it is data (`tkeep`).
    keep: bool,
    /// Fields that are the same in all words of a packet, or in all that become one word: name and
    /// bits, `user` first.
    carried: Vec<(&'static str, u32)>,
}

/// A converter of widths: what goes in and out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ConverterShape {
    fields: Fields,
    /// Bits of the narrow words.
    narrow: u32,
    /// Narrow words in a wide one, at least 2.
    ratio: u32,
}

impl Fields {
    /// Fields at the ports of the network.
    fn inner(plan: &FabricPlan, side: Side) -> Self {
        Self::of(plan, side, plan.topology().address_bits())
    }

    /// Fields at the ports of the terminals.
    fn outer(plan: &FabricPlan, side: Side) -> Self {
        Self::of(plan, side, plan.address_bits())
    }

    fn of(plan: &FabricPlan, side: Side, address_bits: u32) -> Self {
        let carried = plan.signals(side).into_iter().filter_map(|signal| match signal.name {
            "user" => Some((signal.name, signal.width)),
            "dest" | "id" => Some((signal.name, address_bits)),
            _ => None,
        });
        let mut carried: Vec<_> = carried.collect();
        carried.sort_by_key(|(name, _)| *name != "user");
        Self { side, keep: plan.parameters.keep, carried }
    }

    /// Bits of a word of `bits` bits, but for its address and whether it is the last.
    fn beside_the_address(&self, bits: u32) -> u32 {
        let all: u32 = self.stream(bits).fields.iter().map(|(_, bits)| bits).sum();
        let address = self.carried.iter().filter(|(name, _)| *name == "dest");
        all - 1 - address.map(|(_, bits)| bits).sum::<u32>()
    }

    /// Type of the stream of words of `bits` bits.
    fn stream(&self, bits: u32) -> StreamType {
        let keep = if self.keep { bits / 8 } else { 0 };
        let fields = [("data", bits), ("keep", keep)].into_iter();
        StreamType::plain(fields.chain(self.carried.clone()).chain([("last", 1)]))
    }
}

impl ConverterShape {
    fn wide(&self) -> u32 {
        self.narrow * self.ratio
    }

    /// Name of the module: `<prefix>_s_widen_8_32`.
    fn name(&self, prefix: &str, kind: &str, from: u32, to: u32) -> String {
        let side = match self.fields.side {
            Side::Source => "s",
            Side::Sink => "m",
        };
        format!("{prefix}_{side}_{kind}_{from}_{to}")
    }
}

/// Modules of the steps between terminals and the network, by the side of the terminals and the step.
pub type Parts = BTreeMap<(Side, InterfaceStep), Arc<Module>>;

/// The modules of the token buckets of a plan's shapers, each once.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn buckets(plan: &FabricPlan) -> Result<BTreeMap<TokenBucket, Arc<Module>>, RtlError> {
    let buckets = plan.buckets();
    let count = buckets.len();
    let module = |(at, of): (usize, TokenBucket)| {
        Ok((of, bucket(of_class(&plan.name, "bucket", at, count), &of)?))
    };
    buckets.into_iter().enumerate().map(module).collect()
}

/// The modules of a plan's steps, each once.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn parts(plan: &FabricPlan) -> Result<Parts, RtlError> {
    let mut parts = Parts::new();
    for side in [Side::Source, Side::Sink] {
        for &terminal in plan.terminals_of(side) {
            for step in plan.interface_steps(side, terminal) {
                if let Entry::Vacant(place) = parts.entry((side, step)) {
                    place.insert(part(plan, side, step)?);
                }
            }
        }
    }
    Ok(parts)
}

fn part(plan: &FabricPlan, side: Side, step: InterfaceStep) -> Result<Arc<Module>, RtlError> {
    let fields = Fields::outer(plan, side);
    match step {
        InterfaceStep::Address(bits) => exchange(plan, side, bits),
        InterfaceStep::Convert(Conversion::Widen { narrow, ratio }) => {
            widen(&plan.name, &ConverterShape { fields, narrow, ratio })
        }
        InterfaceStep::Convert(Conversion::Narrow { narrow: bits, ratio }) => {
            narrow(&plan.name, &ConverterShape { fields, narrow: bits, ratio })
        }
        InterfaceStep::Cross(bits) => {
            let bits = fields.stream(bits).fields.iter().map(|(_, bits)| bits).sum();
            async_fifo(&plan.name, bits, plan.sync_stages())
        }
        InterfaceStep::Shape { class, bits } => {
            let of = &plan.shapers()[class];
            let name = plan.shaper_name(class);
            shaper::shaper(name, of, fields.beside_the_address(bits), plan.address_bits())
        }
    }
}

/// Field of a converter's stream.
fn field(stream: &Stream, name: &str) -> Net {
    stream.field(name).expect("a converter's streams have one type of fields")
}
