//! Networks whose nodes, ports and terminals have names that identifiers are hard to make of.

use crate::random_network::Draw;
use std::collections::BTreeSet;
use turnpike_network::description::{Builder, Description, LooseEnd};

/// Marks the draws of this file among those of one seed.
const DRAWS: u64 = 301;

/// Pieces of names, beside letters: keywords of Verilog, SystemVerilog and VHDL; what the RTL puts
/// around names; case alone; underscores; digits; what no identifier takes.
const PIECES: &[&str] = &[
    "a",
    "b",
    "c",
    "A",
    "B",
    "x",
    "X",
    "p",
    "n",
    "t0",
    "s",
    "m",
    "0",
    "1",
    "00",
    "9z",
    "_",
    "__",
    "",
    "in",
    "out",
    "in_valid",
    "out_ready",
    "valid",
    "ready",
    "flit",
    "header",
    "vc0",
    "vc1",
    "VC1",
    "fifo",
    "marks",
    "store",
    "tdata",
    "axis",
    "s_axis",
    "m_axis",
    "tvalid",
    "inject",
    "eject",
    "inject0",
    "eject1",
    "select",
    "mux",
    "link",
    "link_grant",
    "grant",
    "goes",
    "request",
    "arbiter",
    "unused",
    "clk",
    "rst",
    "aresetn",
    "width",
    "WIDTH",
    "switch",
    "injector",
    "accepts",
    "error",
    "to",
    "to_x",
    "next",
    "push",
    "possible",
    "followed",
    "moves",
    "leave",
    "inside",
    "entry",
    "source",
    "tag",
    "wanted",
    "any",
    "waits",
    "last_flit",
    "named",
    "reduced",
    "full",
    "choice",
    "wire",
    "reg",
    "module",
    "begin",
    "end",
    "logic",
    "interface",
    "class",
    "bit",
    "signal",
    "entity",
    "process",
    "register",
    "open",
    "buffer",
    "é",
    "größe",
    "-",
    " ",
    ".",
    "\\",
    "//",
    "*/",
    "\"",
    "$",
    "a_very_long_name_that_a_machine_wrote_out_of_a_hierarchy",
    "dim0",
    "ring",
    "stage1",
    "rule_0",
];

/// A name for a port: of what an identifier takes, if there is any.
fn port_name(draw: &mut Draw) -> Option<String> {
    let name = text(draw);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = name.chars().filter(|&c| plain(c)).collect();
    (!name.is_empty()).then_some(name)
}

/// One to three pieces, joined with an underscore or with nothing.
fn text(draw: &mut Draw) -> String {
    let mut text = draw.of(PIECES).to_owned();
    for _ in 0..draw.below(3) {
        text += if draw.below(3) > 0 { "_" } else { "" };
        text += draw.of(PIECES);
    }
    text
}

/// A text that is not among the known ones, and is from now on.
fn another(known: &mut BTreeSet<String>, draw: &mut Draw) -> String {
    loop {
        let text = text(draw);
        if known.insert(text.clone()) {
            return text;
        }
    }
}

/// A connected network of 3 to 8 switches with such names: rings one way with several VCs, or
/// trees both ways, and channels beside them. The same for one seed everywhere.
///
/// # Panics
/// Where the builder refuses what it should take.
pub fn hostile_network(seed: u64) -> Description {
    let mut draw = Draw::new(seed, DRAWS);
    let mut network = Builder::default();
    let switches = 3 + draw.below(6);
    let one_way = !seed.is_multiple_of(2);
    let mut nodes = BTreeSet::new();
    for _ in 0..switches {
        network.node(&another(&mut nodes, &mut draw)).unwrap();
    }
    let mut taken = BTreeSet::new();
    let mut end = |draw: &mut Draw, node: usize| {
        // What the builder refuses as a port is named by it instead.
        let port = port_name(draw).filter(|_| draw.below(5) > 0).filter(|port| {
            Builder::default().port(port).is_ok() && taken.insert((node, port.clone()))
        });
        LooseEnd { node, port }
    };
    let mut links: Vec<(usize, usize)> = (1..switches)
        .map(|switch| (if one_way { switch - 1 } else { draw.below(switch) }, switch))
        .collect();
    if one_way {
        links.push((switches - 1, 0));
    }
    for _ in 0..draw.below(2 * switches) {
        let (from, to) = (draw.below(switches), draw.below(switches));
        links.extend((from != to).then_some((from, to)));
    }
    for (from, to) in links {
        let ends = (end(&mut draw, from), end(&mut draw, to));
        network.link(ends.0, ends.1, !one_way, [draw.below(2) as u32; 2], None).unwrap();
    }
    let mut terminals = BTreeSet::new();
    for switch in 0..switches {
        for number in 0..1 + draw.below(2) {
            let here = Some(switch);
            let (source, sink) = match draw.below(6) {
                0 if switch > 1 => (here, None),
                1 if switch > 1 && number > 0 => (None, here),
                _ => (here, here),
            };
            network.terminal(&another(&mut terminals, &mut draw), source, sink).unwrap();
        }
    }
    network.finish(&text(&mut draw)).unwrap()
}
