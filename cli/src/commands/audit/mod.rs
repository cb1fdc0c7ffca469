//! `turnpike audit`: whether a network that somebody else made can deadlock.

mod fields;
mod text;

pub use fields::REPORT;

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::progress::Progress;
use crate::{Report, Verdict, flows_file, input};
use anyhow::{anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use fields::{AuditReport, PacketFields};
use std::path::{Path, PathBuf};
use turnpike_audit::mend::layers::{Layers, layers};
use turnpike_audit::mend::moves::{Moved, moves};
use turnpike_audit::model::Routed;
use turnpike_audit::readers::{self, FORMATS, File, Format, Input, Inputs, Reading};
use turnpike_audit::simulate::Packet;
use turnpike_audit::trace::trace;
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{self, Proof, Switching, Verdict as Found};
use turnpike_audit::waits::Waits;
use turnpike_audit::{certificate, mend};
use turnpike_network::topology::wired::Wired;

/// Switching: how queues take packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum SwitchingOption {
    /// Flit by flit, packets of any length.
    #[default]
    Wormhole,
    /// A packet only when there is room for all of it.
    Packets,
}

/// Options of `audit`.
#[derive(Args, Debug)]
pub struct AuditOptions {
    /// File of the network: switches, terminals and links
    #[arg(value_name = "NETWORK")]
    pub audited: PathBuf,
    /// File of the routes, where they do not stand in that of the network
    #[arg(long, value_name = "FILE")]
    pub routes: Option<PathBuf>,
    /// Format of the files. Default: what the ending of the name says
    #[arg(long = "as", value_name = "FORMAT", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    pub audited_as: Option<String>,
    /// File of flows, with message classes where there are any. Default: each terminal sends to each other
    #[arg(long, value_name = "FILE")]
    pub flows: Option<PathBuf>,
    /// Each message class has virtual channels of its own, on the same routes
    #[arg(long)]
    pub own_vcs: bool,
    /// Switching: wormhole (queues take packets flit by flit) or packets (whole)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub switching: SwitchingOption,
    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write mended next hops to this file, as --routes takes them
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write the packets that stop to this file, as simulate --trace takes them
    #[arg(long, value_name = "FILE")]
    pub stopped: Option<PathBuf>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// A network that was audited.
struct Audited {
    routed: Routed,
    traffic: Traffic,
    switching: Switching,
    waits: Waits,
    found: Found,
    /// Packets that stop in simulation.
    stopped: Vec<Packet>,
    mending: Option<(Moved, Option<Layers>)>,
}

/// Runs it.
///
/// # Errors
/// Files that cannot be read, tables that do not lead every packet to its destination, a file that
/// cannot be written.
pub fn run(options: &AuditOptions) -> anyhow::Result<Report> {
    let to = |path: &Option<PathBuf>, example| {
        path.as_ref().map(|path| Destination::new(path, example, options.force)).transpose()
    };
    let certificate = to(&options.certificate, "noc.certificate")?;
    let save = to(&options.save, "mended.csv")?;
    let stopped = to(&options.stopped, "stopped.csv")?;
    let (format, reading) = read(options)?;
    let audited = audited(options, reading)?;
    let report = audited.report(format);
    // What there is none of is not written, and the report stands.
    let write = |file: Option<Destination>, text: Option<String>, none: &str| match (file, text) {
        (Some(file), Some(text)) => file.write(&text),
        (Some(_), None) => {
            crate::usage::note_at_the_end(none.to_owned());
            Ok(())
        }
        (None, _) => Ok(()),
    };
    let text = match &audited.found {
        Found::Free(proof) if certificate.is_some() => Some(audited.certificate(proof)),
        _ => None,
    };
    write(certificate, text, "there is no certificate: the network is not proven deadlock-free")?;
    let text = Some(trace_of(&report)).filter(|_| !report.stopped.is_empty());
    write(stopped, text, "no packets were found that stop")?;
    let text = if save.is_some() { audited.mended()? } else { None };
    write(save, text, "no mended next hops were found that a file can say")?;
    let verdict = match audited.found {
        Found::Free(_) => Verdict::Holds,
        Found::Deadlock(_) => Verdict::Fails,
        Found::Undecided => Verdict::Undecided,
    };
    options.format.report(&report, verdict, || text::text(&report))
}

/// Audits a network that was read.
fn audited(options: &AuditOptions, reading: Reading) -> anyhow::Result<Audited> {
    let Reading { description, mut routed, remarks, traffic } = reading;
    let traffic = match &options.flows {
        None => traffic.unwrap_or_else(Traffic::all_to_all),
        Some(path) => {
            let flows = flows_file::read(path)?.on(&Wired::new(&description)?);
            Traffic::of(&flows.map_err(|flaw| input::fault(path, flaw.line, flaw.error))?)
        }
    };
    remarks.into_iter().for_each(crate::usage::note_at_the_end);
    if options.own_vcs {
        if traffic.classes.is_empty() {
            bail!(
                "the flows have no message classes that --own-vcs could keep apart; leave it out"
            );
        }
        routed = routed.with_own_channels(traffic.class_count())?;
    }
    let switching = match options.switching {
        SwitchingOption::Wormhole => Switching::Wormhole,
        SwitchingOption::Packets => Switching::Packets,
    };
    let _progress = Progress::spinner("walking the routes");
    let waits = Waits::of(&routed, &traffic)?;
    let found = verdict::of_waits(&routed, &traffic, &waits, switching);
    let (mut stopped, mut mending) = (Vec::new(), None);
    if let Found::Deadlock(held) = &found {
        stopped = trace(&routed, &traffic, &waits, held).unwrap_or_default();
        if !routed.is_adaptive() {
            mending = Some((moves(&routed, &traffic), layers(&routed, &traffic)));
        }
    }
    let audited = Audited { routed, traffic, switching, waits, found, stopped, mending };
    if let Found::Free(proof) = &audited.found {
        let text = audited.certificate(proof);
        certificate::check(&text).map_err(|flaw| anyhow!("internal error: {flaw}"))?;
    }
    Ok(audited)
}

impl Audited {
    fn certificate(&self, proof: &Proof) -> String {
        certificate::write(&self.routed, &self.traffic, &self.waits, self.switching, proof)
    }

    /// The mended next hops, as a file: entries moved, or where none were found virtual channels added.
    fn mended(&self) -> anyhow::Result<Option<String>> {
        let mended = match &self.mending {
            Some((Moved::By(found), _)) => mend::moves::mended(&self.routed, &found.moves),
            Some((_, Some(found))) => mend::layers::mended(&self.routed, &self.traffic, found)?,
            Some((_, None)) | None => return Ok(None),
        };
        Ok(readers::save(&mended))
    }
}

/// The packets that stop, as a trace.
fn trace_of(report: &AuditReport) -> String {
    let mut text = "cycle,source,destination,flits\n".to_owned();
    for PacketFields { cycle, source, destination, flits, .. } in &report.stopped {
        text += &format!("{cycle},{source},{destination},{flits}\n");
    }
    text
}

fn read(options: &AuditOptions) -> anyhow::Result<(&'static Format, Reading)> {
    let name = |path: &Path| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let network = name(&options.audited);
    let routes = options.routes.as_deref().map(name);
    let asked = options.audited_as.as_deref().and_then(Format::named);
    let format = asked.or_else(|| Format::of_files(&network, routes.as_deref()));
    let format = format.ok_or_else(|| {
        let known: Vec<String> =
            FORMATS.iter().map(|format| format!("{} ({})", format.name, format.about)).collect();
        let shown = options.routes.as_ref().unwrap_or(&options.audited).display();
        anyhow!(
            "{shown}: the name does not say the format; add --as with one of {}",
            known.join(", ")
        )
    })?;
    match (format.has_routes, &options.routes) {
        (Some(true), None) => {
            bail!(
                "format {} takes the routes from a file of their own; add --routes FILE",
                format.name
            )
        }
        (Some(false), Some(_)) => {
            bail!("format {} has its routes in the network's file; leave --routes out", format.name)
        }
        _ => {}
    }
    let bytes = input::bytes(&options.audited, "network", input::MOST_TOPOLOGY)?;
    let own = |path: &PathBuf| input::bytes(path, "routes", input::MOST_RELATION);
    let of_routes = options.routes.as_ref().map(own).transpose()?;
    let inputs = Inputs {
        network: Input { name: &network, bytes: &bytes },
        routes: of_routes
            .as_ref()
            .map(|bytes| Input { name: routes.as_deref().unwrap_or(""), bytes }),
    };
    let reading = format.read(&inputs).map_err(|error| {
        let path = match (error.file, &options.routes) {
            (File::Routes, Some(routes)) => routes,
            _ => &options.audited,
        };
        input::fault(path, error.line, error.fault)
    })?;
    Ok((format, reading))
}
