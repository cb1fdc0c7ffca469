//! Stimulus files: text that a few lines of C++ read with `>>`.
//!
//! ```text
//! turnpike-stimulus 2
//! seed 7
//! gap 429496730
//! stall 0
//! terminals 4
//! fields 2
//! data 32
//! last 1
//! resets 2
//! 100
//! 101
//! packets 3
//! 0 0 3 1
//! 0 12 1 4
//! 2 0 0 1
//! ```
//!
//! The lines come in this order. The cycles of resets ascend. Each packet is a line: source, release cycle, destination,
//! flits; packets of one source stand in the order in which it sends them. A destination is
//! an address, of a terminal or of none.

use super::{Stimulus, StimulusPacket};
use std::io::{self, BufRead, Write};
use turnpike_fabric::plan::FlitField;

const MAGIC: &str = "turnpike-stimulus 2";

/// A stimulus file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// A line that is not what belongs there.
    #[error("stimulus line {line}: expected {expected}, found '{found}'")]
    Line {
        /// The line, from 1.
        line: u64,
        /// Text that belongs there.
        expected: String,
        /// Text that is there.
        found: String,
    },
    /// The file could not be read.
    #[error("stimulus: {0}")]
    Io(#[from] io::Error),
}

impl Stimulus {
    /// Writes it as text.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self { seed, gap, stall, fields, resets, packets } = self;
        writeln!(to, "{MAGIC}\nseed {seed}\ngap {gap}\nstall {stall}")?;
        writeln!(to, "terminals {}\nfields {}", packets.len(), fields.len())?;
        for FlitField { name, width } in fields {
            writeln!(to, "{name} {width}")?;
        }
        writeln!(to, "resets {}", resets.len())?;
        for cycle in resets {
            writeln!(to, "{cycle}")?;
        }
        writeln!(to, "packets {}", self.size().0)?;
        for (source, list) in packets.iter().enumerate() {
            for StimulusPacket { release, destination, flits } in list {
                writeln!(to, "{source} {release} {destination} {flits}")?;
            }
        }
        Ok(())
    }

    /// Reads it back.
    ///
    /// # Errors
    /// [`StimulusError`] names the line, what belongs there and what is there.
    pub fn read(from: impl BufRead) -> Result<Self, StimulusError> {
        let mut lines = Lines { lines: from.lines(), line: 0, text: String::new() };
        lines.next(MAGIC)?;
        if lines.text != MAGIC {
            return Err(lines.unexpected(&format!("'{MAGIC}'")));
        }
        let seed = lines.number("seed", u64::MAX)?;
        let gap = lines.number("gap", 1 << 32)?;
        let stall = lines.number("stall", 1 << 32)?;
        let terminals = lines.number("terminals", 1 << 20)?;
        let fields = (0..lines.number("fields", 5)?)
            .map(|_| lines.field())
            .collect::<Result<Vec<_>, _>>()?;
        let mut resets = Vec::new();
        for _ in 0..lines.number("resets", 1 << 20)? {
            resets.push(lines.reset(resets.last().copied())?);
        }
        let mut packets = vec![Vec::new(); terminals as usize];
        for _ in 0..lines.number("packets", u64::from(u32::MAX) - 1)? {
            let (source, packet) = lines.packet(terminals)?;
            packets[source].push(packet);
        }
        loop {
            match lines.lines.next().transpose()? {
                None => return Ok(Self { seed, gap, stall, fields, resets, packets }),
                Some(text) => {
                    (lines.line, lines.text) = (lines.line + 1, text);
                    if !lines.text.trim().is_empty() {
                        return Err(lines.unexpected("the end after the last packet"));
                    }
                }
            }
        }
    }
}

struct Lines<I> {
    lines: I,
    line: u64,
    text: String,
}

impl<I: Iterator<Item = io::Result<String>>> Lines<I> {
    fn next(&mut self, expected: &str) -> Result<(), StimulusError> {
        self.line += 1;
        match self.lines.next().transpose()? {
            Some(text) => self.text = text.trim().to_owned(),
            None => {
                self.text = "the end of the file".to_owned();
                return Err(self.unexpected(&format!("'{expected}'")));
            }
        }
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> StimulusError {
        let (expected, found) = (expected.to_owned(), self.text.clone());
        StimulusError::Line { line: self.line, expected, found }
    }

    /// A line `<name> <number>`.
    fn number(&mut self, name: &str, most: u64) -> Result<u64, StimulusError> {
        self.next(name)?;
        let rest = self.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        let number = rest.and_then(|n| n.trim().parse().ok()).filter(|&n: &u64| n <= most);
        number.ok_or_else(|| self.unexpected(&format!("'{name}' and a number, 0 to {most}")))
    }

    fn field(&mut self) -> Result<FlitField, StimulusError> {
        const NAMES: [&str; 5] = ["data", "keep", "user", "id", "last"];
        self.next("data 32")?;
        let field = self.text.split_once(' ').and_then(|(name, width)| {
            let name = NAMES.into_iter().find(|n| *n == name)?;
            let width = width.trim().parse().ok().filter(|w| (1..=1024).contains(w))?;
            Some(FlitField { name, width })
        });
        let expected = "a field (data, keep, user, id or last) and its width, 1 to 1024";
        field.ok_or_else(|| self.unexpected(expected))
    }

    /// The cycle of a reset, after the one before.
    fn reset(&mut self, before: Option<u64>) -> Result<u64, StimulusError> {
        let expected = "the cycle of a reset, after the one before";
        self.next(expected)?;
        let cycle = self.text.parse().ok().filter(|&cycle| before.is_none_or(|b| b < cycle));
        cycle.ok_or_else(|| self.unexpected(expected))
    }

    fn packet(&mut self, terminals: u64) -> Result<(usize, StimulusPacket), StimulusError> {
        let addresses = terminals.next_power_of_two().max(2);
        let expected = "source, release cycle, destination and flits of a packet";
        self.next(expected)?;
        let numbers: Result<Vec<u64>, _> =
            self.text.split_ascii_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[source, release, destination, flits])
                if source < terminals
                    && destination < addresses
                    && (1..=u64::from(u32::MAX)).contains(&flits) =>
            {
                let (destination, flits) = (destination as u32, flits as u32);
                Ok((source as usize, StimulusPacket { release, destination, flits }))
            }
            _ => Err(self.unexpected(&format!(
                "{expected}, source below {terminals}, destination below {addresses}"
            ))),
        }
    }
}
