//! Queues of a fabric as its flows fill them: the routes, and who meets whom.

use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_fabric::plan::{FabricPlan, Granting};
use turnpike_network::flows::{BucketError, Flow, TokenBucket};
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Node, Terminal};

/// Most hops of all routes together.
pub const MOST_HOPS: usize = 1 << 20;

/// Reason that there are no bounds of a fabric.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BoundsError {
    /// A network from all to all.
    #[error(
        "bounds are of flows, and this network is from all to all; say who sends to whom, and how much"
    )]
    NoFlows,
    /// Flows that do not say how much they send.
    #[error("bounds need to know how much the flows send; give each a bandwidth")]
    NoBandwidths,
    /// A relation whose packets choose.
    #[error(
        "packets of '{0}' choose their way, and what they wait for with it; use a relation that does not"
    )]
    Chooses(String),
    /// Channels with registers: a packet's second flit may be a round trip behind its first there.
    #[error(
        "there are no bounds of channels with registers yet: a packet's flits may come apart there; use \
         channels without"
    )]
    Registers,
    /// A fabric without a certificate.
    #[error("the fabric has no certificate against deadlock: a packet may wait for ever")]
    Deadlock,
    /// Ends, or terminals with widths or clocks of their own.
    #[error(
        "bounds are of streams at the network's own ports; leave ends, and widths, clocks and addresses of \
         terminals, out"
    )]
    Interfaces,
    /// A burst that no packet fits in.
    #[error("the flow from {source_label} to {destination} has {error}")]
    Burst { source_label: String, destination: String, error: BucketError },
    /// Routes that are too long together.
    #[error("the routes of all flows have more than {MOST_HOPS} hops together; use fewer flows")]
    Size,
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
}

/// A queue that some flow fills.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Switch of the queue.
    pub node: Node,
    /// Input port of the queue.
    pub input: Input,
    /// Virtual channel of the queue.
    pub vc: Vc,
    /// Most flits that are in it.
    pub holds: u64,
    /// Flits that it holds for sure, whatever is on the way to it: with fewer inside it takes one more.
    pub room: u64,
    /// Hops that start in it: places in [`QueueNetwork::hops`].
    pub hops: Vec<usize>,
}

/// Way in which the other virtual channels of a link are counted that take turns with one. Of those that go
/// first each flit is charged to its packet in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LinkSharing {
    /// All have a flit to send in every cycle.
    Turns,
    /// Each flit that crosses the link on another takes a cycle of it, and is charged to its packet.
    Flits,
}

/// An (output port, VC) of a switch that some flow takes.
#[derive(Clone, Debug)]
pub struct OutputVc {
    /// Queue at the end of its channel; `None` for one to a sink.
    pub next: Option<usize>,
    /// Virtual channels that take turns on the port, its own among them.
    pub sharing: u64,
    /// Virtual channels of the port that go first, as places in [`QueueNetwork::outputs`].
    pub above: Vec<usize>,
    /// Virtual channels of the port that take turns with it.
    pub beside: Vec<usize>,
    /// Hops that take it: places in [`QueueNetwork::hops`].
    pub hops: Vec<usize>,
}

/// A queue on a route, and where packets go from there.
#[derive(Clone, Copy, Debug)]
pub struct RouteHop {
    /// Route that the hop is on.
    pub route: usize,
    /// Queue in which packets wait.
    pub queue: usize,
    /// Output that they wait for.
    pub output: usize,
}

/// A route of a flow: one for all draws that go the same way.
#[derive(Clone, Debug)]
pub struct Route {
    /// Flow of the route.
    pub flow: usize,
    /// Hops of the route: a range of [`QueueNetwork::hops`].
    pub hops: std::ops::Range<usize>,
}

/// A flow with its token bucket.
#[derive(Clone, Debug)]
pub struct BucketFlow {
    /// Terminal that sends.
    pub source: Terminal,
    /// Terminal that takes the packets.
    pub destination: Terminal,
    /// Token bucket of the flow.
    pub bucket: TokenBucket,
    /// Cycles that a packet may take; `None` where nothing is asked.
    pub asked: Option<u32>,
    /// Whether no packet holds up those of the flow before it: all go one way, and cross no link twice.
    pub is_in_line: bool,
}

impl BucketFlow {
    /// Flits of a packet.
    pub fn packet(&self) -> u64 {
        self.bucket.packet.into()
    }
}

/// Spread of a packet's flits, once its first is at the end of a hop and nothing but virtual channels on the
/// same links and the packet's own flits holds them up.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Cycles per flit at most: those that virtual channels on the same links leave it, and those that the
    /// queues between two links have room for.
    pub per_flit: u64,
    /// Cycles between its first flit and its last at most.
    pub trail: u64,
    /// Whether virtual channels go first on a link that it has crossed: the flits that they send come in between,
    /// and are counted elsewhere.
    pub gives_way: bool,
}

/// Timing of a switch: what each hop adds.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Cycles from a request to its grant, at the least.
    pub grant: u64,
    /// Cycles in an output register.
    pub output: u64,
    /// Cycles in a register behind a queue, which holds a flit more.
    pub front: u64,
    /// Cycles from acceptance at a source to the head of an empty injection queue.
    pub injection: u64,
    /// Way in which arbiters choose.
    pub granting: Granting,
    /// Cycles by which a first flit that waits for its grant holds up those behind it.
    pub hold_up: u64,
}

/// The queues of a fabric as its flows fill them.
#[derive(Clone, Debug)]
pub struct QueueNetwork {
    pub timing: Timing,
    pub flows: Vec<BucketFlow>,
    pub routes: Vec<Route>,
    /// Hops of all routes, those of a route together and in their order.
    pub hops: Vec<RouteHop>,
    /// By hop, the spread of the flits that pass it, with the other virtual channels in turn; and with none.
    spreads: [Vec<Spread>; 2],
    pub queues: Vec<Queue>,
    pub outputs: Vec<OutputVc>,
}

impl QueueNetwork {
    /// The queues of a fabric for flows.
    ///
    /// # Errors
    /// [`BoundsError`]: a fabric of which there are no bounds.
    pub fn new(plan: &FabricPlan) -> Result<Self, BoundsError> {
        let topology = plan.topology();
        let flows = topology.live_flows().ok_or(BoundsError::NoFlows)?;
        if plan.chooses() {
            return Err(BoundsError::Chooses(plan.relation().name().to_owned()));
        }
        if !plan.has_plain_streams() || plan.ends().is_some() {
            return Err(BoundsError::Interfaces);
        }
        if plan.most_link_registers() > 0 {
            return Err(BoundsError::Registers);
        }
        if !plan.is_deadlock_free() {
            return Err(BoundsError::Deadlock);
        }
        let mut building = Building::default();
        let mut buckets = Vec::with_capacity(flows.len());
        for (at, flow) in flows.iter().enumerate() {
            let mut ways: Vec<Vec<(QueueKey, OutputKey)>> = Vec::new();
            let mut crosses_again = false;
            for (draw, _) in plan.relation().unlike_draws(flow.source, flow.destination) {
                let mut steps = Vec::new();
                walk(topology, plan.relation(), flow.source, flow.destination, draw, |step| {
                    let vc = if step.hop.output.is_eject() { Vc(0) } else { step.hop.vc };
                    let queue = (step.node, step.input, step.vc);
                    steps.push((queue, (step.node, step.hop.output, vc)));
                })?;
                let links = steps.iter().map(|&(_, (node, output, _))| (node, output));
                crosses_again |= links.collect::<BTreeSet<_>>().len() < steps.len();
                if !ways.contains(&steps) {
                    building.route(plan, at, &steps);
                    ways.push(steps);
                }
                if building.hops.len() > MOST_HOPS {
                    return Err(BoundsError::Size);
                }
            }
            buckets.push(bucket(plan, flow, ways.len() == 1 && !crosses_again)?);
        }
        Ok(building.finish(plan, buckets))
    }

    /// Flow of a hop.
    pub fn flow_of(&self, hop: usize) -> &BucketFlow {
        &self.flows[self.routes[self.hops[hop].route].flow]
    }

    /// Cycles that a packet without others is charged for its first flit at the head of this hop's queue,
    /// at most: for the grant, in the turn of virtual channels, and until word that the next queue has room
    /// is there.
    pub fn step(&self, hop: usize, sharing: LinkSharing) -> u64 {
        let output = &self.outputs[self.hops[hop].output];
        let word = output.next.map_or(0, |_| self.timing.output);
        self.timing.grant + output.in_turn(sharing) + word
    }

    /// Spread of the flits that pass a hop.
    pub fn spread(&self, hop: usize, sharing: LinkSharing) -> Spread {
        self.spreads[sharing as usize][hop]
    }
}

impl OutputVc {
    /// The virtual channels of its link of which each flit is charged to its packet.
    pub fn charged(&self, sharing: LinkSharing) -> impl Iterator<Item = usize> + '_ {
        let beside = self.beside.iter().filter(move |_| sharing == LinkSharing::Flits);
        self.above.iter().chain(beside).copied()
    }

    /// Cycles from one turn of the virtual channel on its link to the next at most, so far as they are
    /// counted here.
    fn in_turn(&self, sharing: LinkSharing) -> u64 {
        match sharing {
            LinkSharing::Turns => self.sharing,
            LinkSharing::Flits => 1,
        }
    }
}

type QueueKey = (Node, Input, Vc);
type OutputKey = (Node, Output, Vc);

#[derive(Default)]
struct Building {
    routes: Vec<Route>,
    hops: Vec<RouteHop>,
    queues: Vec<Queue>,
    queue_at: BTreeMap<QueueKey, usize>,
    outputs: Vec<OutputVc>,
    output_at: BTreeMap<OutputKey, usize>,
}

impl Building {
    fn route(&mut self, plan: &FabricPlan, flow: usize, steps: &[(QueueKey, OutputKey)]) {
        let first = self.hops.len();
        for (place, &(queue, output)) in steps.iter().enumerate() {
            let queue = self.queue(plan, queue);
            let next = steps.get(place + 1).map(|&(next, _)| self.queue(plan, next));
            let hop = self.hops.len();
            let outputs = &mut self.outputs;
            let output = *self.output_at.entry(output).or_insert_with(|| {
                let [hops, above, beside] = [(); 3].map(|()| Vec::new());
                outputs.push(OutputVc { next, sharing: 1, above, beside, hops });
                outputs.len() - 1
            });
            self.outputs[output].hops.push(hop);
            self.queues[queue].hops.push(hop);
            self.hops.push(RouteHop { route: self.routes.len(), queue, output });
        }
        self.routes.push(Route { flow, hops: first..self.hops.len() });
    }

    fn queue(&mut self, plan: &FabricPlan, key: QueueKey) -> usize {
        let queues = &mut self.queues;
        *self.queue_at.entry(key).or_insert_with(|| {
            let (node, input, vc) = key;
            let switch = plan.switch_of(node);
            let own = switch
                .queues
                .iter()
                .find(|own| (switch.inputs[own.input].input, own.vc) == (input, vc));
            let own = own.expect("a route's queue is built");
            let pipeline = plan.parameters.pipeline;
            let size = plan.queue_size(switch, own).depth;
            // A register before the injection queue, and one behind any queue where packets ask ahead.
            let before = u32::from(input.is_inject() && plan.registers_injection());
            let holds = (size + before + u32::from(pipeline.asks_ahead())).into();
            let room = (plan.parameters.depth - pipeline.in_flight()).into();
            queues.push(Queue { node, input, vc, holds, room, hops: Vec::new() });
            queues.len() - 1
        })
    }

    fn finish(self, plan: &FabricPlan, flows: Vec<BucketFlow>) -> QueueNetwork {
        let mut outputs = self.outputs;
        let all: Vec<(OutputKey, usize)> = self.output_at.into_iter().collect();
        let priority = |vc| plan.relation().priority(vc);
        // Keys of one port stand together.
        for port in all.chunk_by(|((one, a, _), _), ((other, b, _), _)| (one, a) == (other, b)) {
            for &((.., vc), at) in port {
                let others = port.iter().filter(|&&((.., other), _)| other != vc);
                for &((.., other), place) in others {
                    match priority(other).cmp(&priority(vc)) {
                        Ordering::Less => {}
                        Ordering::Equal => outputs[at].beside.push(place),
                        Ordering::Greater => outputs[at].above.push(place),
                    }
                }
                outputs[at].sharing = 1 + outputs[at].beside.len() as u64;
            }
        }
        let pipeline = plan.parameters.pipeline;
        let timing = Timing {
            grant: pipeline.registers_grant().into(),
            output: pipeline.registers_output().into(),
            front: pipeline.asks_ahead().into(),
            injection: plan.injection_cycles().into(),
            granting: pipeline.granting(),
            hold_up: if plan.runs_at_full_rate() { 0 } else { pipeline.registers().into() },
        };
        let Self { routes, hops, queues, .. } = self;
        let spread = |sharing| {
            let mut spreads = Vec::with_capacity(hops.len());
            for Route { flow, hops: own } in &routes {
                // The source gives a flit in each cycle.
                let (mut before, mut per_flit, mut behind) = (1, 1, 0);
                let mut gives_way = false;
                for RouteHop { queue, output, .. } in &hops[own.clone()] {
                    let (queue, sharing) = (&queues[*queue], outputs[*output].in_turn(sharing));
                    gives_way |= !outputs[*output].above.is_empty();
                    let around = before + sharing + timing.output + timing.front;
                    let by_room = around.div_ceil(queue.room + timing.front);
                    per_flit = sharing.max(by_room).max(per_flit);
                    behind += sharing - 1 + timing.hold_up;
                    let trail = (flows[*flow].packet() - 1) * per_flit + behind;
                    spreads.push(Spread { per_flit, trail, gives_way });
                    before = sharing;
                }
            }
            spreads
        };
        let spreads = [LinkSharing::Turns, LinkSharing::Flits].map(spread);
        QueueNetwork { timing, flows, routes, hops, spreads, queues, outputs }
    }
}

fn bucket(plan: &FabricPlan, flow: &Flow, is_in_line: bool) -> Result<BucketFlow, BoundsError> {
    let bucket = flow.bucket().map_err(|error| match error {
        BucketError::NoBandwidth => BoundsError::NoBandwidths,
        BucketError::Burst { .. } => {
            let label = |terminal| plan.topology().terminal_label(terminal);
            let (source_label, destination) = (label(flow.source), label(flow.destination));
            BoundsError::Burst { source_label, destination, error }
        }
    })?;
    Ok(BucketFlow {
        source: flow.source,
        destination: flow.destination,
        bucket,
        asked: flow.latency,
        is_in_line,
    })
}
