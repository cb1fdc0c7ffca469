//! The figures of designs: cells, parts, logic cells, clock over several seeds.

use crate::cells::Cells;
use crate::design::Subject;
use crate::jobs;
use crate::parts::PartCells;
use crate::placement::Placement;
use crate::session::{FlowError, Session};

/// The figures of one design.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The cells of the flattened design.
    pub cells: Cells,
    /// The cells of its parts, each by itself.
    pub parts: PartCells,
    /// The device's logic cells that the design takes, packed; `None` without place and route.
    pub logic_cells: Option<u64>,
    /// Clock of the design; `None` without place and route, or where no seed was asked for.
    pub clock: Option<Clock>,
}

/// The clock of one design over several placements.
#[derive(Clone, PartialEq, Debug)]
pub struct Clock {
    /// From the slowest to the fastest; at least one.
    placements: Vec<Placement>,
}

impl Clock {
    /// The clock of these runs; `None` of none.
    pub fn of(mut placements: Vec<Placement>) -> Option<Self> {
        placements.sort_by(|a, b| a.mhz.total_cmp(&b.mhz).then(a.seed.cmp(&b.seed)));
        (!placements.is_empty()).then_some(Self { placements })
    }

    /// From the slowest run to the fastest.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The run in the middle; the slower one of two.
    pub fn median_run(&self) -> &Placement {
        &self.placements[(self.placements.len() - 1) / 2]
    }

    /// The median in MHz: the mean of the middle two of an even number.
    pub fn median(&self) -> f64 {
        let upper = &self.placements[self.placements.len() / 2];
        (self.median_run().mhz + upper.mhz) / 2.0
    }

    /// The slowest, in MHz.
    pub fn min(&self) -> f64 {
        self.placements[0].mhz
    }

    /// The fastest, in MHz.
    pub fn max(&self) -> f64 {
        self.placements[self.placements.len() - 1].mhz
    }
}

/// Number of steps that [`measure`] reports for so many designs.
pub fn steps(session: &Session, designs: usize, seeds: u32) -> u64 {
    let placements = if session.places() { 1 + u64::from(seeds) } else { 0 };
    designs as u64 * (2 + placements)
}

/// One piece of work, on the subject of that number.
#[derive(Clone, Copy)]
enum Job {
    Cells(usize),
    Parts(usize),
    Fit(usize),
    Place(usize, u32),
}

enum Outcome {
    Cells(Cells, Option<u64>),
    Parts(PartCells),
    Fits,
    Placed(Option<Placement>),
}

/// Measures designs, as many jobs at once as there are cores; seeds are 1 to `seeds`. Calls
/// `done` after every step. Synthesis comes first, so that what is too large is refused before
/// anything is placed.
///
/// # Errors
/// The first [`FlowError`].
pub fn measure(
    session: &Session,
    subjects: &[Subject],
    seeds: u32,
    done: impl Fn() + Sync,
) -> Result<Vec<Measured>, FlowError> {
    let placed = session.places() && seeds > 0;
    let all = 0..subjects.len();
    let first = all.clone().flat_map(|at| [Job::Cells(at), Job::Parts(at)]);
    let first: Vec<Job> = first.chain(all.clone().filter(|_| placed).map(Job::Fit)).collect();
    let second = all.filter(|_| placed).flat_map(|at| (1..=seeds).map(move |s| Job::Place(at, s)));
    let second: Vec<Job> = second.collect();
    let work = |job: &Job| -> Result<Outcome, FlowError> {
        let outcome = match *job {
            Job::Cells(at) => {
                let design = &subjects[at].design;
                let packed = session.pack(design)?;
                let cell = session.target.family.logic_cell();
                let used = packed.zip(cell).and_then(|(u, cell)| Some(u.resources.get(cell)?.used));
                Outcome::Cells(session.cells(design)?, used)
            }
            Job::Parts(at) => {
                Outcome::Parts(PartCells::of(&session.cells_by_module(&subjects[at].design)?))
            }
            Job::Fit(at) => {
                session.check_fit(&subjects[at].harnessed)?;
                Outcome::Fits
            }
            Job::Place(at, seed) => Outcome::Placed(session.place(&subjects[at].harnessed, seed)?),
        };
        done();
        Ok(outcome)
    };
    let mut measured = vec![
        Measured {
            cells: Cells::default(),
            parts: PartCells::default(),
            logic_cells: None,
            clock: None
        };
        subjects.len()
    ];
    let mut placements: Vec<Vec<Placement>> = vec![Vec::new(); subjects.len()];
    for jobs in [first, second] {
        for (job, outcome) in jobs.iter().zip(jobs::run(&jobs, work)?) {
            let (Job::Cells(at) | Job::Parts(at) | Job::Fit(at) | Job::Place(at, _)) = *job;
            match outcome {
                Outcome::Cells(cells, logic) => {
                    (measured[at].cells, measured[at].logic_cells) = (cells, logic);
                }
                Outcome::Parts(parts) => measured[at].parts = parts,
                Outcome::Fits => {}
                Outcome::Placed(placement) => placements[at].extend(placement),
            }
        }
    }
    for (measured, placements) in measured.iter_mut().zip(placements) {
        measured.clock = Clock::of(placements);
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::CriticalPath;

    fn clock(rates: &[f64]) -> Clock {
        let path = CriticalPath {
            from: "a".into(),
            to: "b".into(),
            levels: 1,
            ns: 1.0,
            logic_ns: 0.5,
            routing_ns: 0.5,
        };
        let run = |(&mhz, seed)| Placement { seed, mhz, critical_path: path.clone() };
        Clock::of(rates.iter().zip(1..).map(run).collect()).unwrap()
    }

    #[test]
    fn median_and_range() {
        let odd = clock(&[90.0, 110.0, 100.0]);
        assert_eq!((odd.median(), odd.min(), odd.max()), (100.0, 90.0, 110.0));
        assert_eq!(odd.median_run().seed, 3);
        let even = clock(&[90.0, 110.0, 100.0, 80.0]);
        assert_eq!((even.median(), even.median_run().mhz), (95.0, 90.0));
        assert_eq!(clock(&[70.0]).median(), 70.0);
        assert_eq!(Clock::of(Vec::new()), None);
    }
}
