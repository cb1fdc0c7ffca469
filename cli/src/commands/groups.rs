//! Commands in the groups in which `turnpike help` lists them.

use clap::Command;

/// Heading of a group, and its commands.
type Group = (&'static str, &'static [&'static str]);

/// Groups by what a user is about to do. Every command stands in one of them.
pub const GROUPS: &[Group] = &[
    ("Build", &["init", "generate", "verify", "synth", "export"]),
    ("Understand", &["list", "analyze", "route", "compare", "report", "audit"]),
    ("Measure", &["simulate", "sweep", "job", "bsp"]),
    ("Find", &["explore", "place", "design", "search", "worst", "schedule"]),
    ("More", &["tables", "schema", "completions", "man", "help"]),
];

/// The list of commands, as it stands in the help of the program.
pub fn list(program: &Command) -> String {
    let about = |name: &str| match program.find_subcommand(name) {
        Some(command) => command.get_about().map(ToString::to_string).unwrap_or_default(),
        // clap adds it when it has read a command line, and not before.
        None => "Print this message or the help of a command".to_owned(),
    };
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text += &format!("{heading}:\n");
        for name in *names {
            text += &format!("  {name:<11}  {}\n", about(name));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        listed.sort_unstable();
        let program = crate::command();
        let mut known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        known.push("help");
        known.sort_unstable();
        assert_eq!(listed, known);
    }
}
