//! `turnpike simulate`: traffic or a workload through a fabric, measured.
//!
//! The figures are those of the reference router. The other engines then run the same packets
//! and are held against it in every cycle, so that the figures are theirs too.

mod bus;
mod engines;
mod files;
mod funnels;
mod machine;
mod machine_report;
pub mod parts;
mod report;
mod setup;
pub mod units;
mod workload;
mod workload_report;

pub use bus::REPORT as BUS_REPORT;
use files::{FileOptions, Files};
pub use funnels::REPORT as FUNNEL_REPORT;
pub use machine::MachineOptions;
pub use machine_report::REPORT as MACHINE_REPORT;
pub use report::{CLASSES_REPORT, REPORT};
pub use workload::WorkloadOptions;
pub use workload_report::REPORT as WORKLOAD_REPORT;

use crate::Report;
use crate::busses::BusOptions;
use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::{FabricOptions, RunOptions, TrafficOptions, traffic, values};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_bench::verilated::Verilator;
use turnpike_sim_network::measure::{self, Deadlines, Observer, Phase, Recorded, RunConfig};
use turnpike_sim_network::report::Outcome;
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_network::traffic::Traffic;

/// Engine that runs the network.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The software reference router.
    #[default]
    Reference,
    /// The netlist of the RTL.
    Rtl,
    /// The emitted Verilog, under Verilator.
    Verilator,
}

/// Options of `simulate`.
#[derive(Args, Clone, Debug)]
pub struct SimulateOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Traffic that drives the terminals
    #[arg(long, value_name = "PATTERN", default_value = "uniform", value_parser = values::traffic,
          help = traffic::help("What drives the terminals"))]
    pub traffic: String,
    /// A workload in place of traffic.
    #[command(flatten)]
    pub workload: WorkloadOptions,
    /// Options of networks of busses.
    #[command(flatten)]
    pub bus: BusOptions,
    /// Options of split&hash networks.
    #[command(flatten)]
    pub funnels: funnels::FunnelOptions,
    /// The machine of steps in place of the fabric.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Packets from a CSV file (cycle, source, destination, flits; terminals by label) in place of
    /// --traffic
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Flits offered per terminal and cycle, 0 to 1. Default: 0.1; of flows with bandwidths 1, which is
    /// what they ask for
    #[arg(long, value_name = "LOAD", allow_hyphen_values = true, value_parser = values::load)]
    pub load: Option<f64>,
    /// The run.
    #[command(flatten)]
    pub run: RunOptions,
    /// Details of the traffic.
    #[command(flatten)]
    pub details: TrafficOptions,
    /// Engine that runs the network: reference, rtl or verilator
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub engine: Engine,
    /// Write the waveform there, with --engine rtl
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Files beside the report.
    #[command(flatten)]
    pub files: FileOptions,
    /// Whether a file that is there is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl SimulateOptions {
    /// Results of `run`, one for each seed of the runs that are asked for, in order.
    ///
    /// # Errors
    /// The first of `run`.
    fn each_run<T>(
        &self,
        what: &'static str,
        mut run: impl FnMut(u64) -> anyhow::Result<T>,
    ) -> anyhow::Result<Vec<T>> {
        let count = self.machine.runs.unwrap_or(1);
        let progress = Progress::steps(count.into(), what);
        let one = |number| {
            let found = run(self.run.seed.wrapping_add(number));
            progress.step();
            found
        };
        (0..u64::from(count)).map(one).collect()
    }
}

/// Runs it. A network that deadlocks, packets that arrive later than their flow allows, or an engine
/// that differs from the reference router, do not hold.
///
/// # Errors
/// Unknown names, numbers out of range, files that cannot be read or written, a fabric beyond
/// memory, no Verilator.
pub fn run(options: &SimulateOptions) -> anyhow::Result<Report> {
    if let Some(network) = options.funnels.network(&options.fabric.network)? {
        return funnels::run(options, &network);
    }
    if let Some(grid) = options.bus.grid(&options.fabric.network)? {
        return bus::run(options, &grid);
    }
    setup::check(options)?;
    if options.machine.machine.is_some() {
        return machine::run(options);
    }
    // Before anything that takes long.
    let verilator = match options.engine {
        Engine::Verilator => Some(Verilator::find()?),
        _ => None,
    };
    if let Some(name) = &options.workload.workload {
        return workload::run(options, name, verilator);
    }
    let plan = setup::plan(options)?;
    let mut traffic = setup::traffic(options, &plan)?;
    let config = setup::run_config(options, &plan);
    let waveform = setup::waveform(options)?;
    let mut files = Files::new(&options.files, options.force, &plan, options.vcd.as_deref())?;
    let mut observer = Deadlines::new(&plan, &mut files);

    let (report, stimulus) = match options.engine {
        Engine::Reference => (reference(&plan, &mut *traffic, &config, &mut observer)?, None),
        Engine::Rtl | Engine::Verilator => {
            let mut recorded = Recorded::new(&mut observer);
            let report = reference(&plan, &mut *traffic, &config, &mut recorded)?;
            (report, Some(Arc::new(recorded.stimulus(&plan, options.run.seed))))
        }
    };
    let late = observer.late();
    // While the network settles, sources hold packets back that a stimulus would send.
    let cycles = report.cycles - report.settle_cycles;
    let comparison = compare(&plan, stimulus, cycles, verilator, waveform)?;
    files.keep()?;

    let equal = comparison.as_ref().is_none_or(|c| c.equal);
    let in_time = late.as_ref().is_none_or(Vec::is_empty);
    let holds = equal && in_time && report.outcome != Outcome::Deadlocked;
    let text = report::write(options, &plan, &report, comparison.as_ref(), late.as_deref())?;
    Ok(Report::checked(text, holds))
}

/// Measures the traffic on the reference router.
fn reference(
    plan: &FabricPlan,
    traffic: &mut dyn Traffic,
    config: &RunConfig,
    observer: &mut dyn Observer,
) -> anyhow::Result<turnpike_sim_network::report::Report> {
    let progress = Progress::steps(1, "reference router");
    let mut tell = |p: measure::Progress| {
        progress.message(match p.phase {
            Phase::WarmUp => "reference router: warm-up",
            Phase::Measure => "reference router: measuring",
            Phase::Drain => "reference router: draining",
            Phase::Settle => "reference router: settling",
        });
        progress.at(p.cycles, p.of);
    };
    Ok(measure::observe(plan, traffic, config, &mut tell, observer)?)
}

/// Holds the other engine against the reference router, where a stimulus was recorded for one:
/// Verilator where it was found. The waveform is kept.
fn compare(
    plan: &FabricPlan,
    stimulus: Option<Arc<Stimulus>>,
    cycles: u64,
    verilator: Option<Verilator>,
    waveform: Option<Destination>,
) -> anyhow::Result<Option<engines::Comparison>> {
    let compared = |stimulus: Arc<Stimulus>| match verilator {
        Some(verilator) => engines::verilator(&verilator, plan, &stimulus, cycles),
        None => {
            let circuit = engines::circuit(plan, waveform.is_some())?;
            engines::rtl(circuit, plan, &stimulus, cycles, waveform.as_ref())
        }
    };
    let comparison = stimulus.map(compared).transpose()?;
    waveform.map(Destination::keep).transpose()?;
    Ok(comparison)
}
