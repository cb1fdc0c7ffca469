//! Output as people see it. Each file of `golden/` starts with the command and its exit code;
//! what follows is its standard output. `TURNPIKE_BLESS=1 cargo test -p turnpike` rewrites
//! them from their first lines.

use crate::common;

use std::path::Path;

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let expected = std::fs::read_to_string(&path).unwrap();
    let first = expected.lines().next().expect("a golden file starts with its command");
    let command = first.strip_prefix("$ turnpike ").expect("a command");
    let command = command.split(" # ").next().expect("a first part");
    let run = common::run(command);
    assert_eq!(run.stderr, "", "{name}");
    let actual = format!("$ turnpike {command} # exit code {}\n{}", run.code, run.stdout);
    if std::env::var_os("TURNPIKE_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    } else {
        assert_eq!(actual, expected, "{name} (TURNPIKE_BLESS=1 rewrites it)");
    }
}

macro_rules! goldens {
    ($($name:ident: $file:literal,)*) => {
        $(#[test] fn $name() { check($file); })*
        /// So that no file stands there untested.
        #[test]
        fn every_file_is_checked() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
            let mut files: Vec<_> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            files.sort_unstable();
            assert_eq!(files, [$($file),*]);
        }
    };
}

goldens! {
    analyze_ecube_2_json: "analyze_ecube_2_json.txt",
    analyze_ecube_3: "analyze_ecube_3.txt",

    analyze_rotation_4: "analyze_rotation_4.txt",
    analyze_rotation_4_one_vc: "analyze_rotation_4_one_vc.txt",
    analyze_rotation_5_csv: "analyze_rotation_5_csv.txt",
    analyze_thacker: "analyze_thacker.txt",
    compare: "compare.txt",
    compare_across: "compare_across.txt",
    compare_across_csv: "compare_across_csv.txt",
    compare_csv: "compare_csv.txt",
    export_dot: "export_dot.txt",
    export_mesh: "export_mesh.txt",
    list: "list.txt",
    list_json: "list_json.txt",
    route_rotation: "route_rotation.txt",
    route_rotation_csv: "route_rotation_csv.txt",
    route_to_itself: "route_to_itself.txt",
    simulate_deadlock: "simulate_deadlock.txt",
    simulate_hotspot: "simulate_hotspot.txt",
    simulate_json: "simulate_json.txt",
    simulate_machine: "simulate_machine.txt",
    simulate_rtl_csv: "simulate_rtl_csv.txt",
    simulate_workload: "simulate_workload.txt",
    simulate_workload_json: "simulate_workload_json.txt",
    verify_one_vc: "verify_one_vc.txt",
    verify_rotation_3: "verify_rotation_3.txt",
}
