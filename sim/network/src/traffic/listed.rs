//! Traffic of listed messages: each source draws among its own, in proportion to their words.

use super::ends::{Ends, Sender};
use super::pattern::Pattern;
use super::random::Random;

/// Messages from one terminal to another, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The terminal that sends.
    pub source: u32,
    /// The terminal that takes them.
    pub sink: u32,
    /// Number of messages, 1 or more: of those of a source each is as likely.
    pub words: u32,
}

/// By number of the source: its sinks, each with the words of all up to it.
#[derive(Debug)]
pub(super) struct ByWords(Vec<Vec<(u32, u32)>>);

impl ByWords {
    /// The pattern of these messages; those from or to a terminal that has no such end are left out.
    pub(super) fn new(ends: &Ends, messages: &[Listed]) -> Self {
        let mut of_source = vec![Vec::new(); ends.sources.len()];
        for message in messages {
            let source = ends.sources.binary_search(&message.source);
            let (Ok(source), Some(sink)) = (source, ends.sink(message.sink)) else { continue };
            let sinks: &mut Vec<(u32, u32)> = &mut of_source[source];
            let before = sinks.last().map_or(0, |&(_, words)| words);
            sinks.push((sink, before + message.words));
        }
        Self(of_source)
    }
}

impl Pattern for ByWords {
    fn destination(&mut self, source: Sender, random: &mut Random) -> Option<u32> {
        let sinks = self.0.get(source.number as usize)?;
        match sinks[..] {
            // Nothing to draw.
            [(sink, _)] => Some(sink),
            _ => {
                let &(_, words) = sinks.last()?;
                let drawn = random.below(words);
                let place = sinks.partition_point(|&(_, words)| words <= drawn);
                Some(sinks[place].0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{Bernoulli, Traffic, TrafficConfig};
    use std::collections::BTreeMap;

    /// Each source sends what it has, as often as it has it; one without messages is silent.
    #[test]
    fn messages_are_drawn_by_their_words() {
        let of = |source, sink, words| Listed { source, sink, words };
        let messages = vec![of(2, 7, 1), of(5, 2, 3), of(5, 5, 1), of(7, 2, 1)];
        let ends = Ends { sources: vec![2, 5, 6], sinks: vec![2, 5, 7], ..Ends::all(9) };
        let config = TrafficConfig {
            pattern: "some.pattern".to_owned(),
            messages,
            load: 1.0,
            ..TrafficConfig::default()
        };
        let mut traffic = Bernoulli::new(ends, &config).unwrap();
        let mut released = Vec::new();
        (0..4000).for_each(|cycle| traffic.release(cycle, &mut released));
        let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        released.iter().for_each(|r| *counts.entry((r.source, r.destination)).or_default() += 1);
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [(2, 7), (5, 2), (5, 5)]);
        assert_eq!((counts[&(2, 7)], counts[&(5, 2)] + counts[&(5, 5)]), (4000, 4000));
        assert!((2800..3200).contains(&counts[&(5, 2)]), "{counts:?}");
        assert_eq!(traffic.description().pattern, "some.pattern");
    }
}
