//! Checks certificates. Shares no code with what makes them: it reads the text, walks every route
//! of every flow, and compares numbers.

mod read;

use read::{Certificate, Rule, flaw};
use std::collections::HashSet;

/// A certificate that does not hold, and the line where one is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Flaw {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// Fault, in words.
    pub what: String,
}

/// Size of a certificate that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Number of channels.
    pub channels: usize,
    /// Number of places of packets, by class and destination, that were walked.
    pub places: u64,
}

/// A packet's place: a channel, a terminal that waits, or where it enters.
struct Held {
    number: Option<u64>,
    escape: bool,
}

/// Checks a certificate: that each flow's packets arrive whatever next channels they take, and that
/// the numbers ascend as its rule says.
///
/// # Errors
/// The first [`Flaw`].
pub fn check(text: &str) -> Result<Checked, Flaw> {
    let certificate = Certificate::read(text)?;
    let mut check = Check {
        seen: vec![0; certificate.channels.len()],
        walk: 0,
        places: 0,
        certificate: &certificate,
    };
    check.all().map_err(|what| Flaw { line: None, what })?;
    Ok(Checked { channels: certificate.channels.len(), places: check.places })
}

struct Check<'a> {
    certificate: &'a Certificate,
    seen: Vec<u64>,
    walk: u64,
    places: u64,
}

impl Check<'_> {
    fn all(&mut self) -> Result<(), String> {
        let certificate = self.certificate;
        if certificate.all {
            let all = |role: usize| {
                let has = move |at: &usize| certificate.terminals[*at][role].is_some();
                (0..certificate.terminals.len()).filter(has)
            };
            for destination in all(1) {
                let sources: Vec<usize> = all(0).filter(|&source| source != destination).collect();
                self.flow(0, destination, &sources)?;
            }
        }
        for (class, destination, sources) in &certificate.flows {
            self.flow(*class, *destination, sources)?;
        }
        Ok(())
    }

    /// All packets of some sources to a destination.
    fn flow(&mut self, class: usize, destination: usize, sources: &[usize]) -> Result<(), String> {
        let certificate = self.certificate;
        let [_, sink] = certificate.terminals[destination];
        self.walk += 1;
        let mut open: Vec<usize> = Vec::new();
        for &source in sources {
            let [Some(switch), _] = certificate.terminals[source] else { continue };
            // What the terminal took, and may hold until this packet is sent.
            for &before in &certificate.classes[class] {
                let held = Held { number: certificate.sinks[source][before], escape: true };
                self.waits(&held, switch, None, class, destination)?;
            }
            if Some(switch) == sink {
                continue;
            }
            let held = Held { number: None, escape: false };
            let table = certificate.inject[class][switch];
            self.waits(&held, switch, table, class, destination)?;
            open.extend(certificate.next(table.unwrap_or_default(), destination));
        }
        while let Some(channel) = open.pop() {
            if self.seen[channel] == self.walk {
                continue;
            }
            self.seen[channel] = self.walk;
            self.places += 1;
            let own = &certificate.channels[channel];
            let held = Held { number: Some(own.number), escape: own.escape };
            self.waits(&held, own.to, Some(own.table), class, destination)?;
            if Some(own.to) != sink {
                open.extend(certificate.next(own.table, destination));
            }
        }
        Ok(())
    }

    /// A packet that is held at a switch, and what it waits for there.
    fn waits(
        &self,
        held: &Held,
        switch: usize,
        table: Option<usize>,
        class: usize,
        destination: usize,
    ) -> Result<(), String> {
        let certificate = self.certificate;
        let who =
            || format!("packets of class {class} to terminal {destination}, at switch {switch}");
        if certificate.terminals[destination][1] == Some(switch) {
            return match (held.number, certificate.sinks[destination][class]) {
                (Some(number), Some(sink)) if number >= sink => {
                    flaw(format!("{}: the number of the sink is not greater", who()))
                }
                _ => Ok(()),
            };
        }
        let table = table.or(certificate.inject[class][switch]).unwrap_or_default();
        let next = certificate.next(table, destination);
        if next.is_empty() {
            return flaw(format!("{}: no next channel", who()));
        }
        if next.iter().any(|&next| certificate.channels[next].from != switch) {
            return flaw(format!("{}: a next channel leaves another switch", who()));
        }
        let greater = |&next: &usize| match held.number {
            Some(number) => certificate.channels[next].number > number,
            None => true,
        };
        let holds = match certificate.rule {
            Rule::All => next.iter().all(greater),
            Rule::Some => next.iter().any(greater),
            Rule::Escape => return self.escapes(held, next, class, destination),
        };
        if holds { Ok(()) } else { flaw(format!("{}: the numbers do not ascend", who())) }
    }

    /// Whether a packet can take an escape channel next, and each escape channel that it may take
    /// after others that are none has a greater number than the escape channel that it holds.
    fn escapes(
        &self,
        held: &Held,
        next: &[usize],
        class: usize,
        destination: usize,
    ) -> Result<(), String> {
        let certificate = self.certificate;
        let who = || format!("packets of class {class} to terminal {destination}");
        if !next.iter().any(|&next| certificate.channels[next].escape) {
            return flaw(format!("{}: no escape channel", who()));
        }
        let Some(number) = held.number.filter(|_| held.escape) else { return Ok(()) };
        let [_, sink] = certificate.terminals[destination];
        let mut met: HashSet<usize> = next.iter().copied().collect();
        let mut open = next.to_vec();
        while let Some(channel) = open.pop() {
            let own = &certificate.channels[channel];
            if own.escape {
                if own.number <= number {
                    return flaw(format!("{}: the numbers do not ascend", who()));
                }
            } else if Some(own.to) == sink {
                if certificate.sinks[destination][class].is_some_and(|sink| sink <= number) {
                    return flaw(format!("{}: the number of the sink is not greater", who()));
                }
            } else {
                let next = certificate.next(own.table, destination).iter();
                open.extend(next.filter(|&&next| met.insert(next)));
            }
        }
        Ok(())
    }
}
