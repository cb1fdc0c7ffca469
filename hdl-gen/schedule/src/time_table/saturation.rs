//! The flow first that has the least choice left, as Brélaz colours graphs (*New Methods to Color the
//! Vertices of a Graph*, Communications of the ACM 22(4), 1979).

use super::{Flow, Flows, TimeTable};
use std::collections::BTreeSet;

/// Most steps: for each word and each channel on its way, the flows that use the channel.
const MOST_STEPS: u64 = 1 << 25;
/// Most that flows and slots come to, multiplied.
const MOST_CHOICES: u64 = 1 << 28;

/// A use of a channel: by which flow, and how far from its start.
type Use = (u32, u32);

/// A table of this frame; `None` where a word finds no slot, or where there are too many flows for
/// this. No flow [meets itself](Flows::meets_itself) in the frame.
pub(super) fn by_saturation(flows: &Flows, frame: u32) -> Option<TimeTable> {
    let list = flows.list();
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); flows.channels() as usize];
    for (at, Flow { route, .. }) in (0..).zip(list) {
        for (place, &channel) in (0..).zip(route) {
            uses[channel as usize].push((at, place % frame));
        }
    }
    let on_channel = |(uses, &load): (&Vec<Use>, &u32)| uses.len() as u64 * u64::from(load);
    let steps: u64 = uses.iter().zip(flows.loads()).map(on_channel).sum();
    if steps > MOST_STEPS || list.len() as u64 * u64::from(frame) > MOST_CHOICES {
        return None;
    }
    Choices::new(flows, frame).place(flows, &uses)
}

/// Choices that each flow has left.
struct Choices {
    frame: u32,
    /// By flow and slot, whether a word can start there.
    open: Vec<bool>,
    /// By flow, how many slots are open.
    left: Vec<u32>,
    /// By flow, words that have no slot yet.
    words: Vec<u32>,
    /// Flows with such words, the one to place next first.
    queue: BTreeSet<(i64, i64, u32)>,
    /// By flow, the most words on a channel of its route.
    busiest: Vec<u32>,
}

impl Choices {
    fn new(flows: &Flows, frame: u32) -> Self {
        let list = flows.list();
        let load = |&channel: &u32| flows.loads()[channel as usize];
        let busiest = |flow: &Flow| flow.route.iter().map(load).max().unwrap_or(0);
        let mut choices = Self {
            frame,
            open: vec![true; list.len() * frame as usize],
            left: vec![frame; list.len()],
            words: list.iter().map(|flow| flow.words).collect(),
            queue: BTreeSet::new(),
            busiest: list.iter().map(busiest).collect(),
        };
        choices.queue = (0..list.len() as u32).map(|at| choices.key(at)).collect();
        choices
    }

    /// By slots to spare; then the busiest channel first.
    fn key(&self, flow: u32) -> (i64, i64, u32) {
        let at = flow as usize;
        let spare = i64::from(self.left[at]) - i64::from(self.words[at]);
        (spare, -i64::from(self.busiest[at]), flow)
    }

    fn place(mut self, flows: &Flows, uses: &[Vec<Use>]) -> Option<TimeTable> {
        let mut starts = vec![Vec::new(); flows.list().len()];
        while let Some((spare, _, flow)) = self.queue.pop_first() {
            if spare < 0 {
                return None;
            }
            let at = flow as usize;
            let slots = self.open[at * self.frame as usize..][..self.frame as usize].iter();
            let start = (0..).zip(slots).find(|(_, open)| **open)?.0;
            starts[at].push(start);
            self.words[at] -= 1;
            if self.words[at] > 0 {
                self.queue.insert(self.key(flow));
            }
            for (place, &channel) in (0..).zip(&flows.list()[at].route) {
                let slot = (start + place % self.frame) % self.frame;
                for &(other, place) in &uses[channel as usize] {
                    self.close(other, (slot + self.frame - place) % self.frame);
                }
            }
        }
        starts.iter_mut().for_each(|starts: &mut Vec<u32>| starts.sort_unstable());
        Some(TimeTable { frame: self.frame, starts })
    }

    /// No word of the flow starts in this slot any more.
    fn close(&mut self, flow: u32, slot: u32) {
        let at = flow as usize;
        let place = at * self.frame as usize + slot as usize;
        if !std::mem::replace(&mut self.open[place], false) {
            return;
        }
        let waits = self.words[at] > 0;
        if waits {
            self.queue.remove(&self.key(flow));
        }
        self.left[at] -= 1;
        if waits {
            self.queue.insert(self.key(flow));
        }
    }
}
