//! The command line that makes a report again: what was asked, wherever it stood, on the command
//! line or in a configuration file.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::Path;

/// The words of the subcommand with all that differs from its defaults; without the options `but`.
/// `matches` are those of the program, `command` the program before a configuration file changed its
/// defaults.
pub fn words(mut command: Command, matches: &ArgMatches, but: &[&str]) -> Vec<String> {
    command.build();
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let Some(subcommand) = command.find_subcommand(name) else { return Vec::new() };
    let asked = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        !but.contains(&id) && is_asked(arg, matches)
    };
    let (places, options): (Vec<&Arg>, Vec<&Arg>) =
        subcommand.get_arguments().filter(asked).partition(|arg| arg.is_positional());
    let mut words = vec![command.get_name().to_owned(), name.to_owned()];
    for arg in places.into_iter().chain(options) {
        words.extend(spelled(arg, matches));
    }
    words
}

/// Line of these words as a shell of POSIX takes them.
pub fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Whether it has values that it does not have by default.
fn is_asked(arg: &Arg, matches: &ArgMatches) -> bool {
    let id = arg.get_id().as_str();
    let known = matches.ids().any(|other| other.as_str() == id);
    let values = known.then(|| matches.get_raw(id)).flatten();
    values.is_some_and(|values| {
        matches.value_source(id) == Some(ValueSource::CommandLine)
            || !values.eq(arg.get_default_values().iter().map(|value| value.as_os_str()))
    })
}

/// An argument as it stands on a command line, once for each time that it was named.
fn spelled(arg: &Arg, matches: &ArgMatches) -> Vec<String> {
    let separator = arg.get_value_delimiter();
    let mut words = Vec::new();
    for values in matches.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten() {
        let values: Vec<String> = values.map(|v| v.to_string_lossy().into_owned()).collect();
        // A list of a configuration is one occurrence, of what is named several times.
        let values = match separator {
            None if matches!(arg.get_action(), ArgAction::Append) => values,
            None => vec![values.join(" ")],
            Some(separator) => vec![values.join(&separator.to_string())],
        };
        for value in values {
            match arg.get_long() {
                None => words.push(value),
                Some(long) if !arg.get_action().takes_values() => words.push(format!("--{long}")),
                Some(long) if arg.is_require_equals_set() => words.push(match value.as_str() {
                    "true" => format!("--{long}"),
                    _ => format!("--{long}={value}"),
                }),
                Some(long) => words.extend([format!("--{long}"), value]),
            }
        }
    }
    words
}

/// A path as a shell of POSIX takes it.
pub fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A word as a shell of POSIX takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::io::Write;

    #[track_caller]
    fn check(typed: &str, wanted: &str) {
        let args = format!("turnpike {typed}");
        let matches = crate::command().try_get_matches_from(args.split(' ')).unwrap();
        let words = words(crate::command(), &matches, &["out", "format"]);
        assert_eq!(line(&words), format!("turnpike {wanted}"));
    }

    #[test]
    fn what_was_asked_is_said() {
        check("sweep mesh --shape 4x4", "sweep mesh --shape 4x4");
        check("sweep --out x --format json --dim=3 hypercube", "sweep hypercube --dim 3");
        check(
            "sweep mesh --shape 4x4 --failed 0_0 --saturation --traffic uniform,transpose --seed 7 \
             --failed 1_1 --load 0.1..=0.5:0.1",
            "sweep mesh --shape 4x4 --failed 0_0 --failed 1_1 --traffic uniform,transpose \
             --load 0.1..=0.5:0.1 --seed 7 --saturation",
        );
        check(
            "sweep my$net.topology --routing it's.relation --no-self-addressed --keep=false",
            r"sweep 'my$net.topology' --routing 'it'\''s.relation' --keep=false --no-self-addressed",
        );
    }

    /// Lists of a configuration are spelled as they would be typed.
    #[test]
    fn what_a_configuration_asked_is_said() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(
            b"failed = [\"0_0\", \"1_1\"]\nshape = [4, 4]\nhotspot = [\"2_2\", \"3_3\"]\n",
        )
        .unwrap();
        let path = file.path().to_str().unwrap();
        let args = ["turnpike", "sweep", "mesh", "--traffic", "hotspot", "--config", path];
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let configured = crate::config::apply(crate::command(), args).unwrap();
        let matches = configured.command.try_get_matches_from(configured.args).unwrap();
        let words = words(crate::command(), &matches, &["out", "format", "config"]);
        let mut options: Vec<&[String]> = words[3..].chunks(2).collect();
        options.sort();
        let expected = [
            ["--failed", "0_0"],
            ["--failed", "1_1"],
            ["--hotspot", "2_2,3_3"],
            ["--shape", "4,4"],
            ["--traffic", "hotspot"],
        ];
        assert_eq!(options, expected);
    }
}
