//! Steps of all routes, walked or kept.

use super::Network;
use crate::states::every_step;
use turnpike_network::routing::walk::{RouteError, Step};
use turnpike_network::routing::walker::Walker;
use turnpike_network::topology::by_destination;

/// Steps kept at most: some 200 MB.
const MOST_STEPS: usize = 1 << 22;

/// Steps, up to [`MOST_STEPS`].
#[derive(Default)]
pub(super) struct Kept(Vec<Step>);

impl Kept {
    pub(super) fn keep(&mut self, step: &Step) {
        if self.0.len() <= MOST_STEPS {
            self.0.push(*step);
        }
    }

    /// All of them; `None` where they were too many.
    pub(super) fn whole(self) -> Option<Vec<Step>> {
        Some(self.0).filter(|steps| steps.len() <= MOST_STEPS)
    }
}

impl Network {
    /// Calls `visit` on every step that some packet takes from the sites of
    /// [`Network::symmetry`]: once for each state where nodes stand for themselves. Where routes go
    /// row by row on steps that stand for all ([`ByRows::each_step`]).
    ///
    /// # Errors
    /// None, for a network that was built: its routes arrive.
    pub fn each_step(&self, mut visit: impl FnMut(&Step)) -> Result<(), RouteError> {
        let walk = |visit: &mut dyn FnMut(&Step)| {
            let (topology, relation) = (&*self.topology, &self.relation);
            every_step(topology, relation, &self.symmetry, |_, _, _, step| visit(step)).map(drop)
        };
        if let Some(rows) = &self.by_rows {
            rows.each_step(&self.relation, visit);
            return Ok(());
        }
        // Where nodes stand for others routes are few, and walked as fast as read.
        if self.symmetry.is_by_translation() {
            return walk(&mut visit);
        }
        let steps = self.steps.get_or_init(|| {
            let mut steps = Kept::default();
            walk(&mut |step| steps.keep(step)).ok().and_then(|()| steps.whole())
        });
        match steps {
            Some(steps) => steps.iter().for_each(visit),
            None => walk(&mut visit)?,
        }
        Ok(())
    }
    /// Channels on the longest route.
    pub fn longest_route(&self) -> u32 {
        *self.longest_route.get_or_init(|| self.walk_for_longest())
    }
    fn walk_for_longest(&self) -> u32 {
        let remembers = !self.symmetry.is_by_translation();
        let mut walker = Walker::new(&*self.topology, &self.relation, remembers);
        let mut longest = 0;
        let sources = self.sources();
        let pairs = by_destination(&*self.topology, &sources);
        for ((source, destination), draw) in self.relation.with_each_route(pairs) {
            // Routes that do not arrive are refused before anything asks for their length.
            let length = walker.walk(source, destination, draw, |_| ());
            longest = longest.max(length.unwrap_or(0));
        }
        longest
    }
}
