//! The gate: an option that was given and does nothing is refused, in one wording.

use super::{Idle, Kind, Usage, When, rule};
use crate::config::{Setting, Values};
use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// Options that files gave, and the command line did not.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Each with its place.
    pub by_files: Values,
}

impl Given {
    /// The place in a file of the option that a message is about: the first whose name or value it has.
    /// `None` for a message that begins with a place in such a file.
    pub fn place(&self, command: &Command, message: &str) -> Option<String> {
        let begins_there = |set: &Setting| {
            message.strip_prefix(&set.file).is_some_and(|rest| rest.starts_with(':'))
        };
        if self.by_files.iter().any(begins_there) {
            return None;
        }
        let begins_word = |rest: &str| !rest.starts_with(|c: char| c == '-' || c.is_alphanumeric());
        let about = |set: &Setting| {
            let arg = command.get_arguments().find(|arg| arg.get_id() == set.id.as_str())?;
            let option = arg.get_long().map(|long| format!("--{long}"));
            let by_name = option.and_then(|option| {
                let mut found = message.match_indices(&option);
                found.find(|(at, _)| begins_word(&message[at + option.len()..])).map(|(at, _)| at)
            });
            let by_value = set.words.iter().filter_map(|word| message.find(&format!("'{word}'")));
            by_name.into_iter().chain(by_value).min()
        };
        let found = self.by_files.iter().filter_map(|set| Some((about(set)?, set)));
        found.min_by_key(|(at, _)| *at).map(|(_, set)| set.place(message))
    }
}

/// Refuses the options that were given and do nothing in this use of a command.
///
/// # Errors
/// The first of them, with the reason and what would be right.
pub fn check(command: &Command, matches: &ArgMatches, given: &Given) -> anyhow::Result<()> {
    let by_line = |id: &str| {
        let known = matches.ids().any(|known| known.as_str() == id);
        known && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let is_given = |id: &str| by_line(id) || given.by_files.iter().any(|set| set.id == id);
    let usage = Usage::new(command.get_name(), matches, &is_given);
    let all = command.get_arguments().filter_map(|arg| Some((arg, rule(arg.get_id().as_str())?)));
    for (arg, rule) in all.filter(|(arg, _)| is_given(arg.get_id().as_str())) {
        let Some(idle) = rule.idle_in(&usage) else { continue };
        if rule.is_for_some && !by_line(rule.id) {
            continue;
        }
        bail!("{}", refusal(command, arg, idle, &usage));
    }
    Ok(())
}

/// The option, the use, the reason and what would be right.
fn refusal(command: &Command, arg: &Arg, idle: &Idle, usage: &Usage<'_>) -> String {
    let of = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id);
    let name = |id: &str| of(id).map_or_else(|| format!("--{id}"), spelled);
    let option = spelled(arg);
    let mut place = command.get_name().to_owned();
    let or = |what: &str| format!("{what}, or leave {option} out");
    let mut remedy = format!("leave {option} out");
    for when in idle.when {
        match when {
            When::Of(_) if usage.kind == Kind::Circuit => place += " of circuits",
            When::Of(_) if usage.kind == Kind::Slotted => place += " --kind slotted",
            When::Of(_) => place += &format!(" {}", usage.topology),
            When::With(id) => {
                place += &format!(" {}", name(id));
                remedy = format!("leave {option} or {} out", name(id));
            }
            When::Without(ids) => {
                let names: Vec<String> = ids.iter().map(|id| name(id)).collect();
                place += &format!(" without {}", names.join(" or "));
                let asked = ids.iter().map(|id| of(id).map_or_else(|| name(id), with_value));
                remedy = or(&format!("add {}", asked.collect::<Vec<_>>().join(" or ")));
            }
            When::Is(id, _) if is_positional(of(id)) => place += &format!(" {}", usage.value(id)),
            When::Is(id, _) => place += &format!(" {} {}", name(id), usage.value(id)),
            When::IsNot(id, values) if is_positional(of(id)) => {
                place += &format!(" {}", usage.value(id));
                remedy = or(&format!("use {}", values.join(" or ")));
            }
            When::IsNot(id, values) => {
                let wanted = format!("{} {}", name(id), values.join(" or "));
                place += &format!(" without {wanted}");
                remedy = or(&format!("add {wanted}"));
            }
            When::NoHotspots => {
                place += " without hotspots";
                remedy = or("add --traffic hotspot");
            }
            When::OfClasses(_) => place += " --class",
            When::NoFile => place += &format!(" {}", usage.topology),
            When::In(_) => {}
        }
    }
    format!("{option} does nothing in `{place}`: {}; {remedy}", idle.why)
}

fn is_positional(arg: Option<&Arg>) -> bool {
    arg.is_some_and(Arg::is_positional)
}

/// An argument as it stands on a line, without its value.
fn spelled(arg: &Arg) -> String {
    let values = || arg.get_value_names().into_iter().flatten().map(ToString::to_string);
    arg.get_long().map_or_else(|| values().collect(), |long| format!("--{long}"))
}

/// An argument as it stands on a line, with the name of its value, or the one value that it takes.
fn with_value(arg: &Arg) -> String {
    let takes = arg.get_action().takes_values() && !arg.is_require_equals_set();
    let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let value = match &arg.get_possible_values()[..] {
        [one] => Some(one.get_name().to_owned()),
        _ => name,
    };
    match value.filter(|_| takes) {
        Some(value) => format!("{} {value}", spelled(arg)),
        None => spelled(arg),
    }
}
