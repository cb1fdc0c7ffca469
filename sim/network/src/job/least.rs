//! A time that no run of a job is below.

use super::{Job, Message};
use rustc_hash::FxHashMap;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::{Node, Terminal};

/// The cycle of the last delivery that no run of the job is below: the most of
/// - the ways from wait to wait, each message alone in the network, by its shortest route;
/// - what each terminal sends, a flit in a cycle, from when it has something to send, and the way of the last;
/// - what each terminal takes in, a flit in a cycle, from when the first can be there.
pub fn least(plan: &FabricPlan, job: &Job) -> u64 {
    let mut latencies =
        Latencies { plan, distances: FxHashMap::default(), routes: FxHashMap::default() };
    let messages = job.messages();
    let mut released = vec![0; messages.len()];
    let mut latency = vec![0; messages.len()];
    let mut longest = 0;
    for &at in &job.order {
        let at = at as usize;
        let own = &messages[at];
        latency[at] = latencies.of(own);
        let known = |&other: &u32| {
            let before = &messages[other as usize];
            let sent = released[other as usize] + u64::from(before.flits) - 1;
            let on_the_way = match before.destination == own.source {
                true => latency[other as usize],
                false => 0,
            };
            sent + on_the_way + 1
        };
        released[at] = own.after.iter().map(known).max().unwrap_or(0) + own.delay;
        longest = longest.max(released[at] + u64::from(own.flits) - 1 + latency[at]);
    }
    let sends = |message: usize| (released[message], latency[message]);
    let takes = |message: usize| (released[message] + latency[message], 0);
    let ends = by_terminal(messages, |message| message.source, sends).max(by_terminal(
        messages,
        |message| message.destination,
        takes,
    ));
    longest.max(ends)
}

/// The cycle in which the last message of some terminal is there, where each is the terminal's `own`, and its
/// flits need a cycle each of it: of those from some start on all of them, and the least way behind it.
fn by_terminal(
    messages: &[Message],
    own: impl Fn(&Message) -> u32,
    start_and_way: impl Fn(usize) -> (u64, u64),
) -> u64 {
    let mut of: FxHashMap<u32, Vec<(u64, u64, u64)>> = FxHashMap::default();
    for (at, message) in messages.iter().enumerate() {
        let (start, way) = start_and_way(at);
        of.entry(own(message)).or_default().push((start, way, message.flits.into()));
    }
    let last = |mut all: Vec<(u64, u64, u64)>| {
        all.sort_unstable();
        let (mut flits, mut least, mut last) = (0, u64::MAX, 0);
        for (start, way, own) in all.into_iter().rev() {
            flits += own;
            least = least.min(way);
            last = last.max(start + flits - 1 + least);
        }
        last
    };
    of.into_values().map(last).max().unwrap_or(0)
}

/// Cycles from the cycle in which a flit is taken at a source to that in which it is taken at a sink.
struct Latencies<'a> {
    plan: &'a FabricPlan,
    /// By node: channels to each other.
    distances: FxHashMap<Node, Vec<u32>>,
    routes: FxHashMap<(u32, u32), u64>,
}

impl Latencies<'_> {
    /// Cycles of a message that is alone: by its route, or where there are several by no more channels than the
    /// nodes are apart.
    fn of(&mut self, message: &Message) -> u64 {
        let Self { plan, distances, routes } = self;
        let (topology, relation) = (plan.topology(), plan.relation());
        let ends = [message.source, message.destination].map(Terminal);
        let cycles = routes.entry((message.source, message.destination)).or_insert_with(|| {
            if relation.keeps_order() {
                let steps = route(topology, relation, ends[0], ends[1], Draw::NONE);
                return steps.map_or(0, |steps| plan.route_latency(&steps)).into();
            }
            let (Some((from, _)), Some((to, _))) =
                (topology.source(ends[0]), topology.sink(ends[1]))
            else {
                return 0;
            };
            let distances = distances.entry(from).or_insert_with(|| topology.distances(from));
            plan.zero_load_latency(distances[to.0 as usize]).into()
        });
        *cycles
    }
}
