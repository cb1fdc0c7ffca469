//! Uses in which each option acts: one table, and one gate that refuses what would be ignored.
//!
//! An option acts wherever no line of its [`Rule`] says that it is idle. The gate, the configuration
//! file and the help read that table.

mod fabric;
mod gate;
mod kind;
mod runs;
mod topic;
mod traffic;
mod usage;

pub use gate::{Given, check};
pub use kind::{CHANNELS, Kind};
pub use topic::help;
pub use usage::Usage;

use std::sync::LazyLock;
use turnpike_network::topology::parameters;

/// An option: its group in the help, and the uses in which it does nothing.
#[derive(Debug)]
pub struct Rule {
    /// Id of the argument.
    pub id: &'static str,
    /// Heading of the group in `--help`.
    pub heading: &'static str,
    /// Whether `-h` lists the option, too.
    pub is_short: bool,
    /// Reason that every output may be the same where the option does act.
    pub unseen: Option<Unseen>,
    /// Whether a file that sets the option means the uses alone in which it acts: one file serves several
    /// commands.
    pub is_for_some: bool,
    /// Uses in which the option does nothing.
    pub idle: &'static [&'static [Idle]],
}

/// Reason that outputs may be the same where an option acts.
#[derive(Clone, Copy, Debug)]
pub enum Unseen {
    /// Outputs of some uses.
    Often(&'static str),
    /// Outputs of all uses: progress or speed alone is another.
    Always(&'static str),
}

/// Uses in which an option does nothing, and the reason.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// Properties that all hold in these uses.
    pub when: &'static [When],
    /// Reason, as the middle of a sentence.
    pub why: &'static str,
}

/// Property of a use.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// The command is one of these.
    In(&'static [&'static str]),
    /// The fabric is of one of these kinds.
    Of(&'static [Kind]),
    /// Option that is given.
    With(&'static str),
    /// Options of which none is given.
    Without(&'static [&'static str]),
    /// The option has one of these values, given or by default; of `auto:8` the value is `auto`.
    Is(&'static str, &'static [&'static str]),
    /// The option has none of these values.
    IsNot(&'static str, &'static [&'static str]),
    /// The network is one that Turnpike has, from no file.
    NoFile,
    /// No traffic goes to hotspots.
    NoHotspots,
    /// Each class of traffic says this key itself.
    OfClasses(&'static str),
}

const fn idle(when: &'static [When], why: &'static str) -> Idle {
    Idle { when, why }
}

impl Rule {
    const fn new(
        heading: &'static str,
        id: &'static str,
        idle: &'static [&'static [Idle]],
    ) -> Self {
        Self { id, heading, is_short: false, unseen: None, is_for_some: false, idle }
    }

    /// Rule of an option that `-h` lists, too.
    const fn short(self) -> Self {
        Self { is_short: true, ..self }
    }

    /// Rule of an option that files set for the uses alone in which it acts.
    const fn for_some(self) -> Self {
        Self { is_for_some: true, ..self }
    }

    /// Rule of an option that may leave every output as it is, for this reason.
    const fn unseen(self, why: &'static str) -> Self {
        Self { unseen: Some(Unseen::Often(why)), ..self }
    }

    /// Rule of an option that changes progress or speed alone.
    const fn speed(self, why: &'static str) -> Self {
        Self { unseen: Some(Unseen::Always(why)), ..self }
    }

    fn all_idle(&self) -> impl Iterator<Item = &'static Idle> {
        self.idle.iter().copied().flatten()
    }

    /// Whether the option does nothing in a command at all.
    pub fn is_idle_in(&self, command: &str) -> bool {
        let names = |idle: &Idle| matches!(idle.when, [When::In(all)] if all.contains(&command));
        self.all_idle().any(names)
    }

    /// The first line of the rule that holds in a use.
    pub fn idle_in(&self, usage: &Usage<'_>) -> Option<&'static Idle> {
        self.all_idle().find(|idle| idle.when.iter().all(|when| usage.is(when)))
    }

    /// The first line of the rule that holds on a kind of fabric whatever other options are given.
    fn idle_always_in(&self, command: &str, kind: Kind) -> Option<&'static Idle> {
        let holds = |when: &When| match when {
            When::In(commands) => commands.contains(&command),
            When::Of(kinds) => kinds.contains(&kind),
            // The option that it stands for is said by the kind.
            When::IsNot("kind", _) => true,
            _ => false,
        };
        self.all_idle().find(|idle| idle.when.iter().all(holds))
    }
}

/// The table.
static RULES: LazyLock<Vec<&'static Rule>> =
    LazyLock::new(|| fabric::RULES.iter().chain(traffic::RULES).chain(runs::RULES).collect());

/// Every rule.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied()
}

/// The rule of the argument of this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    let own = RULES.iter().copied().find(|rule| rule.id == id);
    own.or_else(|| {
        let size = parameters().into_iter().find(|parameter| parameter.option == id)?;
        Some(if size.default.is_none() { &fabric::SIZE } else { &fabric::SIZE_BY_DEFAULT })
    })
}

/// Whether an option is a parameter of topologies.
fn is_size(id: &str) -> bool {
    parameters().iter().any(|parameter| parameter.option == id)
}

/// Whether one of two options of a command does nothing beside the other, whatever else is given.
pub fn exclude(command: &str, one: &str, other: &str) -> bool {
    let names = |idle: &Idle, other: &str| {
        let is_there = idle.when.iter().any(|when| matches!(when, When::With(id) if *id == other));
        is_there
            && idle.when.iter().all(|when| match when {
                When::In(commands) => commands.contains(&command),
                When::With(id) => *id == other,
                _ => false,
            })
    };
    let beside = |one: &str, other: &str| {
        rule(one).is_some_and(|rule| rule.all_idle().any(|idle| names(idle, other)))
    };
    beside(one, other) || beside(other, one)
}
