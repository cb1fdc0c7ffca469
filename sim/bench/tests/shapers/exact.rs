//! Shapers and token buckets against the definition, in every cycle, and mutants of them.

use super::{FLOWS, plan};
use crate::common::mutant::{mutants, replace};
use std::collections::VecDeque;
use std::sync::Arc;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, Parameters, ShaperPlan};
use turnpike_fabric::rtl::interface::{self, Tokens, buckets, parts};
use turnpike_fabric::testing::{is_every, sample};
use turnpike_netlist::{Design, Expr, Module, ModuleBuilder, Net, NetKind};
use turnpike_network::flows::{Bandwidth, TokenBucket};
use turnpike_sim_rtl::eval::Evaluator;

/// A shaper and its token buckets, wired as in the top module.
fn shaper_and_buckets(plan: &FabricPlan, class: usize) -> Design {
    let of = &plan.shapers()[class];
    let parts = parts(plan).unwrap();
    let named = plan.shaper_name(class);
    let shaper = parts.values().find(|module| module.name == named).unwrap();
    let buckets = buckets(plan).unwrap();
    let mut m = ModuleBuilder::new("both");
    let mut connections: Vec<(String, Expr)> = Vec::new();
    let mut wants = None;
    for (net, info) in shaper.ports().map(|(net, info)| (net, info.clone())) {
        let own: Net = match info.name.as_str() {
            "granted" => continue,
            "wants" => *wants.insert(m.output("wants", net.width)),
            name if info.kind == NetKind::Input => m.input(name, net.width),
            name => m.output(name, net.width),
        };
        connections.push((info.name, own.into()));
    }
    let wants = wants.unwrap();
    let grants: Vec<Net> =
        (0..wants.width).map(|flow| m.wire(format!("grants{flow}"), 1)).collect();
    let granted = Expr::any_of(grants.iter().map(|net| Expr::from(*net)));
    connections.push(("granted".to_owned(), granted));
    m.instance("shaper", shaper, connections.iter().map(|(port, e)| (port.as_str(), e.clone())));
    for (at, flow) in of.flows.iter().enumerate() {
        let wires = [("wants", wants.bit(at as u32)), ("grants", grants[at].into())];
        m.instance(format!("bucket{at}"), &buckets[&flow.bucket], wires);
    }
    Design::new(&m.finish().unwrap()).unwrap()
}

/// Shaper by the definitions: whole packets in a list, and all releases since the reset.
struct Model<'a> {
    class: &'a ShaperPlan,
    cycle: u64,
    /// Flits of the packet that comes in: its flow, and its words; `None` where it was refused.
    coming: Option<(usize, Vec<u64>)>,
    is_inside: bool,
    /// Packets that are there as a whole: flow, words, whether it was released, and its words that left.
    packets: VecDeque<(usize, Vec<u64>, bool, usize)>,
    /// By flow, the cycles of all releases.
    releases: Vec<Vec<u64>>,
}

/// Whether a bucket lets a packet go in a cycle, after those that went: from each cycle to this one, both
/// included, no more than the burst and what the rate makes in between.
fn may_go(bucket: &TokenBucket, releases: &[u64], cycle: u64) -> bool {
    let whole = u128::from(Bandwidth::WHOLE.0);
    let packets = releases.iter().rev().enumerate();
    let mut windows = packets.map(|(later, &first)| (later as u128 + 2, cycle - first));
    let fits = |(packets, cycles): (u128, u64)| {
        let most =
            u128::from(bucket.burst) * whole + u128::from(bucket.rate.0) * u128::from(cycles);
        packets * u128::from(bucket.packet) * whole <= most
    };
    fits((1, 0)) && windows.all(fits)
}

impl<'a> Model<'a> {
    fn new(class: &'a ShaperPlan) -> Self {
        let releases = vec![Vec::new(); class.flows.len()];
        Self { class, cycle: 0, coming: None, is_inside: false, packets: VecDeque::new(), releases }
    }

    fn held(&self) -> usize {
        let coming = self.coming.as_ref().map_or(0, |(_, words)| words.len());
        coming + self.packets.iter().map(|(_, words, _, left)| words.len() - left).sum::<usize>()
    }

    fn is_ready(&self) -> bool {
        self.held() < self.class.words() as usize
    }

    /// Word that is offered, and its packet's address and whether it is the last.
    fn offers(&self) -> Option<(u64, u32, bool)> {
        let (flow, words, _, left) = self.packets.front().filter(|(.., released, _)| *released)?;
        let dest = self.class.flows[*flow].destination;
        Some((words[*left], dest, left + 1 == words.len()))
    }

    /// A cycle: what comes, where it is taken, and whether what is offered is. Returns whether a packet
    /// was refused.
    fn step(&mut self, comes: Option<(u64, u32, bool)>, takes: bool) -> bool {
        // A packet is released as soon as it is there, the ones before it were, and its bucket lets it.
        if let Some((flow, _, released, _)) = self.packets.iter_mut().find(|packet| !packet.2) {
            let bucket = &self.class.flows[*flow].bucket;
            if may_go(bucket, &self.releases[*flow], self.cycle) {
                *released = true;
                self.releases[*flow].push(self.cycle);
            }
        }
        self.cycle += 1;
        if takes {
            let front = self.packets.front_mut().unwrap();
            front.3 += 1;
            if front.3 == front.1.len() {
                self.packets.pop_front();
            }
        }
        let Some((word, dest, last)) = comes else { return false };
        if !self.is_inside {
            let flow = self.class.flows.iter().position(|flow| flow.destination == dest);
            self.coming = flow.map(|flow| (flow, Vec::new()));
        }
        let was_refused = self.is_inside && self.coming.is_none();
        self.is_inside = !last;
        let Some((flow, words)) = &mut self.coming else { return !was_refused };
        words.push(word);
        let (flow, whole) = (*flow, words.len() == self.class.flows[*flow].bucket.packet as usize);
        if whole != last {
            self.coming = None;
            return true;
        }
        if last {
            let (_, words) = self.coming.take().unwrap();
            self.packets.push_back((flow, words, false, 0));
        }
        false
    }
}

/// The first cycle in which a shaper is not as its model says.
fn differs(plan: &FabricPlan, class: usize, design: &Design) -> Option<String> {
    (1..=RUNS).find_map(|seed| run(&plan.shapers()[class], design, seed))
}

/// Runs of a shaper, and cycles of each.
const RUNS: u64 = 6;
const CYCLES: u64 = 3_000;

fn run(class: &ShaperPlan, design: &Design, seed: u64) -> Option<String> {
    let mut rtl = Evaluator::of_ports(design);
    let port = |rtl: &Evaluator, name: &str| rtl.port(name).unwrap();
    let [valid, ready, word, dest, last] =
        ["in_valid", "in_ready", "in_word", "in_dest", "in_last"].map(|name| port(&rtl, name));
    let [offers, takes, word_out, dest_out, last_out, error] =
        ["out_valid", "out_ready", "out_word", "out_dest", "out_last", "error"]
            .map(|name| port(&rtl, name));
    let addresses = 1u64 << rtl.width(dest);
    let reset = |rtl: &mut Evaluator| {
        rtl.set_reset(true);
        rtl.settle();
        let silent = [ready, error].into_iter().all(|net| rtl.get_low(net) == 0);
        rtl.clock();
        rtl.set_reset(false);
        silent
    };
    reset(&mut rtl);
    let mut model = Model::new(class);
    // Flits that are left of the packet that comes, and its address.
    let (mut left, mut to) = (0u64, 0u64);
    for cycle in 0..CYCLES {
        let draw = |what: u64| hash(seed << 32, &[cycle, what]);
        if draw(0) % 600 == 0 {
            if !reset(&mut rtl) {
                return Some(format!("seed {seed}, cycle {cycle}: not silent under reset"));
            }
            (model, left) = (Model::new(class), 0);
        }
        let begins = left == 0;
        if begins {
            let flow = &class.flows[draw(1) as usize % class.flows.len()];
            let packet = u64::from(flow.bucket.packet);
            (to, left) = (flow.destination.into(), packet);
            match draw(2) % 16 {
                0 => to = draw(3) % addresses,
                1 => left = 1 + draw(3) % (2 * packet),
                2 => left = packet + 1,
                3 => left = (packet - 1).max(1),
                _ => {}
            }
        }
        // Sources and sinks that are busy, and such that are not.
        let is_busy = |what: u64, side: u64| draw(what) % 8 < [8, 3, 7][(seed + side) as usize % 3];
        let pauses = begins && hash(seed << 32, &[cycle / 64, 8]).is_multiple_of(3);
        let comes = (is_busy(4, 0) && !pauses).then(|| {
            let first = model.coming.is_none() && !model.is_inside;
            let dest = if first || !model.is_inside { to } else { draw(5) % addresses };
            (draw(6) & ((1 << rtl.width(word)) - 1), dest as u32, left == 1)
        });
        let is_taken = is_busy(7, 1);
        rtl.set(valid, &[comes.is_some().into()]);
        rtl.set(takes, &[is_taken.into()]);
        if let Some((value, address, is_last)) = comes {
            rtl.set(word, &[value]);
            rtl.set(dest, &[address.into()]);
            rtl.set(last, &[is_last.into()]);
        }
        rtl.settle();
        let offered = (rtl.get_low(offers) == 1).then(|| {
            (rtl.get_low(word_out), rtl.get_low(dest_out) as u32, rtl.get_low(last_out) == 1)
        });
        // The address counts with the first flit alone.
        let is_first = model.packets.front().is_some_and(|packet| packet.3 == 0);
        let known = |offer: Option<(u64, u32, bool)>| {
            offer.map(|(word, dest, last)| (word, if is_first { dest } else { 0 }, last))
        };
        let (is_ready, expected) = (model.is_ready(), model.offers());
        let accepted = comes.filter(|_| is_ready);
        left -= u64::from(accepted.is_some());
        let refused = model.step(accepted, is_taken && expected.is_some());
        let found = (rtl.get_low(ready) == 1, rtl.get_low(error) == 1, known(offered));
        let wanted = (is_ready, refused, known(expected));
        if found != wanted {
            return Some(format!("seed {seed}, cycle {cycle}: {found:?} and not {wanted:?}"));
        }
        rtl.clock();
    }
    None
}

/// The first cycle in which a token bucket is not as the definition says.
fn bucket_differs(bucket: &TokenBucket, design: &Design) -> Option<String> {
    let mut rtl = Evaluator::of_ports(design);
    let [wants, grants] = ["wants", "grants"].map(|name| rtl.port(name).unwrap());
    (1..=40u64).find_map(|seed| {
        rtl.set_reset(true);
        rtl.settle();
        rtl.clock();
        rtl.set_reset(false);
        let mut releases = Vec::new();
        (0..800).find_map(|cycle| {
            let draw = |what: u64| hash(seed << 32, &[cycle, what]);
            // A while without packets, and then several, some of them late.
            let pauses = hash(seed << 32, &[cycle / (8 << (seed % 4)), 1]).is_multiple_of(3);
            let is_there = !pauses && draw(0) % 8 < seed % 9;
            rtl.set(wants, &[is_there.into()]);
            rtl.settle();
            let (found, wanted) =
                (rtl.get_low(grants) == 1, is_there && may_go(bucket, &releases, cycle));
            releases.extend(wanted.then_some(cycle));
            rtl.clock();
            (found != wanted).then(|| format!("seed {seed}, cycle {cycle}: not {wanted}"))
        })
    })
}

/// Buckets of all sorts: rates of one, of a part and of none that is a whole number of cycles a flit,
/// bursts of a packet and of several.
fn all_buckets() -> Vec<TokenBucket> {
    let mut all = Vec::new();
    for rate in
        ["1", "0.999999999", "0.75", "0.5", "0.3", "0.25", "0.2", "0.123456789", "0.07", "0.01"]
    {
        for (packet, burst) in [(1, 1), (1, 2), (2, 2), (2, 5), (3, 7), (4, 4), (4, 9), (13, 40)] {
            all.push(TokenBucket { rate: rate.parse().unwrap(), packet, burst });
        }
    }
    all
}

fn bucket_design(bucket: TokenBucket) -> Design {
    Design::new(&interface::bucket("bucket".to_owned(), &bucket).unwrap()).unwrap()
}

#[test]
fn a_token_bucket_is_the_definition_in_every_cycle() {
    for bucket in all_buckets() {
        assert_eq!(bucket_differs(&bucket, &bucket_design(bucket)), None, "{bucket:?}");
    }
}

#[test]
fn every_fault_of_a_token_bucket_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    // A run goes through all that these may owe; of larger ones the proof finds out.
    let is_small = |bucket: &TokenBucket| {
        let Tokens { full, cycle, .. } = Tokens::of(bucket);
        full <= 20 && cycle == 1
    };
    for bucket in all_buckets().into_iter().filter(is_small) {
        let design = bucket_design(bucket);
        for (mutant, what) in sample("mutants", &mutants(design.top()).collect::<Vec<_>>()) {
            match bucket_differs(&bucket, &Design::new(&mutant).unwrap()) {
                Some(_) => caught += 1,
                None => survivors.push(format!("{bucket:?}: {what}")),
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    assert!(caught > if is_every() { 200 } else { 25 }, "{caught}");
}

/// Flows of unlike rates, lengths and bursts: each source has a shaper of its own.
fn rich_plan() -> FabricPlan {
    plan("shaper", FLOWS, Parameters { width: 8, ..Parameters::default() })
}

#[test]
fn a_shaper_is_the_definition_in_every_cycle() {
    let plan = rich_plan();
    assert_eq!(plan.shapers().len(), 3);
    for class in 0..3 {
        let differs = differs(&plan, class, &shaper_and_buckets(&plan, class));
        assert_eq!(differs, None, "class {class}");
    }
}

/// Operators of the shaper exchanged one by one, and registers that a reset misses.
#[test]
fn every_fault_of_a_shaper_is_found_out() {
    let plan = rich_plan();
    let (mut caught, mut survivors) = (0, Vec::new());
    for class in 0..3 {
        let design = shaper_and_buckets(&plan, class);
        let is_part = |m: &&Arc<Module>| m.width_parameter.is_some();
        for module in design.modules().iter().filter(is_part) {
            for (mutant, what) in sample("mutants", &mutants(module).collect::<Vec<_>>()) {
                match differs(&plan, class, &replace(&design, &mutant)) {
                    Some(_) => caught += 1,
                    None => survivors.push(what),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    let least = if is_every() { 150 } else { 20 };
    assert!(caught > least, "{caught}");
}
