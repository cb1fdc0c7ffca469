//! Destinations of the messages of a round. A new workload is one function and one line in the
//! list; a new permutation a line in [`PERMUTATIONS`].

use super::{WorkloadError, local};
use crate::traffic::random::Random;
use turnpike_analysis::network::Network;
use turnpike_analysis::patterns::{PERMUTATIONS, Permutation, Places};
use turnpike_base::hash::hash;
use turnpike_base::nearest::Nearest;
use turnpike_network::topology::Terminal;

/// One entry of the list of workloads.
#[derive(Clone, Copy)]
pub struct WorkloadKind {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is; the law where destinations are drawn.
    pub summary: &'static str,
    /// Whether a terminal is ever drawn for itself.
    pub to_itself: bool,
    rule: Rule,
}

#[derive(Clone, Copy)]
enum Rule {
    Drawn(fn(&Draw<'_>) -> Result<Vec<u32>, WorkloadError>),
    /// A permutation, the same in every round.
    Fixed(&'static Permutation),
}

/// Every workload there is: those that are drawn, and all permutations.
pub const WORKLOADS: &[WorkloadKind] = &{
    let mut all = [DRAWN[0]; DRAWN.len() + PERMUTATIONS.len()];
    let mut at = 1;
    // No iterator runs at compile time.
    while at < all.len() {
        all[at] = match at < DRAWN.len() {
            true => DRAWN[at],
            false => WorkloadKind::of(&PERMUTATIONS[at - DRAWN.len()]),
        };
        at += 1;
    }
    all
};

const DRAWN: &[WorkloadKind] = &[
    WorkloadKind {
        name: "permutation",
        summary: "each round a permutation of the terminals, all equally likely",
        to_itself: true,
        rule: Rule::Drawn(permutation),
    },
    WorkloadKind {
        name: "random",
        summary: "every destination is equally likely",
        to_itself: true,
        rule: Rule::Drawn(random),
    },
    WorkloadKind {
        name: "local",
        summary: "a terminal at distance d from the source has probability proportional to 2^-d",
        to_itself: false,
        rule: Rule::Drawn(local::draw),
    },
];

/// The entry of that name.
///
/// # Errors
/// [`WorkloadError::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static WorkloadKind, WorkloadError> {
    WORKLOADS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = WORKLOADS.iter().map(|k| k.name).collect();
        WorkloadError::Unknown {
            name: name.to_owned(),
            nearest: Nearest::of(name, names.iter().copied()),
            known: names.join(", "),
        }
    })
}

impl WorkloadKind {
    const fn of(permutation: &'static Permutation) -> Self {
        Self {
            name: permutation.name,
            summary: "every round the permutation of the traffic pattern of this name",
            to_itself: true,
            rule: Rule::Fixed(permutation),
        }
    }

    /// Whether every round is the same.
    pub fn is_fixed(&self) -> bool {
        matches!(self.rule, Rule::Fixed(_))
    }

    /// Every destination: round after round, by source.
    pub(super) fn draw(&self, draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
        match self.rule {
            Rule::Drawn(rule) => rule(draw),
            Rule::Fixed(permutation) => fixed(draw, permutation),
        }
    }
}

/// Setting that destinations are drawn for.
pub(super) struct Draw<'a> {
    pub network: &'a Network,
    /// Terminals that send and take: each destination that is drawn is one of them.
    pub terminals: &'a [u32],
    pub rounds: u32,
    pub seed: u64,
    pub to_itself: bool,
}

impl Draw<'_> {
    /// The stream of one round or one source: what it draws does not depend on how many others
    /// there are.
    pub fn stream(&self, which: u32) -> Random {
        Random::new(hash(self.seed, &[u64::from_be_bytes(*b"workload"), which.into()]))
    }

    /// The error where a lone terminal is not to send to itself.
    fn check_company(&self, workload: &'static str) -> Result<(), WorkloadError> {
        match self.terminals {
            &[lone] if !self.to_itself => Err(self.alone(workload, lone)),
            _ => Ok(()),
        }
    }

    pub fn alone(&self, workload: &'static str, terminal: u32) -> WorkloadError {
        WorkloadError::Alone { workload, label: self.label(terminal) }
    }

    fn label(&self, terminal: u32) -> String {
        self.network.topology().terminal_label(Terminal(terminal))
    }

    /// Number of messages.
    pub fn messages(&self) -> usize {
        self.rounds as usize * self.terminals.len()
    }
}

fn permutation(draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
    draw.check_company("permutation")?;
    let mut all = Vec::with_capacity(draw.messages());
    for round in 0..draw.rounds {
        let mut random = draw.stream(round);
        let mut to = draw.terminals.to_vec();
        loop {
            random.shuffle(&mut to);
            // One in e of all permutations leaves nobody in place, so this ends soon.
            if draw.to_itself || draw.terminals.iter().zip(&to).all(|(from, to)| from != to) {
                break;
            }
        }
        all.append(&mut to);
    }
    Ok(all)
}

fn random(draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
    draw.check_company("random")?;
    let count = draw.terminals.len() as u32;
    let mut all = Vec::with_capacity(draw.messages());
    for round in 0..draw.rounds {
        let mut random = draw.stream(round);
        all.extend((0..count).map(|from| {
            let to = match draw.to_itself {
                true => random.below(count),
                false => {
                    let other = random.below(count - 1);
                    other + u32::from(other >= from)
                }
            };
            draw.terminals[to as usize]
        }));
    }
    Ok(all)
}

/// A permutation that has a name, in every round.
fn fixed(draw: &Draw<'_>, permutation: &Permutation) -> Result<Vec<u32>, WorkloadError> {
    let terminals = draw.terminals;
    let to = permutation.of(&Places::of(draw.network.topology(), terminals.len() as u32))?;
    let round: Vec<u32> = to.into_iter().map(|to| terminals[to as usize]).collect();
    let in_place = terminals.iter().zip(&round).find(|(from, to)| from == to);
    match in_place {
        Some((&terminal, _)) if !draw.to_itself => {
            let (workload, label) = (permutation.name, draw.label(terminal));
            Err(WorkloadError::InPlace { workload, label })
        }
        _ => Ok(round.repeat(draw.rounds as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destinations(workload: &str, rounds: u32, to_itself: bool) -> Vec<Vec<u32>> {
        let network = Network::new("hypercube", 4, None, None).unwrap();
        let terminals: Vec<u32> = (0..16).collect();
        let draw = Draw { network: &network, terminals: &terminals, rounds, seed: 5, to_itself };
        let all = find(workload).unwrap().draw(&draw).unwrap();
        assert_eq!(all.len(), 16 * rounds as usize);
        all.chunks(16).map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn permutations_are_permutations_and_differ() {
        for to_itself in [true, false] {
            let rounds = destinations("permutation", 200, to_itself);
            let mut distinct = std::collections::HashSet::new();
            let mut in_place = 0;
            for round in rounds {
                in_place += (0..).zip(&round).filter(|&(from, &to)| from == to).count();
                assert!(distinct.insert(round.clone()));
                let mut sorted = round;
                sorted.sort_unstable();
                assert_eq!(sorted, (0..16).collect::<Vec<_>>());
            }
            // One in place is what a permutation has in the mean.
            let expected = if to_itself { 150..250 } else { 0..1 };
            assert!(expected.contains(&in_place), "{in_place}");
        }
    }

    #[test]
    fn random_destinations_are_even() {
        for to_itself in [true, false] {
            let mut counts = [0u32; 16];
            destinations("random", 8000, to_itself).iter().for_each(|r| counts[r[3] as usize] += 1);
            assert_eq!(counts[3] > 0, to_itself);
            let expected = if to_itself { 440..560 } else { 470..600 };
            let others = (0..).zip(counts).filter(|&(to, _)| to != 3);
            assert!(others.clone().all(|(_, n)| expected.contains(&n)), "{counts:?}");
        }
    }

    /// More rounds leave those before as they are.
    #[test]
    fn rounds_have_their_own_draws() {
        for name in ["permutation", "random", "local"] {
            let (few, many) = (destinations(name, 3, true), destinations(name, 9, true));
            assert_eq!(few, many[..3], "{name}");
            assert_ne!(many[0], many[1]);
        }
    }

    #[test]
    fn fixed_permutations_stay_and_keep_to_what_they_are() {
        let fixed: Vec<&str> = WORKLOADS.iter().filter(|k| k.is_fixed()).map(|k| k.name).collect();
        assert!(fixed.into_iter().eq(PERMUTATIONS.iter().map(|permutation| permutation.name)));
        for kind in WORKLOADS.iter().filter(|kind| kind.is_fixed()) {
            let rounds = destinations(kind.name, 3, true);
            assert!(rounds.iter().all(|round| *round == rounds[0]));
            let mut sorted = rounds[0].clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..16).collect::<Vec<_>>(), "{}", kind.name);
        }
        assert_eq!(destinations("bit-complement", 1, false)[0][5], 10);
        let network = Network::new("hypercube", 4, None, None).unwrap();
        let terminals: Vec<u32> = (0..16).collect();
        let draw =
            Draw { network: &network, terminals: &terminals, rounds: 1, seed: 5, to_itself: false };
        let error = find("transpose").unwrap().draw(&draw).unwrap_err().to_string();
        assert!(error.contains("'transpose' has 0000 send to itself"), "{error}");
    }

    /// Terminals alone send and take, where some nodes have no terminal, and where one is left.
    #[test]
    fn only_terminals_send_and_take() {
        let network = Network::new("hypercube", 3, None, None).unwrap();
        let drawn = |workload: &str, terminals: &[u32], to_itself| {
            let draw = Draw { network: &network, terminals, rounds: 50, seed: 5, to_itself };
            find(workload).unwrap().draw(&draw)
        };
        for to_itself in [true, false] {
            let to = drawn("random", &[1, 4, 6], to_itself).unwrap();
            assert_eq!(to.len(), 150);
            assert!([1, 4, 6].iter().all(|t| to.contains(t)) && !to.contains(&0));
            for round in drawn("permutation", &[1, 4, 6], to_itself).unwrap().chunks(3) {
                assert!([1, 4, 6].iter().all(|t| round.contains(t)), "{round:?}");
            }
        }
        assert_eq!(drawn("bit-complement", &[3, 5], true).unwrap()[..2], [5, 3]);
        let error = drawn("bit-complement", &[1, 4, 6], true).unwrap_err().to_string();
        assert!(error.contains("needs a power of two"), "{error}");
        for workload in ["permutation", "random"] {
            assert_eq!(drawn(workload, &[4], true).unwrap(), [4; 50]);
            let error = drawn(workload, &[4], false).unwrap_err().to_string();
            assert!(error.contains("100 reaches no other terminal"), "{error}");
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let error = find("permutaton").err().unwrap().to_string();
        assert!(error.contains("did you mean 'permutation'?"), "{error}");
        assert!(error.contains("permutation, random, local"), "{error}");
    }
}
