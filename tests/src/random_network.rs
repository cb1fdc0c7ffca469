//! Networks at random, as a user's file may describe them.

use turnpike_base::hash::hash;
use turnpike_network::description::{Builder, Description, LooseEnd};

/// Marks the draws of this file among those of one seed.
const DRAWS: u64 = 300;
/// Marks the draws of registers on links.
const DELAYS: u64 = 302;

/// Random choices, the same for one seed everywhere.
pub(crate) struct Draw {
    seed: u64,
    /// Marks these draws among those of one seed.
    mark: u64,
    count: u64,
}

impl Draw {
    pub fn new(seed: u64, mark: u64) -> Self {
        Self { seed, mark, count: 0 }
    }

    /// 0 to `below - 1`.
    pub fn below(&mut self, below: usize) -> usize {
        self.count += 1;
        (hash(self.seed, &[self.mark, self.count]) % below as u64) as usize
    }

    /// Element of a list.
    pub fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// A connected network of so many switches, with 0 to 4 terminals at each, at least two in all.
/// Odd seeds: channels one way, along a ring through all switches and at random beside it. Even
/// seeds: links both ways, along a tree and at random beside it. Some terminals only send, some
/// only receive, and some receive elsewhere than where they send. On every third network some links
/// have registers.
///
/// # Panics
/// For fewer than two switches.
pub fn random_network(seed: u64, switches: usize) -> Description {
    let mut draw = Draw::new(seed, DRAWS);
    let mut network = Builder::default();
    let one_way = !seed.is_multiple_of(2);
    let mut delays = Draw::new(seed, DELAYS);
    let mut delays = || match seed % 3 {
        0 => [delays.below(3) as u32, delays.below(3) as u32],
        _ => [0; 2],
    };
    for switch in 0..switches {
        network.node(&format!("s{switch}")).unwrap();
    }
    let end = |node| LooseEnd { node, port: None };
    for switch in 1..switches {
        let to = if one_way { switch - 1 } else { draw.below(switch) };
        network.link(end(to), end(switch), !one_way, delays(), None).unwrap();
    }
    if one_way {
        network.link(end(switches - 1), end(0), false, delays(), None).unwrap();
    }
    // Short ways, so that a route fits into a header; parallel channels among them.
    for _ in 0..switches * if one_way { 2 } else { 1 } {
        let (from, to) = (draw.below(switches), draw.below(switches));
        if from != to {
            network.link(end(from), end(to), !one_way, delays(), None).unwrap();
        }
    }
    let mut terminals = 0;
    for switch in 0..switches {
        // Every switch but the first two may have none.
        let count = draw.below(5).max(usize::from(switch < 2));
        for _ in 0..count {
            let here = Some(switch);
            let (source, sink) = match (terminals, draw.below(10)) {
                (0 | 1, _) => (here, here),
                (_, 0) => (here, None),
                (_, 1) => (None, here),
                (_, 2) => (here, Some(draw.below(switches))),
                _ => (here, here),
            };
            network.terminal(&format!("t{terminals}"), source, sink).unwrap();
            terminals += 1;
        }
    }
    network.finish(&format!("random_{seed}")).unwrap()
}
