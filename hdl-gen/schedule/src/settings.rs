//! Settings of a network in one slot: for each output of each switch the input that it takes.

use crate::network::Network;

/// Settings of a network in one slot. Two bytes for each output of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    stages: Vec<Stage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Stage {
    inputs: u32,
    outputs: u32,
    /// The input that each output takes, the outputs of one switch after those of the other;
    /// [`IDLE`] where none. No switch has as many inputs ([`crate::network::MOST_PORTS`]).
    taken: Vec<u16>,
}

const IDLE: u16 = u16::MAX;

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// An output that the network does not have.
    #[error("there is no output {output} of switch {switch} in stage {stage}")]
    Output { stage: u32, switch: u32, output: u32 },
    /// The switch has no such input.
    #[error("input {input} of switch {switch} in stage {stage} is out of range; use 0 to {last}")]
    Input {
        stage: u32,
        switch: u32,
        input: u16,
        /// The last input there is.
        last: u32,
    },
}

impl Settings {
    /// The settings in which all outputs are idle.
    pub fn idle(network: &Network) -> Self {
        let stage = |s| {
            let (inputs, outputs) = (network.inputs(s), network.outputs(s));
            Stage { inputs, outputs, taken: vec![IDLE; (network.switches(s) * outputs) as usize] }
        };
        Self { stages: (0..network.stages()).map(stage).collect() }
    }

    /// Number of stages.
    pub fn stages(&self) -> u32 {
        self.stages.len() as u32
    }

    /// Number of switches of a stage; 0 where there is no such stage.
    pub fn switches(&self, stage: u32) -> u32 {
        self.stage(stage).map_or(0, |s| s.taken.len() as u32 / s.outputs)
    }

    /// Number of inputs of each switch of a stage; 0 where there is no such stage.
    pub fn inputs(&self, stage: u32) -> u32 {
        self.stage(stage).map_or(0, |s| s.inputs)
    }

    /// Number of outputs of each switch of a stage; 0 where there is no such stage.
    pub fn outputs(&self, stage: u32) -> u32 {
        self.stage(stage).map_or(0, |s| s.outputs)
    }

    /// The input that an output takes; `None` where it is idle, or there is no such output.
    pub fn input(&self, stage: u32, switch: u32, output: u32) -> Option<u16> {
        let stage = self.stage(stage)?;
        Some(stage.taken[stage.index(switch, output)?]).filter(|&input| input != IDLE)
    }

    /// The inputs that the outputs of a switch take, by output; none where there is no such
    /// switch.
    pub fn switch(&self, stage: u32, switch: u32) -> impl Iterator<Item = Option<u16>> {
        let outputs = if switch < self.switches(stage) { self.outputs(stage) } else { 0 };
        (0..outputs).map(move |output| self.input(stage, switch, output))
    }

    /// Lets an output take an input, or none. Whether another output takes it already is not
    /// looked at; that is for [`crate::check`].
    ///
    /// # Errors
    /// [`SettingsError`] where there is no such output or input.
    pub fn set(
        &mut self,
        stage: u32,
        switch: u32,
        output: u32,
        input: Option<u16>,
    ) -> Result<(), SettingsError> {
        let there = self.stages.get_mut(stage as usize);
        let found = there.and_then(|there| Some((there.index(switch, output)?, there)));
        let Some((index, there)) = found else {
            return Err(SettingsError::Output { stage, switch, output });
        };
        if let Some(input) = input.filter(|&input| u32::from(input) >= there.inputs) {
            let last = there.inputs - 1;
            return Err(SettingsError::Input { stage, switch, input, last });
        }
        there.taken[index] = input.unwrap_or(IDLE);
        Ok(())
    }

    /// Sets an output as [`Settings::set`] does, of an output and an input that there are.
    pub(crate) fn connect(&mut self, stage: u32, switch: u32, output: u32, input: u32) {
        let stage = &mut self.stages[stage as usize];
        debug_assert!(output < stage.outputs && input < stage.inputs);
        stage.taken[(switch * stage.outputs + output) as usize] = input as u16;
    }

    fn stage(&self, stage: u32) -> Option<&Stage> {
        self.stages.get(stage as usize)
    }
}

impl Stage {
    fn index(&self, switch: u32, output: u32) -> Option<usize> {
        let first = u64::from(switch) * u64::from(self.outputs);
        let index = usize::try_from(first + u64::from(output)).ok()?;
        (output < self.outputs && index < self.taken.len()).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_there() {
        let mut settings = Settings::idle(&Network::clos(3, 2, 4).unwrap());
        assert_eq!((settings.stages(), settings.switches(0), settings.switches(1)), (3, 4, 3));
        assert_eq!((settings.inputs(0), settings.outputs(0), settings.outputs(3)), (2, 3, 0));
        settings.set(0, 3, 2, Some(1)).unwrap();
        assert_eq!(settings.input(0, 3, 2), Some(1));
        assert_eq!(settings.switch(0, 3).collect::<Vec<_>>(), [None, None, Some(1)]);
        assert_eq!(settings.switch(0, 4).count(), 0);
        settings.set(0, 3, 2, None).unwrap();
        assert_eq!(settings, Settings::idle(&Network::clos(3, 2, 4).unwrap()));
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let mut settings = Settings::idle(&Network::clos(3, 2, 4).unwrap());
        for (stage, switch, output) in [(3, 0, 0), (0, 4, 0), (0, 0, 3), (0, u32::MAX, u32::MAX)] {
            assert_eq!(settings.input(stage, switch, output), None);
            let error = SettingsError::Output { stage, switch, output };
            assert_eq!(settings.set(stage, switch, output, None), Err(error));
        }
        for input in [2, u16::MAX] {
            let text = settings.set(0, 0, 0, Some(input)).unwrap_err().to_string();
            let range = "switch 0 in stage 0 is out of range; use 0 to 1";
            assert_eq!(text, format!("input {input} of {range}"));
        }
    }
}
