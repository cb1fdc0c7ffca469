//! Proof of a slotted fabric: whatever is offered in whichever cycle, a word is taken in a slot of its flow
//! alone, comes whole to the sink of its flow when its flow says, and nothing else comes.

use crate::EmitError;
use crate::formal::{Context, Kind, Nothing, Proofs, files_below, tasks_of};
use crate::part::ModuleGroup;
use askama::Template;
use turnpike_fabric::plan::{FlitField, PortBits, Side};
use turnpike_netlist::NetKind;
use turnpike_network::topology::Terminal;
use turnpike_slotted::ports::{ID, SLOT_DEST, SLOT_VALID, SlottedPorts};
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// Bits of all words that may be on their way, and slots, up to which the fabric is proven: beyond, the proof
/// takes many minutes.
const MOST_BITS: u64 = 1 << 12;
const MOST_SLOTS: u32 = 64;

/// A port of the fabric.
struct Port {
    name: String,
    width: u32,
    is_input: bool,
}

/// A flow, with the wires of its ends.
struct Flow {
    /// Source and destination, in words.
    title: String,
    /// Slots, each as a comparison.
    slots: String,
    /// Address of the destination.
    dest: u64,
    cycles: u32,
}

/// A source with flows.
struct Source {
    label: String,
    /// Places of its flows.
    flows: Vec<usize>,
    valid: String,
    ready: String,
    dest: String,
    error: String,
    slot_valid: String,
    slot_dest: String,
    /// Fields of its word, the highest first.
    word: String,
}

/// A sink that some flow comes to.
struct Sink {
    label: String,
    /// Flows to it, each with the address of its source.
    flows: Vec<(usize, u64)>,
    valid: String,
    id: String,
    word: String,
}

#[derive(Template)]
#[template(path = "formal/slotted/words.v.askama", escape = "none")]
struct WordsFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    reset: (&'static str, String),
    ports: Vec<Port>,
    /// Slots of a frame, and bits of a slot's number: none where there is one slot.
    slots: u32,
    slot_bits: u32,
    address: u32,
    /// Bits of a word.
    width: u32,
    flows: Vec<Flow>,
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    /// Signals of terminals without flows that are never high.
    never: Vec<String>,
}

/// Bits of a port, in Verilog.
fn slice(bits: &PortBits, whole: u32) -> String {
    match bits.width {
        all if all == whole => bits.port.clone(),
        1 => format!("{}[{}]", bits.port, bits.low),
        width => format!("{}[{} +: {width}]", bits.port, bits.low),
    }
}

/// Wires of the terminals.
struct Wires<'a> {
    plan: &'a SlottedPlan,
    ports: SlottedPorts,
}

impl Wires<'_> {
    fn of(&self, side: Side, terminal: Terminal, signal: &'static str) -> String {
        let bits = self.ports.bits(side, terminal, signal).expect("the terminal has the port");
        let port = self.ports.list.iter().find(|port| port.name == bits.port);
        slice(bits, port.expect("it is one of them").width())
    }

    /// All fields of a word, the highest first.
    fn word(&self, side: Side, terminal: Terminal) -> String {
        let fields = self.plan.over().flit_fields();
        let field = |f: &FlitField| self.of(side, terminal, f.name);
        format!("{{{}}}", fields.iter().rev().map(field).collect::<Vec<_>>().join(", "))
    }

    fn source(&self, source: Terminal) -> Option<Source> {
        let flows = places(self.plan, |flow| flow.source == source);
        let wire = |signal| self.of(Side::Source, source, signal);
        (!flows.is_empty()).then(|| Source {
            label: self.plan.over().topology().terminal_label(source),
            flows: flows.into_iter().map(|(at, _)| at).collect(),
            valid: wire("valid"),
            ready: wire("ready"),
            dest: wire("dest"),
            error: wire("error"),
            slot_valid: wire(SLOT_VALID),
            slot_dest: wire(SLOT_DEST),
            word: self.word(Side::Source, source),
        })
    }

    fn sink(&self, sink: Terminal) -> Option<Sink> {
        let topology = self.plan.over().topology();
        let flows = places(self.plan, |flow| flow.destination == sink);
        let from = |flow: &SlottedFlow| self.plan.address(flow.source);
        let wire = |signal| self.of(Side::Sink, sink, signal);
        (!flows.is_empty()).then(|| Sink {
            label: topology.terminal_label(sink),
            flows: flows.into_iter().map(|(at, flow)| (at, from(flow))).collect(),
            valid: wire("valid"),
            id: wire(ID),
            word: self.word(Side::Sink, sink),
        })
    }
}

/// Signals to terminals without flows, which are never high.
fn never(wires: &Wires<'_>) -> Vec<String> {
    let plan = wires.plan;
    let sources = plan.over().sources().iter().filter(|&&t| !plan.sends(t));
    let sinks = plan.over().sinks().iter().filter(|&&t| !plan.takes(t));
    let of_source = |&source: &Terminal| {
        ["ready", "error", SLOT_VALID].map(|signal| wires.of(Side::Source, source, signal))
    };
    let of_sink = |&sink: &Terminal| wires.of(Side::Sink, sink, "valid");
    sources.flat_map(of_source).chain(sinks.map(of_sink)).collect()
}

/// Some flows, each with its place among all.
fn places(plan: &SlottedPlan, is_one: impl Fn(&SlottedFlow) -> bool) -> Vec<(usize, &SlottedFlow)> {
    plan.flows().iter().enumerate().filter(|(_, flow)| is_one(flow)).collect()
}

pub(super) fn proofs(plan: &SlottedPlan, own: &ModuleGroup) -> Result<Proofs, EmitError> {
    let mut proofs = Proofs::default();
    let context = Context { plan, own };
    let top = &own.modules[0];
    let properties =
        "words are taken in slots of their flows, and come whole, once and in their cycle";
    let width = plan.over().flit_width();
    let on_way = plan.flows().iter().map(|flow| u64::from(flow.cycles * (width + 1))).sum::<u64>();
    if on_way > MOST_BITS || plan.frame() > MOST_SLOTS {
        proofs.nothing_to_show.push(Nothing {
            module: plan.name.clone(),
            properties,
            why: "it takes long with so many words on their way, or slots; the slot tables are checked, and simulated",
        });
        return Ok(proofs);
    }
    let name = format!("{}_words_formal", plan.name);
    let about = [
        "Whatever is offered in whichever cycle: a word is taken in a slot of its flow alone, and comes whole",
        "to the sink of its flow as many cycles later as its flow says. Nothing else comes.",
    ];
    let wires = Wires { plan, ports: plan.ports() };
    let most = plan.flows().iter().map(|flow| flow.cycles).max().unwrap_or(0);
    let file = WordsFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &top.name,
        reset: top.reset_port("rst").expect("it has registers"),
        ports: top
            .ports()
            .map(|(net, info)| Port {
                name: info.name.clone(),
                width: net.width,
                is_input: info.kind == NetKind::Input,
            })
            .collect(),
        slots: plan.frame(),
        slot_bits: plan.slot_bits(),
        address: plan.address_bits(),
        width,
        flows: plan.flows().iter().map(|own| flow(plan, own)).collect(),
        sources: plan.over().sources().iter().filter_map(|&s| wires.source(s)).collect(),
        sinks: plan.over().sinks().iter().filter_map(|&s| wires.sink(s)).collect(),
        never: never(&wires),
    };
    let mut files = files_below(top)?;
    files.push(proofs.module(&name, file.render()?));
    // What is on its way in the first state of all is gone by then.
    let steps = most + 2;
    let frame = plan.frame() + most + 4;
    let kinds = [
        (Kind::Induction(steps), properties),
        // Induction finds no trace to a fault of a slot that the first steps do not come to.
        (Kind::Bounded(frame), properties),
        (Kind::Cover(frame), "a word of each flow comes"),
    ];
    let tasks = tasks_of(top, &name, "", &files, kinds).collect();
    proofs.proof("words", "Words in their slots.", tasks);
    Ok(proofs)
}

fn flow(plan: &SlottedPlan, own: &SlottedFlow) -> Flow {
    let topology = plan.over().topology();
    let label = |terminal| topology.terminal_label(terminal);
    let bits = plan.slot_bits();
    let slot = |slot: &u32| match bits {
        0 => "1'b1".to_owned(),
        _ => format!("slot == {bits}'d{slot}"),
    };
    let slots: Vec<String> = own.starts.iter().map(slot).collect();
    Flow {
        title: format!("{} to {}", label(own.source), label(own.destination)),
        slots: slots.join(" | "),
        dest: plan.address(own.destination),
        cycles: own.cycles,
    }
}
