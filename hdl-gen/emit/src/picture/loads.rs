//! Loads of channels, and their colours in a picture.

use super::network::Channel;
use std::collections::{BTreeMap, HashMap};
use turnpike_network::topology::Node;

/// Levels above that of channels which carry nothing.
pub const LEVELS: usize = 6;
/// The level of all channels where all carry the same: none is busier than the others.
const ALIKE: usize = 2;

/// The load of every channel.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    of: HashMap<Channel, f64>,
    most: f64,
    /// Whether all are the same.
    alike: bool,
}

impl Loads {
    /// Loads of these channels.
    pub fn new(loads: impl IntoIterator<Item = (Channel, f64)>) -> Self {
        let of: HashMap<Channel, f64> = loads.into_iter().collect();
        let most = of.values().copied().fold(0.0, f64::max);
        let alike = of.values().all(|&load| load == most);
        Self { of, most, alike }
    }

    fn load(&self, channel: Channel) -> f64 {
        self.of.get(&channel).copied().unwrap_or(0.0)
    }

    /// The level of a channel: 0 for no load, [`LEVELS`] for the most, a low one where all are alike.
    pub fn level(&self, channel: Channel) -> usize {
        self.level_of(self.load(channel))
    }

    fn level_of(&self, load: f64) -> usize {
        match load > 0.0 {
            true if self.alike => ALIKE,
            // A hair less, so that rounding lifts none.
            true => ((load / self.most * LEVELS as f64 - 1e-9).ceil() as usize).clamp(1, LEVELS),
            false => 0,
        }
    }

    /// The load of a channel, to four digits behind the point.
    pub fn words(&self, channel: Channel) -> String {
        words(self.load(channel))
    }

    /// The load of all channels that leave a node.
    pub fn leaving(&self, node: Node) -> String {
        // In the order of the ports: sums of the same numbers are then the same.
        let of_node = self.of.iter().filter(|((from, _), _)| *from == node);
        let by_port: BTreeMap<_, f64> = of_node.map(|((_, port), load)| (*port, *load)).collect();
        words(by_port.values().sum())
    }

    /// The least and the largest load of each level that has channels.
    pub fn levels(&self) -> BTreeMap<usize, (f64, f64)> {
        let mut levels: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for &load in self.of.values() {
            let level = levels.entry(self.level_of(load));
            let (least, most) = level.or_insert((f64::INFINITY, 0.0));
            (*least, *most) = (least.min(load), most.max(load));
        }
        levels
    }
}

/// A load as people read it.
pub fn words(load: f64) -> String {
    let rounded = (load * 1e4).round() / 1e4;
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::topology::Port;

    #[test]
    fn the_largest_load_has_the_highest_level() {
        let channel = |port| (Node(0), Port(port));
        let all = [(channel(0), 0.0), (channel(1), 0.1), (channel(2), 0.3), (channel(3), 1.2)];
        let loads = Loads::new(all);
        assert_eq!([0, 1, 2, 3].map(|port| loads.level(channel(port))), [0, 1, 2, LEVELS]);
        assert_eq!(loads.words(channel(2)), "0.3");
        assert_eq!(loads.leaving(Node(0)), "1.6");
        let levels: Vec<_> = loads.levels().into_iter().collect();
        assert_eq!(levels[1], (1, (0.1, 0.1)));
        assert_eq!(levels.len(), 4);
    }

    #[test]
    fn equal_loads_are_of_a_low_level() {
        let loads = Loads::new((0..7).map(|port| ((Node(0), Port(port)), 1.0 / 3.0)));
        assert_eq!(loads.levels(), BTreeMap::from([(ALIKE, (1.0 / 3.0, 1.0 / 3.0))]));
    }
}
