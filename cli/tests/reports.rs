//! Reports that programs read: JSON as its schema says, CSV with the same columns whatever the
//! values, and a page of docs/ that names every field. `TURNPIKE_BLESS=1 cargo test -p turnpike`
//! rewrites the page.

use crate::common;

use crate::common::{rows, run, run_in};
use jsonschema::Validator;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use turnpike_cli::commands::schema::REPORTS;
use turnpike_cli::tabular::{Field, ReportKind};
use turnpike_fabric::report::Configuration;
use turnpike_fabric::testing::sample;
use turnpike_flow::tool::{NEXTPNR_ICE40, SBY, YOSYS};
use turnpike_network::routing;
use turnpike_network::topology::{Size, TOPOLOGIES};
use turnpike_sim_network::traffic::pattern::PATTERNS;
use turnpike_sim_network::workload::kinds::WORKLOADS;
use turnpike_tests::tools::require_found;

fn kind(name: &str) -> &'static ReportKind {
    REPORTS.iter().find(|kind| kind.name == name).expect("a report of the list")
}

/// Validators, each made once.
#[derive(Default)]
struct Schemas(BTreeMap<&'static str, Validator>);

impl Schemas {
    /// Both forms of what this line reports are as the report's type says.
    #[track_caller]
    fn check(&mut self, name: &str, line: &str) {
        self.check_json(name, line);
        let csv = run(&format!("{line} --format csv"));
        let header = csv.stdout.lines().next().unwrap_or_default().to_owned();
        assert_eq!(header, (kind(name).columns)().join(","), "{line}: {}", csv.stderr);
    }

    /// The same of the JSON alone, where a run takes long.
    #[track_caller]
    fn check_json(&mut self, name: &str, line: &str) {
        let kind = kind(name);
        let validator = self.0.entry(kind.name).or_insert_with(|| {
            let mut schema = (kind.schema)().to_value();
            no_other_fields(&mut schema);
            jsonschema::validator_for(&schema).expect("a schema")
        });
        let json = run(&format!("{line} --format json"));
        // 3: not decided, as where time was up.
        assert!(json.code <= 1 || json.code == 3, "{line}: {}", json.stderr);
        let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{line}: {}", wrong.join("\n"));
    }
}

/// A field that the schema does not name is wrong, too.
fn no_other_fields(schema: &mut serde_json::Value) {
    match schema {
        serde_json::Value::Object(map) => {
            if map.contains_key("properties") && !map.contains_key("additionalProperties") {
                map.insert("additionalProperties".to_owned(), false.into());
            }
            map.values_mut().for_each(no_other_fields);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(no_other_fields),
        _ => {}
    }
}

/// A small network of every topology with every relation that it has there.
fn networks() -> Vec<String> {
    let mut lines = Vec::new();
    for topology in TOPOLOGIES {
        let size = match topology.name {
            // Thacker's table is of the 4-cube.
            "hypercube" => Size::of_dim(4),
            _ => topology.sizes.small().into_iter().nth(1).expect("a second size"),
        };
        for relation in routing::of_kind(topology) {
            lines.push(format!("{} {size} --routing {}", topology.name, relation.name));
        }
    }
    lines.retain(|line| run(&format!("analyze {line} --format csv")).code != 2);
    assert!(lines.len() > 40, "{lines:?}");
    lines
}

#[test]
fn every_network_is_reported_by_its_schema() {
    let mut schemas = Schemas::default();
    for network in sample("networks", &networks()) {
        schemas.check("analyze", &format!("analyze {network}"));
        schemas.check("simulate", &format!("simulate {network} --cycles 50 --warmup 10"));
    }
    for more in [
        "hypercube --dim 3 --routing rotation --vcs 1",
        "hypercube --dim 3 --failed 010 --width 8 --source-id --user-width 3 --keep",
        "mesh --shape 3x2 --concentration 2 --pipeline 2 --queue registers --mux lut4",
        "ring --nodes 5 --ports named --reset low",
    ] {
        schemas.check("analyze", &format!("analyze {more}"));
    }
}

/// Load 0, traces, deadlocks, hotspots, other engines: none has columns of its own.
#[test]
fn every_run_is_reported_by_its_schema() {
    let mut schemas = Schemas::default();
    let cube = "simulate hypercube --dim 3 --cycles 60 --warmup 10";
    let classes = "--class a:share=0.5 --class b:share=0.5,packet-length=1:0.5,2:0.5";
    schemas.check("simulate_classes", &format!("{cube} {classes} --reply 2"));
    let sweep = "sweep hypercube --dim 3 --load 0.1,0.2 --cycles 60 --warmup 10 --seeds 2";
    schemas.check("sweep_classes", &format!("{sweep} {classes}"));
    for pattern in PATTERNS {
        schemas.check("simulate", &format!("{cube} --traffic {}", pattern.name));
    }
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.csv");
    std::fs::write(&trace, "cycle,source,destination,flits\n3,000,111,2\n").unwrap();
    for line in [
        format!("{cube} --load 0"),
        format!("{cube} --burst 4"),
        format!("{cube} --engine rtl"),
        format!("{cube} --routing adaptive --allocator maximum"),
        format!("simulate hypercube --dim 3 --trace {}", trace.display()),
        format!("{cube} --packet-length 1:0.8,5:0.2"),
        format!("{cube} --reply 2 --reply-room 4"),
        "simulate hypercube --dim 4 --routing rotation --vcs 1 --depth 2 --load 1 \
         --packet-length 16 --cycles 2000"
            .to_owned(),
    ] {
        schemas.check("simulate", &line);
    }
    for more in [
        "--routing two-phase --barrier --runs 3",
        "--routing romm --queueing farthest-first",
        "--routing two-phase --drawn permutation",
        "--routing ecube --pattern transpose",
        "--failed 000",
    ] {
        schemas.check(
            "simulate_machine",
            &format!("simulate hypercube --dim 3 --machine steps {more}"),
        );
    }
    schemas.check("simulate_machine", "simulate mesh --shape 3x2 --machine steps");
    for workload in WORKLOADS {
        let line = format!("simulate hypercube --dim 3 --workload {}", workload.name);
        schemas.check("simulate_workload", &line);
        let more = "--interval 9 --rounds 12 --acknowledge";
        schemas.check("simulate_workload", &format!("{line} {more}"));
    }
}

#[test]
fn every_other_report_is_as_its_schema() {
    let mut schemas = Schemas::default();
    for (name, line) in [
        ("list", "list"),
        ("tables", "tables heller"),
        ("tables", "tables butterflies"),
        ("compare", "compare --dim 2..=4"),
        ("compare", "compare mesh --shape 3x3 --concentration 2"),
        ("compare", "compare arc-cube --dim 3"),
        ("compare_across", "compare --across --dim 3"),
        ("verify", "verify hypercube --dim 2"),
        ("verify", "verify hypercube --dim 4 --routing rotation --vcs 1"),
        ("verify", "verify mesh --shape 3x2 --routing adaptive"),
        ("verify_circuit", "verify benes --dim 2 --kind circuit --slots 2"),
        ("verify_circuit", "verify clos --shape 2,2,2 --kind circuit --baked shuffle"),
        ("verify_slotted", "verify mesh --shape 2x2 --kind slotted"),
        ("route", "route hypercube --dim 5 --routing rotation 00000 01101"),
        ("route", "route hypercube --dim 12 000000000000 111111111111"),
        ("route", "route hypercube --dim 3 --failed 001 000 011"),
        ("route_all", "route arc-cube --dim 3 000 111 --all"),
        ("sweep", "sweep hypercube --dim 2 --traffic uniform,hotspot --load 0,0.2,1 --cycles 60"),
        ("sweep", "sweep mesh --shape 2x2 --routing adaptive --load 1 --saturation --cycles 60"),
        ("job", "job hypercube --dim 3 --collective all-to-all --piece 2"),
        ("bsp", "bsp hypercube --dim 3 --up-to 5 --runs 2"),
        ("bsp_circuit", "bsp benes --dim 3 --kind circuit --up-to 5 --runs 2"),
        ("analyze_pattern", "analyze butterfly --dim 3 --pattern transpose"),
        ("analyze_collapse", "analyze butterfly --dim 3 --collapse"),
        ("analyze_collapse", "analyze butterfly --dim 4 --collapse --pattern transpose"),
        (
            "analyze_bounds",
            "analyze mesh --shape 4x4 --flows ../docs/examples/soc.flows.csv --bounds",
        ),
        ("analyze_pattern", "analyze mesh --shape 4x2 --concentration 2 --pattern shuffle"),
        ("worst", "worst hypercube --dim 4"),
        ("worst", "worst mesh --shape 4x2 --routing two-phase"),
        ("worst", "worst butterfly --dim 1"),
        ("audit", "audit ../docs/examples/ring.dot --routes ../docs/examples/ring.csv"),
        ("audit", "audit ../docs/examples/ring.dot --routes ../docs/examples/ring_dateline.csv"),
        ("schedule", "schedule benes --dim 3 --pattern rotation"),
        ("schedule", "schedule benes --dim 2 --pattern bit-reversal --self-routing"),
        ("schedule", "schedule butterfly --dim 4 --pattern transpose --self-routing"),
        ("schedule", "schedule clos --shape 3,2,4 --pattern bit-complement --in-turn"),
        ("schedule_time_table", "schedule mesh --shape 4x4 --pattern transpose"),
        ("schedule_time_table", "schedule mesh --shape 4x4 --pattern transpose --slots 2"),
        ("schedule_time_table", "schedule hypercube --dim 3 --failed 010 --pattern permutation:1"),
        ("explore", "explore --flows ../docs/examples/vopd.flows.csv --time-limit 1"),
        ("place", "place mesh --shape 4x4 --flows ../docs/examples/vopd.flows.csv"),
        ("design", "design mesh --shape 4x4 --flows ../docs/examples/soc.flows.csv"),
        ("design", "design mesh --shape 4x4 --flows ../docs/examples/soc.flows.csv --max-load 0.1"),
        ("search", "search hypercube --dim 3 --max-fan-out 1"),
        ("search", "search hypercube --dim 3 --max-fan-out 2"),
        ("search", "search hypercube --dim 3 --minimize fan-out"),
    ] {
        schemas.check(name, line);
    }
    let folder = tempfile::tempdir().unwrap();
    for control in ["", "--baked shuffle", "--self-routing"] {
        let out = folder.path().join("circuit");
        let line = format!("generate benes --dim 2 --kind circuit {control} --name c --force");
        schemas.check("generate_circuit", &format!("{line} --out {}", out.display()));
    }
    let line = "generate mesh --shape 2x2 --kind slotted --name s --force";
    schemas
        .check("generate_slotted", &format!("{line} --out {}", folder.path().join("s").display()));
    // What is written is said, and what a list of networks has is what `--across` has.
    let folder = tempfile::tempdir().unwrap();
    let line = "generate hypercube --dim 2 --out made --force --picture --format";
    let json = run_in(folder.path(), &format!("{line} json"));
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let mut schema = (kind("generate").schema)().to_value();
    no_other_fields(&mut schema);
    assert!(jsonschema::is_valid(&schema, &value), "{}", json.stdout);
    for file in value["files"].as_array().unwrap() {
        let path = folder.path().join("made").join(file["name"].as_str().unwrap());
        assert_eq!(std::fs::metadata(path).unwrap().len(), file["bytes"].as_u64().unwrap());
    }
    let csv = run_in(folder.path(), &format!("{line} csv"));
    assert!(csv.stdout.starts_with(&(kind("generate").columns)().join(",")));
    let networks = ["compare", "--network", "mesh --shape 3x2", "--network", "ring --nodes 6"];
    let listed = common::turnpike(networks.into_iter().chain(["--format", "csv"]));
    assert!(listed.stdout.starts_with(&(kind("compare_across").columns)().join(",")));
}

#[test]
fn reports_of_tools_are_as_their_schema() {
    let mut schemas = Schemas::default();
    if require_found(&[&YOSYS, &NEXTPNR_ICE40]) {
        let small = "hypercube --dim 1 --width 1 --depth 2";
        let target = "ice40-hx8k --seeds 1 --no-cache";
        schemas.check_json("synth", &format!("synth {small} --target {target}"));
        let line = format!("compare --dim 2 --routing ecube --width 1 --depth 2 --synth {target}");
        schemas.check_json("compare_synth", &line);
        let line = "synth benes --dim 1 --kind circuit --width 4 --slots 2";
        schemas.check_json("synth_circuit", &format!("{line} --target {target}"));
        let line = "synth hypercube --dim 1 --kind slotted --width 4";
        schemas.check_json("synth_slotted", &format!("{line} --target {target}"));
    }
    if require_found(&[&YOSYS, &SBY]) {
        let line = "verify hypercube --dim 1 --width 1 --depth 2 --formal --limit 1";
        schemas.check_json("verify_formal", line);
        let line = "verify benes --dim 1 --kind circuit --width 4 --slots 2 --formal --limit 1";
        schemas.check_json("verify_circuit_formal", line);
        let line = "verify hypercube --dim 1 --kind slotted --width 4 --formal --limit 1";
        schemas.check_json("verify_slotted_formal", line);
    }
}

/// Rows of unlike networks and runs stack: one header, and as many cells in each line.
#[test]
fn rows_stack() {
    let csv = |line: &str| run(&format!("{line} --format csv")).stdout;
    let header = |csv: &str| csv.lines().next().unwrap().to_owned();
    let meshes = csv("compare mesh --shape 2x3");
    assert_eq!(header(&meshes), header(&csv("compare --dim 3")));
    let all = rows(&meshes);
    assert!(all.len() > 3);
    for row in all {
        assert_eq!((&*row["shape"], &*row["dimension"]), ("2x3", ""));
        assert_eq!((&*row["schema_version"], &*row["terminals"]), ("2", "6"));
        assert!(row["configuration"].contains("mesh --shape 2x3 --routing"));
    }
    let row = &rows(&csv("simulate ring --nodes 4 --pipeline 1 --cycles 50 --warmup 10"))[0];
    assert_eq!((&*row["pipeline"], &*row["size"], &*row["comparison_equal"]), ("1", "4", ""));
}

const HEADER: &str = "\n| field | holds | meaning |\n| --- | --- | --- |\n";

/// A line of the page. A field that has no column in CSV is marked; those of a list of classes have theirs
/// where each class has a line.
fn line(kind: &ReportKind, columns: &[String], field: &Field) -> String {
    let Field { field, holds, meaning } = field;
    assert!(meaning.len() > 5, "{}: {field} has no meaning", kind.name);
    let of_item = kind.rows.and_then(|rows| field.strip_prefix(rows)?.strip_prefix("[]."));
    let column = of_item.unwrap_or(field).replace("classes[]", "class").replace('.', "_");
    let mark = if columns.contains(&column) { "" } else { " *" };
    format!("| `{field}`{mark} | {holds} | {} |\n", meaning.replace('|', "\\|"))
}

/// The page: the fields of a configuration once, then those of each report.
fn page() -> String {
    let analyze = kind("analyze");
    let schema = schemars::schema_for!(Configuration);
    let of_configuration = schema.as_value()["properties"].as_object().unwrap();
    let configuration = analyze.fields().into_iter();
    let configuration: Vec<Field> =
        configuration.filter(|field| of_configuration.contains_key(&field.field)).collect();
    let mut page = format!("\n## Configuration\n{HEADER}");
    page.extend(configuration.iter().map(|field| line(analyze, &(analyze.columns)(), field)));
    let [first, last] = [&configuration[0], &configuration[configuration.len() - 1]];
    let own = |field: &str| field.rsplit("[].").next().unwrap().to_owned();
    for kind in REPORTS {
        let columns = (kind.columns)();
        writeln!(page, "\n## `{}`: {}\n{}", kind.name, kind.about, HEADER.trim_end()).unwrap();
        let fields = kind.fields();
        let mut rest = &fields[..];
        while let Some((field, after)) = rest.split_first() {
            let run = rest.iter().zip(&configuration);
            let alike = run.filter(|(a, b)| own(&a.field) == b.field && a.meaning == b.meaning);
            rest = if alike.count() == configuration.len() {
                let [from, to] =
                    [first, last].map(|end| field.field.replace(&first.field, &end.field));
                writeln!(page, "| `{from}` to `{to}` | | the [configuration](#configuration) |")
                    .unwrap();
                &rest[configuration.len()..]
            } else {
                page += &line(kind, &columns, field);
                after
            };
        }
    }
    page
}

/// Every field, with what it means, stands in docs/reports.md.
#[test]
fn every_field_is_documented() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reports.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let marker = "<!-- From here on: `TURNPIKE_BLESS=1 cargo test -p turnpike reports::`. -->\n";
    let (head, tables) = text.split_once(marker).expect("the page has its marker");
    if std::env::var_os("TURNPIKE_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{marker}{page}")).unwrap();
    } else {
        assert!(tables == page, "docs/reports.md is not what the program says; see its marker");
    }
}
