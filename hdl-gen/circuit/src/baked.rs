//! A fixed schedule: which crosspoints its connections take, and in which slots.

use crate::plan::CircuitError;
use std::collections::BTreeMap;
use turnpike_schedule::check::check;
use turnpike_schedule::network::{Lead, Network, Place};
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::settings::Settings;

/// An output of a switch, by stage, switch and output.
pub type Output = (u32, u32, u32);

/// A fixed schedule on a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Baked {
    /// The pattern that makes it; none where it is of a file.
    pattern: Option<String>,
    permutations: Vec<PartialPermutation>,
    settings: Vec<Settings>,
    /// By output that some connection takes: the input that it takes in each slot, `None` in those
    /// in which it is of no use.
    taken: BTreeMap<Output, Vec<Option<u32>>>,
}

/// Crosspoints of a network that a fixed schedule leaves, by how they are built.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Saved {
    /// Crosspoints of all switches of the network.
    pub crosspoints: u32,
    /// Crosspoints that some connection takes: only these are built.
    pub built: u32,
    /// Outputs of switches.
    pub outputs: u32,
    /// Outputs of switches that are a wire from the one input that they ever take.
    pub wires: u32,
    /// Outputs of switches that choose between inputs.
    pub multiplexers: u32,
}

impl Baked {
    /// The schedule of these slots: who is connected to whom, and by which settings. Connections
    /// are followed through the network; what the settings say of other outputs is not built.
    ///
    /// # Errors
    /// [`CircuitError::NoSlots`]; [`CircuitError::Slot`] where settings do not make the
    /// connections of their slot.
    pub fn new(
        network: &Network,
        slots: impl IntoIterator<Item = (PartialPermutation, Settings)>,
    ) -> Result<Self, CircuitError> {
        let slots: Vec<_> = slots.into_iter().collect();
        let mut taken: BTreeMap<Output, Vec<Option<u32>>> = BTreeMap::new();
        for (at, (permutation, settings)) in slots.iter().enumerate() {
            let slot = at as u32;
            check(network, settings, permutation)
                .map_err(|error| CircuitError::Slot { slot, error })?;
            for Connection { source, .. } in permutation.connections() {
                for (output, input) in path(network, settings, source) {
                    let row = taken.entry(output).or_insert_with(|| vec![None; slots.len()]);
                    row[at] = Some(input);
                }
            }
        }
        match slots.len() {
            0 => Err(CircuitError::NoSlots),
            _ => {
                let (permutations, settings) = slots.into_iter().unzip();
                Ok(Self { pattern: None, permutations, settings, taken })
            }
        }
    }

    /// The schedule under the name of the pattern that makes it again. A schedule without a name is
    /// read from a file.
    pub fn named(self, name: &str) -> Self {
        Self { pattern: Some(name.to_owned()), ..self }
    }

    /// The name of its pattern, or `FILE`.
    pub fn name(&self) -> &str {
        self.pattern().unwrap_or("FILE")
    }

    /// The name of its pattern, where it has one.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Connections of the schedule, a line each, the slot first: what tells it from another
    /// schedule.
    pub fn text(&self) -> String {
        let slots = self.permutations.iter().enumerate();
        let lines = slots.flat_map(|(slot, permutation)| {
            permutation.connections().map(move |connection| format!("{slot} {connection}\n"))
        });
        lines.collect()
    }

    /// Number of slots, at least 1.
    pub fn slots(&self) -> u32 {
        self.permutations.len() as u32
    }

    /// Connections, slot by slot.
    pub fn permutations(&self) -> &[PartialPermutation] {
        &self.permutations
    }

    /// The settings that it was made of, by slot: also those of outputs that nothing goes through.
    pub fn settings(&self) -> &[Settings] {
        &self.settings
    }

    /// The inputs that an output takes, by slot; `None` where no connection ever takes it.
    pub fn taken(&self, output: Output) -> Option<&[Option<u32>]> {
        self.taken.get(&output).map(Vec::as_slice)
    }

    /// Crosspoints of `network` that are built for the schedule.
    pub fn saved(&self, network: &Network) -> Saved {
        let mut saved = Saved::default();
        for stage in 0..network.stages() {
            let [switches, inputs, outputs] =
                [network.switches(stage), network.inputs(stage), network.outputs(stage)];
            let switches = (0..switches).filter(|&s| !network.is_wire(stage, s)).count() as u32;
            saved.crosspoints += switches * inputs * outputs;
            saved.outputs += switches * outputs;
        }
        for (&(stage, switch, _), row) in &self.taken {
            if network.is_wire(stage, switch) {
                continue;
            }
            let inputs = inputs(row).len() as u32;
            saved.built += inputs;
            saved.wires += u32::from(inputs == 1);
            saved.multiplexers += u32::from(inputs > 1);
        }
        saved
    }
}

/// The inputs that an output takes in some slot, ascending.
pub fn inputs(row: &[Option<u32>]) -> Vec<u32> {
    let mut inputs: Vec<u32> = row.iter().copied().flatten().collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

/// The outputs that a source's word goes through, each with the input that it takes there. The
/// settings are checked.
fn path(network: &Network, settings: &Settings, source: u32) -> Vec<(Output, u32)> {
    let mut at = network.entry(source);
    let mut stage = 0;
    let mut path = Vec::new();
    while let Some(Place { switch, port }) = at {
        let mut outputs = settings.switch(stage, switch);
        let output = outputs.position(|input| input.map(u32::from) == Some(port));
        let Some(output) = output else { break };
        let output = output as u32;
        path.push(((stage, switch, output), port));
        at = match network.lead(stage, Place { switch, port: output }) {
            Some(Lead::Input(place)) => Some(place),
            _ => None,
        };
        stage += 1;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_schedule::rearrange::rearrange;

    fn baked(network: &Network, permutations: &[&[u32]]) -> Baked {
        let slot = |sinks: &&[u32]| {
            let permutation = PartialPermutation::whole(sinks).unwrap();
            let settings = rearrange(network, &permutation).unwrap();
            (permutation, settings)
        };
        Baked::new(network, permutations.iter().map(slot)).unwrap()
    }

    #[test]
    fn one_permutation_is_wires() {
        let network = Network::benes(3).unwrap();
        let saved = baked(&network, &[&[7, 6, 5, 4, 3, 2, 1, 0]]).saved(&network);
        assert_eq!((saved.crosspoints, saved.built, saved.outputs), (80, 40, 40));
        assert_eq!((saved.wires, saved.multiplexers), (40, 0));
    }

    #[test]
    fn every_crosspoint_is_taken_by_all_permutations_of_four() {
        let network = Network::benes(2).unwrap();
        let all = crate::testing::permutations(4);
        let all: Vec<&[u32]> = all.iter().map(Vec::as_slice).collect();
        let saved = baked(&network, &all).saved(&network);
        // The looping algorithm leaves one switch of the last stage straight (Waksman).
        assert_eq!((saved.crosspoints, saved.built, saved.wires), (24, 22, 2));
    }

    #[test]
    fn wrong_settings_are_refused() {
        let network = Network::benes(2).unwrap();
        let permutation = PartialPermutation::whole(&[1, 0, 3, 2]).unwrap();
        let other = PartialPermutation::whole(&[0, 1, 2, 3]).unwrap();
        let settings = rearrange(&network, &other).unwrap();
        let error = Baked::new(&network, [(permutation, settings)]).unwrap_err();
        assert!(matches!(error, CircuitError::Slot { slot: 0, .. }), "{error}");
        assert_eq!(Baked::new(&network, []).unwrap_err(), CircuitError::NoSlots);
    }
}
