//! Files of networks and routes.

use crate::common::read;
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Switching, Verdict, verdict};

/// A ring of switches with links both ways.
fn ring(switches: usize) -> String {
    let edges: String =
        (0..switches).map(|at| format!("s{at} -- s{}; ", (at + 1) % switches)).collect();
    format!("graph ring {{ {edges}}}")
}

/// Next hops around a ring by the shorter way, clockwise where both are as long.
fn around(switches: usize) -> String {
    let mut text = "switch,destination,next\n".to_owned();
    for at in 0..switches {
        for to in (0..switches).filter(|&to| to != at) {
            let clockwise = (to + switches - at) % switches <= switches / 2;
            let step = if clockwise { 1 } else { switches - 1 };
            text += &format!("s{at},s{to},s{}\n", (at + step) % switches);
        }
    }
    text
}

#[test]
fn a_ring_by_its_shorter_ways_has_a_cycle() {
    let reading = read("csv", ("r.dot", &ring(6)), Some(("r.csv", &around(6)))).unwrap();
    let found = verdict(&reading.routed, &Traffic::all_to_all(), Switching::Wormhole).unwrap();
    let Verdict::Deadlock(held) = found else { panic!("{found:?}") };
    assert_eq!(held.len(), 6);
    let words: Vec<String> =
        held.iter().map(|held| reading.routed.channel_in_words(held.resource)).collect();
    assert!(words.contains(&"s0 -> s1".to_owned()), "{words:?}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let network = ring(4);
    let wrong = |routes: &str| {
        let reading = read("csv", ("r.dot", &network), Some(("r.csv", routes)));
        match reading {
            Err(error) => error.to_string(),
            Ok(reading) => verdict(&reading.routed, &Traffic::all_to_all(), Switching::Wormhole)
                .expect_err("it is wrong")
                .to_string(),
        }
    };
    let rows = "switch,destination,next\n";
    for (text, expected) in [
        (String::new(), "no column 'switch'; begin with a line 'switch,destination,next'"),
        (rows.to_owned(), "no next hops; give switch,destination,next on a line"),
        ("switch,destination,to\n".to_owned(), "line 1: unknown column 'to'"),
        ("switch,next\n".to_owned(), "line 1: no column 'destination'"),
        ("switch,next,next\n".to_owned(), "line 1: column 'next' stands there twice"),
        (format!("{rows}s0,s1\n"), "line 2: 2 fields where there are 3 columns"),
        (
            format!("{rows}\n# more\ns9,s1,s1\n"),
            "line 4: no switch is called 's9'; name one such as s0",
        ),
        (
            format!("{rows}s0,s11,s1\n"),
            "line 2: no destination is called 's11'; did you mean 's1'?",
        ),
        (format!("{rows}s0,s2,s2\n"), "line 2: no next hop of that switch is called 's2'"),
        (format!("{rows}s0,s1,s1\ns0,s1,s1\n"), "line 3: this stands in line 2 already"),
        (format!("{rows}s0,s0,s1\n"), "line 2: packets to s0 leave at s0"),
        (
            format!("{rows}s0,s1,s1:64\n"),
            "line 2: '64' is no virtual channel; use a number from 0 to 63",
        ),
        (format!("{rows}s0,s1,s1\n"), "no next hop at s1 for packets from s1 to s0; add one"),
        (
            around(4).replace("s1,s2,s2", "s1,s2,s0"),
            "packets from s0 to s2 that go by s0 -> s1 never arrive",
        ),
    ] {
        let error = wrong(&text);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

/// Tables by input and virtual channels: a ring with a dateline.
#[test]
fn tables_may_depend_on_the_input() {
    let network = "digraph ring { a -> b -> c -> d -> a }";
    let mut routes = "switch,destination,next,input\n".to_owned();
    let names = ["a", "b", "c", "d"];
    for at in 0..4 {
        for to in (0..4).filter(|&to| to != at) {
            let next = (at + 1) % 4;
            let before = names[(at + 3) % 4];
            // Behind the dateline, the channel from d to a, packets are in virtual channel 1.
            let vc = u32::from(at == 3);
            let (at, to, next) = (names[at], names[to], names[next]);
            routes += &format!("{at},{to},{next}:{vc},\n{at},{to},{next}:1,{before}:1\n");
        }
    }
    let reading = read("csv", ("r.dot", network), Some(("r.csv", &routes))).unwrap();
    assert_eq!(reading.routed.channels.len(), 8);
    let found = verdict(&reading.routed, &Traffic::all_to_all(), Switching::Wormhole).unwrap();
    assert!(matches!(found, Verdict::Free(_)), "{found:?}");
    let without = routes.replace(":1,d:1", ":0,d:1");
    let reading = read("csv", ("r.dot", network), Some(("r.csv", &without))).unwrap();
    let found = verdict(&reading.routed, &Traffic::all_to_all(), Switching::Wormhole).unwrap();
    assert!(matches!(found, Verdict::Deadlock(_)), "{found:?}");
}
