//! The reference model of a circuit fabric: what it does, cycle by cycle, without its stages.
//!
//! A word that enters meets the settings of its slot at once, and waits out the latency: the model
//! does not know how settings travel with the words, which is what it is there to check.

mod axil;
mod routes;
mod stimulus;

pub use axil::{Answer, Bus, BusOutputs, Write};
pub use stimulus::Stimulus;

use axil::Port;
use routes::Routes;
use std::collections::VecDeque;
use turnpike_circuit::plan::{CircuitPlan, Control};

/// A word: whatever tells it from all others.
pub type Word = u64;

/// Inputs of a fabric in a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Whether it is under reset.
    pub reset: bool,
    /// Whether the cycle counts for words.
    pub enable: bool,
    /// By source, the word that is offered.
    pub words: Vec<Option<Word>>,
    /// By source, the destination that its word bears; of self-routing fabrics.
    pub destinations: Vec<u32>,
    /// Signals of the master on the AXI4-Lite port; of fabrics with a settings memory.
    pub bus: Bus,
}

/// Outputs of a fabric in a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// By sink, the word that comes.
    pub words: Vec<Option<Word>>,
    /// Whether `words` follow from settings that were written: a memory starts with anything.
    pub known: bool,
    /// Whether a schedule runs.
    pub running: bool,
    /// The slot of the words that are offered.
    pub offered_slot: u32,
    /// The slot of the words that come.
    pub coming_slot: u32,
    /// The bank of the words that are offered, and that of the words that come.
    pub banks: [u32; 2],
    /// Whether a word was lost.
    pub conflict: bool,
    /// The AXI4-Lite port.
    pub bus: BusOutputs,
}

/// A fabric's state.
#[derive(Clone, Debug)]
pub struct Model {
    routes: Routes,
    latency: usize,
    /// Words on the way: those that come next are in front.
    way: VecDeque<Step>,
    /// Conflicts of words on the way, by the cycles until they show, from 1.
    conflicts: VecDeque<bool>,
    port: Option<Port>,
    slots: u32,
    slot: u32,
}

/// The words of a cycle.
#[derive(Clone, Debug)]
struct Step {
    words: Vec<Option<Word>>,
    slot: u32,
    /// The bank of that slot.
    bank: u32,
    /// Whether a schedule runs.
    runs: bool,
    /// Whether the settings were written.
    known: bool,
}

impl Model {
    /// A fabric after its reset.
    pub fn new(plan: &CircuitPlan) -> Self {
        let port = matches!(plan.control, Control::Memory(_)).then(|| Port::new(plan));
        let mut model = Self {
            routes: Routes::new(plan),
            latency: plan.latency() as usize,
            way: VecDeque::new(),
            conflicts: VecDeque::new(),
            port,
            slots: plan.slots(),
            slot: 0,
        };
        model.reset();
        model
    }

    fn reset(&mut self) {
        let words = vec![None; self.routes.terminals()];
        let step = Step { words, slot: 0, bank: 0, runs: false, known: true };
        self.way = std::iter::repeat_n(step, self.latency).collect();
        self.conflicts = std::iter::repeat_n(false, self.latency).collect();
        self.slot = 0;
        if let Some(port) = &mut self.port {
            port.reset();
        }
    }

    /// The words that enter now, at the sinks that they are bound for, and where they conflict.
    fn enter(&self, inputs: &Inputs) -> (Step, Vec<u32>) {
        let Some(port) = &self.port else {
            let slot = self.slot;
            let (words, conflicts) = self.routes.fixed(slot, &inputs.words, &inputs.destinations);
            return (Step { words, slot, bank: 0, runs: true, known: true }, conflicts);
        };
        let words = match port.running() {
            true => self.routes.by_settings(port.settings(), &inputs.words),
            false => vec![None; self.routes.terminals()],
        };
        let (slot, bank, runs) = (port.slot(), port.bank() as u32, port.running());
        let known = !runs || port.settings_known();
        (Step { words, slot, bank, runs, known }, Vec::new())
    }

    /// Whether words are on the way that go by the bank that does not run.
    fn draining(&self) -> bool {
        let Some(port) = &self.port else { return false };
        self.way.iter().any(|step| step.runs && step.bank != port.bank() as u32)
    }

    /// The bank whose schedule runs; of fabrics with a settings memory.
    pub fn bank(&self) -> Option<usize> {
        self.port.as_ref().map(Port::bank)
    }

    /// Whether a swap of schedules is pending, or a write that may ask for one is under way.
    pub fn is_pending(&self) -> bool {
        self.port.as_ref().is_some_and(Port::is_pending)
    }

    /// Outputs of the fabric under these inputs.
    pub fn outputs(&self, inputs: &Inputs) -> Outputs {
        let entering = self.enter(inputs);
        let coming = self.way.front().unwrap_or(&entering.0);
        Outputs {
            words: coming.words.clone(),
            known: coming.known,
            running: self.port.as_ref().is_some_and(Port::running),
            offered_slot: entering.0.slot,
            coming_slot: coming.slot,
            banks: [entering.0.bank, coming.bank],
            conflict: match self.conflicts.front() {
                Some(conflict) => *conflict,
                None => !entering.1.is_empty(),
            },
            bus: self.port.as_ref().map(|port| port.outputs(inputs.reset)).unwrap_or_default(),
        }
    }

    /// The clock's rising edge that ends a cycle with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.reset {
            return self.reset();
        }
        let (step, conflicts) = self.enter(inputs);
        let draining = self.draining();
        if inputs.enable {
            if self.latency > 0 {
                self.way.push_back(step);
                self.way.pop_front();
                self.conflicts.pop_front();
                self.conflicts.push_back(false);
                // One in the first stages shows in the next cycle.
                conflicts.iter().for_each(|&group| self.conflicts[group as usize] = true);
            }
            self.slot = (self.slot + 1) % self.slots;
        }
        if let Some(port) = &mut self.port {
            port.clock(inputs.enable, draining, &inputs.bus);
        }
    }
}
