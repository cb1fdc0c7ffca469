//! A layout that changes move by move, with what it takes.

use super::area::Counts;
use super::layout::{Layout, Link, Switch, links};
use super::question::Question;
use pathfinding::directed::topological_sort::topological_sort;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Queue that packets of a class come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Queue {
    /// Queue of a terminal, of one of its classes.
    Inject(usize, u8),
    /// Queue at the end of a channel.
    Link(Link, u8),
}

/// Output of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Output {
    /// Channel, for all classes.
    Link(Link),
    /// Stream to a terminal, of one of its classes.
    Eject(usize, u8),
}

/// Change of a layout: homes of ends (terminal and whether it is the sink) and routes of pairs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Change {
    pub homes: Vec<((usize, usize), Switch)>,
    pub routes: Vec<(usize, Vec<Switch>)>,
}

/// A layout, and what it takes.
pub(super) struct State<'a> {
    pub question: &'a Question,
    pub layout: Layout,
    /// By terminal, streams that enter and leave.
    streams: Vec<[u32; 2]>,
    /// Pairs that go from a queue to an output.
    feeds: FxHashMap<(Queue, Output), u32>,
    /// Queues that feed an output.
    fan_in: FxHashMap<Output, u64>,
    /// Pairs that use a queue of a channel.
    queues: FxHashMap<(Link, u8), u32>,
    /// Pairs that take a channel, and their load.
    links: FxHashMap<Link, (u32, u64)>,
    /// Inputs and outputs of each switch.
    ports: FxHashMap<Switch, [u32; 2]>,
    /// Switches that have ports.
    switches: u32,
    counts: Counts,
    /// Ports beyond what switches may have.
    pub excess_ports: u64,
    /// Load beyond what channels may carry, in billionths.
    pub excess_load: u64,
    /// Channels beyond what routes may have.
    pub excess_channels: u64,
    /// Load times channels, in billionths.
    pub transport: u64,
}

impl<'a> State<'a> {
    /// State of this layout.
    pub fn new(question: &'a Question, layout: Layout) -> Self {
        let streams: Vec<[u32; 2]> = (0..question.terminals())
            .map(|at| [question.streams(at, 0), question.streams(at, 1)])
            .collect();
        let sources = streams.iter().map(|streams| u64::from(streams[0])).sum();
        let mut state = Self {
            question,
            layout,
            streams,
            feeds: FxHashMap::default(),
            fan_in: FxHashMap::default(),
            queues: FxHashMap::default(),
            links: FxHashMap::default(),
            ports: FxHashMap::default(),
            switches: 0,
            counts: Counts { sources, ..Counts::default() },
            excess_ports: 0,
            excess_load: 0,
            excess_channels: 0,
            transport: 0,
        };
        for terminal in 0..question.terminals() {
            (0..2).for_each(|end| state.settle((terminal, end), true));
        }
        for pair in 0..question.pairs().len() {
            state.count(pair, true);
        }
        state
    }

    /// Figures of the hardware.
    pub fn counts(&self) -> Counts {
        // At one switch the destination says the way.
        let tables = if self.switches > 1 { self.counts.sources } else { 0 };
        Counts { tables, ..self.counts }
    }

    /// Whether it is within all limits, waits aside.
    pub fn fits(&self) -> bool {
        self.excess_ports == 0 && self.excess_load == 0 && self.excess_channels == 0
    }

    /// Changes the layout. Gives the change that takes it back, and whether some channel feeds another one that it did
    /// not feed before.
    pub fn apply(&mut self, change: Change) -> (Change, bool) {
        let mut back = Change::default();
        for (end, home) in change.homes {
            self.settle(end, false);
            let old = std::mem::replace(&mut self.layout.homes[end.0][end.1], home);
            back.homes.push((end, old));
            self.settle(end, true);
        }
        let mut has_new = false;
        for (pair, route) in change.routes {
            self.count(pair, false);
            let old = std::mem::replace(&mut self.layout.routes[pair], route);
            back.routes.push((pair, old));
            has_new |= self.count(pair, true);
        }
        // The last change of an end is taken back first.
        back.homes.reverse();
        back.routes.reverse();
        (back, has_new)
    }

    /// Whether no packets wait for each other in a circle of channels.
    pub fn is_free(&self) -> bool {
        let mut onward: FxHashMap<(Link, u8), Vec<(Link, u8)>> = FxHashMap::default();
        for (from, to) in self.feeds.keys() {
            if let (Queue::Link(link, class), Output::Link(next)) = (from, to) {
                onward.entry((*link, *class)).or_default().push((*next, *class));
            }
        }
        let queues: Vec<(Link, u8)> = onward.keys().copied().collect();
        let next = |queue: &(Link, u8)| onward.get(queue).cloned().unwrap_or_default();
        topological_sort(&queues, next).is_ok()
    }

    /// Puts the ports of an end at its switch, or takes them away.
    fn settle(&mut self, (terminal, end): (usize, usize), adds: bool) {
        let home = self.layout.homes[terminal][end];
        self.port(home, end, self.streams[terminal][end], adds);
    }

    /// Counts ports of a switch: inputs where `end` is 0, and outputs where it is 1.
    fn port(&mut self, switch: Switch, end: usize, several: u32, adds: bool) {
        let most = self.question.ports();
        let over = |ports: u32| u64::from(ports.saturating_sub(most));
        let both = self.ports.entry(switch).or_default();
        let was_in_use = *both != [0, 0];
        let ports = &mut both[end];
        self.excess_ports -= over(*ports);
        *ports = if adds { *ports + several } else { *ports - several };
        self.excess_ports += over(*ports);
        match (was_in_use, *both != [0, 0]) {
            (false, true) => self.switches += 1,
            (true, false) => self.switches -= 1,
            _ => {}
        }
    }

    /// Counts the route of a pair, or takes it away. Whether some channel now feeds another one that it did not
    /// feed before.
    fn count(&mut self, at: usize, adds: bool) -> bool {
        let route = std::mem::take(&mut self.layout.routes[at]);
        let pair = &self.question.pairs()[at];
        let channels = route.len() as u64 - 1;
        let beyond = channels.saturating_sub(u64::from(pair.most_channels));
        let signed = |sum: u64, own: u64| if adds { sum + own } else { sum - own };
        self.transport = signed(self.transport, pair.load * channels);
        self.excess_channels = signed(self.excess_channels, beyond);
        for link in links(&route) {
            self.load(link, pair.load, adds);
        }
        let mut has_new = false;
        for &(class, _) in &pair.classes {
            let mut from = Queue::Inject(pair.from, class);
            for link in links(&route) {
                if tally(&mut self.queues, (link, class), adds) {
                    self.counts.queues = signed(self.counts.queues, 1);
                }
                let is_first = self.feed(from, Output::Link(link), adds);
                has_new |= is_first && matches!(from, Queue::Link(..));
                from = Queue::Link(link, class);
            }
            self.feed(from, Output::Eject(pair.to, class), adds);
        }
        self.layout.routes[at] = route;
        has_new
    }

    /// Counts a pair on a channel.
    fn load(&mut self, link: Link, load: u64, adds: bool) {
        let most = self.question.most_load();
        let (pairs, sum) = self.links.entry(link).or_default();
        self.excess_load -= sum.saturating_sub(most);
        (*pairs, *sum) = if adds { (*pairs + 1, *sum + load) } else { (*pairs - 1, *sum - load) };
        self.excess_load += sum.saturating_sub(most);
        let pairs = *pairs;
        if pairs == 0 {
            self.links.remove(&link);
        }
        if pairs == u32::from(adds) {
            self.port(link.1, 0, 1, adds);
            self.port(link.0, 1, 1, adds);
        }
    }

    /// Counts a pair that goes from a queue to an output. Whether there was none.
    fn feed(&mut self, from: Queue, to: Output, adds: bool) -> bool {
        if !tally(&mut self.feeds, (from, to), adds) {
            return false;
        }
        let fan_in = self.fan_in.entry(to).or_default();
        let counted = |fan_in: u64| if fan_in > 1 { (fan_in, 1) } else { (0, 0) };
        let before = counted(*fan_in);
        *fan_in = if adds { *fan_in + 1 } else { *fan_in - 1 };
        let now = counted(*fan_in);
        self.counts.inputs = self.counts.inputs + now.0 - before.0;
        self.counts.multiplexers = self.counts.multiplexers + now.1 - before.1;
        adds
    }
}

/// Counts one more or one less. Whether there is now one and was none, or the reverse.
fn tally<K: Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: K, adds: bool) -> bool {
    if adds {
        let count = counts.entry(key).or_default();
        *count += 1;
        return *count == 1;
    }
    let count = counts.get_mut(&key).expect("what was counted");
    *count -= 1;
    let is_none = *count == 0;
    if is_none {
        counts.remove(&key);
    }
    is_none
}
