//! Proofs of circuits whose words find their way: of each switch, and of the whole fabric, whatever is
//! offered. Both speak of what the words bear, not of how the RTL decodes it.

use super::permutation::MOST_TERMINALS;
use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, Task, files_below, tasks_of};
use askama::Template;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::Module;

const WORDS: &str = "whatever is offered, each word comes whole to the sink that its tdest says and to \
                     no other, or is refused and told of; alone it comes; nothing else comes or is told";

/// Bits of a word in the proof of a switch, which only passes them.
const WIDTH: u32 = 2;

/// Cycles within which everything is seen of a switch, which holds nothing.
const REACH: u32 = 1;

#[derive(Template)]
#[template(path = "formal/circuit/self_switch.v.askama", escape = "none")]
struct SwitchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    width: u32,
    by_both: bool,
}

#[derive(Template)]
#[template(path = "formal/circuit/words.v.askama", escape = "none")]
struct WordsFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    connections: Vec<(String, String)>,
    terminals: u32,
    width: u32,
    /// Bits of a terminal's number.
    address: u32,
    latency: u32,
    age_bits: u32,
}

pub(super) fn self_routing(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    words(context, proofs)?;
    let mut tasks = Vec::new();
    for (part, by_both) in [("switch_by_upper", false), ("switch_by_both", true)] {
        if let Some(module) = context.part_if_built(part) {
            tasks.extend(switch(context, module, by_both, proofs)?);
        }
    }
    proofs.proof("switch", "The switches, which words set.", tasks);
    Ok(())
}

/// The whole fabric: what stands at any one source is followed.
fn words(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let (plan, top) = (context.plan, context.top());
    let (terminals, width, latency) = (plan.terminals(), plan.parameters.width, plan.latency());
    if terminals > MOST_TERMINALS {
        proofs.nothing_to_show.push(Nothing {
            module: plan.name.clone(),
            properties: WORDS,
            why: "it takes long with more than 8 terminals; each switch is proven",
        });
        return Ok(());
    }
    let name = format!("{}_words_formal", plan.name);
    let about = [
        "Whatever is offered in every cycle, any one word comes to the sink that its tdest says and to",
        "no other, or is refused, and then conflict tells of it on its way.",
    ];
    let text = WordsFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &top.name,
        connections: connections(top),
        terminals,
        width,
        address: plan.address_bits(),
        latency,
        age_bits: bits_for(latency.max(2)),
    };
    let mut files = files_below(top)?;
    files.push(proofs.module(&name, text.render()?));
    // A reset, the word, and its way.
    let kinds = [
        (Kind::Proof, WORDS),
        (Kind::Cover(latency + 3), "words from each source, to each sink, and one that is refused"),
    ];
    let tasks = tasks_of(top, &name, "", &files, kinds).collect();
    proofs.proof("words", "Whatever is offered.", tasks);
    Ok(())
}

/// The clock and the reset, where there are registers, and the other ports, each by its own name.
fn connections(top: &Module) -> Vec<(String, String)> {
    let clock = top.clocked.then(|| ("clk".to_owned(), "clk".to_owned()));
    let reset = top.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let ports = ports(top).into_iter().map(|Port { name, wire, .. }| (name, wire));
    clock.into_iter().chain(reset).chain(ports).collect()
}

/// A switch alone.
fn switch(
    context: &Context<'_>,
    module: &Arc<Module>,
    by_both: bool,
    proofs: &mut Proofs,
) -> Result<Vec<Task>, EmitError> {
    let name = format!("{}_formal", module.name);
    let about = match by_both {
        true => [
            "A switch that both of its words set: each goes to the output that it asks for, and where both",
            "ask for one, that of input 1 is refused. Words have 2 bits here, for a switch only passes them.",
        ],
        false => [
            "A switch that its upper word sets: that of input 0 goes to the output that it asks for, that of",
            "input 1 takes the other. Words have 2 bits here, for a switch only passes them.",
        ],
    };
    let heading = context.head(&name, &about);
    let text = SwitchFile { heading, name: &name, dut: &module.name, width: WIDTH, by_both };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let properties = match by_both {
        true => {
            "each word goes where its bit says, or is refused and told of: that of input 1 alone"
        }
        false => {
            "the upper word goes where its bit says, the lower takes what is left; none is lost"
        }
    };
    let kinds = [
        (Kind::Proof, properties),
        (Kind::Cover(REACH), "words from both inputs to both outputs, and both to one"),
    ];
    let suffix = if by_both { "_by_both" } else { "_by_upper" };
    Ok(tasks_of(module, &name, suffix, &files, kinds).collect())
}
