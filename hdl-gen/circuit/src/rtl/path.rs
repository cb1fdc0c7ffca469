//! The way of words from the sources to the sinks, stage by stage.

use super::Terminals;
use crate::plan::{CircuitPlan, Control};
use std::collections::HashMap;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};
use turnpike_schedule::network::{Lead, Place};

/// A link: a word may be on it.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// Whether there is one.
    pub valid: Net,
    pub word: Net,
}

impl Link {
    /// Wires of so many bits from each output of a switch of this name, and its connections to
    /// them.
    pub fn leaving(
        m: &mut ModuleBuilder,
        name: &str,
        outputs: u32,
        bits: u32,
        connections: &mut Vec<(String, Expr)>,
    ) -> Vec<Option<Self>> {
        let link = |o: u32| {
            let valid = m.wire(format!("{name}_out{o}_valid"), 1);
            let word = m.wire(format!("{name}_out{o}_word"), bits);
            connections.push((format!("out{o}_valid"), valid.into()));
            connections.push((format!("out{o}_word"), word.into()));
            Some(Self { valid, word })
        };
        (0..outputs).map(link).collect()
    }
}

/// A stage of switches: what differs between the controls.
pub(super) trait Switches {
    /// Places a switch, with the links to its inputs, and gives those from its outputs. `None` is
    /// a link that is not built.
    fn place(
        &mut self,
        m: &mut ModuleBuilder,
        at: (u32, u32),
        inputs: &[Option<Link>],
    ) -> Vec<Option<Link>>;
}

/// Ports by which words enter and leave the network.
pub(super) struct Ends<'a> {
    /// The ports of the terminals.
    pub terminals: &'a Terminals,
    /// Whether words enter; `None`: always.
    pub enters: Option<Expr>,
    /// By sink, whether a word that comes to it is for it; `None`: always.
    pub opens: Vec<Option<Expr>>,
    /// Enable of the registers; `None` where there are none.
    pub enable: Option<Net>,
}

/// Builds the way from the sources to the sinks. A source that no built link leads from is not
/// read, a sink that none leads to gives 0.
pub(super) fn build(
    plan: &CircuitPlan,
    m: &mut ModuleBuilder,
    ends: &Ends<'_>,
    reads: impl Fn(u32) -> bool,
    switches: &mut dyn Switches,
) {
    let network = &plan.network;
    m.section("What the sources offer");
    let mut links: HashMap<(u32, u32), Link> = HashMap::new();
    for source in (0..plan.terminals()).filter(|&source| reads(source)) {
        let offered = ends.terminals.valid.bit(source);
        let valid = match &ends.enters {
            Some(enters) => offered & enters.clone(),
            None => offered,
        };
        let valid = m.define(format!("source{source}_valid"), 1, valid);
        let word = ends.terminals.word(plan, source);
        let word = m.define(format!("source{source}_word"), word_bits(plan), word);
        let Place { switch, port } = network.entry(source).expect("every terminal is a source");
        links.insert((switch, port), Link { valid, word });
    }
    let mut sinks: Vec<Option<Link>> = vec![None; plan.terminals() as usize];
    for stage in 0..network.stages() {
        let (inputs, outputs) = (network.inputs(stage), network.outputs(stage));
        m.section(format!("Stage {stage}"));
        let mut leaving: Vec<(Place, Link)> = Vec::new();
        for switch in 0..network.switches(stage) {
            let at: Vec<_> = (0..inputs).map(|port| links.get(&(switch, port)).copied()).collect();
            let out = match network.is_wire(stage, switch) {
                true => at,
                false => switches.place(m, (stage, switch), &at),
            };
            let ports = (0..outputs).map(|port| Place { switch, port });
            leaving.extend(ports.zip(out).filter_map(|(place, link)| Some((place, link?))));
        }
        for (place, link) in &mut leaving {
            let Some(Lead::Sink(sink)) = network.lead(stage, *place) else { continue };
            if let Some(open) = &ends.opens[sink as usize] {
                let valid = Expr::from(link.valid) & open.clone();
                link.valid = m.define(format!("sink{sink}_takes"), 1, valid);
            }
        }
        if plan.is_registered(stage) {
            hold(m, stage, &mut leaving, ends.enable.expect("there are registers"));
        }
        links.clear();
        for (place, link) in leaving {
            match network.lead(stage, place).expect("every output leads somewhere") {
                Lead::Input(Place { switch, port }) => drop(links.insert((switch, port), link)),
                Lead::Sink(sink) => sinks[sink as usize] = Some(link),
            }
        }
    }
    m.section("What comes to the sinks");
    let width = plan.parameters.width;
    let each = |part: &dyn Fn(&Link) -> Expr, bits: u32| {
        let nothing = || Expr::constant(bits, 0);
        Expr::concat(sinks.iter().rev().map(|link| link.as_ref().map_or_else(nothing, part)))
    };
    m.assign(ends.terminals.out_valid, each(&|link| link.valid.into(), 1));
    m.assign(ends.terminals.out_data, wide(&sinks, width));
    m.assign(ends.terminals.out_last, each(&|link| link.word.bit(width), 1));
}

/// The data of all sinks; a sink without a link gives 0.
fn wide(sinks: &[Option<Link>], width: u32) -> Expr {
    let nothing = Expr::zeros(width);
    let data = |link: &Option<Link>| match link {
        Some(link) => link.word.slice(0, width),
        None => nothing.clone(),
    };
    Expr::concat(sinks.iter().rev().map(data))
}

/// Bits of a word as it enters: data, the mark of the last of a packet, a destination that it may
/// bear.
pub(super) fn word_bits(plan: &CircuitPlan) -> u32 {
    let dest = match plan.control {
        Control::SelfRouting => plan.address_bits(),
        Control::Memory(_) | Control::Baked(_) => 0,
    };
    plan.parameters.width + 1 + dest
}

/// Puts registers after a stage.
fn hold(m: &mut ModuleBuilder, stage: u32, leaving: &mut [(Place, Link)], enable: Net) {
    let mut registers = Vec::new();
    let mut words = Vec::new();
    for (Place { switch, port }, link) in leaving {
        let name = format!("stage{stage}_switch{switch}_register{port}");
        let valid = m.reg(format!("{name}_valid"), 1);
        let word = m.reg(format!("{name}_word"), link.word.width);
        let enable = Some(Expr::from(enable));
        registers.push(Register {
            net: valid,
            reset: Some(0),
            enable: enable.clone(),
            next: link.valid.into(),
        });
        words.push(Register { net: word, reset: None, enable, next: link.word.into() });
        *link = Link { valid, word };
    }
    m.registers(registers);
    m.registers(words);
}
