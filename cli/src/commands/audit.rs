//! `turnpike audit`: whether a network that somebody else made can deadlock.

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::progress::Progress;
use crate::tabular::{self, Document, ReportKind};
use crate::{Report, Verdict, flows_file, input};
use anyhow::{anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use turnpike_audit::deadlock::Held;
use turnpike_audit::model::Routed;
use turnpike_audit::readers::{FORMATS, File, Format, Input, Inputs, Reading};
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{self, Proof, Rule, Switching};
use turnpike_audit::waits::Waits;
use turnpike_audit::{certificate, verdict::Verdict as Found};
use turnpike_network::topology::wired::Wired;

/// How queues take packets.
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
    /// How a queue takes packets: wormhole (flit by flit) or packets (whole)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub switching: SwitchingOption,
    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Audit of a network.
#[derive(Serialize, JsonSchema)]
struct AuditReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Name of the network.
    network: String,
    /// Format of its files.
    files: &'static str,
    /// Number of switches.
    switches: usize,
    /// Number of channels between switches, each virtual channel counted.
    channels: usize,
    /// Number of terminals.
    terminals: usize,
    /// Message classes, in the order of the flows; none where all messages are alike.
    classes: Vec<String>,
    /// How queues take packets.
    switching: SwitchingWord,
    /// Whether some packet may choose among several next hops.
    chooses: bool,
    /// The answer.
    verdict: VerdictWord,
    /// What the numbers of the certificate promise; `null` where there is none.
    rule: Option<RuleWord>,
    /// Condition under which all packets arrive; `null` where they need not.
    condition: Option<String>,
    /// Packets that wait for each other for ever; none where none are found.
    deadlock: Vec<HeldFields>,
}

impl Document for AuditReport {
    const ROWS: Option<&'static str> = Some("deadlock");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<AuditReport>("audit", "the audit of a network from elsewhere (`audit`)");

/// How queues take packets.
#[derive(Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum SwitchingWord {
    /// Flit by flit.
    Wormhole,
    /// Whole.
    Packets,
}

/// Answer of an audit.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum VerdictWord {
    /// No packets wait for each other for ever.
    DeadlockFree,
    /// Some packets do.
    Deadlock,
    /// Neither was shown.
    NotDecided,
}

/// What the numbers of a certificate promise.
#[derive(Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum RuleWord {
    /// Each next channel has a greater number.
    All,
    /// Some next channel has a greater number.
    Some,
}

/// A packet of a deadlock, or a terminal that waits.
#[derive(Serialize, JsonSchema)]
struct HeldFields {
    /// The channel that holds the packet, or the terminal that took a message.
    holder: String,
    /// Message class of the packet, or of what the terminal sends; `null` where all are alike.
    class: Option<String>,
    /// Source of the packet, or the terminal.
    source: String,
    /// Destination of the packet, or of what the terminal sends.
    destination: String,
    /// Channels that the packet takes from its source to the holder, that one included.
    route: Vec<String>,
    /// What it waits for: each channel, or the terminal.
    waits_for: Vec<String>,
}

/// Runs it.
///
/// # Errors
/// Files that cannot be read, tables that do not lead every packet to its destination, a file that
/// cannot be written.
pub fn run(options: &AuditOptions) -> anyhow::Result<Report> {
    let to = |path| Destination::new(path, "noc.certificate", options.force);
    let certificate = options.certificate.as_deref().map(to).transpose()?;
    let (format, Reading { description, mut routed, remarks }) = read(options)?;
    let traffic = match &options.flows {
        None => Traffic::all_to_all(),
        Some(path) => {
            let flows = flows_file::read(path)?.on(&Wired::new(&description)?);
            Traffic::of(&flows.map_err(|flaw| input::fault(path, flaw.line, flaw.error))?)
        }
    };
    for remark in remarks {
        crate::usage::note_at_the_end(remark);
    }
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
    let progress = Progress::spinner("walking the routes");
    let waits = Waits::of(&routed, &traffic)?;
    let found = verdict::of_waits(&routed, &traffic, &waits, switching);
    if let Found::Free(proof) = &found {
        let text = certificate::write(&routed, &traffic, &waits, switching, proof);
        certificate::check(&text).map_err(|flaw| anyhow!("internal error: {flaw}"))?;
        if let Some(certificate) = certificate {
            certificate.write(&text)?;
        }
    }
    drop(progress);
    let report = fields(format, &routed, &traffic, &waits, switching, &found);
    let verdict = match report.verdict {
        VerdictWord::DeadlockFree => Verdict::Holds,
        VerdictWord::Deadlock => Verdict::Fails,
        VerdictWord::NotDecided => Verdict::Undecided,
    };
    let text = tabular::write(options.format.format, &report, || text(&report))?;
    Ok(Report { text, verdict })
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

fn fields(
    format: &Format,
    routed: &Routed,
    traffic: &Traffic,
    waits: &Waits,
    switching: Switching,
    found: &Found,
) -> AuditReport {
    let (verdict, rule, condition, deadlock) = match found {
        Found::Free(Proof { rule, .. }) => {
            let rule = match rule {
                Rule::All => RuleWord::All,
                Rule::Some => RuleWord::Some,
            };
            let condition = traffic.condition().to_owned();
            (VerdictWord::DeadlockFree, Some(rule), Some(condition), Vec::new())
        }
        Found::Deadlock(held) => {
            let held = held.iter().map(|held| held_fields(routed, traffic, waits, held));
            (VerdictWord::Deadlock, None, None, held.collect())
        }
        Found::Undecided => (VerdictWord::NotDecided, None, None, Vec::new()),
    };
    AuditReport {
        schema_version: 1,
        network: routed.name.clone(),
        files: format.name,
        switches: routed.switches.len(),
        channels: routed.channels.len(),
        terminals: routed.terminals.len(),
        classes: traffic.classes.iter().map(|class| class.name.clone()).collect(),
        switching: match switching {
            Switching::Wormhole => SwitchingWord::Wormhole,
            Switching::Packets => SwitchingWord::Packets,
        },
        chooses: routed.is_adaptive(),
        verdict,
        rule,
        condition,
        deadlock,
    }
}

fn held_fields(routed: &Routed, traffic: &Traffic, waits: &Waits, held: &Held) -> HeldFields {
    let name = |terminal: u32| routed.terminals[terminal as usize].name.clone();
    let class = |class: u32| traffic.classes.get(class as usize).map(|class| class.name.clone());
    let resource = |resource: u32| match waits.terminal(resource) {
        None => routed.channel_in_words(resource),
        Some((terminal, of)) => {
            format!("{}, to take a {}", name(terminal), class(of).unwrap_or_default())
        }
    };
    let holder = match waits.terminal(held.resource) {
        None => resource(held.resource),
        Some((terminal, of)) => {
            format!("{}, that took a {}", name(terminal), class(of).unwrap_or_default())
        }
    };
    HeldFields {
        holder,
        class: class(held.class),
        source: name(held.source),
        destination: name(held.destination),
        route: held.way.iter().map(|&channel| routed.channel_in_words(channel)).collect(),
        waits_for: held.next.iter().map(|&next| resource(next)).collect(),
    }
}

fn text(report: &AuditReport) -> String {
    let AuditReport { network, switches, channels, terminals, deadlock, .. } = report;
    let mut text =
        format!("{network}: {switches} switches, {channels} channels, {terminals} terminals\n\n");
    match (report.verdict, &report.condition) {
        (VerdictWord::DeadlockFree, condition) => {
            let condition = condition.as_deref().unwrap_or_default();
            text += &format!("Deadlock-free {condition}.\n");
            text += match report.rule {
                Some(RuleWord::Some) => {
                    "Each packet has a next channel of a greater number: a certificate for queues \
                     that take whole packets, checked.\n"
                }
                _ => {
                    "Every route ascends in the numbers of its channels: a certificate, checked.\n"
                }
            };
        }
        (VerdictWord::Deadlock, _) => {
            text += &format!("Deadlock: {} wait for each other for ever.\n", deadlock.len());
            for HeldFields { holder, class, source, destination, waits_for, route } in deadlock {
                let class = class.as_ref().map(|class| format!(" {class}")).unwrap_or_default();
                let waits = waits_for.join(", and ");
                text += &match route.is_empty() {
                    true => format!(
                        "  {holder}, waits until it has sent a{class} to {destination}: for {waits}\n"
                    ),
                    false => format!(
                        "  {holder} holds a{} from {source} to {destination}, which waits for \
                         {waits}\n",
                        if class.is_empty() { " packet" } else { &*class }
                    ),
                };
            }
        }
        (VerdictWord::NotDecided, _) => {
            text += "Not decided: no certificate was found, and no packets that wait for each other \
                     for ever.\n";
        }
    }
    text
}
