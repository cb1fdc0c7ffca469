//! An InfiniBand subnet: what `ibnetdiscover` prints, and the forwarding tables that OpenSM or
//! `dump_lfts` writes (`Unicast lids ... of switch ...`). A port of a channel adapter is a terminal, by
//! its LID a destination.

use super::error::{Fault, File, ReadError};
use super::{Inputs, Reading};
use crate::model::Routed;
use rustc_hash::FxHashMap;
use turnpike_base::numbers::digits;
use turnpike_network::description::{Builder, LooseEnd};

/// End of a cable: a node by its name, and its port.
type End = (String, u32);

/// A port of a channel adapter at a switch.
struct Adapter {
    name: String,
    at: End,
    lid: u32,
    line: usize,
}

/// Subnet as `ibnetdiscover` prints it.
#[derive(Default)]
struct Fabric {
    switches: Vec<(String, usize)>,
    adapters: Vec<Adapter>,
    /// From a port of a switch to a port of another.
    links: Vec<(End, End, usize)>,
    has_masks: bool,
}

fn at(file: File, line: usize, what: String) -> ReadError {
    ReadError { file, line: Some(line), fault: Box::new(Fault::Syntax(what)) }
}

/// A number behind a word, such as `lid 4`.
fn behind(text: &str, word: &str) -> Option<u32> {
    let mut words = text.split_whitespace();
    words.by_ref().find(|own| *own == word)?;
    words.next().and_then(digits)
}

/// A name in quotes, and what stands behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.split_once('"')?.1.split_once('"')
}

/// The port in brackets at the beginning.
fn port(text: &str) -> Option<(u32, &str)> {
    let (port, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((digits(port)?, rest))
}

impl Fabric {
    fn read(text: &str) -> Result<Self, ReadError> {
        let mut fabric = Self::default();
        // The switch or adapter whose ports follow.
        let mut own: Option<(bool, String)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let wrong =
                |what: &str| at(File::Network, number, format!("{what}: '{}'", line.trim()));
            let is_switch = line.starts_with("Switch");
            if is_switch || line.starts_with("Ca") {
                let (name, _) = quoted(line).ok_or_else(|| wrong("no name in quotes"))?;
                if is_switch {
                    fabric.switches.push((name.to_owned(), number));
                }
                own = Some((is_switch, name.to_owned()));
            } else if line.starts_with("Rt") {
                own = None;
            } else if line.starts_with('[') {
                let Some((is_switch, name)) = &own else { continue };
                let (from, rest) = port(line).ok_or_else(|| wrong("no port in brackets"))?;
                let (peer, rest) = quoted(rest).ok_or_else(|| wrong("no name in quotes"))?;
                let (to, rest) = port(rest).ok_or_else(|| wrong("no port of the other end"))?;
                let peer = (peer.to_owned(), to);
                if *is_switch {
                    if peer.0.starts_with("S-") {
                        fabric.links.push(((name.clone(), from), peer, number));
                    }
                } else {
                    let lid = behind(rest, "lid").ok_or_else(|| wrong("no lid"))?;
                    fabric.has_masks |= behind(rest, "lmc").is_some_and(|lmc| lmc > 0);
                    let name = format!("{name}:{from}");
                    fabric.adapters.push(Adapter { name, at: peer, lid, line: number });
                }
            }
        }
        match fabric.switches.is_empty() {
            true => {
                Err(Fault::Empty("the text that ibnetdiscover prints, with a Switch")
                    .of(File::Network))
            }
            false => Ok(fabric),
        }
    }
}

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let text =
        std::str::from_utf8(inputs.network.bytes).map_err(|_| Fault::Binary.of(File::Network))?;
    let routes = inputs.routes.map_or(&[][..], |routes| routes.bytes);
    let tables = std::str::from_utf8(routes).map_err(|_| Fault::Binary.of(File::Routes))?;
    let fabric = Fabric::read(text)?;
    let mut builder = Builder::default();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for (name, line) in &fabric.switches {
        let number =
            builder.node(name).map_err(|fault| at(File::Network, *line, fault.to_string()))?;
        numbers.insert(name, number);
    }
    let find = |name: &str, line: usize| {
        numbers.get(name).copied().ok_or_else(|| {
            at(File::Network, line, format!("switch {name} has no part of its own in the file"))
        })
    };
    // By switch and port, the adapter there.
    let mut adapters: FxHashMap<(usize, u32), u32> = FxHashMap::default();
    let mut lids: FxHashMap<u32, u32> = FxHashMap::default();
    for (terminal, adapter) in (0..).zip(&fabric.adapters) {
        let home = find(&adapter.at.0, adapter.line)?;
        builder
            .terminal(&adapter.name, Some(home), Some(home))
            .map_err(|fault| at(File::Network, adapter.line, fault.to_string()))?;
        adapters.insert((home, adapter.at.1), terminal);
        if let Some(other) = lids.insert(adapter.lid, terminal) {
            let other = &fabric.adapters[other as usize].name;
            let what = format!("lid {} is that of {other} already", adapter.lid);
            return Err(at(File::Network, adapter.line, what));
        }
    }
    for ((from, output), (to, input), line) in &fabric.links {
        let end = |node, port| LooseEnd { node, port: Some(format!("p{port}")) };
        builder
            .link(
                end(find(from, *line)?, output),
                end(find(to, *line)?, input),
                false,
                [0; 2],
                Some(*line),
            )
            .map_err(|fault| at(File::Network, *line, fault.to_string()))?;
    }
    let description = builder.finish("subnet")?;
    let channels: FxHashMap<(usize, &str), u32> = (0..)
        .zip(&description.channels)
        .map(|(at, channel)| ((channel.from.node, &*channel.from.port), at))
        .collect();
    let mut routed = Routed::new(&description, 1)?;
    let mut own = None;
    let mut is_empty = true;
    for (number, line) in (1..).zip(tables.lines()) {
        let line = line.trim();
        if line.starts_with("Unicast lids") {
            own = Some(switch_of(line, &numbers).ok_or_else(|| {
                at(
                    File::Routes,
                    number,
                    format!("the network has no switch of this guid: '{line}'"),
                )
            })?);
            continue;
        }
        let Some(rest) = line.strip_prefix("0x") else { continue };
        let mut words = rest.split_whitespace();
        let lid = words.next().and_then(|word| u32::from_str_radix(word, 16).ok());
        let (Some(lid), Some(out)) = (lid, words.next()) else {
            return Err(at(File::Routes, number, format!("no lid and port: '{line}'")));
        };
        let Some(switch) = own else {
            let what = "a lid before a line 'Unicast lids ... of switch ...'".to_owned();
            return Err(at(File::Routes, number, what));
        };
        // Other lids are those of switches; a word in place of a port says that there is none.
        let (Some(&terminal), Some(out)) = (lids.get(&lid), digits::<u32>(out)) else { continue };
        is_empty = false;
        let home = description.terminals[terminal as usize].sink;
        match (adapters.get(&(switch, out)), channels.get(&(switch, &*format!("p{out}")))) {
            (Some(&other), _) if other == terminal => {}
            (Some(&other), _) => {
                let name = fabric.adapters[other as usize].name.clone();
                routed.elsewhere.insert((switch as u32, terminal), name);
            }
            (None, Some(_)) if home == Some(switch) => {
                let what = format!(
                    "lid {lid} is at port {} here, and goes by port {out}",
                    fabric.adapters[terminal as usize].at.1
                );
                return Err(at(File::Routes, number, what));
            }
            (None, Some(&channel)) => routed.tables.set(switch as u32, terminal, &[channel]),
            (None, None) => {}
        }
    }
    if is_empty {
        return Err(
            Fault::Empty("'Unicast lids ... of switch ...', and lids with ports").of(File::Routes)
        );
    }
    let mut remarks = Vec::new();
    if fabric.has_masks {
        remarks.push("ports with an lmc have several lids: the first alone is audited".to_owned());
    }
    Ok(Reading { description, routed, remarks, traffic: None })
}

/// The switch whose GUID stands in a line.
fn switch_of(line: &str, numbers: &FxHashMap<&str, usize>) -> Option<usize> {
    let mut words = line.split_whitespace();
    words.by_ref().find(|word| *word == "guid")?;
    let guid = words.next()?.trim_start_matches("0x").trim_start_matches('0');
    let own = |name: &&str| {
        name.strip_prefix("S-")
            .is_some_and(|name| name.trim_start_matches('0').eq_ignore_ascii_case(guid))
    };
    numbers.iter().find(|(name, _)| own(name)).map(|(_, &number)| number)
}
