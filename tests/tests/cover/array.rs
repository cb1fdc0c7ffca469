//! Covering arrays: few rows that hold, between them, every tuple of values that some row can.
//!
//! Greedy, after AETG (Cohen, Dalal, Fredman, Patton, IEEE Transactions on Software Engineering
//! 23(7), 1997): a row begins with a tuple that no row has yet, each other factor in a random
//! order takes the value that brings most new tuples, and the best of several such rows is kept.
//! Rows that are refused are left by backtracking, to the end if need be: a tuple is given up
//! only where every row with it is refused.

use turnpike_base::hash::hash;

/// Rows that are tried for each one that is kept.
const CANDIDATES: u64 = 16;

/// Values of some factors: (factor, value), by factor.
pub type Tuple = Vec<(usize, usize)>;

/// Which values each factor has, and what goes together.
pub struct Space<'a> {
    /// By factor: how many values it has. They are numbered from 0, the cheapest first.
    pub sizes: &'a [usize],
    /// The first so many factors are given values before the others.
    pub first: usize,
    /// Whether a row may be; of a row with holes, whether it may become one.
    pub allowed: &'a dyn Fn(&[Option<usize>]) -> bool,
}

/// A covering array.
#[derive(Debug)]
pub struct Array {
    /// By row: the value of each factor.
    pub rows: Vec<Vec<usize>>,
    /// The tuples that no row may hold.
    pub refused: Vec<Tuple>,
}

/// Every tuple of values of `strength` factors.
pub fn tuples(sizes: &[usize], strength: usize) -> Vec<Tuple> {
    let mut all = vec![Tuple::new()];
    let mut full = Vec::new();
    for (factor, &size) in sizes.iter().enumerate() {
        for at in 0..all.len() {
            for value in 0..size {
                let mut longer = all[at].clone();
                longer.push((factor, value));
                if longer.len() == strength { full.push(longer) } else { all.push(longer) }
            }
        }
    }
    full
}

/// Whether a row holds a tuple.
pub fn holds(row: &[usize], tuple: &Tuple) -> bool {
    tuple.iter().all(|&(factor, value)| row[factor] == value)
}

/// Tuples that no row holds yet.
struct Left<'a> {
    /// By factor: the number of its first value, where values are numbered over all factors.
    begins: Vec<usize>,
    values: usize,
    /// By the numbers of its values, ascending: whether a tuple is left.
    marks: Vec<bool>,
    wanted: &'a [Tuple],
    strength: usize,
}

impl<'a> Left<'a> {
    fn new(sizes: &[usize], wanted: &'a [Tuple]) -> Self {
        let begins = (0..sizes.len()).map(|factor| sizes[..factor].iter().sum()).collect();
        let values: usize = sizes.iter().sum();
        let strength = wanted.first().map_or(0, Vec::len);
        let marks = vec![false; values.pow(strength as u32)];
        let mut left = Self { begins, values, marks, wanted, strength };
        for tuple in wanted {
            let at = left.index(&left.numbers(tuple));
            left.marks[at] = true;
        }
        left
    }

    fn numbers(&self, tuple: &[(usize, usize)]) -> Vec<usize> {
        tuple.iter().map(|&(factor, value)| self.begins[factor] + value).collect()
    }

    fn index(&self, numbers: &[usize]) -> usize {
        numbers.iter().fold(0, |all, number| all * self.values + number)
    }

    fn has(&self, tuple: &Tuple) -> bool {
        self.marks[self.index(&self.numbers(tuple))]
    }

    fn remove(&mut self, tuple: &Tuple) {
        let at = self.index(&self.numbers(tuple));
        self.marks[at] = false;
    }

    /// Takes out all that a row holds.
    fn remove_all_of(&mut self, row: &[usize]) {
        let wanted = self.wanted;
        wanted.iter().filter(|tuple| holds(row, tuple)).for_each(|tuple| self.remove(tuple));
    }

    /// Number of those that a row holds.
    fn held_by(&self, row: &[usize]) -> usize {
        let all: Vec<usize> = row.iter().zip(&self.begins).map(|(v, begin)| begin + v).collect();
        self.count(&mut Vec::new(), &all, self.strength)
    }

    /// Number of those that hold `added` and otherwise values of `fixed` alone, which is by factor.
    fn added_by(&self, fixed: &Tuple, added: (usize, usize)) -> usize {
        let all = self.numbers(fixed);
        self.count(&mut self.numbers(&[added]), &all, self.strength - 1)
    }

    /// Number of those that hold these values and so many more out of `from`.
    fn count(&self, held: &mut Vec<usize>, from: &[usize], more: usize) -> usize {
        if more == 0 {
            let mut sorted = [0; 4];
            let sorted = &mut sorted[..held.len()];
            sorted.copy_from_slice(held);
            sorted.sort_unstable();
            return usize::from(self.marks[self.index(sorted)]);
        }
        let mut found = 0;
        for (at, &next) in from.iter().enumerate() {
            held.push(next);
            found += self.count(held, &from[at + 1..], more - 1);
            held.pop();
        }
        found
    }
}

impl Space<'_> {
    /// Rows that hold every one of `wanted` that an allowed row holds. `wanted` are tuples of
    /// equal length, up to 4; the same arguments give the same array.
    pub fn cover(&self, wanted: &[Tuple], seed: u64) -> Array {
        let mut left = Left::new(self.sizes, wanted);
        let mut array = Array { rows: Vec::new(), refused: Vec::new() };
        for tuple in wanted {
            while left.has(tuple) {
                let number = array.rows.len() as u64;
                let candidates = (0..CANDIDATES).map(|candidate| {
                    let mut row: Vec<Option<usize>> = vec![None; self.sizes.len()];
                    tuple.iter().for_each(|&(factor, value)| row[factor] = Some(value));
                    let order = self.order(&row, hash(seed, &[number, candidate]));
                    self.complete(&mut row, &order, &left).then(|| {
                        row.into_iter().map(|value| value.expect("complete")).collect::<Vec<_>>()
                    })
                });
                // Where one is refused to the end, all are.
                let candidates: Vec<Vec<usize>> = candidates.map_while(|row| row).collect();
                let new = |row: &&Vec<usize>| left.held_by(row);
                let Some(best) = candidates.iter().rev().max_by_key(new) else {
                    left.remove(tuple);
                    array.refused.push(tuple.clone());
                    break;
                };
                left.remove_all_of(best);
                array.rows.push(best.clone());
            }
        }
        array
    }

    /// The factors without a value, in a random order, but for those that come first.
    fn order(&self, row: &[Option<usize>], seed: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..row.len()).filter(|&f| row[f].is_none()).collect();
        order.sort_by_key(|&f| (f >= self.first, hash(seed, &[f as u64])));
        order
    }

    /// Gives values to the factors in `order`; false, and nothing changed, where none go.
    fn complete(&self, row: &mut [Option<usize>], order: &[usize], left: &Left<'_>) -> bool {
        if !(self.allowed)(row) {
            return false;
        }
        let Some((&factor, rest)) = order.split_first() else { return true };
        let fixed: Tuple = (0..row.len()).filter_map(|f| Some((f, row[f]?))).collect();
        let mut values: Vec<(usize, usize)> = (0..self.sizes[factor])
            .map(|value| (left.added_by(&fixed, (factor, value)), value))
            .collect();
        values.sort_by_key(|&(new, value)| (std::cmp::Reverse(new), value));
        for (_, value) in values {
            row[factor] = Some(value);
            if self.complete(row, rest, left) {
                return true;
            }
        }
        row[factor] = None;
        false
    }
}

/// Small spaces, against all of their rows.
#[test]
fn small_arrays_hold_what_they_should() {
    let sizes = [3, 2, 4, 2, 3];
    // Value 2 of factor 0 goes with value 0 of factors 2 and 4 alone.
    let allowed = |row: &[Option<usize>]| {
        row[0] != Some(2) || [2, 4].into_iter().all(|f| row[f].is_none_or(|value| value == 0))
    };
    for strength in [1, 2, 3] {
        let space = Space { sizes: &sizes, first: 1, allowed: &allowed };
        let wanted = tuples(&sizes, strength);
        let array = space.cover(&wanted, 1);
        let all: Vec<_> = every_row(&sizes).collect();
        let rows = || all.iter().filter(|row| allowed(row));
        let whole = |row: &[Option<usize>]| row.iter().map(|v| v.unwrap()).collect::<Vec<_>>();
        for tuple in &wanted {
            let can = rows().any(|row| holds(&whole(row), tuple));
            assert_eq!(array.rows.iter().any(|row| holds(row, tuple)), can, "{tuple:?}");
            assert_eq!(array.refused.contains(tuple), !can, "{tuple:?}");
        }
        for row in &array.rows {
            assert!(rows().any(|other| whole(other) == *row), "{row:?} is refused");
        }
        // 4 * 3 * 2 rows hold every triple of the three largest factors.
        let most = [5, 16, 34][strength - 1];
        assert!(array.rows.len() <= most, "strength {strength}: {} rows", array.rows.len());
    }
}

/// Every row of a space, the refused ones too.
pub fn every_row(sizes: &[usize]) -> impl Iterator<Item = Vec<Option<usize>>> {
    let row = |mut number: usize| {
        let value = |&size: &usize| {
            let value = number % size;
            number /= size;
            Some(value)
        };
        sizes.iter().map(value).collect()
    };
    (0..sizes.iter().product()).map(row)
}
