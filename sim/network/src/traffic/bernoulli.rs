//! Synthetic traffic: in each cycle each node releases a packet with a fixed probability,
//! independent of all else, or with one that depends on whether it is in a burst.

use super::bursts::Bursts;
use super::classes::Class;
use super::ends::{Ends, Sender};
use super::held::Held;
use super::lengths::{LengthShare, Lengths};
use super::listed::{ByWords, Listed};
use super::pattern::{self, Pattern};
use super::random::{Random, threshold};
use super::{MOST_BURST, Release, Traffic, TrafficDescription, TrafficError};

/// Configuration of synthetic traffic.
#[derive(Clone, PartialEq, Debug)]
pub struct TrafficConfig {
    /// A name of [`pattern::PATTERNS`], or what the messages are called.
    pub pattern: String,
    /// Messages that are drawn from in place of the pattern; empty where the pattern says it.
    pub messages: Vec<Listed>,
    /// Offered load in flits per terminal and cycle, 0 to 1. A packet is released with
    /// probability load / n, to the nearest 2^-32, where packets have n flits in the mean.
    pub load: f64,
    /// Flits per packet, each 1 to [`MOST_FLITS`](super::MOST_FLITS).
    pub packet_flits: Lengths,
    /// Mean length in cycles of the bursts that each source sends in, at least 1; `None` where it sends
    /// at any time alike.
    pub burst_cycles: Option<f64>,
    /// Seed of every draw.
    pub seed: u64,
    /// Whether packets from a node to itself are sent. Where not, `uniform`, `hotspot` and
    /// `all-pairs` choose among the other nodes, and a node that a fixed pattern sends to
    /// itself is silent.
    pub self_addressed: bool,
    /// The nodes that `hotspot` favours, all alike.
    pub hotspots: Vec<u32>,
    /// The share of the packets that `hotspot` sends to them, 0 to 1, beside its share of the
    /// uniform rest.
    pub hotspot_share: f64,
    /// Classes with patterns and lengths of their own, which share the load: for [`super::synthetic`]. Empty
    /// where all packets are alike.
    pub classes: Vec<Class>,
}

impl Default for TrafficConfig {
    fn default() -> Self {
        Self {
            pattern: "uniform".to_owned(),
            messages: Vec::new(),
            load: 0.3,
            packet_flits: Lengths::one(1),
            burst_cycles: None,
            seed: 1,
            self_addressed: true,
            hotspots: vec![0],
            hotspot_share: 0.2,
            classes: Vec::new(),
        }
    }
}

impl TrafficConfig {
    /// The lengths of all packets; none where classes have unlike ones.
    pub fn lengths_of_all(&self) -> Option<&Lengths> {
        let Some(first) = self.classes.first() else { return Some(&self.packet_flits) };
        let same = |class: &Class| class.packet_flits == first.packet_flits;
        self.classes.iter().all(same).then_some(&first.packet_flits)
    }
}

/// Synthetic traffic, without end.
#[derive(Debug)]
pub struct Bernoulli {
    config: TrafficConfig,
    ends: Ends,
    /// Sources of `ends`, as patterns see them.
    senders: Vec<Sender>,
    pattern: Box<dyn Pattern>,
    random: Random,
    /// Chance of a release in a cycle; in one of a burst, where there are any.
    threshold: u64,
    bursts: Option<Bursts>,
    held: Held,
    /// Source and sink of each packet of the cycle, by their places.
    drawn: Vec<(u32, u32)>,
}

impl Bernoulli {
    /// Traffic from these sources to these sinks.
    ///
    /// # Errors
    /// [`TrafficError`] names what is out of range, and the range.
    pub fn new(ends: Ends, config: &TrafficConfig) -> Result<Self, TrafficError> {
        if !(0.0..=1.0).contains(&config.load) {
            return Err(TrafficError::Load(config.load));
        }
        config.packet_flits.check()?;
        if let Some(cycles) =
            config.burst_cycles.filter(|&cycles| !(1.0..=MOST_BURST).contains(&cycles))
        {
            return Err(TrafficError::Burst(cycles));
        }
        let pattern: Box<dyn Pattern> = match &config.messages[..] {
            [] => pattern::find(&config.pattern)?.build(&ends, config)?,
            messages => Box::new(ByWords::new(&ends, messages)),
        };
        let mut random = Random::new(config.seed);
        let count = ends.sources.len();
        let bursts =
            config.burst_cycles.map(|cycles| Bursts::new(count, config.load, cycles, &mut random));
        let offered = if bursts.is_some() { 1.0 } else { config.load };
        Ok(Self {
            pattern,
            senders: ends.senders().collect(),
            ends,
            random,
            threshold: threshold(offered / config.packet_flits.mean()),
            bursts,
            held: Held::default(),
            drawn: Vec::new(),
            config: config.clone(),
        })
    }
}

impl Traffic for Bernoulli {
    fn nodes(&self) -> u32 {
        self.ends.terminals
    }

    fn release(&mut self, _cycle: u64, into: &mut Vec<Release>) {
        let Self { pattern, senders, random, drawn, held, .. } = self;
        drawn.clear();
        match &mut self.bursts {
            None if held.is_unused() => pattern.draw(senders, self.threshold, random, drawn),
            bursts => {
                for (number, sender) in senders.chunks(1).enumerate() {
                    // Bursts come and go while a source is held.
                    let is_on = bursts.as_mut().is_none_or(|bursts| bursts.is_on(number, random));
                    if is_on && !held.has(self.ends.sources[number]) {
                        pattern.draw(sender, self.threshold, random, drawn);
                    }
                }
            }
        }
        let (lengths, to_itself) = (&self.config.packet_flits, self.config.self_addressed);
        // Known before the loop, which is then a few instructions for each packet.
        let all = lengths.only();
        for &(number, sink) in drawn.iter() {
            if to_itself || senders[number as usize].itself != Some(sink) {
                let (source, destination) =
                    (self.ends.sources[number as usize], self.ends.sinks[sink as usize]);
                let flits = all.unwrap_or_else(|| lengths.draw(random));
                into.push(Release { source, destination, flits, class: 0 });
            }
        }
    }

    fn is_exhausted(&self, _cycle: u64) -> bool {
        self.threshold == 0 || self.config.load == 0.0
    }

    fn hold(&mut self, terminal: u32, is_held: bool) -> bool {
        self.held.set(self.ends.terminals, terminal, is_held);
        true
    }

    fn lengths(&self) -> &[LengthShare] {
        self.config.packet_flits.several().map_or(&[], Lengths::list)
    }

    fn description(&self) -> TrafficDescription {
        TrafficDescription {
            pattern: self.config.pattern.clone(),
            offered_load: Some(self.config.load),
            packet_flits: self.config.packet_flits.only(),
            packet_lengths: self.config.packet_flits.several().map(Lengths::to_string),
            burst_cycles: self.config.burst_cycles,
            seed: Some(self.config.seed),
            self_addressed: self.config.messages.is_empty().then_some(self.config.self_addressed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flits(config: &TrafficConfig, cycles: u64) -> f64 {
        let mut traffic = Bernoulli::new(Ends::all(16), config).unwrap();
        let mut released = Vec::new();
        (0..cycles).for_each(|c| traffic.release(c, &mut released));
        released.iter().map(|r| f64::from(r.flits)).sum::<f64>() / (16 * cycles) as f64
    }

    #[test]
    fn the_load_is_in_flits() {
        for burst_cycles in [None, Some(8.0)] {
            for (load, lengths) in
                [(0.3, "1"), (0.3, "4"), (0.3, "1:0.8,5:0.2"), (1.0, "1"), (0.0, "1")]
            {
                let packet_flits = lengths.parse().unwrap();
                let config =
                    TrafficConfig { load, packet_flits, burst_cycles, ..TrafficConfig::default() };
                let offered = flits(&config, 20_000);
                assert!((offered - load).abs() < 0.01, "{load} {lengths}: {offered}");
            }
        }
    }

    #[test]
    fn silent_where_a_fixed_pattern_sends_to_itself() {
        let pattern = "transpose".to_owned();
        let config =
            TrafficConfig { pattern, load: 1.0, self_addressed: false, ..TrafficConfig::default() };
        // 4 of 16 nodes are on the diagonal.
        assert_eq!(flits(&config, 10), 12.0 / 16.0);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let base = TrafficConfig::default();
        for (config, text) in [
            (TrafficConfig { load: 1.01, ..base.clone() }, "load 1.01"),
            (TrafficConfig { load: -0.1, ..base.clone() }, "load -0.1"),
            (TrafficConfig { load: f64::NAN, ..base.clone() }, "load NaN"),
            (TrafficConfig { packet_flits: 0.into(), ..base.clone() }, "use 1 to"),
            (TrafficConfig { burst_cycles: Some(0.5), ..base.clone() }, "use 1 to 1000000"),
        ] {
            let error = Bernoulli::new(Ends::all(16), &config).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
