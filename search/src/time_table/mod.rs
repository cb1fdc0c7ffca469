//! Exact search for time tables ([`turnpike_schedule::time_table`]): whether there is one of so many slots,
//! and how few slots there can be.

pub mod check;
mod formula;
mod least;

pub use least::{Short, short};

use crate::solver::{Limits, Satisfiability, solve};
use std::io;
use turnpike_schedule::time_table::{Flows, FrameError, TimeTable, quick};

/// Verdict on a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    Table(TimeTable),
    /// No table fits the frame.
    None(WhyNone),
    /// A verdict that is not known: the solver reached its limits, or the formula is too large for
    /// it.
    NotDecided,
}

/// Reason that a frame has no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNone {
    /// A frame with fewer slots than the busiest channel has words.
    Bound,
    /// The route of this flow comes back to a channel, and its words meet there.
    MeetsItself(usize),
    /// The solver refuted the formula.
    BySolver,
}

/// A frame that could not be decided for want of something other than time.
#[derive(Debug, thiserror::Error)]
pub enum TimeTableError {
    /// No such frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The solver's, which has nothing to write and so gives none.
    #[error("internal error: the solver: {0}")]
    Solver(#[from] io::Error),
}

/// Whether there is a table of so many slots: quickly where that is easy, else by the solver. The same
/// flows and the same bound on conflicts give the same answer, unless a deadline or an interrupt comes first.
///
/// # Errors
/// [`TimeTableError`].
pub fn decide(flows: &Flows, frame: u32, limits: &Limits) -> Result<Frame, TimeTableError> {
    flows.check_frame(frame)?;
    if frame < flows.bound() {
        return Ok(Frame::None(WhyNone::Bound));
    }
    if let Some(flow) = flows.meets_itself(frame) {
        return Ok(Frame::None(WhyNone::MeetsItself(flow)));
    }
    match quick::table(flows, frame)? {
        Some(table) => Ok(Frame::Table(table)),
        None => by_solver(flows, frame, limits),
    }
}

/// Verdict on a frame of at least [`Flows::bound`] slots in which no flow meets itself, by the
/// solver alone.
fn by_solver(flows: &Flows, frame: u32, limits: &Limits) -> Result<Frame, TimeTableError> {
    let Some((formula, starts)) = formula::of(flows, frame) else {
        return Ok(Frame::NotDecided);
    };
    Ok(match solve(&formula, limits, None)? {
        Satisfiability::Satisfiable(model) => Frame::Table(starts.table(flows, &model)),
        Satisfiability::Unsatisfiable => Frame::None(WhyNone::BySolver),
        Satisfiability::Stopped => Frame::NotDecided,
    })
}
