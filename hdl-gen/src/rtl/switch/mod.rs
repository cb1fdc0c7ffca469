//! A switch: a queue per (input port, VC) in use, route logic at its head, an arbiter per
//! (output port, VC) over the sources that can reach it, and per output port a multiplexer
//! over those sources alone.

mod output;
pub mod port;
mod route;

use super::{Expr, Module, ModuleBuilder, Net, RtlError, arbiter, fifo, mux};
use crate::plan::{FabricPlan, SwitchPlan};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parts that the switches of a fabric share, by kind and size.
#[derive(Debug, Default)]
pub struct Parts {
    arbiters: BTreeMap<u32, Arc<Module>>,
    fifos: BTreeMap<u32, Arc<Module>>,
    muxes: BTreeMap<u32, Arc<Module>>,
}

/// The module of a switch class.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn switch(
    plan: &FabricPlan,
    class: &SwitchPlan,
    parts: &mut Parts,
) -> Result<Arc<Module>, RtlError> {
    let mut builder = Builder {
        prefix: &plan.name,
        depth: plan.parameters.depth,
        flit_width: plan.flit_width(),
        class,
        parts,
        m: ModuleBuilder::new(&class.name),
        heads: Vec::new(),
    };
    builder.about(plan);
    let ports = builder.ports();
    builder.queues(&ports)?;
    builder.outputs(&ports)?;
    builder.pops();
    builder.m.finish()
}

struct Ports {
    /// Per input: header (if any), flit.
    inputs: Vec<(Option<Net>, Net)>,
    /// Per queue: valid, ready.
    queue_handshake: Vec<(Net, Net)>,
    /// Per output: header (if any), flit.
    outputs: Vec<(Option<Net>, Net)>,
    /// Per (output, VC): valid, ready.
    output_handshake: Vec<(Net, Net)>,
}

/// The head of a queue.
struct Head {
    header: Option<Net>,
    flit: Net,
    pop: Net,
    /// Per output that the queue can turn to: asks for it.
    asks: BTreeMap<usize, Net>,
    /// Cycles in which the head leaves, by (output, VC).
    leaves: Vec<Expr>,
}

struct Builder<'a> {
    prefix: &'a str,
    depth: u32,
    flit_width: u32,
    class: &'a SwitchPlan,
    parts: &'a mut Parts,
    m: ModuleBuilder,
    heads: Vec<Head>,
}

impl Builder<'_> {
    fn about(&mut self, plan: &FabricPlan) {
        self.m.about("A switch with a crossbar of just the turns that the routing takes.");
        self.m.about("");
        crate::matrix::turn_matrix(self.class).lines().for_each(|l| self.m.about(l));
        self.m.about("");
        let fields: Vec<String> =
            plan.flit_fields().iter().rev().map(|f| format!("{} [{}]", f.name, f.width)).collect();
        self.m.about(format!("A flit is {{{}}}.", fields.join(", ")));
        self.m.about("Header bits per port: the bits still to be corrected, by number.");
        if let Some(first) = &plan.injection.first_port {
            let (low, high) = (plan.injection.difference_bits, first.bits);
            let high = low + high - 1;
            self.m.about(format!("Bits {high} to {low}, at inject: the first port, one-hot."));
        }
        for input in self.class.inputs.iter().filter(|i| !i.header.is_empty()) {
            let bits: Vec<String> = input.header.iter().rev().map(u32::to_string).collect();
            self.m.about(format!("  {:<8} {{{}}}", input.name, bits.join(", ")));
        }
    }

    fn ports(&mut self) -> Ports {
        let (m, class, width) = (&mut self.m, self.class, self.flit_width);
        let mut ports = Ports {
            inputs: Vec::new(),
            queue_handshake: Vec::new(),
            outputs: Vec::new(),
            output_handshake: Vec::new(),
        };
        for input in &class.inputs {
            for &vc in &input.vcs {
                let valid = m.input(port::input_vc(input, vc, "valid"), 1);
                let ready = m.output(port::input_vc(input, vc, "ready"), 1);
                ports.queue_handshake.push((valid, ready));
            }
            let bits = input.header.len() as u32;
            let header = (bits > 0).then(|| m.input(port::input(input, "header"), bits));
            ports.inputs.push((header, m.input(port::input(input, "flit"), width)));
        }
        for output in &class.outputs {
            for &vc in &output.vcs {
                let valid = m.output(port::output_vc(output, vc, "valid"), 1);
                let ready = m.input(port::output_vc(output, vc, "ready"), 1);
                ports.output_handshake.push((valid, ready));
            }
            let bits = output.header.len() as u32;
            let header = (bits > 0).then(|| m.output(port::output(output, "header"), bits));
            ports.outputs.push((header, m.output(port::output(output, "flit"), width)));
        }
        ports
    }

    fn fifo(&mut self, width: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.fifos.get(&width) {
            return Ok(Arc::clone(module));
        }
        let module = fifo::fifo(self.prefix, width, self.depth)?;
        self.parts.fifos.insert(width, Arc::clone(&module));
        Ok(module)
    }

    fn arbiter(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.arbiters.get(&n) {
            return Ok(Arc::clone(module));
        }
        let module = arbiter::arbiter(self.prefix, n)?;
        self.parts.arbiters.insert(n, Arc::clone(&module));
        Ok(module)
    }

    fn mux(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.muxes.get(&n) {
            return Ok(Arc::clone(module));
        }
        let module = mux::mux(self.prefix, n, self.flit_width)?;
        self.parts.muxes.insert(n, Arc::clone(&module));
        Ok(module)
    }

    fn queues(&mut self, ports: &Ports) -> Result<(), RtlError> {
        for (index, queue) in self.class.queues.iter().enumerate() {
            let header_bits = queue.header.len() as u32;
            let fifo = self.fifo(self.flit_width + header_bits)?;
            let (in_header, in_flit) = ports.inputs[queue.input];
            let (in_valid, in_ready) = ports.queue_handshake[index];
            let name = &queue.name;
            let m = &mut self.m;
            m.section(format!("Queue {name}"));
            // The wires may carry bits for another VC of this port: store our own only.
            let carried = &self.class.inputs[queue.input].header;
            let stored = in_header.and_then(|h| pick(h, carried, &queue.header));
            let data = stored.into_iter().chain([in_flit.into()]);
            let valid = m.wire(format!("{name}_valid"), 1);
            let pop = m.wire(format!("{name}_pop"), 1);
            let head = m.wire(format!("{name}_head"), fifo.port("out_data").map_or(0, |p| p.width));
            m.instance(
                format!("{name}_fifo"),
                &fifo,
                [
                    ("in_valid", in_valid.into()),
                    ("in_ready", in_ready.into()),
                    ("in_data", Expr::concat(data)),
                    ("out_valid", valid.into()),
                    ("out_ready", pop.into()),
                    ("out_data", head.into()),
                ],
            );
            let flit = match header_bits {
                0 => head,
                _ => m.define(
                    format!("{name}_flit"),
                    self.flit_width,
                    head.slice(0, self.flit_width),
                ),
            };
            let header = (header_bits > 0).then(|| {
                let bits = head.slice(self.flit_width, header_bits);
                m.define(format!("{name}_header"), header_bits, bits)
            });
            let asks = self.route(queue, valid, header);
            self.heads.push(Head { header, flit, pop, asks, leaves: Vec::new() });
        }
        Ok(())
    }

    fn pops(&mut self) {
        self.m.section("Heads that leave");
        for head in &mut self.heads {
            let leaves = std::mem::take(&mut head.leaves);
            self.m.assign(head.pop, Expr::any_of(leaves));
        }
    }
}

/// The stored header bits out of those on the wires, most significant first.
fn pick(header: Net, carried: &[u32], stored: &[u32]) -> Option<Expr> {
    if carried == stored {
        return Some(header.into());
    }
    let bits = stored
        .iter()
        .rev()
        .filter_map(|b| carried.iter().position(|c| c == b).map(|place| header.bit(place as u32)));
    let bits: Vec<Expr> = bits.collect();
    if bits.is_empty() { None } else { Some(Expr::concat(bits)) }
}
