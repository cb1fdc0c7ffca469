//! Files of a run beside its report: what each packet, pair, terminal and channel had.
//!
//! They are CSV, which spreadsheets, R, pandas and DuckDB read as it is.

mod tables;

use crate::destination::{self, Destination, ForceOption};
use anyhow::{Context, bail};
use clap::Args;
use std::fs::File;
use std::path::{Path, PathBuf};
use tables::{Pairs, Use};
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::Output;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::measure::{Crossing, Observer, Sample};

/// Most terminals of which `--pairs` keeps a row for each pair.
const MOST_PAIRED: u32 = 4096;

/// The files that may be asked for.
#[derive(Args, Clone, Debug, Default)]
pub struct FileOptions {
    /// Write every measured packet there, as CSV: source, destination, flits, and the cycles of its
    /// release, injection and delivery
    #[arg(long, value_name = "FILE")]
    pub samples: Option<PathBuf>,
    /// Write the packets and mean latencies of every pair of terminals there, as CSV
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,
    /// Write the packets, flits and mean latencies from every terminal there, as CSV
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// Write how many packets had each latency there, as CSV
    #[arg(long, value_name = "FILE")]
    pub histogram: Option<PathBuf>,
    /// Write the flits and the utilisation of every channel and VC there, as CSV
    #[arg(long, value_name = "FILE")]
    pub channels: Option<PathBuf>,
}

/// The files of a run that goes on.
pub struct Files<'a> {
    plan: &'a FabricPlan,
    samples: Option<(Destination, csv::Writer<File>)>,
    pairs: Option<(Destination, Pairs)>,
    sources: Option<(Destination, Vec<Use>)>,
    histogram: Option<(Destination, tables::Histogram)>,
    channels: Option<(Destination, Vec<Crossing>, u64)>,
    /// The first thing that went wrong while packets were written.
    error: Option<csv::Error>,
}

impl<'a> Files<'a> {
    /// Makes sure of every place, before the run. `waveform` is a file of the same run.
    ///
    /// # Errors
    /// As [`Destination::new`]; one file named twice; more pairs than are kept.
    pub fn new(
        options: &FileOptions,
        force: ForceOption,
        plan: &'a FabricPlan,
        waveform: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let terminals = plan.topology().terminals();
        if options.pairs.is_some() && terminals > MOST_PAIRED {
            bail!(
                "--pairs keeps a row for each pair, of up to {MOST_PAIRED} terminals, and there are \
                 {terminals}; use --samples or --sources"
            );
        }
        let FileOptions { samples, pairs, sources, histogram, channels } = options;
        let paths = [samples, pairs, sources, histogram, channels].into_iter().flatten();
        let mut places = vec![];
        for path in paths.map(PathBuf::as_path).chain(waveform) {
            let place = destination::place(path);
            if places.contains(&place) {
                bail!("{} is named for two files; name another one", path.display());
            }
            places.push(place);
        }
        let at = |path: &Option<PathBuf>, example: &str| {
            path.as_deref().map(|path: &Path| Destination::new(path, example, force)).transpose()
        };
        let samples = match at(samples, "samples.csv")? {
            Some(to) => {
                let csv = to.create_csv(&tables::SAMPLE)?;
                Some((to, csv))
            }
            None => None,
        };
        Ok(Self {
            plan,
            samples,
            pairs: at(pairs, "pairs.csv")?.map(|to| (to, Pairs::default())),
            sources: at(sources, "sources.csv")?
                .map(|to| (to, vec![Use::default(); terminals as usize])),
            histogram: at(histogram, "latencies.csv")?.map(|to| (to, Default::default())),
            channels: at(channels, "channels.csv")?.map(|to| (to, Vec::new(), 0)),
            error: None,
        })
    }

    /// Writes them, after the run.
    ///
    /// # Errors
    /// As [`Destination::keep`].
    pub fn keep(self) -> anyhow::Result<()> {
        let topology = self.plan.topology();
        let label = |terminal: u32| topology.terminal_label(Terminal(terminal));
        if let Some((to, mut csv)) = self.samples {
            let shown = to.shown().to_owned();
            let wrong = || format!("cannot write {}", shown.display());
            if let Some(error) = self.error {
                return Err(error).with_context(wrong);
            }
            csv.flush().with_context(wrong)?;
            drop(csv);
            to.keep()?;
        }
        if let Some((to, pairs)) = self.pairs {
            let rows = pairs.iter().map(|(&(source, destination), pair)| {
                let mut row = vec![label(source), label(destination)];
                row.extend(pair.row());
                row
            });
            to.write_csv(&tables::pairs(), rows)?;
        }
        if let Some((to, sources)) = self.sources {
            let rows = topology.sources().map(|source| {
                let mut row = vec![label(source.0)];
                row.extend(sources[source.0 as usize].row());
                row
            });
            to.write_csv(&tables::sources(), rows)?;
        }
        if let Some((to, histogram)) = self.histogram {
            let rows = histogram.iter().map(|(cycles, [release, injection])| {
                [cycles, release, injection].map(u64::to_string).to_vec()
            });
            to.write_csv(&tables::HISTOGRAM, rows)?;
        }
        if let Some((to, crossings, cycles)) = self.channels {
            let rows = crossings.iter().map(|crossing| channel(self.plan, crossing, cycles));
            to.write_csv(&tables::CHANNEL, rows)?;
        }
        Ok(())
    }
}

/// A row of [`tables::CHANNEL`].
fn channel(plan: &FabricPlan, crossing: &Crossing, cycles: u64) -> Vec<String> {
    let Crossing { node, output_vc, flits } = *crossing;
    let (topology, switch) = (plan.topology(), plan.switch_of(node));
    let output_vc = &switch.output_vcs[output_vc];
    let output = &switch.outputs[output_vc.output];
    let to = match output.output {
        Output::Network(port) => topology.channel(node, port).map(|(to, _)| topology.label(to)),
        Output::Eject(local) => {
            topology.sink_at(node, local).map(|terminal| topology.terminal_label(terminal))
        }
    };
    vec![
        topology.label(node),
        output.name.clone(),
        output_vc.vc.0.to_string(),
        to.unwrap_or_default(),
        flits.to_string(),
        // A measurement of no cycles has no flits.
        (flits as f64 / cycles.max(1) as f64).to_string(),
    ]
}

impl Observer for Files<'_> {
    fn counts_crossings(&self) -> bool {
        self.channels.is_some()
    }

    fn takes_packets(&self) -> bool {
        let Self { samples, pairs, sources, histogram, .. } = self;
        samples.is_some() || pairs.is_some() || sources.is_some() || histogram.is_some()
    }

    fn packet(&mut self, sample: &Sample) {
        if let Some((_, csv)) = self.samples.as_mut().filter(|_| self.error.is_none()) {
            let topology = self.plan.topology();
            let label = |terminal| topology.terminal_label(Terminal(terminal));
            let mut row = vec![label(sample.source), label(sample.destination)];
            row.push(sample.flits.to_string());
            row.extend([sample.released, sample.injected, sample.delivered].map(|c| c.to_string()));
            self.error = csv.write_record(row).err();
        }
        if let Some((_, pairs)) = &mut self.pairs {
            pairs.entry((sample.source, sample.destination)).or_default().add(sample);
        }
        if let Some((_, sources)) = &mut self.sources {
            sources[sample.source as usize].add(sample);
        }
        if let Some((_, histogram)) = &mut self.histogram {
            let latencies = [sample.latency(), sample.network_latency()];
            for (which, latency) in latencies.into_iter().enumerate() {
                histogram.entry(latency).or_default()[which] += 1;
            }
        }
    }

    fn crossings(&mut self, measured: u64, all: &[Crossing]) {
        if let Some((_, crossings, cycles)) = &mut self.channels {
            (*crossings, *cycles) = (all.to_vec(), measured);
        }
    }
}

impl Destination {
    /// Begins to write a table there.
    fn create_csv(&self, columns: &[&str]) -> anyhow::Result<csv::Writer<File>> {
        let wrong = || format!("cannot write {}", self.shown().display());
        let mut csv =
            csv::Writer::from_writer(File::create(self.unfinished()).with_context(wrong)?);
        csv.write_record(columns).with_context(wrong)?;
        Ok(csv)
    }

    /// Writes a table there.
    fn write_csv(
        self,
        columns: &[&str],
        rows: impl Iterator<Item = Vec<String>>,
    ) -> anyhow::Result<()> {
        let shown = self.shown().to_owned();
        let wrong = || format!("cannot write {}", shown.display());
        let mut csv = self.create_csv(columns)?;
        for row in rows {
            csv.write_record(row).with_context(wrong)?;
        }
        csv.flush().with_context(wrong)?;
        drop(csv);
        self.keep()
    }
}
