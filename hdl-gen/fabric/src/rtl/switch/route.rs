//! Route logic at the head of a queue.

use super::Builder;
use crate::plan::QueuePlan;
use std::collections::BTreeMap;
use turnpike_netlist::{Expr, ModuleBuilder, Net};
use turnpike_network::routing::choice::ChosenWay;
use turnpike_network::routing::{
    EjectNumber, Header, Output, RouteDecision, Rule, Select, bits_of,
};

impl Builder<'_> {
    /// Per (output, VC) that a queue turns to, whether the head flit asks for it.
    pub(super) fn asks(
        &mut self,
        queue: &QueuePlan,
        valid: Net,
        header: Option<Net>,
    ) -> BTreeMap<usize, Net> {
        if self.goes_by_choice_alone(queue) {
            return self.choose_or_eject(queue, valid, header);
        }
        let mut asks = self.route(queue, valid, header);
        asks.extend(self.choose(queue, valid, header));
        asks
    }

    /// Whether a head goes nowhere but where it may choose, or to the terminal.
    fn goes_by_choice_alone(&self, queue: &QueuePlan) -> bool {
        let chosen = self.lanes_by_condition(queue);
        let is_chosen = |rule: &Rule| chosen.iter().any(|&(_, lane)| self.way_of(lane) == rule.way);
        let [rules @ .., last] = queue.select.rules() else { return !chosen.is_empty() };
        let ejects = |rule: &Rule| rule.looks_at() == 0 && rule.way.output.is_eject();
        !chosen.is_empty() && rules.iter().all(is_chosen) && (is_chosen(last) || ejects(last))
    }

    /// The asks of such a queue: who may go on nowhere is to be ejected.
    fn choose_or_eject(
        &mut self,
        queue: &QueuePlan,
        valid: Net,
        header: Option<Net>,
    ) -> BTreeMap<usize, Net> {
        let mut asks = self.choose(queue, valid, header);
        let done = asks.values().map(|&ask| !Expr::from(ask));
        let done: Vec<Expr> = [valid.into()].into_iter().chain(done).collect();
        let last = queue.select.rules().last().map(|rule| rule.way.output);
        let own = last.filter(|output| output.is_eject()).unwrap_or(Output::EJECT);
        let ejects = |way: &RouteDecision| match way.output == own {
            true => Expr::all(done.clone()),
            // A full crossbar has outputs that no way of an input leads to.
            false => Expr::constant(1, 0),
        };
        let mut lanes = self.lanes_of(queue);
        lanes.retain(|lane| !asks.contains_key(lane));
        asks.extend(self.ask(queue, header, &lanes, ejects));
        asks
    }

    /// Whether the head asks for each of these (output, VC)s, by when it takes a way: those to one
    /// of several terminals by the number in the header.
    fn ask(
        &mut self,
        queue: &QueuePlan,
        header: Option<Net>,
        lanes: &[usize],
        mut when: impl FnMut(&RouteDecision) -> Expr,
    ) -> BTreeMap<usize, Net> {
        let mut here: Option<Net> = None;
        let mut asks = BTreeMap::new();
        for &lane in lanes {
            let name = self.ask_name(queue, "to", lane);
            let way = self.way_of(lane);
            let when = match (&queue.select, way.output) {
                (Select::Concentrated { number, .. }, Output::Eject(local)) => {
                    let &EjectNumber { low, bits, .. } = number;
                    match number.number(local) {
                        Some(own) => {
                            let here = *here.get_or_insert_with(|| {
                                let here = when(&decision(queue, way));
                                self.m.define(format!("{}_here", queue.name), 1, here)
                            });
                            let bits = (0..bits).map(|bit| {
                                let set = stored_bit(queue, header, low + bit);
                                if own >> bit & 1 == 1 { set } else { !set }
                            });
                            Expr::all([here.into()].into_iter().chain(bits))
                        }
                        // A full crossbar has ports of other message classes.
                        None => Expr::constant(1, 0),
                    }
                }
                _ => when(&decision(queue, way)),
            };
            asks.insert(lane, self.m.define(name, 1, when));
        }
        asks
    }

    /// Route logic: per (output, VC), whether the head flit asks for it.
    fn route(
        &mut self,
        queue: &QueuePlan,
        valid: Net,
        header: Option<Net>,
    ) -> BTreeMap<usize, Net> {
        let chosen = self.lanes_by_condition(queue);
        let mut lanes = self.lanes_of(queue);
        lanes.retain(|lane| chosen.iter().all(|(_, of_choice)| of_choice != lane));
        let mut ways: Vec<RouteDecision> = Vec::new();
        for way in lanes.iter().map(|&lane| decision(queue, self.way_of(lane))) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        let valid = Expr::from(valid);
        if header.is_none() {
            // No bit is ever set: every packet here goes one way.
            let way = decision(queue, queue.select.way(0));
            let when = |to: &RouteDecision| match *to == way {
                true => valid.clone(),
                false => Expr::constant(1, 0),
            };
            return self.ask(queue, header, &lanes, when);
        }
        let m = &mut self.m;
        let bit = |at: u32| stored_bit(queue, header, at);
        let select = match &queue.select {
            Select::Concentrated { select, .. } => select,
            select => select,
        };
        match select {
            Select::FirstRule { rules, one_hot } => {
                // That none of the rules before holds.
                let mut otherwise: Vec<Expr> = Vec::new();
                let mut by_way: Vec<(RouteDecision, Expr)> = Vec::new();
                // Behind the last rule for one of these ways nothing is read: the others are chosen.
                let is_read = |way: RouteDecision| ways.contains(&way);
                let ejects_at_the_end = rules.iter().all(|rule| rule.looks_at() != 0);
                let read = match ejects_at_the_end && is_read(Output::EJECT.into()) {
                    true => rules.len(),
                    false => {
                        rules.iter().rposition(|rule| is_read(rule.way)).map_or(0, |at| at + 1)
                    }
                };
                for (at, rule) in rules[..read].iter().enumerate() {
                    let literal = |at: u32, set: bool| if set { bit(at) } else { !bit(at) };
                    let literals = |set: Header| {
                        let literal = |at| literal(at, set >> at & 1 == 1);
                        bits_of(rule.when.care).into_iter().map(literal).collect::<Vec<Expr>>()
                    };
                    let mut holds = literals(rule.when.value);
                    if rule.when.any != 0 {
                        let any: Vec<Expr> = bits_of(rule.when.any).into_iter().map(bit).collect();
                        holds.push(Expr::any_of(any));
                    }
                    if !one_hot && holds.len() > 1 {
                        let name = format!("{}_rule_{at}", queue.name);
                        holds = vec![m.define(name, 1, Expr::all(holds)).into()];
                    }
                    let mut terms = vec![valid.clone()];
                    terms.extend(holds.iter().cloned());
                    if !one_hot {
                        terms.extend(otherwise.iter().cloned());
                    }
                    otherwise.extend(match (rule.when.care.count_ones(), rule.when.any) {
                        (1, 0) => literals(!rule.when.value),
                        _ => holds.into_iter().map(|rule| !rule).collect(),
                    });
                    add(&mut by_way, rule.way, Expr::all(terms));
                }
                // Behind a rule that always holds, which is the last, nothing is left.
                if ejects_at_the_end && read == rules.len() {
                    let mut none = vec![valid];
                    none.extend(otherwise);
                    add(&mut by_way, Output::EJECT.into(), Expr::all(none));
                }
                // A full crossbar has outputs that no rule of an input leads to.
                let when = |way: &RouteDecision| {
                    let found = by_way.iter().find(|(to, _)| to == way);
                    found.map_or(Expr::constant(1, 0), |(_, when)| when.clone())
                };
                self.ask(queue, header, &lanes, when)
            }
            Select::Table { low, bits, ways: rows } => {
                let places = (*low..low + bits).rev().map(bit);
                let index = m.define(format!("{}_bits", queue.name), *bits, Expr::concat(places));
                let chosen = m.wire(format!("{}_choice", queue.name), ways.len() as u32);
                let place = |way: &RouteDecision| ways.iter().position(|to| to == way);
                let rows = rows.iter().map(|way| place(way).map_or(0, |p| 1 << p)).collect();
                m.table(chosen, index, rows);
                let when = |way: &RouteDecision| {
                    let place = place(way).expect("a way of one of the lanes");
                    valid.clone() & chosen.bit(place as u32)
                };
                self.ask(queue, header, &lanes, when)
            }
            Select::Concentrated { .. } => unreachable!("the plain relation's logic is plain"),
        }
    }

    /// Choice of the head: per (output, VC) that it may choose, whether it does.
    fn choose(
        &mut self,
        queue: &QueuePlan,
        valid: Net,
        header: Option<Net>,
    ) -> BTreeMap<usize, Net> {
        let lanes = self.lanes_by_condition(queue);
        let Some(choice) = queue.choice.as_ref().filter(|_| !lanes.is_empty()) else {
            return BTreeMap::new();
        };
        // Bits that are not stored are never set.
        let bit = |at: u32| {
            let place = queue.header.iter().position(|&b| b == at)?;
            Some(header?.bit(place as u32))
        };
        let all = choice.all_if.and_then(|outnumbers| {
            let of = |mask| bits_of(mask).into_iter().filter_map(bit).collect::<Vec<Expr>>();
            let (these, those) = (of(outnumbers.these), of(outnumbers.those));
            let name = format!("{}_artificial", queue.name);
            if these.is_empty() {
                return None;
            }
            let more = outnumbers_expr(&mut self.m, &name, &these, &those);
            Some(self.m.define(name, 1, more))
        });
        let stored = queue.header.iter().fold(0, |mask, at| mask | 1 << at);
        let mut conditions = 0;
        let mut asks = BTreeMap::new();
        for (way, lane) in lanes {
            let mut reasons = Vec::new();
            for when in way.within(stored).when.conditions() {
                let mut literals = Vec::new();
                for at in bits_of(when.care) {
                    let set = when.value >> at & 1 == 1;
                    literals.extend(bit(at).map(|bit| if set { bit } else { !bit }));
                }
                let any: Vec<Expr> = bits_of(when.any).into_iter().filter_map(bit).collect();
                literals.extend((!any.is_empty()).then(|| Expr::any_of(any)));
                if literals.len() > 1 {
                    let name = format!("{}_open_{conditions}", queue.name);
                    literals = vec![self.m.define(name, 1, Expr::all(literals)).into()];
                    conditions += 1;
                }
                // A condition of no bit always holds.
                reasons.push(literals.pop().unwrap_or(Expr::constant(1, 1)));
            }
            reasons.extend(all.map(Expr::from));
            let when = match reasons.is_empty() {
                true => Expr::constant(1, 0),
                false => Expr::from(valid) & Expr::any_of(reasons),
            };
            let name = self.ask_name(queue, "to", lane);
            asks.insert(lane, self.m.define(name, 1, when));
        }
        asks
    }

    /// The (output, VC)s among which a queue's head chooses, each with what opens it.
    pub(super) fn chosen_lanes<'a>(&self, queue: &'a QueuePlan) -> Vec<(&'a ChosenWay, usize)> {
        let ways = queue.choice.iter().flat_map(|choice| &choice.ways);
        let lanes = self.lanes_of(queue);
        let lane = |chosen: &'a ChosenWay| {
            let way = RouteDecision { output: Output::Network(chosen.port), vc: Some(chosen.vc) };
            let mut lanes = lanes.iter().copied();
            lanes.find(|&lane| self.way_of(lane) == way).map(|lane| (chosen, lane))
        };
        ways.filter_map(lane).collect()
    }

    /// (Output, VC)s that a condition on the header opens; the route decision opens the others.
    fn lanes_by_condition<'a>(&self, queue: &'a QueuePlan) -> Vec<(&'a ChosenWay, usize)> {
        let mut lanes = self.chosen_lanes(queue);
        lanes.retain(|(way, _)| way.routed().is_none());
        lanes
    }

    /// The (output, VC)s that a queue can turn to, as indices.
    fn lanes_of(&self, queue: &QueuePlan) -> Vec<usize> {
        let lanes = self.class.output_vcs.iter().enumerate();
        lanes
            .filter(|(_, lane)| {
                lane.sources.iter().any(|s| std::ptr::eq(&self.class.queues[s.queue], queue))
            })
            .map(|(i, _)| i)
            .collect()
    }

    fn way_of(&self, lane: usize) -> RouteDecision {
        let lane = &self.class.output_vcs[lane];
        RouteDecision { output: self.class.outputs[lane.output].output, vc: Some(lane.vc) }
    }

    /// `dim0_to_dim2`, or `dim0_to_dim2_vc1` where the queue turns to several VCs of the port.
    pub(super) fn ask_name(&self, queue: &QueuePlan, word: &str, lane: usize) -> String {
        let output = self.class.output_vcs[lane].output;
        let lanes = self.lanes_of(queue);
        let of_port = lanes.iter().filter(|&&l| self.class.output_vcs[l].output == output).count();
        match of_port {
            1 => format!("{}_{word}_{}", queue.name, self.class.outputs[output].name),
            _ => format!("{}_{word}_{}", queue.name, self.class.output_vcs[lane].name),
        }
    }
}

/// The route decision for a way: another where the number in the header picks the terminal, or the packet
/// chooses its virtual channel.
fn decision(queue: &QueuePlan, way: RouteDecision) -> RouteDecision {
    match (&queue.select, way.output) {
        (Select::Concentrated { .. }, Output::Eject(_)) => Output::EJECT.into(),
        (_, Output::Network(port)) => {
            let mut chosen = queue.choice.iter().flat_map(|choice| &choice.ways);
            let own = chosen.find(|to| to.port == port && Some(to.vc) == way.vc);
            RouteDecision { vc: own.and_then(ChosenWay::routed).or(way.vc), ..way }
        }
        _ => way,
    }
}

/// A header bit of the packet at the head: one that is not stored is never set.
fn stored_bit(queue: &QueuePlan, header: Option<Net>, at: u32) -> Expr {
    let place = queue.header.iter().position(|&bit| bit == at);
    let stored = header.zip(place).map(|(header, place)| header.bit(place as u32));
    stored.unwrap_or(Expr::constant(1, 0))
}

/// Whether more of `these` bits are set than of `those`.
fn outnumbers_expr(m: &mut ModuleBuilder, name: &str, these: &[Expr], those: &[Expr]) -> Expr {
    let most = these.len();
    let more = at_least(m, &format!("{name}_others"), these, most);
    let own = at_least(m, &format!("{name}_own"), those, most);
    let by = more.into_iter().enumerate().map(|(i, more)| match own.get(i) {
        Some(own) => more & !own.clone(),
        None => more,
    });
    Expr::any_of(by)
}

/// Number of these bits that are set, up to `most`, as a thermometer: whether at least 1 is,
/// whether at least 2 are, and so on.
fn at_least(m: &mut ModuleBuilder, name: &str, bits: &[Expr], most: usize) -> Vec<Expr> {
    let mut counted: Vec<Expr> = Vec::new();
    for (at, bit) in bits.iter().enumerate() {
        let before = |i: usize| counted.get(i).cloned();
        let width = (at + 1).min(most);
        let next = (0..width).map(|i| {
            let with = match i.checked_sub(1).and_then(before) {
                Some(fewer) => fewer & bit.clone(),
                None => bit.clone(),
            };
            before(i).map_or(with.clone(), |enough| enough | with)
        });
        let next: Vec<Expr> = next.collect();
        counted = match at {
            0 => next,
            _ => {
                let all = Expr::concat(next.into_iter().rev());
                let net = m.define(format!("{name}_{}", at + 1), width as u32, all);
                (0..width as u32).map(|i| net.bit(i)).collect()
            }
        };
    }
    counted
}

/// One reason more to go a way.
fn add(by_way: &mut Vec<(RouteDecision, Expr)>, way: RouteDecision, when: Expr) {
    match by_way.iter_mut().find(|(to, _)| *to == way) {
        Some((_, before)) => *before = before.clone() | when,
        None => by_way.push((way, when)),
    }
}
