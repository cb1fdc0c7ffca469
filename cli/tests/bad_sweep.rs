//! Bad input of `sweep`: exit code 2, one line that says what would be right, nothing changed on disk.

use crate::common::traffic::BAD_TRAFFIC;
use crate::common::{refused, refused_in, refused_with, run_in, small_disk};
use std::fs;

const CUBE: &str = "sweep hypercube --dim 3";

/// `CUBE` with each of these options is refused in an empty folder.
#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    refused_with(CUBE, cases);
}

#[test]
fn loads() {
    check(&[
        ("--load 1.01", &["'1.01'", "--load", "0 to 1"]),
        ("--load -0.1", &["'-0.1'", "--load", "0 to 1"]),
        ("--load 0.5..=1.5", &["'1.5'", "--load", "0 to 1"]),
        ("--load NaN", &["'NaN'", "--load", "0 to 1"]),
        ("--load 0.1,", &["'' is no load", "--load", "such as 0.3"]),
        ("--load=", &["--load"]),
        ("--load 0.1..=0.5:0", &["the step '0'", "use one above 0", "--load"]),
        ("--load 0.1..=0.5:x", &["the step 'x'", "--load"]),
        ("--load 0.5..=0.1", &["the range is empty: 0.5 is not below 0.1"]),
        ("--load 0.5..0.5", &["the range is empty"]),
        ("--load 0..=1:0.0000001", &["these are 10000001 loads", "at most 10000", "larger step"]),
    ]);
}

#[test]
fn too_many_runs_say_how_many() {
    check(&[(
        "--load 0..=1:0.0001 --seeds 100 --traffic uniform,transpose,shuffle,hotspot,all-pairs \
         --routing ecube,rotation",
        &["10001 loads"],
    )]);
    check(&[(
        "--load 0.0001..=1:0.0001 --seeds 100 --traffic uniform,transpose --routing ecube,rotation",
        &["4000000 runs", "relations 2, patterns 2, loads 10000, seeds 100", "at most 100000"],
    )]);
}

#[test]
fn traffic() {
    check(BAD_TRAFFIC);
}

#[test]
fn names_and_numbers() {
    check(&[
        ("--traffic unifrom", &["'unifrom'", "did you mean 'uniform'?", "bit-complement"]),
        ("--traffic uniform,", &["unknown traffic ''", "--traffic"]),
        ("--traffic uniform,transpose,uniform", &["--traffic names uniform twice"]),
        ("--traffic transpose --failed 000", &["'transpose'", "power of two", "not 7"]),
        ("--routing ecube,rotaton", &["'rotaton'", "did you mean 'rotation'?"]),
        ("--routing ecube,", &["a relation without a name", "commas"]),
        (
            "--routing ecube,romm --phases ecube",
            &["'ecube' has no phases", "or sweep these relations apart"],
        ),
        (
            "--routing ecube,adaptive --allocator maximum",
            &["'ecube'", "or sweep these relations apart"],
        ),
        ("--routing romm --intermediate 0,1", &["name terminals with two-phase alone"]),
        ("--routing ecube,ecube", &["--routing names ecube twice"]),
        ("--seeds 0", &["'0'", "--seeds", "1 to 100"]),
        ("--seeds 101", &["'101'", "--seeds", "1 to 100"]),
        ("--seed x", &["'x'", "--seed", "whole number"]),
        ("--cycles 0", &["--cycles 0", "from 1"]),
        (
            "--traffic uniform,transpose --class a:share=1,traffic=shuffle",
            &["each class has a pattern of its own", "leave --traffic out"],
        ),
        ("--hotspot 001", &["--hotspot does nothing", "add --traffic hotspot"]),
        ("--traffic hotspot --hotspot 222", &["'222'"]),
        ("--allocator maximum", &["--allocator maximum", "'ecube'"]),
        ("--engine rtl", &["'--engine'"]),
    ]);
}

#[test]
fn coordinates_want_a_whole_grid() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["sweep", "simulate"] {
        let line = format!("{command} mesh --shape 3x3 --failed 1_1 --traffic tornado");
        let expected = ["'tornado'", "a grid of 3x3", "not of 8 terminals", "use permutation"];
        refused_in(folder.path(), &[(&line, &expected)]);
    }
}

#[test]
fn places_for_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine\n").unwrap();
    let short = format!("{CUBE} --load 0.1 --seeds 1 --cycles 100 --out");
    refused_in(
        folder.path(),
        &[
            (&format!("{short} notes.txt"), &["--out notes.txt is no folder", "such as sweep"]),
            (&format!("{short} notes.txt/x"), &["cannot write to notes.txt/x"]),
        ],
    );
}

/// Before any run: a folder for runs would be there otherwise.
#[test]
fn places_for_pages() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("there")).unwrap();
    fs::write(at.join("notes.html"), "mine\n").unwrap();
    let short = format!("{CUBE} --load 0.1 --seeds 1 --cycles 100");
    let with = |page: &str| format!("{short} --out runs --html {page}");
    let made = run_in(at, &format!("{short} --html edited.html"));
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    let page = fs::read_to_string(at.join("edited.html")).unwrap();
    fs::write(at.join("edited.html"), "edited\n").unwrap();
    refused_in(
        at,
        &[
            (&with("there"), &["cannot write there: it is a folder", "such as sweep.html"]),
            (&with("no/x.html"), &["cannot write no/x.html: there is no folder no"]),
            (&with("/dev/null"), &["/dev/null", "no regular file"]),
            (&with("notes.html"), &["notes.html is there, and turnpike did not write it"]),
            (&with("edited.html"), &["edited.html was edited", "--force"]),
            (&with("runs"), &["--html and --out name the same"]),
            (
                &format!("{CUBE} --load 0.0001..=0.3:0.0001 --seeds 1 --html x.html"),
                &["at most 2000 points", "these are 3000", "loads 3000", "--format csv"],
            ),
        ],
    );
    for name in ["edited.html", "notes.html"] {
        let forced = run_in(at, &format!("{short} --html {name} --force"));
        assert_eq!((forced.code, forced.stderr.as_str()), (0, ""));
        assert!(fs::read_to_string(at.join(name)).unwrap() == page);
    }
}

/// What fits stays, whole, and the same command goes on from there.
#[test]
fn a_full_disk_keeps_what_is_done() {
    let Some(disk) = small_disk(40) else { return };
    let line = format!("{CUBE} --load 0.05..=1 --seeds 2 --cycles 100 --out runs");
    refused(&run_in(disk.path(), &line), &line, &["cannot write runs/", "goes on"]);
    let names: Vec<_> = fs::read_dir(disk.path().join("runs"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .collect();
    assert!(!names.is_empty() && names.len() < 40, "{}", names.len());
    for name in names {
        let text = fs::read_to_string(name.path()).unwrap();
        assert_eq!(text.lines().count(), 2, "{:?} is whole", name.path());
    }
}

/// Two files may give their relations one name: the report could not tell them apart.
#[test]
fn two_relations_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    for (file, last) in [("a.relation", "dim0"), ("b.relation", "dim1")] {
        let text = format!(
            "turnpike-relation 1\nname mine\ntopology hypercube\ndimension 2\nby difference\n\
             01 dim0\n10 dim1\n11 {last}\n"
        );
        fs::write(folder.path().join(file), text).unwrap();
    }
    let line = "sweep hypercube --dim 2 --load 0.1 --routing a.relation,b.relation";
    refused_in(folder.path(), &[(line, &["two relations", "'mine'", "change the name"])]);
}
