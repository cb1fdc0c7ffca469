//! The reference model of a bus fabric, of a grid, of a split&hash network, or of one bus for flows.

use super::leveled::Leveled;
use super::one_bus::OneBus;
use super::{Counts, Model, Offer, Word};
use turnpike_bus::{BusPlan, Layout};

/// A fabric's state.
#[derive(Clone, Debug)]
pub enum FabricModel {
    /// State of a grid.
    Grid(Model),
    /// State of a split&hash network.
    Leveled(Leveled),
    /// State of one bus for flows.
    OneBus(OneBus),
}

impl FabricModel {
    /// A fabric after its reset.
    pub fn new(plan: &BusPlan) -> Self {
        match &plan.layout {
            Layout::Lines => Self::Grid(Model::new(plan)),
            Layout::OneBus(flows) => Self::OneBus(OneBus::new(plan, flows)),
            Layout::Leveled(funnels) => Self::Leveled(Leveled::new(plan, funnels)),
        }
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        match self {
            Self::Grid(model) => model.reset(),
            Self::Leveled(model) => model.reset(),
            Self::OneBus(model) => model.reset(),
        }
    }

    /// Whether a source may send a word in this cycle.
    pub fn ready(&self, terminal: u32) -> bool {
        match self {
            Self::Grid(model) => model.ready(terminal),
            Self::Leveled(model) => model.ready(terminal),
            Self::OneBus(model) => model.ready(terminal),
        }
    }

    /// The word that a sink is offered in this cycle.
    pub fn offered(&self, terminal: u32) -> Option<Word> {
        match self {
            Self::Grid(model) => model.offered(terminal),
            Self::Leveled(model) => model.offered(terminal),
            Self::OneBus(model) => model.offered(terminal),
        }
    }

    /// Counts since the reset.
    pub fn counts(&self) -> Counts {
        match self {
            Self::Grid(model) => model.counts(),
            Self::Leveled(model) => model.counts(),
            Self::OneBus(model) => model.counts(),
        }
    }

    /// One cycle: by terminal, what its source offers, and whether its sink takes a word.
    pub fn clock(&mut self, offers: &[Option<Offer>], takes: &[bool]) {
        match self {
            Self::Grid(model) => model.clock(offers, takes),
            Self::Leveled(model) => model.clock(offers, takes),
            Self::OneBus(model) => model.clock(offers, takes),
        }
    }
}
