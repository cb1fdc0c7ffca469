//! Inputs at random: valid examples, their words and lines mixed and damaged.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The seed of a run: the variable TURNPIKE_FUZZ_SEED, else 1. Printed with what is found.
pub fn seed() -> u64 {
    std::env::var("TURNPIKE_FUZZ_SEED").map_or(1, |seed| seed.parse().expect("a whole number"))
}

/// Random choices.
pub struct Random(ChaCha8Rng);

impl Random {
    /// Those of this seed and stream.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// 0 to `below - 1`; 0 where that is none. (The bias of one part in 2^32 does not matter.)
    pub fn below(&mut self, below: usize) -> usize {
        ((u64::from(self.0.next_u32()) * below as u64) >> 32) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of them.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Words that have broken parsers.
pub const HARD_WORDS: &[&str] = &[
    "",
    "-",
    "--",
    "0",
    "-0",
    "-1",
    "+1",
    "1",
    "00",
    "1.5",
    "1e999",
    "-1e-999",
    "NaN",
    "inf",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "0x1f",
    "\u{0}",
    "\u{feff}",
    "\u{1b}[31m",
    "\r",
    "\t",
    "\"",
    "\\",
    "é",
    "𝄞",
    "..",
    "../..",
    "/",
    "null",
    "true",
    "[]",
    "{}",
    "#",
    ",",
    "=",
];

/// Damaged versions of examples.
pub struct Mutator {
    random: Random,
    /// In words, blanks and single other characters.
    examples: Vec<Vec<Vec<u8>>>,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// Of these examples; `words` are put into them, beside their own and the hard ones.
    pub fn new(random: Random, examples: &[&str], words: &[&str]) -> Self {
        let examples: Vec<_> = examples.iter().map(|text| split(text.as_bytes())).collect();
        let own = examples.iter().flatten().filter(|word| word[0].is_ascii_alphanumeric());
        let mut own: Vec<Vec<u8>> = own.cloned().collect();
        own.sort();
        own.dedup();
        let more = words.iter().chain(HARD_WORDS).map(|word| word.as_bytes().to_vec());
        let words = own.into_iter().chain(more).collect();
        Self { random, examples, words }
    }

    /// The next one.
    pub fn next(&mut self) -> Vec<u8> {
        let mut text = self.random.one(&self.examples).clone();
        loop {
            self.change(&mut text);
            if self.random.once_in(2) {
                return text.concat();
            }
        }
    }

    fn change(&mut self, text: &mut Vec<Vec<u8>>) {
        let random = &mut self.random;
        let at = random.below(text.len());
        let word = random.one(&self.words).clone();
        if text.is_empty() {
            text.push(word);
            return;
        }
        match random.below(12) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, text[at].clone()),
            2 => {
                let other = random.below(text.len());
                text.swap(at, other);
            }
            3 | 4 => text[at] = word,
            5 => text.insert(at, word),
            6 => text.truncate(at),
            7 => {
                if let Some(byte) = text[at].first_mut() {
                    *byte = random.below(256) as u8;
                }
            }
            8 => {
                let times = 1 << random.below(8);
                text[at] = text[at].repeat(times);
            }
            9 => {
                // The end of another.
                let other = random.one(&self.examples);
                let from = random.below(other.len());
                text.truncate(at);
                text.extend_from_slice(&other[from..]);
            }
            // Lines.
            what => {
                let ends: Vec<usize> = (0..text.len()).filter(|&i| text[i] == b"\n").collect();
                let line = random.below(ends.len());
                let Some(&end) = ends.get(line) else { return };
                let begin = if line == 0 { 0 } else { ends[line - 1] + 1 };
                let lines: Vec<Vec<u8>> = text[begin..=end].to_vec();
                if what == 10 {
                    text.drain(begin..=end);
                } else {
                    let to = random.below(ends.len());
                    let to = if to == 0 { 0 } else { ends[to - 1] + 1 };
                    text.splice(to..to, lines);
                }
            }
        }
    }
}

/// In words, blanks and single other characters.
fn split(text: &[u8]) -> Vec<Vec<u8>> {
    let kind = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b == b'-' => 1,
        b' ' => 2,
        _ => 0,
    };
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut last = 0;
    for &byte in text {
        match words.last_mut().filter(|_| kind(byte) != 0 && kind(byte) == last) {
            Some(word) => word.push(byte),
            None => words.push(vec![byte]),
        }
        last = kind(byte);
    }
    words
}

/// Longest that one input may take. A machine under load is slow.
const LIMIT: Duration = Duration::from_secs(60);

/// Feeds `count` damaged versions of `examples` to `read`, which may refuse them and may not
/// panic or hang.
pub fn fuzz(
    format: &str,
    count: u32,
    examples: &[&str],
    words: &[&str],
    read: impl Fn(&[u8]) + Send + 'static,
) {
    let seed = seed();
    let format = format.to_owned();
    let mut mutator = Mutator::new(Random::new(seed, 0), examples, words);
    // The input that is being read, and since when; `None` at the end.
    let current = Arc::new(Mutex::new(Some((Instant::now(), Vec::new()))));
    let set = Arc::clone(&current);
    let of = format!("{format}, TURNPIKE_FUZZ_SEED={seed}");
    for example in examples {
        read(example.as_bytes());
    }
    let reader = thread::spawn(move || {
        for number in 0..count {
            let input = mutator.next();
            *set.lock().unwrap() = Some((Instant::now(), input.clone()));
            let read = catch_unwind(AssertUnwindSafe(|| read(&input)));
            assert!(read.is_ok(), "{of}: input {number}: {:?}", String::from_utf8_lossy(&input));
        }
        *set.lock().unwrap() = None;
    });
    while !reader.is_finished() {
        thread::sleep(Duration::from_millis(50));
        if let Some((since, input)) = &*current.lock().unwrap() {
            let shown = String::from_utf8_lossy(input);
            assert!(since.elapsed() < LIMIT, "{format}, seed {seed}: hangs on {shown:?}");
        }
    }
    reader.join().expect("no input makes it panic");
}
