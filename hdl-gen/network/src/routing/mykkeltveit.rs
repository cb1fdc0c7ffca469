//! A least set of words that every cycle of a de Bruijn graph passes (Mykkeltveit, A proof of
//! Golomb's conjecture for the de Bruijn graph, J. Combinatorial Theory B 13, 1972): one of the
//! rotations of each word.

use std::f64::consts::TAU;

/// Sums nearer to the real axis than that lie on it.
const NEAR: f64 = 1e-9;

/// Whether a word of three letters or more is in the set.
///
/// A word's letters are weights at the corners of a regular polygon. Rotating the word rotates their
/// sum, and shifting another letter in moves it along the real axis besides. The set holds the words
/// whose sum has come above that axis by the last rotation; of those whose sum is 0, the first of
/// their rotations.
pub fn is_cut(word: &[u32]) -> bool {
    let corners = word.len() as f64;
    let corner = |at: usize| TAU * at as f64 / corners;
    let sum = |part: fn(f64) -> f64, from: usize| -> f64 {
        let letters = word.iter().cycle().skip(from).take(word.len());
        letters.enumerate().map(|(at, &letter)| f64::from(letter) * part(corner(at))).sum()
    };
    let height = |from: usize| sum(f64::sin, from);
    if height(0).abs() < NEAR && sum(f64::cos, 0).abs() < NEAR {
        let rotation = |from: usize| word.iter().cycle().skip(from).take(word.len());
        return (1..word.len()).all(|from| word.iter().le(rotation(from)));
    }
    height(0) > NEAR && height(word.len() - 1) <= NEAR
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::is_cyclic_directed;
    use petgraph::graph::DiGraph;
    use std::collections::BTreeSet;

    fn word(mut number: u32, letters: u32, length: usize) -> Vec<u32> {
        let mut letter = || {
            let letter = number % letters;
            number /= letters;
            letter
        };
        (0..length).map(|_| letter()).collect()
    }

    /// Without its words the graph has no cycle; it has a word for each class of rotations, and no
    /// set of fewer words cuts all cycles, as the rotations of a word are a cycle of their own.
    #[test]
    fn the_set_cuts_every_cycle_and_is_least() {
        for (letters, length) in
            [(2, 3), (2, 6), (2, 9), (2, 12), (3, 4), (3, 6), (4, 4), (6, 4), (9, 3)]
        {
            let count = u32::pow(letters, length as u32);
            let words: Vec<Vec<u32>> = (0..count).map(|n| word(n, letters, length)).collect();
            let cut: Vec<bool> = words.iter().map(|word| is_cut(word)).collect();
            let mut graph = DiGraph::<(), ()>::new();
            let nodes: Vec<_> = words.iter().map(|_| graph.add_node(())).collect();
            for from in (0..count).filter(|&from| !cut[from as usize]) {
                // The lowest digit is the first letter.
                let next = (0..letters).map(|last| from / letters + last * (count / letters));
                for to in next.filter(|&to| !cut[to as usize]) {
                    graph.add_edge(nodes[from as usize], nodes[to as usize], ());
                }
            }
            assert!(!is_cyclic_directed(&graph), "{letters} letters, words of {length}");
            let least = |word: &Vec<u32>| {
                let rotated = |by| [&word[by..], &word[..by]].concat();
                (0..length).map(rotated).min().unwrap()
            };
            let classes: BTreeSet<Vec<u32>> = words.iter().map(least).collect();
            let taken = cut.iter().filter(|&&cut| cut).count();
            assert_eq!(taken, classes.len(), "{letters} letters, words of {length}");
        }
    }
}
