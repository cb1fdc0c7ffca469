//! Plan of a circuit fabric: a network, the width of its words, and the source of its settings.

use crate::baked::Baked;
use crate::name::default_name;
use turnpike_base::bits::bits_for;
use turnpike_base::names::{NameError, check_fabric_name};
use turnpike_base::range::{self, OutOfRange};
use turnpike_schedule::check::CheckError;
use turnpike_schedule::network::{Network, Rows};

/// The most terminals of a circuit fabric.
pub const MOST_TERMINALS: u32 = 1024;
/// The most bits of `tdata` of all terminals together: vectors wider than this are beyond what
/// IEEE 1364-2005 (section 4.3.1) asks of tools.
pub const MOST_VECTOR_BITS: u32 = 65_536;
/// Slots of a settings memory where none are said.
pub const DEFAULT_SLOTS: u32 = 16;
/// The most slots of a schedule.
pub const MOST_SLOTS: u32 = 1024;
/// The most bits of a settings memory, both of its banks together.
pub const MOST_SETTINGS_BITS: u64 = 1 << 24;
/// The most inputs and outputs of one switch.
pub const MOST_PORTS: u32 = 64;

/// Parameters that a user sets besides the network and the control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Bits of `tdata`, 1 to 1024.
    pub width: u32,
    /// Stages of switches from one stage of registers to the next; 0: no registers, a word is at
    /// its sink in the cycle in which it is offered.
    pub stages_per_register: u32,
    /// Whether the reset is `aresetn`, active low, in place of `rst`.
    pub reset_low: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { width: 32, stages_per_register: 1, reset_low: false }
    }
}

/// Source of the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// A memory of so many slots, 1 to [`MOST_SLOTS`], in two banks, written over AXI4-Lite.
    Memory(u32),
    /// Logic: a schedule that is fixed when the fabric is generated.
    Baked(Baked),
    /// The destination that each word bears.
    SelfRouting,
}

/// A circuit fabric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CircuitPlan {
    /// The name of the top module, and what those of the others begin with.
    pub name: String,
    /// The network in the words of the command line: `benes --dim 4`.
    pub words: String,
    pub network: Network,
    /// Sizes.
    pub parameters: Parameters,
    /// Source of the settings.
    pub control: Control,
    /// The configuration in its canonical form.
    configuration: String,
}

/// Reasons that a circuit fabric cannot be planned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CircuitError {
    #[error(transparent)]
    Name(#[from] NameError),
    /// A number out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// Vectors that are too wide.
    #[error(
        "{terminals} terminals of {width} bits make a vector of more than {MOST_VECTOR_BITS} bits; \
         use at most {fits} bits"
    )]
    Vector {
        /// Number of terminals.
        terminals: u32,
        /// Bits of each.
        width: u32,
        /// Bits that would do.
        fits: u32,
    },
    /// A settings memory that is too large.
    #[error(
        "{slots} slots in two banks take {bits} bits, more than {MOST_SETTINGS_BITS}; \
         use at most {fits} slots"
    )]
    Memory {
        slots: u32,
        /// Bits of both banks.
        bits: u64,
        /// Slots that would do.
        fits: u64,
    },
    /// A network in which words do not find their way.
    #[error("self-routing is for the butterfly and the Benes network of switches of 2 inputs")]
    SelfRouting,
    /// A schedule without slots.
    #[error("the schedule has no slots; give at least one")]
    NoSlots,
    /// Settings that do not connect what they should.
    #[error("slot {slot}: {error}")]
    Slot {
        slot: u32,
        /// Fault of the settings.
        error: CheckError,
    },
}

impl CircuitPlan {
    /// The fabric of a network, under its default name where `name` is `None`. `words` are those
    /// of the command line for the network.
    ///
    /// # Errors
    /// [`CircuitError`]: the first number out of range, or a control that the network does not
    /// take.
    pub fn new(
        words: &str,
        network: Network,
        parameters: Parameters,
        control: Control,
        name: Option<&str>,
    ) -> Result<Self, CircuitError> {
        let name = name.map_or_else(|| default_name(words, parameters, &control), str::to_owned);
        check_fabric_name(&name)?;
        let plan = Self::described(name, words.to_owned(), network, parameters, control);
        plan.check()?;
        Ok(plan)
    }

    /// Plan of the network and the sizes under another control, unchecked, with a name of its own.
    pub fn with_control(&self, name: String, control: Control) -> Self {
        let Self { words, network, parameters, .. } = self.clone();
        Self::described(name, words, network, parameters, control)
    }

    fn described(
        name: String,
        words: String,
        network: Network,
        parameters: Parameters,
        control: Control,
    ) -> Self {
        let configuration = canonical(&words, parameters, &control);
        Self { name, words, network, parameters, control, configuration }
    }

    fn check(&self) -> Result<(), CircuitError> {
        let (terminals, width) = (self.terminals(), self.parameters.width);
        range::check("width", width, 1, 1024)?;
        range::check("number of terminals", terminals, 2, MOST_TERMINALS)?;
        let stages = self.network.stages();
        range::check("stages per register", self.parameters.stages_per_register, 0, stages)?;
        for stage in 0..stages {
            range::check("inputs of a switch", self.network.inputs(stage), 1, MOST_PORTS)?;
            range::check("outputs of a switch", self.network.outputs(stage), 1, MOST_PORTS)?;
        }
        if terminals * width > MOST_VECTOR_BITS {
            let fits = MOST_VECTOR_BITS / terminals;
            return Err(CircuitError::Vector { terminals, width, fits });
        }
        match &self.control {
            Control::Memory(slots) => {
                range::check("number of slots", *slots, 1, MOST_SLOTS)?;
                let each = 2 * u64::from(self.layout().bits());
                let bits = each << self.slot_bits();
                if bits > MOST_SETTINGS_BITS {
                    let fits = 1 << (MOST_SETTINGS_BITS / each).ilog2();
                    return Err(CircuitError::Memory { slots: *slots, bits, fits });
                }
            }
            Control::Baked(baked) => range::check("number of slots", baked.slots(), 1, MOST_SLOTS)?,
            Control::SelfRouting => {
                let finds = |rows: &Rows| {
                    let is_butterfly = rows.digits().iter().copied().eq((0..rows.dim()).rev());
                    rows.radix() == 2 && !rows.is_reduced() && (is_butterfly || rows.is_benes())
                };
                if !matches!(&self.network, Network::Rows(rows) if finds(rows)) {
                    return Err(CircuitError::SelfRouting);
                }
            }
        }
        Ok(())
    }

    /// The words after `turnpike generate` that make this fabric, without its name and the paths
    /// of files: a schedule from a file is `FILE` here, and its digest is in the manifest.
    pub fn canonical(&self) -> String {
        self.configuration.clone()
    }

    /// Terminals, each a source and a sink.
    pub fn terminals(&self) -> u32 {
        self.network.terminals()
    }

    /// Bits of a terminal's number.
    pub fn address_bits(&self) -> u32 {
        bits_for(self.terminals()).max(1)
    }

    /// Slots that a schedule may have; 1 where there is none.
    pub fn slots(&self) -> u32 {
        match &self.control {
            Control::Memory(slots) => *slots,
            Control::Baked(baked) => baked.slots(),
            Control::SelfRouting => 1,
        }
    }

    /// Bits of a slot's number, at least 1.
    pub fn slot_bits(&self) -> u32 {
        bits_for(self.slots()).max(1)
    }

    /// Cycles (of those with `enable` high) from a word at its source to the same word at its
    /// sink: the stages of registers.
    pub fn latency(&self) -> u32 {
        match self.parameters.stages_per_register {
            0 => 0,
            several => self.network.stages().div_ceil(several),
        }
    }

    /// Whether the words that leave a stage go through registers.
    pub fn is_registered(&self, stage: u32) -> bool {
        let last = stage + 1 == self.network.stages();
        match self.parameters.stages_per_register {
            0 => false,
            several => last || (stage + 1).is_multiple_of(several),
        }
    }

    /// Stages of registers before a stage. The stages of one group have their settings changed in
    /// one cycle.
    pub fn group(&self, stage: u32) -> u32 {
        stage.checked_div(self.parameters.stages_per_register).unwrap_or(0)
    }

    /// Number of groups of stages, at least 1.
    pub fn groups(&self) -> u32 {
        self.group(self.network.stages() - 1) + 1
    }
}

/// Canonical form of a configuration.
fn canonical(words: &str, parameters: Parameters, control: &Control) -> String {
    let Parameters { width, stages_per_register, reset_low } = parameters;
    let control = match control {
        Control::Memory(slots) => format!(" --slots {slots}"),
        Control::Baked(baked) => format!(" --baked {}", baked.name()),
        Control::SelfRouting => " --self-routing".to_owned(),
    };
    let reset = if reset_low { " --reset low" } else { "" };
    format!(
        "{words} --kind circuit{control} --width {width} --stages-per-register \
         {stages_per_register}{reset}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(control: Control, parameters: Parameters) -> Result<CircuitPlan, CircuitError> {
        let network = Network::benes(3).unwrap();
        CircuitPlan::new("benes --dim 3", network, parameters, control, None)
    }

    #[test]
    fn registers_and_groups() {
        for (stages, latency, groups) in
            [(0, 0, vec![0; 5]), (1, 5, vec![0, 1, 2, 3, 4]), (2, 3, vec![0, 0, 1, 1, 2])]
        {
            let parameters = Parameters { stages_per_register: stages, ..Parameters::default() };
            let plan = plan(Control::Memory(2), parameters).unwrap();
            assert_eq!(plan.latency(), latency);
            assert_eq!((0..5).map(|stage| plan.group(stage)).collect::<Vec<_>>(), groups);
            let registered = (0..5).filter(|&stage| plan.is_registered(stage)).count();
            assert_eq!(registered as u32, latency);
        }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let base = Parameters::default();
        for (control, parameters, text) in [
            (Control::Memory(0), base, "number of slots 0 is out of range; use 1 to 1024"),
            (Control::Memory(1), Parameters { width: 0, ..base }, "width 0"),
            (Control::Memory(1), Parameters { stages_per_register: 6, ..base }, "use 0 to 5"),
        ] {
            let error = plan(control, parameters).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
        let clos = Network::clos(3, 2, 2).unwrap();
        let refused = CircuitPlan::new("clos", clos, base, Control::SelfRouting, None);
        assert_eq!(refused, Err(CircuitError::SelfRouting));
        let large = Network::benes(10).unwrap();
        let refused = CircuitPlan::new("benes", large, base, Control::Memory(1024), None);
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("use at most 512 slots"), "{text}");
    }
}
