//! Traffic from a file: CSV with the columns `cycle`, `source`, `destination`, `flits`.

use super::{MOST_CYCLES, MOST_FLITS, Release, Traffic, TrafficDescription};
use serde::Deserialize;
use std::io::Read;
use turnpike_base::numbers::digits;
use turnpike_network::topology::Topology;

/// Packets with their cycles, in the order of release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    nodes: u32,
    /// Cycle and packet, by ascending cycle, then source; packets of one cycle and source stay
    /// in the order of the file.
    packets: Vec<(u64, Release)>,
    next: usize,
}

/// A trace that cannot be used. Lines count from 1, the header's.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A line that is not CSV, or not numbers.
    #[error("trace line {line}: {reason}; {expected}", expected = EXPECTED)]
    Line {
        line: u64,
        /// Fault of the line.
        reason: String,
    },
    /// The file could not be read.
    #[error("trace: {0}")]
    Io(#[from] std::io::Error),
    /// No packet at all.
    #[error("the trace holds no packet; {expected}", expected = EXPECTED)]
    Empty,
}

const COLUMNS: [&str; 4] = ["cycle", "source", "destination", "flits"];

const EXPECTED: &str = "a trace is CSV that starts with the line 'cycle,source,destination,flits'";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceRow<'a> {
    cycle: &'a str,
    source: &'a str,
    destination: &'a str,
    flits: &'a str,
}

impl Trace {
    /// Reads a trace for a topology, nodes by label. See [`Trace::read`].
    ///
    /// # Errors
    /// [`TraceError`] names the line and what is wrong with it.
    pub fn read_labelled(topology: &dyn Topology, from: impl Read) -> Result<Self, TraceError> {
        let node = |label: &str| match topology.terminal(label) {
            Ok(terminal) => Ok(terminal.0),
            Err(error) => Err(error.to_string()),
        };
        Self::read_with(topology.terminals(), node, from)
    }

    /// Reads a trace for a network of `nodes` nodes, nodes by number. Rows need not be sorted; blanks around
    /// values and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// [`TraceError`] names the line and what is wrong with it.
    pub fn read(nodes: u32, from: impl Read) -> Result<Self, TraceError> {
        let node = |text: &str| match text.parse() {
            Ok(node) if node < nodes => Ok(node),
            _ => Err(format!("{text} is no node: use 0 to {}", nodes - 1)),
        };
        Self::read_with(nodes, node, from)
    }

    fn read_with(
        nodes: u32,
        node: impl Fn(&str) -> Result<u32, String>,
        from: impl Read,
    ) -> Result<Self, TraceError> {
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(from);
        let mut packets = Vec::new();
        let headers = reader.headers().map_err(explain)?.clone();
        if headers.is_empty() {
            return Err(TraceError::Empty);
        }
        if headers.iter().ne(COLUMNS) {
            let line = headers.position().map_or(1, csv::Position::line);
            return Err(TraceError::Line { line, reason: "not the header".to_owned() });
        }
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(explain)? {
            let line = record.position().map_or(0, csv::Position::line);
            let row: TraceRow = record.deserialize(Some(&headers)).map_err(explain)?;
            let fail = |reason| TraceError::Line { line, reason };
            let number = |name: &str, text: &str, least: u64, most: u64| {
                let value = digits(text).filter(|value| (least..=most).contains(value));
                value.ok_or_else(|| fail(format!("{name} '{text}': use {least} to {most}")))
            };
            let find = |name: &str, text: &str| node(text).map_err(|e| fail(format!("{name} {e}")));
            let cycle = number("cycle", row.cycle, 0, MOST_CYCLES)?;
            let source = find("source", row.source)?;
            let destination = find("destination", row.destination)?;
            let flits = number("flits", row.flits, 1, MOST_FLITS.into())? as u32;
            packets.push((cycle, Release { source, destination, flits, class: 0 }));
        }
        if packets.is_empty() {
            return Err(TraceError::Empty);
        }
        packets.sort_by_key(|(cycle, packet)| (*cycle, packet.source));
        Ok(Self { nodes, packets, next: 0 })
    }

    /// The packets with their cycles, in the order of release.
    pub fn packets(&self) -> &[(u64, Release)] {
        &self.packets
    }
}

fn explain(error: csv::Error) -> TraceError {
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(error) => TraceError::Io(error),
        csv::ErrorKind::Deserialize { err, .. } => {
            let field = err.field().map(|f| format!("field {}: ", f + 1)).unwrap_or_default();
            TraceError::Line { line, reason: format!("{field}{}", err.kind()) }
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            TraceError::Line { line, reason: format!("{len} fields where {expected_len} belong") }
        }
        csv::ErrorKind::Utf8 { .. } => {
            TraceError::Line { line, reason: "not UTF-8 text".to_owned() }
        }
        other => TraceError::Line { line, reason: format!("{other:?}") },
    }
}

impl Traffic for Trace {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn release(&mut self, cycle: u64, into: &mut Vec<Release>) {
        while let Some(&(at, packet)) = self.packets.get(self.next)
            && at <= cycle
        {
            into.push(packet);
            self.next += 1;
        }
    }

    fn is_exhausted(&self, _cycle: u64) -> bool {
        self.next == self.packets.len()
    }

    fn next_release(&self) -> Option<u64> {
        Some(self.packets.get(self.next).map_or(u64::MAX, |&(cycle, _)| cycle))
    }

    fn description(&self) -> TrafficDescription {
        TrafficDescription {
            pattern: "trace".to_owned(),
            offered_load: None,
            packet_flits: None,
            packet_lengths: None,
            burst_cycles: None,
            seed: None,
            self_addressed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_released_in_time() {
        let text = "cycle, source,destination,flits\n# later\n7,1,2,3\n0,3,3,1\n7,0,1,1\n";
        let mut trace = Trace::read(4, text.as_bytes()).unwrap();
        let mut released = Vec::new();
        trace.release(0, &mut released);
        assert_eq!(released, [Release { source: 3, destination: 3, flits: 1, class: 0 }]);
        assert!(!trace.is_exhausted(0));
        (1..8).for_each(|c| trace.release(c, &mut released));
        assert_eq!(released.iter().map(|r| r.source).collect::<Vec<_>>(), [3, 0, 1]);
        assert!(trace.is_exhausted(8));
    }

    #[test]
    fn errors_name_the_line_and_the_reason() {
        let header = "cycle,source,destination,flits\n";
        for (rows, parts) in [
            ("0,0,1,1\n0,4,1,1\n", ["line 3", "source 4 is no node: use 0 to 3"]),
            ("0,0,9,1\n", ["line 2", "destination 9"]),
            ("0,0,1,0\n", ["line 2", "flits '0': use 1 to"]),
            ("0,0,1\n", ["line 2", "3 fields where 4 belong"]),
            ("0,0,x,1\n", ["line 2", "destination x is no node"]),
            ("+1,0,1,1\n", ["line 2", "cycle '+1': use 0 to"]),
            ("-1,0,1,1\n", ["line 2", "cycle '-1': use 0 to"]),
            ("1000000001,0,1,1\n", ["line 2", "cycle '1000000001': use 0 to 1000000000"]),
            ("", ["no packet", "cycle,source"]),
        ] {
            let text = format!("{header}{rows}");
            let error = Trace::read(4, text.as_bytes()).unwrap_err().to_string();
            assert!(parts.iter().all(|p| error.contains(p)), "{error}");
        }
        let error = Trace::read(4, "0,0,1,1\n0,0,1,1\n".as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 1: not the header; a trace is CSV that starts"), "{error}");
    }

    #[test]
    fn nodes_by_label() {
        let network = turnpike_analysis::network::Network::new("hypercube", 3, None, None).unwrap();
        let read = |rows: &str| {
            let text = format!(" cycle , source,destination,flits\n{rows}");
            Trace::read_labelled(network.topology(), text.as_bytes())
        };
        let release = Release { source: 3, destination: 6, flits: 2, class: 0 };
        assert_eq!(read("5,011,110,2\n").unwrap().packets(), [(5, release)]);
        let error = read("5,011,6,2\n").unwrap_err().to_string();
        assert!(error.contains("line 2: destination '6' is not a node"), "{error}");
        assert!(error.contains("3 binary digits"), "{error}");
    }
}
