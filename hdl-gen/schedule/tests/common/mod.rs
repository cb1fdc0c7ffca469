//! What several tests need.
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::settings::Settings;

/// All permutations of the numbers below `size`.
pub fn permutations(size: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for next in 0..size {
        let longer = all.iter().flat_map(|shorter: &Vec<u32>| {
            (0..=shorter.len()).map(move |place| {
                let mut longer = shorter.clone();
                longer.insert(place, next);
                longer
            })
        });
        all = longer.collect();
    }
    all
}

/// All partial permutations of the numbers below `size`.
pub fn partial_permutations(size: u32) -> Vec<PartialPermutation> {
    let mut all: Vec<Vec<Connection>> = vec![vec![]];
    for source in 0..size {
        let mut more = all.clone();
        for partial in &all {
            for sink in (0..size).filter(|&sink| partial.iter().all(|c| c.sink != sink)) {
                let connection = Connection { source, sink };
                more.push(partial.iter().copied().chain([connection]).collect());
            }
        }
        all = more;
    }
    all.into_iter().map(|partial| PartialPermutation::new(size, partial).unwrap()).collect()
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number below `bound`, nearly uniform.
pub fn below(rng: &mut ChaCha8Rng, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// A permutation of the numbers below `size`.
pub fn shuffled(size: u32, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut all: Vec<u32> = (0..size).collect();
    for last in (1..size).rev() {
        all.swap(last as usize, below(rng, last + 1) as usize);
    }
    all
}

/// A partial permutation in which a source sends with a chance of `eighths` eighths.
pub fn partial(size: u32, eighths: u32, rng: &mut ChaCha8Rng) -> PartialPermutation {
    let pairs = (0..).zip(shuffled(size, rng));
    let chosen: Vec<Connection> = pairs
        .filter(|_| below(rng, 8) < eighths)
        .map(|(source, sink)| Connection { source, sink })
        .collect();
    PartialPermutation::new(size, chosen).unwrap()
}

/// Settings of a network of switches of 2 inputs, crossed where the bit of `crossed` is 1, which
/// counts the switches that are there by stage.
pub fn two_by_two(network: &Network, crossed: impl Fn(u32) -> bool) -> Settings {
    let mut settings = Settings::idle(network);
    let mut index = 0;
    for stage in 0..network.stages() {
        for switch in 0..network.switches(stage) {
            let wire = network.is_wire(stage, switch);
            let cross = u16::from(!wire && crossed(index));
            index += u32::from(!wire);
            settings.set(stage, switch, 0, Some(cross)).unwrap();
            settings.set(stage, switch, 1, Some(1 - cross)).unwrap();
        }
    }
    settings
}

/// Settings of a network of square switches in which no output is idle.
pub fn any_settings(network: &Network, rng: &mut ChaCha8Rng) -> Settings {
    let mut settings = Settings::idle(network);
    for stage in 0..network.stages() {
        for switch in 0..network.switches(stage) {
            let mut inputs = shuffled(network.inputs(stage), rng);
            if network.is_wire(stage, switch) {
                inputs.sort_unstable();
            }
            for (output, input) in (0..).zip(inputs) {
                settings.set(stage, switch, output, Some(input as u16)).unwrap();
            }
        }
    }
    settings
}

/// Exchanges what the two outputs of a switch take.
pub fn flip(settings: &mut Settings, stage: u32, switch: u32) {
    let taken: Vec<Option<u16>> = settings.switch(stage, switch).collect();
    settings.set(stage, switch, 0, taken[1]).unwrap();
    settings.set(stage, switch, 1, taken[0]).unwrap();
}
