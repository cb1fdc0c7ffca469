//! A bound on the largest load that no routes can beat, and its certificate: a length for each channel.
//!
//! Take any lengths. A route of demand d is at least as long as the shortest one that it may take, and all
//! routes together, weighted by their loads, are as long as the channels weighted by theirs. So
//! sum over d of (load of d) x (least length of d) <= (largest load) x (sum of lengths). These lengths
//! are the dual of the linear relaxation, in which a demand may split over many routes (Shahrokhi and
//! Matula, The maximum concurrent flow problem, Journal of the ACM 37, 1990). They are found by rounds
//! in which loaded channels grow longer (Plotkin, Shmoys and Tardos, Fast approximation algorithms for
//! fractional packing and covering problems, 1991), and hold however they were found.

use super::question::{Measure, Question};
use crate::solver::Limits;
use turnpike_base::numbers::gcd;

/// Rounds of growing lengths.
const ROUNDS: u32 = 400;
/// Cuts that are tried at the end.
const CUTS: usize = 64;
/// Rate at which the channel with the largest load grows longer.
const RATE: f64 = 0.05;
/// The longest length.
const LONGEST: f64 = 1e6;

/// A length for each channel of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lengths(pub Vec<u64>);

impl Lengths {
    /// The lengths with the largest bound that was found within the limits.
    pub fn find(question: &Question, limits: &Limits) -> Self {
        let channels = question.channels.len();
        let mut grown = vec![0.0; channels];
        let mut best = Self(vec![1; channels]);
        let mut bound = Ratio(0, 1);
        let mut last = best.clone();
        let half = limits.share(2);
        for _ in 0..ROUNDS {
            if half.are_reached() {
                break;
            }
            let longest = grown.iter().copied().fold(0.0, f64::max);
            let length = |grown: &f64| (LONGEST * (grown - longest).exp()).round() as u64;
            last = Self(grown.iter().map(length).collect());
            let mut loads = vec![0u64; channels];
            let mut total = 0u128;
            for (at, demand) in question.demands.iter().enumerate() {
                let (length, route) = last.shortest(question, at);
                total += u128::from(demand.load) * u128::from(length);
                route.into_iter().for_each(|channel| loads[channel] += demand.load);
            }
            let ratio = Ratio(total, last.sum());
            if bound.is_less(ratio) {
                (bound, best) = (ratio, last.clone());
            }
            let most = loads.iter().copied().max().unwrap_or(0).max(1) as f64;
            for (grown, load) in grown.iter_mut().zip(loads) {
                *grown += RATE * load as f64 / most;
            }
        }
        // Where a cut is what counts, its channels have grown longest.
        for cut in last.cuts().take(CUTS) {
            if limits.are_reached() {
                break;
            }
            if best.bound(question) < cut.bound(question) {
                best = cut;
            }
        }
        best
    }

    /// The longest channels, with a length of 1 each: ever more of them.
    fn cuts(&self) -> impl Iterator<Item = Self> {
        let mut steps: Vec<u64> = self.0.iter().copied().filter(|&length| length > 0).collect();
        steps.sort_unstable();
        steps.dedup();
        let longest = |least: u64| Self(self.0.iter().map(|&own| (own >= least).into()).collect());
        steps.into_iter().rev().map(longest)
    }

    /// The least load of the most loaded channel that these lengths leave possible, in billionths of a
    /// flit per cycle. Loads are sums of those of demands, so it is a multiple of what divides all of them.
    pub fn bound(&self, question: &Question) -> u64 {
        let (total, sum) = (self.total(question), self.sum());
        let unit = question.unit();
        let least = total.div_ceil(sum.max(1)) as u64;
        least.div_ceil(unit) * unit
    }

    /// The fewest of the longest channels that alone are certificate enough of a larger load than `most`:
    /// each flow that must cross some of them, times how many, is more than they carry. `None` where no
    /// so many of the longest are.
    pub fn cut(&self, question: &Question, most: u64) -> Option<Self> {
        self.cuts().find(|cut| cut.total(question) > u128::from(most) * cut.sum())
    }

    /// Length of all routes at least, each weighted by the load of its demand.
    fn total(&self, question: &Question) -> u128 {
        let demands = question.demands.iter().enumerate();
        let lengths = demands.map(|(at, demand)| {
            u128::from(demand.load) * u128::from(self.shortest(question, at).0)
        });
        lengths.sum()
    }

    /// Length of all channels.
    pub fn sum(&self) -> u128 {
        self.0.iter().copied().map(u128::from).sum()
    }

    /// Least length of a route that a demand may take, and one of these routes.
    pub fn shortest(&self, question: &Question, demand: usize) -> (u64, Vec<usize>) {
        let reach = &question.reach[demand];
        let (from, to) = reach.places;
        // By number of channels: the least length to each node, and the last channel.
        let mut steps = vec![vec![None; reach.switches]];
        steps[0][from] = Some((0, usize::MAX));
        for step in 0..reach.longest as usize {
            let mut next: Vec<Option<(u64, usize)>> = vec![None; reach.switches];
            for (at, &(from, to)) in reach.ends.iter().enumerate() {
                let Some((length, _)) = steps[step][from] else { continue };
                let length = length + self.0[reach.channels[at]];
                if next[to].is_none_or(|(known, _)| length < known) {
                    next[to] = Some((length, at));
                }
            }
            steps.push(next);
        }
        let arrivals = steps.iter().enumerate().filter_map(|(step, at)| Some((at[to]?.0, step)));
        let (length, mut step) = arrivals.min().expect("the destination is in reach");
        let (mut route, mut at) = (Vec::new(), to);
        while step > 0 {
            let (_, by) = steps[step][at].expect("each step has one before it");
            route.push(reach.channels[by]);
            (at, step) = (reach.ends[by].0, step - 1);
        }
        route.reverse();
        (length, route)
    }
}

impl Question {
    /// Greatest divisor of the loads of all demands, in billionths of a flit per cycle: at least 1.
    pub fn unit(&self) -> u64 {
        self.demands.iter().fold(0, |unit, demand| gcd(unit, demand.load)).max(1)
    }

    /// Least difference of two values of a measure.
    pub fn step(&self, measure: Measure) -> u64 {
        if measure == Measure::MaxLoad { self.unit() } else { 1 }
    }
}

/// A fraction.
#[derive(Clone, Copy)]
struct Ratio(u128, u128);

impl Ratio {
    fn is_less(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}
