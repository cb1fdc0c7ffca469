//! Flow of a slotted fabric: its slots, and how long its words take at most.

use turnpike_network::topology::Terminal;

/// A flow: a source, a destination, and the slots of its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedFlow {
    /// Terminal that sends.
    pub source: Terminal,
    /// Terminal that takes the words.
    pub destination: Terminal,
    /// Slots in which its words are taken from the source, ascending, at least one.
    pub starts: Vec<u32>,
    /// Cycles from a word at `s_axis` in its slot to the same word at `m_axis`: the switches on its route,
    /// at least 1.
    pub cycles: u32,
}

impl SlottedFlow {
    /// The most cycles from the first word of a packet at `s_axis`, in any slot, to its last word at
    /// `m_axis`, in a frame of so many slots. The source offers nothing else between them. It is exact: a
    /// packet that is offered in the slot after some start takes as long.
    pub fn most_cycles(&self, words: u32, frame: u32) -> u64 {
        let count = self.starts.len() as u64;
        // Slot of the start of this number, the frames before it counted.
        let at = |number: u64| {
            number / count * u64::from(frame) + u64::from(self.starts[(number % count) as usize])
        };
        let spans = (0..count).map(|before| at(before + u64::from(words)) - at(before));
        spans.max().unwrap_or(0) - 1 + u64::from(self.cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against each slot in which a packet may be offered, counted slot by slot.
    #[test]
    fn the_longest_time_is_that_of_the_worst_slot() {
        for (frame, starts) in
            [(1, vec![0]), (5, vec![3]), (8, vec![0, 1, 5]), (7, vec![2, 3, 4, 6])]
        {
            let [source, destination] = [0, 1].map(Terminal);
            let flow = SlottedFlow { source, destination, starts, cycles: 3 };
            for words in 1..12 {
                let time = |offered: u32| {
                    let (mut left, mut slot) = (words, offered);
                    loop {
                        left -= u32::from(flow.starts.contains(&(slot % frame)));
                        if left == 0 {
                            break u64::from(slot - offered + flow.cycles);
                        }
                        slot += 1;
                    }
                };
                let worst = (0..frame).map(time).max();
                assert_eq!(Some(flow.most_cycles(words, frame)), worst, "{frame} {words}");
            }
        }
    }
}
