//! Runs a testbench in rust-hdl's `Simulation`.

use super::Failure;
use super::waveform::Waveform;
use rust_hdl::core::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use turnpike_sim_rtl::dut::Dut;

/// A rust-hdl circuit with one clock.
pub trait Clocked: Block {
    /// Sets the clock from the next update on.
    fn set_clock(&mut self, high: bool);
}

impl Clocked for Dut {
    fn set_clock(&mut self, high: bool) {
        self.clock.next = high.into();
    }
}

/// Whether a bench goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// With the next cycle.
    On,
    /// No more: all is done.
    Done,
}

/// A testbench over a circuit `C`: twice in each cycle it has a look at it.
pub trait Bench<C> {
    /// Sets the inputs of a cycle, just after the clock's rising edge that begins it. The
    /// outputs that follow from the state alone can be read.
    ///
    /// # Errors
    /// [`Failure`]: the circuit is not as the model.
    fn drive(&mut self, circuit: &mut C) -> Result<(), Failure>;
    /// Reads the outputs, which now follow from the inputs too, before the rising edge that
    /// ends the cycle.
    ///
    /// # Errors
    /// [`Failure`]: the circuit is not as the model.
    fn check(&mut self, circuit: &C) -> Result<Flow, Failure>;
}

/// Half a clock cycle in rust-hdl's picoseconds.
const HALF_CYCLE: u64 = 5_000;

/// Reason that a run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The circuit is not as the model.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// rust-hdl's simulation ended by itself.
    #[error("rust-hdl: {0:?}")]
    Simulation(SimError),
    /// The waveform could not be written.
    #[error("{path}: {error}")]
    Vcd {
        /// The file.
        path: String,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The reference router does not take the plan.
    #[error(transparent)]
    Reference(#[from] turnpike_sim_network::reference::ReferenceError),
}

impl From<SimError> for RunError {
    fn from(error: SimError) -> Self {
        Self::Simulation(error)
    }
}

/// A circuit from its testbench: in rust-hdl's simulation, which ends when it is dropped, or
/// [by itself](directly).
pub struct Simulated<C> {
    /// `None`: by itself.
    endpoint: Option<Sim<C>>,
    circuit: Option<Box<C>>,
}

impl<C> Drop for Simulated<C> {
    fn drop(&mut self) {
        // rust-hdl waits for the circuit; of a panic it hears otherwise.
        if let (Some(endpoint), Some(circuit)) = (&self.endpoint, self.circuit.take())
            && !std::thread::panicking()
        {
            let _ = endpoint.done(circuit);
        }
    }
}

impl<C: Clocked> Simulated<C> {
    /// Runs a bench until it is done.
    ///
    /// # Errors
    /// [`RunError`], the first that there is.
    pub fn run(&mut self, bench: &mut impl Bench<C>) -> Result<(), RunError> {
        loop {
            let circuit = self.circuit.as_mut().ok_or(SimError::SimTerminated)?;
            bench.drive(circuit)?;
            circuit.set_clock(false);
            let circuit = self.advance()?;
            let flow = bench.check(circuit)?;
            circuit.set_clock(true);
            self.advance()?;
            if flow == Flow::Done {
                return Ok(());
            }
        }
    }

    fn advance(&mut self) -> Result<&mut Box<C>, RunError> {
        let mut circuit = self.circuit.take().ok_or(SimError::SimTerminated)?;
        circuit = match &mut self.endpoint {
            Some(endpoint) => endpoint.wait(HALF_CYCLE, circuit)?,
            None => {
                settle(&mut *circuit);
                circuit
            }
        };
        Ok(self.circuit.insert(circuit))
    }
}

/// Updates a circuit until nothing changes any more, as rust-hdl's simulation does after each
/// of its steps.
pub(super) fn settle(circuit: &mut impl Block) {
    while {
        circuit.update_all();
        circuit.has_changed()
    } {}
}

/// Runs `body` as the testbench of a circuit without rust-hdl's simulation: the circuit is
/// updated here, in the caller's thread. That is several times as fast, for rust-hdl hands the
/// circuit to another thread and back in every half cycle.
///
/// # Errors
/// [`RunError`], as `body` has it.
pub fn directly<C: Clocked, T>(
    circuit: C,
    body: impl FnOnce(Simulated<C>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let mut circuit = Box::new(circuit);
    circuit.connect_all();
    settle(&mut *circuit);
    body(Simulated { endpoint: None, circuit: Some(circuit) })
}

/// Simulates a circuit in rust-hdl with `body` as its testbench, and returns what that
/// returns. rust-hdl checks the circuit first (`check_all`). With `vcd`, the waveform of every
/// net goes into that file.
///
/// # Errors
/// [`RunError`], the first that there is.
pub fn simulate<C, T, F>(circuit: C, vcd: Option<&Path>, body: F) -> Result<T, RunError>
where
    C: Clocked + Send + 'static,
    T: Send + 'static,
    F: FnOnce(Simulated<C>) -> Result<T, RunError> + Send + 'static,
{
    // In a thread of its own, so that the caller's may go on anywhere.
    let ran = std::thread::scope(|scope| {
        let simulation = scope.spawn(|| {
            stay_on_one_core();
            simulate_here(circuit, vcd, body)
        });
        simulation.join()
    });
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
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

fn simulate_here<C, T, F>(circuit: C, vcd: Option<&Path>, body: F) -> Result<T, RunError>
where
    C: Clocked + Send + 'static,
    T: Send + 'static,
    F: FnOnce(Simulated<C>) -> Result<T, RunError> + Send + 'static,
{
    let result: Arc<Mutex<Option<Result<T, RunError>>>> = Arc::default();
    let writer = Arc::clone(&result);
    let body = Mutex::new(Some(body));
    let mut simulation = Simulation::new();
    // rust-hdl takes a testbench as `Fn`, but calls it once. It ends when its testbench does.
    simulation.add_testbench(move |endpoint: Sim<C>| {
        let body = body.lock().unwrap_or_else(PoisonError::into_inner).take();
        let circuit = endpoint.init()?;
        let outcome =
            body.map(|body| body(Simulated { endpoint: Some(endpoint), circuit: Some(circuit) }));
        *writer.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
        Err(SimError::SimHalted)
    });
    let circuit = Box::new(circuit);
    let ran = match vcd {
        None => simulation.run(circuit, u64::MAX),
        Some(path) => {
            let failed = |error| RunError::Vcd { path: path.display().to_string(), error };
            let (waveform, outcome) = Waveform::create(path).map_err(failed)?;
            let ran = simulation.run_traced(circuit, u64::MAX, waveform);
            outcome.check().map_err(failed)?;
            ran
        }
    };
    let outcome = result.lock().unwrap_or_else(PoisonError::into_inner).take();
    outcome.unwrap_or_else(|| Err(ran.err().unwrap_or(SimError::SimTerminated).into()))
}

/// Runs a bench on a circuit in rust-hdl until it is done, and returns it; see [`simulate`].
///
/// # Errors
/// [`RunError`], the first that there is.
pub fn run<C, B>(circuit: C, mut bench: B, vcd: Option<&Path>) -> Result<B, RunError>
where
    C: Clocked + Send + 'static,
    B: Bench<C> + Send + 'static,
{
    simulate(circuit, vcd, move |mut simulated| {
        simulated.run(&mut bench)?;
        Ok(bench)
    })
}
