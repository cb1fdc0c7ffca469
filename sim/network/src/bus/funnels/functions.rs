//! The functions of a level's funnels, and a step in which packets try one of them.

use super::mesh::Mesh;
use super::{Medium, Packet, Rules};
use crate::bus::workload::BusWorkloadError;
use crate::traffic::random::Random;
use turnpike_bus::split_hash::SplitHash;

/// The functions of one group's funnels: by function, the place of each node.
pub(super) type Functions = Vec<Vec<u32>>;

/// The funnels to a level, and what stands there.
pub(super) struct Funnels {
    network: SplitHash,
    level: u32,
    /// By group of the level above.
    groups: Vec<Functions>,
    /// The phases of a step on a mesh of busses.
    mesh: Option<Mesh>,
    /// By node of the level, the packets of the batch that came to it.
    held: Vec<u32>,
    /// By node of the level, the packets that try it in this phase.
    tries: Vec<u32>,
    /// By node of the level, the packets that it understood in this step.
    understood: Vec<u32>,
}

impl Funnels {
    /// Functions of the funnels to a level, drawn.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn new(
        network: &SplitHash,
        level: u32,
        rules: Rules,
        random: &mut Random,
    ) -> Result<Self, BusWorkloadError> {
        let nodes = network.nodes() as usize;
        let mut funnels = Self {
            network: *network,
            level,
            groups: Vec::new(),
            mesh: None,
            held: vec![0; nodes],
            tries: vec![0; nodes],
            understood: vec![0; nodes],
        };
        funnels.draw(rules, random)?;
        Ok(funnels)
    }

    /// Draws all functions again.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn draw(&mut self, rules: Rules, random: &mut Random) -> Result<(), BusWorkloadError> {
        let groups = self.network.nodes() / self.network.group(self.level + 1);
        let mut shuffled = |order: &mut [u32]| random.shuffle(order);
        let draw = |_| self.network.draw(self.level, rules.hashing, &mut shuffled);
        self.groups = (0..groups).map(draw).collect();
        if rules.medium == Medium::Mesh {
            self.mesh = Some(Mesh::new(&self.network, self.level, &self.groups)?);
        }
        Ok(())
    }

    /// The level that they lead to.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Number of functions: the steps of a round.
    pub fn functions(&self) -> u32 {
        self.network.functions(self.level)
    }

    pub fn step_slots(&self) -> u64 {
        self.mesh.as_ref().map_or(1, Mesh::slots)
    }

    /// The phase of a step in which a packet is sent.
    fn phase(&self, packet: &Packet, function: u32) -> u32 {
        let above = self.network.group(self.level + 1);
        let Packet { at, .. } = *packet;
        let phase = |mesh: &Mesh| mesh.phase((at / above) as usize, function, at % above);
        self.mesh.as_ref().map_or(0, phase)
    }

    /// By group, its functions.
    #[cfg(test)]
    pub fn groups(&self) -> &[Functions] {
        &self.groups
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

    /// A step: these packets try a function. A place understands a packet that comes alone in a
    /// phase; it takes the packet if it understands no other in the step, and holds fewer than
    /// `room`. Those that are not taken are left in `trying`.
    pub fn step(
        &mut self,
        packets: &mut [Packet],
        trying: &mut Vec<usize>,
        function: u32,
        room: u32,
    ) {
        let sent = |&index: &usize| {
            let packet = &packets[index];
            (self.phase(packet, function), self.place(packet, function) as usize)
        };
        let sent: Vec<(u32, usize)> = trying.iter().map(sent).collect();
        let mut alone = vec![false; sent.len()];
        for phase in 0..self.mesh.as_ref().map_or(1, Mesh::phases) {
            let places = || sent.iter().zip(0..).filter(|((at, _), _)| *at == phase);
            places().for_each(|((_, place), _)| self.tries[*place] += 1);
            for ((_, place), index) in places().filter(|((_, place), _)| self.tries[*place] == 1) {
                self.understood[*place] += 1;
                alone[index] = true;
            }
            places().for_each(|((_, place), _)| self.tries[*place] = 0);
        }
        let mut each = sent.iter().zip(alone);
        trying.retain(|&index| {
            let (&(_, place), alone) = each.next().expect("each was sent");
            let taken = alone && self.understood[place] == 1 && self.held[place] < room;
            if taken {
                self.held[place] += 1;
                let packet = &mut packets[index];
                (packet.at, packet.on) = (place as u32, true);
            }
            !taken
        });
        sent.iter().for_each(|&(_, place)| self.understood[place] = 0);
    }

    pub fn round_slots(&self) -> u64 {
        self.step_slots() * u64::from(self.functions())
    }

    /// A round: each function once, until none is left. Its slots until then.
    pub fn round(&mut self, packets: &mut [Packet], trying: &mut Vec<usize>, room: u32) -> u64 {
        let mut slots = 0;
        for function in 0..self.functions() {
            if trying.is_empty() {
                break;
            }
            self.step(packets, trying, function, room);
            slots += self.step_slots();
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::funnels::OnLivelock;
    use crate::bus::funnels::tests::rules;
    use turnpike_bus::split_hash::Hashing;

    fn packets(network: &SplitHash, sinks: impl IntoIterator<Item = u32>) -> Vec<Packet> {
        let of = |(at, sink)| Packet { at, sink, on: false };
        let all: Vec<Packet> = (0..network.nodes()).zip(sinks).map(of).collect();
        all
    }

    fn rules_on(medium: Medium) -> Rules {
        Rules { medium, ..rules(1, Hashing::Own, OnLivelock::Stop) }
    }

    /// On a mesh a place that no two packets try in one step takes what it takes on busses of the
    /// network's own; beside them some that meet on these, and there come in unlike phases with
    /// one that met a third.
    #[test]
    fn a_step_on_a_mesh() {
        let network = SplitHash::new(8, 2, 2).unwrap();
        let (mut more, mut refused) = (0, 0);
        for seed in 0..40 {
            let step = |medium| {
                let mut random = Random::new(seed);
                let mut funnels = Funnels::new(&network, 1, rules_on(medium), &mut random).unwrap();
                let mut all = packets(&network, (0..64).map(|at| (at * 7 + seed as u32) % 64));
                let mut trying = funnels.begin(&all);
                let places: Vec<u32> = all.iter().map(|p| funnels.place(p, 2)).collect();
                funnels.step(&mut all, &mut trying, 2, 1);
                (all.iter().map(|packet| packet.on).collect::<Vec<_>>(), places)
            };
            let ((own, places), (mesh, other)) = (step(Medium::Own), step(Medium::Mesh));
            assert_eq!(places, other);
            for (index, place) in places.iter().enumerate() {
                assert!(mesh[index] || !own[index]);
                more += usize::from(mesh[index] && !own[index]);
                let taken = (0..64).filter(|&other| places[other] == *place && mesh[other]).count();
                assert!(taken <= 1);
                refused += usize::from(taken == 0);
            }
        }
        assert!(more > 0 && refused > 0, "{more} {refused}");
    }

    /// Packets get on whose place no other packet of their group to one part has, and no more than
    /// there is room.
    #[test]
    fn those_alone_get_on() {
        let network = SplitHash::new(8, 2, 2).unwrap();
        let mut funnels =
            Funnels::new(&network, 1, rules_on(Medium::Own), &mut Random::new(3)).unwrap();
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
            let mut funnels =
                Funnels::new(&network, 1, rules_on(Medium::Own), &mut Random::new(1)).unwrap();
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
