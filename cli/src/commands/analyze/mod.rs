//! `turnpike analyze`: every figure of a fabric.

pub(crate) mod deadlock;
mod matrix;
mod properties;
mod text;

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::format::{Format, FormatOption, json};
use crate::options::FabricOptions;
use crate::progress::Progress;
use crate::table::Table;
use clap::Args;
use std::path::PathBuf;
use turnpike_emit::picture;
use turnpike_fabric::report::Analysis;

/// Options of `analyze`.
#[derive(Args, Debug)]
pub struct AnalyzeOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Draw the network, its commonest switches with their crossbars, and the cycle of channels that
    /// could wait for each other
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What becomes of a file that is there.
    #[command(flatten)]
    pub force: ForceOption,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. A fabric that can deadlock does not hold.
///
/// # Errors
/// Unknown names, numbers out of range; a picture that cannot be drawn or written, and nothing is
/// written then.
pub fn run(options: &AnalyzeOptions) -> anyhow::Result<Report> {
    let to = |path| Destination::new(path, "network.svg", options.force);
    let to = options.svg.as_deref().map(to).transpose()?;
    let plan = options.fabric.plan_if(None, |topology| match to {
        Some(_) => Ok(picture::check(topology)?),
        None => Ok(()),
    })?;
    let analysis = {
        let _progress = Progress::spinner(format!("analysing {}", plan.name));
        Analysis::of(&plan)
    };
    let text = match options.format.format {
        Format::Json => json(&analysis)?,
        Format::Csv => csv(&analysis),
        Format::Text => text::report(&plan, &analysis),
    };
    if let Some(to) = to {
        to.write(&picture::picture(&plan)?.contents)?;
    }
    Ok(Report::checked(text, analysis.deadlock_free))
}

/// The figures that are one number or word each, under their names in the JSON.
fn csv(analysis: &Analysis) -> String {
    let (a, p, l) = (analysis, &analysis.properties, &analysis.lengths);
    let fields = [
        ("topology", a.topology.to_owned()),
        ("routing", a.routing.to_owned()),
        ("route_seed", a.route_seed.map(|seed| seed.to_string()).unwrap_or_default()),
        a.size.figure(),
        ("nodes", a.nodes.to_string()),
        ("channels", a.channels.to_string()),
        ("invariant", a.invariant.to_string()),
        ("crosspoints_per_switch", a.crosspoints_per_switch.to_string()),
        ("terminal_crosspoints", a.terminal_crosspoints.to_string()),
        ("max_fan_in", a.max_fan_in.to_string()),
        ("max_fan_out", a.max_fan_out.to_string()),
        ("full_crosspoints", a.full_crosspoints.to_string()),
        ("full_crosspoints_no_uturn", a.full_crosspoints_no_uturn.to_string()),
        ("multiplexer_inputs", a.multiplexer_inputs.to_string()),
        ("full_multiplexer_inputs_no_uturn", a.full_multiplexer_inputs_no_uturn.to_string()),
        ("virtual_channels", a.virtual_channels.to_string()),
        ("queues_per_switch", a.queues_per_switch.to_string()),
        ("queue_bits_per_switch", a.queue_bits_per_switch.to_string()),
        ("injection_queues_per_switch", a.injection_queues_per_switch.to_string()),
        ("injection_queue_bits_per_switch", a.injection_queue_bits_per_switch.to_string()),
        ("width", a.width.to_string()),
        ("depth", a.depth.to_string()),
        ("deadlock_free", a.deadlock_free.to_string()),
        ("routes_checked", a.routes_checked.to_string()),
        ("average_distance", l.average_distance.to_string()),
        ("diameter", l.diameter.to_string()),
        ("average_route_length", l.average_route_length.to_string()),
        ("longest_route", l.longest_route.to_string()),
        ("shortest_path", p.shortest_path.holds.to_string()),
        ("port_bound", p.port_bound.holds.to_string()),
        ("oblivious", p.oblivious.holds.to_string()),
        ("balance", p.balance.holds.to_string()),
        ("balance_per_step", p.balance.per_step_holds.to_string()),
        ("failure_pairs_lost", p.failure.lost_most.to_string()),
        ("failure_pairs", p.failure.pairs.to_string()),
    ];
    let mut table = Table::new(fields.iter().map(|(name, _)| *name));
    table.push(fields.into_iter().map(|(_, value)| value).collect());
    table.csv()
}
