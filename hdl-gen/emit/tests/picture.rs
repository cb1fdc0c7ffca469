//! Pictures of fabrics, read back as XML: what is drawn is the network, all of it, and nothing
//! lies on anything else. `docs/img/` has some as people see them.

use roxmltree::{Document, Node as Element};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_emit::picture::{MOST_NODES, picture};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::{ADAPTIVE_FABRICS, every_fabric, network, plan_of, plan_with};
use turnpike_network::description::read;
use turnpike_network::topology::{Node, Port, TOPOLOGIES, Topology};

fn plan(network: Network) -> FabricPlan {
    FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
}

fn drawn(plan: &FabricPlan) -> String {
    picture(plan).unwrap().contents
}

/// The elements of a class, or of a class and others.
fn of_class<'a>(svg: &'a Document, class: &'a str) -> impl Iterator<Item = Element<'a, 'a>> {
    let is = move |element: &Element| {
        element.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    svg.descendants().filter(is)
}

fn title<'a>(element: Element<'a, 'a>) -> &'a str {
    let title = element.children().find(|child| child.has_tag_name("title")).expect("a title");
    title.text().unwrap().trim()
}

fn number(element: Element, name: &str) -> f64 {
    element.attribute(name).expect("a coordinate").parse().expect("a number")
}

/// Left, right, top and bottom.
fn sides(rect: Element) -> [f64; 4] {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rect, name));
    [x, x + width, y, y + height]
}

fn rectangle<'a>(group: Element<'a, 'a>) -> [f64; 4] {
    sides(group.children().find(|child| child.has_tag_name("rect")).expect("a box"))
}

fn words(topology: &dyn Topology, from: Node, output: Port) -> Option<String> {
    let (to, _) = topology.channel(from, output)?;
    let [from, to] = [from, to].map(|node| topology.label(node));
    Some(format!("{from} -{}-> {to}", topology.port_name(output)))
}

fn channels(topology: &dyn Topology) -> Vec<String> {
    let ports = || (0..topology.ports()).map(Port);
    let of = |from| ports().filter_map(move |port| words(topology, from, port));
    let mut all: Vec<String> = topology.all_nodes().flat_map(of).collect();
    all.sort();
    all
}

/// Nodes once each, and apart; each channel once; all within the picture; the crosspoints of the
/// switches that are shown; the channels of the cycle and no others.
fn check(plan: &FabricPlan) {
    let (topology, name) = (plan.topology(), &plan.name);
    let text = drawn(plan);
    let svg = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let nodes: Vec<Element> = of_class(&svg, "node").collect();
    let labels: Vec<String> =
        nodes.iter().map(|node| title(*node).replace(": failed", "")).collect();
    let expected: Vec<String> = topology.all_nodes().map(|node| topology.label(node)).collect();
    assert_eq!(labels, expected, "{name}");
    let failed = of_class(&svg, "failed").map(|node| title(node).to_owned());
    let expected =
        topology.failed_nodes().into_iter().map(|node| topology.label(node) + ": failed");
    assert!(failed.eq(expected), "{name}");
    let boxes: Vec<[f64; 4]> =
        nodes.into_iter().chain(of_class(&svg, "terminal")).map(rectangle).collect();
    for (index, a) in boxes.iter().enumerate() {
        for b in &boxes[index + 1..] {
            let apart = a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2];
            assert!(apart, "{name}: {a:?} lies on {b:?}");
        }
    }
    let lines = of_class(&svg, "link").chain(of_class(&svg, "channel")).map(title);
    let mut lines: Vec<String> = lines.flat_map(|all| all.split("; ")).map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, channels(topology), "{name}");
    let ways = of_class(&svg, "link").chain(of_class(&svg, "channel"));
    let ways: Vec<&str> = ways.map(|line| line.attribute("d").unwrap()).collect();
    assert_eq!(ways.iter().collect::<BTreeSet<_>>().len(), ways.len(), "{name}: lines on lines");
    terminals(plan, &svg);
    within(&svg, name);
    crosspoints(plan, &svg);
    cycle(plan, &svg);
}

/// Where a node has another number than one, each is drawn at each of its ends.
fn terminals(plan: &FabricPlan, svg: &Document) {
    let topology = plan.topology();
    let mut ends = BTreeSet::new();
    for terminal in topology.all_terminals() {
        let places = [topology.source(terminal), topology.sink(terminal)];
        ends.extend(places.into_iter().flatten().map(|(node, _)| (terminal, node)));
    }
    let alive = topology.nodes() as usize - topology.failed_nodes().len();
    let one_each = ends.len() == alive && {
        let nodes: BTreeSet<Node> = ends.iter().map(|(_, node)| *node).collect();
        let both = |t| topology.source(t).is_some() && topology.sink(t).is_some();
        nodes.len() == alive && topology.all_terminals().all(both)
    };
    let drawn = of_class(svg, "terminal").count();
    assert_eq!(drawn, if one_each { 0 } else { ends.len() }, "{}", plan.name);
}

/// All coordinates are numbers within the view box.
fn within(svg: &Document, name: &str) {
    let view = svg.root_element().attribute("viewBox").unwrap();
    let view: Vec<f64> = view.split(' ').map(|number| number.parse().unwrap()).collect();
    let inside = |x: f64, y: f64| {
        let x = (view[0]..=view[0] + view[2]).contains(&x);
        assert!(x && (view[1]..=view[1] + view[3]).contains(&y), "{name}");
    };
    let arrowheads = |element: &Element| element.ancestors().any(|e| e.has_tag_name("marker"));
    for element in svg.descendants().filter(|element| !arrowheads(element)) {
        for (x, y) in [("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")] {
            if element.has_attribute(x) {
                inside(number(element, x), number(element, y));
            }
        }
        if element.has_tag_name("rect") {
            let [_, right, _, bottom] = sides(element);
            inside(right, bottom);
        }
        let Some(way) = element.attribute("d") else { continue };
        let numbers = way.split([' ', ',']).filter(|word| !matches!(*word, "" | "M" | "L" | "C"));
        let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        numbers.chunks(2).for_each(|point| inside(point[0], point[1]));
    }
}

/// As many dots as the switches that are shown have crosspoints.
fn crosspoints(plan: &FabricPlan, svg: &Document) {
    let texts: Vec<&str> = svg
        .descendants()
        .filter(|element| element.has_tag_name("text"))
        .filter_map(|element| element.text().map(str::trim))
        .collect();
    let shown = |name: &str| texts.iter().any(|text| text.starts_with(&format!("{name}: ")));
    let (mut dots, mut empty, mut classes) = (0, 0, 0);
    for (switch, class) in plan.switches.iter().zip(&plan.network().turns().classes) {
        if shown(&switch.name) {
            let built = class.crosspoints().len() + class.terminal_crosspoints().len();
            dots += built;
            empty += switch.inputs.len() * switch.outputs.len() - built;
            classes += 1;
        }
    }
    let drawn = ["crosspoint", "missing"].map(|class| of_class(svg, class).count());
    assert_eq!(drawn, [dots, empty], "{}", plan.name);
    let others = plan.built_switches().count() - classes;
    let counted = texts.iter().find(|text| text.contains("more classes"));
    let counted = counted.map(|text| text.split(' ').nth(1).unwrap());
    assert_eq!(counted.map_or(Ok(0), str::parse), Ok(others), "{}", plan.name);
    assert!(classes >= 1);
}

/// The channels of the network's cycle are red, and no others.
fn cycle(plan: &FabricPlan, svg: &Document) {
    let (topology, network) = (plan.topology(), plan.network());
    let red = of_class(svg, "cycle").map(|line| title(line).split(": ").next().unwrap().to_owned());
    let mut red: Vec<String> = red.collect();
    red.sort();
    let cycle = network.single_vc_cycle().map_or(&[][..], |cycle| &cycle.channels);
    let expected: BTreeSet<String> =
        cycle.iter().map(|c| words(topology, c.from, c.output).unwrap()).collect();
    assert_eq!(red, expected.into_iter().collect::<Vec<_>>(), "{}", plan.name);
    let warning = of_class(svg, "warning").next().map(|line| line.text().unwrap().trim());
    match network.verdict() {
        DeadlockVerdict::Cyclic(_) => assert!(warning.unwrap().starts_with("Deadlock: ")),
        DeadlockVerdict::Free(_) if cycle.is_empty() => assert_eq!(warning, None),
        DeadlockVerdict::Free(_) => assert!(warning.unwrap().starts_with("With one ")),
    }
}

#[test]
fn every_topology_is_drawn_whole() {
    for kind in TOPOLOGIES {
        for size in kind.sizes.small() {
            // Some have nothing to route at their least size.
            if let Ok(network) = Network::new(kind.name, size, None, None) {
                check(&plan(network));
            }
        }
    }
}

#[test]
fn every_fabric_is_drawn_whole() {
    for fabric in every_fabric().chain(ADAPTIVE_FABRICS.iter().copied()) {
        check(&plan_of(fabric, Parameters::default()));
    }
    for fabric in ["hypercube 3 ecube without 101", "star 4 direct without 2"] {
        check(&plan(network(fabric)));
    }
}

/// Of a fabric that can deadlock, of one that a dateline keeps from it, and of one without a cycle.
#[test]
fn cycles_are_red() {
    for (vcs, red) in [(Some(1), 3), (None, 3)] {
        let plan = plan_with("rotation", 3, vcs, 4);
        check(&plan);
        let text = drawn(&plan);
        let svg = Document::parse(&text).unwrap();
        assert!(of_class(&svg, "cycle").count() >= red);
    }
    let text = drawn(&plan_with("ecube", 3, None, 4));
    assert_eq!(of_class(&Document::parse(&text).unwrap(), "cycle").count(), 0);
}

fn described(lines: &str) -> FabricPlan {
    let text = format!("turnpike-topology 1\n{lines}");
    let description = read("own.topology", text.as_bytes()).unwrap();
    plan(Network::wanted(&Wanted::described(&description)).unwrap())
}

/// Labels as long as they come, channels beside others, a node that nothing leads to.
#[test]
fn any_network_of_a_file_is_drawn_whole() {
    let long = "x".repeat(40);
    check(&described(&format!(
        "node a {long} lonely\nterminal ta a\nterminal t{long} {long}\n\
         link a.p0 {long}.p0\nlink a.p1 {long}.p1\nchannel a.p2 {long}.p2\nchannel {long}.p3 a.p3\n"
    )));
    // Forces alone find no order in these: any two nodes are linked.
    let nodes: Vec<String> = (0..12).map(|n| format!("n{n}")).collect();
    let mut lines = format!("node {}\n", nodes.join(" "));
    for (index, a) in nodes.iter().enumerate() {
        lines += &format!("terminal t{index} {a}\n");
        lines.extend(nodes[index + 1..].iter().map(|b| format!("link {a} {b}\n")));
    }
    check(&described(&lines));
}

#[test]
fn the_same_fabric_gives_the_same_bytes() {
    for fabric in ["kautz 2_2 shift", "wired mixed shortest", "torus 3x3 dimension-order"] {
        let plan = || plan_of(fabric, Parameters::default());
        assert_eq!(drawn(&plan()), drawn(&plan()), "{fabric}");
    }
}

/// One title, no scripts, nothing from elsewhere.
#[test]
fn a_picture_is_plain() {
    let text = drawn(&plan_with("rotation", 3, None, 4));
    for (part, count) in [("<script", 0), ("href", 0), ("NaN", 0), ("inf ", 0), ("<svg", 1)] {
        assert_eq!(text.matches(part).count(), count, "{part}");
    }
    let svg = Document::parse(&text).unwrap();
    let mut titles = svg.root_element().children().filter(|child| child.has_tag_name("title"));
    assert_eq!(
        titles.next().unwrap().text().unwrap().trim(),
        "hypercube --dim 3 --routing rotation"
    );
    let elements: BTreeMap<&str, usize> =
        svg.descendants().filter(Element::is_element).fold(BTreeMap::new(), |mut all, element| {
            *all.entry(element.tag_name().name()).or_default() += 1;
            all
        });
    assert!(elements["path"] >= 12 && elements["circle"] == 16, "{elements:?}");
}

#[test]
fn large_networks_are_refused() {
    let plan = plan(Network::new("hypercube", 11, None, None).unwrap());
    let error = picture(&plan).unwrap_err().to_string();
    assert_eq!(error, "a picture shows at most 1024 nodes, and this network has 2048");
    assert_eq!(MOST_NODES, 1024);
}
