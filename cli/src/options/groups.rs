//! Options in the groups in which `--help` lists them. Those of one command alone stand in none, under
//! "Options".

use clap::Command;

/// Heading of a group, and its long options.
type Group = (&'static str, &'static [&'static str]);

/// Groups of the options that several commands share, and of the many of `simulate`.
const GROUPS: &[Group] = &[
    (
        "Network",
        &[
            "dim",
            "shape",
            "nodes",
            "arity",
            "levels",
            "radix",
            "concentration",
            "side",
            "factor",
            "as",
            "two-way",
        ],
    ),
    ("Routing", &["routing", "phases", "intermediate", "route-seed", "flows", "failed", "vcs"]),
    ("Switches", &["depth", "pipeline", "queue", "mux", "draw-seed"]),
    ("Ports", &["width", "source-id", "user-width", "keep", "ports", "reset"]),
    ("Circuits", &["kind", "slots", "baked", "self-routing", "stages-per-register", "reduced"]),
    ("Busses", &["protocol", "window", "exponent", "batches", "hashing", "medium", "on-livelock"]),
    (
        "Traffic",
        &[
            "traffic",
            "trace",
            "load",
            "packet-length",
            "class",
            "burst",
            "reply",
            "reply-room",
            "self-addressed",
            "no-self-addressed",
            "hotspot",
            "hotspot-share",
            "allocator",
        ],
    ),
    (
        "Workload",
        &[
            "workload",
            "h",
            "two-phase",
            "interval",
            "rounds",
            "acknowledge",
            "acknowledgement-room",
        ],
    ),
    ("Machine of steps", &["machine", "queueing", "barrier", "drawn", "runs"]),
    (
        "Output",
        &["vcd", "samples", "pairs", "sources", "histogram", "channels", "svg", "force", "format"],
    ),
];

/// The command with its options under the headings of their groups.
pub fn grouped(command: Command) -> Command {
    command.mut_args(|argument| {
        let long = argument.get_long().map(str::to_owned);
        let of =
            |(_, options): &&Group| long.as_deref().is_some_and(|name| options.contains(&name));
        match GROUPS.iter().find(of) {
            Some((heading, _)) => argument.help_heading(*heading),
            None => argument,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_option_of_a_group_is_one_of_a_command_and_in_no_other() {
        let program = crate::command();
        let arguments = program.get_subcommands().flat_map(Command::get_arguments);
        let known: BTreeSet<&str> = arguments.filter_map(clap::Arg::get_long).collect();
        let mut seen = BTreeSet::new();
        for option in GROUPS.iter().flat_map(|(_, options)| *options) {
            assert!(known.contains(option), "no command has --{option}");
            assert!(seen.insert(option), "--{option} is in two groups");
        }
    }

    #[test]
    fn headings_stand_in_the_help() {
        let mut program = crate::command();
        let simulate = program.find_subcommand_mut("simulate").unwrap();
        let help = simulate.render_long_help().to_string();
        let headings: Vec<&str> = help.lines().filter(|line| line.ends_with(':')).collect();
        for heading in ["Options:", "Network:", "Routing:", "Switches:", "Traffic:", "Output:"] {
            assert!(headings.contains(&heading), "{heading} is not among {headings:?}");
        }
    }

    /// clap refuses two groups of one name, those of flattened structs among them, in builds with
    /// debug assertions alone.
    #[test]
    fn names_of_flattened_structs_are_their_own() {
        for command in crate::command().get_subcommands() {
            let mut seen = BTreeSet::new();
            for group in command.get_groups() {
                let (name, id) = (command.get_name(), group.get_id().as_str());
                assert!(seen.insert(id), "{name}: two structs of options are called {id}");
            }
        }
    }
}
