//! A switch: a queue per (input port, VC) in use, route logic at its head, an arbiter per
//! (output port, VC) over the sources that can reach it, and per output port a multiplexer
//! over those sources alone.

mod allocate;
mod front;
mod output;
mod parts;
pub mod port;
mod queue;
mod route;
mod table;

pub use output::{goes_by, grant_of};
pub use parts::Parts;

use allocate::Allocated;
use front::Front;

use crate::plan::{FabricPlan, SwitchPlan};
use port::channel;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Handshake, Module, ModuleBuilder, Net, RtlError, Stream};

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
        plan,
        flit_width: plan.flit_width(),
        class,
        parts,
        m: ModuleBuilder::new(&class.name),
        heads: Vec::new(),
        allocated: BTreeMap::new(),
    };
    builder.about(plan);
    let ports = builder.ports();
    builder.queues(&ports)?;
    builder.allocate(&ports)?;
    builder.outputs(&ports)?;
    builder.pops();
    builder.m.finish()
}

struct Ports {
    /// Per input: header (if any), flit.
    inputs: Vec<(Option<Net>, Net)>,
    /// Per queue.
    queue_handshake: Vec<Handshake>,
    /// Per output: header (if any), flit.
    outputs: Vec<(Option<Net>, Net)>,
    /// Per (output, VC).
    output_handshake: Vec<Handshake>,
}

/// The flit of a queue that may leave: its head, or its front.
struct Head {
    valid: Net,
    header: Option<Net>,
    /// The header bits that `header` has, the lowest first.
    header_bits: Vec<u32>,
    flit: Net,
    pop: Net,
    /// Per (output, VC) that the queue can turn to: asks for it.
    asks: BTreeMap<usize, Net>,
    /// Cycles in which the head leaves, by (output, VC).
    leaves: Vec<Expr>,
    /// Grants of a front; `None` of a head.
    front: Option<Front>,
}

struct Builder<'a> {
    plan: &'a FabricPlan,
    flit_width: u32,
    class: &'a SwitchPlan,
    parts: &'a mut Parts,
    m: ModuleBuilder,
    heads: Vec<Head>,
    /// By (output, VC), of an adaptive switch.
    allocated: BTreeMap<usize, Allocated>,
}

impl Builder<'_> {
    fn about(&mut self, plan: &FabricPlan) {
        self.m.about("A switch with a crossbar of just the turns that the routing takes.");
        self.m.about("");
        crate::matrix::turn_matrix(self.class).lines().for_each(|l| self.m.about(l));
        self.m.about("");
        let pipeline = plan.parameters.pipeline;
        if pipeline.registers_grant() {
            let and_output = if pipeline.registers_output() { " and outputs" } else { "" };
            self.m.about(format!(
                "Grants{and_output} are registers: a hop takes {} cycles.",
                1 + pipeline.registers()
            ));
            if pipeline.asks_ahead() {
                self.m.about(
                    "The flit that leaves a queue next stands in a register, its front: the packet",
                );
                self.m.about("behind it asks for its output while it leaves.");
            }
        }
        let channels = self.class.queues.iter();
        let channels = channels.filter(|q| !self.class.inputs[q.input].input.is_inject());
        let in_flight = channels.map(|queue| plan.queue_size(self.class, queue).in_flight).max();
        let in_flight = in_flight.unwrap_or(pipeline.in_flight());
        match in_flight {
            0 => {}
            1 => self.m.about(
                "Ready says that there is room for one flit beside the one that may be on the way.",
            ),
            flits => self.m.about(format!(
                "Ready says that there is room for one flit beside the {flits} that may be on the way."
            )),
        }
        if in_flight > 0 || pipeline.registers_grant() {
            self.m.about("");
        }
        let fields: Vec<String> =
            plan.flit_fields().iter().rev().map(|f| format!("{} [{}]", f.name, f.width)).collect();
        self.m.about(format!("A flit is {{{}}}.", fields.join(", ")));
        for line in plan.relation().header_legend() {
            self.m.about(line);
        }
        for input in self.class.inputs.iter().filter(|i| !i.header.is_empty()) {
            let bits: Vec<String> = input.header.iter().rev().map(u32::to_string).collect();
            self.m.about(format!("  {:<8} {{{}}}", input.name, bits.join(", ")));
        }
        for line in table::lines(plan, self.class) {
            self.m.about(line);
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
        let fields = |s: &Stream| (s.field("header"), s.field("flit").expect("flits have bits"));
        for input in &class.inputs {
            let stream = m.stream_in(&port::into(input), channel(&input.vcs, &input.header, width));
            ports.queue_handshake.extend(&stream.lanes);
            ports.inputs.push(fields(&stream));
        }
        for output in &class.outputs {
            let of = channel(&output.vcs, &output.header, width);
            let stream = m.stream_out(&port::out_of(output), of);
            ports.output_handshake.extend(&stream.lanes);
            ports.outputs.push(fields(&stream));
        }
        ports
    }

    fn pops(&mut self) {
        self.m.section("Heads that leave");
        for head in &mut self.heads {
            let leaves = std::mem::take(&mut head.leaves);
            self.m.assign(head.pop, Expr::any_of(leaves));
        }
        self.fronts_are_granted();
    }
}
