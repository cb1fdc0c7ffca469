//! Fewest table entries that are moved so that routes close no cycle.
//!
//! A formula says, for each table and destination, which channel is next, and with it which waits
//! there are. Cycles of waits are forbidden as the solver finds them. One entry moved is tried first,
//! then two: where the solver says no, there is none.

use super::solver::{Formula, Literal, Satisfiability};
use super::{MOST_CONFLICTS, ascends};
use crate::cycles::Graph;
use crate::model::Routed;
use crate::traffic::Traffic;
use rustc_hash::FxHashMap;

/// Entries moved at most where fewest are looked for.
const MOST_MOVED: usize = 64;
/// Variables of the formula that counts moved entries at most.
const MOST_COUNTED: usize = 1_000_000;
/// Entries of tables, each with its choices, at most.
const MOST_CHOICES: usize = 400_000;
/// Waits of the formula at most.
const MOST_WAITS: usize = 4_000_000;
/// Cycles that are forbidden in a round.
const CYCLES: usize = 64;
/// Moves at most that are left out where others do.
const MOST_LEFT_OUT: usize = 500;
/// Rounds of one search.
const ROUNDS: usize = 2_000;

/// A table entry that is moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    /// Table.
    pub table: u32,
    /// Switch whose table it is.
    pub switch: u32,
    /// Destination of the entry.
    pub destination: u32,
    /// Next channel before; `None` where there was no entry.
    pub from: Option<u32>,
    /// Next channel after.
    pub to: u32,
}

/// Entries that are moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The entries.
    pub moves: Vec<Move>,
    /// Whether it is proven that no fewer do.
    pub proven: bool,
}

/// Outcome of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moved {
    /// Entries that mend the network.
    By(Moves),
    /// No tables at all of one next channel each are free of cycles, on these channels.
    Never,
    /// The search was too large, or took too long.
    Unknown,
}

/// Literals of a network.
struct Encoding<'a> {
    routed: &'a Routed,
    traffic: &'a Traffic,
    formula: Formula,
    /// Whether a channel is next, by table, destination and channel, each of the first copy.
    next: FxHashMap<(u32, u32, u32), Literal>,
    /// Whether packets of a class and destination come by a channel.
    comes: FxHashMap<(u32, u32, u32), Literal>,
    /// Whether one resource waits for another.
    waits: FxHashMap<(u32, u32), Literal>,
    /// Whether an entry is moved.
    moved: Vec<Literal>,
    /// By switch, the channels that leave it.
    out: Vec<Vec<u32>>,
}

/// Fewest entries that are moved so that routes close no cycle, for tables of one next channel each.
pub fn moves(routed: &Routed, traffic: &Traffic) -> Moved {
    if routed.copies == 0 {
        return Moved::Unknown;
    }
    let Some(mut encoding) = Encoding::new(routed, traffic) else { return Moved::Unknown };
    let moved = encoding.moved.clone();
    let most = (MOST_COUNTED / moved.len().max(1)).min(MOST_MOVED);
    let more = encoding.formula.more_than(&moved, most + 1);
    // The network as it is has a cycle, so that no move is not enough.
    for count in 1..=most.min(moved.len()) {
        let assumed: Vec<Literal> = more.get(count).map(|&more| !more).into_iter().collect();
        match encoding.search(&assumed) {
            Some(Some(moves)) => return Moved::By(Moves { moves, proven: true }),
            Some(None) => {}
            None => break,
        }
    }
    encoding.formula.extend(MOST_CONFLICTS);
    match encoding.search(&[]) {
        Some(Some(moves)) => {
            let moves = fewer(routed, traffic, moves);
            Moved::By(Moves { moves, proven: false })
        }
        Some(None) => Moved::Never,
        None => Moved::Unknown,
    }
}

/// The moves without those that can be left out one after the other.
fn fewer(routed: &Routed, traffic: &Traffic, mut moves: Vec<Move>) -> Vec<Move> {
    for at in (0..moves.len()).rev().take(MOST_LEFT_OUT) {
        let mut without = moves.clone();
        without.remove(at);
        if ascends(&mended(routed, &without), traffic) {
            moves = without;
        }
    }
    moves
}

impl<'a> Encoding<'a> {
    /// The formula, without what forbids cycles; `None` where it would be too large.
    fn new(routed: &'a Routed, traffic: &'a Traffic) -> Option<Self> {
        let mut out = vec![Vec::new(); routed.switches.len()];
        let count = routed.channels.len() / routed.copies as usize;
        for (at, channel) in (0..).zip(&routed.channels[..count]) {
            out[channel.from as usize].push(at);
        }
        let formula = Formula::new(MOST_CONFLICTS);
        let (next, comes, waits) = Default::default();
        let mut this =
            Self { routed, traffic, formula, next, comes, waits, moved: Vec::new(), out };
        let first = routed.tables.len() / routed.copies;
        let places = routed.of_channel.iter().zip(&routed.channels);
        let mut tables: Vec<(u32, u32)> =
            places.map(|(&table, own)| (table % first, own.to)).collect();
        for injection in &routed.of_injection {
            tables.extend(injection.iter().map(|table| table % first).zip(0..));
        }
        tables.sort_unstable();
        tables.dedup();
        let choices: usize = tables.iter().map(|&(_, at)| this.out[at as usize].len()).sum();
        if choices.saturating_mul(routed.terminals.len()) > MOST_CHOICES {
            return None;
        }
        for destination in 0..routed.terminals.len() as u32 {
            let Some(sink) = routed.terminals[destination as usize].sink else { continue };
            for &(table, switch) in tables.iter().filter(|&&(_, switch)| switch != sink) {
                this.entry(table, switch, destination);
            }
        }
        for class in 0..traffic.class_count() as u32 {
            for destination in 0..routed.terminals.len() as u32 {
                this.flows(class, destination);
                if this.formula.clauses() > MOST_WAITS {
                    return None;
                }
            }
        }
        Some(this)
    }

    fn entry(&mut self, table: u32, switch: u32, destination: u32) {
        let before = self.routed.tables.next(table, destination).first().copied();
        let moved = self.formula.fresh();
        let mut all = Vec::new();
        for &channel in &self.out[switch as usize] {
            let next = self.formula.fresh();
            self.next.insert((table, destination, channel), next);
            if Some(channel) != before {
                self.formula.implies(&[next], moved);
            }
            all.push(next);
        }
        self.formula.at_most_one(&all);
        self.moved.push(moved);
    }

    /// Ways of packets of a class to a destination, and what waits for what.
    fn flows(&mut self, class: u32, destination: u32) {
        let (routed, traffic) = (self.routed, self.traffic);
        let Some(sink) = routed.terminals[destination as usize].sink else { return };
        let sources: Vec<u32> = traffic.sources(routed, class as usize, destination).collect();
        if sources.is_empty() {
            return;
        }
        for source in sources {
            let Some(switch) = routed.terminals[source as usize].source else { continue };
            let held: Vec<u32> = match traffic.classes.get(class as usize) {
                Some(own) => own.after.iter().map(|&c| self.sink(source, c as u32)).collect(),
                None => Vec::new(),
            };
            if switch == sink {
                for held in held {
                    let wait = self.wait(held, self.sink(destination, class));
                    self.formula.clause([wait]);
                }
                continue;
            }
            let table = routed.injection(class as usize, switch);
            self.leads(&[], &held, table, switch, class, destination);
        }
        for (channel, own) in (0..).zip(&routed.channels) {
            let comes = self.comes(class, destination, channel);
            if own.to == sink {
                let wait = self.wait(channel, self.sink(destination, class));
                self.formula.implies(&[comes], wait);
            } else {
                let table = routed.of_channel[channel as usize];
                self.leads(&[comes], &[channel], table, own.to, class, destination);
            }
        }
    }

    /// Packets that are at a switch if `here`, and hold some resources, go on.
    fn leads(
        &mut self,
        here: &[Literal],
        held: &[u32],
        table: u32,
        switch: u32,
        class: u32,
        destination: u32,
    ) {
        let first = self.routed.tables.len() / self.routed.copies;
        let copy = (table / first) * (self.routed.channels.len() as u32 / self.routed.copies);
        let next: Vec<Literal> = self.out[switch as usize]
            .iter()
            .map(|&channel| self.next[&(table % first, destination, channel)])
            .collect();
        let out: Vec<u32> = self.out[switch as usize].iter().map(|at| copy + at).collect();
        self.formula.clause(here.iter().map(|&lit| !lit).chain(next.iter().copied()));
        for (&channel, &goes) in out.iter().zip(&next) {
            let comes = self.comes(class, destination, channel);
            let if_all = [here, &[goes]].concat();
            self.formula.implies(&if_all, comes);
            for &held in held {
                let wait = self.wait(held, channel);
                self.formula.implies(&if_all, wait);
            }
        }
    }

    /// Resource of a terminal that takes messages of a class.
    fn sink(&self, terminal: u32, class: u32) -> u32 {
        let classes = self.traffic.class_count() as u32;
        self.routed.channels.len() as u32 + terminal * classes + class
    }

    fn comes(&mut self, class: u32, destination: u32, channel: u32) -> Literal {
        let key = (class, destination, channel);
        *self.comes.entry(key).or_insert_with(|| self.formula.fresh())
    }

    fn wait(&mut self, from: u32, to: u32) -> Literal {
        *self.waits.entry((from, to)).or_insert_with(|| self.formula.fresh())
    }

    /// Moves that mend the network under some assumptions; `Some(None)` where there are none, `None`
    /// where that is not known.
    fn search(&mut self, assumed: &[Literal]) -> Option<Option<Vec<Move>>> {
        for _ in 0..ROUNDS {
            match self.formula.solve(assumed) {
                Satisfiability::Unsatisfiable => return Some(None),
                Satisfiability::Stopped => return None,
                Satisfiability::Satisfiable => {}
            }
            let moves = self.moves();
            let mended = mended(self.routed, &moves);
            if ascends(&mended, self.traffic) {
                return Some(Some(moves));
            }
            let mut held: Vec<(u32, u32)> = self
                .waits
                .iter()
                .filter(|(_, wait)| self.formula.holds(**wait))
                .map(|(&edge, _)| edge)
                .collect();
            held.sort_unstable();
            let resources = self.sink(self.routed.terminals.len() as u32, 0);
            let cycles = Graph::new(resources, held.iter().copied()).several(CYCLES);
            if cycles.is_empty() {
                // Some packet has no way, which the formula does not allow.
                return None;
            }
            for cycle in cycles {
                let waits: Vec<Literal> =
                    cycle.iter().map(|&edge| !self.waits[&held[edge as usize]]).collect();
                self.formula.clause(waits);
            }
        }
        None
    }

    /// Moves of the model that was found last: those alone that differ.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (&(table, destination, to), &next) in &self.next {
            if self.formula.holds(next) {
                let from = self.routed.tables.next(table, destination).first().copied();
                if from != Some(to) {
                    let switch = self.routed.channels[to as usize].from;
                    moves.push(Move { table, switch, destination, from, to });
                }
            }
        }
        moves.sort_unstable();
        moves
    }
}

/// The network with entries moved.
pub fn mended(routed: &Routed, moves: &[Move]) -> Routed {
    let mut mended = routed.clone();
    let (tables, channels) =
        (routed.tables.len() / routed.copies, routed.channels.len() as u32 / routed.copies);
    for own in moves {
        for copy in 0..routed.copies {
            let next = [copy * channels + own.to];
            mended.tables.set(copy * tables + own.table, own.destination, &next);
        }
    }
    mended
}
