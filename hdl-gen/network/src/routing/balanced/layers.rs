//! Virtual channels that routes keep to, such that the channels of each wait for each other in no
//! cycle (Skeie, Lysne and Theiss, Layered shortest path routing, IPDPS 2002).

use crate::routing::MAX_VCS;

/// Dependencies between channels, by virtual channel. A *wait* is numbered by the channel that
/// waits and the output port of the one that it waits for.
#[derive(Debug)]
pub(super) struct Layers {
    ports: usize,
    /// By wait: the virtual channels, as bits, where it is; and where it would close a cycle.
    known: Vec<u8>,
    closed: Vec<u8>,
    /// By virtual channel and channel: the channels that it waits for.
    after: Vec<Vec<Vec<u32>>>,
    /// By channel: whether it was seen in a search, kept from one to the next.
    seen: Vec<bool>,
}

impl Layers {
    /// Layers without a dependency, of a network of so many channels by number, and ports of a
    /// node.
    pub fn new(channels: usize, ports: usize) -> Self {
        let waits = channels * ports;
        Self {
            ports,
            known: vec![0; waits],
            closed: vec![0; waits],
            after: Vec::new(),
            seen: vec![false; channels],
        }
    }

    /// Number of layers.
    pub fn count(&self) -> usize {
        self.after.len()
    }

    /// Whether one channel waits for the next on a virtual channel.
    pub fn waits(&self, layer: usize, from: usize, to: usize) -> bool {
        self.known[self.wait(from, to)] >> layer & 1 == 1
    }

    fn wait(&self, from: usize, to: usize) -> usize {
        from * self.ports + to % self.ports
    }

    /// Adds the waits of a path to a virtual channel, unless they would close a cycle.
    pub fn add(&mut self, layer: usize, path: &[usize]) -> bool {
        let closed = |pair: &[usize]| self.closed[self.wait(pair[0], pair[1])] >> layer & 1 == 1;
        if path.windows(2).any(closed) {
            return false;
        }
        let mut added: Vec<[usize; 2]> = Vec::new();
        for pair in path.windows(2) {
            if self.waits(layer, pair[0], pair[1]) {
                continue;
            }
            if self.leads(layer, pair[1], pair[0]) {
                if added.is_empty() {
                    let wait = self.wait(pair[0], pair[1]);
                    self.closed[wait] |= 1 << layer;
                }
                for [from, to] in added {
                    let wait = self.wait(from, to);
                    self.known[wait] &= !(1 << layer);
                    self.after[layer][from].pop();
                }
                return false;
            }
            let wait = self.wait(pair[0], pair[1]);
            self.known[wait] |= 1 << layer;
            self.after[layer][pair[0]].push(pair[1] as u32);
            added.push([pair[0], pair[1]]);
        }
        true
    }

    /// Adds a virtual channel, where there may be one more.
    pub fn open(&mut self) -> bool {
        let room = self.after.len() < usize::from(MAX_VCS);
        if room {
            self.after.push(vec![Vec::new(); self.seen.len()]);
        }
        room
    }

    fn leads(&mut self, layer: usize, from: usize, to: usize) -> bool {
        let mut found = vec![from];
        self.seen[from] = true;
        let (mut next, mut leads) = (0, false);
        while let Some(&at) = found.get(next) {
            next += 1;
            if at == to {
                leads = true;
                break;
            }
            for &after in &self.after[layer][at] {
                if !std::mem::replace(&mut self.seen[after as usize], true) {
                    found.push(after as usize);
                }
            }
        }
        found.into_iter().for_each(|channel| self.seen[channel] = false);
        leads
    }
}
