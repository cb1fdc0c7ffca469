//! Loads: how many routes of all pairs cross each channel, and at which step.

use super::follow::follow;
use super::order::Channel;
use super::routes::Routes;
use crate::formula::{Formula, TooLarge};
use crate::question::Balanced;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// Uses of each channel at each step, counted from 0. A channel's node is an orbit representative:
/// as many routes cross each channel of a representative as routes from the representatives cross
/// the channels of its orbit in all.
pub struct Loads {
    uses: BTreeMap<(Channel, u32), Vec<Lit>>,
    channels: Vec<Channel>,
    steps: u32,
}

impl Loads {
    /// Follows every route that is short enough.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(formula: &mut Formula, routes: &Routes) -> Result<Self, TooLarge> {
        let mut uses: BTreeMap<(Channel, u32), Vec<Lit>> = BTreeMap::new();
        for pair in routes.counted() {
            formula.check_size()?;
            follow(formula, routes, pair, |(at, p), step, used| {
                uses.entry(((routes.orbits.of(at), p), step)).or_default().push(used);
            });
        }
        let nodes: Vec<u32> = routes.sources();
        let there = |&(node, p): &Channel| !routes.failed.contains(&(node ^ 1 << p));
        let all = nodes.into_iter().flat_map(|node| (0..routes.k).map(move |p| (node, p)));
        Ok(Self { uses, channels: all.filter(there).collect(), steps: routes.k + routes.slack })
    }

    fn of(&self, channel: Channel, steps: std::ops::Range<u32>) -> Vec<Lit> {
        let uses = |step| self.uses.get(&(channel, step)).into_iter().flatten().copied();
        steps.flat_map(uses).collect()
    }

    /// At most so many routes over each channel.
    pub fn bound(&self, formula: &mut Formula, most: u32) {
        for &channel in &self.channels {
            formula.at_most(&self.of(channel, 0..self.steps), most as usize);
        }
    }

    /// Loads at most `apart` from each other. `totals` are the least and the most uses of all
    /// channels at each step that a relation has.
    pub fn balance(
        &self,
        formula: &mut Formula,
        scope: Balanced,
        apart: u32,
        totals: &[(u64, u64)],
    ) {
        let in_all = totals.iter().fold((0, 0), |all, step| (all.0 + step.0, all.1 + step.1));
        // Without channels there is nothing to balance: no pair has a route then.
        if self.channels.is_empty() || u64::from(apart) >= in_all.1 {
            return;
        }
        match scope {
            Balanced::Total => {
                self.even(formula, 0..self.steps, apart, in_all);
            }
            Balanced::PerStep => {
                for (step, &total) in (0..).zip(totals) {
                    self.even(formula, step..step + 1, apart, total);
                }
            }
        }
    }

    fn even(
        &self,
        formula: &mut Formula,
        steps: std::ops::Range<u32>,
        apart: u32,
        (fewest, most): (u64, u64),
    ) {
        let channels = self.channels.len() as u64;
        // The least load is one of these: it is no more than the mean, and the greatest no less.
        let leasts = fewest.div_ceil(channels).saturating_sub(u64::from(apart))..=most / channels;
        let chosen: Vec<Lit> = leasts.clone().map(|_| formula.fresh()).collect();
        formula.clause(chosen.iter().copied());
        for &channel in &self.channels {
            let uses = self.of(channel, steps.clone());
            formula.between(
                &uses,
                leasts.clone().zip(chosen.iter().copied()).map(|(least, chosen)| {
                    (chosen, least as usize, least as usize + apart as usize)
                }),
            );
        }
    }
}
