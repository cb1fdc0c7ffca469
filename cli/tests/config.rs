//! `--config`.

use crate::common::{Run, turnpike};
use std::io::Write;

/// `turnpike` with `args` and a configuration of this text. Returns the run and how its
/// messages name the file.
fn with_config(text: &str, args: &str) -> (Run, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    let args = args.split_whitespace().chain(["--config", &path]);
    (turnpike(args), path)
}

#[test]
fn a_file_sets_options_and_the_command_line_wins() {
    let config = "topology = \"hypercube\"\ndim = 5\nrouting = \"rotation\"\nkeep = true\n";
    let field = |run: &Run, name: &str| {
        assert_eq!(run.code, 0, "{}", run.stderr);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        json[name].clone()
    };
    let (run, _) = with_config(config, "analyze --format json");
    assert_eq!(field(&run, "dimension"), 5);
    assert_eq!(field(&run, "routing"), "rotation");
    let with_keep = field(&run, "queue_bits_per_switch");
    let (run, _) = with_config(config, "analyze --format json --dim 3 --routing ecube");
    assert_eq!(field(&run, "dimension"), 3);
    assert_eq!(field(&run, "routing"), "ecube");
    let (run, _) = with_config(config, "analyze --format json --keep=false");
    assert!(field(&run, "queue_bits_per_switch").as_u64() < with_keep.as_u64());
    let (run, _) = with_config("format = \"json\"\ndim = 0b11 # three", "analyze hypercube");
    assert_eq!(field(&run, "dimension"), 3);
    let drawn = "dim = 3\nrouting = \"random-static\"\nroute-seed = 7";
    let (run, _) = with_config(drawn, "analyze hypercube --format json");
    assert_eq!(field(&run, "route_seed"), 7);
}

/// Two failed nodes in a list, and a shape: the same network as by `--failed 0_0 --failed 2_2` and
/// `--shape 3x3`.
#[test]
fn lists_are_as_on_the_command_line() {
    let config = "shape = [3, 3]\nfailed = [\"0_0\", \"2_2\"]\nrouting = \"shortest\"\n";
    let (listed, _) = with_config(config, "analyze mesh --format json");
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    let typed =
        "analyze mesh --format json --shape 3x3 --failed 0_0 --failed 2_2 --routing shortest";
    assert_eq!(listed.stdout, turnpike(typed.split(' ')).stdout);
    let (clos, _) = with_config("shape = [3, 2, 4]", "analyze clos --format json");
    assert_eq!((clos.code, clos.stderr.as_str()), (0, ""));
    let (wrong, _) = with_config("shape = [3, 3]", "analyze clos");
    assert!(wrong.stderr.contains("'3,3' is no shape of a Clos network: "), "{}", wrong.stderr);
}

/// One file serves every command: what a command has no use for it passes over.
#[test]
fn keys_of_other_commands_are_passed_over() {
    let config = "topology = \"hypercube\"\ndim = 3\nwidth = 8\nformat = \"csv\"";
    let (run, _) = with_config(config, "route hypercube 000 011");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("schema_version,topology,dimension,"), "{}", run.stdout);
    let (run, _) = with_config(config, "list");
    assert!(run.stdout.starts_with("schema_version,topology,aliases,"), "{}", run.stderr);
}

#[test]
fn what_is_wrong_in_a_file_comes_with_its_line() {
    for (text, args, expected) in [
        (
            "dim = 4\n\nwidht = 8\n",
            "analyze hypercube",
            "3: unknown key 'widht'; did you mean 'width'?",
        ),
        ("rooting = \"ecube\"", "list", "1: unknown key 'rooting'; did you mean 'routing'?"),
        ("config = \"x\"", "list", "1: 'config' is for the command line alone"),
        ("[fabric]\ndim = 4\n", "analyze hypercube", "1: unknown key 'fabric'"),
        ("\ndim = \"four\"\n", "analyze hypercube", "2: invalid value 'four' for '--dim <K>'"),
        ("dim = 4\nkeep = 3\n", "analyze hypercube", "2: invalid value '3' for '--keep"),
        ("format = \"xml\"", "list", "1: invalid value 'xml' for '--format"),
        (
            "failed = [[\"0\"], [\"1\"]]",
            "analyze hypercube",
            "1: 'failed' must be a string, a number, true or false, or a list of them",
        ),
        ("out = [\"a\", \"b\"]", "generate hypercube", "1: 'out' takes one value, and no list"),
        ("dim = [3, 4]", "analyze hypercube", "1: invalid value '3,4' for '--dim <K>'"),
        ("dim = 1979-05-27", "analyze hypercube", "1: 'dim' must be a string, a number"),
        ("dim = 4\ndim = 5", "analyze hypercube", "2: not TOML: "),
        (
            "workload = \"random\"\ndim = 3\nload = 0.5\n",
            "simulate hypercube",
            "3: 'load' does not go with 'workload' in line 1; leave one out",
        ),
        (
            "trace = \"t.csv\"\nworkload = \"random\"\n",
            "simulate hypercube --dim 3",
            "2: 'workload' does not go with 'trace' in line 1; leave one out",
        ),
        ("dim = 4\nrouting = ecube\n", "analyze hypercube", "2: not TOML: "),
    ] {
        let (run, path) = with_config(text, args);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{text}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        let expected = format!("error: {path}:{expected}");
        assert!(run.stderr.starts_with(&expected), "not {expected}: {}", run.stderr);
    }
}

#[test]
fn a_file_that_is_not_there_or_holds_wrong_values() {
    let run = turnpike(["list", "--config", "no/such/file.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("error: cannot read the configuration no/such/file.toml: "));
    assert_eq!(run.stderr.lines().count(), 1);
    let (run, _) = with_config("dim = 21\n", "analyze hypercube");
    assert!(run.stderr.contains("use 1 to 20"), "{}", run.stderr);
}

/// What does nothing is refused whoever gives it; what an option on the line replaces is passed over.
#[test]
fn what_does_nothing_is_refused_from_a_file_too() {
    let mob = "simulate mob --shape 2x2 --workload permutation";
    for (text, args, expected) in [
        ("pipeline = \"2\"", mob, "--pipeline does nothing in `simulate mob`"),
        ("keep = true", mob, "--keep does nothing in `simulate mob`"),
        ("user-width = 8", mob, "--user-width does nothing in `simulate mob`"),
        ("source-id = true", mob, "--source-id does nothing in `simulate mob`"),
        ("ports = \"named\"", mob, "--ports does nothing in `simulate mob`"),
        // At its default it is given all the same.
        ("depth = 4", mob, "--depth does nothing in `simulate mob`"),
        (
            "slots = 4",
            "generate hypercube --dim 3",
            "add --kind circuit or slotted, or leave --slots out",
        ),
    ] {
        let (run, _) = with_config(text, args);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{text}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "not {expected}: {}", run.stderr);
    }
    for (text, args) in [
        ("load = 0.5", "simulate hypercube --dim 3 --workload random"),
        ("workload = \"random\"", "simulate hypercube --dim 3 --load 0.5 --cycles 100"),
        ("allocator = \"maximum\"", mob),
        ("reset = \"low\"", "analyze hypercube --dim 3 --pattern transpose"),
        ("force = true", "analyze hypercube --dim 3"),
    ] {
        let (run, _) = with_config(text, args);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{text}");
    }
}
