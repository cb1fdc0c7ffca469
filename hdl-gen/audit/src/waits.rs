//! Waits of packets: which queue holds a packet that wants which others next.
//!
//! A *resource* is a channel, or a terminal that takes messages of one class and may be waiting
//! until it has sent one of a class behind it. A *state* is a resource with a packet at its head,
//! and the resources of which that packet takes one next.

use crate::AuditError;
use crate::model::Routed;
use crate::traffic::Traffic;
use rustc_hash::FxHashSet;

/// A packet at the head of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Resource that holds the packet.
    pub resource: u32,
    /// Resources of which the packet takes one next.
    pub next: Box<[u32]>,
    /// Message class of what goes on: of the packet, or of what a terminal sends.
    pub class: u32,
    /// Destination of what goes on.
    pub destination: u32,
}

/// Every wait that routes make possible, each once.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Number of channels, whose resources come first.
    pub channels: u32,
    /// Number of resources.
    pub resources: u32,
    /// Number of message classes.
    classes: u32,
    /// Terminal and class of those that may be waiting until they have sent a message.
    waiting: FxHashSet<(u32, u32)>,
    /// The states.
    pub states: Vec<State>,
}

impl Waits {
    /// The waits of a network under its traffic. Walks every route.
    ///
    /// # Errors
    /// [`AuditError::Hole`], [`AuditError::Lost`]: a table without an entry that is needed, packets
    /// that cannot arrive.
    pub fn of(routed: &Routed, traffic: &Traffic) -> Result<Self, AuditError> {
        let channels = routed.channels.len() as u32;
        let classes = traffic.class_count() as u32;
        let resources = channels + routed.terminals.len() as u32 * classes;
        let flows = traffic.flows().unwrap_or_default().iter();
        let waiting = flows.flat_map(|&(class, _, source)| {
            let own = traffic.classes.get(class as usize);
            let after = own.map_or(&[][..], |own| &own.after);
            after.iter().map(move |&before| (source, before as u32))
        });
        let waiting = waiting.collect();
        let mut waits = Self { channels, resources, classes, waiting, states: Vec::new() };
        let mut walk = Walk::new(routed, traffic);
        for class in 0..classes {
            for destination in 0..routed.terminals.len() as u32 {
                walk.to(class, destination, &mut waits)?;
            }
        }
        waits.at_terminals(&mut walk);
        Ok(waits)
    }

    /// Resource of a terminal that takes messages of a class.
    pub fn sink(&self, terminal: u32, class: u32) -> u32 {
        self.channels + terminal * self.classes + class
    }

    /// Whether a terminal that takes a message of a class may be waiting.
    pub fn waits_at(&self, terminal: u32, class: u32) -> bool {
        self.waiting.contains(&(terminal, class))
    }

    /// Terminal and class of a resource that is no channel.
    pub fn terminal(&self, resource: u32) -> Option<(u32, u32)> {
        let place = resource.checked_sub(self.channels)?;
        Some((place / self.classes, place % self.classes))
    }

    /// Adds what terminals wait for.
    fn at_terminals(&mut self, walk: &mut Walk<'_>) {
        let (routed, traffic) = (walk.routed, walk.traffic);
        for &(class, destination, source) in traffic.flows().unwrap_or_default() {
            let Some(switch) = routed.terminals[source as usize].source else { continue };
            let local = routed.terminals[destination as usize].sink == Some(switch);
            let table = routed.injection(class as usize, switch);
            let sink = [self.sink(destination, class)];
            let next = match local {
                true if self.waits_at(destination, class) => &sink,
                true => continue,
                false => routed.tables.next(table, destination),
            };
            let Some(own) = traffic.classes.get(class as usize) else { continue };
            for &before in &own.after {
                let resource = self.sink(source, before as u32);
                walk.add(self, State { resource, next: next.into(), class, destination });
            }
        }
    }
}

/// A source, and the channels from there on.
pub type Way = (u32, Vec<u32>);

/// Way of packets of a class from some source to a channel, by as few channels as there are; `None`
/// where none comes by.
pub fn way_to(
    routed: &Routed,
    traffic: &Traffic,
    class: u32,
    destination: u32,
    to: u32,
) -> Option<Way> {
    let mut parent: Vec<Option<(u32, u32)>> = vec![None; routed.channels.len()];
    let mut queue = std::collections::VecDeque::new();
    let sink = routed.terminals[destination as usize].sink?;
    // A parent is a channel, or the channel itself where packets enter there, and the source.
    for source in traffic.sources(routed, class as usize, destination) {
        let Some(switch) = routed.terminals[source as usize].source else { continue };
        if switch == sink {
            continue;
        }
        for &first in routed.tables.next(routed.injection(class as usize, switch), destination) {
            if parent[first as usize].is_none() {
                parent[first as usize] = Some((first, source));
                queue.push_back(first);
            }
        }
    }
    while let Some(channel) = queue.pop_front() {
        if channel == to {
            let mut way = vec![channel];
            let mut at = channel;
            let (mut before, source) = parent[at as usize]?;
            while before != at {
                way.push(before);
                at = before;
                before = parent[at as usize]?.0;
            }
            way.reverse();
            return Some((source, way));
        }
        if routed.channels[channel as usize].to == sink {
            continue;
        }
        let source = parent[channel as usize]?.1;
        for &next in routed.tables.next(routed.of_channel[channel as usize], destination) {
            if parent[next as usize].is_none() {
                parent[next as usize] = Some((channel, source));
                queue.push_back(next);
            }
        }
    }
    None
}

/// Walk along all routes to one destination after the other.
struct Walk<'a> {
    routed: &'a Routed,
    traffic: &'a Traffic,
    /// States that were added.
    added: FxHashSet<(u32, Box<[u32]>)>,
    /// Waits from one channel for one other that were added.
    simple: FxHashSet<u64>,
    /// Number of the walk.
    walk: u32,
    /// By channel, the walk that last came there.
    seen: Vec<u32>,
    /// By channel, the walk in which packets there were last found to arrive.
    arrives: Vec<u32>,
    /// Source of packets at a channel that was seen.
    source: Vec<u32>,
    /// Channels that were seen.
    order: Vec<u32>,
    /// By channel, the last of its waits backwards, in `back`.
    last: Vec<u32>,
    /// Channel, and the wait before.
    back: Vec<(u32, u32)>,
}

const NO_WAIT: u32 = u32::MAX;

impl<'a> Walk<'a> {
    fn new(routed: &'a Routed, traffic: &'a Traffic) -> Self {
        let count = routed.channels.len();
        Self {
            routed,
            traffic,
            added: FxHashSet::default(),
            simple: FxHashSet::default(),
            walk: 0,
            seen: vec![0; count],
            arrives: vec![0; count],
            source: vec![0; count],
            order: Vec::new(),
            last: vec![NO_WAIT; count],
            back: Vec::new(),
        }
    }

    fn add(&mut self, waits: &mut Waits, state: State) {
        let is_new = match state.next[..] {
            [next] => self.simple.insert(u64::from(state.resource) << 32 | u64::from(next)),
            _ => self.added.insert((state.resource, state.next.clone())),
        };
        if is_new {
            waits.states.push(state);
        }
    }

    fn come(&mut self, channel: u32, source: u32) {
        if self.seen[channel as usize] != self.walk {
            self.seen[channel as usize] = self.walk;
            self.source[channel as usize] = source;
            self.last[channel as usize] = NO_WAIT;
            self.order.push(channel);
        }
    }

    /// Walks all routes of packets of a class to a destination.
    fn to(&mut self, class: u32, destination: u32, waits: &mut Waits) -> Result<(), AuditError> {
        let (routed, traffic) = (self.routed, self.traffic);
        let Some(sink) = routed.terminals[destination as usize].sink else { return Ok(()) };
        self.walk += 1;
        self.order.clear();
        self.back.clear();
        let hole = |source: u32, at: u32, by: Option<u32>| {
            let name = |terminal: u32| routed.terminals[terminal as usize].name.clone();
            let (source_name, destination_name) = (name(source), name(destination));
            let table = match by {
                Some(channel) => routed.of_channel[channel as usize],
                None => routed.injection(class as usize, at),
            };
            let at = routed.switches[at as usize].clone();
            match routed.elsewhere.get(&(table, destination)) {
                Some(other) => AuditError::Elsewhere {
                    source_name,
                    destination: destination_name,
                    other: other.clone(),
                    at,
                },
                None => AuditError::Hole {
                    class: traffic.classes.get(class as usize).map(|class| class.name.clone()),
                    source_name,
                    destination: destination_name,
                    at,
                    by: by.map(|channel| routed.channel_in_words(channel)),
                },
            }
        };
        for source in traffic.sources(routed, class as usize, destination) {
            let Some(switch) = routed.terminals[source as usize].source else { continue };
            let table = routed.injection(class as usize, switch);
            if switch == sink {
                if routed.elsewhere.contains_key(&(table, destination)) {
                    return Err(hole(source, switch, None));
                }
                continue;
            }
            let next = routed.tables.next(table, destination);
            if next.is_empty() {
                return Err(hole(source, switch, None));
            }
            next.iter().for_each(|&next| self.come(next, source));
        }
        let mut arrived = Vec::new();
        let mut at = 0;
        while let Some(&channel) = self.order.get(at) {
            at += 1;
            let switch = routed.channels[channel as usize].to;
            let table = routed.of_channel[channel as usize];
            if switch == sink {
                if routed.elsewhere.contains_key(&(table, destination)) {
                    return Err(hole(self.source[channel as usize], switch, Some(channel)));
                }
                arrived.push(channel);
                if waits.waits_at(destination, class) {
                    let next = Box::new([waits.sink(destination, class)]);
                    self.add(waits, State { resource: channel, next, class, destination });
                }
                continue;
            }
            let next = routed.tables.next(table, destination);
            let source = self.source[channel as usize];
            if next.is_empty() {
                return Err(hole(source, switch, Some(channel)));
            }
            for &next in next {
                self.come(next, source);
                self.back.push((channel, self.last[next as usize]));
                self.last[next as usize] = self.back.len() as u32 - 1;
            }
            // Most are there already, and a list would be made for nothing.
            let known = |&next: &u32| u64::from(channel) << 32 | u64::from(next);
            if next.len() > 1 || !self.simple.contains(&known(&next[0])) {
                self.add(waits, State { resource: channel, next: next.into(), class, destination });
            }
        }
        self.all_arrive(arrived, destination)
    }

    /// Goes back from where packets leave: whatever is not met there never arrives.
    fn all_arrive(&mut self, mut arrived: Vec<u32>, destination: u32) -> Result<(), AuditError> {
        arrived.iter().for_each(|&channel| self.arrives[channel as usize] = self.walk);
        while let Some(channel) = arrived.pop() {
            let mut wait = self.last[channel as usize];
            while wait != NO_WAIT {
                let (before, next) = self.back[wait as usize];
                if self.arrives[before as usize] != self.walk {
                    self.arrives[before as usize] = self.walk;
                    arrived.push(before);
                }
                wait = next;
            }
        }
        let routed = self.routed;
        let never = |channel: &&u32| self.arrives[**channel as usize] != self.walk;
        match self.order.iter().find(never) {
            None => Ok(()),
            Some(&channel) => {
                let source = self.source[channel as usize];
                Err(AuditError::Lost {
                    source_name: routed.terminals[source as usize].name.clone(),
                    destination: routed.terminals[destination as usize].name.clone(),
                    channel: routed.channel_in_words(channel),
                })
            }
        }
    }
}
