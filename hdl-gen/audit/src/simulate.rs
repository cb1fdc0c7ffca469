//! Small simulator of wormholes, flit by flit: shows that packets stop.
//!
//! In each cycle each channel takes a flit at most. A head flit takes a channel that no other packet
//! holds and that has room; the channel is held from a packet's first flit to its last. Sinks take
//! what they are offered; a terminal that takes a message of a class with one behind it takes no
//! other of that class until it has sent one.

use crate::model::Routed;
use crate::traffic::Traffic;
use turnpike_base::random::Random;

/// Flits that a queue holds.
pub const DEPTH: usize = 4;

/// A packet of a trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packet {
    /// Cycle in which it begins to enter, from 0.
    pub cycle: u64,
    /// Terminal that sends it.
    pub source: u32,
    /// Terminal that takes it.
    pub destination: u32,
    /// Message class.
    pub class: u32,
    /// Flits of the packet.
    pub flits: u32,
    /// Whether the terminal sends it only when it has taken a message that it comes after.
    pub answers: bool,
}

/// A flit in a queue: packet, whether it is the first, whether it is the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Flit {
    packet: u32,
    first: bool,
    last: bool,
}

/// State of a network.
struct Run<'a> {
    routed: &'a Routed,
    traffic: &'a Traffic,
    packets: &'a [Packet],
    queues: Vec<std::collections::VecDeque<Flit>>,
    /// By channel, the packet that holds it.
    holder: Vec<Option<u32>>,
    /// By channel, where the packet at its head goes: a channel, or out.
    way: Vec<Option<Out>>,
    /// By packet, flits that have entered, and the channel that they enter by.
    entered: Vec<(u32, Option<Out>)>,
    /// By terminal and class, messages that were taken, and those that were answered.
    taken: Vec<[u32; 2]>,
    /// By terminal and class, the packet that is being taken.
    taking: Vec<Option<u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Out {
    Channel(u32),
    Sink,
}

/// Whether the packets stop for ever, in a run with draws of a seed.
pub fn stops(routed: &Routed, traffic: &Traffic, packets: &[Packet], seed: u64) -> bool {
    let channels = routed.channels.len();
    let places = routed.terminals.len() * traffic.class_count();
    let mut run = Run {
        routed,
        traffic,
        packets,
        queues: vec![std::collections::VecDeque::new(); channels],
        holder: vec![None; channels],
        way: vec![None; channels],
        entered: vec![(0, None); packets.len()],
        taken: vec![[0; 2]; places],
        taking: vec![None; places],
    };
    let mut random = Random::new(seed);
    let last = packets.iter().map(|packet| packet.cycle).max().unwrap_or(0);
    let flits: u64 = packets.iter().map(|packet| u64::from(packet.flits)).sum();
    let most = last + (flits + 1) * (channels as u64 + 2);
    for cycle in 0..=most {
        let moved = run.cycle(cycle, &mut random);
        if !moved && cycle >= last {
            return run.queues.iter().any(|queue| !queue.is_empty());
        }
    }
    false
}

impl Run<'_> {
    fn place(&self, terminal: u32, class: u32) -> usize {
        terminal as usize * self.traffic.class_count() + class as usize
    }

    /// Way of the head of a packet at a switch, if it can move: a free channel, drawn where there are
    /// several.
    fn choose(&self, packet: u32, switch: u32, table: u32, random: &mut Random) -> Option<Out> {
        let Packet { destination, class, .. } = self.packets[packet as usize];
        if self.routed.terminals[destination as usize].sink == Some(switch) {
            let place = self.place(destination, class);
            let is_waiting =
                self.has_behind(destination, class) && self.taken[place][0] > self.taken[place][1];
            return (self.taking[place].is_none() && !is_waiting).then_some(Out::Sink);
        }
        let next = self.routed.tables.next(table, destination);
        let free: Vec<u32> =
            next.iter().copied().filter(|&next| self.holder[next as usize].is_none()).collect();
        match free.len() {
            0 => None,
            several => Some(Out::Channel(free[random.below(several as u32) as usize])),
        }
    }

    /// Whether a terminal has messages of a class behind this one yet to send.
    fn has_behind(&self, terminal: u32, class: u32) -> bool {
        let comes_after = |other: u32| {
            let own = self.traffic.classes.get(other as usize);
            own.is_some_and(|own| own.after.contains(&(class as usize)))
        };
        let is_left = |(p, entered): (&Packet, &(u32, Option<Out>))| {
            p.answers && p.source == terminal && comes_after(p.class) && entered.0 < p.flits
        };
        self.packets.iter().zip(&self.entered).any(is_left)
    }

    fn cycle(&mut self, cycle: u64, random: &mut Random) -> bool {
        let mut moved = false;
        let room: Vec<bool> = self.queues.iter().map(|queue| queue.len() < DEPTH).collect();
        let mut filled = vec![false; room.len()];
        // Flits that arrive now are seen in the next cycle.
        let heads: Vec<Option<Flit>> = self.queues.iter().map(|q| q.front().copied()).collect();
        let start = random.below(heads.len().max(1) as u32) as usize;
        for at in (0..heads.len()).map(|at| (at + start) % heads.len()) {
            let Some(flit) = heads[at] else { continue };
            let channel = &self.routed.channels[at];
            if flit.first && self.way[at].is_none() {
                let table = self.routed.of_channel[at];
                self.way[at] = self.choose(flit.packet, channel.to, table, random);
                self.hold(self.way[at], flit.packet);
            }
            let Some(out) = self.way[at] else { continue };
            if self.put(out, flit, &room, &mut filled) {
                self.queues[at].pop_front();
                moved = true;
                if flit.last {
                    self.way[at] = None;
                }
            }
        }
        moved | self.enter(cycle, &room, &mut filled, random)
    }

    fn hold(&mut self, out: Option<Out>, packet: u32) {
        match out {
            Some(Out::Channel(next)) => self.holder[next as usize] = Some(packet),
            Some(Out::Sink) => {
                let Packet { destination, class, .. } = self.packets[packet as usize];
                let place = self.place(destination, class);
                self.taking[place] = Some(packet);
            }
            None => {}
        }
    }

    /// Moves a flit, if there is room for it.
    fn put(&mut self, out: Out, flit: Flit, room: &[bool], filled: &mut [bool]) -> bool {
        match out {
            Out::Channel(next) => {
                let next = next as usize;
                if !room[next] || std::mem::replace(&mut filled[next], true) {
                    return false;
                }
                self.queues[next].push_back(flit);
                if flit.last {
                    self.holder[next] = None;
                }
            }
            Out::Sink => {
                let Packet { destination, class, .. } = self.packets[flit.packet as usize];
                let place = self.place(destination, class);
                if flit.last {
                    self.taking[place] = None;
                    self.taken[place][0] += 1;
                }
            }
        }
        true
    }

    /// Flits that enter: of each terminal and class the first packet that is not yet in.
    fn enter(
        &mut self,
        cycle: u64,
        room: &[bool],
        filled: &mut [bool],
        random: &mut Random,
    ) -> bool {
        let mut moved = false;
        let mut begun = vec![false; self.taken.len()];
        for at in 0..self.packets.len() {
            let packet = self.packets[at];
            let (entered, way) = self.entered[at];
            let place = self.place(packet.source, packet.class);
            if entered == packet.flits || std::mem::replace(&mut begun[place], true) {
                continue;
            }
            let Some(switch) = self.routed.terminals[packet.source as usize].source else {
                continue;
            };
            let after = self.traffic.classes.get(packet.class as usize).map(|own| &own.after);
            let owed = after.into_iter().flatten().find_map(|&before| {
                let place = self.place(packet.source, before as u32);
                (self.taken[place][0] > self.taken[place][1]).then_some(place)
            });
            if packet.cycle > cycle || packet.answers && entered == 0 && owed.is_none() {
                continue;
            }
            let way = match way {
                Some(way) => Some(way),
                None => {
                    let table = self.routed.injection(packet.class as usize, switch);
                    let way = self.choose(at as u32, switch, table, random);
                    self.hold(way, at as u32);
                    way
                }
            };
            self.entered[at].1 = way;
            let Some(way) = way else { continue };
            let first = entered == 0;
            let last = entered + 1 == packet.flits;
            if self.put(way, Flit { packet: at as u32, first, last }, room, filled) {
                self.entered[at].0 += 1;
                moved = true;
                if let Some(owed) = owed.filter(|_| last && packet.answers) {
                    self.taken[owed][1] += 1;
                }
            }
        }
        moved
    }
}
