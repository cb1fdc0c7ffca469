//! A depopulated switch beside one with a full crossbar and the relation's complete route
//! logic, under the same inputs: whatever the relation can bring to the switch, both must do
//! the same in every cycle. What shows that the turns left out are never missed.

use super::switch::{Parts, port, switch};
use crate::plan::{FabricPlan, InputPlan, OutputPlan, SwitchPlan, full_crossbar_switch};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_analysis::turns;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};
use turnpike_network::routing::walk::RouteError;
use turnpike_network::routing::{Header, Input, Output, Vc};
use turnpike_network::topology::Node;

/// Reason that two switches cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum EquivalenceError {
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// A netlist that does not hold together.
    #[error(transparent)]
    Rtl(#[from] RtlError),
}

/// Meaning of a free input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Free {
    /// `<port>_offer`: which VCs of the port have a flit; the lowest is taken.
    Offer,
    /// `<queue>_choice`: which of the headers that routes bring there it carries.
    Choice,
    /// `<port>_flit`, `last` at the top.
    Flit,
    /// `<output VC>_ready`.
    Ready,
}

/// Two switches side by side.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Module of both switches, with the output `equal`.
    pub module: Arc<Module>,
    /// Inputs of the module, all free, by name.
    pub inputs: BTreeMap<String, Free>,
}

/// The two switches of class `class` side by side.
///
/// The output `equal` says whether both switches agree in this cycle: in every `ready` and
/// `valid`, and where valid in the flit and in the header bits that the queue at the channel's
/// end stores. A packet's flits need not carry one header
/// here, nor need VCs keep packets apart: what is shown covers more than what routes do.
///
/// # Errors
/// [`EquivalenceError`].
pub fn side_by_side(plan: &FabricPlan, class: usize) -> Result<SideBySide, EquivalenceError> {
    let network = plan.network();
    let name = format!("{}_full_crossbar", plan.switches[class].name);
    let full = full_crossbar_switch(network, &network.turns().classes[class], name);
    side_by_side_with(plan, class, &plan.switches[class], &full)
}

/// Sets any two plans of a class over the same ports side by side, such as one with a turn taken
/// out.
///
/// # Errors
/// [`EquivalenceError`].
pub fn side_by_side_with(
    plan: &FabricPlan,
    class: usize,
    reduced: &SwitchPlan,
    full: &SwitchPlan,
) -> Result<SideBySide, EquivalenceError> {
    let network = plan.network();
    let here = |node| network.turns().class_of(node) == class;
    let (topology, relation) = (plan.topology(), network.relation());
    let headers = turns::headers(topology, relation, network.symmetry(), here)?;
    let mut parts = Parts::new(plan);
    let modules = [switch(plan, reduced, &mut parts)?, switch(plan, full, &mut parts)?];
    let mut m = ModuleBuilder::new(format!("{}_equivalence", reduced.name));
    m.about("The switch and the same with a full crossbar and complete route logic, side by side.");
    let equal = m.output("equal", 1);
    let flit_width = plan.flit_width();
    let set = headers.values().flatten().fold(0, |all, header| all | header);
    let ported = [reduced, full].into_iter().flat_map(|plan| &plan.inputs);
    let ported = ported.flat_map(|input| &input.header).fold(0, |all, at| all | 1 << at);
    let header_bits = (64 - (set | ported | 1u64).leading_zeros()).max(1);
    let mut builder = Builder {
        network,
        site: network.turns().classes[class].site,
        m,
        flit_width,
        headers,
        header_bits,
        connections: Default::default(),
        agree: Vec::new(),
    };
    let ports = builder.declare_ports(full);
    for input in &full.inputs {
        let own = reduced.inputs.iter().find(|i| i.input == input.input);
        builder.input(full, input, own.unwrap_or(input), &ports);
    }
    for index in 0..full.outputs.len() {
        builder.output(index, reduced, full, &ports);
    }
    let Builder { mut m, connections, agree, .. } = builder;
    m.section("The switches");
    for ((module, connections), name) in modules.iter().zip(connections).zip(["reduced", "full"]) {
        m.instance(name, module, connections.iter().map(|(p, e)| (p.as_str(), e.clone())));
    }
    m.section("Verdict");
    m.assign(equal, Expr::all(agree));
    let named = |((free, _), net): ((Free, String), Net)| (m.name_of(net).to_owned(), free);
    let inputs = ports.into_iter().map(named).collect();
    Ok(SideBySide { module: m.finish()?, inputs })
}

struct Builder<'a> {
    network: &'a Network,
    /// A node of the class.
    site: Node,
    m: ModuleBuilder,
    flit_width: u32,
    headers: BTreeMap<(Input, Vc), std::collections::BTreeSet<Header>>,
    /// Up to the highest header bit that routes set or a port has; at least 1.
    header_bits: u32,
    /// Connections of the reduced switch and of the full one.
    connections: [Vec<(String, Expr)>; 2],
    /// Conditions that have to hold in every cycle.
    agree: Vec<Expr>,
}

/// The free inputs, by what each is and of which port, queue or lane.
type Inputs = BTreeMap<(Free, String), Net>;

impl Builder<'_> {
    fn declare_ports(&mut self, full: &SwitchPlan) -> Inputs {
        let flit_width = self.flit_width;
        let mut inputs = Inputs::new();
        let mut add = |m: &mut ModuleBuilder, of: &str, free: Free, width: u32| {
            let what = match free {
                Free::Offer => "offer",
                Free::Choice => "choice",
                Free::Flit => "flit",
                Free::Ready => "ready",
            };
            inputs.insert((free, of.to_owned()), m.input(format!("{of}_{what}"), width));
        };
        // A port without header bits brings packets that have arrived, and no others.
        for queue in &full.queues {
            let input = &full.inputs[queue.input];
            if input.header.is_empty() {
                continue;
            }
            let rows = self.headers[&(input.input, queue.vc)].len() as u32;
            let bits = turnpike_netlist::check::address_bits(rows);
            add(&mut self.m, &queue.name, Free::Choice, bits);
        }
        for input in &full.inputs {
            let vcs = input.vcs.len() as u32;
            add(&mut self.m, &input.name, Free::Offer, vcs);
            add(&mut self.m, &input.name, Free::Flit, flit_width);
        }
        for output in &full.output_vcs {
            add(&mut self.m, &output.name, Free::Ready, 1);
        }
        inputs
    }

    /// Drives an input port of both switches alike.
    fn input(&mut self, full: &SwitchPlan, input: &InputPlan, own: &InputPlan, free: &Inputs) {
        self.m.section(format!("Input {}", input.name));
        let offer = free[&(Free::Offer, input.name.clone())];
        let flit = free[&(Free::Flit, input.name.clone())];
        let mut header: Option<Net> = None;
        for (at, &vc) in input.vcs.iter().enumerate() {
            let queue = full
                .queues
                .iter()
                .find(|q| full.inputs[q.input].input == input.input && q.vc == vc)
                .expect("a VC in use has a queue");
            let lower = (0..at as u32).map(|i| !offer.bit(i));
            let valid = Expr::all([offer.bit(at as u32)].into_iter().chain(lower));
            let valid = self.m.define(format!("{}_offered", queue.name), 1, valid);
            self.agree_on_ready(input, vc, valid);
            let Some(&choice) = free.get(&(Free::Choice, queue.name.clone())) else { continue };
            let table = self.m.wire(format!("{}_legal", queue.name), self.header_bits);
            let known: Vec<Header> = self.headers[&(input.input, vc)].iter().copied().collect();
            let rows = (0..1 << choice.width).map(|i| known[i % known.len()]).collect();
            self.m.table(table, choice, rows);
            header = Some(match header {
                None => table,
                Some(other) => {
                    let name = format!("{}_header", queue.name);
                    self.m.define(name, table.width, Expr::from(valid).mux(table, other))
                }
            });
        }
        for (connections, plan) in self.connections.iter_mut().zip([own, input]) {
            connections.push((port::input(input, "flit"), flit.into()));
            // Bits that routes never set here come for other switches of the network.
            let bit = |&b: &u32| header.map_or(Expr::constant(1, 0), |header| header.bit(b));
            if !plan.header.is_empty() {
                let bits = plan.header.iter().rev().map(bit);
                connections.push((port::input(input, "header"), Expr::concat(bits)));
            }
        }
    }

    fn agree_on_ready(&mut self, input: &InputPlan, vc: Vc, valid: Net) {
        let name = port::input_vc(input, vc, "ready");
        let nets = ["reduced", "full"].map(|side| self.m.wire(format!("{side}_{name}"), 1));
        for (connections, net) in self.connections.iter_mut().zip(nets) {
            connections.push((name.clone(), net.into()));
            connections.push((port::input_vc(input, vc, "valid"), valid.into()));
        }
        self.agree.push(Expr::from(nets[0]).equals(nets[1]));
    }

    /// The header bits that the queue of a VC at the end of an output's channel stores. Those of
    /// other VCs may differ.
    fn needed(&self, output: Output, vc: Vc) -> Header {
        let Output::Network(port) = output else { return 0 };
        let Some((to, input)) = self.network.topology().channel(self.site, port) else { return 0 };
        let turns = self.network.turns();
        let end = &turns.classes[turns.class_of(to)];
        end.stored.get(&(Input::Network(input), vc)).copied().unwrap_or(0)
    }

    /// Compares an output port. What the reduced switch leaves out, the full one may not use.
    fn output(&mut self, index: usize, reduced: &SwitchPlan, full: &SwitchPlan, free: &Inputs) {
        let lanes: Vec<_> = full.output_vcs.iter().filter(|ov| ov.output == index).collect();
        let complete = &full.outputs[index];
        let own = reduced.outputs.iter().find(|o| o.output == complete.output);
        self.m.section(format!("Output {}", complete.name));
        let mut valid = Vec::new();
        for lane in lanes {
            let needed = self.needed(complete.output, lane.vc);
            let ready = free[&(Free::Ready, lane.name.clone())];
            let [own, other] =
                [own, Some(complete)].map(|plan| plan.filter(|o| o.vcs.contains(&lane.vc)));
            let nets: Vec<Option<Net>> = [("reduced", own), ("full", other)]
                .into_iter()
                .zip(&mut self.connections)
                .map(|((side, plan), connections)| {
                    let plan = plan?;
                    let name = port::output_vc(plan, lane.vc, "valid");
                    let net = self.m.wire(format!("{side}_{name}"), 1);
                    connections.push((name, net.into()));
                    connections.push((port::output_vc(plan, lane.vc, "ready"), ready.into()));
                    Some(net)
                })
                .collect();
            let full_valid = Expr::from(nets[1].expect("the full switch has all its lanes"));
            self.agree.push(match nets[0] {
                Some(net) => full_valid.equals(net),
                None => !full_valid,
            });
            valid.extend(nets[0].map(|net| (Expr::from(net), needed)));
        }
        self.flit(own, complete, valid, self.flit_width);
    }

    /// Compares what goes with `valid`.
    fn flit(
        &mut self,
        own: Option<&OutputPlan>,
        full: &OutputPlan,
        valid: Vec<(Expr, Header)>,
        width: u32,
    ) {
        let mut wires = |signal: &str, bits: [u32; 2]| -> Vec<Option<Net>> {
            [("reduced", own), ("full", Some(full))]
                .into_iter()
                .zip(&mut self.connections)
                .zip(bits)
                .map(|(((side, plan), connections), bits)| {
                    let name = port::output(plan.filter(|_| bits > 0)?, signal);
                    let net = self.m.wire(format!("{side}_{name}"), bits);
                    connections.push((name, net.into()));
                    Some(net)
                })
                .collect()
        };
        let flits = wires("flit", [width; 2]);
        let bits = |plan: &OutputPlan| plan.header.len() as u32;
        let headers = wires("header", [own.map_or(0, bits), bits(full)]);
        let mut same: Vec<(u32, Expr)> = Vec::new();
        // The reduced switch carries only the bits that a later switch needs.
        if let ([Some(net), Some(complete)], Some(own)) = (&headers[..], own) {
            for (at, bit) in own.header.iter().enumerate() {
                if let Some(place) = full.header.iter().position(|b| b == bit) {
                    same.push((*bit, net.bit(at as u32).equals(complete.bit(place as u32))));
                }
            }
        }
        // The netlist has no unread wires: what there is nothing to compare with equals itself.
        let flit_alone = flits[1].filter(|_| flits[0].is_none());
        let read = |(bit, _): &(u32, Expr)| valid.iter().any(|(_, needed)| needed >> bit & 1 == 1);
        let headers_alone = headers.into_iter().flatten().filter(|_| !same.iter().any(read));
        let alone = flit_alone.into_iter().chain(headers_alone);
        self.agree.extend(alone.map(|net| Expr::from(net).equals(net)));
        if let [Some(own), Some(complete)] = flits[..] {
            for (valid, needed) in valid {
                let bits = same.iter().filter(|(bit, _)| needed >> bit & 1 == 1);
                let bits = bits.map(|(_, equal)| equal.clone());
                let flit = Expr::from(own).equals(complete);
                self.agree.push(!valid | Expr::all(bits.chain([flit])));
            }
        }
    }
}
