//! Traffic and how it is measured: what `simulate` and `sweep` share.

use super::classes::{ClassList, ClassOption};
use super::values::{self, LEAST_LOAD};
use anyhow::bail;
use clap::{ArgAction, Args, ValueEnum};
use std::collections::HashSet;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_sim_network::measure::{Replies, RunConfig, WarmUp, WhenSaturated};
use turnpike_sim_network::reference::{Allocator, Reference};
use turnpike_sim_network::traffic::MOST_CYCLES;
use turnpike_sim_network::traffic::pattern::PATTERNS;
use turnpike_sim_network::traffic::{Class, Lengths, TrafficConfig, classes};

use crate::memory;

/// Node-cycles that the reference router measures where `--cycles` is left out, at most.
const NODE_CYCLES: u64 = 1 << 24;

/// Factor by which a run may be longer with `--cycles auto` than where `--cycles` is left out.
pub const MOST_TIMES: u64 = 64;

/// The pattern where none is said.
const UNSAID: &str = "uniform";
/// The pattern that goes to hotspots.
pub const HOTSPOT: &str = "hotspot";
/// Name of the pattern where classes have one each.
const CLASSES: &str = "classes";

/// Whether traffic goes to hotspots: by its pattern, or that of one of its classes.
pub fn has_hotspots<'a>(pattern: &str, mut classes: impl Iterator<Item = &'a str>) -> bool {
    pattern == HOTSPOT || classes.any(|pattern| pattern == HOTSPOT)
}

/// Allocator of channels to packets that choose.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    ValueEnum,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AllocatorName {
    /// Allocator of the RTL.
    #[default]
    Rtl,
    /// A maximum matching, oldest packets first.
    Maximum,
}

impl From<AllocatorName> for Allocator {
    fn from(name: AllocatorName) -> Self {
        match name {
            AllocatorName::Rtl => Self::Rtl,
            AllocatorName::Maximum => Self::Maximum,
        }
    }
}

/// Options of traffic beside its pattern and load, and of its measurement.
#[derive(Args, Clone, Debug)]
pub struct TrafficOptions {
    /// Flits of a packet; or several lengths, each with the share of the packets that have it, such as
    /// 1:0.8,5:0.2. The load stays one of flits
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, default_value = "1")]
    pub packet_length: Lengths,
    /// A class of traffic, as often as there are classes: NAME:share=SHARE, its share of the load, and
    /// with commas between what is not as for the others, traffic=PATTERN or packet-length=FLITS
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<ClassList>,
    /// Mean cycles of a burst: each source is on, and offers a flit per cycle, or off, by a Markov
    /// process whose mean is the load. Default: any cycle is as likely
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, value_parser = values::burst)]
    pub burst: Option<f64>,
    /// The terminal that takes a packet in answers with one of so many flits, which goes back to the
    /// source. The load is that of the packets that are answered. Terminals that only send or only take
    /// are silent; packets of a file from or to such a terminal go one way
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, value_parser = values::positive)]
    pub reply: Option<u32>,
    /// Replies that a terminal may hold to send; at this number it takes nothing in, which can
    /// deadlock. Default: no limit
    #[arg(long, value_name = "REPLIES", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub reply_room: Option<u32>,
    /// Requests of a terminal that may be under way: with as many it releases none until a reply has come,
    /// so that the network itself holds the load down. Default: no limit
    #[arg(long, value_name = "REQUESTS", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub outstanding: Option<u32>,
    /// Warm-up cycles, which are not measured. Default: until MSER-5 finds the end of the
    /// warm-up; none before a trace
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, value_parser = values::cycles)]
    pub warmup: Option<u64>,
    /// Measure until both ends of the interval of the mean latency are within this share of it, such as 2%:
    /// from --cycles on (default: 2500, fewer on large networks) twice as long and again, up to 64 times
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true,
          value_parser = values::precision)]
    pub precision: Option<f64>,
    /// Whether packets to their own source are drawn (default: true)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true, conflicts_with = "no_self_addressed")]
    pub self_addressed: bool,
    /// Short for --self-addressed=false
    #[arg(long)]
    pub no_self_addressed: bool,
    /// Labels of the terminals that hotspot traffic goes to, with commas between. Default:
    /// terminal 0
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub hotspot: Vec<String>,
    /// Share of the packets that goes to them, 0 to 1
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, default_value = "0.5",
          value_parser = values::share)]
    pub hotspot_share: f64,
    /// Allocator of channels to packets, with adaptive routing: rtl, or maximum (a maximum
    /// matching, for study)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub allocator: AllocatorName,
}

/// A run: its draws, and its length.
#[derive(Args, Clone, Copy, Debug)]
pub struct RunOptions {
    /// Seed of everything random
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Cycles measured, or auto: on until a verdict is known, up to 64 times as many. Default: 40000, fewer
    /// on large networks and with --engine rtl; a trace is measured to its last delivery
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, value_parser = values::length)]
    pub cycles: Option<RunLength>,
}

impl RunOptions {
    /// The cycles that are measured, where their number is given.
    pub fn cycles(&self) -> Option<u64> {
        match self.cycles {
            Some(RunLength::Cycles(cycles)) => Some(cycles),
            Some(RunLength::Auto) | None => None,
        }
    }

    /// Whether a run goes on until it can tell.
    pub fn is_auto(&self) -> bool {
        self.cycles == Some(RunLength::Auto)
    }
}

/// Length of a run's measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunLength {
    /// A number of cycles.
    Cycles(u64),
    /// Until it can tell, or to a bound.
    Auto,
}

/// The help of an option that takes patterns: what they are for, and their names.
pub fn help(what: &str) -> String {
    let names: Vec<&str> = PATTERNS.iter().map(|kind| kind.name).collect();
    format!("{what}: {}", names.join(", "))
}

/// Cycles that a run measures where nothing is said of it.
pub fn cycles_of(plan: &FabricPlan) -> u64 {
    (NODE_CYCLES / u64::from(plan.topology().nodes())).clamp(500, 40_000)
}

impl TrafficOptions {
    /// Whether packets to their own source are drawn.
    pub fn draws_self_addressed(&self) -> bool {
        self.self_addressed && !self.no_self_addressed
    }

    /// Replies to packets, where they are answered.
    pub fn replies(&self) -> Option<Replies> {
        let of = |flits| Replies { flits, room: self.reply_room, outstanding: self.outstanding };
        self.reply.map(of)
    }

    pub fn classes(&self) -> impl Iterator<Item = &ClassOption> {
        self.class.iter().flat_map(|ClassList(classes)| classes)
    }

    /// Whether there are classes, each with a pattern of its own.
    pub fn has_own_patterns(&self) -> bool {
        !self.class.is_empty() && self.classes().all(|class| class.traffic.is_some())
    }

    /// The classes, where all traffic is of this pattern.
    fn classes_among(&self, pattern: &str) -> Vec<Class> {
        self.classes().map(|class| class.among(pattern, &self.packet_length)).collect()
    }

    /// Refuses classes and replies that cannot be.
    ///
    /// # Errors
    /// What would be right.
    pub fn check(&self) -> anyhow::Result<()> {
        classes::check(&self.classes_among(UNSAID))?;
        self.replies().map_or(Ok(()), |replies| replies.check())?;
        Ok(())
    }

    /// Refuses classes that offer less than any load may be, where all offer `load`.
    ///
    /// # Errors
    /// Names the class.
    pub fn check_load(&self, load: f64) -> anyhow::Result<()> {
        let of = |class: &ClassOption| load * class.share;
        let is_faint = |class: &&ClassOption| of(class) > 0.0 && of(class) < LEAST_LOAD;
        match self.classes().find(is_faint) {
            Some(class) => bail!(
                "class {} offers {} flits per terminal and cycle, its share of the load {load}; use a \
                 share that makes it {LEAST_LOAD} at least",
                class.name,
                of(class)
            ),
            None => Ok(()),
        }
    }

    /// Traffic of a pattern at a load.
    ///
    /// # Errors
    /// Labels of no node, or of one twice.
    pub fn config(
        &self,
        topology: &dyn Topology,
        pattern: &str,
        load: f64,
        seed: u64,
    ) -> anyhow::Result<TrafficConfig> {
        let mut config = TrafficConfig {
            pattern: if self.has_own_patterns() { CLASSES } else { pattern }.to_owned(),
            classes: self.classes_among(pattern),
            load,
            packet_flits: self.packet_length.clone(),
            burst_cycles: self.burst,
            seed,
            self_addressed: self.draws_self_addressed(),
            hotspot_share: self.hotspot_share,
            ..TrafficConfig::default()
        };
        if !self.hotspot.is_empty() {
            let hotspots = self.hotspot.iter().map(|label| topology.receiver(label).map(|t| t.0));
            config.hotspots = hotspots.collect::<Result<_, _>>()?;
            let mut seen = HashSet::new();
            if let Some(label) = self.hotspot.iter().find(|label| !seen.insert(*label)) {
                bail!("--hotspot names node {label} twice; name each node once");
            }
        }
        Ok(config)
    }

    /// Labels of the terminals that hotspot traffic goes to.
    pub fn hotspot_labels(&self, topology: &dyn Topology) -> Vec<String> {
        match self.hotspot.is_empty() {
            true => vec![topology.terminal_label(Terminal(0))],
            false => self.hotspot.clone(),
        }
    }

    /// Lengths of a measurement in cycles, one after the other until the mean latency is as precise as is
    /// asked for; one length, where no precision is.
    pub fn lengths(&self, plan: &FabricPlan, cycles: Option<u64>) -> Vec<u64> {
        let default = cycles_of(plan);
        match self.precision {
            None => vec![cycles.unwrap_or(default)],
            Some(_) => {
                let first = cycles.unwrap_or((default / 16).max(500));
                let lengths = (0..=MOST_TIMES.ilog2()).map(|times| first << times);
                lengths.take_while(|&length| length <= MOST_CYCLES).collect()
            }
        }
    }

    /// Configuration of the reference router's run, of the first length that a precision takes.
    pub fn run_config(&self, plan: &FabricPlan, cycles: Option<u64>) -> RunConfig {
        let measure = self.lengths(plan, cycles).first().copied();
        RunConfig {
            warm_up: self.warmup.map_or(WarmUp::Detect, WarmUp::Cycles),
            measure,
            replies: self.replies(),
            allocator: self.allocator.into(),
            when_saturated: match self.saturates_for_good(plan) {
                true => WhenSaturated::Ends,
                false => WhenSaturated::Drains,
            },
            ..RunConfig::default()
        }
    }

    /// Whether a run that is found saturated is so for good, and nothing else can come of it: no deadlock of
    /// channels or of replies that want room. While a burst lasts, a network that carries the load looks
    /// saturated; and requests that wait for replies end at some time.
    fn saturates_for_good(&self, plan: &FabricPlan) -> bool {
        let replies = self.replies();
        let are_limited = |r: Replies| r.room.is_some() || r.outstanding.is_some();
        plan.is_deadlock_free() && self.burst.is_none() && !replies.is_some_and(are_limited)
    }

    /// Refuses what the reference router cannot run: `at_once` times at once.
    ///
    /// # Errors
    /// An allocator for packets that do not choose; a fabric beyond memory.
    pub fn check_plan(&self, plan: &FabricPlan, at_once: u64) -> anyhow::Result<()> {
        let relation = plan.relation();
        if self.allocator == AllocatorName::Maximum && relation.choices().is_none() {
            let name = relation.name();
            bail!("--allocator maximum is for packets that choose, which those of '{name}' do not");
        }
        let what = format!("the reference router of {}", plan.name);
        let bytes = Reference::bytes(plan).saturating_mul(at_once);
        memory::check(&what, bytes, "use a lower --dim or --depth")
    }
}

/// Refuses a measurement of no length.
///
/// # Errors
/// What would be one.
pub fn check_cycles(cycles: Option<u64>) -> anyhow::Result<()> {
    if cycles == Some(0) {
        bail!("--cycles 0 measures nothing; use a whole number from 1, such as 1000");
    }
    Ok(())
}
