//! A bound on the worst case: that no permutation puts more than so many packets on a channel.
//!
//! There are too many permutations to say so of each beforehand. The solver finds a relation. Of the
//! pairs that cross a channel a largest set is looked for in which no two share a source or a
//! destination. Where it is too large, the formula is told that not all of it crosses the channel, and
//! the solver is asked again. Each clause follows from the bound: so where no relation is left there is
//! none.

use crate::encode::Encoding;
use crate::formula::TooLarge;
use crate::question::Question;
use crate::solver::Model;
use turnpike_analysis::worst::disjoint;

/// Rules out what puts too much on a channel in this model. Whether anything does.
///
/// # Errors
/// [`TooLarge`].
pub fn refine(
    question: &Question,
    encoding: &mut Encoding,
    model: &Model,
) -> Result<bool, TooLarge> {
    let Some(most) = question.worst_case else { return Ok(false) };
    let mut refined = false;
    for (channel, pairs) in encoding.crossed(model) {
        if let Some(too_many) = disjoint(&pairs).get(..=most as usize) {
            encoding.rule_out(channel, too_many)?;
            refined = true;
        }
    }
    Ok(refined)
}
