//! The formula that says: there is a table of so many slots.

use crate::formula::Formula;
use crate::solver::Model;
use rustsat::types::Lit;
use turnpike_schedule::time_table::{Flow, Flows, TimeTable};

/// Most clauses: larger formulas take the solver hundreds of megabytes, and longer than anyone waits.
const MOST_CLAUSES: u64 = 2_000_000;

/// Literals, for each flow and each slot, that a word of the flow starts there.
pub(super) struct Starts {
    frame: u32,
    lits: Vec<Lit>,
}

impl Starts {
    fn of(&self, flow: usize) -> &[Lit] {
        let frame = self.frame as usize;
        &self.lits[flow * frame..][..frame]
    }

    /// The table of a model. More words than a flow has are left out.
    pub fn table(&self, flows: &Flows, model: &Model) -> TimeTable {
        let of = |(at, flow): (usize, &Flow)| {
            let held = (0..).zip(self.of(at)).filter(|(_, lit)| model.holds(**lit));
            held.map(|(slot, _)| slot).take(flow.words as usize).collect()
        };
        TimeTable { frame: self.frame, starts: flows.list().iter().enumerate().map(of).collect() }
    }
}

/// The formula of a frame of at least [`Flows::bound`] slots in which no flow meets itself; `None` where
/// it would be too large.
pub(super) fn of(flows: &Flows, frame: u32) -> Option<(Formula, Starts)> {
    let list = flows.list();
    let on_routes: u64 = list.iter().map(|flow| flow.route.len() as u64).sum();
    // Each use of a channel in each slot is in up to three.
    if 3 * on_routes * u64::from(frame) > MOST_CLAUSES {
        return None;
    }
    let mut formula = Formula::default();
    let lits = (0..list.len() * frame as usize).map(|_| formula.fresh()).collect();
    let starts = Starts { frame, lits };
    for (at, flow) in list.iter().enumerate() {
        match flow.words {
            1 => formula.clause(starts.of(at).iter().copied()),
            several => formula.at_least(starts.of(at), several as usize),
        }
    }
    let mut uses: Vec<Vec<(usize, u32)>> = vec![Vec::new(); flows.channels() as usize];
    for (at, Flow { route, .. }) in list.iter().enumerate() {
        for (place, &channel) in (0..).zip(route) {
            uses[channel as usize].push((at, place % frame));
        }
    }
    for (uses, &load) in uses.iter().zip(flows.loads()) {
        for slot in 0..frame {
            let at = |&(flow, place): &(usize, u32)| {
                starts.of(flow)[((slot + frame - place) % frame) as usize]
            };
            let meeting: Vec<Lit> = uses.iter().map(at).collect();
            formula.at_most_one(&meeting);
            if load == frame {
                // It follows, and the solver would have to count to find out.
                formula.clause(meeting);
            }
        }
    }
    // Around the frame a table can be turned: one word may as well start in slot 0.
    let busiest = flows.busiest()?;
    let flow = list.iter().position(|flow| flow.route.contains(&busiest))?;
    formula.clause([starts.of(flow)[0]]);
    formula.check_size().is_ok().then_some((formula, starts))
}
