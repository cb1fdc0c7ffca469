//! Allocator of an adaptive switch: each packet picks one of the (output, VC)s that it could use
//! now, each of those goes to one packet that picked it, and a packet that lost picks once more
//! among those that nobody has picked. Both rounds take place within a cycle.

use super::{Builder, Ports};
use std::collections::BTreeMap;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register, RtlError};

/// An (output, VC) that packets choose.
#[derive(Clone, Copy)]
pub(super) struct Allocated {
    /// The source that holds it or takes it now, one-hot, or 0.
    pub grant: Net,
    /// Driven later: the flit that leaves is its packet's last.
    pub done: Net,
}

/// The wires of an (output, VC).
#[derive(Clone, Copy)]
struct Lane {
    /// Index into the (output, VC)s of the class.
    index: usize,
    /// No packet holds it, and the queue at its end is ready.
    open: Net,
    /// Some packet picks it in the first round; where one could take it in the second.
    wanted: Option<Net>,
    /// One bit per source: who asks in each round, who is granted it, who holds it.
    ask: Net,
    again: Net,
    first: Net,
    second: Net,
    holds: Net,
}

/// Candidates of the head of a queue, and its picks. One bit per candidate.
struct Picks {
    /// (Output, VC)s, as places in the list of lanes: those first among which it chooses, the best
    /// liked first.
    ways: Vec<usize>,
    /// Number of candidates that the head chooses among.
    chosen: usize,
    /// Candidates that the head could take now.
    could: Net,
    /// Candidate that the head picks in the first round.
    pick: Net,
    /// Candidate that the head picks in the second round, where there may be one.
    again: Option<Net>,
    /// Candidate at which the head begins to look, where that makes a difference.
    begins: Begins,
    /// Whether the head has given way often enough, where it gives way at all.
    insists: Option<Net>,
}

/// Candidate at which a head begins to look, among those that it chooses from.
#[derive(Clone)]
enum Begins {
    /// At the first.
    First,
    /// At the first or the last, by a register.
    Either(Net),
    /// Behind the one that was taken last, among the first so many ways: of those but the first, whether
    /// they stand behind it. Then at the first, and then among the others.
    Behind(Net),
}

impl Builder<'_> {
    /// Gives every channel of an adaptive switch, VC by VC, to a packet. `eject` is not among
    /// them: who is there has no choice.
    pub(super) fn allocate(&mut self, ports: &Ports) -> Result<(), RtlError> {
        let class = self.class;
        if class.queues.iter().all(|queue| queue.choice.is_none()) {
            return Ok(());
        }
        self.m.section("Allocation");
        let mut lanes = self.lanes(ports)?;
        let queues: Vec<usize> = (0..class.queues.len())
            .filter(|&queue| lanes.iter().any(|lane| self.source_of(lane, queue).is_some()))
            .collect();
        self.m.comment("Round 1: a packet without a channel picks one of the open channels.");
        let mut picks = BTreeMap::new();
        for &queue in &queues {
            picks.insert(queue, self.pick(queue, &lanes));
        }
        for (at, lane) in lanes.iter_mut().enumerate() {
            let ov = &class.output_vcs[lane.index];
            let bits = self.asking(lane, at, &picks, |picks| Some(picks.pick));
            if ov.sources.iter().any(|source| picks[&source.queue].ways.len() > 1) {
                let picked = Expr::any_of(bits.iter().map(|(bit, _)| bit.clone()));
                lane.wanted = Some(self.m.define(format!("{}_wanted", ov.name), 1, picked));
            }
            self.m.assign(lane.ask, compete(&bits));
        }
        self.m.comment(
            "Round 2: a packet that lost picks an open channel that no packet has picked.",
        );
        for picks in &mut picks {
            self.pick_again(*picks.0, &lanes, picks.1);
        }
        for (at, lane) in lanes.iter().enumerate() {
            let bits = self.asking(lane, at, &picks, |picks| picks.again);
            self.m.assign(lane.again, compete(&bits));
        }
        for (queue, picks) in &picks {
            self.remember(*queue, &lanes, picks);
        }
        Ok(())
    }

    /// The wires and the arbiter of each (output, VC).
    fn lanes(&mut self, ports: &Ports) -> Result<Vec<Lane>, RtlError> {
        let class = self.class;
        let mut lanes = Vec::new();
        for (index, ov) in class.output_vcs.iter().enumerate() {
            if class.outputs[ov.output].output.is_eject() {
                continue;
            }
            let n = ov.sources.len() as u32;
            let arbiter = self.parts.matrix_arbiter(n)?;
            let m = &mut self.m;
            let mut wire = |what: &str, width| m.wire(format!("{}_{what}", ov.name), width);
            let (free, done) = (wire("free", 1), wire("done", 1));
            let [ask, again, first, second, holds] =
                ["ask", "again", "first", "second", "holds"].map(|what| wire(what, n));
            let connections = [
                ("ask", ask.into()),
                ("again", again.into()),
                ("done", done.into()),
                ("free", free.into()),
                ("first", first.into()),
                ("second", second.into()),
                ("holds", holds.into()),
            ];
            m.instance(format!("{}_arbiter", ov.name), &arbiter, connections);
            let open = Expr::from(ports.output_handshake[index].ready) & free;
            let open = m.define(format!("{}_open", ov.name), 1, open);
            let grant = Expr::from(holds) | first | second;
            let grant = m.define(format!("{}_grant", ov.name), n, grant);
            self.allocated.insert(index, Allocated { grant, done });
            lanes.push(Lane { index, open, wanted: None, ask, again, first, second, holds });
        }
        Ok(lanes)
    }

    /// Index of a queue among the sources of an (output, VC).
    fn source_of(&self, lane: &Lane, queue: usize) -> Option<u32> {
        let sources = &self.class.output_vcs[lane.index].sources;
        sources.iter().position(|source| source.queue == queue).map(|place| place as u32)
    }

    /// A queue's first pick.
    fn pick(&mut self, queue: usize, lanes: &[Lane]) -> Picks {
        let class = self.class;
        let plan = &class.queues[queue];
        let mut liked = self.chosen_lanes(plan);
        // Those in turn go first.
        liked.sort_by_key(|(way, _)| !way.in_turn);
        let in_turn = liked.iter().filter(|(way, _)| way.in_turn).count() as u32;
        let liked = liked.iter().filter_map(|&(_, to)| lanes.iter().position(|l| l.index == to));
        let mut ways: Vec<usize> = liked.collect();
        let chosen = ways.len();
        let others = (0..lanes.len()).filter(|&at| self.source_of(&lanes[at], queue).is_some());
        let others: Vec<usize> = others.filter(|at| !ways.contains(at)).collect();
        ways.extend(others);
        let holds = self.of_ways(queue, lanes, &ways, |lane| lane.holds);
        let name = |what: &str| format!("{}_{what}", plan.name);
        let routed = self.m.define(name("routed"), 1, Expr::any_of(holds));
        let could = ways.iter().rev().map(|&at| {
            let asks = Expr::from(self.heads[queue].asks[&lanes[at].index]);
            Expr::all([asks, lanes[at].open.into(), !Expr::from(routed)])
        });
        let (could, n) = (Expr::concat(could), ways.len() as u32);
        let m = &mut self.m;
        let could = m.define(name("could"), n, could);
        let begins = match (in_turn, chosen) {
            (2.., _) => Begins::Behind(m.reg(name("behind"), in_turn - 1)),
            (_, 2..) if in_turn == 0 => Begins::Either(m.reg(name("from_last"), 1)),
            _ => Begins::First,
        };
        let pick = match n {
            1 => could,
            _ => {
                let pick = one_of(m, &name("pick"), could, chosen as u32, &begins);
                m.define(name("pick"), n, pick)
            }
        };
        let insists = (plan.gives_way > 0).then(|| m.wire(name("insists"), 1));
        Picks { ways, chosen, could, pick, again: None, begins, insists }
    }

    /// Makes the second pick of a queue, where the queue has several candidates.
    fn pick_again(&mut self, queue: usize, lanes: &[Lane], picks: &mut Picks) {
        let n = picks.ways.len() as u32;
        if n == 1 {
            return;
        }
        let first = self.of_ways(queue, lanes, &picks.ways, |lane| lane.first);
        let name = |what: &str| format!("{}_{what}", self.class.queues[queue].name);
        let none = Expr::constant(1, 0);
        let wanted = |&at: &usize| lanes[at].wanted.map_or(none.clone(), Expr::from);
        let wanted = picks.ways.iter().rev().map(wanted);
        let spare = Expr::from(picks.could) & !Expr::concat(wanted);
        let m = &mut self.m;
        let lost = m.define(name("lost"), 1, !Expr::any_of(first));
        let spare = m.define(name("spare"), n, spare);
        let again = one_of(m, &name("spare"), spare, picks.chosen as u32, &picks.begins);
        picks.again = Some(m.define(name("pick_again"), n, again & Expr::from(lost).repeat(n)));
    }

    /// Requests for an (output, VC), source by source, and whether each insists.
    fn asking(
        &self,
        lane: &Lane,
        at: usize,
        picks: &BTreeMap<usize, Picks>,
        of: fn(&Picks) -> Option<Net>,
    ) -> Vec<(Expr, Option<Net>)> {
        let bit = |picks: &Picks| {
            let way = picks.ways.iter().position(|&way| way == at)?;
            Some(of(picks)?.bit(way as u32))
        };
        let asks = self.class.output_vcs[lane.index].sources.iter().map(|source| {
            let picks = &picks[&source.queue];
            (bit(picks).unwrap_or(Expr::constant(1, 0)), picks.insists)
        });
        asks.collect()
    }

    /// Registers that a queue keeps for the next cycle, where they make a difference: from which
    /// end it picks, and how often it gave way.
    fn remember(&mut self, queue: usize, lanes: &[Lane], picks: &Picks) {
        if matches!(picks.begins, Begins::First) && picks.insists.is_none() {
            return;
        }
        let plan = &self.class.queues[queue];
        let name = |what: &str| format!("{}_{what}", plan.name);
        let mut gets = self.of_ways(queue, lanes, &picks.ways, |lane| lane.first);
        let second = self.of_ways(queue, lanes, &picks.ways, |lane| lane.second);
        // By way in turn, whether the head gets it.
        let takes = gets.iter().zip(&second).map(|(first, second)| first.clone() | second.clone());
        let takes: Vec<Expr> = match picks.begins {
            Begins::Behind(behind) => takes.take(behind.width as usize + 1).collect(),
            Begins::First | Begins::Either(_) => Vec::new(),
        };
        gets.extend(second);
        let m = &mut self.m;
        if let Begins::Behind(net) = picks.begins {
            m.comment("The next packet begins behind the way that this one takes.");
            let takes = Expr::concat(takes.into_iter().rev());
            let takes = m.define(name("takes"), net.width + 1, takes);
            let next = (0..net.width).rev().map(|at| match at {
                0 => takes.bit(0),
                _ => takes.slice(0, at + 1).any(),
            });
            let next = Expr::concat(next);
            let enable = Some(Expr::from(takes).any());
            m.registers(vec![Register { net, reset: Some(0), enable, next }]);
        }
        if matches!(picks.begins, Begins::Behind(_)) && picks.insists.is_none() {
            return;
        }
        let asks = m.define(name("asks"), 1, Expr::from(picks.could).any());
        let gets = m.define(name("gets"), 1, Expr::any_of(gets));
        if let Begins::Either(net) = picks.begins {
            m.comment("A packet that gets no channel picks from the other end the next time.");
            let loses = Some(Expr::from(asks) & !Expr::from(gets));
            let next = !Expr::from(net);
            m.registers(vec![Register { net, reset: Some(0), enable: loses, next }]);
        }
        if let Some(insists) = picks.insists {
            m.comment(format!(
                "A packet here gives way to packets of other queues {} times.",
                plan.gives_way
            ));
            let width = bits_for(plan.gives_way + 1);
            let net = m.reg(name("waited"), width);
            let most = Expr::constant(width, plan.gives_way.into());
            m.assign(insists, Expr::from(net).equals(most));
            let more = Expr::from(net) + Expr::constant(width, 1);
            let waits = Expr::from(insists).mux(net, more);
            let next = Expr::from(gets).mux(Expr::constant(width, 0), waits);
            let enable = Some(asks.into());
            m.registers(vec![Register { net, reset: Some(0), enable, next }]);
        }
    }

    /// A queue's bit of a wire of each of these (output, VC)s.
    fn of_ways(
        &self,
        queue: usize,
        lanes: &[Lane],
        ways: &[usize],
        wire: fn(&Lane) -> Net,
    ) -> Vec<Expr> {
        let bit = |&at: &usize| Some(wire(&lanes[at]).bit(self.source_of(&lanes[at], queue)?));
        ways.iter().filter_map(bit).collect()
    }
}

/// Open candidate that is picked, among those chosen from, by where a head begins; another candidate,
/// of which no packet has two, only where none of those is open.
fn one_of(m: &mut ModuleBuilder, name: &str, open: Net, chosen: u32, begins: &Begins) -> Expr {
    let none = |ways: std::ops::Range<u32>| ways.map(|way| !open.bit(way));
    // Those behind the last one taken, from way 1 on, and whether there are any.
    let behind = match begins {
        Begins::Behind(behind) => {
            let n = behind.width;
            let later = m.define(format!("{name}_behind"), n, open.slice(1, n) & *behind);
            Some((later, m.define(format!("{name}_any_behind"), 1, Expr::from(later).any())))
        }
        Begins::First | Begins::Either(_) => None,
    };
    let pick = |way: u32| {
        let is_open = open.bit(way);
        match (begins, behind) {
            _ if way >= chosen => Expr::all([is_open].into_iter().chain(none(0..chosen))),
            (Begins::Either(from_last), _) => {
                let last: Expr = (*from_last).into();
                let first = [!last.clone()].into_iter().chain(none(0..way));
                let last = [last].into_iter().chain(none(way + 1..chosen));
                is_open & Expr::any_of([Expr::all(first), Expr::all(last)])
            }
            (_, Some((later, any))) if way <= later.width => {
                let around = [is_open, !Expr::from(any)].into_iter().chain(none(0..way));
                let around = Expr::all(around);
                match way.checked_sub(1) {
                    None => around,
                    Some(at) => {
                        let before = (0..at).map(|before| !later.bit(before));
                        let first = Expr::all([later.bit(at)].into_iter().chain(before));
                        first | around
                    }
                }
            }
            // The first: of one way alone, and behind those in turn.
            _ => Expr::all([is_open].into_iter().chain(none(0..way))),
        }
    };
    Expr::concat((0..open.width).rev().map(pick))
}

/// Requests, without those that give way where some other request competes.
fn compete(asks: &[(Expr, Option<Net>)]) -> Expr {
    let competes = |(asks, insists): &(Expr, Option<Net>)| match insists {
        None => asks.clone(),
        Some(insists) => asks.clone() & *insists,
    };
    let ask = |at: usize| {
        let (asks_here, insists) = &asks[at];
        let others = asks.iter().enumerate().filter(|(other, (asks, _))| {
            // Who has no other way never asks again.
            *other != at && !matches!(asks, Expr::Const { .. })
        });
        let others: Vec<Expr> = others.map(|(_, other)| competes(other)).collect();
        match insists {
            Some(insists) if !others.is_empty() => {
                asks_here.clone() & (Expr::from(*insists) | !Expr::any_of(others))
            }
            _ => asks_here.clone(),
        }
    };
    Expr::concat((0..asks.len()).rev().map(ask))
}
