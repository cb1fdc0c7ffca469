//! Checks settings without trusting what made them.
//!
//! Each source sends a token that bears its number, and the tokens are passed on stage by stage as
//! the settings say. The arithmetic of the wiring is written out here once more, from the
//! description of the networks; nothing is shared with the makers but the sizes and the accessors
//! of [`Network`] and [`Settings`].

use crate::network::Network;
use crate::permutation::{Connection, PartialPermutation};
use crate::settings::Settings;

/// Fault of settings, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The permutation is of other terminals.
    #[error("the network has {network} terminals, but the permutation is of {permutation}")]
    Terminals {
        /// Terminals of the network.
        network: u32,
        /// Terminals of the permutation.
        permutation: u32,
    },
    /// The settings are for another number of stages.
    #[error("the network has {network} stages, but the settings are for {settings}")]
    Stages {
        /// Stages of the network.
        network: u32,
        /// Stages of the settings.
        settings: u32,
    },
    /// The settings are for other switches.
    #[error(
        "stage {stage} has {} switches, inputs and outputs, but the settings are for {}",
        join(.network), join(.settings)
    )]
    Sizes {
        stage: u32,
        /// Switches, inputs of each and outputs of each, in the network.
        network: [u32; 3],
        /// Sizes in the settings.
        settings: [u32; 3],
    },
    /// An output takes an input that the switch does not have.
    #[error("stage {stage}, switch {switch}: output {output} takes input {input} of {inputs}")]
    Input {
        stage: u32,
        switch: u32,
        output: u32,
        /// The input that it takes.
        input: u32,
        /// Number of inputs.
        inputs: u32,
    },
    /// Two outputs take one input.
    #[error(
        "stage {stage}, switch {switch}: \
             input {input} feeds both output {first} and output {second}"
    )]
    Twice {
        stage: u32,
        switch: u32,
        input: u32,
        /// The lower output.
        first: u32,
        /// The higher output.
        second: u32,
    },
    /// An output of a switch that is but wires takes an input of another number.
    #[error(
        "stage {stage}, switch {switch} is removed, but its output {output} takes input {input}"
    )]
    Wire {
        stage: u32,
        switch: u32,
        output: u32,
        /// The input that it takes.
        input: u32,
    },
    /// No output takes the input to which a connection came.
    #[error(
        "connection {connection} ends at stage {stage}, switch {switch}: \
             no output takes input {input}"
    )]
    Dropped { connection: Connection, stage: u32, switch: u32, input: u32 },
    /// A connection comes to another sink.
    #[error("connection {connection} comes to sink {reached}")]
    Misled {
        connection: Connection,
        /// The sink that it comes to.
        reached: u32,
    },
}

fn join(sizes: &[u32; 3]) -> String {
    sizes.map(|size| size.to_string()).join(", ")
}

/// Checks that settings join each source of a partial permutation to its sink, that no input
/// feeds two outputs, and that removed switches are straight. Outputs that no connection goes
/// through may take any input that feeds no other.
///
/// # Errors
/// [`CheckError`]: the first thing wrong, by stage and switch, and last by sink.
pub fn check(
    network: &Network,
    settings: &Settings,
    permutation: &PartialPermutation,
) -> Result<(), CheckError> {
    let (ours, others) = (network.terminals(), permutation.terminals());
    if ours != others {
        return Err(CheckError::Terminals { network: ours, permutation: others });
    }
    let sends = |t| permutation.sink(t).map(|_| t);
    let dropped = |source, stage, switch, input| match permutation.sink(source) {
        Some(sink) => {
            let connection = Connection { source, sink };
            Err(CheckError::Dropped { connection, stage, switch, input })
        }
        None => Ok(()),
    };
    let arrived = pass(network, settings, (0..ours).map(sends).collect(), dropped)?;
    for (reached, source) in (0..).zip(arrived) {
        let Some(source) = source else { continue };
        if let Some(sink) = permutation.sink(source).filter(|&sink| sink != reached) {
            return Err(CheckError::Misled { connection: Connection { source, sink }, reached });
        }
    }
    Ok(())
}

/// The source that each sink takes from, by sink, where all sources send; `None` for a sink that
/// nothing comes to. Sources of which nothing arrives are no error here.
///
/// # Errors
/// [`CheckError`] where the settings are not for this network, or an input feeds two outputs.
pub fn sources_by_sink(
    network: &Network,
    settings: &Settings,
) -> Result<Vec<Option<u32>>, CheckError> {
    let all = (0..network.terminals()).map(Some).collect();
    pass(network, settings, all, |_, _, _, _| Ok(()))
}

/// Tokens by the wire that they are on.
type Wires = Vec<Option<u32>>;

/// Passes tokens from the sources, by terminal, to the sinks. `dropped` is told of each that no
/// output takes: the token, the stage, the switch and the input.
fn pass(
    network: &Network,
    settings: &Settings,
    sources: Wires,
    dropped: impl Fn(u32, u32, u32, u32) -> Result<(), CheckError>,
) -> Result<Wires, CheckError> {
    let (ours, theirs) = (network.stages(), settings.stages());
    if ours != theirs {
        return Err(CheckError::Stages { network: ours, settings: theirs });
    }
    let mut tokens = sources;
    for stage in 0..ours {
        let here = Wiring::of(network, stage);
        let sizes = [settings.switches(stage), settings.inputs(stage), settings.outputs(stage)];
        if sizes != here.sizes {
            return Err(CheckError::Sizes { stage, network: here.sizes, settings: sizes });
        }
        let [switches, inputs, outputs] = sizes;
        let mut after: Wires = vec![None; (switches * outputs) as usize];
        let mut fed: Vec<Option<u32>> = vec![None; inputs as usize];
        for switch in 0..switches {
            fed.fill(None);
            for output in 0..outputs {
                let Some(input) = settings.input(stage, switch, output).map(u32::from) else {
                    continue;
                };
                if input >= inputs {
                    return Err(CheckError::Input { stage, switch, output, input, inputs });
                }
                if let Some(first) = fed[input as usize].replace(output) {
                    return Err(CheckError::Twice { stage, switch, input, first, second: output });
                }
                if input != output && here.is_wire(switch) {
                    return Err(CheckError::Wire { stage, switch, output, input });
                }
                let token = tokens[here.before(switch, input) as usize];
                after[here.after(switch, output) as usize] = token;
            }
            for input in (0..inputs).filter(|&input| fed[input as usize].is_none()) {
                if let Some(token) = tokens[here.before(switch, input) as usize] {
                    dropped(token, stage, switch, input)?;
                }
            }
        }
        tokens = after;
    }
    Ok(tokens)
}

/// The wires before and after a stage. Those before the first are the sources, those after the
/// last the sinks.
struct Wiring {
    sizes: [u32; 3],
    kind: Kind,
}

enum Kind {
    /// Wires are rows. `step` rows lie between the rows of ports 0 and 1 of a switch.
    Rows { step: u32, reduced: bool },
    /// Wires after a stage go by its switches, and on one switch by its outputs; `before` is how
    /// many outputs a switch of the stage before has, `None` in the first.
    Clos { before: Option<u32> },
}

impl Wiring {
    fn of(network: &Network, stage: u32) -> Self {
        match network {
            Network::Rows(rows) => {
                let step =
                    (0..rows.digits()[stage as usize]).fold(1, |step, _| step * rows.radix());
                let reduced = rows.is_reduced() && stage >= rows.dim();
                let switches = rows.terminals() / rows.radix();
                let sizes = [switches, rows.radix(), rows.radix()];
                Self { sizes, kind: Kind::Rows { step, reduced } }
            }
            Network::Clos(clos) => {
                let (m, n, r) = (clos.m(), clos.n(), clos.r());
                let (sizes, before) = match stage {
                    0 => ([r, n, m], None),
                    1 => ([m, r, r], Some(m)),
                    _ => ([r, m, n], Some(r)),
                };
                Self { sizes, kind: Kind::Clos { before } }
            }
        }
    }

    /// The wire before an input.
    fn before(&self, switch: u32, input: u32) -> u32 {
        match self.kind {
            Kind::Clos { before: Some(outputs) } => input * outputs + switch,
            Kind::Clos { before: None } => switch * self.sizes[1] + input,
            Kind::Rows { step, .. } => row(step, self.sizes[1], switch, input),
        }
    }

    /// The wire after an output.
    fn after(&self, switch: u32, output: u32) -> u32 {
        match self.kind {
            Kind::Clos { .. } => switch * self.sizes[2] + output,
            Kind::Rows { step, .. } => row(step, self.sizes[2], switch, output),
        }
    }

    /// Whether the switch is removed: that which joins the lowest row of one of the nested
    /// networks, all digits up to the stage's own being 0 there, in its last stage.
    fn is_wire(&self, switch: u32) -> bool {
        match self.kind {
            Kind::Rows { step, reduced: true } => {
                row(step, self.sizes[1], switch, 0).is_multiple_of(step * self.sizes[1])
            }
            _ => false,
        }
    }
}

/// The row of a port of a switch that joins rows `step` apart. Of every `step * radix` rows, the
/// switches are the first `step`.
fn row(step: u32, radix: u32, switch: u32, port: u32) -> u32 {
    let block = switch / step * (step * radix);
    block + port * step + switch % step
}
