//! Bounds of latency against the worst of all that can happen: every release that token buckets let
//! through, in every cycle, on the RTL itself of networks of two to four switches.
//!
//! First all states that the fabric and its sources can be in, then from each of them a packet that is
//! followed: a bit of its data marks it. All states that are one cycle later make the next layer, until
//! no layer has the packet under way any more. The last one says how long it may take.

use std::collections::HashSet;
use turnpike_bounds::bounds;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline, QueueStyle};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::testing::plan_for;
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

/// State of the fabric and its sources at the start of a cycle.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// What the RTL holds.
    rtl: Box<[u64]>,
    /// By flow, flits in the token bucket, in parts of which a cycle adds one.
    tokens: Vec<u32>,
    /// By source, the flows of the packets that wait, and the flits of the first that went.
    waiting: Vec<(Vec<u8>, u32)>,
    /// The flow whose packet is followed, and its place at its source; `None` where it is inside.
    followed: Option<(u8, Option<usize>)>,
}

/// The ports of a fabric, each with a bit or an address for each terminal.
struct Ports {
    tvalid: NetId,
    tready: NetId,
    tdest: NetId,
    tdata: NetId,
    tlast: NetId,
    taken: NetId,
    data: NetId,
    last: NetId,
}

struct System<'a> {
    plan: &'a FabricPlan,
    flows: Vec<Flow>,
    sources: Vec<Terminal>,
    /// Parts of a flit: a cycle adds one to the bucket of each flow.
    parts: Vec<u32>,
    evaluator: Evaluator,
    ports: Ports,
}

impl<'a> System<'a> {
    fn new(plan: &'a FabricPlan) -> Self {
        let flows = plan.topology().live_flows().unwrap().to_vec();
        let parts = flows.iter().map(|flow| {
            let parts = Bandwidth::WHOLE.0 / flow.bandwidth.unwrap().0;
            assert_eq!(
                parts * flow.bandwidth.unwrap().0,
                Bandwidth::WHOLE.0,
                "one part of a whole"
            );
            parts as u32
        });
        let parts = parts.collect();
        let mut sources: Vec<Terminal> = flows.iter().map(|flow| flow.source).collect();
        sources.dedup();
        let mut evaluator = Evaluator::of_ports(&fabric(plan).unwrap());
        let port = |name: &str| evaluator.port(name).unwrap();
        let ports = Ports {
            tvalid: port("s_axis_tvalid"),
            tready: port("s_axis_tready"),
            tdest: port("s_axis_tdest"),
            tdata: port("s_axis_tdata"),
            tlast: port("s_axis_tlast"),
            taken: port("m_axis_tvalid"),
            data: port("m_axis_tdata"),
            last: port("m_axis_tlast"),
        };
        let ready = port("m_axis_tready");
        evaluator.set(ready, &[u64::MAX]);
        evaluator.set_reset(true);
        evaluator.clock();
        evaluator.set_reset(false);
        evaluator.clock();
        Self { plan, flows, sources, parts, evaluator, ports }
    }

    fn packet(&self, flow: usize) -> u32 {
        self.flows[flow].packet_flits.unwrap()
    }

    fn start(&self) -> State {
        let full = |(flow, parts): (&Flow, &u32)| flow.burst.unwrap() * parts;
        State {
            rtl: self.evaluator.held(),
            tokens: self.flows.iter().zip(&self.parts).map(full).collect(),
            waiting: vec![(Vec::new(), 0); self.sources.len()],
            followed: None,
        }
    }

    /// All ways in which flows may release packets in this cycle: the flows, each as often as it releases
    /// one.
    fn releases(&self, state: &State) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for (flow, tokens) in state.tokens.iter().enumerate() {
            let most = tokens / (self.packet(flow) * self.parts[flow]);
            let with = |list: &Vec<u8>, count: u32| {
                let more = std::iter::repeat_n(flow as u8, count as usize);
                list.iter().copied().chain(more).collect::<Vec<u8>>()
            };
            all = all
                .iter()
                .flat_map(|list| (0..=most).map(move |count| with(list, count)))
                .collect();
        }
        all
    }

    /// State a cycle later, where these packets are released, and one of them is followed from now on if
    /// that is said. Whether the packet that is followed is at its sink.
    fn next(&mut self, state: &State, released: &[u8], follow: Option<usize>) -> (State, bool) {
        let mut next = state.clone();
        for (at, &flow) in released.iter().enumerate() {
            let source = self.source_of(flow);
            let place = next.waiting[source].0.len();
            next.waiting[source].0.push(flow);
            next.tokens[usize::from(flow)] -=
                self.packet(flow.into()) * self.parts[usize::from(flow)];
            if follow == Some(at) {
                next.followed = Some((flow, Some(place)));
            }
        }
        self.evaluator.restore(&state.rtl);
        let width = self.plan.address_bits();
        let mut valid = 0u64;
        let (mut data, mut last) = (0u64, 0u64);
        for (source, (waiting, sent)) in next.waiting.iter().enumerate() {
            let Some(&flow) = waiting.first() else { continue };
            let slice = self.slice(source);
            valid |= 1 << slice;
            let to = self.flows[usize::from(flow)].destination;
            let address = u64::from(self.plan.address(to));
            self.evaluator.set_bits(self.ports.tdest, slice * width, width, address);
            last |= u64::from(sent + 1 == self.packet(flow.into())) << slice;
            data |= u64::from(next.followed == Some((flow, Some(0)))) << slice;
        }
        for (port, value) in
            [(self.ports.tvalid, valid), (self.ports.tdata, data), (self.ports.tlast, last)]
        {
            self.evaluator.set(port, &[value]);
        }
        self.evaluator.settle();
        let [taken, marked, ends] = [self.ports.taken, self.ports.data, self.ports.last]
            .map(|port| self.evaluator.get_low(port));
        let is_there = taken & marked & ends != 0;
        let ready = self.evaluator.get_low(self.ports.tready);
        self.evaluator.clock();
        next.rtl = self.evaluator.held();
        for source in 0..next.waiting.len() {
            if valid & ready & 1 << self.slice(source) == 0 {
                continue;
            }
            let (waiting, sent) = &mut next.waiting[source];
            *sent += 1;
            if *sent < self.packet(waiting[0].into()) {
                continue;
            }
            let flow = waiting.remove(0);
            *sent = 0;
            if let Some((followed, Some(place))) = &mut next.followed
                && self.source_of(*followed) == source
            {
                match *place {
                    0 => next.followed = Some((flow, None)),
                    _ => *place -= 1,
                }
            }
        }
        for (flow, tokens) in next.tokens.iter_mut().enumerate() {
            let full = self.flows[flow].burst.unwrap() * self.parts[flow];
            *tokens = (*tokens + 1).min(full);
        }
        (next, is_there)
    }

    fn source_of(&self, flow: u8) -> usize {
        let source = self.flows[usize::from(flow)].source;
        self.sources.iter().position(|&other| other == source).unwrap()
    }

    fn slice(&self, source: usize) -> u32 {
        let source = self.sources[source];
        self.plan.sources().iter().position(|&other| other == source).unwrap() as u32
    }

    /// All states that can be reached.
    fn all(&mut self) -> HashSet<State> {
        let mut seen = HashSet::from([self.start()]);
        let mut open = vec![self.start()];
        while let Some(state) = open.pop() {
            for released in self.releases(&state) {
                let (next, _) = self.next(&state, &released, None);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// By flow, the most cycles from a packet's release to its last flit.
    fn slowest(&mut self) -> (usize, Vec<u64>) {
        let all = self.all();
        let mut slowest = vec![0; self.flows.len()];
        let mut layer = HashSet::new();
        for state in &all {
            for released in self.releases(state) {
                for followed in 0..released.len() {
                    layer.insert(self.next(state, &released, Some(followed)).0);
                }
            }
        }
        for cycles in 1.. {
            let mut behind = HashSet::new();
            for state in &layer {
                let (flow, _) = state.followed.unwrap();
                for released in self.releases(state) {
                    match self.next(state, &released, None) {
                        (_, true) => slowest[usize::from(flow)] = cycles,
                        (next, false) => drop(behind.insert(next)),
                    }
                }
            }
            if behind.is_empty() {
                break;
            }
            layer = behind;
        }
        (all.len(), slowest)
    }
}

/// A fabric, its flows, and its switches; and by flow, in their order, the most cycles of all that can
/// happen, and the bound.
type Case = (&'static str, &'static str, Parameters, &'static [(u64, u64)]);

fn cases() -> Vec<Case> {
    let small =
        Parameters { width: 1, depth: 2, queue: QueueStyle::Shift, ..Parameters::default() };
    let registered = Parameters { pipeline: Pipeline::Grant, ..small };
    let ahead = Parameters { pipeline: Pipeline::GrantAhead, ..small };
    let line = "wired gathered shortest";
    let mesh = "mesh 2x2 dimension-order";
    let ring = "ring 4 dimension-order";
    let two = "s,v,0.05,2,2\nt,v,0.05,2,2\n";
    let classes = "class a\nclass b\nsource,destination,class,bandwidth,packet,burst\n\
                   s,v,a,0.1,2,2\nt,v,b,0.1,2,2\n";
    let first = "class a priority 1\nclass b\nsource,destination,class,bandwidth,packet,burst\n\
                 s,v,a,0.1,2,2\nt,v,b,0.1,2,2\n";
    let last = "class a\nclass b priority 1\nsource,destination,class,bandwidth,packet,burst\n\
                s,v,a,0.1,2,2\nt,v,b,0.1,2,2\n";
    // That of `u` waits for one of `s` whose flits give way to those of `t`.
    let behind = "class a\nclass b priority 1\nsource,destination,class,bandwidth,packet,burst\n\
                  s,v,a,0.05,2,2\nt,v,b,0.1,1,2\nu,v,a,0.05,1,1\n";
    let long = "class a\nclass b priority 1\nsource,destination,class,bandwidth,packet,burst\n\
                s,v,a,0.1,2,2\nt,v,b,0.05,1,4\n";
    vec![
        (line, "s,v,0.1,1,1\nt,v,0.1,1,1\n", small, &[(5, 8), (4, 7)]),
        (line, "s,v,0.1,2,2\nt,v,0.1,2,2\n", small, &[(7, 8), (6, 7)]),
        (line, "s,v,0.1,2,2\nt,v,0.1,2,2\nu,v,0.1,2,2\n", small, &[(9, 14), (8, 14), (5, 11)]),
        (line, two, registered, &[(11, 18), (9, 16)]),
        (line, two, ahead, &[(10, 13), (7, 11)]),
        (line, "s,v,0.05,3,3\nt,v,0.1,1,2\n", small, &[(7, 14), (7, 13)]),
        (
            mesh,
            "0_0,1_1,0.1,2,2\n1_0,1_1,0.1,2,2\n0_0,1_0,0.1,1,1\n",
            small,
            &[(6, 18), (8, 18), (6, 10)],
        ),
        (
            mesh,
            "0_0,1_1,0.1,2,2\n1_0,1_1,0.1,2,2\n0_1,1_0,0.1,2,2\n",
            small,
            &[(7, 8), (6, 7), (5, 5)],
        ),
        (
            mesh,
            "0_0,1_1,0.1,2,2\n1_0,0_1,0.1,2,2\n1_1,0_0,0.1,1,1\n",
            small,
            &[(5, 5), (5, 5), (4, 4)],
        ),
        (ring, "0,2,0.1,2,2\n3,1,0.1,2,2\n2,0,0.1,2,2\n", small, &[(7, 8), (9, 14), (9, 14)]),
        (ring, "3,1,0.05,2,2\n0,1,0.05,2,2\n0,2,0.05,1,1\n", small, &[(7, 25), (9, 26), (8, 12)]),
        (line, classes, small, &[(7, 7), (6, 6)]),
        (line, first, small, &[(5, 5), (6, 6)]),
        (line, last, small, &[(7, 7), (4, 4)]),
        (line, long, small, &[(9, 10), (6, 12)]),
        (line, last, registered, &[(10, 15), (6, 8)]),
        (line, behind, small, &[(8, 9), (6, 7), (4, 6)]),
    ]
}

/// The figures of docs/bounds.md, over 2,000 to 38,000 states where there are three flows.
#[test]
fn no_packet_of_all_that_can_happen_is_slower_than_its_bound() {
    let mut unlike = Vec::new();
    for (name, flows, parameters, expected) in cases() {
        let text = match flows.starts_with("class") {
            true => flows.to_owned(),
            false => format!("source,destination,bandwidth,packet,burst\n{flows}"),
        };
        let plan = plan_for(name, &text, parameters);
        let bounds = bounds(&plan).unwrap();
        let (states, slowest) = System::new(&plan).slowest();
        let bound = bounds.flows.iter().map(|flow| flow.bound_cycles.unwrap());
        let found: Vec<(u64, u64)> = slowest.into_iter().zip(bound).collect();
        assert!(found.iter().all(|(slowest, bound)| slowest <= bound), "{name} {flows} {found:?}");
        if found != expected {
            unlike.push(format!("{name} {flows} {states} states: {found:?}, not {expected:?}"));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}
