//! Proofs of bus fabrics: of the medium, of the switch of a node, of its senders, of the queues and
//! arbiters. Together they say that a word is delivered if and only if its sender is told so, once:
//! - the medium brings a word that is alone, and brings back what its receiver says;
//! - the switch takes exactly the words that it acknowledges, each into one queue; so does the entry
//!   of a node of a split&hash network, in which one function has each slot;
//! - a sender keeps its word until it is told.

mod leveled;
mod medium;
mod sender;
mod switch;
mod turn;

use crate::EmitError;
use crate::formal::{Proofs, parts};
use std::sync::Arc;
use turnpike_bus::BusPlan;
use turnpike_netlist::Module;

/// Inputs that the writers of property modules share.
struct Context<'a> {
    plan: &'a BusPlan,
    modules: &'a [Arc<Module>],
    heading: &'a dyn Fn(&str, &[String]) -> Vec<String>,
}

impl Context<'_> {
    /// The heading of a property module.
    fn head(&self, name: &str, about: &[&str]) -> Vec<String> {
        let about: Vec<String> = about.iter().map(|&line| line.to_owned()).collect();
        (self.heading)(name, &about)
    }

    /// The module `<name>_<part>`.
    fn part(&self, part: &str) -> &Arc<Module> {
        let name = format!("{}_{part}", self.plan.name);
        self.modules.iter().find(|module| module.name == name).expect("every fabric has it")
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

pub(super) fn proofs(
    plan: &BusPlan,
    modules: &[Arc<Module>],
    heading: &dyn Fn(&str, &[String]) -> Vec<String>,
) -> Result<Proofs, EmitError> {
    let mut proofs = Proofs::default();
    let context = Context { plan, modules, heading };
    let head = |name: &str, about: &[&str]| context.head(name, about);
    // Those that take longest are begun first.
    sender::senders(&context, &mut proofs)?;
    match &plan.funnels {
        Some(funnels) => {
            leveled::media(&context, funnels, &mut proofs)?;
            leveled::functions(&context, funnels, &mut proofs)?;
            leveled::entry(&context, &mut proofs)?;
        }
        None => {
            medium::media(&context, &mut proofs)?;
            turn::turns(&context, &mut proofs)?;
            switch::switch(&context, &mut proofs)?;
        }
    }
    parts::queues(&head, false, modules, &mut proofs)?;
    parts::arbiters(&head, modules, &mut proofs)?;
    Ok(proofs)
}
