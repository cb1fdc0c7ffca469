//! Routes of a fabric as the checker walks them, and who meets whom on them.

use super::Wrong;
use crate::queue_network::LinkSharing;
use crate::steps::QueueStep;
use std::collections::BTreeMap;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Node, Terminal, Topology};

pub type QueueKey = (Node, Input, Vc);
pub type OutputKey = (Node, Output, Vc);

/// A switch on a route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    pub queue: QueueKey,
    pub output: OutputKey,
    pub next: Option<QueueKey>,
}

/// A route with the flow that takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    pub flow: usize,
    pub stops: Vec<Stop>,
}

/// The routes, and the steps that are to be checked.
pub struct Checker<'a> {
    pub plan: &'a FabricPlan,
    pub flows: Vec<Flow>,
    pub ways: Vec<Way>,
    /// By queue, its step.
    pub places: BTreeMap<QueueKey, usize>,
    pub steps: &'a [QueueStep],
    /// By output, the places on routes that take it.
    pub takers: BTreeMap<OutputKey, Vec<(usize, usize)>>,
    /// By queue, the places on routes that wait in it.
    pub waiters: BTreeMap<QueueKey, Vec<(usize, usize)>>,
    /// By output port, the virtual channels that flows take, each with the priority of their class.
    pub virtual_channels: BTreeMap<(Node, Output), BTreeMap<Vc, u8>>,
}

impl<'a> Checker<'a> {
    pub fn new(plan: &'a FabricPlan, steps: &'a [QueueStep]) -> Result<Self, Wrong> {
        let topology = plan.topology();
        let flows = topology.live_flows().ok_or(Wrong::Other("it has no flows"))?.to_vec();
        let mut ways = Vec::new();
        for (flow, ends) in flows.iter().enumerate() {
            for (draw, _) in plan.relation().unlike_draws(ends.source, ends.destination) {
                let walked = route(topology, plan.relation(), ends.source, ends.destination, draw)?;
                let queue = |at: usize| walked.get(at).map(|s| (s.node, s.input, s.vc));
                let stop = |at: usize| {
                    let step = &walked[at];
                    let (output, vc) = match step.hop.output {
                        Output::Network(_) => (step.hop.output, step.hop.vc),
                        Output::Eject(_) => (step.hop.output, Vc(0)),
                    };
                    let own = queue(at).expect("it is on the route");
                    Stop { queue: own, output: (step.node, output, vc), next: queue(at + 1) }
                };
                let way = Way { flow, stops: (0..walked.len()).map(stop).collect() };
                // Several draws may go one way.
                if !ways
                    .iter()
                    .rev()
                    .take_while(|own: &&Way| own.flow == flow)
                    .any(|own| *own == way)
                {
                    ways.push(way);
                }
            }
        }
        let (mut takers, mut waiters) = (BTreeMap::new(), BTreeMap::new());
        let mut virtual_channels: BTreeMap<_, BTreeMap<Vc, u8>> = BTreeMap::new();
        for (way, at) in places_of(&ways) {
            let stop = &ways[way].stops[at];
            takers.entry(stop.output).or_insert_with(Vec::new).push((way, at));
            waiters.entry(stop.queue).or_insert_with(Vec::new).push((way, at));
            let (node, output, vc) = stop.output;
            let priority = priority(topology, &flows[ways[way].flow]);
            virtual_channels.entry((node, output)).or_default().insert(vc, priority);
        }
        let label = |&(node, input, vc): &QueueKey| {
            (topology.label(node), input.name(topology, node), vc.0)
        };
        let step_of = |step: &QueueStep| (step.switch.clone(), step.input.clone(), step.vc);
        let by_label: BTreeMap<_, usize> =
            steps.iter().enumerate().map(|(at, step)| (step_of(step), at)).collect();
        let place = |queue: &QueueKey| by_label.get(&label(queue)).map(|&at| (*queue, at));
        let places = waiters.keys().map(place).collect::<Option<_>>();
        let places = places.ok_or(Wrong::Other("a queue has no step"))?;
        Ok(Self { plan, flows, ways, places, steps, takers, waiters, virtual_channels })
    }

    pub fn packet(&self, way: usize) -> u64 {
        self.flows[self.ways[way].flow].packet_flits.unwrap_or(1).into()
    }

    /// Priority of the packets of a route.
    pub fn priority(&self, way: usize) -> u8 {
        priority(self.plan.topology(), &self.flows[self.ways[way].flow])
    }

    /// Virtual channels that take turns on the link of a stop, its own among them; its own alone where each flit of
    /// the others is charged.
    pub fn sharing(&self, stop: &Stop, counted: LinkSharing) -> u64 {
        let (node, output, vc) = stop.output;
        let all = &self.virtual_channels[&(node, output)];
        match counted {
            LinkSharing::Flits => 1,
            LinkSharing::Turns => all.values().filter(|&&other| other == all[&vc]).count() as u64,
        }
    }

    /// Whether some virtual channel goes first on the link of a stop.
    pub fn gives_way(&self, stop: &Stop) -> bool {
        let (node, output, vc) = stop.output;
        let all = &self.virtual_channels[&(node, output)];
        all.values().any(|&other| other > all[&vc])
    }

    /// Flits that a queue holds at most, those that it holds whatever is on the way, and one in front of
    /// it.
    pub fn depths(&self, queue: &QueueKey) -> [u64; 3] {
        let &(node, input, vc) = queue;
        let parameters = &self.plan.parameters;
        let switch = self.plan.switch_of(node);
        let mut own = switch.queues.iter();
        let own = own.find(|own| own.vc == vc && switch.inputs[own.input].input == input);
        let holds = self.plan.queue_size(switch, own.expect("flows fill it")).depth;
        let staged = input.is_inject() && self.plan.registers_injection();
        let front = parameters.pipeline.asks_ahead();
        let room = parameters.depth - parameters.pipeline.in_flight();
        let all = u64::from(holds) + u64::from(staged) + u64::from(front);
        [all, room.into(), front.into()]
    }

    /// Cycles of a grant, and in an output register.
    pub fn registers(&self) -> [u64; 2] {
        let pipeline = self.plan.parameters.pipeline;
        [pipeline.registers_grant().into(), pipeline.registers_output().into()]
    }

    /// Cycles from one flit of a packet to the next, at most, up to the output of a stop; and from the
    /// first to the last.
    pub fn paces(&self, way: usize, at: usize, counted: LinkSharing) -> [u64; 2] {
        let stops = &self.ways[way].stops[..=at];
        let [_, output] = self.registers();
        let (mut pace, mut turns, mut into) = (1, 0, 1);
        for stop in stops {
            let [_, room, front] = self.depths(&stop.queue);
            let sharing = self.sharing(stop, counted);
            let around = into + sharing + output + front;
            pace = pace.max(sharing).max(around.div_ceil(room + front));
            turns += sharing - 1;
            into = sharing;
        }
        let held_up = match self.plan.runs_at_full_rate() {
            true => 0,
            false => u64::from(self.plan.parameters.pipeline.registers()) * stops.len() as u64,
        };
        [pace, (self.packet(way) - 1) * pace + turns + held_up]
    }

    pub fn ways_of(&self, flow: usize) -> impl Iterator<Item = usize> {
        (0..self.ways.len()).filter(move |&way| self.ways[way].flow == flow)
    }

    pub fn source(&self, way: usize) -> Terminal {
        self.flows[self.ways[way].flow].source
    }
}

/// Priority of the class of a flow, where classes share links.
fn priority(topology: &dyn Topology, flow: &Flow) -> u8 {
    let flows = topology.flows().filter(|flows| flows.have_priorities());
    flows.map_or(0, |flows| flows.classes()[flows.class_of(flow.source)].priority)
}

fn places_of(ways: &[Way]) -> impl Iterator<Item = (usize, usize)> {
    ways.iter().enumerate().flat_map(|(way, of)| (0..of.stops.len()).map(move |at| (way, at)))
}

/// Packets that a token bucket lets through from some cycle to the one so many later.
pub fn released(flow: &Flow, cycles: u64) -> u64 {
    let packet = u64::from(flow.packet_flits.unwrap_or(1));
    let whole = u128::from(Bandwidth::WHOLE.0);
    let rate = u128::from(flow.bandwidth.unwrap_or_default().0);
    let burst = u128::from(flow.burst.map_or(packet, u64::from));
    ((burst * whole + rate * u128::from(cycles)) / (u128::from(packet) * whole)) as u64
}

/// First cycle behind the one so many later in which one packet more may have been released.
pub fn next_release(flow: &Flow, cycles: u64) -> u64 {
    let (mut low, mut high) = (cycles, cycles + 1);
    let now = released(flow, cycles);
    while released(flow, high) == now {
        (low, high) = (high, high + 2 * (high - cycles));
    }
    // Released as many by `low`, and more by `high`.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        (low, high) = if released(flow, middle) == now { (middle, high) } else { (low, middle) };
    }
    high
}
