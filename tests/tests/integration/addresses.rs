//! The address files, read by compilers of their languages: their values are those of the manifest.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use turnpike_fabric::plan::counters::{PORT_REGISTERS, REGISTERS};
use turnpike_fabric::plan::{Parameters, PortStyle};
use turnpike_fabric::testing::{ENDS_FABRICS, plan_with_ends};
use turnpike_flow::find;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::python::Python;
use turnpike_tests::sources::Sources;
use turnpike_tests::tools::Tool;
use turnpike_tests::{lint, require};

use crate::integration::{fabrics, manifest};

/// Compilers of C and of C++.
struct Compilers([PathBuf; 2]);

impl Tool for Compilers {
    const NAME: &'static str = "gcc or g++";

    fn locate() -> Option<Self> {
        Some(Self([find::on_path("gcc")?, find::on_path("g++")?]))
    }
}

/// Constants of a fabric by name, as its manifest says them.
fn constants(manifest: &Value) -> BTreeMap<String, u64> {
    let prefix = manifest["name"].as_str().unwrap().to_uppercase();
    let mut constants = BTreeMap::from([
        (format!("{prefix}_ADDRESS_BITS"), manifest["terminal"]["address_bits"].as_u64().unwrap()),
        (format!("{prefix}_DATA_WIDTH"), manifest["parameters"]["width"].as_u64().unwrap()),
    ]);
    let of_network = &manifest["parameters"]["width"];
    for terminal in manifest["terminals"].as_array().unwrap() {
        if terminal["width"] != *of_network {
            let name = terminal["constant"].as_str().unwrap().replace("_ADDRESS", "_DATA_WIDTH");
            constants.insert(name, terminal["width"].as_u64().unwrap());
        }
        let streams = ["s_axis", "m_axis"]
            .map(|side| (&terminal[side]["constant"], &terminal[side]["slice"]));
        let all = [(&terminal["constant"], &terminal["address"])].into_iter().chain(streams);
        for stream in ["s_axis", "m_axis"].map(|side| &terminal[side]) {
            let Some(address) = stream["counters"].as_u64() else { continue };
            let port = stream["ports"].as_str().unwrap().to_uppercase();
            constants.insert(format!("{prefix}_COUNTERS_{port}_OFFSET"), address);
            let own = REGISTERS.iter().map(|register| (register.name.to_owned(), register));
            let of_port = PORT_REGISTERS.iter();
            let of_port = of_port.map(|register| (format!("PORT_{}", register.name), register));
            for (name, register) in own.chain(of_port) {
                constants
                    .insert(format!("{prefix}_COUNTERS_{name}_OFFSET"), register.offset.into());
            }
        }
        for (name, value) in all.filter(|(name, _)| !name.is_null()) {
            let value = value.as_u64().unwrap();
            let other = constants.insert(name.as_str().unwrap().to_owned(), value);
            assert!(other.is_none_or(|other| other == value), "{name} is {value} and {other:?}");
        }
    }
    constants
}

/// The file of addresses that Verilog includes.
fn addresses(fabric: &Fabric) -> PathBuf {
    fabric.folder().join(format!("{}_addresses.vh", fabric.plan.name))
}

/// Lines of a name and a value.
fn printed(text: &str) -> BTreeMap<String, u64> {
    let line = |line: &str| {
        let (name, value) = line.split_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    text.lines().map(line).collect()
}

/// The streams of the manifest are those of the ports: each has a port of its own in the Verilog, or
/// the slice of its address.
#[test]
fn the_manifest_lists_each_terminal_with_its_ports() {
    for fabric in fabrics() {
        let manifest = manifest(&fabric);
        let name = &fabric.plan.name;
        let verilog = fs::read_to_string(fabric.folder().join(format!("{name}.v"))).unwrap();
        for side in ["s_axis", "m_axis"] {
            let terminals = manifest["terminals"].as_array().unwrap();
            let streams: Vec<_> =
                terminals.iter().filter(|terminal| !terminal[side].is_null()).collect();
            for (slice, terminal) in streams.iter().enumerate() {
                let stream = &terminal[side];
                let of_slice = &manifest["terminal"][side][slice];
                let address = if of_slice.is_null() { json!(slice) } else { of_slice.clone() };
                assert_eq!(terminal["address"], address, "{name}: {terminal}");
                let flat = fabric.plan.parameters.ports == PortStyle::Flat;
                assert_eq!(stream["slice"], if flat { json!(slice) } else { Value::Null });
                let port = format!(" {}_tvalid,\n", stream["ports"].as_str().unwrap());
                assert_eq!(verilog.matches(&port).count(), 1, "{name}: {port}");
            }
            let is_valid = |line: &&str| {
                line.contains(&format!(" {}_", &side[..1])) && line.ends_with("axis_tvalid,")
            };
            let ports = verilog.lines().filter(is_valid).count();
            assert_eq!(ports, if streams[0][side]["slice"].is_null() { streams.len() } else { 1 });
        }
    }
}

#[test]
fn c_and_cpp_read_the_addresses() {
    let Some(Compilers(compilers)) = require::<Compilers>() else { return };
    for fabric in fabrics() {
        let constants = constants(&manifest(&fabric));
        let folder = fabric.folder();
        let include = format!("#include \"{}_addresses.h\"\n", fabric.plan.name);
        c_reads(&compilers, &folder, &include, &constants);
    }
}

/// Holds constants that C and C++ read from a file that `include` includes, twice, to those that are wanted.
fn c_reads(
    compilers: &[PathBuf; 2],
    folder: &Path,
    include: &str,
    constants: &BTreeMap<String, u64>,
) {
    let print = |name: &String| format!("  printf(\"{name} %lu\\n\", (unsigned long)({name}));\n");
    let prints: String = constants.keys().map(print).collect();
    let program = format!(
        "#include <stdio.h>\n{include}{include}int main(void) {{\n{prints}  return 0;\n}}\n"
    );
    for (compiler, (file, standard)) in
        compilers.iter().zip([("print.c", "-std=c90"), ("print.cpp", "-std=c++98")])
    {
        fs::write(folder.join(file), &program).unwrap();
        let mut command = Command::new(compiler);
        command.args([standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", "print", file]);
        let run = process::run(command.current_dir(folder), LIMIT);
        assert!(run.success() && run.stderr.is_empty(), "{file}: {}", run.stderr);
        let run = process::run(&mut Command::new(folder.join("print")), LIMIT);
        assert_eq!(&printed(&run.stdout), constants, "{file} of {include}");
    }
}

/// Constants of a module, and its table, as JSON.
const PRINT: &str = "import importlib, json, sys\n\
    module = importlib.import_module(sys.argv[1])\n\
    constants = {name: value for name, value in vars(module).items() if type(value) is int}\n\
    print(json.dumps({'name': module.NAME, 'constants': constants, 'terminals': module.TERMINALS}))\n";

#[test]
fn python_reads_the_addresses() {
    let Some(python) = require::<Python>() else { return };
    for fabric in fabrics() {
        let manifest = manifest(&fabric);
        let module = format!("{}_addresses", fabric.plan.name);
        let mut command = Command::new(python.path());
        command.args(["-B", "-W", "error", "-c", PRINT, &module]).current_dir(fabric.folder());
        let run = process::run(&mut command, LIMIT);
        assert!(run.success(), "{}", run.stderr);
        let read: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(read["constants"], json!(constants(&manifest)));
        assert_eq!(read["name"], manifest["name"]);
        let stream = |stream: &Value| match &stream["slice"] {
            Value::Null => stream["ports"].clone(),
            slice => slice.clone(),
        };
        let terminals = manifest["terminals"].as_array().unwrap().iter().map(|terminal| {
            let streams = ["s_axis", "m_axis"].map(|side| stream(&terminal[side]));
            let entry = json!({
                "address": terminal["address"], "width": terminal["width"],
                "s_axis": streams[0], "m_axis": streams[1],
            });
            (terminal["name"].as_str().unwrap().to_owned(), entry)
        });
        let terminals: serde_json::Map<String, Value> = terminals.collect();
        assert_eq!(read["terminals"], Value::Object(terminals), "{module}");
    }
}

/// A module that reads the addresses twice and prints them. `include` is the line that does so.
fn bench(folder: &Path, include: &str, constants: &BTreeMap<String, u64>) -> Sources {
    let print = |name: &String| format!("    $display(\"{name} %0d\", `{name});\n");
    let prints: String = constants.keys().map(print).collect();
    let text = format!(
        "`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n{include}{include}\
         module print;\n  initial begin\n{prints}  end\nendmodule\n`resetall\n"
    );
    let path = folder.join("print.v");
    fs::write(&path, text).unwrap();
    Sources { files: vec![path], top: "print".to_owned() }
}

#[test]
fn verilog_reads_the_addresses() {
    let Some(icarus) = require::<Icarus>() else { return };
    for fabric in fabrics() {
        let constants = constants(&manifest(&fabric));
        let file = addresses(&fabric);
        let include = format!("`include \"{}\"\n", file.display());
        let sources = bench(&fabric.folder(), &include, &constants);
        let report = icarus.simulate(&sources, &[], LIMIT).assert_clean();
        assert_eq!(printed(&report.run.stdout), constants, "{}", fabric.plan.name);
    }
}

/// Including the addresses calls for no warning, whether they are used or not.
#[test]
fn lints_read_the_addresses() {
    let fabric = Fabric::of("wired mixed shortest", Default::default());
    let constants = constants(&manifest(&fabric));
    // Its text, as if included: Verilator warns of an absolute path.
    let text = fs::read_to_string(addresses(&fabric)).unwrap();
    for used in [constants, BTreeMap::new()] {
        let sources = bench(&fabric.folder(), &text, &used);
        for report in lint::every(&sources) {
            report.assert_clean();
        }
    }
}

/// The memory map of ends, as C, C++, Verilog and Python read it, is that of the manifest.
#[test]
fn memory_maps_are_read() {
    let Some(Compilers(compilers)) = require::<Compilers>() else { return };
    let Some(icarus) = require::<Icarus>() else { return };
    let Some(python) = require::<Python>() else { return };
    for at in [0, 2, 5, 6] {
        let plan = plan_with_ends(ENDS_FABRICS[at], Parameters::default());
        let fabric = Fabric::of_plan(plan);
        let (manifest, folder, name) = (manifest(&fabric), fabric.folder(), &fabric.plan.name);
        let mut constants = BTreeMap::new();
        let subordinates = manifest["ends"]["subordinates"].as_array().unwrap();
        for end in subordinates {
            let own = format!("{name}_{}", end["name"].as_str().unwrap()).to_ascii_uppercase();
            for (number, range) in end["ranges"].as_array().unwrap().iter().enumerate() {
                let own = if number == 0 { own.clone() } else { format!("{own}_{number}") };
                for (what, key) in [("BASE", "first"), ("LAST", "last")] {
                    let hex = range[key].as_str().unwrap().trim_start_matches("0x");
                    let value = u64::from_str_radix(hex, 16).unwrap();
                    constants.insert(format!("{own}_{what}"), value);
                }
            }
        }
        let file = folder.join(format!("{name}_memory_map.vh"));
        let include = format!("`include \"{}\"\n", file.display());
        let sources = bench(&folder, &include, &constants);
        let report = icarus.simulate(&sources, &[], LIMIT).assert_clean();
        assert_eq!(printed(&report.run.stdout), constants, "{name}");
        let mut command = Command::new(python.path());
        let print = "import importlib, json, sys\n\
            print(json.dumps(importlib.import_module(sys.argv[1]).SUBORDINATES))\n";
        command.args(["-B", "-W", "error", "-c", print, &format!("{name}_memory_map")]);
        let run = process::run(command.current_dir(&folder), LIMIT);
        assert!(run.success(), "{}", run.stderr);
        let read: Value = serde_json::from_str(&run.stdout).unwrap();
        for end in subordinates {
            let own = &read[end["name"].as_str().unwrap()];
            for key in ["protocol", "ports", "data_width"] {
                assert_eq!(own[key], end[key], "{name}");
            }
            assert_eq!(
                own["ranges"].as_array().unwrap().len(),
                end["ranges"].as_array().unwrap().len()
            );
        }
        for (range, value) in constants.clone() {
            if let Some(own) = range.strip_suffix("_BASE") {
                constants
                    .insert(format!("{own}_SIZE"), constants[&format!("{own}_LAST")] - value + 1);
            }
        }
        let include = format!("#include \"{name}_memory_map.h\"\n");
        c_reads(&compilers, &folder, &include, &constants);
    }
}
