//! Least number of slots.

use super::{Frame, TimeTableError, by_solver};
use crate::solver::Limits;
use turnpike_schedule::time_table::{Flows, TimeTable, quick};

/// The shortest table that was found, and what is known of those that are shorter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Short {
    pub table: TimeTable,
    /// Frames of at least [`Flows::bound`] slots, and fewer than the table's, that have no table.
    pub refuted: Vec<u32>,
    /// Numbers of slots of which nothing is known.
    pub not_decided: Vec<u32>,
}

impl Short {
    /// Whether no table has fewer slots. That the frame just below has none would not be enough: a shorter one
    /// still might.
    pub fn is_least(&self) -> bool {
        self.not_decided.is_empty()
    }
}

/// A table with as few slots as can be found: a quick one, and then by the solver every shorter frame from
/// the bound upward. [`Limits::conflicts`] is for each frame; where the solver gave one up, those after it
/// have a quarter as many.
///
/// # Errors
/// [`TimeTableError`].
pub fn short(flows: &Flows, limits: &Limits) -> Result<Short, TimeTableError> {
    let table = quick::short(flows)?;
    let mut short = Short { table, refuted: Vec::new(), not_decided: Vec::new() };
    let mut limits = limits.clone();
    for frame in flows.bound().max(1)..short.table.frame {
        let found = match flows.meets_itself(frame) {
            Some(flow) => Frame::None(super::WhyNone::MeetsItself(flow)),
            None if limits.are_reached() => Frame::NotDecided,
            None => by_solver(flows, frame, &limits)?,
        };
        match found {
            Frame::Table(table) => {
                short.table = table;
                break;
            }
            Frame::None(_) => short.refuted.push(frame),
            Frame::NotDecided => {
                short.not_decided.push(frame);
                limits.conflicts = limits.conflicts.map(|conflicts| conflicts / 4);
            }
        }
    }
    Ok(short)
}
