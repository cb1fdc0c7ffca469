//! `turnpike analyze --pattern`: what a pattern of messages puts on each channel. Only its routes are
//! walked, not all.

use super::AnalyzeOptions;
use crate::Report;
use crate::messages::{Messages, Pattern};
use crate::network_fields::NetworkFields;
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::ensure;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::expected::Expected;
use turnpike_analysis::pattern_load::{self, MOST_ROUTES, Message, PatternLoad, Use};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::multistage::Multistage;
use turnpike_network::topology::{Node, Port, Topology};

/// Messages that a text lists at most; JSON lists all.
const LISTED: usize = 8;

#[derive(Serialize, JsonSchema)]
struct PatternReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// Load of the pattern.
    pattern: PatternFields,
}

impl Document for PatternReport {}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<PatternReport>(
    "analyze_pattern",
    "the load of a pattern (`analyze --pattern`)",
);

#[derive(Serialize, JsonSchema)]
struct PatternFields {
    /// Name of the pattern, or the file.
    name: String,
    /// Number of messages.
    messages: usize,
    /// Number of words of all messages.
    words: u64,
    /// Channels between switches.
    links: u64,
    /// Number of channels that some message uses.
    links_used: u64,
    /// Most words on one channel; where packets draw, most of the means over all draws.
    max_link_load: Expected,
    /// The first channel with that many; `null` where no message uses any.
    busiest_link: Option<Link>,
    /// The messages that meet there.
    meeting_on_link: Vec<MessageFields>,
    /// Edges of the butterfly as a graph of rows: crosspoints of the switches. `null` for networks that
    /// are not made of rows.
    edges: Option<u64>,
    /// Edges that some message uses; `null` for networks that are not made of rows.
    edges_used: Option<u64>,
    /// Most words on one edge.
    max_edge_load: Option<Expected>,
    /// The first edge with that many.
    busiest_edge: Option<Edge>,
    /// The messages that meet there.
    meeting_on_edge: Option<Vec<MessageFields>>,
    /// Switch by switch on the routes, from the first: in a multistage network stage by stage.
    steps: Vec<StepFields>,
}

/// A channel.
#[derive(Serialize, JsonSchema)]
struct Link {
    /// Label of the switch that the channel leaves.
    from: String,
    /// Output port by which the channel leaves the switch.
    output: String,
}

/// A crosspoint.
#[derive(Serialize, JsonSchema)]
struct Edge {
    /// Label of the switch.
    at: String,
    /// Input port of the crosspoint.
    input: String,
    /// Output port of the crosspoint.
    output: String,
}

/// A message.
#[derive(Serialize, JsonSchema)]
struct MessageFields {
    /// Label of the source.
    source: String,
    /// Label of the destination.
    destination: String,
    /// Number of words.
    words: u32,
}

/// Load at the switches of one step.
#[derive(Serialize, JsonSchema)]
struct StepFields {
    /// The step, from 0.
    step: usize,
    /// Channels that packets leave it by.
    links_used: u64,
    /// Most words on one channel; where packets draw, most of the means over all draws.
    max_link_load: Expected,
    /// Edges that packets take there; `null` for networks that are not made of rows.
    edges_used: Option<u64>,
    /// Most words on one edge.
    max_edge_load: Option<Expected>,
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a relation whose packets choose, a pattern that the network
/// does not have.
pub fn run(options: &AnalyzeOptions, pattern: &Pattern) -> anyhow::Result<Report> {
    let (topology, relation) = options.fabric.network.route_for_each_draw("--pattern")?;
    let messages = pattern.messages(&*topology)?;
    let (count, draws) = (messages.list.len(), relation.draw_count());
    ensure!(
        !relation.is_randomised() || count as u64 * u64::from(draws) <= MOST_ROUTES,
        "{count} messages of {draws} draws each are too many routes to walk all; there may be \
         {MOST_ROUTES}: use a smaller network or fewer messages, or sample them with simulate --machine steps"
    );
    let load = {
        let _progress = Progress::spinner(format!("walking {} routes", messages.list.len()));
        pattern_load::load(&*topology, &relation, &messages.list)?
    };
    let fields = NetworkFields::of(&*topology, &relation);
    let report = PatternReport {
        schema_version: 1,
        network: fields,
        pattern: fields_of(&*topology, &messages, &load),
    };
    options.format.report(&report, true, || text(&report))
}

fn fields_of(topology: &dyn Topology, messages: &Messages, load: &PatternLoad) -> PatternFields {
    let PatternLoad { links, edges, steps } = load;
    let rows = Multistage::of_topology(topology).and_then(|network| network.edges());
    let message = |m: &Message| MessageFields {
        source: topology.terminal_label(m.source),
        destination: topology.terminal_label(m.destination),
        words: m.words,
    };
    fn meeting<P>(of: &Use<P>, message: impl Fn(&Message) -> MessageFields) -> Vec<MessageFields> {
        of.meeting.iter().map(message).collect()
    }
    let link = |&(node, port): &(Node, Port)| Link {
        from: topology.label(node),
        output: topology.port_name(port),
    };
    let edge = |&(node, input, output): &(Node, Input, Output)| Edge {
        at: topology.label(node),
        input: input.name(topology, node),
        output: output.name(topology, node),
    };
    let step = |(step, of): (usize, &pattern_load::StepUse)| StepFields {
        step,
        links_used: of.links_used,
        max_link_load: of.max_link_load,
        edges_used: rows.map(|_| of.edges_used),
        max_edge_load: rows.map(|_| of.max_edge_load),
    };
    PatternFields {
        name: messages.name.clone(),
        messages: messages.list.len(),
        words: messages.list.iter().map(|m| u64::from(m.words)).sum(),
        links: topology.channels(),
        links_used: links.used,
        max_link_load: links.most,
        busiest_link: links.busiest.as_ref().map(link),
        meeting_on_link: meeting(links, message),
        edges: rows,
        edges_used: rows.map(|_| edges.used),
        max_edge_load: rows.map(|_| edges.most),
        busiest_edge: edges.busiest.as_ref().filter(|_| rows.is_some()).map(edge),
        meeting_on_edge: rows.map(|_| meeting(edges, message)),
        steps: steps.iter().enumerate().map(step).collect(),
    }
}

fn text(report: &PatternReport) -> String {
    let PatternReport { network, pattern, .. } = report;
    let PatternFields { name, messages, words, .. } = pattern;
    let mut text = format!("{}: {name}, {messages} messages, {words} words\n\n", network.title());
    let mut table = Table::new(["", "there are", "in use", "most words on one", "the first such"]);
    let place = |parts: Option<String>| parts.unwrap_or_default();
    let link = pattern.busiest_link.as_ref().map(|l| format!("{} {}", l.from, l.output));
    table.push(vec![
        "links".to_owned(),
        pattern.links.to_string(),
        pattern.links_used.to_string(),
        pattern.max_link_load.to_string(),
        place(link),
    ]);
    if let (Some(edges), Some(used), Some(most)) =
        (pattern.edges, pattern.edges_used, pattern.max_edge_load)
    {
        let edge = pattern.busiest_edge.as_ref();
        let edge = edge.map(|e| format!("{}, {} to {}", e.at, e.input, e.output));
        let (edges, used, most) = (edges.to_string(), used.to_string(), most.to_string());
        table.push(vec!["edges".to_owned(), edges, used, most, place(edge)]);
    }
    text += &table.text();
    for (what, meeting) in
        [("link", Some(&pattern.meeting_on_link)), ("edge", pattern.meeting_on_edge.as_ref())]
    {
        let Some(meeting) = meeting.filter(|meeting| !meeting.is_empty()) else { continue };
        let listed = meeting.iter().take(LISTED);
        let pairs: Vec<String> =
            listed.map(|m| format!("{} to {}", m.source, m.destination)).collect();
        let more = match meeting.len() - pairs.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text += &format!("\nOn that {what} meet {}{more}.\n", pairs.join(", "));
    }
    text + "\n" + &steps(pattern)
}

fn steps(pattern: &PatternFields) -> String {
    let rows = pattern.edges.is_some();
    let head = ["step", "links in use", "most words on one"];
    let of_edges = ["edges in use", "most words on one"].into_iter().filter(|_| rows);
    let mut table = Table::new(head.into_iter().chain(of_edges));
    for step in &pattern.steps {
        let mut cells = vec![
            step.step.to_string(),
            step.links_used.to_string(),
            step.max_link_load.to_string(),
        ];
        cells.extend(step.edges_used.map(|used| used.to_string()));
        cells.extend(step.max_edge_load.map(|most| most.to_string()));
        table.push(cells);
    }
    table.text()
}
