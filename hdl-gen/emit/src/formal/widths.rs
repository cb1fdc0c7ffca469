//! Proofs of the converters between terminals and the network.

use super::{Context, EmitError, Kind, Nothing, Proofs};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_fabric::plan::{Conversion, FabricPlan, InterfaceStep};
use turnpike_fabric::rtl::interface::parts;
use turnpike_netlist::Module;

/// Parts of a wide word up to which a converter is proven: seconds. 64 take more than ten minutes.
const MOST_PARTS: u32 = 16;
/// Properties of a converter, in words.
const PROPERTIES: &str =
    "each part in its place, nothing lost or doubled, packets end where they did, AXI4-Stream";

#[derive(Template)]
#[template(path = "formal/width.v.askama", escape = "none")]
struct WidthFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    /// Whether words become wider.
    widens: bool,
    narrow: u32,
    ratio: u32,
    part_bits: u32,
    keep: bool,
    /// Fields that go in, and those that go out, with their bits.
    inputs: &'a [(&'static str, u32)],
    outputs: &'a [(&'static str, u32)],
    in_bits: u32,
    out_bits: u32,
    /// Fields that are neither data nor keep nor last.
    carried: Vec<(&'static str, u32)>,
}

/// Fields of a stream of a converter.
fn fields<'a>(module: &'a Module, stream: &str) -> &'a [(&'static str, u32)] {
    &module.stream(stream).expect("a converter has two streams").of.fields
}

/// Proofs of the converters of a fabric, where it has any.
pub(super) fn widths(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for ((_, step), module) in parts(context.plan)? {
        let InterfaceStep::Convert(conversion) = step else { continue };
        let name = format!("{}_formal", module.name);
        let (narrow, ratio, widens, about) = match conversion {
            Conversion::Widen { narrow, ratio } => {
                let about = "Any one part of any wide word is the word that came in its turn, and";
                (
                    narrow,
                    ratio,
                    true,
                    [about, "no word is lost or doubled, whatever is taken when."],
                )
            }
            Conversion::Narrow { narrow, ratio } => {
                let about = "Any one part of any wide word goes out in its turn, and the word is";
                (
                    narrow,
                    ratio,
                    false,
                    [about, "taken with the last of them, whatever is taken when."],
                )
            }
        };
        if ratio > MOST_PARTS {
            proofs.nothing_to_show.push(Nothing {
                module: module.name.clone(),
                properties: PROPERTIES,
                why: "a wide word has more than 16 parts; the check of the interfaces runs it",
            });
            continue;
        }
        let (inputs, outputs) = (fields(&module, "in"), fields(&module, "out"));
        let bits = |fields: &[(&str, u32)]| fields.iter().map(|(_, bits)| bits).sum();
        let text = WidthFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            widens,
            narrow,
            ratio,
            part_bits: bits_for(ratio),
            keep: context.plan.parameters.keep,
            inputs,
            outputs,
            in_bits: bits(inputs),
            out_bits: bits(outputs),
            carried: inputs
                .iter()
                .filter(|(name, _)| !["data", "keep", "last"].contains(name))
                .copied()
                .collect(),
        };
        let kinds = [
            (Kind::Proof, PROPERTIES),
            (Kind::Cover(4 * ratio + 6), "a wait, a short word, full rate, a reset within a word"),
        ];
        tasks.extend(proofs.tasks(&context.plan.name, &module, text.render()?, kinds)?);
    }
    proofs.proof("width", "The converters between terminals and the network.", tasks);
    Ok(())
}
