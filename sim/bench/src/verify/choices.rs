//! Whether each crosspoint of a switch whose packets choose is used, and no other way is taken: a
//! packet that can come to a queue, alone in the RTL of the switch, leaves by each way that the
//! relation allows it when nothing else has room, and by none when only the others have.

use super::Outcome;
use std::collections::BTreeSet;
use turnpike_base::bits::{gather, scatter};
use turnpike_fabric::plan::expected::{Expected, Ways, counting, expected};
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_fabric::rtl::switch::{Parts, port, switch};
use turnpike_netlist::Design;
use turnpike_network::routing::Header;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

/// Headers of a queue that are run, about, beside those that a turn needs.
const MOST_HEADERS: usize = 256;
/// Cycles beside a hop's in which a packet must have left, or must not leave.
const PATIENCE: u32 = 2;
/// The data of the packet, as far as flits are wide enough.
const DATA: u64 = 0x5a5a_5a5a_a5a5_a5a5;

/// A flit that left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    /// Index into the `output_vcs` of the plan.
    lane: usize,
    /// The header's bits that count there.
    header: Header,
    /// Whether the flit is as it came.
    whole: bool,
}

/// Counts of a check that was run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Count {
    /// Turns that packets were made to take.
    pub turns: usize,
    /// Packets that were sent.
    pub packets: usize,
}

/// The RTL of a switch, and its ports.
struct Bench<'a> {
    switch: &'a SwitchPlan,
    evaluator: Evaluator,
    /// Per queue: valid, header of the port if any, flit.
    queues: Vec<(NetId, Option<NetId>, NetId)>,
    /// Per (output, VC): valid, ready, header of the port if any, flit; the bits that count.
    lanes: Vec<(NetId, NetId, Option<NetId>, NetId, Header)>,
    flit: Vec<u64>,
    cycles: u32,
}

impl<'a> Bench<'a> {
    fn new(plan: &FabricPlan, switch: &'a SwitchPlan) -> Result<Self, String> {
        let module =
            self::switch(plan, switch, &mut Parts::new(plan)).map_err(|e| e.to_string())?;
        let design = Design::new(&module).map_err(|e| e.to_string())?;
        let evaluator = Evaluator::new(&design);
        let net = |name: String| {
            evaluator.port(&name).ok_or_else(|| format!("{} has no port {name}", switch.name))
        };
        let mut queues = Vec::new();
        for queue in &switch.queues {
            let input = &switch.inputs[queue.input];
            let header = (!input.header.is_empty()).then(|| net(port::input(input, "header")));
            let valid = net(port::input_vc(input, queue.vc, "valid"))?;
            queues.push((valid, header.transpose()?, net(port::input(input, "flit"))?));
        }
        let mut lanes = Vec::new();
        for lane in &switch.output_vcs {
            let output = &switch.outputs[lane.output];
            let header = (!output.header.is_empty()).then(|| net(port::output(output, "header")));
            let [valid, ready] =
                ["valid", "ready"].map(|signal| net(port::output_vc(output, lane.vc, signal)));
            let flit = net(port::output(output, "flit"))?;
            lanes.push((valid?, ready?, header.transpose()?, flit, counting(plan, switch, lane)));
        }
        let width = plan.flit_width();
        let mut flit: Vec<u64> = (0..width).step_by(64).map(|_| DATA).collect();
        // The mark of a packet's last flit is its top bit.
        let (top, bits) = (flit.len() - 1, (width - 1) % 64);
        flit[top] = flit[top] & ((1 << bits) - 1) | 1 << bits;
        let cycles = plan.hop_cycles() + PATIENCE;
        Ok(Self { switch, evaluator, queues, lanes, flit, cycles })
    }

    /// Sends a packet of one flit into a queue, after a reset, with room behind these (output,
    /// VC)s alone; what leaves.
    fn send(&mut self, queue: usize, header: Header, room: impl Fn(usize) -> bool) -> Vec<Left> {
        let evaluator = &mut self.evaluator;
        let (valid, header_net, flit_net) = self.queues[queue];
        evaluator.set_reset(true);
        evaluator.set(valid, &[0]);
        for (index, lane) in self.lanes.iter().enumerate() {
            evaluator.set(lane.1, &[room(index).into()]);
        }
        evaluator.clock();
        evaluator.set_reset(false);
        let plan = &self.switch.queues[queue];
        let whole = scatter(header, &plan.header);
        if let Some(net) = header_net {
            evaluator.set(net, &[gather(whole, &self.switch.inputs[plan.input].header)]);
        }
        evaluator.set(flit_net, &self.flit);
        evaluator.set(valid, &[1]);
        evaluator.clock();
        evaluator.set(valid, &[0]);
        let mut left = Vec::new();
        for _ in 0..self.cycles {
            evaluator.settle();
            for (lane, &(valid, ready, header, flit, counts)) in self.lanes.iter().enumerate() {
                if evaluator.get_low(valid) & evaluator.get_low(ready) == 0 {
                    continue;
                }
                let places = &self.switch.outputs[self.switch.output_vcs[lane].output].header;
                let bits = header.map_or(0, |net| evaluator.get_low(net));
                let header = scatter(bits, places) & counts;
                let whole = evaluator.get(flit).eq(self.flit.iter().copied());
                left.push(Left { lane, header, whole });
            }
            evaluator.clock();
        }
        left
    }

    /// A packet with this header, every way it may go and where it may not; how many were sent.
    fn packet(&mut self, queue: usize, header: Header, ways: &Ways) -> Result<usize, String> {
        let switch = self.switch;
        let name = |left: &[Left]| match left {
            [] => "nowhere".to_owned(),
            _ => {
                let names: Vec<_> = left.iter().map(|l| &*switch.output_vcs[l.lane].name).collect();
                names.join(" and ")
            }
        };
        let from = || {
            let bits = switch.queues[queue].header.len().max(1);
            format!("{}: header {header:0bits$b} of {}", switch.name, switch.queues[queue].name)
        };
        for (&lane, &next) in ways {
            let left = self.send(queue, header, |with_room| with_room == lane);
            if left != [Left { lane, header: next, whole: true }] {
                let (wanted, found) = (&switch.output_vcs[lane].name, name(&left));
                let as_meant = match &left[..] {
                    [one] if one.lane == lane => ", with another header or flit",
                    _ => "",
                };
                return Err(format!(
                    "{} leaves by {found}{as_meant} where only {wanted} has room",
                    from()
                ));
            }
        }
        let others = self.send(queue, header, |lane| !ways.contains_key(&lane));
        if !others.is_empty() {
            return Err(format!("{} leaves by {}, a turn that it may not take", from(), {
                name(&others)
            }));
        }
        let free = self.send(queue, header, |_| true);
        let allowed = |left: &Left| left.whole && ways.get(&left.lane) == Some(&left.header);
        match &free[..] {
            [one] if allowed(one) => Ok(ways.len() + 2),
            _ => Err(format!("{} leaves by {} where all have room", from(), name(&free))),
        }
    }
}

/// A switch built by `switch`, against what the relation says of switches of its class.
///
/// # Errors
/// The packet that goes wrong, or the turn that none takes.
pub fn check_switch(
    plan: &FabricPlan,
    expected: &Expected,
    switch: &SwitchPlan,
) -> Result<Count, String> {
    let mut bench = Bench::new(plan, switch)?;
    let (mut seen, mut packets) = (BTreeSet::new(), 0);
    for (queue, by_header) in expected.iter().enumerate() {
        let stride = by_header.len().div_ceil(MOST_HEADERS).max(1);
        for (at, (&header, ways)) in by_header.iter().enumerate() {
            let new = ways.keys().filter(|&&lane| seen.insert((queue, lane))).count();
            if at % stride == 0 || new > 0 {
                packets += bench.packet(queue, header, ways)?;
            }
        }
    }
    let built = switch.output_vcs.iter().enumerate();
    let built = built.flat_map(|(lane, ov)| ov.sources.iter().map(move |s| (s.queue, lane)));
    for turn in built {
        if !seen.contains(&turn) {
            let (queue, lane) = (&switch.queues[turn.0].name, &switch.output_vcs[turn.1].name);
            return Err(format!("{}: no packet turns from {queue} to {lane}", switch.name));
        }
    }
    Ok(Count { turns: seen.len(), packets })
}

/// Every class of switches.
pub fn check(plan: &FabricPlan) -> Outcome {
    let mut all = Count::default();
    let expected = expected(plan).map_err(|error| error.to_string())?;
    for (expected, switch) in expected.iter().zip(&plan.switches) {
        let count = check_switch(plan, expected, switch)?;
        all.turns += count.turns;
        all.packets += count.packets;
    }
    Ok(format!(
        "{} turns on the RTL of the switches, {} packets: each turn is taken where nothing else \
         has room, and no other ever",
        all.turns, all.packets
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_fabric::plan::Parameters;
    use turnpike_fabric::testing::{ADAPTIVE_FABRICS, plan_of};
    use turnpike_network::routing::choice::{ChosenWay, Outnumbers};
    use turnpike_network::topology::Port;

    #[test]
    fn every_turn_is_taken() {
        let larger = ["hypercube 6 adaptive", "directed-cube 7 adaptive", "mesh 6x5 odd-even"];
        for fabric in ADAPTIVE_FABRICS.iter().copied().chain(larger) {
            let plan = plan_of(fabric, Parameters::default());
            for (class, switch) in plan.switches.iter().enumerate() {
                let count = check_switch(&plan, &expected(&plan).unwrap()[class], switch).unwrap();
                assert_eq!(count.turns, switch.turns.len(), "{fabric}");
            }
        }
    }

    /// A turn that is not built, any of them, is missed.
    #[test]
    fn a_turn_fewer_is_seen() {
        for (fabric, class) in [
            ("hypercube 3 adaptive", 0),
            ("directed-cube 4 adaptive", 0),
            // The switch in the middle.
            ("mesh 3x3 odd-even", 4),
        ] {
            let plan = plan_of(fabric, Parameters::default());
            let switch = &plan.switches[class];
            let all = || switch.output_vcs.iter().flat_map(|lane| &lane.sources);
            let ways_of = |queue| all().filter(|source| source.queue == queue).count();
            let mut seen = 0;
            for (at, lane) in switch.output_vcs.iter().enumerate() {
                for source in 0..lane.sources.len() {
                    // What is then left without a use would not be built.
                    if lane.sources.len() == 1 || ways_of(lane.sources[source].queue) == 1 {
                        continue;
                    }
                    let mut fewer = switch.clone();
                    fewer.output_vcs[at].sources.remove(source);
                    let error =
                        check_switch(&plan, &expected(&plan).unwrap()[class], &fewer).unwrap_err();
                    let wanted = format!("where only {} has room", lane.name);
                    assert!(error.contains(&wanted), "{error}");
                    seen += 1;
                }
            }
            assert!(seen > 10, "{fabric}: {seen}");
        }
    }

    /// Logic that lets packets go anywhere, whatever their header.
    #[test]
    fn a_way_that_is_not_allowed_is_seen() {
        let plan = plan_of("hypercube 3 adaptive", Parameters::default());
        let mut loose = plan.switches[0].clone();
        let choice = loose.queues[0].choice.as_mut().unwrap();
        choice.all_if = Some(Outnumbers { these: 0b111, those: 0 });
        let error = check_switch(&plan, &expected(&plan).unwrap()[0], &loose).unwrap_err();
        assert!(error.contains("a turn that it may not take"), "{error}");
    }

    /// A crosspoint that no packet needs.
    #[test]
    fn a_turn_that_is_spare_is_seen() {
        let plan = plan_of("hypercube 3 adaptive", Parameters::default());
        let mut more = plan.switches[0].clone();
        let eject = more.output_vcs.len() - 1;
        // Straight back: dim0 to dim0.
        let source = more.output_vcs[eject].sources[1].clone();
        more.output_vcs[0].sources.insert(1, source);
        more.queues[1].choice.as_mut().unwrap().ways.push(ChosenWay::bit(0, Port(0)));
        let error = check_switch(&plan, &expected(&plan).unwrap()[0], &more).unwrap_err();
        assert!(error.contains("no packet turns from dim0_vc0 to dim0_vc0"), "{error}");
    }
}
