//! Connections that a testbench of a circuit fabric makes: slots, with their settings.

use crate::File;
use std::fmt::Write;
use turnpike_base::hash::shuffle;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_schedule::clos::FirstFit;
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::rearrange::rearrange;
use turnpike_schedule::self_routing::{greedy, nassimi_sahni};
use turnpike_schedule::settings::Settings;

/// Slots that a testbench goes through, at most, where they are drawn.
const DRAWN: u32 = 24;
/// The source of a sink that takes nothing.
const NONE: u32 = u32::MAX;

/// Slots, as a testbench reads them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vectors {
    /// Number of slots.
    pub slots: u32,
    /// By slot and sink, the source.
    sources: Vec<u32>,
    /// By slot and word; of fabrics with a settings memory.
    settings: Option<Vec<u32>>,
    /// By slot and source, the destination; of fabrics whose words bear it.
    destinations: Option<Vec<u32>>,
}

impl Vectors {
    /// Vectors of a fabric: the slots that are baked, or else drawn ones.
    pub fn of(plan: &CircuitPlan) -> Self {
        match &plan.control {
            Control::Baked(baked) => {
                let mut vectors = Self::default();
                baked.permutations().iter().for_each(|p| vectors.push(p));
                vectors
            }
            Control::Memory(slots) => {
                Self::connecting(plan, draw(plan, (2 * slots + 1).min(DRAWN)))
            }
            Control::SelfRouting => Self::passing(plan, draw(plan, DRAWN)),
        }
    }

    /// Vectors of these permutations, with the settings that connect them.
    pub fn connecting(
        plan: &CircuitPlan,
        slots: impl IntoIterator<Item = (PartialPermutation, Settings)>,
    ) -> Self {
        let layout = plan.layout();
        let mut vectors = Self { settings: Some(Vec::new()), ..Self::default() };
        for (permutation, settings) in slots {
            vectors.push(&permutation);
            let words = layout.encode(&settings, &permutation);
            vectors.settings.get_or_insert_default().extend(words);
        }
        vectors
    }

    /// Vectors of these permutations, for words that route themselves. Every source has a
    /// destination: a sink that a permutation leaves open is not sent to.
    pub fn passing(
        plan: &CircuitPlan,
        slots: impl IntoIterator<Item = (PartialPermutation, Settings)>,
    ) -> Self {
        let mut vectors = Self { destinations: Some(Vec::new()), ..Self::default() };
        for (permutation, _) in slots {
            vectors.push(&permutation);
            let to = |source| permutation.sink(source).unwrap_or(0);
            let row = (0..plan.terminals()).map(to);
            vectors.destinations.get_or_insert_default().extend(row);
        }
        vectors
    }

    fn push(&mut self, permutation: &PartialPermutation) {
        let mut row = vec![NONE; permutation.terminals() as usize];
        permutation.connections().for_each(|c| row[c.sink as usize] = c.source);
        self.sources.extend(row);
        self.slots += 1;
    }

    /// Vectors as files that `$readmemh` reads, for the testbench of the fabric of that name.
    pub fn files(&self, name: &str) -> Vec<File> {
        let lists = [
            ("sources", Some(&self.sources)),
            ("settings", self.settings.as_ref()),
            ("destinations", self.destinations.as_ref()),
        ];
        let lists = lists.into_iter().filter_map(|(what, list)| Some((what, list?)));
        let file = |(what, list): (&str, &Vec<u32>)| {
            let mut contents = String::new();
            for word in list {
                writeln!(contents, "{word:08x}").expect("a string takes any text");
            }
            File { name: format!("{name}_tb_{what}.hex"), contents }
        };
        lists.map(file).collect()
    }
}

/// Permutations that the network has settings for, with these, one at least: drawn ones and rotations, some
/// of them partial. Of a network that does not pass every permutation those that pass by themselves, or
/// as many connections as find a way one after the other.
pub fn draw(plan: &CircuitPlan, slots: u32) -> Vec<(PartialPermutation, Settings)> {
    let terminals = plan.terminals();
    let by_itself = matches!(plan.control, Control::SelfRouting);
    let route = |permutation: &PartialPermutation| match &plan.network {
        Network::Rows(rows) if by_itself && rows.is_benes() => {
            nassimi_sahni(&plan.network, permutation).ok()
        }
        network if by_itself => greedy(network, permutation).ok(),
        network => {
            let found = rearrange(network, permutation);
            found.ok().or_else(|| greedy(network, permutation).ok())
        }
    };
    let mut drawn = Vec::new();
    // Fewer where the network passes few.
    for seed in 0..50 * u64::from(slots) {
        let sinks = match seed % 2 {
            0 => shuffled(terminals, seed),
            _ => (0..terminals).map(|t| (t + seed as u32 / 2) % terminals).collect(),
        };
        let all = (0..).zip(&sinks);
        let some = all.filter(|(source, _)| by_itself || seed % 4 < 3 || (source + seed) % 3 > 0);
        let connection = |(source, &sink): (u64, &u32)| Connection { source: source as u32, sink };
        let permutation = PartialPermutation::new(terminals, some.map(connection));
        let permutation = permutation.expect("terminals of the network, each once");
        match route(&permutation) {
            Some(settings) => drawn.push((permutation, settings)),
            None => drawn.extend(some_of(plan, &permutation)),
        }
        if drawn.len() == slots as usize {
            break;
        }
    }
    drawn
}

/// Connections of a permutation, in the order of their sources, that find a way through a Clos
/// network one after the other; none of another network.
fn some_of(
    plan: &CircuitPlan,
    permutation: &PartialPermutation,
) -> Option<(PartialPermutation, Settings)> {
    let mut fit = FirstFit::new(&plan.network).ok()?;
    let found: Vec<Connection> =
        permutation.connections().filter(|&connection| fit.connect(connection).is_ok()).collect();
    let found = PartialPermutation::new(plan.terminals(), found).ok()?;
    Some((found, fit.settings()))
}

/// The numbers up to `of` in an order that follows from a seed.
fn shuffled(of: u32, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let mut list: Vec<u32> = (0..of).collect();
    shuffle(&mut list, &mut state);
    list
}
