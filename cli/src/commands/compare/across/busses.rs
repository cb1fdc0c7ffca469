//! Networks of busses beside switched ones.

use super::row::{CYCLES, MOST_SIMULATED};
use crate::busses::{self, BusOptions, FunnelSize, Words};
use crate::format::number;
use crate::options::NetworkOptions;
use crate::table::Table;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::{Figures, Funnels, Grid};
use turnpike_sim_network::bus::fabric::FabricModel;
use turnpike_sim_network::bus::leveled::Leveled;
use turnpike_sim_network::bus::one_bus::OneBus;
use turnpike_sim_network::bus::{Model, saturation};

/// A network of busses.
#[derive(Serialize, JsonSchema)]
pub struct BusRow {
    /// Figures of the network.
    #[serde(flatten)]
    pub figures: Figures,
    /// The protocol; `null` where none is simulated.
    pub protocol: Option<String>,
    /// Words per terminal and cycle (two cycles are a slot) that arrive where each terminal offers
    /// one in each cycle, uniform, or on a bus for flows evenly to those that it has a flow to, per terminal
    /// that sends; `null` where not simulated.
    pub saturation_throughput: Option<f64>,
    /// Whether the network is for flows.
    #[serde(skip)]
    pub is_for_flows: bool,
}

impl BusRow {
    /// The row of the network of busses that these options name; `None` where they name another.
    ///
    /// # Errors
    /// A size that is missing or out of range; options of other networks.
    pub fn of(
        network: &NetworkOptions,
        bus: &BusOptions,
        funnels: &FunnelSize,
        depth: u32,
        seed: u64,
    ) -> anyhow::Result<Option<Self>> {
        let Some((figures, flows)) = busses::figures(network, funnels)? else {
            bus.grid(network)?;
            return Ok(None);
        };
        let is_for_flows = flows.is_some();
        let mut row = Self { figures, protocol: None, saturation_throughput: None, is_for_flows };
        let terminals = row.figures.terminals;
        if terminals > MOST_SIMULATED {
            return Ok(Some(row));
        }
        let (protocol, model, nodes) = if let Some(network) = funnels.network(network)? {
            let protocol = bus.protocol_of_split_hash(&network, depth)?;
            let grid = Grid::new(&vec![network.side(); network.levels() as usize])?;
            let drawn = Funnels::new(network, seed);
            let model = Leveled::of(&drawn, &grid, protocol, depth, seed);
            (protocol, FabricModel::Leveled(model), terminals)
        } else if let Some(grid) = bus.grid(network)? {
            let protocol = bus.protocol(&grid, Words::Held(depth))?;
            let model = match &flows {
                None => FabricModel::Grid(Model::of(&grid, protocol, depth as usize, seed)),
                Some(flows) => FabricModel::OneBus(OneBus::of(&grid, flows, protocol, depth, seed)),
            };
            (protocol, model, grid.nodes())
        } else {
            return Ok(Some(row));
        };
        row.protocol = Some(protocol.to_string());
        row.saturation_throughput =
            Some(saturation::throughput(model, nodes, flows.as_ref(), seed, CYCLES));
        Ok(Some(row))
    }
}

/// All of them, for people.
pub fn text(rows: &[BusRow]) -> String {
    let mut table = Table::new([
        "busses",
        "protocol",
        "processors",
        "busses",
        "at a node",
        "longest",
        "crosspoints",
        "diameter",
        "distance",
        "throughput",
        "time table",
    ]);
    for BusRow { figures, protocol, saturation_throughput, .. } in rows {
        let count: u64 = figures.busses.iter().map(|sort| sort.count).sum();
        table.push(vec![
            figures.topology.clone(),
            protocol.clone().unwrap_or_else(|| "-".to_owned()),
            figures.terminals.to_string(),
            count.to_string(),
            figures.degree.to_string(),
            figures.longest_bus.to_string(),
            figures.crosspoints.to_string(),
            figures.diameter.to_string(),
            number(figures.average_distance),
            saturation_throughput.map_or_else(|| "-".to_owned(), number),
            figures.slots_of_a_time_table.map_or_else(|| "-".to_owned(), |s| s.to_string()),
        ]);
    }
    table.text() + LEGEND
}

const LEGEND: &str = "
longest       nodes on the longest bus
crosspoints   pairs of a sender and a receiver on one bus, in all
diameter      in busses; distance: mean over all ordered pairs, a node to itself included; for flows
              over these
throughput    words that arrive per terminal and cycle, each terminal offering one a cycle (for
              flows each that sends); two cycles are a slot
time table    slots for any permutation, known beforehand
";
