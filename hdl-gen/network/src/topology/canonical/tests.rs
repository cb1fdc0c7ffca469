use super::*;
use turnpike_base::hash::shuffle;

/// The edges of a graph, two ways each.
type Links = Vec<(u32, u32)>;

fn graph(colours: &[u64], links: &Links) -> Graph {
    let mut graph = Graph::new(colours.to_vec(), 2);
    for &(from, to) in links {
        graph.edge(CHANNEL, from, to);
        graph.edge(CHANNEL, to, from);
    }
    graph
}

/// Links between the cells of a square of this side that share a row or a column.
fn rooks(side: u32) -> Links {
    let all = || (0..side * side).flat_map(|one| (0..one).map(move |other| (other, one)));
    all().filter(|&(a, b)| a / side == b / side || a % side == b % side).collect()
}

/// The graph of Shrikhande: as the rook's of side 4, 16 vertices, 6 links each, 2 common neighbours
/// of any two; and another.
fn shrikhande() -> Links {
    let steps = [(0, 1), (1, 0), (1, 1)];
    let of = |v: u32| steps.map(|(x, y)| (v, (v / 4 + x) % 4 * 4 + (v % 4 + y) % 4));
    (0..16).flat_map(of).collect()
}

fn circulant(vertices: u32, steps: &[u32]) -> Links {
    let of = |v| steps.iter().map(move |step| (v, (v + step) % vertices));
    (0..vertices).flat_map(of).collect()
}

/// Two graphs side by side.
fn beside(one: &Links, other: &Links, from: u32) -> Links {
    let moved = other.iter().map(|&(a, b)| (a + from, b + from));
    one.iter().copied().chain(moved).collect()
}

/// A graph in which each vertex has three links, drawn from a seed.
fn cubic(vertices: u32, seed: u64) -> Links {
    let mut state = seed;
    loop {
        let mut ends: Vec<u32> = (0..3 * vertices).map(|end| end / 3).collect();
        shuffle(&mut ends, &mut state);
        let links: Links = ends.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        if links.iter().all(|(a, b)| a != b) {
            return links;
        }
    }
}

fn cases() -> Vec<(&'static str, u32, Links)> {
    let cube = |bits: u32| -> Links {
        let of = move |v: u32| (0..bits).map(move |bit| (v, v ^ 1 << bit));
        (0..1 << bits).flat_map(of).filter(|(a, b)| a < b).collect()
    };
    let stars: Links = (0..40).map(|leaf| (leaf % 4, 4 + leaf)).collect();
    let petersen = beside(&circulant(5, &[1]), &circulant(5, &[2]), 5);
    let spokes: Links = (0..5).map(|v| (v, v + 5)).collect();
    vec![
        ("no links", 30, Vec::new()),
        ("path", 9, (0..8).map(|v| (v, v + 1)).collect()),
        ("ring", 12, circulant(12, &[1])),
        ("circulant", 13, circulant(13, &[1, 3, 4])),
        ("links twice", 4, vec![(0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (3, 0)]),
        ("cube", 64, cube(6)),
        ("complete", 24, circulant(24, &(1..12).collect::<Vec<_>>())),
        ("rook", 16, rooks(4)),
        ("large rook", 64, rooks(8)),
        ("Shrikhande", 16, shrikhande()),
        ("both", 32, beside(&rooks(4), &shrikhande(), 16)),
        ("stars", 44, stars),
        ("Petersen", 10, petersen.into_iter().chain(spokes).collect()),
        ("cubic", 60, cubic(60, 1)),
        ("cubic twice", 60, beside(&cubic(30, 2), &cubic(30, 2), 30)),
    ]
}

fn form_of(graph: &Graph) -> Vec<u32> {
    let (places, exact) = order(graph, MOST_WORK);
    assert!(exact);
    let mut order = vec![0; places.len()];
    for (vertex, &place) in (0..).zip(&places) {
        order[place as usize] = vertex;
    }
    graph.form(&order, &places)
}

/// Renamed in any way a graph keeps its form, and graphs that are not isomorphic have others.
#[test]
fn forms_are_those_of_the_graph_alone() {
    let mut state = 11;
    let mut forms = Vec::new();
    for (name, vertices, links) in cases() {
        for colours in [vec![0; vertices as usize], (0..vertices.into()).map(|v| v % 3).collect()] {
            let form = form_of(&graph(&colours, &links));
            for _ in 0..6 {
                let mut to: Vec<u32> = (0..vertices).collect();
                shuffle(&mut to, &mut state);
                let at = |v: u32| to[v as usize];
                let mut renamed: Links = links.iter().map(|&(a, b)| (at(a), at(b))).collect();
                shuffle(&mut renamed, &mut state);
                let mut recoloured = vec![0; vertices as usize];
                (0..vertices).for_each(|v| recoloured[at(v) as usize] = colours[v as usize]);
                assert_eq!(form_of(&graph(&recoloured, &renamed)), form, "{name}");
            }
            if colours[vertices as usize - 1] == 0 {
                forms.push((name, form));
            }
        }
    }
    for (at, (name, form)) in forms.iter().enumerate() {
        let same = forms[..at].iter().find(|(other, before)| other != name && before == form);
        assert!(same.is_none(), "{name} as {same:?}");
    }
}

/// A search that is given up says so.
#[test]
fn too_long_a_search_is_said() {
    let links = beside(&rooks(4), &shrikhande(), 16);
    assert!(!order(&graph(&[0; 32], &links), 0).1);
}
