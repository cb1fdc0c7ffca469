//! Jobs from a file: CSV with the columns `message`, `source`, `destination`, `flits`, `after`, `delay`.

use super::{Job, JobError, MOST_MESSAGES, Message, few};
use crate::traffic::{MOST_CYCLES, MOST_FLITS};
use rustc_hash::FxHashMap;
use std::io::Read;
use turnpike_base::numbers::digits;
use turnpike_network::topology::Topology;

const COLUMNS: [&str; 6] = ["message", "source", "destination", "flits", "after", "delay"];

/// Header of the file.
const EXPECTED: &str =
    "a job is CSV that starts with the line 'message,source,destination,flits,after,delay'";

/// A file of a job that cannot be used. Lines count from 1, the header's.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A line that is not CSV, or not of a job.
    #[error("job line {line}: {reason}")]
    Line {
        /// The line.
        line: u64,
        /// Fault of the line, and what would be right.
        reason: String,
    },
    /// Messages that wait for one another.
    #[error("job: the messages {} wait for one another in a circle; let one of them wait for less", few(.0))]
    Circle(Vec<String>),
    /// No message, or too many.
    #[error("job: {0}")]
    Job(JobError),
    /// The file could not be read.
    #[error("job: {0}")]
    Io(#[from] std::io::Error),
}

/// A job of a file, with the names of its messages, in order.
#[derive(Debug)]
pub struct NamedJob {
    /// The job.
    pub job: Job,
    /// By message.
    pub names: Vec<String>,
}

/// Row of a file, before the names in `after` are known.
struct Row {
    line: u64,
    message: Message,
    after: String,
}

/// Reads a job for a network whose terminals are named by their labels. Names of messages are any text without
/// blanks and commas; `after` has those that a message waits for, with blanks between. Blanks around values and
/// lines that begin with `#` are ignored.
///
/// # Errors
/// [`ReadError`] names the line and what is wrong with it.
pub fn read(topology: &dyn Topology, from: impl Read) -> Result<NamedJob, ReadError> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(from);
    let headers = reader.headers().map_err(explain)?;
    if headers.iter().ne(COLUMNS) {
        return Err(ReadError::Line { line: 1, reason: format!("not the header; {EXPECTED}") });
    }
    let (mut names, mut rows) = (Vec::new(), Vec::<Row>::new());
    let mut by_name: FxHashMap<String, u32> = FxHashMap::default();
    for record in reader.records() {
        let record = record.map_err(explain)?;
        let line = record.position().map_or(0, csv::Position::line);
        let fail = |reason: String| ReadError::Line { line, reason };
        if rows.len() as u64 >= MOST_MESSAGES.into() {
            return Err(fail(format!("more than {MOST_MESSAGES} messages")));
        }
        let [name, source, destination, flits, after, delay] =
            std::array::from_fn(|at| record.get(at).unwrap_or_default());
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(fail(format!("message '{name}': give it a name without blanks")));
        }
        if by_name.insert(name.to_owned(), rows.len() as u32).is_some() {
            return Err(fail(format!(
                "message '{name}' is there twice; give each a name of its own"
            )));
        }
        let number = |what: &str, text: &str, least: u64, most: u64| {
            let value = digits(text).filter(|value: &u64| (least..=most).contains(value));
            value.ok_or_else(|| fail(format!("{what} '{text}': use {least} to {most}")))
        };
        let message = Message {
            source: topology.sender(source).map_err(|e| fail(format!("source: {e}")))?.0,
            destination: topology
                .receiver(destination)
                .map_err(|e| fail(format!("destination: {e}")))?
                .0,
            flits: number("flits", flits, 1, MOST_FLITS.into())? as u32,
            after: Vec::new(),
            delay: number("delay", delay, 0, MOST_CYCLES)?,
        };
        rows.push(Row { line, message, after: after.to_owned() });
        names.push(name.to_owned());
    }
    for row in &mut rows {
        let Row { line, message, after } = row;
        for other in after.split_whitespace() {
            let Some(&other) = by_name.get(other) else {
                let reason = format!("it waits for '{other}', and there is no such message");
                return Err(ReadError::Line { line: *line, reason });
            };
            message.after.push(other);
        }
    }
    let lines: Vec<u64> = rows.iter().map(|row| row.line).collect();
    let messages = rows.into_iter().map(|row| row.message).collect();
    let named = |message: u32| names[message as usize].clone();
    match Job::new("file", messages) {
        Ok(job) => Ok(NamedJob { job, names }),
        Err(JobError::Circle(circle)) => {
            Err(ReadError::Circle(circle.into_iter().map(named).collect()))
        }
        Err(JobError::Unknown { message, other }) => Err(ReadError::Line {
            line: lines[message as usize],
            reason: format!(
                "message '{}' waits for '{}', of which its source knows nothing: it must take it in or send it",
                named(message),
                named(other)
            ),
        }),
        Err(error) => Err(ReadError::Job(error)),
    }
}

fn explain(error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let reason = match error.into_kind() {
        csv::ErrorKind::Io(error) => return ReadError::Io(error),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields where {expected_len} belong; {EXPECTED}")
        }
        csv::ErrorKind::Utf8 { .. } => "not UTF-8 text".to_owned(),
        other => format!("{other:?}"),
    };
    ReadError::Line { line, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::topology::{Size, find};

    fn read_text(rows: &str) -> Result<NamedJob, ReadError> {
        let ring = find("ring").unwrap().build(Size::of_nodes(4)).unwrap();
        let text = format!("message,source,destination,flits,after,delay\n{rows}");
        read(&*ring, text.as_bytes())
    }

    #[test]
    fn names_stand_for_messages_in_any_order() {
        let NamedJob { job, names } =
            read_text("b,1,2,3,a  c,5\n# first\na,0,1,1,,0\n c ,3,1,2,,7\n").unwrap();
        assert_eq!(names, ["b", "a", "c"]);
        let first = Message { source: 1, destination: 2, flits: 3, after: vec![1, 2], delay: 5 };
        assert_eq!(job.messages()[0], first);
        assert_eq!((job.messages()[2].source, job.messages()[2].delay, job.flits()), (3, 7, 6));
    }

    #[test]
    fn errors_name_the_line_and_what_would_be_right() {
        for (rows, parts) in [
            ("", &["a job has 1 to 4194304 messages, and this one 0"][..]),
            ("a,0,1,1,,0\na,0,1,1,,0\n", &["line 3", "'a' is there twice"]),
            ("a,0,4,1,,0\n", &["line 2", "destination", "'4'"]),
            ("a,x,1,1,,0\n", &["line 2", "source", "'x'"]),
            ("a,0,1,0,,0\n", &["line 2", "flits '0': use 1 to 1048576"]),
            ("a,0,1,1,,-1\n", &["line 2", "delay '-1': use 0 to"]),
            ("a,0,1,1,b,0\n", &["line 2", "waits for 'b'", "no such message"]),
            (
                "a,0,1,1,,0\nb,2,3,1,a,0\n",
                &["line 3", "'b' waits for 'a'", "take it in or send it"],
            ),
            ("a,0,1,1,b,0\nb,1,0,1,a,0\n", &["the messages a, b wait for one another in a circle"]),
            ("a,0,1,1\n", &["line 2", "4 fields where 6 belong"]),
            ("a b,0,1,1,,0\n", &["line 2", "a name without blanks"]),
            (",0,1,1,,0\n", &["line 2", "a name without blanks"]),
        ] {
            let error = read_text(rows).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{rows}: {error}");
        }
        let ring = find("ring").unwrap().build(Size::of_nodes(4)).unwrap();
        let error = read(&*ring, "cycle,source\n".as_bytes()).unwrap_err().to_string();
        assert!(error.contains("not the header; a job is CSV that starts"), "{error}");
    }
}
