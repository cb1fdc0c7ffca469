//! The sizes that a topology takes: its parameters with their ranges, and limits of the whole.

use super::parameter::{DIM, MOST_PARAMETERS, NODES, Parameter, Sort, Value};
use super::{Size, TopologyError};

/// Parameter of a topology, with its range there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The parameter.
    pub parameter: &'static Parameter,
    /// Letter of the parameter where the topology is described: K of `--dim K`, or an example.
    pub letter: &'static str,
    /// The least value of a number.
    pub low: u32,
    /// The largest value of a number.
    pub high: u32,
}

impl Range {
    /// Range of a number.
    pub const fn of(
        parameter: &'static Parameter,
        letter: &'static str,
        (low, high): (u32, u32),
    ) -> Self {
        Self { parameter, letter, low, high }
    }

    /// Range of what is no number: its type has the limits.
    pub const fn whole(parameter: &'static Parameter, example: &'static str) -> Self {
        Self::of(parameter, example, (0, u32::MAX))
    }

    /// Whether there is more than one value.
    pub fn is_choice(&self) -> bool {
        self.low < self.high
    }
}

/// Limit of a size, beside the ranges of its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The largest dimension with RTL.
    Rtl(u32),
    /// The most nodes.
    Nodes(u32),
    /// The most terminals.
    Terminals(u32),
    /// The most terminals for a route at a time, and those of which all routes are walked.
    Analysed {
        /// Terminals for a route at a time.
        terminals: u32,
        /// Terminals of which all routes are walked.
        analysed: u32,
    },
    /// The most nodes for the figures of an analysis and a route at a time, and for all else.
    Routed {
        /// Nodes for figures and a route at a time.
        nodes: u32,
        /// Nodes for all else.
        routed: u32,
    },
    /// The ranges of the three numbers of a Clos network.
    Clos,
    /// The ranges alone.
    Ranges,
}

/// The sizes that a topology takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    ranges: [Option<Range>; MOST_PARAMETERS],
    /// Limit of the whole.
    pub limit: Limit,
    /// Small sizes and large ones, for tests; none where one number runs from its least.
    examples: [&'static [&'static str]; 2],
}

impl Sizes {
    /// The sizes of these parameters, in the order of the options.
    pub const fn of<const N: usize>(parameters: [Range; N], limit: Limit) -> Self {
        let mut ranges = [None; MOST_PARAMETERS];
        let mut at = 0;
        while at < N {
            ranges[at] = Some(parameters[at]);
            at += 1;
        }
        Self { ranges, limit, examples: [&[], &[]] }
    }

    /// The sizes of a dimension, up to the largest with RTL.
    pub const fn dim(least: u32, most: u32, rtl: u32) -> Self {
        Self::of([Range::of(&DIM, "K", (least, most))], Limit::Rtl(rtl))
    }

    /// The sizes of a number of nodes.
    pub const fn nodes(range: (u32, u32)) -> Self {
        Self::of([Range::of(&NODES, "N", range)], Limit::Ranges)
    }

    /// The sizes with examples: small ones, ascending, and the largest or some nearly as large. Each is
    /// the values, with a space between.
    pub const fn with_examples(
        self,
        small: &'static [&'static str],
        large: &'static [&'static str],
    ) -> Self {
        Self { examples: [small, large], ..self }
    }

    /// The parameters, in the order of the options.
    pub fn ranges(&self) -> impl Iterator<Item = Range> + use<> {
        self.ranges.into_iter().flatten()
    }

    /// Range of the dimension, where the size is one alone.
    pub fn only_dim(&self) -> Option<(u32, u32)> {
        self.only()
            .filter(|range| range.parameter.key == DIM.key)
            .map(|range| (range.low, range.high))
    }

    /// The parameter, where it is one alone.
    fn only(&self) -> Option<Range> {
        self.ranges[0].filter(|_| self.ranges[1].is_none())
    }

    /// The parameters in the order of the lines of a file ([`Size::keys`]).
    fn by_key(&self) -> Vec<Range> {
        let mut ranges: Vec<_> = self.ranges().collect();
        ranges.sort_by_key(|range| range.parameter.default.is_none());
        ranges
    }

    /// The keys of the lines that say a size of this sort ([`Size::keys`]).
    pub fn keys(&self) -> Vec<&'static str> {
        self.by_key().into_iter().map(|range| range.parameter.key).collect()
    }

    /// The size that the values of [`Sizes::keys`] say, in range or not.
    ///
    /// # Errors
    /// The place of the value that is no number, or no shape.
    pub fn of_keys(&self, values: &[&str]) -> Result<Size, usize> {
        let ranges = self.by_key();
        let value = |of: Range| {
            let at = ranges.iter().position(|own| *own == of).unwrap_or_default();
            let value = of.parameter.sort.parse(values[at]).ok_or(at)?;
            Ok((of.parameter, value))
        };
        Ok(Size::new(self.ranges().map(value).collect::<Result<Vec<_>, usize>>()?))
    }

    /// Whether a size is of this sort, in range or not.
    pub fn takes(&self, size: Size) -> bool {
        let own = self.ranges().map(|range| (range.parameter.key, range.parameter.sort));
        own.eq(size.values().map(|(parameter, value)| (parameter.key, value.sort())))
    }

    /// Checks the numbers of a size against their ranges.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`], [`TopologyError::Nodes`] or [`TopologyError::Range`] with the
    /// first that is outside, those first that may be left out.
    pub fn check(&self, topology: &'static str, size: Size) -> Result<(), TopologyError> {
        for Range { parameter, low, high, .. } in self.by_key() {
            let outside = |given: &u32| !(low..=high).contains(given);
            let Some(given) = size.number(parameter).filter(outside) else { continue };
            return Err(match self.only() {
                Some(only) if only.parameter.key == DIM.key => {
                    TopologyError::Dimension { topology, dimension: given, low, high }
                }
                Some(only) if only.parameter.key == NODES.key => {
                    TopologyError::Nodes { topology, nodes: given.into(), low, high }
                }
                _ => TopologyError::Range { topology, parameter, given, low, high },
            });
        }
        Ok(())
    }

    /// A few small sizes, ascending: what the tests of every crate go over.
    pub fn small(&self) -> Vec<Size> {
        match self.only() {
            Some(Range { parameter, low, high, .. }) if parameter.sort == Sort::Number => {
                (low..=high.min(low + 3)).map(|number| Size::of([(parameter, number)])).collect()
            }
            _ => self.examples(self.examples[0]),
        }
    }

    /// The largest sizes that are routed, or some that are nearly as large where they go by several
    /// numbers.
    pub fn large(&self) -> Vec<Size> {
        match self.only() {
            Some(Range { parameter, high, .. }) if parameter.sort == Sort::Number => {
                vec![Size::of([(parameter, high)])]
            }
            _ => self.examples(self.examples[1]),
        }
    }

    /// The sizes of these texts, of those in range.
    fn examples(&self, texts: &[&str]) -> Vec<Size> {
        let size = |text: &&str| {
            let words = self.ranges().zip(text.split(' '));
            let value = |(range, word): (Range, &str)| {
                let value = range.parameter.sort.parse(word).expect("an example is a size");
                (range.parameter, value)
            };
            Size::new(words.map(value))
        };
        texts.iter().map(size).filter(|&size| self.check("", size).is_ok()).collect()
    }

    /// The size of these values, by parameter; those left out have their defaults. `None` where one is
    /// missing.
    pub fn of_values(&self, mut given: impl FnMut(&Parameter) -> Option<Value>) -> Option<Size> {
        let value = |Range { parameter, .. }: Range| {
            let value = given(parameter).or(parameter.default.map(Value::Number))?;
            Some((parameter, value))
        };
        Some(Size::new(self.ranges().map(value).collect::<Option<Vec<_>>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TOPOLOGIES;

    #[test]
    fn sizes_are_read_back_from_their_lines() {
        for kind in TOPOLOGIES {
            for size in kind.sizes.small() {
                assert!(kind.sizes.takes(size));
                let lines = size.keys();
                let (keys, values): (Vec<_>, Vec<_>) =
                    lines.iter().map(|(key, value)| (*key, value.as_str())).unzip();
                assert_eq!(keys, kind.sizes.keys());
                assert_eq!(kind.sizes.of_keys(&values), Ok(size));
                for at in 0..values.len() {
                    let mut wrong = values.clone();
                    wrong[at] = "+2";
                    assert_eq!(kind.sizes.of_keys(&wrong), Err(at));
                }
            }
        }
    }

    #[test]
    fn each_topology_has_a_few_small_sizes_and_a_large_one() {
        for kind in TOPOLOGIES {
            assert!(kind.sizes.small().len() > 1, "{}", kind.name);
            assert!(!kind.sizes.large().is_empty(), "{}", kind.name);
        }
    }
}
