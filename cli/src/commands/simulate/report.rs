//! The report of `simulate`.

use super::engines::Comparison;
use super::parts;
use super::units::Units;
use super::{Engine, SimulateOptions};
use crate::format::{Format, counted, counted_as, indent, number};
use crate::options::{AllocatorName, traffic};
use crate::table::Table;
use crate::tabular::{self, Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Scale;
use turnpike_sim_network::measure::{LateFlow, Replies};
use turnpike_sim_network::report::{
    ClassReport, Latency, LengthReport, Outcome, Report, RequestReply,
};
use turnpike_sim_network::statistics::{Interval, Stability};

#[derive(Serialize, JsonSchema)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// Engine that ran the network.
    engine: Engine,
    /// Allocator of channels, where packets choose.
    allocator: Option<AllocatorName>,
    /// Labels of the terminals that hotspot traffic favours; absent for other traffic.
    hotspots: Option<Vec<String>>,
    /// Share of the packets that goes to the hotspots.
    hotspot_share: Option<f64>,
    /// The engine beside the reference router, where it is another.
    comparison: Option<&'a Comparison>,
    /// Flows with packets that took longer than the flow allows; absent where no flow says a latency.
    #[serde(skip_serializing_if = "Option::is_none")]
    late_flows: Option<&'a [LateFlow]>,
    #[serde(skip)]
    size: Scale,
    #[serde(skip)]
    units: Units,
}

impl Document for Whole<'_> {}

/// Report with a line for each class, for CSV.
#[derive(Serialize, JsonSchema)]
struct ByClass<'a> {
    #[serde(flatten)]
    whole: &'a Whole<'a>,
    rows: Vec<OfClass<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct OfClass<'a> {
    class: &'a ClassReport,
}

/// Entry in the list of reports for several classes, with a line for each in CSV.
pub const CLASSES_REPORT: ReportKind = ReportKind::of::<Whole<'_>>(
    "simulate_classes",
    "traffic of several classes, a line for each in CSV (`simulate --class`)",
)
.with_lines_of::<ByClass<'_>>();

impl Document for ByClass<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<Whole<'_>>("simulate", "traffic or a trace, measured (`simulate`)");

/// The report in the format asked for.
///
/// # Errors
/// None: its keys are strings.
pub fn write(
    options: &SimulateOptions,
    plan: &FabricPlan,
    report: &Report,
    comparison: Option<&Comparison>,
    late_flows: Option<&[LateFlow]>,
) -> anyhow::Result<String> {
    let classes = report.classes.iter().flatten();
    let hotspot =
        traffic::has_hotspots(&report.traffic.pattern, classes.map(|class| &*class.class.pattern));
    let whole = Whole {
        report,
        engine: options.engine,
        allocator: plan.chooses().then_some(options.details.allocator),
        size: plan.topology().scale(),
        units: Units::of(plan.topology()),
        hotspots: hotspot.then(|| options.details.hotspot_labels(plan.topology())),
        hotspot_share: hotspot.then_some(options.details.hotspot_share),
        comparison,
        late_flows,
    };
    match (&report.classes, options.format.format) {
        (Some(classes), Format::Csv) => {
            let rows = classes.iter().map(|class| OfClass { class }).collect();
            tabular::csv(&ByClass { whole: &whole, rows })
        }
        (_, format) => tabular::write(format, &whole, || text(&whole)),
    }
}

fn text(whole: &Whole<'_>) -> String {
    let r = whole.report;
    let mut text = parts::fabric(&r.configuration, whole.size);
    text += &traffic_words(whole);
    text += &parts::engine(whole.engine, whole.comparison);
    text += &format!("outcome: {}\n", outcome(r));
    text += &verdict(r).unwrap_or_default();
    text += &precision(r).unwrap_or_default();

    text += "\nCycles\n";
    let warm_up = match r.warm_up_found {
        Some(true) => "until MSER-5 found its end, not measured",
        Some(false) => "the limit: MSER-5 found no end; not measured",
        None => match (r.measured_cycles, r.outcome) {
            (0, Outcome::Deadlocked | Outcome::PacketLimit) => "cut off: the run ended in it",
            _ => "as given, not measured",
        },
    };
    let measured = match r.traffic.offered_load {
        None if r.drain_cycles == 0 => "to the last delivery",
        _ => "",
    };
    let drain = match is_not_drained(r) {
        true => "none: what waits grows with the length of the run",
        false => "until the last measured packet",
    };
    let mut cycles = vec![
        ("warm-up", r.warm_up_cycles.to_string(), warm_up),
        ("measured", r.measured_cycles.to_string(), measured),
        ("drain", r.drain_cycles.to_string(), drain),
    ];
    if r.settle_cycles > 0 {
        let remark = match r.request_reply {
            None => "without new packets, until the network was empty or stood still",
            Some(_) => "without new requests, until the network was empty or stood still",
        };
        cycles.push(("settle", r.settle_cycles.to_string(), remark));
    }
    text += &parts::figures(&cycles);

    text += "\nPackets, over the whole run\n";
    text += &parts::figures(&[
        ("released", r.released_packets.to_string(), "by the traffic"),
        ("injected", r.injected_packets.to_string(), "taken by the fabric"),
        ("delivered", r.delivered_packets.to_string(), ""),
    ]);

    text += &format!("\nThroughput, {}, while measuring\n", whole.units.throughput());
    let accepted = r.accepted_throughput_interval.map(interval).unwrap_or_default();
    text += &parts::figures(&[
        ("offered", number(r.offered_throughput), ""),
        ("delivered", number(r.accepted_throughput), &accepted),
    ]);
    if let Some(fairness) = r.fairness {
        let jain = "Jain's index over the sources: 1 where all got as much";
        text += &parts::figures(&[("fairness", number(fairness), jain)]);
    }

    let in_time = if is_not_drained(r) { " that were delivered in the run" } else { "" };
    let packets = r.measured_delivered_packets;
    text += &format!("\nLatency in cycles, of {packets} measured packets{in_time}\n");
    text += &latencies(r);
    let means = [r.latency_interval, r.network_latency_interval];
    if let [Some(whole), Some(network)] = means.map(|i| i.map(interval)) {
        text += &format!("  mean from release {whole}\n  mean from injection {network}\n");
    }

    text += &whole.late_flows.map(late).unwrap_or_default();

    if let Some(lengths) = &r.by_length {
        text += "\nBy length of the packets, latency in cycles from release\n";
        let row = |l: &LengthReport| (counted(l.flits, "flit"), l.figures.clone());
        text += &parts::parts(&lengths.iter().map(row).collect::<Vec<_>>());
    }

    if let Some(classes) = &r.classes {
        text += "\nBy class, latency in cycles from release\n";
        let row = |class: &ClassReport| (class.class.name.clone(), class.figures.clone());
        text += &parts::parts(&classes.iter().map(row).collect::<Vec<_>>());
    }

    text += &r.request_reply.as_ref().map(request_reply).unwrap_or_default();

    text += "\nQueues, in flits\n";
    text += &parts::figures(&[
        ("largest queue", r.largest_queue_flits.to_string(), "in the network"),
        ("largest backlog", r.largest_source_backlog_flits.to_string(), "at one source"),
        ("left at sources", r.source_backlog_flits.to_string(), "at the end"),
        ("left in network", r.network_flits.to_string(), "at the end"),
    ]);
    text
}

/// Flows with late packets.
fn late(flows: &[LateFlow]) -> String {
    if flows.is_empty() {
        return "  every packet arrived within the latency of its flow\n".to_owned();
    }
    let mut table = Table::new(["flow", "within", "worst", "late", "of packets"]);
    for flow in flows {
        let LateFlow { source, destination, .. } = flow;
        table.push(vec![
            format!("{source} to {destination}"),
            flow.latency_cycles.to_string(),
            flow.worst_cycles.to_string(),
            flow.late_packets.to_string(),
            flow.packets.to_string(),
        ]);
    }
    "\nFlows with packets that are LATE, cycles from release\n".to_owned() + &indent(&table.text())
}

fn traffic_words(whole: &Whole<'_>) -> String {
    let t = &whole.report.traffic;
    let mut words = vec![format!("traffic: {}", t.pattern)];
    if let (Some(nodes), Some(share)) = (&whole.hotspots, whole.hotspot_share) {
        words.push(format!("share {} to {}", number(share), nodes.join(" ")));
    }
    let unit = whole.units.load();
    words.extend(t.offered_load.map(|load| format!("load {load} {unit}")));
    if whole.report.classes.is_none() {
        words.extend(parts::packets(t.packet_flits, t.packet_lengths.as_deref()));
    }
    if let Some(replies) = &whole.report.request_reply {
        let RequestReply { reply_flits: flits, room, outstanding, .. } = *replies;
        words.extend(parts::replies(Replies { flits, room, outstanding }));
    }
    words.extend(t.burst_cycles.map(|cycles| format!("bursts of {cycles} cycles")));
    words.extend(t.seed.map(|seed| format!("seed {seed}")));
    words.extend(t.self_addressed.map(|drawn| {
        format!("self-addressed packets {}", if drawn { "drawn" } else { "not drawn" })
    }));
    let classes = whole.report.classes.iter().flatten().map(|class| parts::class(&class.class));
    words.join(", ") + "\n" + &indent(&classes.collect::<String>())
}

fn request_reply(r: &RequestReply) -> String {
    let mut text = "\nRequests and replies, latency in cycles from release\n".to_owned();
    text += &parts::parts(&[
        ("requests".to_owned(), r.requests.clone()),
        ("replies".to_owned(), r.replies.clone()),
    ]);
    text += "\nRound trip in cycles, from the release of a request to the delivery of its reply\n";
    match &r.round_trip {
        None => text += "  no reply was measured\n",
        Some(trips) => text += &parts::latencies(&[("round trip", trips)]),
    }
    if let Some(mean) = r.round_trip_interval {
        text += &format!("  mean {}\n", interval(mean));
    }
    let held = r.largest_reply_queue.to_string();
    text + &parts::figures(&[("largest queue", held, "replies that one terminal has held")])
}

/// Whether the run ended with its measurement, as it is saturated.
fn is_not_drained(r: &Report) -> bool {
    r.outcome == Outcome::NotDrained && r.drain_cycles == 0
}

fn outcome(r: &Report) -> String {
    match r.outcome {
        Outcome::Drained => "drained: every measured packet was delivered".to_owned(),
        Outcome::NotDrained if is_not_drained(r) => format!(
            "saturated, and not drained: {} of {} measured packets were delivered in the run",
            r.measured_delivered_packets, r.measured_packets
        ),
        Outcome::NotDrained => format!(
            "not drained: {} of {} measured packets were delivered in time",
            r.measured_delivered_packets, r.measured_packets
        ),
        Outcome::Deadlocked => {
            let room = r.request_reply.as_ref().and_then(|replies| replies.room);
            let room = room.map(|room| {
                let room = counted_as(room, "reply", "replies");
                format!(
                    "; a terminal that holds {room} takes nothing in until it has sent \
                     one"
                )
            });
            format!(
                "DEADLOCKED: {} flits in the network wait for each other and never arrive{}",
                r.network_flits,
                room.unwrap_or_default()
            )
        }
        Outcome::PacketLimit => {
            "stopped: more packets wait at the sources than a run holds".to_owned()
        }
        Outcome::Saturated => "stopped: saturated".to_owned(),
    }
}

fn verdict(r: &Report) -> Option<String> {
    // No more is ever asked for than may be under way.
    let is_limited = r.request_reply.as_ref().is_some_and(|replies| replies.outstanding.is_some());
    let text = match r.verdict? {
        Stability::Steady => "steady: the backlog shows no growth, and means have intervals",
        Stability::Saturated => {
            "SATURATED: less is delivered than offered, and the backlog grows; so does latency, \
             with the length of the run"
        }
        Stability::Undecided if is_limited => "undecided: the run is too short to tell",
        Stability::Undecided => "undecided, steady or saturated: the run is too short to tell",
    };
    let advice = r.enough_cycles.filter(|_| r.precision.is_none()).map(|cycles| {
        format!("; --cycles {cycles} would probably do, --cycles auto goes on until it can tell")
    });
    Some(format!("verdict: {text}{}\n", advice.unwrap_or_default()))
}

/// Precision of the mean latency, where one was asked for.
fn precision(r: &Report) -> Option<String> {
    let asked = format!("{} % asked for", number(100.0 * r.precision?));
    let found = r.latency.zip(r.latency_interval).map(|(Latency { mean, .. }, ends)| {
        let widest = (mean - ends.low).max(ends.high - mean);
        format!("the mean latency is within {} %", number(100.0 * widest / mean))
    });
    let found = match (r.precise, found) {
        (None, _) => "there is no mean latency".to_owned(),
        (_, found) => found.unwrap_or_else(|| "the mean latency has no interval".to_owned()),
    };
    let advice = match r.precise {
        Some(false) => parts::longer(r.measured_cycles),
        _ => String::new(),
    };
    Some(format!("precision: {found}, {asked}{advice}\n"))
}

fn interval(interval: Interval) -> String {
    format!("{} with 95 % confidence", parts::interval(interval))
}

fn latencies(r: &Report) -> String {
    let (Some(whole), Some(network)) = (&r.latency, &r.network_latency) else {
        return match r.measured_packets {
            0 => "  no packet was measured\n".to_owned(),
            _ => "  no measured packet was delivered\n".to_owned(),
        };
    };
    parts::latencies(&[("from release", whole), ("from injection", network)])
}
