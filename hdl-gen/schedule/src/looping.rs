//! The looping algorithm: settings of a Beneš network for any permutation (Opferman and Tsao-Wu,
//! On a Class of Rearrangeable Switching Networks, Bell System Technical Journal 50(5), 1971).
//! That settings exist is Beneš's theorem (1965).
//!
//! The first and the last stage of a Beneš network enclose two Beneš networks of half the size.
//! Two connections that meet in a switch of the first stage, or in one of the last, must go
//! through different halves. So go from a connection to the one that it meets in the last stage,
//! from that to the one that this meets in the first, and so on: the connections of such a loop go
//! through the halves in turn. Loops are even, so that the turns come out. Both halves are then
//! smaller problems alike.
//!
//! Every loop starts where the lowest sink of it takes its connection from the lower half. So the
//! first switch of the last stage is straight, in every network that the recursion comes to: those
//! are the switches that Waksman leaves out (1968), and one algorithm does for both.
//!
//! All networks of one size are done in one pass over the rows: O(N log N) time, O(N) space
//! besides the settings.

use crate::network::{Network, Place, Rows};
use crate::permutation::{OtherTerminals, PartialPermutation};
use crate::settings::Settings;

/// Reason that the looping algorithm gives no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoopingError {
    /// Another network.
    #[error("the looping algorithm is for Beneš networks; this is another")]
    NotBenes,
    /// A permutation of other terminals.
    #[error(transparent)]
    Terminals(#[from] OtherTerminals),
}

/// Settings of a Beneš network, reduced or not, for a partial permutation. Outputs that no
/// connection goes through are idle.
///
/// # Errors
/// [`LoopingError`] where the network is another, or has other terminals.
pub fn route(
    network: &Network,
    permutation: &PartialPermutation,
) -> Result<Settings, LoopingError> {
    let Network::Rows(rows) = network else { return Err(LoopingError::NotBenes) };
    if !rows.is_benes() {
        return Err(LoopingError::NotBenes);
    }
    OtherTerminals::check(network, permutation.terminals())?;
    let mut settings = Settings::idle(network);
    let mut level = Level::outermost(permutation);
    for outer in 0..rows.dim() - 1 {
        level = level.enclosed(rows, outer, &mut settings);
    }
    level.middle(rows, &mut settings);
    Ok(settings)
}

/// Work that is left between the stages `outer` and `2 dim - 2 - outer`, both included.
struct Level {
    /// By the row at which a connection enters the first of those stages: the row at which it
    /// leaves the last.
    leaves: Vec<u32>,
    /// The inverse.
    enters: Vec<u32>,
    /// By the row at which it enters: whether it was asked for. The others only complete the
    /// permutation.
    asked: Vec<bool>,
}

/// No half is chosen yet.
const UNSET: u32 = u32::MAX;

impl Level {
    fn outermost(permutation: &PartialPermutation) -> Self {
        let leaves = permutation.completed();
        let mut enters = leaves.clone();
        (0..).zip(&leaves).for_each(|(row, &leave)| enters[leave as usize] = row);
        let asked = (0..permutation.terminals()).map(|t| permutation.sink(t).is_some()).collect();
        Self { leaves, enters, asked }
    }

    /// Sets the two outer stages, and returns what is left between them.
    fn enclosed(&self, rows: &Rows, outer: u32, settings: &mut Settings) -> Self {
        let (digit, last) = (rows.dim() - 1 - outer, 2 * rows.dim() - 2 - outer);
        let halves = self.halves(1 << digit);
        let mut inner = Self {
            leaves: vec![0; halves.len()],
            enters: vec![0; halves.len()],
            asked: vec![false; halves.len()],
        };
        for (row, half) in (0..).zip(halves) {
            let leave = self.leaves[row as usize];
            let within = |row: u32| row & !(1 << digit) | half << digit;
            let (from, to) = (within(row), within(leave));
            inner.leaves[from as usize] = to;
            inner.enters[to as usize] = from;
            if self.asked[row as usize] {
                inner.asked[from as usize] = true;
                let Place { switch, port } = rows.place_at(digit, row);
                settings.connect(outer, switch, half, port);
                let Place { switch, port } = rows.place_at(digit, leave);
                settings.connect(last, switch, port, half);
            }
        }
        inner
    }

    /// The half that each connection goes through, by the row at which it enters. Rows that differ
    /// only in `bit` meet in a switch.
    fn halves(&self, bit: u32) -> Vec<u32> {
        let mut halves = vec![UNSET; self.leaves.len()];
        for lowest in (0..self.leaves.len() as u32).filter(|leave| leave & bit == 0) {
            let mut row = self.enters[lowest as usize];
            while halves[row as usize] == UNSET {
                halves[row as usize] = 0;
                let other = row ^ bit;
                halves[other as usize] = 1;
                row = self.enters[(self.leaves[other as usize] ^ bit) as usize];
            }
        }
        halves
    }

    /// Sets the stage in the middle, where networks of one switch are left.
    fn middle(&self, rows: &Rows, settings: &mut Settings) {
        for (row, &leave) in (0..).zip(&self.leaves).filter(|&(row, _)| self.asked[row as usize]) {
            let Place { switch, port } = rows.place_at(0, row);
            settings.connect(rows.dim() - 1, switch, rows.place_at(0, leave).port, port);
        }
    }
}
