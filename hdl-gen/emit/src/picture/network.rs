//! The network: its nodes, channels and terminals.

use super::canvas::{Anchor, Canvas, LABEL, PLAIN, SMALL, width_of};
use super::cycle::DrawnCycle;
use super::geometry::{Area, Curve, Point};
use super::layout;
use super::loads::Loads;
use std::collections::{BTreeMap, HashMap};
use turnpike_network::topology::{Node, Port, Terminal, Topology, sinks_at, sources_at};

/// Pixels of a node's box and of the box of a terminal below it.
const NODE_HEIGHT: f64 = 22.0;
const LEAST_WIDTH: f64 = 26.0;
const TERMINAL_HEIGHT: f64 = 14.0;
const TERMINAL_GAP: f64 = 2.0;
/// Terminals side by side.
const TERMINALS_IN_A_ROW: usize = 8;
/// Pixels between links of the same two nodes, and between the ways past a node that are tried.
const BESIDE: f64 = 14.0;
const DETOUR: f64 = 22.0;
const DETOURS: u32 = 6;
/// From the middle of a line to each of the two that show what the two ways carry, where they differ.
const APART: f64 = 2.5;
/// Free room around a node.
const CLEAR: f64 = 3.0;

/// A channel: the node and the output port that it leaves by.
pub type Channel = (Node, Port);

/// Channels that are drawn as one line: one each way between two nodes, or one alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Nodes at which the line begins and ends. A channel alone leads from the first to the second.
    ends: (Node, Node),
    there: Channel,
    back: Option<Channel>,
}

/// Channels from one node to another, each with the input port where it ends.
type Channels = Vec<(Channel, Port)>;

/// The links of a network, those of the same two nodes together.
fn links(topology: &dyn Topology) -> Vec<Vec<Link>> {
    let mut between: BTreeMap<(Node, Node), [Channels; 2]> = BTreeMap::new();
    for from in topology.all_nodes() {
        for output in (0..topology.ports()).map(Port) {
            let Some((to, input)) = topology.channel(from, output) else { continue };
            let both = between.entry((from.min(to), from.max(to))).or_default();
            both[usize::from(to < from)].push(((from, output), input));
        }
    }
    between.into_iter().map(|(ends, [there, back])| paired(ends, there, back)).collect()
}

/// The links of two nodes.
fn paired((a, b): (Node, Node), there: Channels, mut back: Channels) -> Vec<Link> {
    let mut backs = vec![None; there.len()];
    // Two channels whose ends are at the same ports belong together first.
    for exact in [true, false] {
        for (own, &((_, output), input)) in backs.iter_mut().zip(&there) {
            let goes_with =
                |&(channel, end): &(Channel, Port)| !exact || (channel.1, end) == (input, output);
            if own.is_none()
                && let Some(at) = back.iter().position(goes_with)
            {
                *own = Some(back.remove(at).0);
            }
        }
    }
    let first = there.into_iter().zip(backs);
    let first = first.map(|((there, _), back)| Link { ends: (a, b), there, back });
    let alone = back.into_iter().map(|(there, _)| Link { ends: (b, a), there, back: None });
    first.chain(alone).collect()
}

/// The terminals of a node: whether each sends there, and whether it takes packets.
type Terminals = BTreeMap<Terminal, (bool, bool)>;

fn terminals(topology: &dyn Topology, node: Node) -> Terminals {
    let mut at = Terminals::new();
    sources_at(topology, node).for_each(|terminal| at.entry(terminal).or_default().0 = true);
    sinks_at(topology, node).for_each(|terminal| at.entry(terminal).or_default().1 = true);
    at
}

/// A network, laid out.
pub struct Drawing<'a> {
    topology: &'a dyn Topology,
    failed: Vec<Node>,
    places: Vec<Point>,
    /// The box of each node's label.
    boxes: Vec<Area>,
    /// The box of each node with its terminals.
    rooms: Vec<Area>,
    /// By node; empty where each has one of its own.
    terminals: Vec<Terminals>,
    links: Vec<(Link, Curve)>,
}

impl<'a> Drawing<'a> {
    /// Lays a network out.
    pub fn of(topology: &'a dyn Topology) -> Self {
        let failed = topology.failed_nodes();
        let mut all: Vec<_> = topology.all_nodes().map(|n| terminals(topology, n)).collect();
        let own = |(at, node): (&Terminals, u32)| {
            let one = at.values().copied().eq([(true, true)]);
            one || failed.contains(&Node(node))
        };
        if all.iter().zip(0..).all(own) {
            all.clear();
        }
        let origin = Point::default();
        let nodes = || topology.all_nodes();
        let width = |n| (width_of(&topology.label(n), LABEL) + 10.0).max(LEAST_WIDTH);
        let boxes: Vec<Area> =
            nodes().map(|n| Area::around(origin, width(n), NODE_HEIGHT)).collect();
        let rooms = nodes().zip(&boxes).map(|(node, &own)| {
            let terminals = all.get(node.0 as usize);
            let below = terminals.into_iter().flat_map(|at| terminal_boxes(topology, at));
            below.map(|(_, area)| area).fold(own, Area::with)
        });
        let rooms: Vec<Area> = rooms.collect();
        let places = layout::places(topology, &rooms);
        let moved = |areas: Vec<Area>| -> Vec<Area> {
            areas.into_iter().zip(&places).map(|(area, &place)| area.moved(place)).collect()
        };
        let (boxes, rooms) = (moved(boxes), moved(rooms));
        let mut this =
            Self { topology, failed, places, boxes, rooms, terminals: all, links: Vec::new() };
        for bundle in links(topology) {
            let count = bundle.len();
            for (index, link) in bundle.into_iter().enumerate() {
                let beside = (index as f64 - (count - 1) as f64 / 2.0) * BESIDE;
                // Of two links that lead the other way round, one is on the other's right.
                let beside = if link.ends.0 < link.ends.1 { beside } else { -beside };
                let curve = this.curve(&link, beside);
                this.links.push((link, curve));
            }
        }
        this
    }

    /// The line of a link: straight, or else past the nodes that stand in its way.
    fn curve(&self, link: &Link, beside: f64) -> Curve {
        let [from, to] = [link.ends.0, link.ends.1].map(|node| node.0 as usize);
        let detours = (1..=DETOURS).map(|n| f64::from(n) * DETOUR);
        let detours = std::iter::once(0.0).chain(detours.flat_map(|by| [by, -by]));
        let curves = detours.map(|by| Curve::bent(self.places[from], self.places[to], beside + by));
        let others = || {
            let there = |&(index, _): &(usize, &Area)| index != from && index != to;
            self.rooms.iter().enumerate().filter(there).map(|(_, room)| room.grown(CLEAR))
        };
        let mut best: Option<(usize, Curve)> = None;
        for curve in curves {
            let crossings = curve.crossings(others());
            if best.is_none_or(|(least, _)| crossings < least) {
                best = Some((crossings, curve));
            }
            if crossings == 0 {
                break;
            }
        }
        let (_, curve) = best.expect("a straight line is one way");
        curve.between(&self.shapes(from), &self.shapes(to))
    }

    /// The boxes of a node and of its terminals, with a little air.
    fn shapes(&self, node: usize) -> Vec<Area> {
        let at = self.terminals.get(node);
        let below = at.into_iter().flat_map(|at| terminal_boxes(self.topology, at));
        let below = below.map(|(_, area)| area.moved(self.places[node]));
        // Those side by side are one to look at.
        let below = below.reduce(Area::with);
        std::iter::once(self.boxes[node]).chain(below).map(|area| area.grown(1.0)).collect()
    }

    /// A channel in words: `000 -dim2-> 100`.
    fn channel(&self, (from, output): Channel) -> String {
        let topology = self.topology;
        let (to, _) = topology.channel(from, output).expect("a channel of the network");
        let [from, to] = [from, to].map(|node| topology.label(node));
        format!("{from} -{}-> {to}", topology.port_name(output))
    }

    /// Draws it, with the channels of a cycle, and says below what is seen.
    pub fn draw(&self, canvas: &mut Canvas, cycle: Option<&DrawnCycle>) {
        for (link, curve) in &self.links {
            let title = self.channel(link.there);
            match link.back {
                None => canvas.curve(*curve, "channel", Some("arrow"), title),
                Some(back) => {
                    let title = format!("{title}; {}", self.channel(back));
                    canvas.curve(*curve, "link", None, title);
                }
            }
        }
        self.draw_cycle(canvas, cycle);
        for node in self.topology.all_nodes() {
            let label = self.topology.label(node);
            let title =
                if self.failed.contains(&node) { format!("{label}: failed") } else { label };
            self.draw_node(canvas, node, title);
        }
        self.draw_terminals(canvas);
        self.draw_legend(canvas, self.legend(cycle));
    }

    /// Draws it for a page: lines that show what channels carry, and what scripts ask of a shape: its
    /// node, or its channels.
    pub fn draw_loads(&self, canvas: &mut Canvas, cycle: Option<&DrawnCycle>, loads: &Loads) {
        let says = |channel| format!("{}, load {}", self.channel(channel), loads.words(channel));
        let name = |(node, port): Channel| format!("{}:{}", node.0, port.0);
        for (link, curve) in &self.links {
            let there = link.there;
            let level = |channel| format!("link load{}", loads.level(channel));
            match link.back {
                Some(back) if loads.level(there) == loads.level(back) => {
                    let title = format!("{}; {}", says(there), says(back));
                    canvas.curve(*curve, &level(there), None, title);
                    canvas.mark("data-channel", name(there));
                    canvas.mark("data-back", name(back));
                }
                back => {
                    // Each way on its own side.
                    let aside = if back.is_some() { APART } else { 0.0 };
                    let arrow = back.is_none().then_some("arrow");
                    canvas.curve(curve.aside(aside), &level(there), arrow, says(there));
                    canvas.mark("data-channel", name(there));
                    if let Some(back) = back {
                        let curve = curve.reversed().aside(aside);
                        canvas.curve(curve, &level(back), None, says(back));
                        canvas.mark("data-channel", name(back));
                    }
                }
            }
        }
        self.draw_cycle(canvas, cycle);
        for node in self.topology.all_nodes() {
            let label = self.topology.label(node);
            let title = match self.failed.contains(&node) {
                true => format!("{label}: failed"),
                false => format!("{label}, load of its channels {}", loads.leaving(node)),
            };
            self.draw_node(canvas, node, title);
            canvas.mark("data-node", node.0.to_string());
        }
        self.draw_terminals(canvas);
        self.draw_legend(canvas, self.legend(cycle));
    }

    fn of_channels(&self) -> HashMap<Channel, Curve> {
        let both = self.links.iter().flat_map(|(link, curve)| {
            let back = link.back.map(|back| (back, curve.reversed()));
            std::iter::once((link.there, *curve)).chain(back)
        });
        both.collect()
    }

    fn draw_cycle(&self, canvas: &mut Canvas, cycle: Option<&DrawnCycle>) {
        let Some(cycle) = cycle else { return };
        let of_channel = self.of_channels();
        for (channel, says) in &cycle.channels {
            // Each way on its own side of the line.
            let curve = of_channel[channel].aside(3.0);
            let title = format!("{}: {says}", self.channel(*channel));
            canvas.curve(curve, "cycle", Some("cycle-arrow"), title);
        }
    }

    fn draw_node(&self, canvas: &mut Canvas, node: Node, title: String) {
        let label = self.topology.label(node);
        let failed = self.failed.contains(&node);
        let class = if failed { "node failed" } else { "node" };
        canvas.labelled_box(self.boxes[node.0 as usize], LABEL, &label, class, title, failed);
    }

    fn draw_terminals(&self, canvas: &mut Canvas) {
        for (at, &place) in self.terminals.iter().zip(&self.places) {
            for (terminal, area) in terminal_boxes(self.topology, at) {
                let label = self.topology.terminal_label(terminal);
                let does = match at[&terminal] {
                    (true, false) => ", which sends",
                    (false, true) => ", which takes packets",
                    _ => "",
                };
                let title = format!("terminal {label}{does}");
                canvas.labelled_box(area.moved(place), SMALL, &label, "terminal", title, false);
            }
        }
    }

    /// Lines of a class each, below all.
    fn draw_legend(&self, canvas: &mut Canvas, lines: Vec<(&str, String)>) {
        let left = canvas.area().least.x;
        let mut y = canvas.area().most.y + 16.0;
        for (class, line) in lines {
            y += 20.0;
            canvas.text(Point::new(left, y), Anchor::Start, PLAIN, class, &line);
        }
    }

    /// Legend of the picture: symbols and their meanings.
    fn legend(&self, cycle: Option<&DrawnCycle>) -> Vec<(&'static str, String)> {
        let two_way = self.links.iter().any(|(link, _)| link.back.is_some());
        let one_way = self.links.iter().any(|(link, _)| link.back.is_none());
        let mut lines = vec![match (two_way, one_way) {
            (true, true) => "A line is a channel each way, an arrow one channel.",
            (true, false) => "A line is a channel each way.",
            (false, _) => "An arrow is a channel.",
        }];
        if !self.terminals.is_empty() {
            lines.push("The small boxes are terminals.");
        }
        if !self.failed.is_empty() {
            lines.push("Nodes that are crossed out have failed.");
        }
        let mut lines = vec![("note", lines.join(" "))];
        let cycle = cycle.into_iter().flat_map(|cycle| &cycle.legend);
        lines.extend(cycle.map(|line| ("warning", line.clone())));
        lines
    }
}

/// The boxes of a node's terminals, below the middle of the node, in rows.
fn terminal_boxes(topology: &dyn Topology, at: &Terminals) -> Vec<(Terminal, Area)> {
    let width = |terminal| (width_of(&topology.terminal_label(terminal), SMALL) + 6.0).max(12.0);
    let all: Vec<(Terminal, f64)> =
        at.keys().map(|&terminal| (terminal, width(terminal))).collect();
    let mut boxes = Vec::new();
    let mut y = (NODE_HEIGHT + TERMINAL_HEIGHT) / 2.0 + TERMINAL_GAP;
    for row in all.chunks(TERMINALS_IN_A_ROW) {
        let gaps = (row.len() - 1) as f64 * TERMINAL_GAP;
        let mut x = -(row.iter().map(|(_, width)| width).sum::<f64>() + gaps) / 2.0;
        for &(terminal, width) in row {
            let middle = Point::new(x + width / 2.0, y);
            boxes.push((terminal, Area::around(middle, width, TERMINAL_HEIGHT)));
            x += width + TERMINAL_GAP;
        }
        y += TERMINAL_HEIGHT + TERMINAL_GAP;
    }
    boxes
}
