//! docs/validation.md: what BookSim measured, by docs/data/booksim.csv, and the tables of the page.

use super::number;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs")
}

/// A network of the page.
pub struct Network {
    pub name: &'static str,
    /// Topology and size here.
    pub topology: &'static str,
    /// The queues here that are closest to BookSim's.
    pub depth: u32,
    /// Cycles of BookSim for each channel between two routers.
    pub booksim_channel: f64,
    /// Cycles of a flit to its own terminal here.
    pub own: f64,
}

pub const NETWORKS: [Network; 3] = [
    Network {
        name: "hypercube6",
        topology: "hypercube --dim 6",
        depth: 8,
        booksim_channel: 3.0,
        own: 1.0,
    },
    Network {
        name: "mesh8x8",
        topology: "mesh --shape 8x8",
        depth: 8,
        booksim_channel: 3.0,
        own: 2.0,
    },
    Network {
        name: "torus8x8",
        topology: "torus --shape 8x8",
        depth: 4,
        booksim_channel: 4.0,
        own: 2.0,
    },
];

pub fn network(name: &str) -> &'static Network {
    NETWORKS.iter().find(|network| network.name == name).unwrap_or_else(|| panic!("{name}"))
}

impl Network {
    /// Cycles of a packet over so many channels of BookSim, alone.
    pub fn booksim(&self, channels: f64, flits: f64) -> f64 {
        5.0 + self.booksim_channel * channels + flits - 1.0
    }

    /// Cycles of a packet over so many channels here, alone.
    pub fn ours(&self, channels: f64, flits: f64, pipeline: f64) -> f64 {
        self.own + channels + pipeline * (channels + 1.0) + flits - 1.0
    }
}

/// A line of the figures of BookSim.
#[derive(serde::Deserialize)]
pub struct Measured {
    pub network: String,
    pub traffic: String,
    pub flits: u32,
    pub load: f64,
    pub latency: Option<f64>,
    pub routers: f64,
    pub accepted: f64,
    /// What the sources release. Each run has the same seed, so that this is the most that any accepts
    /// of that load and length; load 1 is taken as it is.
    #[serde(skip)]
    pub offered: f64,
}

impl Measured {
    /// Whether all is accepted that is released, but for what is under way at the end.
    fn keeps_up(&self) -> bool {
        let share = if self.load < 1.0 { 0.99 } else { 0.9999 };
        self.accepted >= share * self.offered
    }
}

/// One network under one traffic: its lines of latency, in the order of loads, and that of load 1.
pub struct Case {
    pub curve: Vec<Measured>,
    pub full: Measured,
}

pub fn cases() -> Vec<Case> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(docs().join("data/booksim.csv"))
        .unwrap();
    let (mut cases, mut curve) = (Vec::new(), Vec::new());
    for line in reader.deserialize() {
        let line: Measured = line.unwrap();
        if line.latency.is_some() {
            curve.push(line);
        } else {
            assert_eq!(line.load, 1.0);
            cases.push(Case { curve: std::mem::take(&mut curve), full: line });
        }
    }
    assert!(curve.is_empty());
    assert_eq!(cases.len(), 22, "three networks, four patterns but one, packets of 1 and 4");
    let mut offered = HashMap::new();
    let key = |line: &Measured| (line.flits, (line.load * 100.0).round() as u32);
    for line in cases.iter().flat_map(|case| &case.curve) {
        let most: &mut f64 = offered.entry(key(line)).or_default();
        *most = most.max(line.accepted);
    }
    for case in &mut cases {
        case.full.offered = 1.0;
        case.curve.iter_mut().for_each(|line| line.offered = offered[&key(line)]);
    }
    cases
}

impl Case {
    /// The last load at which all is accepted, and the next that was run, as a cell of the page.
    pub fn saturation(&self) -> String {
        if self.full.keeps_up() {
            return "none".to_owned();
        }
        let steady = self.curve.iter().rposition(Measured::keeps_up).unwrap();
        // All loads up to the last of the curve are there, in steps of 0.05. One more was run, and called
        // unstable, but on the hypercube under bit complement, where load 1 was the next.
        let next = match self.curve.get(steady + 1) {
            Some(line) => line.load,
            None if self.full.traffic == "bit-complement" && self.full.network == "hypercube6" => {
                1.0
            }
            None => self.curve[steady].load + 0.05,
        };
        format!("{:.2} to {next:.2}", self.curve[steady].load)
    }

    /// What packets of BookSim wait at a load, between the two runs around it; `None` beyond the last. The
    /// load of a run is what its sources release: within 1.2 % of what they were told.
    pub fn waiting(&self, load: f64) -> Option<f64> {
        let network = network(&self.full.network);
        let point = |line: &Measured| {
            let alone = network.booksim(line.routers - 1.0, f64::from(line.flits));
            (line.offered, (line.latency.unwrap() - alone).max(0.0))
        };
        let above = self.curve.iter().position(|line| line.offered >= load)?;
        Some(between(point(&self.curve[above - 1]), point(&self.curve[above]), load))
    }

    /// What its packets take of BookSim at a load, and in brackets what they wait, as a cell of the page;
    /// `here`: what one takes here that is alone, over the same channels.
    pub fn latency(&self, load: f64, here: f64) -> String {
        let (network, flits) = (network(&self.full.network), f64::from(self.full.flits));
        let alone = network.booksim(here - network.own - flits + 1.0, flits);
        let cell = |waited: f64| format!("{:.2} ({waited:.2})", alone + waited);
        self.waiting(load).map_or("saturated".to_owned(), cell)
    }

    /// The cells that name it in a table of the page.
    pub fn name(&self) -> [String; 3] {
        let Measured { network, traffic, flits, .. } = &self.full;
        [network.clone(), traffic.clone(), flits.to_string()]
    }
}

/// What packets wait at a load between two others, each with what they wait there. Waiting that grows as
/// r / (1 - r), r being the load over that at which the network saturates, makes 1 over the waiting linear in
/// 1 over the load.
pub fn between(below: (f64, f64), above: (f64, f64), load: f64) -> f64 {
    if below.1 <= 0.0 {
        return below.1 + (above.1 - below.1) * (load - below.0) / (above.0 - below.0);
    }
    let share = (1.0 / load - 1.0 / above.0) / (1.0 / below.0 - 1.0 / above.0);
    1.0 / (share / below.1 + (1.0 - share) / above.1)
}

/// Both ends of a cell of loads such as `0.358 to 0.391`; `None` where no load saturates.
pub fn ends(cell: &str) -> Option<(f64, f64)> {
    let (low, high) = cell.split_once(" to ")?;
    Some((figure(low), figure(high)))
}

/// A share of the load at which a network saturates: of the middle of its ends, or of 1.
pub fn share_of(cell: &str, share: f64) -> f64 {
    let middle = ends(cell).map_or(1.0, |(low, high)| (low + high) / 2.0);
    (share * middle * 1000.0).round() / 1000.0
}

fn page() -> (PathBuf, String) {
    let path = docs().join("validation.md");
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Where the rows of the first table under a heading stand in the page.
fn rows_of(page: &str, heading: &str) -> Range<usize> {
    let after =
        |from: usize, text: &str| from + page[from..].find(text).expect(heading) + text.len();
    let start = after(after(0, &format!("\n## {heading}\n")), "--- |\n");
    start..after(start, "|\n\n") - 1
}

/// The rows of the first table under a heading of the page.
pub fn table(heading: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    let (_, text) = page();
    text[rows_of(&text, heading)].lines().map(cells).collect()
}

/// Holds the first table under a heading of the page to these rows, or writes them there.
pub fn hold(heading: &str, rows: &[Vec<String>]) {
    let cell = |cell: &String| {
        let is_name =
            cell.starts_with(char::is_alphabetic) && !["none", "saturated"].contains(&&**cell);
        if is_name { format!("`{cell}`") } else { cell.clone() }
    };
    let line = |row: &Vec<String>| {
        format!("| {} |\n", row.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let wanted: String = rows.iter().map(line).collect();
    let (path, mut text) = page();
    let rows = rows_of(&text, heading);
    if std::env::var_os("TURNPIKE_BLESS").is_some() {
        text.replace_range(rows, &wanted);
        fs::write(path, text).unwrap();
    } else {
        assert_eq!(text[rows], wanted, "{heading}: TURNPIKE_BLESS=1 rewrites it");
    }
}

pub fn figure(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("{cell:?} is no figure"))
}

/// Both figures of a cell such as `14.55 (0.54)`.
pub fn pair(cell: &str) -> (f64, f64) {
    let (first, second) = cell.trim_end_matches(')').split_once(" (").expect(cell);
    (figure(first), figure(second))
}

/// A fraction such as `1/7`, or a whole number.
pub fn fraction(cell: &str) -> f64 {
    let (above, below) = cell.split_once('/').unwrap_or((cell, "1"));
    figure(above) / figure(below)
}

/// Mean latency of a run, and how much of it is waiting.
pub fn latency(network: &Network, run: &Value) -> (f64, f64) {
    let mean = number(&run["latency"]["mean"]);
    let flits = number(&run["traffic"]["packet_flits"]);
    let alone = network.ours(number(&run["hops_per_flit"]), flits, number(&run["pipeline"]));
    (mean, mean - alone)
}
