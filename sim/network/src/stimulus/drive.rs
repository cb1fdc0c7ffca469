//! A stimulus applied to a model of a fabric, whichever it is.

use super::Stimulus;
use crate::reference::{Beat, Reference, ReferenceError};
use crate::terminals::TerminalSet;
use turnpike_base::hash::Fnv;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;

/// A beat that a source offers. [`Stimulus::field`] gives its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputBeat {
    /// The terminal.
    pub source: u32,
    /// Index of the packet of this source, from 0.
    pub index: u32,
    /// Index of the beat in the packet, from 0.
    pub beat: u32,
    /// `tdest`.
    pub destination: u32,
    /// `tlast`.
    pub last: bool,
}

/// Inputs of a model in one cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// By terminal: the beat on offer; `None` where `s_tvalid` is low.
    pub beats: Vec<Option<InputBeat>>,
    /// The terminals whose `m_tready` is high.
    pub m_tready: TerminalSet,
    /// `rst`.
    pub reset: bool,
}

impl Inputs {
    /// Inputs without an offer and without a ready sink.
    pub fn none(terminals: u32) -> Self {
        let m_tready = TerminalSet::none(terminals);
        Self { beats: vec![None; terminals as usize], m_tready, reset: false }
    }
}

/// A fabric seen from its terminals, in whatever way it is simulated. In each cycle
/// [`FabricModel::apply`] takes the inputs, then the outputs are read, then
/// [`FabricModel::clock`] ends the cycle.
pub trait FabricModel {
    /// The inputs of this cycle.
    fn apply(&mut self, inputs: &Inputs);
    /// `s_error` of a terminal: the first beat of a packet to no terminal is taken.
    fn s_error(&mut self, terminal: u32) -> bool;
    /// `s_tready` of a terminal.
    fn s_tready(&mut self, terminal: u32) -> bool;
    /// `m_tvalid` of a terminal; where it is high, the fields of the flit are added to
    /// `flit`, in the order of [`Stimulus::fields`], `(width + 63) / 64` words each.
    fn m_flit(&mut self, terminal: u32, flit: &mut Vec<u64>) -> bool;
    /// The clock edge. A beat on offer is taken where [`FabricModel::s_tready`] was high.
    fn clock(&mut self);
}

/// The reference router as a [`FabricModel`].
#[derive(Debug)]
pub struct ReferenceModel<'a> {
    reference: Reference,
    stimulus: &'a Stimulus,
    /// By source: the identity of its first packet.
    first: Vec<u32>,
    inputs: Inputs,
}

impl<'a> ReferenceModel<'a> {
    /// The reference router of a plan, for this stimulus.
    ///
    /// # Errors
    /// [`ReferenceError`] where the reference router cannot take the plan.
    pub fn new(plan: &FabricPlan, stimulus: &'a Stimulus) -> Result<Self, ReferenceError> {
        let mut total = 0u32;
        let first = stimulus.packets.iter().map(|list| {
            let first = total;
            total = total.wrapping_add(list.len() as u32);
            first
        });
        let first = first.collect();
        let inputs = Inputs::none(stimulus.terminals());
        Ok(Self { first, reference: Reference::new(plan)?, stimulus, inputs })
    }

    /// The reference router, in its state.
    pub fn into_reference(self) -> Reference {
        self.reference
    }

    /// The reference router itself.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The beat that a sink is offered in this cycle, as its source sent it.
    pub fn m_beat(&self, terminal: u32) -> Option<InputBeat> {
        let flit = self.reference.m_flit(terminal).filter(|_| !self.inputs.reset)?;
        // Sources without packets share their first identity with the next one.
        let source = self.first.partition_point(|&first| first <= flit.packet) as u32 - 1;
        Some(InputBeat {
            source,
            index: flit.packet - self.first[source as usize],
            beat: flit.beat,
            destination: terminal,
            last: flit.last,
        })
    }
}

impl FabricModel for ReferenceModel<'_> {
    fn apply(&mut self, inputs: &Inputs) {
        self.inputs.clone_from(inputs);
    }

    fn s_error(&mut self, terminal: u32) -> bool {
        self.inputs.beats[terminal as usize].is_some_and(|beat| {
            let ends = [terminal, beat.destination].map(Terminal);
            let unknown = !self.reference.sends_to(ends[0], ends[1]);
            unknown && beat.beat == 0 && self.s_tready(terminal)
        })
    }

    fn s_tready(&mut self, terminal: u32) -> bool {
        !self.inputs.reset && self.reference.s_ready(terminal)
    }

    fn m_flit(&mut self, terminal: u32, into: &mut Vec<u64>) -> bool {
        let Some(beat) = self.m_beat(terminal) else { return false };
        self.stimulus.flit(&beat, into);
        true
    }

    fn clock(&mut self) {
        if std::mem::take(&mut self.inputs.reset) {
            return self.reference.reset();
        }
        for beat in self.inputs.beats.iter().flatten() {
            let packet = self.first[beat.source as usize] + beat.index;
            let destination = Terminal(beat.destination);
            self.reference.offer(beat.source, Beat { packet, destination, last: beat.last });
        }
        self.reference.clock(&self.inputs.m_tready);
    }
}

#[derive(Clone, Copy, Default, Debug)]
struct Source {
    next: u32,
    beat: u32,
    valid: bool,
}

/// Drives a model with a stimulus, cycle by cycle.
#[derive(Debug)]
pub struct Driver<'a> {
    stimulus: &'a Stimulus,
    sources: Vec<Source>,
    inputs: Inputs,
    flit: Vec<u64>,
    cycle: u64,
    running: Fnv,
    accepted: u64,
    delivered: u64,
}

impl<'a> Driver<'a> {
    /// A driver at cycle 0.
    pub fn new(stimulus: &'a Stimulus) -> Self {
        let terminals = stimulus.terminals();
        Self {
            stimulus,
            sources: vec![Source::default(); terminals as usize],
            inputs: Inputs::none(terminals),
            flit: Vec::new(),
            cycle: 0,
            running: Fnv::default(),
            accepted: 0,
            delivered: 0,
        }
    }

    /// Runs one cycle and returns its digest.
    pub fn step(&mut self, model: &mut dyn FabricModel) -> u64 {
        let mut digest = Fnv::default();
        self.inputs.reset = self.stimulus.is_reset(self.cycle);
        (0..self.stimulus.terminals()).for_each(|t| self.drive(t));
        model.apply(&self.inputs);
        for t in 0..self.stimulus.terminals() {
            let s_tready = model.s_tready(t);
            self.flit.clear();
            let m_tvalid = model.m_flit(t, &mut self.flit);
            let s_error = model.s_error(t);
            digest.byte(u8::from(s_tready) | u8::from(m_tvalid) << 1 | u8::from(s_error) << 2);
            if m_tvalid {
                self.digest_flit(&mut digest);
                self.delivered += u64::from(self.inputs.m_tready.contains(t));
            }
            let source = &mut self.sources[t as usize];
            if s_tready && let Some(beat) = self.inputs.beats[t as usize] {
                source.valid = false;
                source.beat += 1;
                if beat.last {
                    *source = Source { next: source.next + 1, beat: 0, valid: false };
                }
                self.accepted += 1;
            }
            if self.inputs.reset {
                let source = &mut self.sources[t as usize];
                let begun = u32::from(source.beat > 0);
                *source = Source { next: source.next + begun, beat: 0, valid: false };
            }
        }
        model.clock();
        self.cycle += 1;
        self.running.bytes(digest.0, 8);
        digest.0
    }

    /// The inputs of one terminal in this cycle.
    fn drive(&mut self, t: u32) {
        let stimulus = self.stimulus;
        let source = &mut self.sources[t as usize];
        let packet = stimulus.packets[t as usize].get(source.next as usize);
        source.valid = packet.is_some_and(|p| {
            source.valid || (p.release <= self.cycle && !stimulus.pauses(t, self.cycle))
        });
        self.inputs.beats[t as usize] = packet.filter(|_| source.valid).map(|p| InputBeat {
            source: t,
            index: source.next,
            beat: source.beat,
            destination: p.destination,
            last: source.beat + 1 == p.flits,
        });
        self.inputs.m_tready.set(t, stimulus.sink_ready(t, self.cycle));
    }

    fn digest_flit(&self, digest: &mut Fnv) {
        let mut words = self.flit.iter();
        for field in &self.stimulus.fields {
            let mut bytes = field.width.div_ceil(8);
            while bytes > 0 {
                digest.bytes(words.next().copied().unwrap_or(0), bytes.min(8));
                bytes = bytes.saturating_sub(8);
            }
        }
    }

    /// The cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Inputs of the last cycle.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub fn running_digest(&self) -> u64 {
        self.running.0
    }

    /// Flits that the fabric has accepted.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Flits that sinks have taken.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }
}

/// Record of a model under a stimulus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// The digest of each cycle.
    pub digests: Vec<u64>,
    /// The running digest at the end.
    pub running: u64,
    /// Flits that the fabric accepted.
    pub accepted: u64,
    /// Flits that sinks took.
    pub delivered: u64,
}

impl Recording {
    /// The first cycle in which two recordings differ, or in which one has ended.
    pub fn first_difference(&self, other: &Self) -> Option<u64> {
        let pairs = self.digests.iter().zip(&other.digests);
        let shorter = self.digests.len().min(other.digests.len()) as u64;
        let differs = pairs.clone().position(|(a, b)| a != b).map(|at| at as u64);
        differs.or((self.digests.len() != other.digests.len()).then_some(shorter))
    }
}

/// Runs a stimulus on a model for `cycles` cycles.
pub fn record(model: &mut dyn FabricModel, stimulus: &Stimulus, cycles: u64) -> Recording {
    let mut driver = Driver::new(stimulus);
    let digests = (0..cycles).map(|_| driver.step(model)).collect();
    Recording {
        digests,
        running: driver.running_digest(),
        accepted: driver.accepted(),
        delivered: driver.delivered(),
    }
}
