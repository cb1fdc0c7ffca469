//! The functions of a level's funnels, and a step in which packets try one of them.

use super::Packet;
use crate::traffic::random::Random;
use turnpike_bus::split_hash::{Hashing, SplitHash};

/// The functions of one group's funnels: by function, the place of each node.
type Functions = Vec<Vec<u32>>;

/// The funnels to a level, and what stands there.
pub(super) struct Funnels {
    network: SplitHash,
    level: u32,
    /// By group of the level above.
    groups: Vec<Functions>,
    /// By node of the level, the packets of the batch that came to it.
    held: Vec<u32>,
    /// By node of the level, the packets that try it in this step.
    tries: Vec<u32>,
}

/// Draws the functions of the funnels from a group of level `level` + 1.
fn draw(network: &SplitHash, level: u32, hashing: Hashing, random: &mut Random) -> Functions {
    let nodes = network.group(level + 1);
    let mut order: Vec<u32> = (0..nodes).collect();
    random.shuffle(&mut order);
    let function = |function| {
        if function > 0 && hashing == Hashing::Own {
            random.shuffle(&mut order);
        }
        let block = network.block(level, function);
        let size = block.len() as u32;
        order.iter().map(|&at| block.start + at % size).collect()
    };
    (0..network.functions(level)).map(function).collect()
}

impl Funnels {
    /// Those to a level, drawn.
    pub fn new(network: &SplitHash, level: u32, hashing: Hashing, random: &mut Random) -> Self {
        let nodes = network.nodes() as usize;
        let mut funnels = Self {
            network: *network,
            level,
            groups: Vec::new(),
            held: vec![0; nodes],
            tries: vec![0; nodes],
        };
        funnels.draw(hashing, random);
        funnels
    }

    /// Draws all functions again.
    pub fn draw(&mut self, hashing: Hashing, random: &mut Random) {
        let groups = self.network.nodes() / self.network.group(self.level + 1);
        let draw = |_| draw(&self.network, self.level, hashing, random);
        self.groups = (0..groups).map(draw).collect();
    }

    /// The level that they lead to.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many functions there are: the steps of a round.
    pub fn functions(&self) -> u32 {
        self.network.functions(self.level)
    }

    /// The node of the level to which a function takes a packet that is one level above.
    pub fn place(&self, packet: &Packet, function: u32) -> u32 {
        let (above, here) = (self.network.group(self.level + 1), self.network.group(self.level));
        let Packet { at, sink, .. } = *packet;
        let functions = &self.groups[(at / above) as usize];
        sink / here * here + functions[function as usize][(at % above) as usize]
    }

    /// Counts what stands on the level of this batch; by index, the packets that do not yet.
    pub fn begin(&mut self, packets: &[Packet]) -> Vec<usize> {
        self.held.fill(0);
        packets.iter().filter(|p| p.on).for_each(|p| self.held[p.at as usize] += 1);
        (0..packets.len()).filter(|&index| !packets[index].on).collect()
    }

    /// Whether every place that a packet may go to holds `room` packets: it never gets on.
    pub fn is_shut_out(&self, packet: &Packet, room: u32) -> bool {
        (0..self.functions()).all(|f| self.held[self.place(packet, f) as usize] >= room)
    }

    /// A step: these packets try a function. One gets on if no other tries its place, and the place
    /// holds fewer than `room`. Those that do not are left in `trying`.
    pub fn step(
        &mut self,
        packets: &mut [Packet],
        trying: &mut Vec<usize>,
        function: u32,
        room: u32,
    ) {
        let places: Vec<u32> = trying.iter().map(|&i| self.place(&packets[i], function)).collect();
        places.iter().for_each(|&place| self.tries[place as usize] += 1);
        let mut at = places.iter();
        trying.retain(|&index| {
            let &place = at.next().expect("each has a place");
            let gets_on = self.tries[place as usize] == 1 && self.held[place as usize] < room;
            if gets_on {
                self.held[place as usize] += 1;
                let packet = &mut packets[index];
                (packet.at, packet.on) = (place, true);
            }
            !gets_on
        });
        places.iter().for_each(|&place| self.tries[place as usize] = 0);
    }

    /// A round: each function once, until none is left. The steps.
    pub fn round(&mut self, packets: &mut [Packet], trying: &mut Vec<usize>, room: u32) -> u64 {
        let mut steps = 0;
        for function in 0..self.functions() {
            if trying.is_empty() {
                break;
            }
            self.step(packets, trying, function, room);
            steps += 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(network: &SplitHash, sinks: impl IntoIterator<Item = u32>) -> Vec<Packet> {
        let of = |(at, sink)| Packet { at, sink, on: false };
        let all: Vec<Packet> = (0..network.nodes()).zip(sinks).map(of).collect();
        all
    }

    /// Of all packets of a group to one part those get on whose place no other has, and no more
    /// than there is room.
    #[test]
    fn those_alone_get_on() {
        let network = SplitHash::new(8, 2, 2).unwrap();
        let mut funnels = Funnels::new(&network, 1, Hashing::Own, &mut Random::new(3));
        let mut all = packets(&network, [0; 20]);
        let mut trying = funnels.begin(&all);
        let places: Vec<u32> = all.iter().map(|packet| funnels.place(packet, 1)).collect();
        assert!(places.iter().all(|place| network.block(1, 1).contains(place)));
        funnels.step(&mut all, &mut trying, 1, 1);
        for (packet, place) in all.iter().zip(&places) {
            let alone = places.iter().filter(|other| *other == place).count() == 1;
            assert_eq!((packet.on, packet.at == *place && packet.on), (alone, alone));
        }
        assert_eq!(trying.len(), all.iter().filter(|packet| !packet.on).count());
    }

    /// Two packets with one place of each function: the second gets on where there is room.
    #[test]
    fn full_places_shut_packets_out() {
        let network = SplitHash::new(4, 2, 2).unwrap();
        for room in [1, 2] {
            let mut funnels = Funnels::new(&network, 1, Hashing::Own, &mut Random::new(1));
            let mut all = packets(&network, [0, 1]);
            for index in 0..2 {
                assert!(!funnels.is_shut_out(&all[index], room));
                funnels.step(&mut all, &mut vec![index], 0, room);
            }
            assert_eq!((all[0].on, all[1].on), (true, room == 2));
            // The other functions have places that are free.
            assert!(!funnels.is_shut_out(&Packet { at: 1, sink: 1, on: false }, room));
        }
    }
}
