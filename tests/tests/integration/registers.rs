//! Register maps of counters, as a compiler of SystemRDL reads them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use turnpike_fabric::plan::counters::{
    Access, CounterRegister, PORT_REGISTERS, REGISTERS, WATCHDOG,
};
use turnpike_flow::find;
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::require;
use turnpike_tests::systemrdl::SystemRdl;

use crate::integration::{fabrics, manifest};

/// A register as the reader of SystemRDL would say it.
fn register(register: &CounterRegister, base: u64, watchdog: &Value) -> Value {
    let fields = register.fields.iter().map(|field| {
        let reset = match field.access {
            Access::Read => Value::Null,
            Access::Pulse => json!(0),
            Access::ReadWrite if register == &WATCHDOG => watchdog.clone(),
            Access::ReadWrite => json!(0),
        };
        let entry = json!({
            "bits": field.bits, "read": field.access != Access::Pulse,
            "write": field.access != Access::Read, "reset": reset, "about": field.about,
        });
        (field.name.to_owned(), entry)
    });
    let fields: serde_json::Map<String, Value> = fields.collect();
    json!({ "address": base + u64::from(register.offset), "fields": fields })
}

/// Every register of the map is where the manifest says, and no other; the header that is made of it
/// compiles without a warning.
#[test]
fn the_register_map_is_that_of_the_counters() {
    let Some(systemrdl) = require::<SystemRdl>() else { return };
    let mut maps = 0;
    for fabric in fabrics() {
        let (manifest, name, folder) = (manifest(&fabric), &fabric.plan.name, fabric.folder());
        let map = folder.join(format!("{name}_counters.rdl"));
        if !fabric.plan.has_counters() {
            assert!(!map.exists(), "{name}");
            continue;
        }
        maps += 1;
        let watchdog = json!(fabric.plan.watchdog());
        let header = folder.join("registers.h");
        let read = systemrdl.read(&map, &header);
        assert_eq!(read["messages"], json!([]), "{name}");
        assert_eq!(read["name"], json!(format!("{name}_counters")));
        let mut wanted: BTreeMap<String, Value> = BTreeMap::new();
        for own in &REGISTERS {
            wanted.insert(own.name.to_owned(), register(own, 0, &watchdog));
        }
        for terminal in manifest["terminals"].as_array().unwrap() {
            for stream in ["s_axis", "m_axis"].map(|side| &terminal[side]) {
                let (Some(ports), Some(base)) =
                    (stream["ports"].as_str(), stream["counters"].as_u64())
                else {
                    continue;
                };
                for of_port in &PORT_REGISTERS {
                    let path = format!("{ports}.{}", of_port.name);
                    wanted.insert(path, register(of_port, base, &watchdog));
                }
            }
        }
        let ports = fabric.plan.counter_ports().len();
        assert_eq!(wanted.len(), REGISTERS.len() + PORT_REGISTERS.len() * ports, "{name}");
        assert_eq!(read["registers"], json!(wanted), "{name}");
        let Some(compiler) = find::on_path("gcc") else { continue };
        let program = folder.join("registers.c");
        fs::write(&program, "#include \"registers.h\"\nint main(void) { return 0; }\n").unwrap();
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "registers.c"]);
        let run = process::run(command.current_dir(folder), LIMIT);
        assert!(run.success(), "{}", run.stderr);
    }
    assert!(maps > 1, "{maps}");
}
