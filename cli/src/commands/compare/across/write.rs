//! The reports of `compare --across` and `compare --network`.

use super::busses::{self, BusRow};
use super::row::{CYCLES, MOST_SIMULATED, NetworkFigures};
use super::{CompareOptions, Group, Key};
use crate::format::number;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_network::topology::Scale;

/// Figures of all networks, and the groups of networks that are compared with each other.
pub struct Compared {
    pub rows: BTreeMap<Key, NetworkFigures>,
    pub by_dimension: Vec<Group>,
    pub by_processors: Vec<Group>,
}

/// A column: its title for people, its cell.
type Column = (&'static str, for<'a> fn(&'a NetworkFigures) -> Cell<'a>);

enum Cell<'a> {
    Word(&'a str),
    Size(Scale),
    Whole(u64),
    Number(Option<f64>),
}

const COLUMNS: [Column; 20] = [
    ("network", |r| Cell::Word(&r.configuration.topology)),
    ("routing", |r| Cell::Word(&r.configuration.routing)),
    ("n", |r| Cell::Size(r.size)),
    ("processors", |r| Cell::Whole(r.processors.into())),
    ("links", |r| Cell::Whole(r.links)),
    ("ports", |r| Cell::Whole(r.ports_per_switch.into())),
    ("cross", |r| Cell::Whole(r.crosspoints_per_switch.into())),
    ("in all", |r| Cell::Whole(r.crosspoints)),
    ("terminals'", |r| Cell::Whole(r.terminal_crosspoints)),
    ("mux", |r| Cell::Whole(r.multiplexer_inputs_per_switch.into())),
    ("in all", |r| Cell::Whole(r.multiplexer_inputs)),
    ("VCs", |r| Cell::Whole(r.configuration.virtual_channels.into())),
    ("queues", |r| Cell::Whole(r.queues_per_switch.into())),
    ("bits in all", |r| Cell::Whole(r.queue_bits)),
    ("inject's", |r| Cell::Whole(r.injection_queue_bits)),
    ("header", |r| Cell::Whole(r.header_bits.into())),
    ("diameter", |r| Cell::Whole(r.diameter.into())),
    ("distance", |r| Cell::Number(Some(r.average_distance))),
    ("route", |r| Cell::Number(Some(r.average_route_length))),
    ("throughput", |r| Cell::Number(r.saturation_throughput)),
];

impl Compared {
    fn members<'a>(
        &'a self,
        groups: &'a [Group],
    ) -> impl Iterator<Item = (u32, &'a NetworkFigures)> {
        let pairs = groups.iter().flat_map(|g| g.members.iter().map(|key| (g.dimension, key)));
        pairs.map(|(dimension, key)| (dimension, &self.rows[key]))
    }

    /// Report for programs: each row with the group that it is compared in.
    pub fn document<'a>(&'a self, options: &CompareOptions) -> AcrossReport<'a> {
        let both = [("dimension", &self.by_dimension), ("processors", &self.by_processors)];
        let rows = both.into_iter().flat_map(|(at, groups)| {
            let compared = move |(dimension, figures)| ComparedRow {
                compared_at: Some(at),
                cube_dimension: Some(dimension),
                figures,
            };
            self.members(groups).map(compared)
        });
        AcrossReport::of(options, rows.collect(), &[])
    }

    pub fn text(&self, options: &CompareOptions) -> String {
        let table = |groups: &[Group]| {
            let mut table = Table::new(["cube"].into_iter().chain(COLUMNS.map(|(title, _)| title)));
            for (dimension, row) in self.members(groups) {
                let mut cells = vec![dimension.to_string()];
                cells.extend(self::cells(&COLUMNS, row));
                table.push(cells);
            }
            table.text()
        };
        format!(
            "{}\nAt equal dimension\n\n{}\n\
             At the nearest number of processors, within a factor of two\n\n{}\n{LEGEND}{UNIFORM_LEGEND}{LARGEST}",
            conditions(options, UNIFORM),
            table(&self.by_dimension),
            table(&self.by_processors),
        )
    }
}

/// Column of networks for flows, before that of the throughput.
const OF_FLOWS: Column = ("flow load", |r| Cell::Number(r.flow_load));

/// The networks of a list.
pub struct Listed {
    pub rows: Vec<NetworkFigures>,
    pub busses: Vec<BusRow>,
}

/// Networks side by side, for programs.
#[derive(Serialize, JsonSchema)]
pub struct AcrossReport<'a> {
    /// Version of these fields: 2.
    schema_version: u32,
    /// Seed of the traffic behind `saturation_throughput`.
    seed: u64,
    /// Cycles before the measurement.
    warm_up_cycles: u64,
    /// Cycles of the measurement.
    measured_cycles: u64,
    /// The switched networks.
    rows: Vec<ComparedRow<'a>>,
    /// The networks of busses.
    busses: &'a [BusRow],
}

impl Document for AcrossReport<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<AcrossReport<'_>>(
    "compare_across",
    "networks side by side (`compare --across`, `compare --network`)",
);

/// One network.
#[derive(Serialize, JsonSchema)]
struct ComparedRow<'a> {
    /// At equal `dimension`, or at the nearest number of `processors`; nothing in a list of
    /// networks.
    compared_at: Option<&'static str>,
    /// The dimension, or that of the cube whose processors the network comes near to.
    cube_dimension: Option<u32>,
    #[serde(flatten)]
    figures: &'a NetworkFigures,
}

impl<'a> AcrossReport<'a> {
    fn of(options: &CompareOptions, rows: Vec<ComparedRow<'a>>, busses: &'a [BusRow]) -> Self {
        let (seed, cycles) = (options.seed, CYCLES);
        Self {
            schema_version: 2,
            seed,
            warm_up_cycles: cycles,
            measured_cycles: cycles,
            rows,
            busses,
        }
    }

    /// Report of a list of networks.
    pub fn listed(options: &CompareOptions, listed: &'a Listed) -> Self {
        let row = |figures| ComparedRow { compared_at: None, cube_dimension: None, figures };
        Self::of(options, listed.rows.iter().map(row).collect(), &listed.busses)
    }
}

/// Report of a list of networks, for people.
pub fn listed_text(listed: &Listed, options: &CompareOptions) -> String {
    let Listed { rows, busses } = listed;
    let of_flows = rows.iter().filter(|row| row.is_for_flows).count();
    let busses_of_flows = busses.iter().filter(|row| row.is_for_flows).count();
    let traffic = match of_flows + busses_of_flows {
        0 => UNIFORM,
        count if count == rows.len() + busses.len() => "traffic of the flows",
        _ => "uniform traffic, or that of the flows",
    };
    let mut text = conditions(options, traffic) + "\n";
    if !rows.is_empty() {
        let sized = |title| if title == "n" { "size" } else { title };
        let mut columns = COLUMNS.to_vec();
        // Without what says what a cube is.
        let mut legend = LEGEND.split_once('\n').map_or(LEGEND, |(_, rest)| rest).to_owned();
        if of_flows < rows.len() {
            legend += UNIFORM_LEGEND;
        }
        legend += LARGEST;
        if of_flows > 0 {
            columns.insert(COLUMNS.len() - 1, OF_FLOWS);
            legend += FLOWS_LEGEND;
        }
        let mut table = Table::new(columns.iter().map(|(title, _)| sized(title)));
        rows.iter().for_each(|row| table.push(cells(&columns, row)));
        text += &format!("{}\n{legend}", table.text());
    }
    if !busses.is_empty() {
        text += if rows.is_empty() { "" } else { "\n" };
        text += &busses::text(busses);
    }
    let of_busses = busses.iter().map(|row| row.figures.terminals);
    let mut terminals = rows.iter().map(|row| row.processors).chain(of_busses);
    let first = terminals.next();
    if terminals.any(|terminals| Some(terminals) != first) {
        text +=
            "\nThe networks have unlike numbers of terminals: sums over a network are not alike.\n";
    }
    text
}

/// Traffic of networks from all to all.
const UNIFORM: &str = "uniform traffic";

/// Under what conditions the figures hold.
fn conditions(options: &CompareOptions, traffic: &str) -> String {
    let (size, build, seed) = (&options.size, &options.build, options.seed);
    format!(
        "{} bits wide, queues {} deep, {build}\n\
         throughput: {traffic}, load 1, seed {seed}, {CYCLES} cycles after {CYCLES} \
         of warm-up, reference router; up to {MOST_SIMULATED} nodes\n",
        size.width, size.depth,
    )
}

fn cells(columns: &[Column], row: &NetworkFigures) -> Vec<String> {
    let text = |cell| match cell {
        Cell::Word(word) => word.to_owned(),
        Cell::Size(size) => size.figure().1,
        Cell::Whole(n) => n.to_string(),
        Cell::Number(x) => x.map_or_else(|| "-".to_owned(), number),
    };
    columns.iter().map(|(_, cell)| text(cell(row))).collect()
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
";

/// Last line of the legend.
const LARGEST: &str = "A figure of a switch is that of the kind with the largest.\n";

/// Legend of the throughput of networks from all to all.
const UNIFORM_LEGEND: &str = "\
throughput    flits that arrive per terminal and cycle, each terminal offering one a cycle
";

const FLOWS_LEGEND: &str = "\
Of a network for flows these are other figures:
links, ports  those that are built
diameter, distance, route: over the flows
flow load     flits per cycle of the channel that they load most, as their bandwidths ask; what is
              above 1 does not fit; - without bandwidths, or where packets choose their way
throughput    flits that arrive per terminal that sends (with message classes per stream) and cycle,
              at their bandwidths; where they have none, each source offers a flit in each cycle
";
