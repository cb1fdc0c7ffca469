//! The testbench of a whole fabric: a stimulus at its terminals, every output held against the
//! reference router in every cycle, and the digest of what came out.

use super::failure::words;
use super::terminals::{Terminals, apply};
use super::{Bench, Circuit, Failure, Flow, RunError, run};
use std::path::Path;
use turnpike_fabric::plan::{FabricPlan, FlitField};
use turnpike_sim_network::stimulus::{
    Driver, FabricModel, Inputs, Recording, ReferenceModel, Stimulus,
};

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// After that many cycles.
    Cycle(u64),
    /// Run until every flit of the stimulus has been delivered; that many cycles are too many.
    Delivered(u64),
}

/// The reference router's word on a cycle: `s_tready`, `s_error`, and the flit where
/// `m_tvalid`, by terminal.
#[derive(Debug, Default)]
struct Prediction {
    ready: Vec<bool>,
    error: Vec<bool>,
    valid: Vec<bool>,
    /// [`Stimulus::flit_words`] per terminal.
    flits: Vec<u64>,
}

/// The bench of `rtl::fabric`.
#[derive(Debug)]
pub struct FabricBench<'a> {
    stimulus: &'a Stimulus,
    reference: ReferenceModel<'a>,
    driver: Driver<'a>,
    prediction: Prediction,
    until: Until,
    reset: bool,
    flit: Vec<u64>,
    digests: Vec<u64>,
    /// Called with every cycle done.
    observer: Option<Observer>,
}

/// Observer of a run's progress: it is called with the number of cycles done.
pub struct Observer(Box<dyn FnMut(u64) + Send>);

impl Observer {
    /// Calls `f`.
    pub fn new(f: impl FnMut(u64) + Send + 'static) -> Self {
        Self(Box::new(f))
    }
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Observer")
    }
}

impl<'a> FabricBench<'a> {
    /// A bench for the fabric of a plan.
    ///
    /// # Errors
    /// [`turnpike_sim_network::reference::ReferenceError`] where the reference router cannot take the plan.
    pub fn new(
        plan: &FabricPlan,
        stimulus: &'a Stimulus,
        until: Until,
    ) -> Result<Self, turnpike_sim_network::reference::ReferenceError> {
        Ok(Self {
            stimulus,
            reference: ReferenceModel::new(plan, stimulus)?,
            driver: Driver::new(stimulus),
            prediction: Prediction::default(),
            until,
            reset: true,
            flit: Vec::new(),
            digests: Vec::new(),
            observer: None,
        })
    }

    /// Record of the circuit.
    pub fn recording(self) -> Recording {
        Recording {
            digests: self.digests,
            running: self.driver.running_digest(),
            accepted: self.driver.accepted(),
            delivered: self.driver.delivered(),
        }
    }

    /// The prediction for this cycle, before the reference router is clocked.
    fn predict(&mut self) {
        let p = &mut self.prediction;
        p.ready.clear();
        p.valid.clear();
        p.flits.clear();
        let words = self.stimulus.flit_words();
        for t in 0..self.stimulus.terminals() {
            p.ready.push(self.reference.s_tready(t));
            p.valid.push(self.reference.m_flit(t, &mut p.flits));
            p.flits.resize(words * p.valid.len(), 0);
        }
    }

    /// Holds every output against the prediction.
    fn compare<C: Terminals>(&mut self, circuit: &C, cycle: u64) -> Result<(), Failure> {
        for t in 0..self.stimulus.terminals() {
            self.flit.clear();
            compare_terminal(
                circuit,
                &self.prediction,
                &self.stimulus.fields,
                &mut self.flit,
                t,
                cycle,
            )
            .map_err(|f| Failure { place: format!("terminal {t}"), ..f })?;
        }
        Ok(())
    }

    fn is_idle_under_reset<C: Terminals>(&self, circuit: &C) -> Result<(), Failure> {
        for t in 0..self.stimulus.terminals() {
            let outputs = [
                ("s_axis_tready under reset", circuit.source_ready(t)),
                ("m_axis_tvalid under reset", circuit.sink_valid(t)),
                ("s_axis_error under reset", circuit.source_error(t)),
            ];
            for (signal, found) in outputs {
                super::failure::bit(0, signal, false, found)
                    .map_err(|f| Failure { place: format!("terminal {t}"), ..f })?;
            }
        }
        Ok(())
    }
}

fn compare_terminal<C: Terminals>(
    circuit: &C,
    p: &Prediction,
    fields: &[FlitField],
    flit: &mut Vec<u64>,
    t: u32,
    cycle: u64,
) -> Result<(), Failure> {
    let at = t as usize;
    let bit = |signal, expected, found| super::failure::bit(cycle, signal, expected, found);
    bit("s_axis_tready", p.ready[at], circuit.source_ready(t))?;
    bit("s_axis_error", p.error[at], circuit.source_error(t))?;
    bit("m_axis_tvalid", p.valid[at], circuit.sink_valid(t))?;
    if !p.valid[at] {
        return Ok(());
    }
    circuit.sink_flit(t, flit);
    let mut expected = &p.flits[flit.len() * at..flit.len() * (at + 1)];
    if flit == expected {
        return Ok(());
    }
    let mut found = &flit[..];
    for field in fields {
        let n = field.width.div_ceil(64) as usize;
        let (these, rest) = expected.split_at(n);
        let (those, others) = found.split_at(n);
        (expected, found) = (rest, others);
        words(cycle, format!("m_axis_t{}", field.name), these, those.iter().copied())?;
    }
    Ok(())
}

/// The fabric as the driver sees it: the reference router's outputs, which the circuit's are
/// held against later in the cycle; the inputs go to both.
struct Both<'b, 'a, C> {
    circuit: &'b mut C,
    stimulus: &'a Stimulus,
    reference: &'b mut ReferenceModel<'a>,
    prediction: &'b mut Prediction,
    flit: &'b mut Vec<u64>,
}

impl<C: Terminals> FabricModel for Both<'_, '_, C> {
    fn apply(&mut self, inputs: &Inputs) {
        apply(self.circuit, self.stimulus, inputs, self.flit);
        self.reference.apply(inputs);
        if inputs.reset {
            self.prediction.ready.fill(false);
            self.prediction.valid.fill(false);
        }
        self.prediction.error.clear();
        let errors = (0..self.stimulus.terminals()).map(|t| self.reference.s_error(t));
        self.prediction.error.extend(errors);
    }

    fn s_error(&mut self, terminal: u32) -> bool {
        self.prediction.error[terminal as usize]
    }

    fn s_tready(&mut self, terminal: u32) -> bool {
        self.prediction.ready[terminal as usize]
    }

    fn m_flit(&mut self, terminal: u32, flit: &mut Vec<u64>) -> bool {
        let (at, words) = (terminal as usize, self.stimulus.flit_words());
        let valid = self.prediction.valid[at];
        if valid {
            flit.extend(&self.prediction.flits[words * at..words * (at + 1)]);
        }
        valid
    }

    fn clock(&mut self) {
        self.reference.clock();
    }
}

impl<C: Terminals> Bench<C> for FabricBench<'_> {
    fn drive(&mut self, circuit: &mut C) -> Result<(), Failure> {
        circuit.set_reset(self.reset);
        if self.reset {
            // Everybody is ready and offers: nothing may happen.
            let flit = vec![u64::MAX; self.stimulus.flit_words()];
            for t in 0..self.stimulus.terminals() {
                circuit.set_source(t, Some((t, &flit)));
                circuit.set_sink(t, true);
            }
            return Ok(());
        }
        self.predict();
        let digest = self.driver.step(&mut Both {
            circuit,
            stimulus: self.stimulus,
            reference: &mut self.reference,
            prediction: &mut self.prediction,
            flit: &mut self.flit,
        });
        self.digests.push(digest);
        Ok(())
    }

    fn check(&mut self, circuit: &C) -> Result<Flow, Failure> {
        if self.reset {
            self.reset = false;
            self.is_idle_under_reset(circuit)?;
            return Ok(Flow::On);
        }
        let cycle = self.driver.cycle() - 1;
        // The inputs of this cycle are there: the outputs follow from the state alone.
        self.compare(circuit, cycle)?;
        if let Some(Observer(observer)) = &mut self.observer {
            observer(cycle + 1);
        }
        match self.until {
            Until::Cycle(cycles) if cycle + 1 >= cycles => Ok(Flow::Done),
            Until::Delivered(_) if self.driver.delivered() == self.stimulus.size().1 => {
                Ok(Flow::Done)
            }
            Until::Delivered(most) if cycle + 1 >= most => Err(Failure {
                cycle,
                place: String::new(),
                signal: "flits delivered".to_owned(),
                expected: self.stimulus.size().1.to_string(),
                found: self.driver.delivered().to_string(),
            }),
            _ => Ok(Flow::On),
        }
    }
}

/// Runs a stimulus on a circuit, and holds every output of every cycle against the reference
/// router of the plan. The recording is the circuit's and the reference router's alike. With `vcd`,
/// the waveform of every net goes into that file.
///
/// # Errors
/// [`RunError`]: the first difference, by cycle, terminal and signal.
pub fn run_fabric<C: Terminals + Circuit>(
    circuit: C,
    plan: &FabricPlan,
    stimulus: &Stimulus,
    until: Until,
    vcd: Option<&Path>,
) -> Result<Recording, RunError> {
    let bench = FabricBench::new(plan, stimulus, until)?;
    Ok(run(circuit, bench, vcd)?.recording())
}

/// Runs a stimulus on a circuit as [`run_fabric`] does, and tells somebody of every cycle.
///
/// # Errors
/// As [`run_fabric`].
pub fn run_fabric_observed<C: Terminals + Circuit>(
    circuit: C,
    plan: &FabricPlan,
    stimulus: &Stimulus,
    until: Until,
    vcd: Option<&Path>,
    observer: Observer,
) -> Result<Recording, RunError> {
    let mut bench = FabricBench::new(plan, stimulus, until)?;
    bench.observer = Some(observer);
    Ok(run(circuit, bench, vcd)?.recording())
}
