//! Proof of the terminals of the whole fabric.

use super::names::free_values;
use super::parts::tasks_of;
use super::switch_module::{Eject, ejects};
use super::{Context, EmitError, Kind, Nothing, Proofs, files_below, literal};
use crate::live;
use askama::Template;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_fabric::plan::{FabricPlan, Side, Signal, TerminalPort};
use turnpike_netlist::{Module, Net, NetInfo, NetKind};
use turnpike_network::topology::Terminal;

/// Cycles within which a terminal with a switch that may do anything is valid.
const REACH: u32 = 4;

/// A port of a module.
struct Port {
    name: String,
    /// The name of what an output may be.
    any: String,
    width: u32,
    input: bool,
}

/// A signal of all terminals of a side.
struct Vector {
    side: Side,
    name: String,
    width: u32,
    input: bool,
    /// Bits per terminal.
    each: u32,
}

#[derive(Template)]
#[template(path = "formal/terminals.v.askama", escape = "none")]
struct TerminalsFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    /// Slices of the `s_axis` ports, and of the `m_axis` ports.
    sources: u32,
    sinks: u32,
    /// Whether they are not those of the same terminals, of which as many failed.
    apart: bool,
    vectors: &'a [Vector],
    /// The fabric's ports but for the clock, with what is connected to them.
    connections: Vec<(String, String)>,
    /// Signals that a sink takes with `tvalid`.
    payload: Vec<&'a Vector>,
    /// Whether some packets are refused, bits of an address, and the addresses to which packets go:
    /// behind the slice of the source, in so many bits, where they are not the same for all.
    refuses: bool,
    address: u32,
    live: Vec<String>,
    source_bits: Option<u32>,
    /// Mask of the sources that refuse some packet; empty where all do.
    refusing: String,
    /// Masks of the live sources and of the live sinks, as [`live`] gives them.
    live_mask: String,
    live_sinks: String,
}

#[derive(Template)]
#[template(path = "formal/stand_in.v.askama", escape = "none")]
struct StandInFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    ports: Vec<Port>,
    flit: u32,
    /// Eject ports of the switch.
    ejects: Vec<Eject>,
}

fn ports(module: &Module, ejects: &[Eject]) -> Vec<Port> {
    let names: Vec<&str> = module.ports().map(|(_, info)| &*info.name).collect();
    let any = free_values(&names, ejects);
    let port = |((net, info), any): ((Net, &NetInfo), String)| Port {
        name: info.name.clone(),
        any,
        width: net.width,
        input: info.kind == NetKind::Input,
    };
    module.ports().zip(any).map(port).collect()
}

/// The signals of both sides.
fn vectors(plan: &FabricPlan) -> Vec<Vector> {
    let of_side = |side: Side| {
        let terminals = plan.terminals_of(side).len() as u32;
        let vector = move |signal: Signal| Vector {
            side,
            name: side.vector(signal.name),
            width: terminals * signal.width,
            input: signal.input,
            each: signal.width,
        };
        plan.signals(side).into_iter().map(vector)
    };
    [Side::Source, Side::Sink].into_iter().flat_map(of_side).collect()
}

/// The part of a vector that is connected to a port.
fn part(plan: &FabricPlan, port: &TerminalPort) -> String {
    let (vector, each) = (port.side.vector(port.signal.name), port.signal.width);
    let all = plan.terminals_of(port.side);
    match &port.terminals[..] {
        some if some.len() == all.len() => vector,
        some => {
            let slice = plan.slice(port.side, some[0]).unwrap_or_default();
            format!("{vector}[{slice}*{each} +: {}]", port.width())
        }
    }
}

/// The addresses to which packets go, each behind the slice of its source where there are flows.
fn known(plan: &FabricPlan, source_bits: Option<u32>) -> Vec<String> {
    let bits = plan.topology().address_bits();
    let address = |to: Terminal| literal(bits, plan.topology().address(to).0.into());
    let Some(source_bits) = source_bits else {
        return plan.topology().sinks().map(address).collect();
    };
    let pair = |(from, to): (u64, Terminal)| {
        format!("{{{}, {}}}", literal(source_bits, from), address(to))
    };
    let slices = (0..).zip(plan.sources());
    let pairs = slices.flat_map(|(slice, &source)| {
        plan.topology().destinations(source).map(move |to| (slice, to))
    });
    pairs.map(pair).collect()
}

pub(super) fn terminals(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let top = context.module(&plan.network_name()).expect("the fabric has its network");
    let name = format!("{}_formal", plan.name);
    let (sources, sinks) = (plan.sources().len() as u32, plan.sinks().len() as u32);
    let vectors = vectors(plan);
    let handshake = ["valid", "ready"].map(|signal| Side::Sink.vector(signal));
    let payload = vectors.iter().filter(|v| v.side == Side::Sink && !handshake.contains(&v.name));
    let payload = payload.collect();
    let reset = top.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let streams = plan.terminal_ports();
    let streams = streams.iter().map(|port| (port.name.clone(), part(plan, port)));
    let refuses = plan.refuses_any();
    let dropped = match refuses {
        true => match plan.topology().flows() {
            None => {
                "`tvalid` does not wait for `tready`. Packets to no terminal, and no others, are flagged."
            }
            Some(_) => {
                "`tvalid` does not wait for `tready`. Packets of no flow, and no others, are flagged."
            }
        },
        false => {
            "`tvalid` does not wait for `tready`. Every address is a terminal: nothing is dropped."
        }
    };
    let about = [
        "The terminals obey AXI4-Stream: what is offered stays offered, nothing under reset,",
        dropped,
    ];
    let heading = context.head(&name, &about);
    let address = plan.topology().address_bits();
    let [live_mask, live_sinks] = live(plan);
    let source_bits = plan.topology().flows().map(|_| bits_for(sources));
    let text = TerminalsFile {
        heading,
        name: &name,
        dut: &top.name,
        sources,
        sinks,
        apart: plan.sources() != plan.sinks() || live_mask != live_sinks,
        vectors: &vectors,
        connections: reset.into_iter().chain(streams).collect(),
        payload,
        refuses,
        address,
        live: known(plan, source_bits),
        source_bits,
        refusing: crate::mask(plan.sources().iter().map(|&source| {
            let class = plan.injector_of(source).map(|class| &plan.injectors[class]);
            class.is_none_or(|class| plan.refuses(class))
        })),
        live_mask,
        live_sinks,
    };
    let text = text.render()?;
    // The switches, with all below them, give way to what is proven of them.
    let mut files = vec![format!("{}.v", top.name)];
    let below: BTreeMap<&str, &Arc<Module>> =
        top.instances().map(|i| (i.module.name.as_str(), &i.module)).collect();
    for (name, module) in below {
        if !plan.switches.iter().any(|switch| switch.name == name) {
            files.extend(files_below(module)?);
            continue;
        }
        let about = [
            "Stands for a switch in the proof of the terminals: it does anything at all, but for",
            "what is proven of it apart.",
        ];
        let heading = context.head(name, &about);
        let switch = plan.switches.iter().find(|switch| switch.name == name);
        let outputs = switch.into_iter().flat_map(|switch| &switch.outputs);
        let ejects = outputs.filter(|o| o.output.is_eject()).map(|o| &*o.name);
        let ejects = self::ejects(ejects);
        let (ports, flit) = (ports(module, &ejects), plan.flit_width());
        let stand_in = StandInFile { heading, name, ports, flit, ejects };
        files.push(proofs.module(&format!("{name}_stand_in"), stand_in.render()?));
    }
    files.push(proofs.module(&name, text));
    let kinds = match refuses {
        true => [
            (
                Kind::Proof,
                "AXI4-Stream: valid and data stable, nothing under reset; unknown destinations \
                 flagged once, others never",
            ),
            (Kind::Cover(REACH), "valid before it was ever ready, and refused, at every terminal"),
        ],
        false => [
            (
                Kind::Proof,
                "AXI4-Stream: valid and data stable, nothing under reset, nothing dropped",
            ),
            (Kind::Cover(REACH), "every terminal is valid before it was ever ready"),
        ],
    };
    if !refuses {
        proofs.nothing_to_show.push(Nothing {
            module: plan.network_name(),
            properties: "unknown destinations are consumed and flagged",
            why: "every address is a terminal",
        });
    }
    proofs.proof("terminals", "The terminals.", tasks_of(top, &name, "", &files, kinds).collect());
    Ok(())
}
