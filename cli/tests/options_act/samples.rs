//! Values of options, other than their defaults: those that clap lists, numbers that it takes, and a
//! table for the rest.

use clap::Arg;
use clap::builder::Str;

/// Values by the id of an option, where neither the values that clap lists nor [`NUMBERS`] are any. The
/// first that acts is enough.
const SAMPLES: &[(&str, &[&str])] = &[
    ("shape", &["4x2", "3,2,3"]),
    ("concentration", &["2"]),
    ("as_format", &["topology"]),
    ("routing", &["shortest", "rotation", "dimension-order", "ecube"]),
    ("phases", &["ecube,rotation"]),
    ("intermediate", &["0,1"]),
    ("places", &["{here}/places.csv"]),
    ("fixed", &["cpu", "mem", "*"]),
    ("flows", &["{here}/flows.csv", "{here}/other.csv"]),
    ("ends", &["{here}/ends.csv"]),
    ("audited_as", &["relation"]),
    ("routes", &["{here}/more.csv"]),
    ("failed", &["11", "1_1", "3", "c"]),
    ("kind", &["circuit", "slotted", "switched"]),
    ("pipeline", &["1", "2"]),
    ("traffic", &["transpose"]),
    ("packet_length", &["2"]),
    ("class", &["a:share=0.5,b:share=0.5"]),
    ("load", &["0.2"]),
    ("burst", &["4"]),
    ("precision", &["5%"]),
    ("hotspot", &["01", "111"]),
    ("hotspot_share", &["0.9"]),
    ("cycles", &["150"]),
    ("workload", &["random", "random-function"]),
    ("collective", &["all-to-all"]),
    ("messages", &["{here}/job.csv", "{here}/longer.csv"]),
    ("trace", &["{here}/trace.csv"]),
    ("pattern", &["permutation:5"]),
    ("baked", &["permutation:5"]),
    ("protocol", &["window"]),
    ("target", &["osu018"]),
    ("synth", &["xilinx7"]),
    ("selftest", &["ulx3s"]),
    ("networks", &["ring~--nodes~4"]),
    ("name", &["other"]),
    ("vendor", &["acme"]),
    ("library", &["nets"]),
    ("core_version", &["9.9.9"]),
    ("parities", &["1"]),
    ("minimize", &["crosspoints", "queues"]),
    ("max_load", &["3", "0.2"]),
    ("sbatch", &["--time=1:00:00"]),
    ("runs", &["2", "{here}/runs"]),
    ("queueing", &["farthest-first"]),
    ("drawn", &["permutation"]),
    ("hashing", &["one"]),
    ("terminal_width", &["*=64"]),
    ("terminal_clock", &["*=io_clk"]),
    ("terminal_address", &["*=64"]),
];

/// Numbers, of which each option of numbers takes some.
const NUMBERS: &[&str] = &["3", "2", "8", "1"];

/// Values of an option other than its default, as words of a command line. Not all need be in range.
pub fn of(arg: &Arg) -> Vec<String> {
    let id = arg.get_id().as_str();
    let known = SAMPLES.iter().find(|(name, _)| *name == id).map(|(_, values)| *values);
    let listed = arg.get_possible_values();
    let is_path = |name: &Str| *name == "FILE" || *name == "DIR";
    let values: Vec<String> = match known {
        Some(values) => values.iter().map(|&value| value.to_owned()).collect(),
        None if !arg.get_action().takes_values() => vec![String::new()],
        None if !listed.is_empty() => {
            listed.iter().map(|value| value.get_name().to_owned()).collect()
        }
        None if arg.get_value_names().unwrap_or_default().iter().any(is_path) => {
            vec![format!("{{here}}/{id}.new")]
        }
        None => NUMBERS.iter().map(|&value| value.to_owned()).collect(),
    };
    let is_default = |value: &str| arg.get_default_values().iter().any(|default| default == value);
    values.into_iter().filter(|value| !is_default(value)).collect()
}

/// The argument with a value, in one word.
pub fn word(arg: &Arg, value: &str) -> String {
    match arg.get_long() {
        None => value.to_owned(),
        Some(long) if value.is_empty() => format!("--{long}"),
        Some(long) => format!("--{long}={value}"),
    }
}
