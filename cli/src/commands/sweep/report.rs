//! The report of `sweep`.

use super::curve::Curve;
use super::saturation::Saturation;
use super::text;
use crate::commands::simulate::units::Units;
use crate::format::{Format, json};
use crate::options::AllocatorName;
use crate::tabular::{self, Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::report::Configuration;
use turnpike_network::topology::Scale;
use turnpike_sim_network::measure::Replies;
use turnpike_sim_network::sweep::{PartPoint, Point, RequestReplyPoint};
use turnpike_sim_network::traffic::ClassDescription;

/// Curves over the offered load.
#[derive(Serialize, JsonSchema)]
pub struct SweepReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Seed of the first run of each point; the other runs have the seeds after it.
    pub seed: u64,
    /// The points: by relation, then pattern, then load.
    pub rows: Vec<SweepPoint>,
}

impl Document for SweepReport {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<SweepReport>("sweep", "latency and throughput over the load (`sweep`)");

/// A point of a curve.
#[derive(Serialize, JsonSchema)]
pub struct SweepPoint {
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Size of the network.
    #[serde(skip)]
    pub size: Scale,
    /// Units of the load and the throughput.
    #[serde(skip)]
    pub units: Units,
    /// The traffic.
    pub traffic: SweepTraffic,
    /// Labels of the terminals that hotspot traffic favours; absent for other traffic.
    pub hotspots: Option<Vec<String>>,
    /// Share of the packets that goes to the hotspots.
    pub hotspot_share: Option<f64>,
    /// Allocator of channels, where packets choose.
    pub allocator: Option<AllocatorName>,
    /// Figures of the point.
    #[serde(flatten)]
    pub point: Point,
    /// The classes, where there are any, in their order: their requests, where packets are answered.
    pub classes: Option<Vec<ClassRow>>,
    /// Share of the mean latency within which both ends of its interval were to be. Absent where that was not
    /// asked for.
    pub precision: Option<f64>,
    /// Whether the mean latency is known as precisely as was asked for. Absent where that was not asked for, and
    /// where there is no mean: where runs are saturated or deadlock, or measure no packet.
    pub precise: Option<bool>,
    /// The load at which the network saturates under this pattern, the same in all rows of a curve;
    /// absent where it was not looked for, and where a run deadlocked.
    pub saturation: Option<Saturation>,
}

/// A class at a point.
#[derive(Serialize, JsonSchema)]
pub struct ClassRow {
    /// Description of the class.
    #[serde(flatten)]
    pub class: ClassDescription,
    /// Figures of the class.
    #[serde(flatten)]
    pub part: PartPoint,
}

fn classes(classes: &[ClassDescription], load: f64, parts: &[PartPoint]) -> Option<Vec<ClassRow>> {
    let row = |(class, part): (&ClassDescription, &PartPoint)| ClassRow {
        class: ClassDescription { offered_load: load * class.share, ..class.clone() },
        part: *part,
    };
    (!classes.is_empty()).then(|| classes.iter().zip(parts).map(row).collect())
}

/// Report with a line for each class of each point, for CSV.
#[derive(Serialize, JsonSchema)]
struct ByClass<'a> {
    schema_version: u32,
    seed: u64,
    rows: Vec<OfClass<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct OfClass<'a> {
    #[serde(flatten)]
    row: &'a SweepPoint,
    class: &'a ClassRow,
}

/// Entry in the list of reports for several classes, with a line for each in CSV.
pub const CLASSES_REPORT: ReportKind = ReportKind::of::<SweepReport>(
    "sweep_classes",
    "the same for several classes, a line for each in CSV (`sweep --class`)",
)
.with_lines_of::<ByClass<'_>>();

impl Document for ByClass<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Traffic at a point.
#[derive(Serialize, JsonSchema)]
pub struct SweepTraffic {
    /// The pattern's name.
    pub pattern: String,
    /// Offered load in flits per terminal and cycle, 0 to 1; of flows with bandwidths, the part of these
    /// that is offered.
    pub offered_load: f64,
    /// Flits per packet; absent where packets have several lengths.
    pub packet_flits: Option<u32>,
    /// Lengths of packets, each with the share of the packets that have it, such as `1:0.8,5:0.2`;
    /// absent where all have the same.
    pub packet_lengths: Option<String>,
    /// Flits of the reply to each packet; absent where packets are not answered.
    pub reply_flits: Option<u32>,
    /// Replies that a terminal holds to send: with as many it takes nothing in. Absent where there is no limit.
    pub reply_room: Option<u32>,
    /// Requests of a terminal that may be under way: with as many it releases none. Absent where there is no
    /// limit.
    pub outstanding: Option<u32>,
    /// Mean length in cycles of the bursts of each source; absent where it sends at any time alike.
    pub burst_cycles: Option<f64>,
    /// Whether packets from a node to itself are sent.
    pub self_addressed: bool,
}

impl SweepTraffic {
    /// Replies to the packets, where they are answered.
    pub fn replies(&self) -> Option<Replies> {
        let Self { reply_room: room, outstanding, .. } = *self;
        self.reply_flits.map(|flits| Replies { flits, room, outstanding })
    }
}

impl SweepPoint {
    /// Whether another row is of the same fabric.
    pub fn is_of_fabric_of(&self, other: &Self) -> bool {
        self.configuration == other.configuration
    }

    /// Requests and replies; none where packets are not answered.
    pub fn replies(&self) -> Option<&RequestReplyPoint> {
        self.point.request_reply.as_ref()
    }

    /// Classes; none where all packets are alike.
    pub fn classes(&self) -> &[ClassRow] {
        self.classes.as_deref().unwrap_or_default()
    }

    pub fn of(curve: &Curve, load: f64, point: Point, saturation: Option<Saturation>) -> Self {
        let traffic = &curve.traffic;
        let (packet_flits, packet_lengths) = curve.packets();
        Self {
            configuration: Configuration::of(&curve.plan),
            size: curve.plan.topology().scale(),
            units: Units::of(curve.plan.topology()),
            traffic: SweepTraffic {
                pattern: curve.pattern().to_owned(),
                offered_load: load,
                packet_flits,
                packet_lengths,
                reply_flits: curve.replies().map(|replies| replies.flits),
                reply_room: curve.replies().and_then(|replies| replies.room),
                outstanding: curve.replies().and_then(|replies| replies.outstanding),
                burst_cycles: traffic.burst_cycles,
                self_addressed: traffic.self_addressed,
            },
            hotspot_share: curve.hotspots.is_some().then_some(traffic.hotspot_share),
            hotspots: curve.hotspots.clone(),
            allocator: curve.allocator,
            classes: classes(&curve.classes, load, &point.classes),
            precision: curve.precision,
            precise: curve.is_precise(&point),
            point,
            saturation,
        }
    }
}

impl SweepReport {
    /// The rows of each curve.
    pub fn curves(&self) -> impl Iterator<Item = &[SweepPoint]> {
        let same_curve = |a: &SweepPoint, b: &SweepPoint| {
            a.is_of_fabric_of(b) && a.traffic.pattern == b.traffic.pattern
        };
        self.rows.chunk_by(same_curve)
    }

    /// The report of these rows.
    pub fn of(seed: u64, rows: Vec<SweepPoint>) -> Self {
        Self { schema_version: 1, seed, rows }
    }

    /// Whether some run deadlocked.
    pub fn has_deadlock(&self) -> bool {
        self.rows.iter().any(|row| row.point.deadlocked_runs > 0)
    }

    /// Report as CSV: a line for each point, or for each class of each where there are classes.
    ///
    /// # Errors
    /// None: its keys are strings.
    pub fn csv(&self) -> anyhow::Result<String> {
        let of_row = |row| {
            let classes = SweepPoint::classes(row).iter();
            classes.map(move |class| OfClass { row, class })
        };
        let rows: Vec<_> = self.rows.iter().flat_map(of_row).collect();
        let Self { schema_version, seed, .. } = *self;
        match rows.is_empty() {
            true => tabular::csv(self),
            false => tabular::csv(&ByClass { schema_version, seed, rows }),
        }
    }

    /// Report in the format asked for.
    ///
    /// # Errors
    /// None: its keys are strings.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        Ok(match format {
            Format::Json => json(self)?,
            Format::Csv => self.csv()?,
            Format::Text => text::of(self),
        })
    }
}
