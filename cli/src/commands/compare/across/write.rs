//! The reports of `compare --across` and `compare --network`.

use super::row::{CYCLES, MOST_SIMULATED, Row};
use super::{CompareOptions, Group, Key};
use crate::format::number;
use crate::table::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use turnpike_network::topology::Scale;

/// Everything, by network; and who is compared with whom.
pub struct Compared {
    pub rows: BTreeMap<Key, Row>,
    pub by_dimension: Vec<Group>,
    pub by_processors: Vec<Group>,
}

/// A column: its name in a CSV, its title for people, its cell.
type Column = (&'static str, &'static str, for<'a> fn(&'a Row) -> Cell<'a>);

/// A cell.
enum Cell<'a> {
    Word(&'a str),
    Size(Scale),
    Whole(u64),
    Number(Option<f64>),
}

const COLUMNS: [Column; 20] = [
    ("topology", "network", |r| Cell::Word(&r.topology)),
    ("routing", "routing", |r| Cell::Word(&r.routing)),
    ("dimension", "n", |r| Cell::Size(r.size)),
    ("processors", "processors", |r| Cell::Whole(r.processors.into())),
    ("links", "links", |r| Cell::Whole(r.links)),
    ("ports_per_switch", "ports", |r| Cell::Whole(r.ports_per_switch.into())),
    ("crosspoints_per_switch", "cross", |r| Cell::Whole(r.crosspoints_per_switch.into())),
    ("crosspoints", "in all", |r| Cell::Whole(r.crosspoints)),
    ("terminal_crosspoints", "terminals'", |r| Cell::Whole(r.terminal_crosspoints)),
    ("multiplexer_inputs_per_switch", "mux", |r| {
        Cell::Whole(r.multiplexer_inputs_per_switch.into())
    }),
    ("multiplexer_inputs", "in all", |r| Cell::Whole(r.multiplexer_inputs)),
    ("virtual_channels", "VCs", |r| Cell::Whole(r.virtual_channels.into())),
    ("queues_per_switch", "queues", |r| Cell::Whole(r.queues_per_switch.into())),
    ("queue_bits", "bits in all", |r| Cell::Whole(r.queue_bits)),
    ("injection_queue_bits", "inject's", |r| Cell::Whole(r.injection_queue_bits)),
    ("header_bits", "header", |r| Cell::Whole(r.header_bits.into())),
    ("diameter", "diameter", |r| Cell::Whole(r.diameter.into())),
    ("average_distance", "distance", |r| Cell::Number(Some(r.average_distance))),
    ("average_route_length", "route", |r| Cell::Number(Some(r.average_route_length))),
    ("saturation_throughput", "throughput", |r| Cell::Number(r.saturation_throughput)),
];

impl Compared {
    fn members<'a>(&'a self, groups: &'a [Group]) -> impl Iterator<Item = (u32, &'a Row)> {
        let pairs = groups.iter().flat_map(|g| g.members.iter().map(|key| (g.dimension, key)));
        pairs.map(|(dimension, key)| (dimension, &self.rows[key]))
    }

    /// Groups as arrays of rows, each under the dimension that it was made for.
    pub fn json(&self, options: &CompareOptions) -> Value {
        let groups = |groups: &[Group]| -> Vec<Value> {
            let group = |g: &Group| -> Value {
                let rows: Vec<&Row> = g.members.iter().map(|key| &self.rows[key]).collect();
                json!({ "cube_dimension": g.dimension, "rows": rows })
            };
            groups.iter().map(group).collect()
        };
        let mut report = settings(options);
        report["equal_dimension"] = groups(&self.by_dimension).into();
        report["nearest_processors"] = groups(&self.by_processors).into();
        report
    }

    pub fn csv(&self) -> String {
        let names = ["compared_at", "cube_dimension"].into_iter();
        let mut table = Table::new(names.chain(COLUMNS.map(|(name, ..)| name)));
        let both = [("dimension", &self.by_dimension), ("processors", &self.by_processors)];
        for (at, groups) in both {
            for (dimension, row) in self.members(groups) {
                let mut cells = vec![at.to_owned(), dimension.to_string()];
                cells.extend(self::cells(row, |x| x.to_string(), ""));
                table.push(cells);
            }
        }
        table.csv()
    }

    pub fn text(&self, options: &CompareOptions) -> String {
        let table = |groups: &[Group]| {
            let mut table = Table::new(["cube"].into_iter().chain(COLUMNS.map(|(_, t, _)| t)));
            for (dimension, row) in self.members(groups) {
                let mut cells = vec![dimension.to_string()];
                cells.extend(self::cells(row, number, "-"));
                table.push(cells);
            }
            table.text()
        };
        format!(
            "{}\nAt equal dimension\n\n{}\n\
             At the nearest number of processors, within a factor of two\n\n{}\n{LEGEND}",
            conditions(options),
            table(&self.by_dimension),
            table(&self.by_processors),
        )
    }
}

/// The same of a list of networks, which have sizes of other sorts than a dimension.
pub fn listed_json(rows: &[Row], options: &CompareOptions) -> Value {
    let mut report = settings(options);
    report["networks"] = json!(rows);
    report
}

/// The same as CSV.
pub fn listed_csv(rows: &[Row]) -> String {
    let sized = |name| if name == "dimension" { "size" } else { name };
    let mut table = Table::new(COLUMNS.map(|(name, ..)| sized(name)));
    rows.iter().for_each(|row| table.push(cells(row, |x| x.to_string(), "")));
    table.csv()
}

/// The same for people.
pub fn listed_text(rows: &[Row], options: &CompareOptions) -> String {
    let sized = |title| if title == "n" { "size" } else { title };
    let mut table = Table::new(COLUMNS.map(|(_, title, _)| sized(title)));
    rows.iter().for_each(|row| table.push(cells(row, number, "-")));
    let as_many = rows.windows(2).all(|pair| pair[0].processors == pair[1].processors);
    let unlike =
        "The networks have unlike numbers of terminals: sums over a network are not alike.\n\n";
    format!(
        "{}\n{}\n{}{}",
        conditions(options),
        table.text(),
        if as_many { "" } else { unlike },
        // Without what says what a cube is.
        LEGEND.split_once('\n').map_or(LEGEND, |(_, rest)| rest),
    )
}

/// What a report in JSON begins with.
fn settings(options: &CompareOptions) -> Value {
    json!({
        "schema_version": 1,
        "width": options.size.width,
        "depth": options.size.depth,
        "pipeline": options.build.pipeline.registers(),
        "seed": options.seed,
        "warm_up_cycles": CYCLES,
        "measured_cycles": CYCLES,
    })
}

/// Under what conditions the figures hold.
fn conditions(options: &CompareOptions) -> String {
    let (size, build, seed) = (&options.size, &options.build, options.seed);
    format!(
        "{} bits wide, queues {} deep, {build}\n\
         throughput: uniform traffic, load 1, seed {seed}, {CYCLES} cycles after {CYCLES} \
         of warm-up, reference router; up to {MOST_SIMULATED} nodes\n",
        size.width, size.depth,
    )
}

fn cells(row: &Row, number: impl Fn(f64) -> String, nothing: &str) -> Vec<String> {
    let text = |cell| match cell {
        Cell::Word(word) => word.to_owned(),
        Cell::Size(size) => size.figure().1,
        Cell::Whole(n) => n.to_string(),
        Cell::Number(x) => x.map_or_else(|| nothing.to_owned(), &number),
    };
    COLUMNS.iter().map(|(_, _, cell)| text(cell(row))).collect()
}

const LEGEND: &str = "\
cube          the dimension, or the cube whose 2^k processors the others come near to
links, ports  one way each; ports of a switch (inputs and outputs), its terminal's left out
cross         crosspoints of a switch, network port to network port; in all; terminals':
              those from and to terminals, in all, not among them
mux           inputs of a switch's multiplexers, queue by queue, terminals' included; in all
queues        of a switch, inject's left out; bits in all, and inject's bits, apart
header        most header bits on a channel, beside the flit
distance      mean over all ordered pairs, a node to itself included; route: of the relation
throughput    flits that arrive per terminal and cycle, each terminal offering one a cycle
A figure of a switch is that of the kind with the largest.
";
