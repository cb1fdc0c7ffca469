//! The parts that the switches of a fabric share, each module made once.

use crate::plan::{FabricPlan, Parameters, QueueSize};
use crate::rtl::fifo::{self, Shape};
use crate::rtl::link::{self, LinkShape};
use crate::rtl::mux::{self, Stages};
use crate::rtl::{arbiter, store};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Module, RtlError};

/// Modules by kind and size.
#[derive(Debug)]
pub struct Parts {
    prefix: String,
    flit_width: u32,
    parameters: Parameters,
    arbiters: BTreeMap<u32, Arc<Module>>,
    registered_arbiters: BTreeMap<u32, Arc<Module>>,
    matrix_arbiters: BTreeMap<u32, Arc<Module>>,
    fifos: BTreeMap<(bool, u32, QueueSize), Arc<Module>>,
    muxes: BTreeMap<u32, Arc<Module>>,
    stores: BTreeMap<u32, Arc<Module>>,
    links: BTreeMap<(u32, LinkShape), Arc<Module>>,
    stages: Stages,
}

impl Parts {
    /// An empty set of parts.
    pub fn new(plan: &FabricPlan) -> Self {
        Self {
            prefix: plan.name.clone(),
            flit_width: plan.flit_width(),
            parameters: plan.parameters,
            arbiters: BTreeMap::new(),
            registered_arbiters: BTreeMap::new(),
            matrix_arbiters: BTreeMap::new(),
            fifos: BTreeMap::new(),
            muxes: BTreeMap::new(),
            stores: BTreeMap::new(),
            links: BTreeMap::new(),
            stages: Stages::default(),
        }
    }

    /// A queue for words of `width` bits, in a shift register or in a memory.
    pub(super) fn fifo(
        &mut self,
        shift: bool,
        width: u32,
        size: QueueSize,
    ) -> Result<Arc<Module>, RtlError> {
        let QueueSize { depth, in_flight } = size;
        let shape = Shape { shift, in_flight, ..Shape::ram(depth) };
        let prefix = &self.prefix;
        once(&mut self.fifos, (shift, width, size), || fifo::fifo(prefix, width, shape))
    }

    /// The registers of a queue's data: flits without their last-flit mark.
    pub(super) fn store(&mut self, depth: u32) -> Result<Arc<Module>, RtlError> {
        let Self { prefix, flit_width, parameters, stages, .. } = self;
        let width = *flit_width - 1;
        once(&mut self.stores, depth, || store::store(prefix, width, depth, parameters.mux, stages))
    }

    /// Registers of a channel.
    pub(crate) fn link(&mut self, width: u32, shape: LinkShape) -> Result<Arc<Module>, RtlError> {
        let prefix = &self.prefix;
        once(&mut self.links, (width, shape), || link::link(prefix, width, shape))
    }

    /// An arbiter whose choice counts in the same cycle.
    pub(super) fn arbiter(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        let prefix = &self.prefix;
        once(&mut self.arbiters, n, || arbiter::arbiter(prefix, n))
    }

    /// An arbiter whose choice counts from the next cycle on.
    pub(super) fn registered_arbiter(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        let prefix = &self.prefix;
        let granting = self.parameters.pipeline.granting();
        once(&mut self.registered_arbiters, n, || arbiter::arbiter_of(granting, prefix, n))
    }

    /// An arbiter of an adaptive switch.
    pub(super) fn matrix_arbiter(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        let prefix = &self.prefix;
        once(&mut self.matrix_arbiters, n, || arbiter::matrix_arbiter(prefix, n))
    }

    /// A multiplexer of flits.
    pub(super) fn mux(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        let Self { prefix, flit_width, parameters, stages, .. } = self;
        once(&mut self.muxes, n, || mux::mux(prefix, n, *flit_width, parameters.mux, stages))
    }
}

fn once<K: Ord>(
    made: &mut BTreeMap<K, Arc<Module>>,
    key: K,
    make: impl FnOnce() -> Result<Arc<Module>, RtlError>,
) -> Result<Arc<Module>, RtlError> {
    if let Some(module) = made.get(&key) {
        return Ok(Arc::clone(module));
    }
    let module = make()?;
    made.insert(key, Arc::clone(&module));
    Ok(module)
}
