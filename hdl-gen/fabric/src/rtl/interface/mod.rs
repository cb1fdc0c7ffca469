//! Interfaces between the network and the ports of terminals whose words are of another width.

mod narrow;
mod top;
mod widen;

pub use top::top;

use crate::plan::{Conversion, FabricPlan, Side};
use narrow::narrow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, Net, RtlError, Stream, StreamType};
use widen::widen;

/// A converter of widths: what goes in and out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ConverterShape {
    /// The side of the terminals.
    pub side: Side,
    /// Bits of the narrow words.
    pub narrow: u32,
    /// Narrow words in a wide one, at least 2.
    pub ratio: u32,
    /// Whether each byte has a bit that says whether it is data (`tkeep`).
    pub keep: bool,
    /// Fields that are the same in all words of a packet, or in all that become one word: name and
    /// bits, `user` first.
    pub carried: Vec<(&'static str, u32)>,
}

impl ConverterShape {
    /// Type of the stream of words of `bits` bits.
    fn stream(&self, bits: u32) -> StreamType {
        let keep = if self.keep { bits / 8 } else { 0 };
        let fields = [("data", bits), ("keep", keep)].into_iter();
        StreamType::plain(fields.chain(self.carried.clone()).chain([("last", 1)]))
    }

    fn wide(&self) -> u32 {
        self.narrow * self.ratio
    }

    /// Name of the module: `<prefix>_s_widen_8_32`.
    fn name(&self, prefix: &str, kind: &str, from: u32, to: u32) -> String {
        let side = match self.side {
            Side::Source => "s",
            Side::Sink => "m",
        };
        format!("{prefix}_{side}_{kind}_{from}_{to}")
    }
}

/// Converters of a fabric, by the side of the terminals and the step.
pub type Converters = BTreeMap<(Side, Conversion), Arc<Module>>;

/// The converters of a plan, each once.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn converters(plan: &FabricPlan) -> Result<Converters, RtlError> {
    let mut converters = Converters::new();
    for side in [Side::Source, Side::Sink] {
        for &terminal in plan.terminals_of(side) {
            for step in plan.conversions(side, terminal) {
                if let Entry::Vacant(place) = converters.entry((side, step)) {
                    place.insert(converter(plan, side, step)?);
                }
            }
        }
    }
    Ok(converters)
}

fn converter(
    plan: &FabricPlan,
    side: Side,
    conversion: Conversion,
) -> Result<Arc<Module>, RtlError> {
    let (Conversion::Widen { narrow: bits, ratio } | Conversion::Narrow { narrow: bits, ratio }) =
        conversion;
    let carried = plan.signals(side).into_iter();
    let carried = carried.filter(|signal| ["user", "dest", "id"].contains(&signal.name));
    let mut carried: Vec<_> = carried.map(|signal| (signal.name, signal.width)).collect();
    carried.sort_by_key(|(name, _)| *name != "user");
    let keep = plan.parameters.keep;
    let shape = ConverterShape { side, narrow: bits, ratio, keep, carried };
    match conversion {
        Conversion::Widen { .. } => widen(&plan.name, &shape),
        Conversion::Narrow { .. } => narrow(&plan.name, &shape),
    }
}

/// Whether a counter has a value.
fn is_at(at: Net, value: u32) -> Expr {
    Expr::from(at).equals(Expr::constant(at.width, value.into()))
}

/// Field of a converter's stream.
fn field(stream: &Stream, name: &str) -> Net {
    stream.field(name).expect("a converter's streams have one type of fields")
}
