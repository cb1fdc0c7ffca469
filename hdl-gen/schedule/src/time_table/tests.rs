//! Every way to make tables, against the checker.

use super::check::{CheckError, Marks};
use super::evict::by_eviction;
use super::orders::{Order, first_fit};
use super::saturation::by_saturation;
use super::{Flow, Flows, TimeTable, quick};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

type Way = (&'static str, fn(&Flows, u32) -> Option<TimeTable>);

const WAYS: [Way; 5] = [
    ("busiest first", |flows, frame| first_fit(flows, frame, Order::Busiest)),
    ("longest first", |flows, frame| first_fit(flows, frame, Order::Longest)),
    ("as given", |flows, frame| first_fit(flows, frame, Order::Given)),
    ("saturation", by_saturation),
    ("eviction", by_eviction),
];

fn random_flows(seed: u64) -> Flows {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |bound: u32| rng.next_u32() % bound;
    let channels = 4 + below(12);
    let flow = |_| {
        let first = below(channels);
        let length = 1 + below(channels.min(6));
        let step = 1 + below(2);
        let route = (0..length).map(|place| (first + place * step) % channels).collect();
        Flow { route, words: 1 + below(3) }
    };
    let list = (0..6 + seed as u32 % 20).map(flow).collect();
    Flows::new(channels, list).unwrap()
}

fn check(flows: &Flows, table: &TimeTable) {
    let mut marks = Marks::new(table.frame);
    for (flow, starts) in flows.list().iter().zip(&table.starts) {
        assert_eq!(starts.len() as u32, flow.words);
        assert!(starts.is_sorted());
        for &start in starts {
            marks.word(start, flow.route.iter().copied()).unwrap();
        }
    }
}

/// Every method makes time tables, and each finds one that all before it do not.
#[test]
fn every_way_makes_tables_and_is_of_use() {
    let (mut found, mut alone) = ([0; 5], [0; 5]);
    for flows in (0..300).map(random_flows) {
        let bound = flows.bound();
        for frame in (bound..bound + 3).filter(|&frame| flows.meets_itself(frame).is_none()) {
            let mut before = false;
            for (at, (_, way)) in WAYS.iter().enumerate() {
                let table = way(&flows, frame);
                if let Some(table) = &table {
                    assert_eq!(table.frame, frame);
                    check(&flows, table);
                }
                found[at] += u32::from(table.is_some());
                alone[at] += u32::from(table.is_some() && !before);
                before |= table.is_some();
            }
            assert_eq!(quick::table(&flows, frame).unwrap().is_some(), before);
        }
    }
    for ((name, _), (found, alone)) in WAYS.iter().zip(found.into_iter().zip(alone)) {
        assert!(found > 100 && alone > 0, "{name}: {found} found, {alone} of them alone");
    }
}

/// Short tables are tables: there always is one, and none below the bound.
#[test]
fn short_tables_are_tables() {
    for flows in (0..100).map(random_flows) {
        let table = quick::short(&flows).unwrap();
        check(&flows, &table);
        assert!(table.frame >= flows.bound());
        assert_eq!(quick::table(&flows, flows.bound() - 1), Ok(None));
    }
}

#[test]
fn marks_name_what_meets() {
    let mut marks = Marks::new(3);
    assert_eq!(marks.word(2, [7, 8, 9]), Ok(()));
    assert_eq!(marks.word(0, [7, 6]), Ok(()));
    let met = CheckError::Collision { first: 0, second: 2, channel: 8, slot: 0 };
    assert_eq!(marks.word(0, [8]), Err(met.clone()));
    assert_eq!(met.to_string(), "words 0 and 2 take one channel in slot 0");
    let late = CheckError::Slot { word: 3, slot: 3, frame: 3 };
    assert_eq!(marks.word(3, [5]), Err(late));
    // A word that comes back to a channel a whole frame later meets itself.
    let met = CheckError::Collision { first: 4, second: 4, channel: 1, slot: 1 };
    assert_eq!(marks.word(1, [1, 2, 3, 1]), Err(met));
}
