//! Decoding of addresses: which terminal answers one.

use std::sync::Arc;
use turnpike_ends::AddressRange;
use turnpike_netlist::{Expr, Module, ModuleBuilder, RtlError};

/// Terminal that answers addresses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// Name of the terminal.
    pub name: String,
    /// Addresses that it answers.
    pub ranges: Vec<AddressRange>,
    /// Address of the terminal on `tdest`.
    pub terminal: u32,
}

/// Module that tells the terminal of an address. Ports: `address`; `terminal`, its address on `tdest`;
/// `nobody`: that no terminal answers the address.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn decode(
    name: String,
    targets: &[Target],
    [address_bits, terminal_bits]: [u32; 2],
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(name);
    m.about("The terminal that answers an address:");
    for Target { name, ranges, .. } in targets {
        let ranges: Vec<String> = ranges.iter().map(AddressRange::to_string).collect();
        m.about(format!("- {name}: {}", ranges.join(", ")));
    }
    let address = m.input("address", address_bits);
    let terminal = m.output("terminal", terminal_bits);
    let nobody = m.output("nobody", 1);
    let is_its = |target: &Target| {
        let blocks = target.ranges.iter().flat_map(AddressRange::blocks);
        let within = blocks.map(|(low, bits)| match address_bits.checked_sub(bits) {
            None | Some(0) => Expr::constant(1, 1),
            Some(above) => address.slice(bits, above).equals(Expr::constant(above, low >> bits)),
        });
        Expr::any_of(within)
    };
    let hits = targets.iter().map(is_its).collect::<Vec<_>>();
    let hits = m.define("is_of", targets.len() as u32, Expr::concat(hits.into_iter().rev()));
    let own = targets.iter().zip(0..).map(|(target, number)| {
        hits.bit(number).repeat(terminal_bits)
            & Expr::constant(terminal_bits, target.terminal.into())
    });
    // What nobody answers goes nowhere.
    m.assign(
        terminal,
        match targets {
            [only] => Expr::constant(terminal_bits, only.terminal.into()),
            _ => Expr::any_of(own),
        },
    );
    m.assign(nobody, !Expr::from(hits).any());
    let lowest = targets.iter().flat_map(|target| &target.ranges).flat_map(AddressRange::blocks);
    let unused = lowest.map(|(_, bits)| bits).min().unwrap_or(0).min(address_bits);
    if unused > 0 {
        m.gather_unused("address", address.slice(0, unused));
    }
    m.finish()
}
