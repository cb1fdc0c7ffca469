//! The queues of all channels: lists through the packets themselves, since a packet waits in one place.

/// The end of a list.
const NOBODY: u32 = u32::MAX;

/// A queue without bound for each channel.
pub(super) struct Queues {
    /// The packet in front of each queue, and the last.
    front: Vec<u32>,
    back: Vec<u32>,
    length: Vec<u32>,
    /// The packet behind each packet.
    behind: Vec<u32>,
    /// The channels that packets wait for.
    used: Vec<u32>,
}

impl Queues {
    /// Empty ones for so many channels.
    pub fn new(links: usize) -> Self {
        Self {
            front: vec![NOBODY; links],
            back: vec![NOBODY; links],
            length: vec![0; links],
            behind: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Makes room for so many packets.
    pub fn fit(&mut self, packets: usize) {
        self.behind.resize(packets, NOBODY);
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Number of packets that wait for the channel that most wait for.
    pub fn longest(&self) -> u32 {
        self.used.iter().map(|&link| self.length[link as usize]).max().unwrap_or(0)
    }

    /// A packet comes last for a channel.
    pub fn push(&mut self, link: u32, packet: u32) {
        let at = link as usize;
        self.behind[packet as usize] = NOBODY;
        match self.length[at] {
            0 => {
                self.used.push(link);
                self.front[at] = packet;
            }
            _ => self.behind[self.back[at] as usize] = packet,
        }
        self.back[at] = packet;
        self.length[at] += 1;
    }

    /// Takes one packet for each channel that some wait for: the first of those of the greatest `rank`.
    /// `None` as the rank stands for the same of all.
    pub fn pop_each(&mut self, rank: Option<&dyn Fn(u32) -> usize>, into: &mut Vec<u32>) {
        let mut used = std::mem::take(&mut self.used);
        used.retain(|&link| {
            let before = rank.map_or(NOBODY, |rank| self.before_best(link, rank));
            into.push(self.take_behind(link as usize, before));
            self.length[link as usize] > 0
        });
        self.used = used;
    }

    /// Packet before the first one of the greatest rank; [`NOBODY`] before the front.
    fn before_best(&self, link: u32, rank: &dyn Fn(u32) -> usize) -> u32 {
        let mut last = self.front[link as usize];
        let (mut best, mut before) = (rank(last), NOBODY);
        loop {
            let next = self.behind[last as usize];
            if next == NOBODY {
                return before;
            }
            let next_rank = rank(next);
            if next_rank > best {
                (best, before) = (next_rank, last);
            }
            last = next;
        }
    }

    /// Takes out who stands behind `before`, or the front.
    fn take_behind(&mut self, link: usize, before: u32) -> u32 {
        let packet = match before {
            NOBODY => self.front[link],
            before => self.behind[before as usize],
        };
        let after = self.behind[packet as usize];
        match before {
            NOBODY => self.front[link] = after,
            before => self.behind[before as usize] = after,
        }
        if after == NOBODY {
            self.back[link] = before;
        }
        self.length[link] -= 1;
        packet
    }
}
