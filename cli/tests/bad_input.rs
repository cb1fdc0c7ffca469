//! Bad input: exit code 2, nothing on standard output, one line on standard error that says
//! what would be right.

use crate::common::{refused, refused_in, run, turnpike};

/// In an empty folder, which stays empty.
#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    refused_in(tempfile::tempdir().unwrap().path(), cases);
}

#[test]
fn unknown_names_come_with_the_nearest() {
    check(&[
        ("analyze hypercub --dim 4", &["unknown topology 'hypercub'", "did you mean 'hypercube'?"]),
        ("compare hyperx3 --dim 4", &["unknown topology 'hyperx3'", "did you mean 'hyperx'?"]),
        (
            "analyze hypercube --dim 4 --routing rotaton",
            &["unknown routing 'rotaton'", "did you mean 'rotation'?", "ecube, rotation, thacker"],
        ),
        ("anlyze hypercube", &["unknown command 'anlyze'", "did you mean 'analyze'?"]),
        (
            "analyze hypercube --dmi 4",
            // And no other is named.
            &["unknown option '--dmi'; did you mean '--dim'?\n"],
        ),
        ("list --frobnicate", &["option '--frobnicate'; `turnpike help list` lists"]),
        ("list --fromat csv", &["unknown option '--fromat'", "did you mean '--format'?"]),
        ("analyze tesseract --dim 4", &["unknown topology 'tesseract' (there are: hypercube, "]),
        ("frobnicate", &["unknown command 'frobnicate' (there are: list, "]),
        ("hlep analyze", &["unknown command 'hlep'", "did you mean 'help'?", "man, help)"]),
        ("man anlyze", &["unknown command 'anlyze'", "did you mean 'analyze'?"]),
        ("completions bsh", &["'bsh'", "bash, elvish, fish, powershell, zsh"]),
        ("tables helles", &["'helles'", "heller"]),
        ("tables heller --svg x.svg", &["--svg", "use butterflies"]),
        ("list --format xml", &["'xml'", "text, json, csv"]),
    ]);
}

#[test]
fn dimensions_out_of_range() {
    check(&[
        ("analyze hypercube --dim 0", &["dimension 0 is out of range", "use 1 to 20"]),
        ("analyze hypercube --dim 21", &["dimension 21 is out of range", "use 1 to 20"]),
        ("route hypercube --dim 21 0 1", &["dimension 21 is out of range", "use 1 to 20"]),
        ("analyze hypercube --dim -1", &["'-1'", "--dim", "whole number"]),
        ("analyze hypercube --dim four", &["'four'", "--dim", "whole number"]),
        ("analyze hypercube --dim 99999999999", &["--dim", "use a whole number up to 4294967295"]),
        ("analyze hypercube", &["--dim"]),
        ("compare --dim 0..=4", &["dimension 0 is out of range", "use 1 to 20"]),
        ("compare --dim 2..=21", &["dimension 21 is out of range", "use 1 to 20"]),
        ("compare --dim 5..=2", &["'5..=2'", "empty"]),
        ("compare --dim 2-5", &["'2-5'", "2..=12"]),
    ]);
}

#[test]
fn comparisons_across_networks() {
    check(&[
        ("compare --across --dim 1", &["--across", "dimension 1 is out of range", "use 2 to 12"]),
        ("compare --across --dim 3..=13", &["dimension 13 is out of range", "use 2 to 12"]),
        ("compare --across --dim 3 --width 0", &["--width 0", "1 to 1024"]),
        ("compare ccc --across --dim 3", &["--across", "TOPOLOGY"]),
        ("compare --across --dim 3 --synth ice40-hx8k", &["--across", "--synth"]),
        ("compare --dim 3 --seed 2", &["--across"]),
        ("compare --network ccc", &["--network 'ccc'", "the size is missing", "--dim K"]),
        ("compare --network x.topology", &["--network 'x.topology'", "cannot read"]),
        ("compare --network --dim", &["--network"]),
        ("compare ccc --network ring", &["--network", "TOPOLOGY"]),
        ("compare --network ring --across", &["--network", "--across"]),
        ("compare --across --dim 3 --seed x", &["'x'", "--seed", "whole number"]),
        ("compare --across --dim 3 --svg no/x.svg", &["no/x.svg", "no folder no"]),
    ]);
}

#[test]
fn dimensions_out_of_range_of_other_networks() {
    for (topology, low, high) in [
        ("directed-cube", 2, 20),
        ("ccc", 3, 16),
        ("dccc", 3, 16),
        ("clever-ccc", 3, 16),
        ("clever-dccc", 3, 16),
        ("pv-ccc", 3, 16),
        ("arc-cube", 2, 6),
        ("arc-cube-2", 2, 7),
    ] {
        for dimension in [low - 1, high + 1] {
            let line = format!("analyze {topology} --dim {dimension}");
            let range = format!("use {low} to {high}");
            check(&[(&line, &[&format!("dimension {dimension} is out of range"), &range])]);
        }
    }
}

/// Each topology takes options of its own, and says which.
#[test]
fn sizes_of_other_sorts() {
    check(&[
        ("analyze full --nodes 65", &["full: 65 nodes are out of range; use 2 to 64"]),
        ("analyze star --dim 4", &["star takes --nodes N; leave --dim out"]),
        ("analyze directed-ring", &["the size is missing: directed-ring takes --nodes N"]),
        ("analyze tree --arity 2", &["the size is missing: tree takes --arity K --levels L"]),
        ("analyze mesh --levels 2", &["mesh takes --shape 4x4; leave --levels out"]),
        ("analyze fat-tree --arity 33 --levels 2", &["--arity 33 is out of range; use 2 to 32"]),
        ("analyze fat-tree --arity 2 --levels x", &["'x'", "--levels", "whole number"]),
        ("generate fat-tree --arity 16 --levels 4", &["65536 terminals are more than 4096"]),
        ("generate fat-tree --arity 2 --levels 9", &["limited to 1024 switches, not 2304"]),
        ("route fat-tree --arity 2 --levels 3 0 0_1", &["the number of a terminal, from 0 to 7"]),
        (
            "route fat-tree --arity 2 --levels 3 1_0 0",
            &["a switch without a terminal", "such as 0"],
        ),
        ("analyze kautz --arity 2", &["the size is missing: kautz takes --arity D --dim K"]),
        ("analyze mesh --shape 1024x1024x2", &["2097152 nodes are out of range"]),
        ("analyze torus --shape 8x8x8x8x8x8", &["117649 classes", "4096"]),
        ("analyze mesh --shape 128x128 --concentration 2", &["up to 4096 nodes, not 16384"]),
        ("analyze mesh --shape 128x128 --failed 0_0", &["up to 4096 nodes, not 16384"]),
        ("simulate torus --shape 128x128", &["up to 4096 nodes, not 16384"]),
        ("simulate mesh --shape 128x128 --failed 0_0", &["up to 4096 nodes, not 16384"]),
        ("verify torus --shape 128x128", &["up to 4096 nodes, not 16384"]),
        ("analyze kautz --arity 2 --dim 10", &["1536 nodes are out of range; use 3 to 1024"]),
        ("compare de-bruijn --arity 9 --dim 2", &["--arity 9 is out of range; use 2 to 8"]),
        ("analyze de-bruijn --arity 2 --dim 11", &["--dim 11 is out of range; use 1 to 10"]),
        ("route kautz --arity 2 --dim 3 010 011", &["none beside itself, such as 210"]),
    ]);
}

#[test]
fn terminals_that_a_switch_cannot_have() {
    check(&[
        ("generate mesh --shape 2x2 --concentration 3", &["use 1, 2, 4, 8 or 16"]),
        ("analyze ring --nodes 3 --concentration 0", &["use 1, 2, 4, 8 or 16"]),
        ("analyze ring --nodes 3 --concentration x", &["'x'", "--concentration", "whole number"]),
        (
            "analyze tree --arity 2 --levels 2 --concentration 2",
            &["switches that have one", "this tree has others, such as that of terminal 1"],
        ),
        ("analyze hypercube --dim 20 --concentration 2", &["2097152 terminals", "1048576"]),
        (
            "route mesh --shape 2x2 --concentration 2 0_0 1_1_1",
            &["'0_0' is not a terminal of this mesh", "below 2, such as 0_0_0"],
        ),
        (
            "route mesh --shape 2x2 --concentration 2 --all 0_0 1_1",
            &["leave --concentration or --all out"],
        ),
        (
            "generate hypercube --dim 8 --concentration 16",
            &["131072 bits wide", "--width 16 or less, fewer terminals, or --ports named"],
        ),
    ]);
}

#[test]
fn a_relation_that_the_topology_does_not_have() {
    check(&[
        (
            "analyze directed-cube --dim 4 --routing ecube",
            &["unknown routing 'ecube' for directed-cube", "static, random-static"],
        ),
        (
            "analyze ccc --dim 3 --routing rotation",
            &["unknown routing 'rotation' for ccc", "two-stage, shortest, random-static"],
        ),
        (
            "route arc-cube --dim 2 --routing two-stage 00 01",
            &["unknown routing 'two-stage' for arc-cube", "there are: shortest"],
        ),
    ]);
}

#[test]
fn source_routed_networks_that_are_too_large() {
    check(&[
        (
            "analyze ccc --dim 16 --routing shortest",
            &["tables would have 79691776 bits, more than 16777216", "use a smaller network"],
        ),
        (
            "analyze directed-cube --dim 14 --routing random-static",
            &[
                "routing 'random-static' takes 11 virtual channels",
                "more than 8; use a smaller network or another routing (static, adaptive)",
            ],
        ),
    ]);
}

#[test]
fn grids_that_a_relation_is_not_for() {
    check(&[
        (
            "analyze mesh --shape 3x3x3 --routing odd-even",
            &["'odd-even' is for a mesh of 2 dimensions, not 3", "--routing dimension-order"],
        ),
        (
            "analyze mesh --shape 33x32 --routing west-first",
            &["up to 1024 nodes, not 1056", "larger meshes"],
        ),
        ("analyze torus --shape 4x4 --routing odd-even", &["unknown routing 'odd-even'"]),
    ]);
}

#[test]
fn a_seed_for_a_relation_that_draws_nothing() {
    check(&[
        (
            "analyze hypercube --dim 3 --route-seed 7",
            &["routing 'ecube' draws no routes", "leave --route-seed out", "'random-static'"],
        ),
        (
            "simulate arc-cube --dim 2 --route-seed 7",
            &["routing 'shortest' draws no routes: leave --route-seed out\n"],
        ),
        (
            "analyze hypercube --dim 3 --routing random-static --route-seed -1",
            &["--route-seed", "'-1'", "use a whole number"],
        ),
        ("route hypercube --dim 2 00 11 --all --route-seed 1", &["--all", "--route-seed"]),
    ]);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/around_111.relation");
    let line = format!("analyze hypercube --dim 3 --routing {file} --route-seed 7");
    check(&[(&line, &["routing 'around_111' draws no routes: leave --route-seed out"])]);
}

#[test]
fn a_relation_of_another_dimension() {
    for k in [1, 3, 5, 20] {
        let line = format!("analyze hypercube --dim {k} --routing thacker");
        refused(&run(&line), &line, &["'thacker' is defined for dimension 4 only", &k.to_string()]);
    }
}

#[test]
fn parameters_out_of_range() {
    check(&[
        ("analyze hypercube --dim 4 --width 0", &["--width 0", "1 to 1024"]),
        ("analyze hypercube --dim 4 --width 1025", &["--width 1025", "1 to 1024"]),
        ("analyze hypercube --dim 4 --depth 1", &["--depth 1", "2 to 1024"]),
        ("compare --dim 4 --depth 1025", &["--depth 1025", "2 to 1024"]),
        ("analyze hypercube --dim 4 --user-width 1025", &["--user-width 1025", "0 to 1024"]),
        ("analyze hypercube --dim 4 --keep --width 12", &["--keep", "multiple of 8"]),
        ("analyze hypercube --dim 4 --vcs 0", &["'0'", "--vcs", "1 to 8"]),
        ("analyze hypercube --dim 4 --vcs 300", &["'300'", "--vcs", "1 to 8"]),
        ("analyze hypercube --dim 4 --vc-allocation any", &["--vc-allocation", "--vcs N"]),
        (
            "analyze hypercube --dim 4 --routing rotation --vcs 3 --vc-allocation kept",
            &["--vc-allocation", "--vcs 3", "'rotation' has one in each"],
        ),
        ("analyze mesh --shape 40x40 --vcs 4", &["up to 1024 nodes, not 1600", "larger meshes"]),
        ("simulate torus --shape 40x40 --vcs 4", &["up to 1024 nodes, not 1600"]),
        ("generate mesh --shape 4x4 --vcs 2 --pipeline 1", &["--pipeline 1", "--vcs"]),
    ]);
}

#[test]
fn bad_node_labels() {
    for (from, to) in [("0000", "00000"), ("00000", "000000"), ("0000x", "00000"), ("00000", "2")] {
        let line = format!("route hypercube --dim 5 {from} {to}");
        refused(&run(&line), &line, &["is not a node", "5 binary digits", "00001"]);
    }
    let labels = turnpike(["route", "hypercube", "--dim", "2", "", "00"]);
    refused(&labels, "an empty label", &["''", "2 binary digits"]);
}

#[test]
fn switches_without_a_terminal() {
    let wrong: &[&str] = &["'111' is a switch without a terminal", "such as 00x"];
    check(&[
        ("route arc-cube --dim 3 0x1 111", wrong),
        ("route arc-cube --dim 3 111 0x1", wrong),
        ("simulate arc-cube --dim 3 --traffic hotspot --hotspot 111", wrong),
    ]);
    // What lies between two switches is the topology's to say.
    assert_eq!(run("route arc-cube --dim 3 000 111 --all").code, 0);
}

#[test]
fn incomplete_or_surplus_arguments() {
    check(&[
        ("", &["no command", "analyze"]),
        ("analyze", &["<TOPOLOGY|FILE>"]),
        ("analyze hypercube", &["the size is missing: hypercube takes --dim K"]),
        ("compare hypercube", &["the size is missing: hypercube takes --dim K"]),
        ("compare --across", &["--across takes --dim RANGE"]),
        ("analyze hypercube --shape 4x4", &["hypercube takes --dim K; leave --shape out"]),
        ("analyze hypercube --shape 4", &["hypercube takes --dim K; leave --shape out"]),
        ("analyze hypercube --shape 1x4", &["'1x4' is no shape", "such as 4x4"]),
        ("route hypercube --dim 3 000", &["<DESTINATION>", "usage: turnpike route"]),
        ("list extra", &["'extra'", "usage: turnpike list [OPTIONS]"]),
        ("analyze hypercube --dim 3 --dim 4", &["--dim", "multiple times"]),
    ]);
}
