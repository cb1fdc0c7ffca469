//! Time tables on the reference router: words that start by the table wait nowhere.

use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes::{PatternRoutes, routes};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::{plan_of, whole_fabrics};
use turnpike_network::topology::Terminal;
use turnpike_schedule::time_table::{Flow, Flows, TimeTable, quick};
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Frames that are run.
const FRAMES: u32 = 4;

/// One word from each source to another, and a second one from every third.
fn pattern(plan: &FabricPlan) -> Vec<Message> {
    let topology = plan.topology();
    let sinks: Vec<Terminal> = topology.sinks().collect();
    let mut messages = Vec::new();
    for (at, source) in topology.sources().enumerate() {
        let to = |shift: usize| sinks[(7 * at + shift) % sinks.len()];
        messages.push(Message { source, destination: to(1), words: 1 });
        if at % 3 == 0 {
            messages.push(Message { source, destination: to(3), words: 2 });
        }
    }
    messages
}

fn table(routes: &PatternRoutes) -> TimeTable {
    let flows = routes.pairs.iter().map(|p| Flow { route: p.route.clone(), words: p.words });
    let flows = Flows::new(routes.channels.len() as u32, flows.collect()).unwrap();
    quick::short(&flows).unwrap()
}

/// Words by the cycle in which they are offered, each with the cycles that it takes alone.
fn offers(
    plan: &FabricPlan,
    routes: &PatternRoutes,
    table: &TimeTable,
) -> BTreeMap<u32, Vec<(Terminal, Terminal, u32)>> {
    let mut offers: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for (pair, starts) in routes.pairs.iter().zip(&table.starts) {
        let alone = plan.zero_load_latency(pair.route.len() as u32 - 2);
        for frame in 0..FRAMES {
            for start in starts {
                let word = (pair.source, pair.destination, alone);
                offers.entry(frame * table.frame + start).or_default().push(word);
            }
        }
    }
    offers
}

/// How many words are late: not at their sink in the cycle in which a word alone would be.
fn late(plan: &FabricPlan, offers: &BTreeMap<u32, Vec<(Terminal, Terminal, u32)>>) -> usize {
    let mut model = Reference::new(plan).unwrap();
    let all = TerminalSet::all(plan.topology().terminals());
    let words: usize = offers.values().map(Vec::len).sum();
    let (mut due, mut on_time) = (BTreeSet::new(), 0);
    let last = offers.keys().max().unwrap() + 4 * plan.topology().nodes() + 64;
    for cycle in 0..last {
        for &(source, destination, alone) in offers.get(&cycle).into_iter().flatten() {
            let packet = due.len() as u32;
            due.insert((cycle + alone, destination, packet));
            if !model.offer(source.0, Beat { packet, destination, last: true }) {
                return words;
            }
        }
        for terminal in plan.topology().sinks() {
            if let Some(flit) = model.m_flit(terminal.0) {
                on_time += usize::from(due.contains(&(cycle, terminal, flit.packet)));
            }
        }
        model.clock(&all);
    }
    words - on_time
}

#[test]
fn words_of_a_table_wait_nowhere() {
    let mut late_without = 0;
    for fabric in whole_fabrics() {
        let plan = plan_of(fabric, Parameters::default());
        // A time table is for channels that take a cycle each.
        if !plan.keeps_order() || plan.topology().most_delay() > 0 {
            continue;
        }
        let routes = routes(plan.topology(), plan.relation(), &pattern(&plan)).unwrap();
        let table = table(&routes);
        assert_eq!(late(&plan, &offers(&plan, &routes, &table)), 0, "{fabric:?}");
        // The same words without a table, each source's as early as it can, do wait somewhere.
        let mut next: BTreeMap<Terminal, u32> = BTreeMap::new();
        let early = |pair: &turnpike_analysis::pattern_routes::PairRoute| {
            let next = next.entry(pair.source).or_default();
            *next += pair.words;
            (*next - pair.words..*next).collect()
        };
        let starts = routes.pairs.iter().map(early).collect();
        let early = TimeTable { frame: table.frame, starts };
        late_without += late(&plan, &offers(&plan, &routes, &early));
    }
    assert!(late_without > 100, "{late_without}");
}
