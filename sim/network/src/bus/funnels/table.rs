//! Time table for the packets that a livelock leaves, known beforehand.
//!
//! Packets go level by level. Each takes the function whose place has the fewest of them so far;
//! then the packets are edges between the nodes that they leave and the places that they come to,
//! and a colour is a slot: as many slots as the most packets of one end, and no two packets meet. A
//! place may hold several.

use super::Packet;
use super::functions::Funnels;
use crate::bus::workload::BusWorkloadError;
use turnpike_bus::split_hash::SplitHash;
use turnpike_bus::time_table::TimeTableError;
use turnpike_bus::{Grid, TimeTable};
use turnpike_schedule::colouring::{Edge, colour};

/// Packets that were set aside on their way to a level, by the level.
#[derive(Default)]
pub(super) struct Rest {
    packets: Vec<(u32, Packet)>,
}

impl Rest {
    /// Sets aside those of a batch that did not get to a level.
    pub fn take(&mut self, level: u32, packets: &mut Vec<Packet>) {
        let left = packets.extract_if(.., |packet| !packet.on);
        self.packets.extend(left.map(|packet| (level, packet)));
    }

    /// Number of packets.
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// Brings them to their sinks on a mesh, by its own time table: the slots.
    ///
    /// # Errors
    /// As [`Rest::slots`].
    pub fn slots_on_mesh(self, network: &SplitHash) -> Result<u64, BusWorkloadError> {
        let grid = Grid::new(&vec![network.side(); network.levels() as usize])?;
        let words = self.packets.iter().map(|(_, packet)| (packet.at, packet.sink));
        let words: Vec<(u32, u32)> = words.filter(|(at, sink)| at != sink).collect();
        let table = TimeTable::new(&grid, &words)?;
        table.check(&grid, &words)?;
        Ok(table.slots() as u64)
    }

    /// Brings them to their sinks, through funnels from the highest level on: the slots of the
    /// time table.
    ///
    /// # Errors
    /// More packets than are coloured; [`BusWorkloadError::TimeTable`] never, unless the table is
    /// wrong.
    pub fn slots<'a>(
        self,
        network: &SplitHash,
        funnels: impl IntoIterator<Item = &'a Funnels>,
    ) -> Result<u64, BusWorkloadError> {
        let nodes = network.nodes();
        let mut slots = 0;
        let mut under_way: Vec<Packet> = Vec::new();
        for funnels in funnels {
            let here = self.packets.iter().filter(|(level, _)| *level == funnels.level());
            under_way.extend(here.map(|(_, packet)| *packet));
            let to = choose(funnels, nodes, &under_way);
            slots += moves(nodes, &mut under_way, &to)?;
        }
        let sinks: Vec<u32> = under_way.iter().map(|packet| packet.sink).collect();
        Ok(slots + moves(nodes, &mut under_way, &sinks)?)
    }
}

/// A place for each packet.
fn choose(funnels: &Funnels, nodes: u32, packets: &[Packet]) -> Vec<u32> {
    let mut held = vec![0u32; nodes as usize];
    let place = |packet: &Packet| {
        let places = (0..funnels.functions()).map(|function| funnels.place(packet, function));
        let place = places.min_by_key(|&place| held[place as usize]);
        let place = place.expect("funnels have functions");
        held[place as usize] += 1;
        place
    };
    packets.iter().map(place).collect()
}

/// Moves each packet to a node of the next level: the slots.
fn moves(nodes: u32, packets: &mut [Packet], to: &[u32]) -> Result<u64, BusWorkloadError> {
    let edge = |(packet, &right): (&Packet, &u32)| Edge { left: packet.at, right, copies: 1 };
    let edges: Vec<Edge> = packets.iter().zip(to).map(edge).collect();
    let slots = colour(nodes, nodes, &edges)?;
    let mut came = vec![false; packets.len()];
    for slot in 0..slots.colours() {
        let class = slots.class(slot);
        check(class.iter().map(|&index| &edges[index as usize]), slot as usize)?;
        class.iter().for_each(|&index| came[index as usize] = true);
    }
    if let Some(word) = came.iter().position(|came| !came) {
        return Err(TimeTableError::Way { word, slot: 0 }.into());
    }
    packets.iter_mut().zip(to).for_each(|(packet, &to)| packet.at = to);
    Ok(slots.colours().into())
}

/// Whether no two of the moves of a slot leave one node, or come to one.
fn check<'a>(
    moves: impl Iterator<Item = &'a Edge> + Clone,
    slot: usize,
) -> Result<(), TimeTableError> {
    for end in [|edge: &Edge| edge.left, |edge: &Edge| edge.right] {
        let mut nodes: Vec<u32> = moves.clone().map(end).collect();
        nodes.sort_unstable();
        if let Some(pair) = nodes.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(TimeTableError::Meet { node: pair[0], slot });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::funnels::OnLivelock;
    use crate::bus::funnels::tests::rules;
    use crate::traffic::random::Random;
    use turnpike_bus::split_hash::Hashing;

    fn edge(left: u32, right: u32) -> Edge {
        Edge { left, right, copies: 1 }
    }

    #[test]
    fn moves_that_meet_are_found() {
        let meet = |node| Err(TimeTableError::Meet { node, slot: 7 });
        assert_eq!(check([edge(0, 1), edge(2, 3)].iter(), 7), Ok(()));
        assert_eq!(check([edge(0, 1), edge(2, 1)].iter(), 7), meet(1));
        assert_eq!(check([edge(2, 1), edge(2, 3)].iter(), 7), meet(2));
    }

    /// One packet takes a slot of each level; k from one node to one sink take k of the first and
    /// of the last, and one way each.
    #[test]
    fn slots_by_hand() {
        let network = SplitHash::new(8, 3, 2).unwrap();
        let mut random = Random::new(1);
        let rules = rules(1, Hashing::Own, OnLivelock::Table);
        let mut funnels = |level| Funnels::new(&network, level, rules, &mut random).unwrap();
        let all = [funnels(2), funnels(1)];
        for count in [0, 1, 5] {
            let mut packets = vec![Packet { at: 9, sink: 77, on: false }; count];
            let mut rest = Rest::default();
            rest.take(2, &mut packets);
            assert_eq!((rest.len(), packets.len()), (count, 0));
            let slots = rest.slots(&network, &all).unwrap();
            assert!(slots >= 2 * count as u64 + u64::from(count > 0), "{count} {slots}");
            assert!(slots <= 3 * count as u64, "{count} {slots}");
        }
        // One that is a level further takes a slot less.
        let mut rest = Rest::default();
        rest.take(1, &mut vec![Packet { at: 9, sink: 7, on: false }]);
        assert_eq!(rest.slots(&network, &all).unwrap(), 2);
        // A mesh of three dimensions takes five slots for packets that come from one node each.
        let mut rest = Rest::default();
        rest.take(
            1,
            &mut vec![Packet { at: 9, sink: 7, on: false }, Packet { at: 7, sink: 7, on: false }],
        );
        assert_eq!(rest.slots_on_mesh(&network).unwrap(), 5);
    }

    #[test]
    fn those_that_got_on_are_not_set_aside() {
        let mut packets =
            vec![Packet { at: 1, sink: 2, on: true }, Packet { at: 3, sink: 4, on: false }];
        let mut rest = Rest::default();
        rest.take(1, &mut packets);
        assert_eq!((rest.len(), packets.len()), (1, 1));
        assert!(packets[0].on);
    }
}
