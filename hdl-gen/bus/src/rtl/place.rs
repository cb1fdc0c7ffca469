//! A node and what it has of its busses, alone: what a fabric has of each terminal.

use super::medium::{receiver, select};
use super::node::node;
use super::{NodeNets, Tap, Terminals};
use crate::plan::BusPlan;
use turnpike_netlist::{Design, Expr, ModuleBuilder, Net, RtlError};

/// The last node with its receiver, and with the acknowledgements that it listens to, of each bus;
/// to be measured. Ports beside those of a fabric of one terminal: `data_slot`, and for each
/// dimension the other nodes, but for one:
/// - `x_others_send` [k - 2], `x_others_to`, `x_others_word`: what they send;
/// - `x_others_take` [k - 2]: what each of them acknowledges.
///
/// The node itself stands for the one that is left out, so that the path from its queue over the bus
/// into a queue, and that of the acknowledgement back, lead from register to register.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn place(plan: &BusPlan) -> Result<Design, RtlError> {
    let grid = &plan.grid;
    let mut m = ModuleBuilder::new(format!("{}_place", plan.name));
    m.about("A node with its receiver of each bus. It hears itself in place of one of the others.");
    if plan.parameters.reset_low {
        m.reset_low();
    }
    let terminals = Terminals::declare(plan, &mut m, 1, 1);
    let data_slot = m.input("data_slot", 1);
    let others: Vec<Others> =
        (0..grid.dimensions()).map(|d| Others::declare(plan, &mut m, d)).collect();
    m.section("The node");
    let last = grid.nodes() - 1;
    let node = NodeNets::place(plan, &mut m, &node(plan)?, (&terminals, 0), data_slot, last);
    for (dimension, (tap, others)) in node.taps.iter().zip(&others).enumerate() {
        others.place(plan, &mut m, dimension, tap)?;
    }
    terminals.drive(plan, &mut m, vec![&node.source], vec![&node.sink]);
    Design::new(&m.finish()?)
}

/// Signals of the other nodes of a bus.
struct Others {
    /// Send bits, coordinates and words of all other nodes but one.
    sent: Option<[Net; 3]>,
    /// Acknowledgements of all of them.
    take: Option<Net>,
}

impl Others {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, dimension: usize) -> Self {
        let grid = &plan.grid;
        let (name, side) = (grid.name(dimension), grid.sides()[dimension]);
        let widths = [1, grid.coordinate_bits(dimension), plan.word_bits(dimension)];
        let mut input =
            |signal: &str, width: u32| m.input(format!("{name}_others_{signal}"), width);
        let signals = ["send", "to", "word"].into_iter().zip(widths);
        let sent: Vec<Net> = signals
            .filter(|_| side > 2)
            .map(|(signal, width)| input(signal, (side - 2) * width))
            .collect();
        let take = (side > 2).then(|| input("take", side - 2));
        Self { sent: sent.try_into().ok(), take }
    }

    /// Places the receiver, and the node's own place among the senders.
    fn place(
        &self,
        plan: &BusPlan,
        m: &mut ModuleBuilder,
        dimension: usize,
        tap: &Tap,
    ) -> Result<(), RtlError> {
        let grid = &plan.grid;
        let name = grid.name(dimension);
        m.section(format!("The bus along {name}"));
        let bits = grid.coordinate_bits(dimension);
        let beside = |at: usize, own: Net| {
            Expr::concat(self.sent.map(|sent| sent[at].into()).into_iter().chain([own.into()]))
        };
        let position = grid.coordinate(grid.nodes() - 1, dimension);
        m.instance(
            format!("{name}_receiver"),
            &receiver(plan, dimension)?,
            [
                ("position", Expr::constant(bits, position.into())),
                ("send", beside(0, tap.send)),
                ("to", beside(1, tap.to)),
                ("word", beside(2, tap.word)),
                ("only", tap.only.into()),
                ("heard", tap.heard.into()),
            ],
        );
        let all = self.take.map(Expr::from).into_iter().chain([tap.take.into()]);
        let all =
            m.define(format!("{name}_take_all"), grid.sides()[dimension] - 1, Expr::concat(all));
        m.assign(tap.told, select(all, tap.to, 0, bits, Some(position)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::grids;

    /// A place has one module of each kind for each protocol and grid, and every receiver of the
    /// node hears as many senders as in the fabric.
    #[test]
    fn a_place_has_the_modules_of_the_fabric() {
        for plan in grids() {
            let place = place(&plan).unwrap();
            let fabric = crate::rtl::fabric(&plan).unwrap();
            let of_fabric: Vec<&str> = fabric.modules().iter().map(|m| &*m.name).collect();
            let busses = (0..plan.grid.dimensions())
                .map(|d| format!("{}_{}", plan.name, plan.along(d, "bus")));
            let whole: Vec<String> = busses.chain([plan.name.clone()]).collect();
            let mut expected: Vec<&str> =
                of_fabric.into_iter().filter(|name| !whole.iter().any(|w| w == name)).collect();
            let mut found: Vec<&str> = place.modules().iter().map(|m| &*m.name).collect();
            found.retain(|name| *name != place.top().name);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", plan.canonical());
        }
    }
}
