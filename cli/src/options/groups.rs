//! Options in the groups in which `--help` lists them. Those of one command alone stand in none, under
//! "Options".

use super::acts;
use clap::Command;

/// The command with its options under the headings of their groups, those that most need in the short
/// help, and those that do nothing there in none.
pub fn grouped(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|argument| match acts::rule(argument.get_id().as_str()) {
        Some(rule) if argument.get_long().is_some() => {
            let argument = argument.hide_short_help(!rule.is_short).hide(rule.is_idle_in(&name));
            match rule.heading {
                "" => argument,
                heading => argument.help_heading(heading),
            }
        }
        _ => argument,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_option_has_a_rule_and_every_rule_an_option() {
        let program = crate::command();
        let all = program.get_subcommands().flat_map(Command::get_arguments);
        let known: BTreeSet<&str> = all.map(|arg| arg.get_id().as_str()).collect();
        let mut seen = BTreeSet::new();
        for rule in acts::rules() {
            assert!(known.contains(rule.id), "no command has an argument {}", rule.id);
            assert!(seen.insert(rule.id), "{} has two rules", rule.id);
        }
        let is_option = |arg: &&clap::Arg| arg.get_long().is_some();
        let options = program.get_subcommands().flat_map(Command::get_arguments).filter(is_option);
        let without: Vec<&str> = options
            .map(|arg| arg.get_id().as_str())
            .filter(|id| acts::rule(id).is_none())
            .collect();
        assert!(without.is_empty(), "no rule for {without:?}");
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
