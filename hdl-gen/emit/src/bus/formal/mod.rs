//! Proofs of bus fabrics: of the medium, of the switch of a node, of its senders, of the queues and
//! arbiters. Together they say that a word is delivered if and only if its sender is told so, once:
//! - the medium brings a word that is alone, and brings back what its receiver says;
//! - the switch takes exactly the words that it acknowledges, each into one queue; so does the entry
//!   of a node of a split&hash network, in which one function has each slot;
//! - a sender keeps its word until it is told.

mod flows;
mod leveled;
mod medium;
mod sender;
mod switch;
mod turn;

use crate::EmitError;
use crate::formal::{Proofs, parts};
use crate::part::ModuleGroup;
use std::sync::Arc;
use turnpike_bus::{BusPlan, Layout};
use turnpike_netlist::Module;

type Context<'a> = crate::formal::Context<'a, BusPlan>;

impl Context<'_> {
    /// The module `<name>_<part>`.
    fn part(&self, part: &str) -> &Arc<Module> {
        let name = format!("{}_{part}", self.plan.name);
        self.module(&name).expect("every fabric has it")
    }

    /// The part of a dimension: `x_bus`; `bus` where there is one.
    fn part_along(&self, dimension: usize, part: &str) -> &Arc<Module> {
        self.part(&self.plan.along(dimension, part))
    }

    /// Suffix of the names of a dimension's tasks: `_x`, `_to_level1`; nothing where there is one
    /// dimension.
    fn suffix(&self, dimension: usize) -> String {
        self.plan.way(dimension).map_or_else(String::new, |way| format!("_{way}"))
    }
}

pub(super) fn proofs(plan: &BusPlan, own: &ModuleGroup) -> Result<Proofs, EmitError> {
    let mut proofs = Proofs::default();
    let context = Context { plan, own };
    // Those that take longest are begun first.
    sender::senders(&context, &mut proofs)?;
    match &plan.layout {
        Layout::Lines => {
            medium::media(&context, &mut proofs)?;
            turn::turns(&context, &mut proofs)?;
            switch::switch(&context, &mut proofs)?;
        }
        Layout::OneBus(flows) => {
            flows::media(&context, flows, &mut proofs)?;
            turn::turns(&context, &mut proofs)?;
            leveled::entry(&context, &mut proofs)?;
        }
        Layout::Leveled(funnels) => {
            leveled::media(&context, funnels, &mut proofs)?;
            leveled::functions(&context, funnels, &mut proofs)?;
            leveled::entry(&context, &mut proofs)?;
        }
    }
    parts::queues(&context, |_| 0, &mut proofs)?;
    parts::arbiters(&context, &mut proofs)?;
    Ok(proofs)
}
