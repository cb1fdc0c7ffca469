//! The README's tables of what to type: every command in them does what the table says. And what
//! `docs/simulation.md` says of traffic is all of it.

use crate::common::turnpike_in;
use std::fs;
use std::path::Path;
use turnpike_sim_network::traffic::pattern::PATTERNS;

/// The commands in the tables, in order: what the row is for, and the words.
fn commands(readme: &str) -> Vec<(&str, Vec<String>)> {
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| "));
    let code = rows.flat_map(|row| {
        let purpose = row.split(" |").next().unwrap_or(row);
        row.split('`').skip(1).step_by(2).map(move |code| (purpose, code))
    });
    code.filter_map(|(purpose, code)| Some((purpose, words(code.strip_prefix("turnpike ")?))))
        .collect()
}

/// The words of a command line; quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn what_the_tables_say_to_type_works() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(top.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let commands = commands(&readme);
    assert!(commands.len() >= 15, "{} commands: is the pattern right?", commands.len());
    for (purpose, command) in commands {
        // Area and clock ask for tools that plain `cargo test` does not have.
        if command[0] == "synth" {
            continue;
        }
        let run = turnpike_in(folder.path(), &command);
        let code = i32::from(purpose.starts_with("a deadlock"));
        assert_eq!(run.code, code, "{purpose}: {command:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn every_pattern_is_described_and_the_trace_that_is_shown_runs() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(top.join("docs/simulation.md")).unwrap();
    for pattern in PATTERNS {
        assert!(page.contains(&format!("\n| `{}` |", pattern.name)), "{}", pattern.name);
    }
    let shown = page.split("```csv\n").nth(1).and_then(|text| text.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trace.csv"), shown).unwrap();
    let command = "simulate hypercube --dim 3 --trace trace.csv";
    assert!(page.contains(&format!("    turnpike {command}\n")));
    let run = turnpike_in(folder.path(), command.split(' '));
    assert!(
        run.code == 0 && run.stdout.contains("delivered        2\n"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}
