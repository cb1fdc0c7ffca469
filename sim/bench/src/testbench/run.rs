//! Runs a testbench on a circuit.

use super::Failure;
use std::io;
use std::path::Path;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::waveform::Waveform;

/// A circuit that a testbench drives: a device under test, and what is known of its ports.
pub trait Circuit {
    /// The device under test.
    fn dut(&self) -> &Dut;
    /// The device under test, to be driven.
    fn dut_mut(&mut self) -> &mut Dut;
}

impl Circuit for Dut {
    fn dut(&self) -> &Dut {
        self
    }

    fn dut_mut(&mut self) -> &mut Dut {
        self
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

/// Reason that a run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The circuit is not as the model.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// The waveform could not be written.
    #[error("{path}: {error}")]
    Vcd {
        /// The file.
        path: String,
        /// Error of the system.
        error: io::Error,
    },
    /// The reference router does not take the plan.
    #[error(transparent)]
    Reference(#[from] turnpike_sim_network::reference::ReferenceError),
}

impl RunError {
    /// The error of a waveform that cannot be written to this path.
    pub fn vcd(path: &Path, error: io::Error) -> Self {
        Self::Vcd { path: path.display().to_string(), error }
    }
}

/// Runs a bench on a circuit until it is done, and returns the bench. With `vcd`, the waveform of
/// every net goes into that file.
///
/// # Errors
/// [`RunError`], the first that there is.
pub fn run<C, B>(mut circuit: C, mut bench: B, vcd: Option<&Path>) -> Result<B, RunError>
where
    C: Circuit,
    B: Bench<C>,
{
    let create = |path| {
        let waveform = Waveform::create(path, circuit.dut());
        waveform.map(|w| (path, w)).map_err(|error| RunError::vcd(path, error))
    };
    let mut waveform = vcd.map(create).transpose()?;
    let mut show = |high, dut: &Dut| match &mut waveform {
        Some((path, waveform)) => {
            waveform.half_cycle(high, dut).map_err(|error| RunError::vcd(path, error))
        }
        None => Ok(()),
    };
    circuit.dut_mut().settle();
    loop {
        bench.drive(&mut circuit)?;
        circuit.dut_mut().settle();
        show(false, circuit.dut())?;
        let flow = bench.check(&circuit)?;
        circuit.dut_mut().clock();
        show(true, circuit.dut())?;
        if flow == Flow::Done {
            break;
        }
    }
    if let Some((path, waveform)) = waveform {
        waveform.finish().map_err(|error| RunError::vcd(path, error))?;
    }
    Ok(bench)
}
