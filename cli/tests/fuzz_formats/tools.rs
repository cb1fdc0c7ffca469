//! Files that open tools write, and those of the cache of their figures.

use crate::common::fuzz::fuzz;
use serde::de::DeserializeOwned;
use turnpike_flow::cache::{self, Key};
use turnpike_flow::cells::Cells;
use turnpike_flow::placement::{self, Placement, Utilization};
use turnpike_flow::{liberty, sby};

const STAT: &str = r#"{"modules": {"\\top": {"num_cells_by_type": {"\\mid": 2, "LUT4": 5}},
    "\\mid": {"num_cells_by_type": {"LUT4": 3, "SB_DFF": 1}}},
    "design": {"num_cells_by_type": {"LUT4": 11, "SB_DFF": 2, "$scopeinfo": 3}}}"#;

const REPORT: &str = r#"{"critical_paths": [{"from": "posedge clk", "to": "posedge clk",
    "path": [{"delay": 1.5, "type": "clk-to-q", "from": {"cell": "a"}, "to": {"cell": "a"}},
    {"delay": 2.0, "type": "routing", "from": {"cell": "a"}, "to": {"cell": "b"}}]}],
    "fmax": {"clk": {"achieved": 190.5}},
    "utilization": {"ICESTORM_LC": {"available": 7680, "used": 7681}}}"#;

pub fn cells(count: u32) {
    fuzz("cells", count, &[STAT], &["\\\\top", "\\\\mid"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(cells) = Cells::from_stat(&text) {
            figures(&cells);
        }
        if let Ok(modules) = Cells::by_module(&text, "top") {
            let mut sum = Cells::default();
            modules.iter().for_each(|(_, times, cells)| sum.add(*times, cells));
            figures(&sum);
        }
    });
}

fn figures(cells: &Cells) {
    let sums = [cells.luts(), cells.flip_flops(), cells.lut_rams(), cells.block_rams()];
    assert!(sums.iter().all(|&sum| sum <= cells.all() * 2), "{cells:?}");
}

pub fn placement_report(count: u32) {
    fuzz("placement", count, &[REPORT], &["1e308", "logic", "<async>"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(placement) = placement::placement(&text, 1) {
            let path = &placement.critical_path;
            let figures = [placement.mhz, path.ns, path.logic_ns, path.routing_ns];
            assert!(figures.iter().all(|x| x.is_finite()), "{placement:?}");
        }
        if let Ok(utilization) = placement::utilization(&text) {
            utilization.excess();
        }
    });
}

pub fn cache_entry(count: u32) {
    let cells = Cells::from_stat(STAT).unwrap();
    let modules = Cells::by_module(STAT, "top").unwrap();
    let placement = placement::placement(REPORT, 1).unwrap();
    let utilization = placement::utilization(REPORT).unwrap();
    let examples = [
        serde_json::to_string(&cells).unwrap(),
        serde_json::to_string(&modules).unwrap(),
        serde_json::to_string(&placement).unwrap(),
        serde_json::to_string(&utilization).unwrap(),
    ];
    let examples: Vec<&str> = examples.iter().map(String::as_str).collect();
    fuzz("cache entry", count, &examples, &[], |bytes| {
        let value = String::from_utf8_lossy(bytes);
        // As it stands, which is damage, and as an entry of another version would be.
        for text in
            [value.to_string(), format!("{}\n{value}", cache::check_of(&Key::of([]), &value))]
        {
            entry::<Cells>(&text);
            entry::<Vec<(String, u64, Cells)>>(&text);
            entry::<Placement>(&text);
            entry::<Utilization>(&text);
        }
    });
}

fn entry<T: DeserializeOwned>(text: &str) {
    drop(cache::parse::<T>(&Key::of([]), text));
}

pub fn liberty_file(count: u32) {
    let example = "library (x) {\n  wire_load(\"small\") { area : 9; }\ncell (INVX1) {\n  area : 16;\n\
        pin(A) { area : 3; }\n}\ncell(NAND2X1) {\n  area : 24.5;\n}\n}\n";
    fuzz("liberty", count, &[example], &["area", "cell"], |bytes| {
        for area in liberty::areas(&String::from_utf8_lossy(bytes)).values() {
            assert!(area.is_finite() && *area >= 0.0, "{area}");
        }
    });
}

pub fn proof_summary(count: u32) {
    let example = "SBY 1:2:3 [x] summary: engine_0 (abc pdr) returned FAIL\n\
        SBY 1:2:3 [x] summary:   failed assertion top.in_order at top.v:12.5-12.9 step 4\n\
        SBY 1:2:3 [x] summary: unreached cover statements:\n\
        SBY 1:2:3 [x] summary:   top.full at top.v:3.1-3.9\n";
    fuzz("proof summary", count, &[example], &["summary: ", " at "], |bytes| {
        sby::failed(&String::from_utf8_lossy(bytes));
    });
}
