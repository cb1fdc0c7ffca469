//! The hardware contract (docs/hardware.md), on fabrics of the netlist: what the
//! cycle-for-cycle tests do not already show.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::{plan_deep, whole_fabrics};
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::Terminal;
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::{FabricDut, Terminals};
use turnpike_sim_bench::testbench::{Bench, Failure, Flow, run};
use turnpike_sim_network::stimulus::{Stimulus, StimulusPacket};

/// A bench in words of its own, which knows nothing of the reference router: it sends packets,
/// and holds what arrives against what was sent.
struct Contract {
    terminals: u32,
    cycle: u64,
    /// By source: packets to send, as (destination, flits), and the next beat.
    to_send: Vec<Vec<(u32, u32)>>,
    at: Vec<(usize, u32)>,
    /// By terminal: whether its sink is ready, from the cycle.
    sink: fn(u32, u64) -> bool,
    /// By terminal: what stood there, not taken, in the last cycle.
    stood: Vec<Option<Vec<u64>>>,
    /// By (source, destination): packets that arrived.
    arrived: HashMap<(u32, u32), u32>,
    /// Whether packets of a pair arrive in order.
    in_order: bool,
    /// Those that arrived: source, packet, terminal.
    came: HashSet<(u32, u32, u32)>,
    /// By terminal: source, packet and beat of the packet that is arriving.
    arriving: Vec<Option<(u32, u32, u32)>>,
    left: u32,
    reset_at: Option<u64>,
    most_cycles: u64,
    stuck_at: Option<u64>,
}

/// `tdata` of a beat: source, packet of this source and destination, and beat.
fn data(source: u32, packet: u32, beat: u32) -> u64 {
    u64::from(source) << 24 | u64::from(packet) << 12 | u64::from(beat)
}

impl Contract {
    fn new(plan: &FabricPlan, packets: Vec<Vec<(u32, u32)>>, sink: fn(u32, u64) -> bool) -> Self {
        let terminals = plan.topology().terminals();
        Self {
            terminals,
            cycle: 0,
            left: packets.iter().map(|l| l.len() as u32).sum(),
            at: vec![(0, 0); packets.len()],
            to_send: packets,
            sink,
            stood: vec![None; terminals as usize],
            in_order: plan.keeps_order(),
            came: HashSet::new(),
            arrived: HashMap::new(),
            arriving: vec![None; terminals as usize],
            reset_at: None,
            most_cycles: 20_000,
            stuck_at: None,
        }
    }

    fn under_reset(&self) -> bool {
        self.cycle < 3 || self.reset_at == Some(self.cycle)
    }

    fn failure(&self, t: u32, signal: &str, expected: &str, found: &str) -> Failure {
        Failure {
            cycle: self.cycle,
            place: format!("terminal {t}"),
            signal: signal.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }

    /// The packet's place among those of its source to its destination.
    fn number(&self, source: u32, index: usize) -> u32 {
        let list = &self.to_send[source as usize];
        list[..index].iter().filter(|p| p.0 == list[index].0).count() as u32
    }

    fn take(&mut self, t: u32, flit: &[u64]) -> Result<(), Failure> {
        let (value, last) = (flit[0], flit[1] == 1);
        let (source, packet, beat) =
            ((value >> 24) as u32, (value >> 12 & 0xfff) as u32, (value & 0xfff) as u32);
        let due = self.arrived.get(&(source, t)).copied().unwrap_or(0);
        let due = match self.in_order {
            true => due,
            // Any that did not come before.
            false if self.came.contains(&(source, packet, t)) => u32::MAX,
            false => packet,
        };
        let expected = self.arriving[t as usize].unwrap_or((source, due, 0));
        if (source, packet, beat) != expected {
            let found = format!("{:?}", (source, packet, beat));
            return Err(self.failure(
                t,
                "(source, packet, beat)",
                &format!("{expected:?}"),
                &found,
            ));
        }
        let sent = self.to_send[source as usize].iter().filter(|p| p.0 == t);
        let Some(&(_, flits)) = sent.clone().nth(packet as usize) else {
            return Err(self.failure(t, "packet", "none", &format!("{expected:?}")));
        };
        if last != (beat + 1 == flits) {
            return Err(self.failure(t, "m_axis_tlast", &(!last).to_string(), &last.to_string()));
        }
        self.arriving[t as usize] = Some((source, packet, beat + 1)).filter(|_| !last);
        if last {
            self.came.insert((source, packet, t));
            *self.arrived.entry((source, t)).or_default() += 1;
            self.left -= 1;
        }
        Ok(())
    }
}

impl Bench<FabricDut> for Contract {
    fn drive(&mut self, dut: &mut FabricDut) -> Result<(), Failure> {
        dut.set_reset(self.under_reset());
        for t in 0..self.terminals {
            dut.set_sink(t, (self.sink)(t, self.cycle));
            let (packet, beat) = self.at[t as usize];
            let beat = self.to_send[t as usize].get(packet).map(|&(destination, flits)| {
                // `tdest` counts on the first beat only.
                let tdest = if beat == 0 { destination } else { self.terminals - 1 };
                (tdest, [data(t, self.number(t, packet), beat), u64::from(beat + 1 == flits)])
            });
            dut.set_source(t, beat.as_ref().map(|(destination, flit)| (*destination, &flit[..])));
        }
        Ok(())
    }

    fn check(&mut self, dut: &FabricDut) -> Result<Flow, Failure> {
        let mut moved = false;
        for t in 0..self.terminals {
            let (ready, valid) = (dut.source_ready(t), dut.sink_valid(t));
            if self.under_reset() {
                if ready || valid {
                    let found = format!("{ready}, {valid}");
                    return Err(self.failure(t, "tready, tvalid in reset", "low", &found));
                }
                self.stood[t as usize] = None;
                continue;
            }
            let mut flit = Vec::new();
            dut.sink_flit(t, &mut flit);
            let now = valid.then_some(flit);
            if let Some(before) = &self.stood[t as usize]
                && now.as_ref() != Some(before)
            {
                let (found, before) = (format!("{now:?}"), format!("{before:?}"));
                return Err(self.failure(t, "m_axis, not taken yet", &before, &found));
            }
            let taken = (self.sink)(t, self.cycle);
            if let Some(flit) = now.as_ref().filter(|_| taken) {
                self.take(t, flit)?;
                moved = true;
            }
            self.stood[t as usize] = now.filter(|_| !taken);
            let (packet, beat) = self.at[t as usize];
            if let Some(&(_, flits)) = self.to_send[t as usize].get(packet).filter(|_| ready) {
                self.at[t as usize] =
                    if beat + 1 == flits { (packet + 1, 0) } else { (packet, beat + 1) };
                moved = true;
            }
        }
        if moved {
            self.stuck_at = None;
        } else if !self.under_reset() && self.left > 0 {
            self.stuck_at.get_or_insert(self.cycle);
        }
        if self.reset_at == Some(self.cycle) {
            // What was under way is gone; all starts anew.
            self.at.fill((0, 0));
            self.arrived.clear();
            self.came.clear();
            self.arriving.fill(None);
            self.left = self.to_send.iter().map(|l| l.len() as u32).sum();
        }
        self.cycle += 1;
        Ok(if self.left == 0 || self.cycle == self.most_cycles { Flow::Done } else { Flow::On })
    }
}

/// Every node to every node, itself included, in packets of 1 to `most` flits.
fn every_pair(nodes: u32, most: u32) -> Vec<Vec<(u32, u32)>> {
    let to = |s: u32| (0..2 * nodes).map(move |d| ((s + d) % nodes, 1 + (s + d) % most));
    (0..nodes).map(|s| to(s).collect()).collect()
}

/// The same where terminals only send or only take packets.
fn every_pair_of(plan: &FabricPlan, most: u32) -> Vec<Vec<(u32, u32)>> {
    let topology = plan.topology();
    let mut packets = every_pair(topology.terminals(), most);
    for (source, list) in (0..).zip(&mut packets) {
        let sends = topology.source(Terminal(source)).is_some();
        list.retain(|&(sink, _)| sends && topology.sink(Terminal(sink)).is_some());
    }
    packets
}

fn every_third_cycle(terminal: u32, cycle: u64) -> bool {
    (u64::from(terminal) + cycle).is_multiple_of(3)
}

/// In order, whole, once, to the right place, from a packet to oneself on; nothing under
/// reset; what is offered stays until it is taken. And again after a reset in the midst.
#[test]
fn packets_arrive_whole_in_order_and_once() {
    for fabric in whole_fabrics() {
        let plan = plan_deep(fabric, 4);
        for reset_at in [None, Some(40)] {
            let mut bench = Contract::new(&plan, every_pair_of(&plan, 17), every_third_cycle);
            bench.reset_at = reset_at;
            let bench = run(FabricDut::new(&plan).unwrap(), bench, None)
                .unwrap_or_else(|e| panic!("{fabric:?}: {e}"));
            assert_eq!(bench.left, 0, "{fabric:?}: stuck since {:?}", bench.stuck_at);
        }
    }
}

/// Sink 0 drains nothing for 3,000 cycles: the network comes to rest, loses nothing, and goes
/// on when the sink does.
#[test]
fn a_sink_that_never_drains_blocks_without_loss_and_resumes() {
    fn sink(terminal: u32, cycle: u64) -> bool {
        terminal != 0 || cycle > 3_000
    }
    for fabric in whole_fabrics() {
        let plan = plan_deep(fabric, 4);
        let mut bench = Contract::new(&plan, every_pair_of(&plan, 9), sink);
        bench.most_cycles = 3_000;
        let bench = run(FabricDut::new(&plan).unwrap(), bench, None).unwrap();
        assert!(bench.left > 0 && bench.stuck_at.is_some_and(|c| c < 2_500), "{fabric:?}");
        let bench = Contract::new(&plan, every_pair_of(&plan, 9), sink);
        let bench = run(FabricDut::new(&plan).unwrap(), bench, None).unwrap();
        assert_eq!(bench.left, 0, "{fabric:?}");
    }
}

/// One packet alone, from each terminal to itself.
#[test]
fn a_packet_to_oneself_comes_back_after_the_injection_latency() {
    for fabric in whole_fabrics() {
        let plan = plan_deep(fabric, 4);
        let topology = plan.topology();
        let at_one_switch = |&terminal: &u32| {
            let ends = [topology.source(Terminal(terminal)), topology.sink(Terminal(terminal))];
            ends[0].map(|at| at.0) == ends[1].map(|at| at.0)
        };
        for node in (0..topology.terminals()).filter(at_one_switch) {
            let mut stimulus = Stimulus::new(&plan, 1);
            let packet = StimulusPacket { release: 0, destination: node, flits: 1 };
            stimulus.packets[node as usize].push(packet);
            let circuit = FabricDut::new(&plan).unwrap();
            let until = Until::Delivered(50);
            let ran = run_fabric(circuit, &plan, &Arc::new(stimulus), until, None).unwrap();
            // To itself by way of another, where one is drawn.
            let draw = plan.generator(Terminal(node)).map_or(Draw::NONE, |first| first.draw());
            let (relation, end) = (plan.relation(), Terminal(node));
            let route = route(topology, relation, end, end, draw).unwrap();
            let cycles = 1 + u64::from(plan.route_latency(&route));
            assert_eq!(ran.digests.len() as u64, cycles, "{fabric:?}");
        }
    }
}

/// Nothing that a terminal drives is seen at any terminal in the same cycle, but that a packet to
/// no terminal is refused; only the reset is.
#[test]
fn no_combinational_path_leads_through_a_fabric() {
    for fabric in whole_fabrics() {
        let design = turnpike_fabric::rtl::fabric::fabric(&plan_deep(fabric, 4)).unwrap();
        let module = design.top();
        let name = |net| module.net(net).name.clone();
        let paths: Vec<_> = module.paths.iter().map(|&(a, b)| (name(a), name(b))).collect();
        let refusal = ["s_axis_tvalid", "s_axis_tdest"]
            .map(|from| (from.to_owned(), "s_axis_error".to_owned()));
        let refuses = plan_deep(fabric, 4).refuses_any();
        let allowed: &[(String, String)] = if refuses { &refusal } else { &[] };
        assert_eq!(paths, allowed, "{fabric:?}");
    }
}
