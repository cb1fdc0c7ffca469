use super::*;
use crate::topology::{Topology, find};
use proptest::prelude::*;

fn mesh() -> Box<dyn Topology> {
    find("mesh").unwrap().build("3x2".parse::<crate::topology::Shape>().unwrap()).unwrap()
}

fn on_mesh(text: &str) -> Result<Flows, FlowsError> {
    FlowList::parse(text).and_then(|list| list.on(&*mesh()))
}

fn pairs(flows: &Flows) -> Vec<(u32, u32)> {
    flows.list().iter().map(|flow| (flow.source.0, flow.destination.0)).collect()
}

#[test]
fn patterns_stand_for_all_that_fit_but_for_itself() {
    let flows = on_mesh("source,destination\n0_*,2_1\n2_1,*\n").unwrap();
    assert_eq!(pairs(&flows), [(0, 5), (3, 5), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4)]);
    // Who says so sends to itself.
    assert_eq!(pairs(&on_mesh("source,destination\n0_0,0_0\n").unwrap()), [(0, 0)]);
    assert_eq!(flows.of_source(Terminal(0)).len(), 1);
    assert_eq!(flows.of_source(Terminal(5)).len(), 5);
    assert_eq!(flows.of_source(Terminal(1)), []);
    assert!(flows.between(Terminal(5), Terminal(4)).is_some());
    assert!(flows.between(Terminal(4), Terminal(5)).is_none());
}

#[test]
fn the_canonical_file_reads_back() {
    for text in [
        "# who talks to whom\ndestination, source ,bandwidth,packet\n2_1,0_0,0.25,4\n0_0,1_0,.5,\n",
        "source,destination,latency\n0_0,1_0,30\n1_0,0_0,\n",
        "0_0 1_1 3\n1_1 0_0  # one word\n",
        "source,destination,words\n0_0,2_1,7\n",
        "source,destination,bandwidth,packet,burst,latency\n0_0,1_0,0.1,4,12,90\n1_0,0_0,0.1,,,\n",
    ] {
        let flows = on_mesh(text).unwrap();
        let canonical = flows.text(&*mesh());
        assert_eq!(on_mesh(&canonical).unwrap(), flows, "{canonical}");
    }
    let text =
        on_mesh("source,destination,bandwidth,packet\n0_0,1_0,.5,\n").unwrap().text(&*mesh());
    assert_eq!(text, "source,destination,bandwidth\n0_0,1_0,0.5\n");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, expected) in [
        ("", "no columns; begin with a line 'source,destination'"),
        ("# nothing\n\n", "no columns"),
        ("source,destination\n", "no flows; give source,destination on a line, such as '0_0,0_0'"),
        ("source\n0_0,1_0\n", "line 1: no columns"),
        ("from,destination\n", "line 1: unknown column 'from'"),
        ("source,destnation\n", "did you mean 'destination'?"),
        ("source,bandwidth\n0_0,1\n", "line 1: no column 'destination'"),
        ("source,destination,source\n", "column 'source' stands there twice"),
        ("source,destination\n0_0,1_0,3\n", "line 2: 3 fields where there are 2 columns"),
        ("source,destination,bandwidth\n0_0\n", "line 2: 1 fields where there are 3 columns"),
        (
            "source,destination\n\n0_0,9_9\n",
            "line 3: no terminal that takes packets is called '9_9'",
        ),
        ("source,destination\n0_0,2_11\n", "did you mean '2_1'?"),
        ("source,destination\n7_*,0_0\n", "no terminal that sends is called '7_*'"),
        (
            "source,destination\n0_0,1_0\n*,1_0\n",
            "line 3: the flow from 0_0 to 1_0 stands in line 2",
        ),
        ("source,destination,bandwidth\n0_0,1_0,0\n", "line 2: '0' is no bandwidth"),
        ("source,destination,bandwidth\n0_0,1_0,1.5\n", "'1.5' is no bandwidth"),
        ("source,destination,bandwidth\n0_0,1_0,-1\n", "'-1' is no bandwidth"),
        ("source,destination,bandwidth\n0_0,1_0,.\n", "'.' is no bandwidth"),
        ("source,destination,bandwidth\n0_0,1_0,0.0000000001\n", "up to 9 decimal places"),
        (
            "source,destination,bandwidth\n0_0,1_0,0.1\n0_0,2_0,\n",
            "line 3: no bandwidth, where line 2",
        ),
        ("source,destination,packet\n0_0,1_0,0\n", "'0' is no length of packets"),
        ("source,destination,latency\n0_0,1_0,soon\n", "'soon' is no latency"),
        (
            "source,destination,burst\n0_0,1_0,0\n",
            "line 2: '0' is no burst; use a whole number of flits",
        ),
        ("0_0 1_0 0\n", "line 1: '0' is no number of words"),
        ("0_0 1_0\n0_0 1_0 2 3\n", "line 2: 4 fields; give SOURCE SINK [WORDS]"),
        (
            "source,destination,bandwidth\n0_0,1_0,0.6\n0_0,2_0,0.400000001\n",
            "the flows from 0_0 sum to 1.000000001 flits per cycle",
        ),
        ("source,destination,bandwidth\n0_*,2_0,0.6\n", "the flows to 2_0 sum to 1.2 flits"),
    ] {
        let error = on_mesh(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    // Tenths are exact.
    let tenths: String = (0..5).map(|x| format!("{}_{},2_1,0.2\n", x % 3, x / 3)).collect();
    on_mesh(&format!("source,destination,bandwidth\n{tenths}")).unwrap();
}

/// Terminals of one role where the other is asked for.
#[test]
fn roles_are_held() {
    let butterfly = find("butterfly").unwrap();
    let size = butterfly.sizes.small()[0];
    let butterfly = butterfly.build(size).unwrap();
    let (source, sink) = (butterfly.sources().next().unwrap(), butterfly.sinks().next().unwrap());
    let [source, sink] = [source, sink].map(|terminal| butterfly.terminal_label(terminal));
    let on = |text: String| FlowList::parse(&text).and_then(|list| list.on(&*butterfly));
    let error = on(format!("source,destination\n{sink},{sink}\n"));
    if source != sink {
        assert!(error.unwrap_err().to_string().contains("only takes packets"));
    }
    assert!(on(format!("source,destination\n{source},{sink}\n")).is_ok());
}

/// The plain definition of a pattern.
fn fits_plainly(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            fits_plainly(rest, name) || !name.is_empty() && fits_plainly(pattern, &name[1..])
        }
        ([p, pattern @ ..], [n, name @ ..]) => p == n && fits_plainly(pattern, name),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn patterns_fit_as_defined(pattern in "[ab*]{0,6}", name in "[ab]{0,8}") {
        let plainly = fits_plainly(pattern.as_bytes(), name.as_bytes());
        prop_assert_eq!(list::fits(&pattern, &name), plainly);
    }
}

const CLASSES: &str = "class request\nclass reply after request\nsource,destination,class\n";

/// A stream for each class: its number is that of the class above the address, which both share.
#[test]
fn classes_are_streams() {
    let flows =
        on_mesh(&format!("{CLASSES}0_*,2_1,request\n2_1,0_*,reply\n0_0,1_0,reply\n")).unwrap();
    assert_eq!(pairs(&flows), [(0, 5), (3, 5), (8, 9), (13, 8), (13, 11)]);
    let ranks: Vec<u32> = flows.classes().iter().map(|class| class.rank).collect();
    assert_eq!(ranks, [0, 1]);
    assert_eq!((flows.class_of(Terminal(13)), flows.address(Terminal(13))), (1, Terminal(5)));
    assert_eq!(pairs(&flows.of_class(1)), [(0, 1), (5, 0), (5, 3)]);
    let with = crate::topology::with_flows::WithFlows::new(mesh(), flows.clone());
    assert_eq!(with.terminal_label(Terminal(13)), "2_1_reply");
    assert_eq!(with.terminal("2_1_reply"), Ok(Terminal(13)));
    assert!(with.terminal("2_1").is_err() && with.terminal("1_1_reply").is_err());
    assert_eq!(with.sources().map(|s| s.0).collect::<Vec<_>>(), [0, 3, 8, 13]);
    assert_eq!(with.sinks().map(|s| s.0).collect::<Vec<_>>(), [5, 8, 9, 11]);
    for terminal in with.all_terminals() {
        if let Some((node, local)) = with.source(terminal) {
            assert_eq!(with.source_at(node, local), Some(terminal));
        }
        if let Some((node, local)) = with.sink(terminal) {
            assert_eq!(with.sink_at(node, local), Some(terminal));
        }
    }
    let text = flows.text(&with);
    assert_eq!(on_mesh(&text).unwrap(), flows, "{text}");
}

/// Priorities are in the text that is read back, and make a difference where they differ and links are shared.
#[test]
fn classes_have_priorities() {
    let rows = "source,destination,class\n0_0,1_0,a\n1_0,0_0,priority\n";
    let read = |lines: &str| on_mesh(&format!("{lines}{rows}")).unwrap();
    for (lines, priorities, differ) in [
        ("class a\nclass priority after a\n", [0, 0], false),
        ("class a priority 3\nclass priority after a priority 3\n", [3, 3], false),
        ("class a priority 0\nclass priority priority 15\n", [0, 15], true),
        ("class a after priority priority 1\nclass priority\n", [1, 0], true),
    ] {
        let flows = read(lines);
        let found: Vec<u8> = flows.classes().iter().map(|class| class.priority).collect();
        assert_eq!((&*found, flows.have_priorities()), (&priorities[..], differ), "{lines}");
        let with = crate::topology::with_flows::WithFlows::new(mesh(), flows.clone());
        assert_eq!(on_mesh(&flows.text(&with)).unwrap(), flows);
        assert!(!flows.separated(&*mesh()).unwrap().have_priorities());
    }
}

#[test]
fn faults_of_classes_are_said_with_their_line() {
    let rows = "source,destination,class\n0_0,1_0,a\n1_0,0_0,b\n";
    for (text, expected) in [
        (format!("class a priority 16\nclass b\n{rows}"), "line 1: '16' is no priority"),
        (format!("class a\nclass b priority -1\n{rows}"), "line 2: '-1' is no priority"),
        (format!("class a priority high\n{rows}"), "line 1: 'class a priority high' says no class"),
        (format!("class priority 1\n{rows}"), "line 1: 'class priority 1' says no class"),
        (format!("class a\nclass a after b\n{rows}"), "line 2: class a stands there twice"),
        (format!("class a after c\nclass b\n{rows}"), "line 1: no line says class 'c'"),
        (format!("class a after a\nclass b\n{rows}"), "line 1: a after a: classes that wait"),
        (
            format!("class a after b\nclass b after c\nclass c after a\n{rows}"),
            "line 1: a after b after c after a: classes that wait for each other in a circle",
        ),
        (
            format!("class a\nclass b after a d\nclass c after b\nclass d after c\n{rows}"),
            "line 2: b after d after c after b: classes that wait",
        ),
        (format!("class a\n{rows}"), "line 4: no line says class 'b'"),
        (format!("class a\nclass b\nclass c\n{rows}"), "line 3: class c has no flow"),
        // The pattern stands for the terminal itself alone.
        (format!("class a\nclass b\nclass c\n{rows}2_1,2_1*,c\n"), "line 3: class c has no flow"),
        (format!("class a before b\n{rows}"), "line 1: 'class a before b' says no class"),
        (format!("class A\n{rows}"), "line 1: 'A' is no name of a class"),
        (format!("{rows}0_0,2_0,\n"), "line 4: no class, where line 2 has one"),
        (format!("{rows}0_0,2_0,a-b\n"), "line 4: 'a-b' is no name of a class"),
        ("class a\nsource,destination\n0_0,1_0\n".to_owned(), "line 1: class a has no flow"),
        ("class a\n".to_owned(), "no columns"),
    ] {
        let error = on_mesh(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    // Without lines of classes these follow no order.
    let flows = on_mesh(rows).unwrap();
    assert!(flows.classes().iter().all(|class| class.after.is_empty() && class.rank == 0));
}
