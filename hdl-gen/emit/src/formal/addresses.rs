//! Proofs of the exchange of addresses between the ports and the network.

use super::{Context, EmitError, Kind, Proofs};
use askama::Template;
use turnpike_fabric::plan::{FabricPlan, InterfaceStep, Side};
use turnpike_fabric::rtl::interface::parts;

/// Properties of an exchange, in words.
const PROPERTIES: &str = "each address becomes the other of its terminal, a packet to nobody goes no further and is told of once";

#[derive(Template)]
#[template(path = "formal/address.v.askama", escape = "none")]
struct AddressFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    /// Whether packets enter there.
    enters: bool,
    /// Whether some address is that of nobody.
    refuses: bool,
    /// Fields that go in, and those that go out, with their bits.
    inputs: &'a [(&'static str, u32)],
    outputs: &'a [(&'static str, u32)],
    /// Name of the field with the address, and its bits before and after.
    address: &'static str,
    from_bits: u32,
    to_bits: u32,
    /// Addresses before and after.
    table: Vec<(u32, u32)>,
    /// Fields that stay as they are.
    carried: Vec<(&'static str, u32)>,
}

/// Proofs of the exchanges of a fabric, where it has any.
pub(super) fn addresses(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let [outer, inner] = [plan.address_bits(), plan.topology().address_bits()];
    let mut tasks = Vec::new();
    for ((side, step), module) in parts(plan)? {
        let InterfaceStep::Address(_) = step else { continue };
        let name = format!("{}_formal", module.name);
        let fields = |stream| {
            let stream = module.stream(stream).expect("an exchange has two streams");
            stream.of.fields.as_slice()
        };
        let enters = side == Side::Source;
        let (address, from_bits, to_bits) = match enters {
            true => ("dest", outer, inner),
            false => ("id", inner, outer),
        };
        let pairs = plan.address_pairs().into_iter();
        let table = pairs.map(|pair| match enters {
            true => (pair.outer, pair.inner),
            false => (pair.inner, pair.outer),
        });
        let about = [
            "Addresses are exchanged as the plan's table has them, whatever comes in and is taken when;",
            "a packet to nobody is taken whole.",
        ];
        let text = AddressFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            enters,
            refuses: enters && plan.has_addresses_of_nobody(),
            inputs: fields("in"),
            outputs: fields("out"),
            address,
            from_bits,
            to_bits,
            table: table.collect(),
            carried: fields("in").iter().filter(|(name, _)| *name != address).copied().collect(),
        };
        let kinds = [
            (Kind::Proof, PROPERTIES),
            (
                Kind::Cover(8),
                "a packet to nobody of several beats, a known one behind it, a reset within one",
            ),
        ];
        tasks.extend(proofs.tasks(&plan.name, &module, text.render()?, kinds)?);
    }
    proofs.proof("address", "The exchange of addresses between the ports and the network.", tasks);
    Ok(())
}
