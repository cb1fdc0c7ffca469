//! Flits per second that a switched fabric carries: what its terminals take in a cycle, by the
//! reference router, at the clock that its placements reach.

use super::report::Counts;
use crate::commands::simulate::parts;
use crate::format::number;
use crate::progress::Progress;
use crate::table::Table;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::measure::Measured;
use turnpike_network::flows::Flows;
use turnpike_sim_network::measure::{self, RunConfig, WarmUp};
use turnpike_sim_network::report::{Ends, Outcome, both_ends};
use turnpike_sim_network::statistics::Interval;
use turnpike_sim_network::traffic::{self, Lengths, TrafficConfig};

/// Flits offered per terminal and cycle: more than any network takes.
const LOAD: f64 = 1.0;
/// Seed of the traffic.
const SEED: u64 = 1;
/// Cycles before the measurement, and of it.
const CYCLES: (u64, u64) = (2_000, 20_000);

/// Flits that a fabric's terminals take in a cycle.
pub enum Accepted {
    /// By the reference router.
    Simulated(Box<Simulated>),
    /// Unknown, with the reason.
    Unknown(&'static str),
}

/// Runs of the reference router.
pub struct Simulated {
    /// Name of the traffic.
    traffic: String,
    terminals: u32,
    /// Data bits of a flit.
    width: u32,
    /// Flits per terminal and cycle of packets of one flit and of four, with the interval of the mean.
    by_length: [(f64, Option<Interval>); 2],
}

impl Accepted {
    /// Flits that the terminals of a plan take, at a load above what it carries.
    ///
    /// # Errors
    /// A plan that the reference router cannot take.
    pub fn of(plan: &FabricPlan) -> anyhow::Result<Self> {
        let topology = plan.topology();
        if topology.flows().is_some_and(Flows::have_bandwidths) {
            return Ok(Self::Unknown(
                "the flows have bandwidths, so that the traffic is what they ask for and not what the \
                 network can carry",
            ));
        }
        let _progress = Progress::spinner("reference router");
        let mut simulated = Simulated {
            traffic: String::new(),
            terminals: topology.terminals(),
            width: plan.parameters.width,
            by_length: [(0.0, None); 2],
        };
        for (figures, flits) in simulated.by_length.iter_mut().zip([1, 4]) {
            let (seed, packet_flits) = (SEED, Lengths::one(flits));
            let config =
                TrafficConfig { load: LOAD, packet_flits, seed, ..TrafficConfig::default() };
            let mut traffic = traffic::synthetic(traffic::Ends::of(topology), &config)?;
            let config = RunConfig {
                warm_up: WarmUp::Cycles(CYCLES.0),
                measure: Some(CYCLES.1),
                // What waits at the sources at such a load would take as long again.
                drain: 0,
                all_cores: true,
                ..RunConfig::default()
            };
            let report = measure::run(plan, &mut *traffic, &config, &mut |_| {})?;
            match report.outcome {
                Outcome::Deadlocked => return Ok(Self::Unknown("the network deadlocks")),
                Outcome::PacketLimit => {
                    return Ok(Self::Unknown("more packets wait at the sources than a run holds"));
                }
                Outcome::Drained | Outcome::NotDrained | Outcome::Saturated => {}
            }
            *figures = (report.accepted_throughput, report.accepted_throughput_interval);
            simulated.traffic = report.traffic.pattern;
        }
        Ok(Self::Simulated(Box::new(simulated)))
    }

    /// The figures of a fabric that was placed, as text.
    pub fn text(&self, measured: &Measured) -> String {
        let simulated = match self {
            Self::Simulated(simulated) => simulated,
            Self::Unknown(why) => return format!("throughput not measured: {why}\n"),
        };
        let Some(throughput) = simulated.throughput(measured) else { return String::new() };
        let mut table = Table::new([
            "packets of",
            "flits per terminal and cycle",
            "95 % confidence",
            "Gflit/s",
            "Gbit/s",
            "Mflit/s per LUT",
        ]);
        let rows = [("1 flit", &throughput.one_flit), ("4 flits", &throughput.four_flits)];
        for (name, rate) in rows {
            let per_lut = rate.mflit_per_s_per_lut.map_or_else(|| "-".to_owned(), number);
            table.push(vec![
                name.to_owned(),
                number(rate.accepted_throughput),
                rate.accepted_throughput_interval.map_or_else(|| "-".to_owned(), parts::interval),
                number(rate.gflit_per_s),
                format!("{:.1}", rate.gbit_per_s),
                per_lut,
            ]);
        }
        let Throughput { traffic, seed, warm_up_cycles, measured_cycles, .. } = &throughput;
        format!(
            "throughput of the network at that clock: load {LOAD}, traffic {traffic}, seed {seed}, {measured_cycles} \
             cycles after {warm_up_cycles}\n{}",
            table.text()
        )
    }
}

impl Simulated {
    /// The figures of a fabric that was placed.
    pub fn throughput(&self, measured: &Measured) -> Option<Throughput> {
        let mhz = measured.clock.as_ref()?.median();
        let luts = Counts::of(&measured.cells).luts;
        let rate = |(accepted_throughput, accepted_throughput_interval): (f64, _)| {
            let mflit_per_s = accepted_throughput * f64::from(self.terminals) * mhz;
            FlitRate {
                accepted_throughput,
                accepted_throughput_interval,
                gflit_per_s: mflit_per_s / 1e3,
                gbit_per_s: mflit_per_s / 1e3 * f64::from(self.width),
                mflit_per_s_per_lut: (luts > 0).then(|| mflit_per_s / luts as f64),
            }
        };
        let [one_flit, four_flits] = self.by_length.map(rate);
        Some(Throughput {
            traffic: self.traffic.clone(),
            offered_load: LOAD,
            seed: SEED,
            warm_up_cycles: CYCLES.0,
            measured_cycles: CYCLES.1,
            one_flit,
            four_flits,
        })
    }
}

/// Flits that the whole network carries at the median clock, by the reference router.
#[derive(Serialize, JsonSchema)]
pub struct Throughput {
    /// Traffic of the run: `uniform`, or `flows`, those of the network.
    traffic: String,
    /// Offered load in flits per terminal and cycle: 1, more than networks take.
    offered_load: f64,
    /// Seed of the traffic.
    seed: u64,
    /// Cycles before the measurement.
    warm_up_cycles: u64,
    /// Cycles of the measurement.
    measured_cycles: u64,
    /// Packets of one flit.
    one_flit: FlitRate,
    /// Packets of four flits.
    four_flits: FlitRate,
}

/// Flits of packets of one length.
#[derive(Serialize, JsonSchema)]
struct FlitRate {
    /// Flits taken at outputs per terminal and cycle.
    accepted_throughput: f64,
    /// 95 % confidence interval of `accepted_throughput`; both ends absent where the run is too short to
    /// tell.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    accepted_throughput_interval: Option<Interval>,
    /// Flits of the whole network: `accepted_throughput` by terminals and clock, in 10^9 per second.
    gflit_per_s: f64,
    /// Data bits of these flits, in 10^9 per second.
    gbit_per_s: f64,
    /// Flits of the whole network for each LUT of it, in 10^6 per second. Absent where there are no LUTs.
    mflit_per_s_per_lut: Option<f64>,
}
