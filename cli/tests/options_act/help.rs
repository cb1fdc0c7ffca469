//! Help on one topology or kind, and the short help.

use super::{Tools, run, samples};
use crate::common::{refused, run as turnpike};

/// `turnpike help COMMAND TOPOLOGY` hides what is refused there, and nothing else.
#[test]
fn help_on_a_topology_hides_what_is_refused() {
    let program = turnpike_cli::command();
    let tools = Tools::new();
    for (name, topic, line) in [
        ("generate", "mesh", "mesh --shape 2x2 --out {here}/out"),
        ("generate", "benes", "benes --dim 2 --kind circuit --out {here}/out"),
        ("generate", "slotted", "mesh --shape 2x2 --kind slotted --out {here}/out"),
        ("simulate", "mesh", "mesh --shape 2x2"),
        ("simulate", "mob", "mob --shape 2x2 --workload permutation"),
        ("analyze", "split-hash", "split-hash --side 4 --levels 2 --factor 2"),
        ("schedule", "ring", "ring --nodes 4 --pattern permutation:1"),
    ] {
        let help = turnpike(&format!("help {name} {topic}")).stdout;
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (mut hidden, mut shown) = (0, 0);
        for arg in program.find_subcommand(name).unwrap().get_arguments() {
            let Some(long) = arg.get_long() else { continue };
            let listed = help.split_whitespace().any(|word| {
                word.trim_end_matches(',').split('[').next() == Some(&format!("--{long}"))
            });
            shown += u32::from(listed);
            // One kind is no choice, and a file is no mesh.
            if listed || ["kind", "as"].contains(&long) {
                continue;
            }
            hidden += 1;
            let value = samples::of(arg).remove(0);
            let more = [&words[..], &[samples::word(arg, &value)]].concat();
            let said = run(name, &more, &tools).said;
            let error = said.expect_err(&format!("{name} {topic}: --{long} is hidden and taken"));
            assert!(error.contains(&format!("--{long}")), "{name} {topic} --{long}: {error}");
        }
        assert!(hidden > 5 && shown > 4, "{name} {topic}: {hidden} hidden, {shown} shown");
    }
}

#[test]
fn help_on_topologies_and_kinds() {
    let has = |line: &str, option: &str| {
        let run = turnpike(line);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
        run.stdout.lines().any(|line| line.trim_start().starts_with(&format!("--{option} ")))
    };
    for (line, option, expected) in [
        ("help generate mesh", "shape", true),
        ("help generate mesh", "dim", false),
        ("help generate mesh", "slots", true),
        ("help generate slotted", "slots", true),
        ("help generate slotted", "depth", false),
        ("help schedule mesh", "image", false),
        ("help generate circuit", "slots", true),
        ("help generate circuit", "depth", false),
        ("help generate switched", "depth", true),
        ("help generate switched", "slots", false),
        ("help generate butterfly", "slots", true),
        ("help generate butterfly", "radix", true),
        ("help generate ocpc", "protocol", true),
        ("help generate ocpc", "side", false),
        ("help simulate split-hash", "batches", true),
        ("help simulate split-hash", "load", false),
        ("help simulate hypercube", "load", true),
    ] {
        assert_eq!(has(line, option), expected, "{line}: --{option}");
    }
    for (line, expected) in [
        (
            "help generate mash",
            &["'mash'", "did you mean 'mesh'?", "switched, circuit, slotted"][..],
        ),
        ("help generat mesh", &["'generat'", "did you mean 'generate'?"]),
        ("help list mesh", &["`list` takes no network", "turnpike help list"]),
        ("help worst ocpc", &["ocpc is a network of busses"]),
    ] {
        refused(&turnpike(line), line, expected);
    }
}

/// `-h` lists what most need, `--help` all.
#[test]
fn the_short_help_is_short() {
    for command in turnpike_cli::command().get_subcommands() {
        let name = command.get_name();
        let (short, long) = (turnpike(&format!("{name} -h")), turnpike(&format!("{name} --help")));
        let options = |text: &str| {
            let is_option = |line: &&str| line.trim_start().starts_with("--");
            text.lines().filter(is_option).count()
        };
        let (some, all) = (options(&short.stdout), options(&long.stdout));
        assert!(some <= all && some <= 24, "{name}: {some} of {all}");
        assert!(all < 12 || some < all, "{name}: {some} of {all}");
    }
    let short = turnpike("generate -h").stdout;
    assert!(short.contains("--routing ") && !short.contains("--draw-seed"), "{short}");
}
