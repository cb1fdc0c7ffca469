//! Routes of words, by definition.

use super::Word;
use turnpike_circuit::layout::{FieldSetting, Layout};
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_schedule::network::{Lead, Network, Place};

/// Routes of the words of a fabric.
#[derive(Clone, Debug)]
pub(super) struct Routes {
    network: Network,
    layout: Layout,
    control: Control,
    /// By stage, its group.
    groups: Vec<u32>,
}

/// A word on a link, with the terminal that it is for, where it bears it.
type Moving = Option<(Word, u32)>;

impl Routes {
    pub fn new(plan: &CircuitPlan) -> Self {
        Self {
            network: plan.network.clone(),
            layout: plan.layout(),
            control: plan.control.clone(),
            groups: (0..plan.network.stages()).map(|stage| plan.group(stage)).collect(),
        }
    }

    pub fn terminals(&self) -> usize {
        self.network.terminals() as usize
    }

    /// By the words of a slot in a settings memory, whatever they are.
    pub fn by_settings(&self, settings: &[u32], words: &[Option<Word>]) -> Vec<Option<Word>> {
        let network = &self.network;
        let mut taken: Vec<Vec<Option<u32>>> = (0..network.stages())
            .map(|stage| {
                let switch = (0..network.outputs(stage)).map(Some);
                (0..network.switches(stage)).flat_map(|_| switch.clone()).collect()
            })
            .collect();
        let mut open = vec![false; self.terminals()];
        for field in self.layout.fields() {
            let mask = (1 << field.width) - 1;
            let value = settings[field.word as usize] >> field.low & mask;
            match field.of {
                FieldSetting::Crossed { stage, switch } => {
                    for output in 0..2 {
                        let at = (switch * 2 + output) as usize;
                        taken[stage as usize][at] = Some(output ^ value);
                    }
                }
                FieldSetting::Taken { stage, switch, output } => {
                    let outputs = network.outputs(stage);
                    let row = &mut taken[stage as usize][(switch * outputs) as usize..];
                    let doubled = row[..output as usize].contains(&Some(value));
                    let exists = value < network.inputs(stage) && !doubled;
                    row[output as usize] = exists.then_some(value);
                }
                FieldSetting::Open { sink } => open[sink as usize] = value == 1,
            }
        }
        let words = words.iter().map(|word| word.map(|word| (word, 0))).collect();
        let arrived = self.pass(words, |stage, switch, inputs| {
            let outputs = network.outputs(stage);
            let row = &taken[stage as usize][(switch * outputs) as usize..][..outputs as usize];
            row.iter().map(|input| inputs[(*input)? as usize]).collect()
        });
        arrived.iter().zip(open).map(|(word, open)| word.filter(|_| open)).collect()
    }

    /// By a fixed schedule, or by the destinations that words bear. The groups of stages in which
    /// two words needed one output come with it.
    pub fn fixed(
        &self,
        slot: u32,
        words: &[Option<Word>],
        destinations: &[u32],
    ) -> (Vec<Option<Word>>, Vec<u32>) {
        match &self.control {
            Control::Baked(baked) => {
                let mut arrived = vec![None; self.terminals()];
                for connection in baked.permutations()[slot as usize].connections() {
                    arrived[connection.sink as usize] = words[connection.source as usize];
                }
                (arrived, Vec::new())
            }
            Control::SelfRouting => self.by_destinations(words, destinations),
            Control::Memory(_) => unreachable!("its words go by settings"),
        }
    }

    fn by_destinations(
        &self,
        words: &[Option<Word>],
        destinations: &[u32],
    ) -> (Vec<Option<Word>>, Vec<u32>) {
        let Network::Rows(rows) = &self.network else { unreachable!("the plan is checked") };
        let words = words.iter().zip(destinations).map(|(word, &to)| Some(((*word)?, to)));
        let mut conflicts = Vec::new();
        let arrived = self.pass(words.collect(), |stage, _, inputs| {
            let digit = rows.digits()[stage as usize];
            let wants = |at: usize| inputs[at].map(|(_, to)| to >> digit & 1);
            let is_free = rows.is_benes() && stage + 1 < rows.dim();
            let (mut lower, upper_wants, lower_wants) = (inputs[1], wants(0), wants(1));
            if upper_wants.is_some() && upper_wants == lower_wants && !is_free {
                conflicts.push(self.groups[stage as usize]);
                lower = None;
            }
            let straight = match (upper_wants, lower_wants) {
                (Some(wanted), _) => wanted == 0,
                (None, Some(wanted)) => wanted == 1,
                (None, None) => true,
            };
            if straight { vec![inputs[0], lower] } else { vec![lower, inputs[0]] }
        });
        (arrived, conflicts)
    }

    /// Passes words from the sources to the sinks: `switch` says what each switch does.
    fn pass(
        &self,
        words: Vec<Moving>,
        mut switch: impl FnMut(u32, u32, &[Moving]) -> Vec<Moving>,
    ) -> Vec<Option<Word>> {
        let network = &self.network;
        let place = |stage: u32, at: Place| (at.switch * network.inputs(stage) + at.port) as usize;
        let links = |stage| vec![None; (network.switches(stage) * network.inputs(stage)) as usize];
        let mut before: Vec<Moving> = links(0);
        for (source, word) in (0..).zip(words) {
            before[place(0, network.entry(source).expect("a source"))] = word;
        }
        let mut sinks = vec![None; self.terminals()];
        for stage in 0..network.stages() {
            let mut after: Vec<Moving> = links(stage + 1);
            let inputs = network.inputs(stage) as usize;
            for (at, inputs) in (0..).zip(before.chunks(inputs)) {
                let left = match network.is_wire(stage, at) {
                    true => inputs.to_vec(),
                    false => switch(stage, at, inputs),
                };
                for (port, word) in (0..).zip(left) {
                    match network.lead(stage, Place { switch: at, port }).expect("an output") {
                        Lead::Input(to) => after[place(stage + 1, to)] = word,
                        Lead::Sink(sink) => sinks[sink as usize] = word.map(|(word, _)| word),
                    }
                }
            }
            before = after;
        }
        sinks
    }
}
