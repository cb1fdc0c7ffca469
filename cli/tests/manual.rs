//! `turnpike help`, the manual pages and the completions: of every command.

use crate::common::run;
use clap::Command;

/// The commands and their long options, as the program has them.
fn commands() -> Vec<Command> {
    let mut program = turnpike_cli::command();
    program.build();
    program.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
}

fn options(command: &Command) -> Vec<String> {
    let all = command.get_arguments().filter(|argument| !argument.is_hide_set());
    all.filter_map(|argument| argument.get_long().map(str::to_owned)).collect()
}

#[test]
fn help_and_pages_name_every_option() {
    let (help, page) = (run("help").stdout, run("man").stdout);
    assert!(page.starts_with(".ie") && page.contains(".TH turnpike 1"), "{page}");
    for command in commands() {
        let name = command.get_name();
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
        assert!(page.contains(&format!("turnpike\\-{name}(1)")), "{name}");
        let own_help = run(&format!("help {name}")).stdout;
        assert_eq!(own_help, run(&format!("{name} --help")).stdout, "{name}");
        let own_page = run(&format!("man {name}")).stdout;
        assert!(own_page.contains(&format!(".TH turnpike-{name} 1")), "{name}: {own_page}");
        for option in options(&command) {
            assert!(own_help.contains(&format!("--{option}")), "{name} --{option}");
            let escaped = option.replace('-', "\\-");
            assert!(own_page.contains(&format!("\\-\\-{escaped}")), "{name} --{option}");
        }
    }
}

#[test]
fn completions_know_every_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&format!("completions {shell}"));
        assert_eq!((script.code, &*script.stderr), (0, ""), "{shell}");
        for command in commands() {
            assert!(script.stdout.contains(command.get_name()), "{shell} {}", command.get_name());
            for option in options(&command) {
                assert!(script.stdout.contains(&option), "{shell} {} {option}", command.get_name());
            }
        }
    }
}
