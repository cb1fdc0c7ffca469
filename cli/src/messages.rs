//! Messages of terminals: by the name of a pattern, or from a file.

use crate::flows_file;
use crate::input;
use anyhow::{Context, anyhow, bail};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::patterns::{self, PERMUTATIONS, Permutation, Places};
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers::digits;
use turnpike_network::flows::{Flow, MOST_WORDS, fields_of, message};
use turnpike_network::topology::{Terminal, Topology};
use turnpike_schedule::frame;
use turnpike_sim_network::traffic::pattern::permutation;

/// Text before the seed of a drawn permutation.
const DRAWN: &str = "permutation:";
/// Suggestion for a misspelt drawn permutation.
const DRAWN_EXAMPLE: &str = "permutation:1";

/// A pattern, as an option says it.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A permutation that has a name.
    Named(&'static Permutation),
    /// A permutation drawn from a seed.
    Drawn(u64),
    File(PathBuf),
}

/// The messages of a pattern.
pub struct Messages {
    /// Name of the pattern in reports.
    pub name: String,
    /// The messages, in the order of their sources or of the file.
    pub list: Vec<Message>,
    /// Indices in the list at which slots begin, where the file says them; none where they are left
    /// open.
    pub slots: Vec<usize>,
}

impl Messages {
    /// Words of some flows of a file. Where they have bandwidths, those of a frame of `slots`, or of the
    /// shortest in which each has its own and none of the `links`, a list of flows each, more words than
    /// slots.
    ///
    /// # Errors
    /// A link for which no frame is long enough.
    pub fn of_flows(
        path: &Path,
        flows: &[Flow],
        slots: Option<u32>,
        links: &[Vec<usize>],
    ) -> Result<Self, usize> {
        let bandwidths: Option<Vec<u64>> =
            flows.iter().map(|flow| flow.bandwidth.map(|bandwidth| bandwidth.0)).collect();
        let words: Vec<u32> = match bandwidths {
            None => flows.iter().map(|flow| flow.words).collect(),
            Some(bandwidths) => {
                let slots = slots.map_or_else(|| frame::shortest(&bandwidths, links), Ok)?;
                bandwidths.iter().map(|&bandwidth| frame::words(bandwidth, slots)).collect()
            }
        };
        let message = |(&Flow { source, destination, .. }, words): (&Flow, u32)| Message {
            source,
            destination,
            words,
        };
        let list = flows.iter().zip(words).map(message).collect();
        Ok(Self { name: path.display().to_string(), list, slots: Vec::new() })
    }

    /// Words of the flows of a file on a network of circuits, whose terminals alone share links.
    ///
    /// # Errors
    /// As [`flows_file::on_circuits`]; bandwidths for which no frame is long enough.
    pub fn on_circuits(path: &Path, topology: &dyn Topology) -> anyhow::Result<Self> {
        let flows = flows_file::on_circuits(path, topology)?;
        let ends = flows.list().iter().map(|flow| [(flow.source, 0), (flow.destination, 1)]);
        let mut links: BTreeMap<(Terminal, u8), Vec<usize>> = BTreeMap::new();
        for (flow, end) in ends.enumerate().flat_map(|(at, ends)| ends.map(|end| (at, end))) {
            links.entry(end).or_default().push(flow);
        }
        let (ends, links): (Vec<_>, Vec<_>) = links.into_iter().unzip();
        Self::of_flows(path, flows.list(), None, &links).map_err(|link| {
            let (terminal, direction) = ends[link];
            let way = if direction == 0 { "from" } else { "to" };
            no_frame(path, &format!("{way} {}", topology.terminal_label(terminal)))
        })
    }
}

/// Error for bandwidths on a link for which no frame is long enough.
pub fn no_frame(path: &Path, link: &str) -> anyhow::Error {
    let most = frame::MOST_SLOTS;
    let why = format!(
        "no frame of up to {most} slots gives each flow {link} its bandwidth; use less of the link, or \
         multiples of 1/n for some n up to {most}"
    );
    input::fault(path, None, why)
}

/// Help of an option that takes a pattern.
pub fn help(what: &str) -> String {
    let names: Vec<&str> = PERMUTATIONS.iter().map(|pattern| pattern.name).collect();
    let names = names.join(", ");
    format!("{what}: {names}, {DRAWN}SEED, or a file with SOURCE SINK [WORDS] on each line")
}

impl FromStr for Pattern {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if let Some(permutation) = patterns::find(text) {
            return Ok(Self::Named(permutation));
        }
        if let Some(seed) = text.strip_prefix(DRAWN) {
            let seed = digits(seed);
            let wrong =
                || anyhow!("a seed is a whole number up to {}, as in {DRAWN_EXAMPLE}", u64::MAX);
            return Ok(Self::Drawn(seed.with_context(wrong)?));
        }
        if text == DRAWN.trim_end_matches(':') {
            bail!("a drawn permutation takes a seed, as in {DRAWN_EXAMPLE}");
        }
        if text.contains(['/', '.']) || Path::new(text).is_file() {
            return Ok(Self::File(text.into()));
        }
        let names = || PERMUTATIONS.iter().map(|pattern| pattern.name);
        let known: Vec<&str> = names().collect();
        let nearest = Nearest::of(text, names().chain([DRAWN_EXAMPLE]));
        bail!("no such pattern{nearest} (there are: {}, {DRAWN}SEED, or a file)", known.join(", "))
    }
}

impl Pattern {
    /// Messages of the pattern on a network: of a permutation one word from each terminal that
    /// sends.
    ///
    /// # Errors
    /// Terminals that have no such permutation; a file that cannot be read, or a line of it that is
    /// no message.
    pub fn messages(&self, topology: &dyn Topology) -> anyhow::Result<Messages> {
        if topology.flows().is_some() && !matches!(self, Self::File(_)) {
            bail!(
                "a network for flows has no patterns but files; give a file with messages of the flows"
            );
        }
        let sources: Vec<Terminal> = topology.sources().collect();
        let sinks: Vec<Terminal> = topology.sinks().collect();
        let count = sources.len() as u32;
        let (name, to): (String, Vec<u32>) = match self {
            Self::File(path) => return from_file(path, topology),
            _ if sources.len() != sinks.len() => bail!(
                "a permutation needs as many terminals that send as that take packets; there are {count} \
                 and {}",
                sinks.len()
            ),
            Self::Named(permutation) => {
                let places = Places::of(topology, count);
                (permutation.name.to_owned(), permutation.of(&places)?)
            }
            Self::Drawn(seed) => (format!("{DRAWN}{seed}"), permutation(count, *seed)),
        };
        let message = |(&source, to): (&Terminal, u32)| Message {
            source,
            destination: sinks[to as usize],
            words: 1,
        };
        Ok(Messages {
            name,
            list: sources.iter().zip(to).map(message).collect(),
            slots: Vec::new(),
        })
    }
}

/// On each line the labels of a source and a sink, and how many words, 1 where it is not said; `#`
/// begins a comment. A line `slot` begins a slot of its own, `slot PATTERN` one with the messages of
/// a pattern.
fn from_file(path: &Path, topology: &dyn Topology) -> anyhow::Result<Messages> {
    let bytes = input::bytes(path, "pattern", input::MOST_PATTERN)?;
    let text = String::from_utf8(bytes).map_err(|e| input::fault(path, None, e))?;
    let (mut list, mut all, mut slots) = (Vec::new(), 0, Vec::new());
    for (line, content) in (1..).zip(text.lines()) {
        let refused = |reason: &dyn Display| input::fault(path, Some(line), reason);
        let fields = fields_of(content);
        if let ["slot", ref pattern @ ..] = fields[..] {
            if slots.is_empty() && !list.is_empty() {
                return Err(refused(&"messages before the first slot; begin with a line 'slot'"));
            }
            slots.push(list.len());
            match pattern {
                [] => {}
                [pattern] => {
                    let pattern: Pattern =
                        pattern.parse().map_err(|e: anyhow::Error| refused(&e))?;
                    if matches!(pattern, Pattern::File(_)) {
                        return Err(refused(&"a slot takes the name of a pattern, and no file"));
                    }
                    let more = pattern.messages(topology).map_err(|e| refused(&e))?.list;
                    all += more.len() as u64;
                    list.extend(more);
                }
                more => {
                    let reason =
                        format!("{} fields after 'slot'; give a pattern or none", more.len());
                    return Err(refused(&reason));
                }
            }
            continue;
        }
        if fields.is_empty() {
            continue;
        }
        let (source, sink, words) = message(&fields).map_err(|e| refused(&e))?;
        let source = topology.sender(source).map_err(|e| refused(&e))?;
        let destination = topology.receiver(sink).map_err(|e| refused(&e))?;
        if !topology.sends_to(source, destination) {
            return Err(refused(&"there is no flow from the one to the other"));
        }
        all += u64::from(words);
        if all > MOST_WORDS.into() {
            return Err(refused(&format!("more than {MOST_WORDS} words up to here")));
        }
        list.push(Message { source, destination, words });
    }
    if list.is_empty() {
        return Err(input::fault(path, None, "no messages; give SOURCE SINK [WORDS] on a line"));
    }
    Ok(Messages { name: path.display().to_string(), list, slots })
}
