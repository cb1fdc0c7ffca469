//! A new kind of fabric is a folder and a line in a list: a wire between two terminals, which is in this
//! folder alone, goes through every command that takes fabrics of any kind.

mod kind;

use clap::{Args, Command, FromArgMatches};
use kind::{Wire, wire};
use serde_json::Value;
use turnpike_cli::commands::bsp::{self, BspOptions};
use turnpike_cli::commands::generate::{self, GenerateOptions};
use turnpike_cli::commands::synth::{self, SynthOptions};
use turnpike_cli::commands::verify::{self, VerifyOptions};
use turnpike_cli::kinds::{KINDS, Kind};
use turnpike_cli::{Report, Verdict};
use turnpike_emit::origin::Origin;
use turnpike_flow::tool::{SBY, YOSYS};
use turnpike_kind::Fabric;
use turnpike_tests::any_kind::lints_and_passes;
use turnpike_tests::tools::require_found;

/// The list of kinds, with the wire's line.
const WITH_WIRE: &[Kind] = &[wire, KINDS[0], KINDS[1], KINDS[2], KINDS[3]];

fn parse<T: Args + FromArgMatches>(line: &str) -> T {
    let command = T::augment_args(Command::new("turnpike").no_binary_name(true));
    T::from_arg_matches(&command.get_matches_from(line.split(' '))).unwrap()
}

fn generate(line: &str) -> Report {
    let mut options: GenerateOptions = parse(line);
    options.fabric.kinds = WITH_WIRE;
    generate::run(&options).unwrap()
}

fn verify(line: &str) -> Report {
    let mut options: VerifyOptions = parse(line);
    options.fabric.kinds = WITH_WIRE;
    verify::run(&options).unwrap()
}

fn value(report: &Report) -> Value {
    serde_json::from_str(&report.text).unwrap()
}

#[test]
fn a_wire_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made");
    let line = format!("wire --width 5 --out {}", out.display());
    let text = generate(&line).text;
    assert!(text.starts_with("wire_5: wire --width 5\nwrote "), "{text}");
    assert!(text.ends_with(" kB\n  6 wires\n"), "{text}");
    let report = value(&generate(&format!("{line} --format json")));
    assert_eq!(report["fabric"], "wire_5");
    for file in report["files"].as_array().unwrap() {
        assert!(out.join(file["name"].as_str().unwrap()).is_file(), "{file}");
    }
    let manifest = std::fs::read_to_string(out.join("wire_5.json")).unwrap();
    assert_eq!(Origin::read(&manifest), Some(Wire::new(5, None).origin()));
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!((&manifest["kind"], &manifest["terminal"]["count"]), (&"wire".into(), &2.into()));
    assert_eq!(manifest["files"], serde_json::json!(["wire_5.v"]));
    lints_and_passes(&Wire::new(5, Some("other")));
}

/// Another fabric of the same name is not replaced, and a kind without a self-test makes none.
#[test]
fn a_wire_is_refused_as_others_are() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("wire --width 5 --out {}", folder.path().join("made").display());
    generate(&line);
    for (more, why) in [(" --selftest arty-a7-35t", "--selftest"), (" --picture", "--picture")] {
        let mut options: GenerateOptions = parse(&(line.clone() + more));
        options.fabric.kinds = WITH_WIRE;
        let error = generate::run(&options).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}");
    }
    let shipped: VerifyOptions = parse("wire --width 5");
    let error = verify::run(&shipped).unwrap_err().to_string();
    assert!(error.contains("unknown topology 'wire'"), "{error}");
}

#[test]
fn a_wire_is_verified_and_stands_beside_other_kinds() {
    let report = verify("wire --width 5 --format json");
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(value(&report)["checks"][0]["check"], "values");
    assert_eq!(value(&verify("ocpc --nodes 2 --format json"))["checks"][0]["check"], "busses");
    assert_eq!(value(&verify("hypercube --dim 1 --format json"))["checks"][0]["check"], "routes");
    if require_found(&[&SBY]) {
        let report = verify("wire --formal");
        assert_eq!(report.verdict, Verdict::Undecided);
        assert!(report.text.contains("NOTHING IS PROVEN"), "{}", report.text);
    }
}

/// A kind without supersteps says so.
#[test]
fn a_wire_has_no_supersteps() {
    let mut options: BspOptions = parse("wire --width 5");
    let shipped = bsp::run(&options).unwrap_err().to_string();
    assert!(shipped.contains("unknown topology 'wire'"), "{shipped}");
    options.kinds = WITH_WIRE;
    let error = bsp::run(&options).unwrap_err().to_string();
    assert!(error.contains("a fabric of kind wire has no supersteps"), "{error}");
}

#[test]
fn a_wire_is_synthesised() {
    if !require_found(&[&YOSYS]) {
        return;
    }
    let mut options: SynthOptions =
        parse("wire --width 5 --target xilinx7 --no-cache --format json");
    options.fabric.kinds = WITH_WIRE;
    let report = value(&synth::run(&options).unwrap());
    assert_eq!((&report["fabric"], &report["whole"]["luts"]), (&"wire_5".into(), &0.into()));
    assert_eq!(report["modules"][0]["module"], "wire_5");
}
