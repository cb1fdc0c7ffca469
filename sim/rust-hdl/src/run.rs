//! Runs a testbench in rust-hdl's `Simulation`.

use crate::file::UnfailingFile;
use crate::hosted::Hosted;
use rust_hdl::core::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_bench::testbench::fabric::{FabricBench, Until};
use turnpike_sim_bench::testbench::terminals::Terminals;
use turnpike_sim_bench::testbench::{Bench, Circuit, Flow, RunError};
use turnpike_sim_network::reference::ReferenceError;
use turnpike_sim_network::stimulus::{Recording, Stimulus};
use turnpike_sim_rtl::waveform::HALF_CYCLE;

/// Reason that a run in rust-hdl did not end well.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The circuit is not as the model, or the run cannot be.
    #[error(transparent)]
    Run(#[from] RunError),
    /// rust-hdl's simulation ended by itself.
    #[error("rust-hdl: {0:?}")]
    Simulation(SimError),
}

impl From<SimError> for HostError {
    fn from(error: SimError) -> Self {
        Self::Simulation(error)
    }
}

impl From<ReferenceError> for HostError {
    fn from(error: ReferenceError) -> Self {
        Self::Run(error.into())
    }
}

/// A block in rust-hdl's simulation, from its testbench. The simulation ends when it is dropped.
pub(crate) struct Simulated<B> {
    endpoint: Sim<B>,
    block: Option<Box<B>>,
}

impl<B> Drop for Simulated<B> {
    fn drop(&mut self) {
        // rust-hdl waits for the block; of a panic it hears otherwise.
        if let Some(block) = self.block.take()
            && !std::thread::panicking()
        {
            let _ = self.endpoint.done(block);
        }
    }
}

impl<B: Block> Simulated<B> {
    /// The block, to be driven and looked at.
    pub(crate) fn block(&mut self) -> Result<&mut B, HostError> {
        Ok(self.block.as_deref_mut().ok_or(SimError::SimTerminated)?)
    }

    /// Lets half a cycle of the clock pass, and the block settle before.
    pub(crate) fn half_cycle(&mut self) -> Result<&mut B, HostError> {
        let block = self.block.take().ok_or(SimError::SimTerminated)?;
        Ok(self.block.insert(self.endpoint.wait(HALF_CYCLE, block)?))
    }
}

impl<C: Circuit> Simulated<Hosted<C>> {
    fn run(&mut self, bench: &mut impl Bench<C>) -> Result<(), HostError> {
        loop {
            let hosted = self.block()?;
            bench.drive(&mut hosted.circuit).map_err(RunError::from)?;
            hosted.clock.next = false.into();
            let hosted = self.half_cycle()?;
            let flow = bench.check(&hosted.circuit).map_err(RunError::from)?;
            hosted.clock.next = true.into();
            self.half_cycle()?;
            if flow == Flow::Done {
                return Ok(());
            }
        }
    }
}

/// Keeps this thread, and those that it will start, on one core. Simulation and testbench hand the
/// circuit to each other in every half cycle, so they never run at once, and a core that has to be
/// woken for it takes several times as long as the step itself.
fn stay_on_one_core() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if !cores.is_empty() {
        // Runs side by side, of this process or of another, are on unlike cores, mostly.
        let run = std::process::id() as usize + RUNS.fetch_add(1, Ordering::Relaxed);
        // Where the system does not let it, it is slower.
        core_affinity::set_for_current(cores[run % cores.len()]);
    }
}

/// Runs a bench on a circuit in rust-hdl's simulation until it is done, and returns the bench.
/// rust-hdl checks the circuit first (`check_all`). With `vcd`, the waveform of every net goes into
/// that file.
///
/// # Errors
/// [`HostError`], the first that there is.
pub fn run<C, B>(circuit: C, bench: B, vcd: Option<&Path>) -> Result<B, HostError>
where
    C: Circuit + Send + 'static,
    B: Bench<C> + Send + 'static,
{
    simulate(Hosted::new(circuit), vcd, move |simulated| {
        let mut bench = bench;
        simulated.run(&mut bench)?;
        Ok(bench)
    })
}

/// Runs a stimulus on a circuit in rust-hdl's simulation, and holds every output of every cycle
/// against the reference router of the plan. The recording is the circuit's and the reference
/// router's alike.
///
/// # Errors
/// [`HostError`]: the first difference, by cycle, terminal and signal.
pub fn run_fabric<C>(
    circuit: C,
    plan: &FabricPlan,
    stimulus: &Arc<Stimulus>,
    until: Until,
    vcd: Option<&Path>,
) -> Result<Recording, HostError>
where
    C: Terminals + Circuit + Send + 'static,
{
    let (plan, stimulus) = (plan.clone(), Arc::clone(stimulus));
    simulate(Hosted::new(circuit), vcd, move |simulated| {
        let mut bench = FabricBench::new(&plan, &stimulus, until)?;
        simulated.run(&mut bench)?;
        Ok(bench.recording())
    })
}

/// Runs a testbench on a block in rust-hdl's simulation, which checks the block first.
pub(crate) fn simulate<B, T, F>(block: B, vcd: Option<&Path>, body: F) -> Result<T, HostError>
where
    B: Block + Send + 'static,
    T: Send + 'static,
    F: FnOnce(&mut Simulated<B>) -> Result<T, HostError> + Send + 'static,
{
    // In a thread of its own, so that the caller's may go on anywhere.
    let ran = std::thread::scope(|scope| {
        let simulation = scope.spawn(|| {
            stay_on_one_core();
            simulate_here(block, vcd, body)
        });
        simulation.join()
    });
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn simulate_here<B, T, F>(block: B, vcd: Option<&Path>, body: F) -> Result<T, HostError>
where
    B: Block + Send + 'static,
    T: Send + 'static,
    F: FnOnce(&mut Simulated<B>) -> Result<T, HostError> + Send + 'static,
{
    let result: Arc<Mutex<Option<Result<T, HostError>>>> = Arc::default();
    let writer = Arc::clone(&result);
    let body = Mutex::new(Some(body));
    let mut simulation = Simulation::new();
    // rust-hdl takes a testbench as `Fn`, but calls it once. It ends when its testbench does.
    simulation.add_testbench(move |endpoint: Sim<B>| {
        let body = body.lock().unwrap_or_else(PoisonError::into_inner).take();
        let block = endpoint.init()?;
        let mut simulated = Simulated { endpoint, block: Some(block) };
        let outcome = body.map(|body| body(&mut simulated));
        drop(simulated);
        *writer.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
        Err(SimError::SimHalted)
    });
    let block = Box::new(block);
    let ran = match vcd {
        None => simulation.run(block, u64::MAX),
        Some(path) => {
            let failed = |error| RunError::vcd(path, error);
            let (file, outcome) = UnfailingFile::create(path).map_err(failed)?;
            let ran = simulation.run_traced(block, u64::MAX, file);
            outcome.check().map_err(failed)?;
            ran
        }
    };
    let outcome = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    outcome.unwrap_or_else(|| Err(ran.err().unwrap_or(SimError::SimTerminated).into()))
}
