//! Layout of the settings of a slot: each switch has a field in a word of at most 32 bits. each
//! switch has a field in a word of at most 32 bits.
//!
//! A switch of 2 inputs and 2 outputs has one bit: straight (0) or crossed (1). Another has a
//! field for each output: the input that it takes, or the number of inputs where it is idle. Each
//! sink has a bit: whether a word that comes to it in this slot is for it. A field is never split
//! between words, and the words of one group of stages are apart from those of the others, because
//! the groups change their slot one after the other.

use crate::plan::CircuitPlan;
use turnpike_base::bits::bits_for;
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::settings::Settings;

/// Bits of a word of settings, at most.
pub const WORD: u32 = 32;

/// Setting that a field of a word holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FieldSetting {
    /// Whether a switch of 2 inputs and 2 outputs is crossed.
    Crossed { stage: u32, switch: u32 },
    /// Input that an output takes.
    Taken { stage: u32, switch: u32, output: u32 },
    /// Whether a sink takes words.
    Open { sink: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Setting that the field holds.
    pub of: FieldSetting,
    /// The word, from 0.
    pub word: u32,
    /// Lowest bit of the field in the word.
    pub low: u32,
    /// Width in bits.
    pub width: u32,
}

/// A word of settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The group of stages that it sets.
    pub group: u32,
    /// Width in bits, 1 to [`WORD`].
    pub width: u32,
}

/// The settings of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    words: Vec<Word>,
}

impl CircuitPlan {
    /// Layout of the settings of a slot in the memory.
    pub fn layout(&self) -> Layout {
        let mut layout = Layout { fields: Vec::new(), words: Vec::new() };
        let network = &self.network;
        for stage in 0..network.stages() {
            let group = self.group(stage);
            let taken = bits_for(network.inputs(stage) + 1);
            for switch in (0..network.switches(stage)).filter(|&s| !network.is_wire(stage, s)) {
                if self.is_crossing(stage) {
                    layout.push(group, FieldSetting::Crossed { stage, switch }, 1);
                    continue;
                }
                for output in 0..network.outputs(stage) {
                    layout.push(group, FieldSetting::Taken { stage, switch, output }, taken);
                }
            }
        }
        let last = self.groups() - 1;
        (0..self.terminals()).for_each(|sink| layout.push(last, FieldSetting::Open { sink }, 1));
        layout
    }

    /// Whether the switches of a stage have 2 inputs and 2 outputs: one bit sets them.
    pub fn is_crossing(&self, stage: u32) -> bool {
        (self.network.inputs(stage), self.network.outputs(stage)) == (2, 2)
    }
}

impl Layout {
    fn push(&mut self, group: u32, of: FieldSetting, width: u32) {
        match self.words.last_mut() {
            Some(word) if word.group == group && word.width + width <= WORD => word.width += width,
            _ => self.words.push(Word { group, width }),
        }
        let word = self.words.len() as u32 - 1;
        let low = self.words[word as usize].width - width;
        self.fields.push(Field { of, word, low, width });
    }

    /// The fields, by stage, switch and output, those of the sinks last.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Bits of all words together.
    pub fn bits(&self) -> u32 {
        self.words.iter().map(|word| word.width).sum()
    }

    /// The words of a slot with these settings, whose sinks take what `permutation` sends them.
    pub fn encode(&self, settings: &Settings, permutation: &PartialPermutation) -> Vec<u32> {
        let mut open = vec![0; permutation.terminals() as usize];
        permutation.connections().for_each(|c| open[c.sink as usize] = 1);
        let mut words = vec![0; self.words.len()];
        for &Field { of, word, low, .. } in &self.fields {
            let value = match of {
                FieldSetting::Crossed { stage, switch } => {
                    let taken = [0, 1].map(|output| settings.input(stage, switch, output));
                    u32::from(taken[0] == Some(1) || taken[1] == Some(0))
                }
                FieldSetting::Taken { stage, switch, output } => {
                    let idle = settings.inputs(stage);
                    settings.input(stage, switch, output).map_or(idle, u32::from)
                }
                FieldSetting::Open { sink } => open[sink as usize],
            };
            words[word as usize] |= value << low;
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Control, Parameters};
    use turnpike_schedule::network::Network;

    fn plan(network: Network, stages_per_register: u32) -> CircuitPlan {
        let parameters = Parameters { stages_per_register, ..Parameters::default() };
        CircuitPlan::new("n", network, parameters, Control::Memory(4), None).unwrap()
    }

    #[test]
    fn fields_are_whole_and_apart() {
        for network in [Network::benes(5).unwrap(), Network::clos(5, 3, 4).unwrap()] {
            for stages in 0..=3 {
                let plan = plan(network.clone(), stages);
                let layout = plan.layout();
                let mut used = vec![0u64; layout.words().len()];
                for field in layout.fields() {
                    let mask = ((1u64 << field.width) - 1) << field.low;
                    assert!(field.low + field.width <= layout.words()[field.word as usize].width);
                    assert_eq!(used[field.word as usize] & mask, 0, "{field:?}");
                    used[field.word as usize] |= mask;
                }
                for (word, used) in layout.words().iter().zip(used) {
                    assert_eq!(used, (1 << word.width) - 1, "a word without gaps");
                }
            }
        }
    }

    #[test]
    fn settings_of_a_reversal() {
        let network = Network::benes(2).unwrap();
        let permutation = PartialPermutation::whole(&[3, 2, 1, 0]).unwrap();
        let settings = turnpike_schedule::rearrange::rearrange(&network, &permutation).unwrap();
        let plan = plan(network, 0);
        // Two switches in each of three stages, then four sinks: bits 0 to 9.
        let words = plan.layout().encode(&settings, &permutation);
        assert_eq!(words.len(), 1);
        assert_eq!(words[0] >> 6, 0b1111);
        assert_eq!((words[0].count_ones() - 4) % 2, 0, "each path crosses both digits once");
    }
}
