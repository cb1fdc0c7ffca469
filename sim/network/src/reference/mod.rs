//! The reference router: a cycle-accurate model of a fabric, written from the plan and the
//! routing relation, never from the RTL.
//!
//! What a terminal sees in a cycle (`s_tready`, `m_tvalid` and what goes with it) follows
//! from the state at the start of the cycle. So a caller first reads [`Reference::s_ready`]
//! and [`Reference::m_flit`], then [offers](Reference::offer) beats, then
//! [clocks](Reference::clock).
//!
//! In each cycle:
//! - A queue is ready while it held fewer flits than its depth at the start of the cycle.
//! - The head flit of a queue wants the one (output, VC) that the relation gives.
//! - An (output, VC) grants the first source that wants it, cyclically after the last one
//!   granted, and stays with it until the packet's last flit has left.
//! - Of a port's VCs that have a grant and a ready queue at the channel's end, one sends a
//!   flit, in turn. `eject` sends when the sink is ready.
//! - A flit that was sent is in the next queue from the next cycle on.
//!
//! With a registered grant, an (output, VC) sends for the source that it granted in an earlier
//! cycle; while it grants none, and when a packet's last flit leaves, it chooses the next one,
//! cyclically after the one granted a cycle before, for the next cycle. With a registered
//! output, a flit that was sent is under way for a cycle more, and a queue is ready while it
//! has room for one flit beside it. With registers on links, it is under way for as many cycles
//! more, and so is whether a queue is ready; the queue has room for all that is on the way.
//!
//! Where packets have a choice: [`adaptive`].
//!
//! Several threads may clock one large network: [`exchange`].
//!
//! Time per cycle follows the flits that move, and in networks of up to a few thousand nodes the
//! switches that exist: to look at 64 outputs is one comparison there. Memory is 8 bytes for
//! each place in a queue (16 where headers are long), 8 more for each queue and 16 for each (output, VC).

mod adaptive;
mod arbiter;
mod arrivals;
mod cycle;
mod error;
mod exchange;
mod fields;
mod flit;
mod hops;
mod layout;
mod leaving;
mod matched;
mod matching;
mod memory;
mod offer;
mod on_links;
mod part;
mod queues;
mod recency;
mod reset;
mod standstill;
mod word;

pub use adaptive::Allocator;
pub use error::ReferenceError;
pub use flit::{Beat, Delivery, FlitRef};
pub use matched::Matched;
pub use standstill::Standstill;

use crate::measure::Crossing;
use crate::terminals::TerminalSet;
use adaptive::Adaptive;
use cycle::Clocked;
use flit::Flit;
use hops::Hops;
use layout::Layout;
use offer::TerminalState;
use part::Parts;
use turnpike_fabric::plan::draw::Generator;
use turnpike_fabric::plan::{FabricPlan, Pipeline};
use turnpike_network::topology::{Node, Terminal};

/// Flits inside from which on several threads are worth waking.
const MANY_FLITS: u64 = 1 << 12;

/// The model of one fabric.
#[derive(Debug)]
pub struct Reference {
    layout: Layout,
    hops: Hops,
    /// Whether headers are kept in words of their own.
    is_wide: bool,
    /// Whether the injector has a register stage.
    registered: bool,
    /// Registers in the switches.
    pipeline: Pipeline,

    /// The switches, with all that they hold.
    parts: Parts,

    terminals: Vec<TerminalState>,
    /// Generators of the terminals' draws; empty where packets draw nothing.
    generators: Vec<Generator>,
    /// The register stage in front of the injection queue, where there is one.
    stages: Vec<Flit>,
    staged: TerminalSet,
    offered: TerminalSet,
    /// Beats that were accepted, with the injection queue, or the terminal where there is a stage.
    accepted: Vec<(u32, Flit)>,

    /// Flits in the output registers of terminals.
    ejecting: Vec<Flit>,
    standing: TerminalSet,
    /// Flits that enter injection queues in this cycle, with the queue.
    entering: Vec<(u32, Flit)>,
    deliveries: Vec<Delivery>,

    /// Number of flits that crossed each (output, VC); empty where it is not counted.
    crossings: Vec<u64>,
    cycle: u64,
    flit_hops: u64,
    flits: u64,
    misaddressed: u64,
    /// Whether an injection queue has held a flit.
    held_any: bool,
    progressed: bool,
}

impl Reference {
    /// The fabric after reset: every queue is empty.
    ///
    /// # Errors
    /// [`ReferenceError`] where the plan is larger than the model takes, or inconsistent.
    pub fn new(plan: &FabricPlan) -> Result<Self, ReferenceError> {
        Self::with_allocator(plan, Allocator::Rtl)
    }

    /// Reference router with another allocator in its switches, which counts where the relation is
    /// adaptive.
    ///
    /// # Errors
    /// As [`Reference::new`].
    pub fn with_allocator(plan: &FabricPlan, allocator: Allocator) -> Result<Self, ReferenceError> {
        Self::of(plan, Layout::new(plan)?, allocator)
    }

    fn of(plan: &FabricPlan, layout: Layout, allocator: Allocator) -> Result<Self, ReferenceError> {
        let links = layout.links(plan)?;
        let parts = Parts::new(plan, &layout, allocator, &links);
        let terminals = layout.terminals;
        let registered = plan.registers_injection();
        let pipeline = plan.parameters.pipeline;
        let ejecting = if pipeline.registers_output() { terminals as usize } else { 0 };
        Ok(Self {
            hops: Hops::new(plan, &layout),
            registered,
            pipeline,
            parts,
            terminals: vec![TerminalState::default(); terminals as usize],
            generators: (0..terminals).filter_map(|t| plan.generator(Terminal(t))).collect(),
            stages: if registered { vec![Flit::default(); terminals as usize] } else { Vec::new() },
            staged: TerminalSet::none(terminals),
            offered: TerminalSet::none(terminals),
            accepted: Vec::new(),
            ejecting: vec![Flit::default(); ejecting],
            standing: TerminalSet::none(terminals),
            entering: Vec::new(),
            deliveries: Vec::new(),
            crossings: Vec::new(),
            cycle: 0,
            flit_hops: 0,
            flits: 0,
            misaddressed: 0,
            held_any: false,
            progressed: false,
            is_wide: queues::is_wide(layout.header_bits),
            layout,
        })
    }

    /// Number of addresses of terminals.
    pub fn terminals(&self) -> u32 {
        self.layout.terminals
    }

    /// Whether packets of a terminal may go to an address: that of a terminal that takes packets, and to
    /// which there is a flow where the fabric is for flows. Packets to others are consumed and flagged.
    pub fn sends_to(&self, source: Terminal, address: Terminal) -> bool {
        self.layout.sends_to(source, address)
    }

    /// Whether its tables are far larger than what a core has at hand, so that they are read ahead.
    pub fn is_large(&self) -> bool {
        self.layout.is_large
    }

    /// The cycle that is about to be clocked, from 0.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Ends the cycle: `m_tready` holds the terminals whose sink is ready. Returns what was
    /// taken at the outputs, by ascending terminal.
    pub fn clock(&mut self, m_tready: &TerminalSet) -> &[Delivery] {
        self.deliveries.clear();
        match self.is_wide {
            false => self.move_flits::<false>(m_tready),
            true => self.move_flits::<true>(m_tready),
        }
        self.flits -= self.deliveries.len() as u64;
        self.cycle += 1;
        // Moves go by switch.
        if !self.deliveries.is_sorted_by_key(|delivery| delivery.terminal) {
            self.deliveries.sort_by_key(|delivery| delivery.terminal);
        }
        &self.deliveries
    }

    fn move_flits<const WIDE: bool>(&mut self, m_tready: &TerminalSet) {
        if self.registered {
            self.leave_stages();
        }
        let room = self.pipeline.registers_output().then(|| self.empty_output_registers(m_tready));
        let is_shared_out = self.parts.are_shared_out(self.flits);
        let clocked = Clocked {
            layout: &self.layout,
            cycle: self.cycle,
            pipeline: self.pipeline,
            sinks: room.as_ref().unwrap_or(m_tready),
        };
        self.parts.run(is_shared_out, |part| part.decide::<WIDE>(clocked));
        match self.parts.adaptive().is_some() {
            false => self.arrive_all::<false, WIDE>(),
            true => self.arrive_all::<true, WIDE>(),
        }
    }

    /// Passes over cycles in which nothing is offered to an empty fabric: nothing in it changes.
    ///
    /// # Panics
    /// Where flits are inside.
    pub fn skip(&mut self, cycles: u64) {
        assert_eq!(self.flits, 0, "only an empty fabric stays as it is");
        for part in self.parts.iter_mut() {
            let registers = part.on_links.registers() as u64;
            (0..cycles.min(registers)).for_each(|_| part.see_changes());
        }
        self.cycle += cycles;
    }

    /// Lets all cores clock the fabric from now on, where it is large, packets have no choice, and enough is
    /// inside. Not for callers that clock several fabrics at once: those have the cores already.
    pub fn use_all_cores(&mut self) {
        self.parts.many_flits = MANY_FLITS;
    }

    /// Counts from now on how well the allocator does; costs time.
    pub fn measure_matching(&mut self) {
        self.parts.adaptive_mut().into_iter().for_each(|adaptive| adaptive.measures = true);
    }

    /// Lets an adaptive queue take a packet while it still holds flits of another, which the RTL
    /// does not: for study of what that rule costs.
    pub fn share_adaptive_queues(&mut self) {
        self.parts.adaptive_mut().into_iter().for_each(Adaptive::share_queues);
    }

    /// Counts of the allocator since [`Reference::measure_matching`]; `None` where the relation is
    /// deterministic.
    pub fn matched(&self) -> Option<Matched> {
        self.parts.adaptive().map(|adaptive| adaptive.matched)
    }

    /// Channel crossings so far.
    pub fn flit_hops(&self) -> u64 {
        self.flit_hops
    }

    /// Counts from now on, from 0, what crosses each (output, VC); costs time.
    pub fn count_crossings(&mut self) {
        self.crossings.clear();
        self.crossings.resize(self.layout.fields.all(self.layout.nodes), 0);
    }

    /// Flits that crossed each (output, VC) since [`Reference::count_crossings`], by node; nothing
    /// where they are not counted.
    pub fn crossings(&self) -> impl Iterator<Item = Crossing> + '_ {
        let nodes = if self.crossings.is_empty() { 0 } else { self.layout.nodes };
        (0..nodes).flat_map(move |node| {
            let outputs = self.layout.class(node).port_mask.len();
            (0..outputs).map(move |output_vc| Crossing {
                node: Node(node as u32),
                output_vc,
                flits: self.crossings[self.layout.fields.at(node, output_vc)],
            })
        })
    }

    /// Flits between acceptance and delivery now.
    pub fn flits(&self) -> u64 {
        self.flits
    }

    /// Most flits that any queue has held so far.
    pub fn largest_queue(&self) -> u32 {
        let within = self.parts.iter().map(|part| part.largest_queue).max();
        u32::from(within.unwrap_or(0).max(u16::from(self.held_any)))
    }

    /// Packets consumed at injection because they have a destination of no terminal, or no flow.
    pub fn misaddressed(&self) -> u64 {
        self.misaddressed
    }

    /// Whether a flit moved, was accepted or was delivered in the last cycle, or links with registers
    /// carried word that a queue has room or is full. Where none did
    /// in two cycles in a row with every sink ready, nothing inside moves ever again.
    pub fn progressed(&self) -> bool {
        self.progressed
    }

    /// Flits in a queue at the start of this cycle: `queue` is an index into the `queues` of
    /// the node's switch plan. 0 for one that does not exist.
    pub fn queue_len(&self, node: u32, queue: usize) -> u32 {
        match (node as usize) < self.layout.nodes && queue < self.layout.queue_stride {
            true => {
                let (part, queue) = self.parts.of(self.layout.fields.at(node as usize, queue));
                u32::from(part.queues.count(queue))
            }
            false => 0,
        }
    }
}
