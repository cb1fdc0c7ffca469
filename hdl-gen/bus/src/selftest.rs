//! Facts of a bus fabric for the self-test of a board.

use crate::plan::BusPlan;
use turnpike_fabric::plan::{Side, Signal, TerminalPort};
use turnpike_fabric::rtl::selftest::cast::Cast;
use turnpike_fabric::rtl::selftest::pattern::Pattern;
use turnpike_fabric::rtl::selftest::subject::Subject;
use turnpike_fabric::rtl::selftest::{MOST_LIMIT_BITS, SelftestError};
use turnpike_network::topology::Terminal;

/// Slots for data in the cycles that a self-test gives to a packet of each source at least.
const SLOTS: f64 = 128.0;

/// A bus fabric as a self-test sees it: each beat is a packet.
///
/// # Errors
/// [`SelftestError::Width`] where a word has no room for source, destination and number;
/// [`SelftestError::Slow`] where words that meet would take too long.
pub fn subject(plan: &BusPlan) -> Result<Subject, SelftestError> {
    let (grid, width) = (&plan.grid, plan.parameters.width);
    let name = plan.name.clone();
    if plan.flows().is_some() {
        return Err(SelftestError::Flows(name));
    }
    let address = grid.address_bits();
    let sized = Pattern::sized(&name, address, width, width)?;
    let pattern = Pattern { in_order: plan.keeps_order(), single: true, ..sized };
    let all: Vec<u32> = (0..grid.nodes()).map(|node| grid.address(node) as u32).collect();
    let coordinates = |node| {
        let each = (0..grid.dimensions()).map(|d| grid.coordinate(node, d).to_string());
        each.collect::<Vec<_>>().join("_")
    };
    let labels = (0..grid.nodes()).map(|node| (grid.address(node) as u32, coordinates(node)));
    let crowd_bits = crowd_bits(plan);
    let cast = Cast { address, senders: all.clone(), takers: all, crowd_bits };
    // Before the sum of all bits, which may be far more than numbers hold.
    let bits = crowd_bits.saturating_add(cast.packet_bits() + 8);
    if bits > MOST_LIMIT_BITS {
        return Err(SelftestError::Slow { name, bits, most: MOST_LIMIT_BITS });
    }
    Ok(Subject {
        name,
        pattern,
        fields: vec![("data", width)],
        id: plan.parameters.source_id,
        ports: ports(plan, &cast.senders),
        labels: labels.collect(),
        cast,
    })
}

/// Bits by which a test may last longer than where words take two cycles each: all may be for one
/// sink, and get there as rarely as the protocol has it.
fn crowd_bits(plan: &BusPlan) -> u32 {
    let odds = plan.least_odds().unwrap_or(1.0 / f64::from(plan.extent.most_meeting));
    let slots = f64::from(plan.terminals()) / odds;
    (slots / SLOTS).max(1.0).log2().ceil() as u32
}

/// The ports of the terminals, by their addresses, in the order of the port list.
fn ports(plan: &BusPlan, addresses: &[u32]) -> Vec<TerminalPort> {
    let (grid, width) = (&plan.grid, plan.parameters.width);
    let source = [
        ("valid", 1, true),
        ("ready", 1, false),
        ("data", width, true),
        ("dest", grid.address_bits(), true),
        ("error", u32::from(!grid.fills_addresses()), false),
    ];
    let sink = [
        ("valid", 1, false),
        ("ready", 1, true),
        ("data", width, false),
        ("id", plan.id_bits(), false),
    ];
    let sides = source.map(|s| (Side::Source, s)).into_iter().chain(sink.map(|s| (Side::Sink, s)));
    let port = |(side, (name, width, input)): (Side, (&'static str, u32, bool))| TerminalPort {
        name: side.vector(name),
        side,
        signal: Signal { name, width, input },
        terminals: addresses.iter().map(|&address| Terminal(address)).collect(),
    };
    sides.map(port).filter(|port| port.signal.width > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::plan::Parameters;
    use crate::protocol::{Backoff, Protocol, Window};
    use crate::rtl::fabric;
    use crate::testing::plans;

    /// The ports are those of the fabric, in name, width and direction.
    #[test]
    fn ports_are_those_of_the_fabric() {
        for plan in plans().into_iter().filter(|plan| plan.flows().is_none()) {
            let plan = plan.with_width(70);
            let mut described: Vec<(String, u32, bool)> = subject(&plan)
                .unwrap()
                .ports
                .iter()
                .map(|port| (port.name.clone(), port.width(), port.signal.input))
                .collect();
            let fabric = fabric(&plan).unwrap();
            let is_input = |kind| kind == turnpike_netlist::NetKind::Input;
            let mut built: Vec<(String, u32, bool)> = fabric
                .top()
                .ports()
                .map(|(net, info)| (info.name.clone(), net.width, is_input(info.kind)))
                .collect();
            described.sort();
            built.sort();
            assert_eq!(described, built, "{}", plan.canonical());
        }
    }

    fn of(sides: &[u32], protocol: Protocol, width: u32) -> Result<Subject, SelftestError> {
        let parameters = Parameters { width, ..Parameters::default() };
        subject(&BusPlan::new(Grid::new(sides).unwrap(), protocol, parameters, None).unwrap())
    }

    #[test]
    fn what_has_no_room_or_no_time_is_refused() {
        let window = Protocol::Window(Window::new(4).unwrap());
        let error = of(&[3, 4], window, 9).unwrap_err();
        assert_eq!(
            error,
            SelftestError::Width { name: "mob_3x4_window_w9".into(), width: 9, least: 10 }
        );
        // 64 nodes that hardly wait: of 63 words none gets through.
        let hasty = Protocol::Backoff(Backoff::new(1).unwrap());
        let error = of(&[64], hasty, 32).unwrap_err();
        assert!(matches!(error, SelftestError::Slow { bits: 70.., .. }), "{error:?}");
        assert_eq!(of(&[4], window, 32).unwrap().cast.limit_bits(), 16);
        // 64 words for one sink, one of 1024 slots each.
        let patient = Protocol::Backoff(Backoff::new(10).unwrap());
        assert_eq!(of(&[64], patient, 32).unwrap().cast.limit_bits(), 25);
    }
}
