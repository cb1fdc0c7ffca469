//! Circuit fabrics on the command line: what is written, what is said of it, what is refused.

use crate::common::{json_in, run, run_in};
use serde_json::Value;
use std::fs;

/// What `generate` says is what the manifest says.
#[test]
fn the_manifest_says_what_was_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("fft.slots"), "slot shuffle\nslot bit-reversal # the last\n").unwrap();
    for (line, latency, slots) in [
        ("benes --dim 3", 5, 16),
        ("benes --dim 3 --stages-per-register 0 --slots 3", 0, 3),
        ("benes --dim 3 --stages-per-register 2 --reduced", 3, 16),
        ("benes --dim 4 --baked fft.slots", 7, 2),
        ("clos --shape 3,2,4 --baked permutation:1", 3, 1),
        ("butterfly --dim 3 --self-routing", 3, 1),
        ("butterfly --dim 2 --radix 4", 2, 16),
        ("double-butterfly --dim 2", 4, 16),
        ("clos --shape 1,2,2", 3, 16),
    ] {
        let report =
            json_in(at, &format!("generate {line} --kind circuit --name x --out x --force"));
        let manifest = fs::read_to_string(at.join("x/x.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["kind"], "circuit");
        assert_eq!(manifest["configuration"], report["configuration"], "{line}");
        for latency_of in [&report["latency_cycles"], &manifest["latency_cycles"]] {
            assert_eq!(*latency_of, latency, "{line}");
        }
        assert_eq!(manifest["bsp"]["l"], latency, "{line}");
        for slots_of in [&report["slots"], &manifest["parameters"]["slots"]] {
            assert_eq!(*slots_of, slots, "{line}");
        }
        assert_eq!(manifest["built"]["crosspoints_built"], report["crosspoints_built"]);
        let bits: u64 = manifest["settings_memory"]["fields"]
            .as_array()
            .map_or(0, |fields| fields.iter().map(|f| f["width"].as_u64().unwrap()).sum());
        assert_eq!(manifest["settings_memory"]["bits"].as_u64().unwrap_or(0), bits, "{line}");
    }
}

/// Two fixed schedules have one default name; the one does not silently replace the other.
#[test]
fn another_schedule_is_another_fabric() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.slots", "0 1\n"), ("b.slots", "0 2\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    // Default names tell schedules apart, whatever their files are called.
    let line = |pattern: &str| format!("generate benes --dim 2 --kind circuit --baked {pattern}");
    let mut folders = std::collections::BTreeSet::new();
    for (pattern, schedules) in [("a.slots", 1), ("a.slots", 1), ("b.slots", 2), ("shuffle", 3)] {
        let run = run_in(folder.path(), &line(pattern));
        assert_eq!(run.code, 0, "{pattern}: {}", run.stderr);
        folders.insert(run.stdout.split(':').next().unwrap().to_owned());
        assert_eq!(folders.len(), schedules, "{pattern}: {folders:?}");
        assert_eq!(
            fs::read_dir(folder.path().join("verilog-out")).unwrap().count(),
            schedules,
            "{pattern}"
        );
    }
    let run = run_in(folder.path(), &line("shuffle"));
    assert!(run.stdout.contains("--kind circuit --baked shuffle"), "{}", run.stdout);
}

/// An image holds the settings that the manifest's fields say, slot by slot.
#[test]
fn an_image_is_what_the_fields_say() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let shape = "benes --dim 3 --stages-per-register 2";
    json_in(at, &format!("generate {shape} --kind circuit --slots 5 --name x --out x"));
    let manifest = fs::read_to_string(at.join("x/x.json")).unwrap();
    let memory = serde_json::from_str::<Value>(&manifest).unwrap()["settings_memory"].clone();
    let line = format!("schedule {shape} --slots 5 --pattern permutation:3 --image x.image");
    let settings = json_in(at, &line)["slots"][0]["settings"].clone();
    let image = fs::read_to_string(at.join("x.image")).unwrap();
    let writes: Vec<(u64, u64)> = image
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').unwrap())
        .map(|(a, d)| [a, d].map(|word| u64::from_str_radix(word, 16).unwrap()).into())
        .collect();
    let first = memory["first"].as_u64().unwrap();
    for field in memory["fields"].as_array().unwrap() {
        let number = |name: &str| field[name].as_u64().unwrap();
        let address = first + 4 * number("word");
        let data = writes.iter().find(|(at, _)| *at == address).unwrap().1;
        let value = data >> number("low") & ((1 << number("width")) - 1);
        let wanted = match field["sets"].as_str().unwrap() {
            "crossed" => {
                let [stage, switch] = ["stage", "switch"].map(|name| number(name) as usize);
                u64::from(settings[stage][switch][0] == 1)
            }
            _ => 1,
        };
        assert_eq!(value, wanted, "{field}");
    }
    // COUNT and SWAP come last.
    assert_eq!(writes[writes.len() - 2..], [(0x10, 1), (0x0c, 1)]);
}

/// The lecture's claim: g is one, and L what the stages of registers take.
#[test]
fn g_is_one_and_l_the_latency() {
    let folder = tempfile::tempdir().unwrap();
    for (line, latency) in [
        ("benes --dim 3", 5.0),
        ("benes --dim 4 --stages-per-register 2", 4.0),
        ("benes --dim 2 --stages-per-register 0", 0.0),
        ("clos --shape 3,2,4", 3.0),
    ] {
        let report = json_in(folder.path(), &format!("bsp {line} --kind circuit --up-to 16"));
        for (field, wanted) in [("g", 1.0), ("l", latency), ("residual", 0.0)] {
            let found = report[field].as_f64().unwrap();
            assert!((found - wanted).abs() < 1e-9, "{line}: {field} is {found}");
        }
        assert_eq!(report["closed_form_l"], latency as u64, "{line}");
    }
}

#[test]
fn verify_holds() {
    for line in ["benes --dim 2 --slots 2", "butterfly --dim 2 --self-routing"] {
        let run = run(&format!("verify {line} --kind circuit --width 8"));
        assert_eq!(run.code, 0, "{line}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("every check holds"), "{line}: {}", run.stdout);
    }
}

#[test]
fn bad_options_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("twice.slots"), "slot\n0 1\n2 1\n").unwrap();
    fs::write(folder.path().join("range.slots"), "slot\n9 1\n").unwrap();
    fs::write(folder.path().join("none.slots"), "# nothing\n").unwrap();
    for (line, text) in [
        ("generate benes --dim 3 --slots 4", "add --kind circuit or slotted, or leave --slots out"),
        ("generate benes --dim 3 --kind circuits", "use switched, circuit"),
        ("generate hypercube --dim 3 --kind circuit", "hypercube is no network of circuits"),
        ("generate benes --dim 3 --kind circuit --depth 8", "leave --depth out"),
        ("generate benes --dim 3 --kind circuit --routing shortest", "leave --routing out"),
        ("generate benes --dim 3 --kind circuit --slots 0", "use 1 to 1024"),
        ("generate benes --dim 3 --kind circuit --slots 1025", "use 1 to 1024"),
        ("generate benes --dim 11 --kind circuit", "use 2 to 1024"),
        ("generate benes --dim 3 --kind circuit --width 0", "width 0"),
        ("generate benes --dim 3 --kind circuit --stages-per-register 6", "use 0 to 5"),
        ("generate benes --dim 10 --kind circuit --width 65", "use at most 64 bits"),
        ("generate clos --shape 1,2,2 --kind circuit --baked shuffle", "1 middle switches"),
        ("generate clos --shape 2,65,2 --kind circuit", "is no shape of a Clos network"),
        ("generate clos --shape 2,2,2 --kind circuit --self-routing", "self-routing is for"),
        (
            "generate benes --dim 3 --kind circuit --self-routing --slots 2",
            "leave --slots or --self-routing out",
        ),
        ("generate benes --dim 3 --kind circuit --baked twice.slots", "sink 1 is taken by both"),
        ("generate benes --dim 3 --kind circuit --baked range.slots", "range.slots:2: "),
        ("generate benes --dim 3 --kind circuit --baked none.slots", "no messages"),
        ("generate benes --dim 3 --kind circuit --baked gone.slots", "cannot read"),
        ("generate butterfly --dim 4 --kind circuit --baked transpose", "does not pass: "),
        (
            "generate benes --dim 3 --kind circuit --concentration 2",
            "one terminal at each end of a link; leave --concentration out",
        ),
        ("generate benes --dim 3 --kind circuit --selftest icestick", "--kind switched"),
        ("generate benes --dim 3 --kind circuit --name a-b", "identifier"),
        ("generate clos --shape 2,2,2 --reduced --kind circuit", "--reduced is for benes"),
        (
            "synth benes --dim 3 --target ecp5-85k --baked shuffle",
            "add --kind circuit, or leave --baked out",
        ),
        ("synth benes --dim 3 --target ecp5-85k --kind circuit --part fabric", "measured whole"),
        ("bsp benes --dim 3 --kind circuit --up-to 1025", "has 1024 slots at most"),
        ("bsp butterfly --dim 3 --kind circuit", "only Bene"),
        ("verify benes --dim 3 --self-routing", "add --kind circuit, or leave --self-routing out"),
        ("schedule benes --dim 3 --pattern f.slots --image gone/x", "cannot"),
        ("schedule benes --dim 3 --pattern shuffle --image x --slots 0", "use 1 to 1024"),
    ] {
        let run = run_in(folder.path(), line);
        assert_eq!(run.code, 2, "{line}: {}", run.stdout);
        assert!(run.stderr.contains(text), "{line}: {}", run.stderr);
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 3, "{line}: something was written");
    }
}

#[test]
fn a_schedule_longer_than_the_memory_has_no_image() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("three"), "0 1 3\n").unwrap();
    let line = "schedule benes --dim 2 --pattern ./three --image x --slots 2";
    let run = run_in(folder.path(), line);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("has 3 slots, and the fabric 2; use --slots 3"), "{}", run.stderr);
    assert!(!folder.path().join("x").exists());
}
