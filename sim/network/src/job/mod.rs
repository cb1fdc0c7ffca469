//! Jobs: messages of which some wait for others, as the steps of a parallel program do, from the first
//! release to the last delivery. A job is a [collective] operation, or a [file](read).
//!
//! A message is released a number of cycles after the last of those that it waits for, or after the start
//! where it waits for none. Its source must know of each of these: it takes it in, and knows when the last flit
//! has arrived; or sends it, and knows when the network has taken the last flit. A terminal sends what is released
//! in the order of release, those of one cycle in the order of the job, one message after the other, and takes in
//! what arrives in every cycle. So no message in the network waits for a terminal, and waits between messages add
//! nothing to what the certificate of the network is about.

pub mod collective;
mod least;
pub mod read;
mod report;
mod run;

pub use report::{JobOutcome, JobReport, MessageTimes};
pub use run::{JobRunError, run};

use crate::traffic::{MOST_CYCLES, MOST_FLITS};

/// Messages of a job at most.
pub const MOST_MESSAGES: u32 = 1 << 22;

/// Message of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Number of the terminal that sends it.
    pub source: u32,
    /// Number of the terminal that it goes to.
    pub destination: u32,
    /// Number of flits, 1 to [`MOST_FLITS`].
    pub flits: u32,
    /// Messages that it waits for, by their places in the job.
    pub after: Vec<u32>,
    /// Cycles from the last of these to its release, up to [`MOST_CYCLES`].
    pub delay: u64,
}

/// Messages of which some wait for others, none in a circle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Name of the collective operation, or `file`.
    pub name: String,
    messages: Vec<Message>,
    /// Messages in an order in which each comes behind those that it waits for.
    order: Vec<u32>,
}

/// Fault of a job; messages are named by their places, from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JobError {
    /// No message, or too many.
    #[error("a job has 1 to {most} messages, and this one {count}", most = MOST_MESSAGES)]
    Count {
        /// Number of messages.
        count: u64,
    },
    /// A length outside its range.
    #[error("message {message} has {flits} flits; use 1 to {most}", most = MOST_FLITS)]
    Flits {
        /// The message.
        message: u32,
        /// Flits that it would have.
        flits: u64,
    },
    /// A delay outside its range.
    #[error("message {message} is delayed by {delay} cycles; use 0 to {most}", most = MOST_CYCLES)]
    Delay {
        /// The message.
        message: u32,
        /// Cycles of the delay.
        delay: u64,
    },
    /// A wait for a message that is none.
    #[error("message {message} waits for message {other}, and there is none")]
    Missing {
        /// The message.
        message: u32,
        /// Place at which there is none.
        other: u32,
    },
    /// A wait that the source cannot know the end of.
    #[error(
        "message {message} waits for message {other}, of which its source knows nothing: it must take it in or \
         send it"
    )]
    Unknown {
        /// The message.
        message: u32,
        /// Message that it waits for.
        other: u32,
    },
    /// Messages that wait for one another.
    #[error("messages {} wait for one another in a circle", few(.0))]
    Circle(Vec<u32>),
    /// A collective operation that the number of terminals does not allow.
    #[error(
        "'{name}' is for a power of two of terminals, and here {terminals} send and take packets; use '{instead}'"
    )]
    PowerOfTwo {
        /// The operation.
        name: &'static str,
        /// Number of terminals.
        terminals: u32,
        /// Operation for any number of them.
        instead: &'static str,
    },
    /// Terminals of which there are too few.
    #[error(
        "a collective operation is among 2 terminals or more that send and take packets; here there are {0}"
    )]
    Alone(u32),
}

/// Words with commas, the first few of many.
fn few(words: &[impl ToString]) -> String {
    const SHOWN: usize = 8;
    let shown = words.iter().take(SHOWN).map(ToString::to_string);
    let more = (words.len() > SHOWN).then(|| format!("... ({} in all)", words.len()));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

impl Job {
    /// The job of these messages.
    ///
    /// # Errors
    /// [`JobError`] with the message that is at fault.
    pub fn new(name: impl Into<String>, messages: Vec<Message>) -> Result<Self, JobError> {
        let count = messages.len() as u64;
        if count == 0 || count > MOST_MESSAGES.into() {
            return Err(JobError::Count { count });
        }
        for (message, own) in (0..).zip(&messages) {
            if !(1..=MOST_FLITS).contains(&own.flits) {
                return Err(JobError::Flits { message, flits: own.flits.into() });
            }
            if own.delay > MOST_CYCLES {
                return Err(JobError::Delay { message, delay: own.delay });
            }
            for &other in &own.after {
                let Some(before) = messages.get(other as usize) else {
                    return Err(JobError::Missing { message, other });
                };
                if ![before.source, before.destination].contains(&own.source) {
                    return Err(JobError::Unknown { message, other });
                }
            }
        }
        let order = order(&messages)?;
        Ok(Self { name: name.into(), messages, order })
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Number of flits of all messages.
    pub fn flits(&self) -> u64 {
        self.messages.iter().map(|message| u64::from(message.flits)).sum()
    }
}

/// By message: those that wait for it.
fn successors(messages: &[Message]) -> Vec<Vec<u32>> {
    let mut successors = vec![Vec::new(); messages.len()];
    for (message, own) in (0..).zip(messages) {
        own.after.iter().for_each(|&other| successors[other as usize].push(message));
    }
    successors
}

/// Messages in an order in which each comes behind those that it waits for.
fn order(messages: &[Message]) -> Result<Vec<u32>, JobError> {
    let successors = successors(messages);
    let mut waits: Vec<usize> = messages.iter().map(|message| message.after.len()).collect();
    let mut order: Vec<u32> =
        (0..messages.len() as u32).filter(|&message| waits[message as usize] == 0).collect();
    let mut at = 0;
    while let Some(&message) = order.get(at) {
        for &next in &successors[message as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                order.push(next);
            }
        }
        at += 1;
    }
    match order.len() == messages.len() {
        true => Ok(order),
        false => Err(JobError::Circle(circle(messages, &waits))),
    }
}

/// Messages that wait for one another, each for the next and the last for the first, of those that still have
/// `waits`.
fn circle(messages: &[Message], waits: &[usize]) -> Vec<u32> {
    let waiting = |message: &u32| waits[*message as usize] > 0;
    let mut way: Vec<u32> = Vec::new();
    let mut place = vec![None; messages.len()];
    let mut next = (0..messages.len() as u32).find(waiting);
    while let Some(message) = next {
        if let Some(start) = place[message as usize].replace(way.len()) {
            return way.split_off(start);
        }
        way.push(message);
        next = messages[message as usize].after.iter().copied().find(waiting);
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message([source, destination]: [u32; 2], after: &[u32]) -> Message {
        Message { source, destination, flits: 1, after: after.to_vec(), delay: 0 }
    }

    #[test]
    fn faults_are_named() {
        let of = |messages| Job::new("file", messages).map(|job| job.order);
        assert_eq!(of(vec![message([0, 1], &[]), message([1, 2], &[0])]), Ok(vec![0, 1]));
        assert_eq!(of(vec![message([1, 2], &[1]), message([0, 1], &[])]), Ok(vec![1, 0]));
        assert_eq!(of(vec![]), Err(JobError::Count { count: 0 }));
        let missing = JobError::Missing { message: 0, other: 3 };
        assert_eq!(of(vec![message([0, 1], &[3])]), Err(missing));
        let unknown = JobError::Unknown { message: 1, other: 0 };
        assert_eq!(of(vec![message([0, 1], &[]), message([2, 0], &[0])]), Err(unknown));
        let round = vec![
            message([0, 1], &[]),
            message([1, 2], &[3, 0]),
            message([2, 3], &[1]),
            message([3, 1], &[2]),
            message([1, 0], &[3]),
        ];
        assert_eq!(of(round), Err(JobError::Circle(vec![1, 3, 2])));
        assert_eq!(of(vec![message([0, 1], &[0])]), Err(JobError::Circle(vec![0])));
        // Many of them, and those named that are first.
        let count = 1 << 20;
        let many = |at: u32| message([at % 2, 1 - at % 2], &[(at + 1) % count]);
        let error = of((0..count).map(many).collect()).unwrap_err().to_string();
        assert_eq!(
            error,
            "messages 0, 1, 2, 3, 4, 5, 6, 7, ... (1048576 in all) wait for one another in a circle"
        );
        let long = Message { flits: 0, ..message([0, 1], &[]) };
        assert_eq!(of(vec![long]), Err(JobError::Flits { message: 0, flits: 0 }));
    }
}
