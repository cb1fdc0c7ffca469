//! Wrong usage, in one line: clap's errors with the nearest name and what would be right.

use anyhow::anyhow;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::sync::{Mutex, PoisonError};
use turnpike_base::nearest::Nearest;
use turnpike_base::standard_error::say;

/// Letters of a word, and of all, that are shown at most: longer than a path or a message has them.
const MOST_SHOWN: (usize, usize) = (400, 8_000);

/// Text without line breaks or runs of blanks; what nobody can read is cut short, and what a terminal would
/// obey is spelled out.
pub fn one_line(text: &str) -> String {
    let plain =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let words = text.split_whitespace();
    let words = words.map(|word| shown(&word.chars().map(plain).collect::<String>(), MOST_SHOWN.0));
    shown(&words.collect::<Vec<_>>().join(" "), MOST_SHOWN.1)
}

/// The text, or where it has more than `most` letters a quarter of these and how many there are.
fn shown(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let begin: String = text.chars().take(most / 4).collect();
            format!("{begin}... ({} characters)", text.chars().count())
        }
    }
}

/// Says on standard error what a user may not expect, and leaves the report alone.
pub fn note(text: impl std::fmt::Display) {
    say(format_args!("note: {}", one_line(&text.to_string())));
}

/// Notes that wait for the end of a run.
static WAITING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says it as [`note`] does, once and where nothing else is wrong: a file may be read several times,
/// and an error is one line.
pub fn note_at_the_end(text: String) {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    if !waiting.contains(&text) {
        waiting.push(text);
    }
}

/// Says what waited for the end.
pub fn notes_at_the_end() {
    let waiting = std::mem::take(&mut *WAITING.lock().unwrap_or_else(PoisonError::into_inner));
    waiting.iter().for_each(note);
}

/// Fault that clap found in words within an option, without how these are used.
pub fn within_words(error: &Error) -> String {
    let text = error.to_string();
    let wrong = text.split("\n\n").next().unwrap_or_default().trim();
    wrong.trim_start_matches("error: ").to_owned()
}

/// Error that clap found, as one line.
pub fn explain(command: &Command, error: &Error) -> anyhow::Error {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    match (error.kind(), named(ContextKind::InvalidSubcommand), named(ContextKind::InvalidArg)) {
        (ErrorKind::InvalidSubcommand, Some(name), _) => unknown_command(command, name),
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => {
            anyhow!("no command given; use one of {}, or --help", commands(command).join(", "))
        }
        (ErrorKind::UnknownArgument, _, Some(name)) if name.starts_with("--") => {
            let wrong = name.split('=').next().unwrap_or(name);
            let (of, known) = options_in_use(command, error);
            let bare = wrong.trim_start_matches('-');
            let nearest = Nearest::of(bare, known.iter().copied()).after("--");
            match nearest.is_none() {
                true => {
                    anyhow!("unknown option '{wrong}'; `turnpike help{of}` lists those there are")
                }
                false => anyhow!("unknown option '{wrong}'{nearest}"),
            }
        }
        (ErrorKind::UnknownArgument, _, Some(name)) => {
            anyhow!("unexpected argument '{name}'; {}", usage(error))
        }
        (ErrorKind::MissingRequiredArgument, ..) => anyhow!("{}; {}", brief(error), usage(error)),
        _ => anyhow!("{}", brief(error)),
    }
}

/// Error for a command that there is not.
pub fn unknown_command(program: &Command, name: &str) -> anyhow::Error {
    let known = commands(program);
    let nearest = Nearest::of(name, known.iter().copied());
    anyhow!("unknown command '{name}'{nearest} (there are: {})", known.join(", "))
}

/// The commands there are. clap adds `help` when it has read a command line, and not before.
fn commands(program: &Command) -> Vec<&str> {
    let known = program.get_subcommands().map(Command::get_name);
    known.filter(|&name| name != "help").chain(["help"]).collect()
}

/// `usage: turnpike ...`.
fn usage(error: &Error) -> String {
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            one_line(&usage.to_string()).replacen("Usage:", "usage:", 1)
        }
        _ => "see --help".to_owned(),
    }
}

/// The message without usage and advice to look for help.
pub fn brief(error: &Error) -> String {
    let text = error.render().to_string();
    let body = text.split("\n\nUsage:").next().unwrap_or(&text);
    let body = body.split("\n\nFor more information").next().unwrap_or(body);
    one_line(body.strip_prefix("error: ").unwrap_or(body))
}

/// The subcommand that the error's usage names, a blank before it, and its long options without their
/// dashes.
fn options_in_use<'a>(command: &'a Command, error: &Error) -> (String, Vec<&'a str>) {
    let usage = usage(error);
    let named = |name: &str| usage.split_whitespace().any(|word| word == name);
    let subcommand = command.get_subcommands().find(|sub| named(sub.get_name()));
    let all = subcommand.into_iter().chain([command]).flat_map(Command::get_arguments);
    let known = all.filter_map(clap::Arg::get_long).chain(["help"]).collect();
    (subcommand.map(|sub| format!(" {}", sub.get_name())).unwrap_or_default(), known)
}
