use super::*;

fn read(text: &str) -> Result<Description, DescriptionError> {
    super::read(text, Wanted { name: "g", two_way: false })
}

/// The channels of a network, by the names of nodes: a link is said once.
fn links(text: &str) -> String {
    let net = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let name = |node: usize| &net.nodes[node].identifier;
    let all: Vec<String> = net
        .channels
        .iter()
        .filter(|channel| !text.contains("--") || channel.from.node < channel.to.node)
        .map(|c| format!("{}.{} {}.{}", name(c.from.node), c.from.port, name(c.to.node), c.to.port))
        .collect();
    all.join("; ")
}

/// The nodes of terminals.
fn terminals(text: &str) -> String {
    let net = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let node = |t: &crate::description::Terminal| &*net.nodes[t.source.unwrap()].identifier;
    net.terminals.iter().map(node).collect::<Vec<_>>().join(" ")
}

fn ends(net: &Description) -> Vec<(usize, usize)> {
    net.channels.iter().map(|channel| (channel.from.node, channel.to.node)).collect()
}

#[test]
fn a_graph_becomes_a_network() {
    let text = "graph g { rankdir=LR; node [shape=box terminals=0]; hub;\n\
                node [terminals=2]; a; b\n  hub -- { a b:x } [color=red]; a:n -- b }";
    let net = read(text).unwrap();
    assert_eq!((net.nodes.len(), net.terminals.len()), (3, 4));
    assert_eq!(ends(&net), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
    let text = "strict digraph { a -> b -> c -> a; a -> b; a:east -> c [headport=west] }";
    let net = read(text).unwrap();
    assert_eq!(ends(&net), [(0, 1), (0, 2), (1, 2), (2, 0)]);
    assert_eq!((&*net.channels[1].from.port, &*net.channels[1].to.port), ("east", "west"));
    let again = read(&write(&net).unwrap()).unwrap();
    assert_eq!(again, net);
}

/// An attribute of the graph named no node, and one that is named like a node leaves it alone.
#[test]
fn attributes_of_the_graph_are_no_nodes() {
    assert_eq!(terminals("graph { a; a=3; rankdir=LR; b; a -- b }"), "a b");
}

/// Commas stand between nodes of a list: as in Graphviz, each of them has the edges.
#[test]
fn lists_of_nodes() {
    assert_eq!(links("digraph { a, b -> c, d }"), "a.p0 c.p0; a.p1 d.p0; b.p0 c.p1; b.p1 d.p1");
    assert_eq!(links("digraph { a:x, b:y -> c }"), "a.x c.p0; b.y c.p1");
}

/// Edges of one key are one, as in Graphviz 2.43 for the same text (gvpr, `tailport` and `headport`
/// of each edge).
#[test]
fn edges_of_one_key_are_one() {
    for (text, expected) in [
        // The later ports are those of the edge, and turn with it.
        ("graph { a:p -- b [key=k]; b:x -- a:y [key=k] }", "a.y b.x"),
        ("digraph { a -> b [key=k]; a:x -> b [key=k, headport=y] }", "a.x b.y"),
        // Another key, no key, and the other way are other edges.
        ("digraph { a:x -> b:x [key=k]; a -> b [key=l]; a -> b }", "a.x b.x; a.p0 b.p0; a.p1 b.p1"),
        ("digraph { a:x -> b:x [key=k]; b -> a [key=k] }", "a.x b.x; b.p0 a.p0"),
        // No key holds by default.
        ("digraph { edge [key=k]; a:x -> b:x; a -> b }", "a.x b.x; a.p0 b.p0"),
        ("strict graph { a -- b; b:x -- a:y }", "a.y b.x"),
        ("strict graph { a -- b [key=k]; b:x -- a:y }", "a.y b.x"),
        // An attribute goes before what stands at the node, and that before a default.
        ("digraph { edge [tailport=z]; a:x -> b:v [tailport=y] }", "a.y b.v"),
        ("digraph { edge [tailport=z, headport=q]; a:x -> b }", "a.x b.q"),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
    let error = read("strict graph { a -- b\na -- b [key=k] }").unwrap_err().to_string();
    assert!(error.starts_with("line 2: there is an edge between a and b already"), "{error}");
}

/// Registers of an edge: what it says last, else the default of its graph.
#[test]
fn delays_of_edges() {
    let text = "digraph { edge [delay=2]; a -> b; b -> c [delay=1]; edge [delay=0]; c -> a }";
    let delays = |text: &str| -> Vec<u32> {
        read(text).unwrap().channels.iter().map(|channel| channel.delay).collect()
    };
    assert_eq!(delays(text), [2, 1, 0]);
    assert_eq!(delays("graph { a -- b [key=k, delay=3]; b -- a [key=k, delay=5] }"), [5, 5]);
    let error = read("graph { a -- b\na -- c [delay=1.5] }").unwrap_err().to_string();
    assert_eq!(error, "line 2: delay '1.5' is no number of registers on a link; use 0 to 64");
}

/// Nodes and defaults of a subgraph are there when it is opened again, also twice in one statement,
/// and only in the graph that it is in, as in Graphviz 2.43.
#[test]
fn a_subgraph_is_opened_again() {
    for (text, expected) in [
        (
            "digraph { subgraph s { a }; subgraph s { b }; subgraph s {} -> c }",
            "a.p0 c.p0; b.p0 c.p1",
        ),
        (
            "digraph { subgraph s { a } subgraph t { subgraph s { b } } subgraph s {} -> c }",
            "a.p0 c.p0",
        ),
        ("digraph { subgraph s { subgraph t { a } } subgraph s {} -> c }", "a.p0 c.p0"),
        (
            "digraph { subgraph s { a } -> c -> subgraph s { b } }",
            "a.p0 c.p0; c.p0 a.p0; c.p1 b.p0; b.p0 c.p1",
        ),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
    let text = "graph { subgraph s { node [terminals=2]; a } node [terminals=0]; subgraph s { b } \
                subgraph t { c } node [terminals=1] subgraph t { d } a -- b -- c -- d }";
    assert_eq!(terminals(text), "a a b b d");
}

/// Compass points are ports where the graph's `ports` name them.
#[test]
fn ports_that_are_named_like_compass_points() {
    assert_eq!(links("digraph { a:n -> b:s }"), "a.p0 b.p0");
    assert_eq!(links("digraph { a:n -> b:s; ports=\"s, n\" }"), "a.n b.s");
    assert_eq!(links("digraph { graph [ports=n]; a:n -> b:s }"), "a.n b.p0");
    assert_eq!(links("digraph { a:x:n -> b:e:w; b -> a [tailport=\"q:n\"] }"), "a.x b.e; b.q a.p0");
    assert_eq!(links("digraph { subgraph { ports=n } a:n -> b:\"\" }"), "a.p0 b.p0");
    let net = "turnpike-topology 1\nname node\nports n e s w c ne _x se\nnode a b c\nterminal a a\n\
               terminal b b\nterminal c c\nlink a.n b.s\nlink a.e b.w\nlink b.ne c.se\n\
               channel c.c a.c\nchannel c.s a.w\n";
    let net = crate::description::read("node.topology", net.as_bytes()).unwrap();
    let again =
        super::read(&write(&net).unwrap(), Wanted { name: "node", two_way: false }).unwrap();
    assert_eq!((again.ports, again.channels), (net.ports, net.channels));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (text, message) in [
        ("graph {\n a -> b }", "line 2: '->' stands in a graph whose edges are '--'"),
        ("graph {\n a -- a }", "line 2: a is linked with itself"),
        ("graph { a -- }", "line 1: '}' stands where a node is expected"),
        ("graph { a -- b", "line 1: the end stands where '}' is expected"),
        ("tree {}", "line 1: 'tree' stands where 'graph' or 'digraph' is expected"),
        ("graph { a [terminals=x]; a -- b }", "line 1: terminals 'x' is no number"),
        ("graph { a } graph {}", "line 1: 'graph' stands behind the graph; a file holds one"),
        ("digraph { a:x -> b\n a:x -> c }", "line 2: output port 'x' of a is in use already"),
        ("", "the file is empty"),
        ("graph {}", "there is no node; give one, such as 'a'"),
        ("graph { node [terminals=0] a -- b }", "no terminal sends; give one, such as 'a [termin"),
        ("graph { a --\nNode }", "line 2: 'Node' stands where a node is expected; it is a keyword"),
        ("graph { node; a }", "line 1: ';' stands where '[' is expected"),
        ("graph { a -- b [x] }", "line 1: ']' stands where '=' is expected"),
        ("graph { a -- b;; c }", "line 1: ';' stands where a statement is expected"),
        ("graph { a, -- b }", "line 1: '--' stands where a node is expected"),
        ("graph { <a> -- b }", "line 1: <a> is HTML, and no name of a node; use quotes"),
        ("graph { a -- b:<x> }", "line 1: <x> is HTML, where a port is expected; use quotes"),
        ("graph {\n{a b}\n[terminals=0] }", "line 3: 'terminals' behind a subgraph is for none"),
        ("graph { a:x:y -- b }", "line 1: 'y' behind the port 'x' is no compass point"),
        ("graph { a -- b; ports=\"a a\" }", "line 1: there is a port 'a' already"),
        ("graph { 0a -- 0b }", "line 1: '0a' falls into pieces, of which DOT makes several"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    let deep = format!("graph {{ {} a {} }}", "{".repeat(5000), "}".repeat(5000));
    assert!(read(&deep).unwrap_err().to_string().contains("nested"));
}

/// The limit of channels at a node is met while edges are made: a line can say millions of them.
#[test]
fn too_many_edges_are_refused_as_they_are_made() {
    let group = |letter: char| (0..5000).map(|n| format!("{letter}{n} ")).collect::<String>();
    for graph in ["graph", "strict graph"] {
        let text = format!("{graph} {{ {{{}}}\n--\n{{{}}} }}", group('a'), group('b'));
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with("line 1: a0 has more than 64 channels"), "{error}");
    }
    // Named again and again they are no more, and end all the same.
    let group = |letter: char| (0..64).map(|n| format!("{letter}{n} ")).collect::<String>();
    let again = "subgraph a {} -- subgraph b {} [key=k]\n".repeat(1100);
    let text =
        format!("graph {{ subgraph a {{{}}} subgraph b {{{}}} {again} }}", group('a'), group('b'));
    let error = read(&text).unwrap_err().to_string();
    assert!(error.ends_with("there are too many edges"), "{error}");
}
