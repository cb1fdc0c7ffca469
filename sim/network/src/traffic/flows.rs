//! Traffic of flows: each source sends along its own, as much as each asks for.

use super::held::Held;
use super::lengths::LengthShare;
use super::random::{Random, threshold};
use super::{
    ClassDescription, ClassEnds, Ends, Lengths, Release, Traffic, TrafficConfig,
    TrafficDescription, TrafficError,
};
use turnpike_network::flows::Flow;

/// Name of the traffic in reports.
const NAME: &str = "flows";
/// Weights of the flows of a source sum to this, but for what rounding leaves.
const WHOLE: f64 = (1u32 << 30) as f64;

/// Traffic of flows, without end. In each cycle a source releases a packet by chance, whatever was
/// before; it goes along one of its flows, drawn in proportion to their packets.
///
/// A flow with a bandwidth offers that, times the load. Flows without offer the load together, in flits
/// per source and cycle, in proportion to their words.
#[derive(Debug)]
pub struct FlowTraffic {
    config: TrafficConfig,
    terminals: u32,
    sources: Vec<Source>,
    /// Names of the message classes.
    classes: Vec<String>,
    random: Random,
    held: Held,
}

/// A source with its flows.
#[derive(Debug)]
struct Source {
    source: u32,
    /// Index of its message class; 0 where there are none.
    class: u8,
    /// Chance of a release in a cycle, of 2^32.
    threshold: u64,
    /// Flows of the source, each with the weights of all up to it.
    flows: Vec<(Flow, u32)>,
    /// Flits that they offer in a cycle at a load of 1.
    flits: f64,
}

impl FlowTraffic {
    /// The traffic of the flows between these ends.
    ///
    /// # Errors
    /// [`TrafficError`]: a load out of range; bursts or classes.
    pub fn new(ends: Ends, config: &TrafficConfig) -> Result<Self, TrafficError> {
        if !(0.0..=1.0).contains(&config.load) {
            return Err(TrafficError::Load(config.load));
        }
        config.packet_flits.check()?;
        if config.burst_cycles.is_some() {
            return Err(TrafficError::Flows("bursts"));
        }
        if !config.classes.is_empty() {
            return Err(TrafficError::Flows("classes"));
        }
        let flows = ends.flows.unwrap_or_default();
        let of_source = flows.chunk_by(|one, other| one.source == other.source);
        Ok(Self {
            sources: of_source.map(|own| Source::new(own, &ends.classes, config)).collect(),
            classes: ends.classes.iter().map(|class| class.name.clone()).collect(),
            terminals: ends.terminals,
            random: Random::new(config.seed),
            held: Held::default(),
            config: config.clone(),
        })
    }
}

/// Flits of a packet of a flow, in the mean.
fn mean_flits(flow: &Flow, config: &TrafficConfig) -> f64 {
    flow.packet_flits.map_or(config.packet_flits.mean(), f64::from)
}

impl Source {
    fn new(flows: &[Flow], classes: &[ClassEnds], config: &TrafficConfig) -> Self {
        let words: u64 = flows.iter().map(|flow| u64::from(flow.words)).sum();
        let flits = |flow: &Flow| match flow.bandwidth {
            Some(bandwidth) => bandwidth.flits_per_cycle(),
            None => f64::from(flow.words) / words as f64,
        };
        let packets = |flow: &Flow| flits(flow) / mean_flits(flow, config);
        let all: f64 = flows.iter().map(packets).sum();
        let mut up_to = 0;
        let weighed = flows.iter().map(|flow| {
            // At least 1, so that none is silent.
            up_to += ((packets(flow) / all * WHOLE).round() as u32).max(1);
            (*flow, up_to)
        });
        let weighed: Vec<(Flow, u32)> = weighed.collect();
        let source = flows.first().map_or(0, |flow| flow.source.0);
        let class = classes.iter().position(|class| class.sources.binary_search(&source).is_ok());
        Self {
            source,
            class: class.unwrap_or_default() as u8,
            threshold: threshold(config.load * all),
            flits: flows.iter().map(flits).sum(),
            flows: weighed,
        }
    }

    /// Flow of the next packet.
    fn draw(&self, random: &mut Random) -> Option<&Flow> {
        let (_, whole) = self.flows.last()?;
        let drawn = if self.flows.len() > 1 { random.below(*whole) } else { 0 };
        let at = self.flows.partition_point(|&(_, up_to)| up_to <= drawn);
        Some(&self.flows[at].0)
    }
}

impl FlowTraffic {
    /// Lengths of the packets; `None` where some flow has a length of its own.
    fn lengths_of_all(&self) -> Option<&Lengths> {
        let mut flows = self.sources.iter().flat_map(|source| &source.flows);
        let own = flows.any(|(flow, _)| flow.packet_flits.is_some());
        Some(&self.config.packet_flits).filter(|_| !own)
    }

    /// Description of a message class.
    fn class(&self, (class, name): (usize, &String)) -> ClassDescription {
        let own: Vec<&Source> =
            self.sources.iter().filter(|source| usize::from(source.class) == class).collect();
        let sum = |sources: &mut dyn Iterator<Item = &Source>| -> f64 {
            // From 0: the sum of none would be -0.
            sources.fold(0.0, |sum, source| sum + source.flits)
        };
        // Sums of decimal numbers: their error is far below what the file can say.
        let share = sum(&mut own.iter().copied()) / sum(&mut self.sources.iter());
        let share = (share * 1e12).round() / 1e12;
        let mut flits =
            own.iter().flat_map(|source| &source.flows).map(|(flow, _)| flow.packet_flits);
        let first = flits.next().flatten();
        let is_one = flits.all(|flits| flits == first);
        let lengths = &self.config.packet_flits;
        let of_all = if is_one && first.is_none() { Some(lengths) } else { None };
        ClassDescription {
            name: name.clone(),
            share,
            pattern: NAME.to_owned(),
            offered_load: self.config.load * share,
            packet_flits: first.filter(|_| is_one).or_else(|| of_all?.only()),
            packet_lengths: of_all.and_then(Lengths::several).map(ToString::to_string),
        }
    }
}

impl Traffic for FlowTraffic {
    fn nodes(&self) -> u32 {
        self.terminals
    }

    fn release(&mut self, _cycle: u64, into: &mut Vec<Release>) {
        let Self { sources, random, config, .. } = self;
        for source in sources.iter() {
            if self.held.has(source.source) || !random.chance(source.threshold) {
                continue;
            }
            let Some(flow) = source.draw(random) else { continue };
            let lengths = &config.packet_flits;
            let of_all = || lengths.only().unwrap_or_else(|| lengths.draw(random));
            let flits = flow.packet_flits.unwrap_or_else(of_all);
            let Source { source, class, .. } = *source;
            into.push(Release { source, destination: flow.destination.0, flits, class });
        }
    }

    fn is_exhausted(&self, _cycle: u64) -> bool {
        self.sources.iter().all(|source| source.threshold == 0)
    }

    fn hold(&mut self, terminal: u32, is_held: bool) -> bool {
        self.held.set(self.terminals, terminal, is_held);
        true
    }

    fn lengths(&self) -> &[LengthShare] {
        self.lengths_of_all().and_then(Lengths::several).map_or(&[], Lengths::list)
    }

    fn classes(&self) -> Vec<ClassDescription> {
        self.classes.iter().enumerate().map(|class| self.class(class)).collect()
    }

    fn description(&self) -> TrafficDescription {
        let lengths = self.lengths_of_all();
        TrafficDescription {
            pattern: NAME.to_owned(),
            offered_load: Some(self.config.load),
            packet_flits: lengths.and_then(Lengths::only),
            packet_lengths: lengths.and_then(Lengths::several).map(ToString::to_string),
            burst_cycles: None,
            seed: Some(self.config.seed),
            self_addressed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use turnpike_network::flows::Bandwidth;
    use turnpike_network::topology::Terminal;

    fn flow(source: u32, destination: u32, bandwidth: Option<u64>, flits: Option<u32>) -> Flow {
        Flow {
            source: Terminal(source),
            destination: Terminal(destination),
            bandwidth: bandwidth.map(|hundredths| Bandwidth(hundredths * 10_000_000)),
            packet_flits: flits,
            burst: None,
            latency: None,
            words: 1 + destination % 2,
        }
    }

    /// Flits per cycle of each flow.
    fn offered(flows: &[Flow], load: f64) -> BTreeMap<(u32, u32), f64> {
        let ends = Ends { flows: Some(flows.to_vec()), ..Ends::all(4) };
        let config = TrafficConfig {
            load,
            packet_flits: "1:0.5,3:0.5".parse().unwrap(),
            ..TrafficConfig::default()
        };
        let mut traffic = FlowTraffic::new(ends, &config).unwrap();
        let (cycles, mut released) = (200_000, Vec::new());
        (0..cycles).for_each(|cycle| traffic.release(cycle, &mut released));
        let mut flits: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for Release { source, destination, flits: more, .. } in released {
            *flits.entry((source, destination)).or_default() += f64::from(more) / cycles as f64;
        }
        flits
    }

    fn near(offered: &BTreeMap<(u32, u32), f64>, wanted: &[((u32, u32), f64)]) {
        assert_eq!(offered.len(), wanted.len());
        for (pair, wanted) in wanted {
            assert!((offered[pair] - wanted).abs() < 0.01, "{pair:?}: {offered:?}");
        }
    }

    #[test]
    fn each_flow_offers_its_bandwidth_times_the_load() {
        let flows = [
            flow(0, 1, Some(20), None),
            flow(0, 2, Some(50), Some(4)),
            flow(3, 0, Some(4), Some(1)),
        ];
        near(&offered(&flows, 1.0), &[((0, 1), 0.2), ((0, 2), 0.5), ((3, 0), 0.04)]);
        near(&offered(&flows, 0.5), &[((0, 1), 0.1), ((0, 2), 0.25), ((3, 0), 0.02)]);
    }

    /// Words 1 and 2, whatever the packets' lengths.
    #[test]
    fn without_bandwidths_the_load_is_shared_by_words() {
        let flows = [flow(1, 0, None, None), flow(1, 3, None, Some(2)), flow(2, 0, None, None)];
        near(&offered(&flows, 0.6), &[((1, 0), 0.2), ((1, 3), 0.4), ((2, 0), 0.6)]);
    }

    /// Classes have their share of the flits, and lengths where all their packets have one.
    #[test]
    fn message_classes_are_described() {
        let flows = vec![
            flow(0, 1, Some(20), Some(1)),
            flow(1, 0, Some(40), Some(4)),
            flow(1, 2, Some(20), None),
        ];
        let class = |name: &str, source| ClassEnds { name: name.to_owned(), sources: vec![source] };
        let classes = vec![class("ask", 0), class("say", 1)];
        let ends = Ends { flows: Some(flows), classes, ..Ends::all(4) };
        let config = TrafficConfig { load: 0.5, ..TrafficConfig::default() };
        let mut traffic = FlowTraffic::new(ends, &config).unwrap();
        let described = traffic.classes();
        let figures = described.iter().map(|class| (&*class.name, class.share, class.offered_load));
        assert_eq!(figures.collect::<Vec<_>>(), [("ask", 0.25, 0.125), ("say", 0.75, 0.375)]);
        assert_eq!((described[0].packet_flits, described[1].packet_flits), (Some(1), None));
        let mut released = Vec::new();
        (0..100).for_each(|cycle| traffic.release(cycle, &mut released));
        assert!(released.iter().all(|release| u32::from(release.class) == release.source));
        assert!(released.iter().any(|release| release.class == 1));
    }

    #[test]
    fn other_traffic_is_refused() {
        let ends = || Ends { flows: Some(vec![flow(0, 1, None, None)]), ..Ends::all(4) };
        let bursts = TrafficConfig { burst_cycles: Some(8.0), ..TrafficConfig::default() };
        let error = FlowTraffic::new(ends(), &bursts).unwrap_err();
        assert!(error.to_string().contains("leave bursts out"), "{error}");
        let load = TrafficConfig { load: 1.5, ..TrafficConfig::default() };
        assert_eq!(FlowTraffic::new(ends(), &load).unwrap_err(), TrafficError::Load(1.5));
    }
}
