//! The Verilog of `docs/tutorial.md`: clean under lint, and it does what the text says.

use std::fs;
use std::path::Path;

use turnpike_fabric::plan::Parameters;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::LIMIT;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::verilator::Verilator;

/// The blocks of Verilog, each with the name of its module.
fn modules(tutorial: &str) -> Vec<(&str, &str)> {
    let blocks = tutorial.split("```verilog\n").skip(1);
    blocks
        .map(|rest| {
            let text = rest.split("```").next().unwrap();
            let after = text.split("\nmodule ").nth(1).expect("a block has a module");
            (after.split([' ', ';']).next().unwrap(), text)
        })
        .collect()
}

#[test]
fn the_tutorials_cores_are_clean_and_greet() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tutorial.md");
    let tutorial = fs::read_to_string(path).unwrap();
    let modules = modules(&tutorial);
    let names: Vec<&str> = modules.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["greeter", "greeters", "greeters_tb"]);
    let fabric = Fabric::hypercube("ecube", 3, Parameters::default());
    let folder = tempfile::tempdir().unwrap();
    let mut sources = fabric.sources();
    for (name, text) in modules {
        let file = folder.path().join(format!("{name}.v"));
        fs::write(&file, text).unwrap();
        if name == "greeters_tb" {
            check_lint(&sources);
        }
        sources = sources.with(file, name).unwrap();
    }
    let Some(icarus) = require::<Icarus>() else { return };
    let output = icarus.simulate(&sources, &[], LIMIT).assert_clean().run.stdout;
    for core in 0..8 {
        assert!(output.contains(&format!("core {core}: 48 packets, sum ")), "{output}");
    }
    let shown = tutorial.lines().filter(|line| line.starts_with("core "));
    for line in shown {
        assert!(output.contains(line), "{line} is shown, found:\n{output}");
    }
}

fn check_lint(sources: &Sources) {
    let (Some(verilator), Some(icarus)) = (require::<Verilator>(), require::<Icarus>()) else {
        return;
    };
    verilator.lint(sources).assert_clean();
    icarus.lint(sources).assert_clean();
}
