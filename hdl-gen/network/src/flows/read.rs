//! Lists of flows as files give them: CSV with the columns `source` and `destination`, and if wanted
//! `bandwidth`, `packet`, `burst`, `latency` and `words`; or a pattern's lines `SOURCE SINK [WORDS]`.

use super::classes;
use super::list::{FlowEntry, Row};
use super::{Bandwidth, FlowError, FlowList, FlowsError, MOST_BURST, MOST_FLITS, MOST_FLOWS};
use crate::records::{ColumnError, Columns, NoRecord, Records};
use csv::StringRecord;
use std::str::FromStr;
use turnpike_base::numbers::digits;

/// Most words of a line of a pattern.
pub const MOST_WORDS: u32 = 1 << 24;

/// Names of the columns.
const COLUMNS: Columns = Columns {
    known: &["source", "destination", "class", "bandwidth", "packet", "burst", "latency", "words"],
    required: 2,
};
/// Decimal places of a bandwidth.
const PLACES: usize = 9;

/// Reads a list of flows; a comma in the first line that says something tells CSV from a pattern.
pub(super) fn read(text: &str) -> Result<FlowList, FlowsError> {
    let says = |line: &&str| !without_comment(line).trim().is_empty();
    let first = text.lines().find(says).ok_or(FlowError::NoColumns)?;
    match first.contains(',') || first.trim_start().starts_with("class ") {
        true => csv(text),
        false => Ok(FlowList { rows: pattern(text)?, classes: Vec::new() }),
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// Fields of a line of a pattern, without its comment.
pub fn fields_of(line: &str) -> Vec<&str> {
    without_comment(line).split_whitespace().collect()
}

/// Source, sink and number of words, of the fields `SOURCE SINK [WORDS]` of a line.
///
/// # Errors
/// [`FlowError::Message`] for more or fewer fields, [`FlowError::Words`].
pub fn message<'a>(line: &[&'a str]) -> Result<(&'a str, &'a str, u32), FlowError> {
    match *line {
        [source, sink] => Ok((source, sink, 1)),
        [source, sink, words] => Ok((source, sink, number_of_words(words)?)),
        _ => Err(FlowError::Message(line.len())),
    }
}

/// The lines of a pattern: source, sink, and how many words.
fn pattern(text: &str) -> Result<Vec<Row>, FlowsError> {
    let mut rows = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let fields = fields_of(content);
        if fields.is_empty() {
            continue;
        }
        let (source, destination, words) = message(&fields).map_err(|error| match error {
            FlowError::Message(_) if rows.is_empty() => FlowsError::at(line, FlowError::NoColumns),
            error => FlowsError::at(line, error),
        })?;
        rows.push(Row { words, ..Row::new(line, source.to_owned(), destination.to_owned()) });
        bounded(&rows)?;
    }
    Ok(rows)
}

fn number_of_words(text: &str) -> Result<u32, FlowError> {
    let words = digits(text).filter(|words| (1..=MOST_WORDS).contains(words));
    words.ok_or_else(|| FlowError::Words(text.to_owned()))
}

fn bounded(rows: &[Row]) -> Result<(), FlowsError> {
    match rows.len() > MOST_FLOWS {
        true => Err(FlowError::Many.into()),
        false => Ok(()),
    }
}

fn csv(text: &str) -> Result<FlowList, FlowsError> {
    let mut records = Records::of(text);
    let mut columns: Option<Vec<&'static str>> = None;
    let (mut rows, mut class_lines) = (Vec::new(), Vec::new());
    let no_csv = |NoRecord { line, fault }| FlowsError { line, error: FlowError::Csv(fault) };
    while let Some((line, record)) = records.read().map_err(no_csv)? {
        let refused = |error| FlowsError::at(line, error);
        let alone = if record.len() == 1 { &record[0] } else { "" };
        match &columns {
            None => match classes::line(line, alone) {
                Some(class) => class_lines.push(class.map_err(refused)?),
                None => columns = Some(header(record).map_err(refused)?),
            },
            Some(columns) => rows.push(row(line, columns, record).map_err(refused)?),
        }
        bounded(&rows)?;
    }
    match columns {
        Some(_) => Ok(FlowList { rows, classes: class_lines }),
        None => Err(FlowError::NoColumns.into()),
    }
}

fn header(record: &StringRecord) -> Result<Vec<&'static str>, FlowError> {
    Ok(COLUMNS.of(record)?.into_iter().map(|column| COLUMNS.known[column]).collect())
}

/// The row of a flow that a table gives.
pub(super) fn entry(flow: &FlowEntry) -> Result<Row, FlowsError> {
    let (names, values): (StringRecord, StringRecord) =
        flow.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).unzip();
    let row = header(&names).and_then(|columns| row(flow.line, &columns, &values));
    row.map_err(|error| FlowsError::at(flow.line, error))
}

fn row(line: usize, columns: &[&str], record: &StringRecord) -> Result<Row, FlowError> {
    let (fields, wanted) = (record.len(), columns.len());
    if fields > wanted || fields < 2 {
        return Err(ColumnError::Fields { fields, columns: wanted }.into());
    }
    let mut row = Row::new(line, String::new(), String::new());
    for (&column, value) in columns.iter().zip(record) {
        match column {
            "source" => value.clone_into(&mut row.source),
            "destination" => value.clone_into(&mut row.destination),
            _ if value.is_empty() => {}
            "class" => row.class = Some(classes::named(value)?),
            "bandwidth" => row.bandwidth = Some(value.parse()?),
            "packet" => {
                let flits = digits(value).filter(|flits| (1..=MOST_FLITS).contains(flits));
                let wrong = || FlowError::Packet(value.to_owned());
                row.packet_flits = Some(flits.ok_or_else(wrong)?);
            }
            "burst" => {
                let flits = digits(value).filter(|flits| (1..=MOST_BURST).contains(flits));
                row.burst = Some(flits.ok_or_else(|| FlowError::Burst(value.to_owned()))?);
            }
            "words" => row.words = number_of_words(value)?,
            _ => {
                let cycles = digits(value).filter(|&cycles: &u32| cycles > 0);
                row.latency = Some(cycles.ok_or_else(|| FlowError::Latency(value.to_owned()))?);
            }
        }
    }
    Ok(row)
}

/// Flits per cycle as a decimal number above 0 and up to 1.
impl FromStr for Bandwidth {
    type Err = FlowError;
    fn from_str(text: &str) -> Result<Self, FlowError> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let billionths = || {
            let places = part.len();
            let padded = format!("{part:0<PLACES$}");
            let part: u64 = if places > PLACES { None } else { digits(&padded) }?;
            let whole: u64 = if whole.is_empty() && places > 0 { Some(0) } else { digits(whole) }?;
            whole.checked_mul(Bandwidth::WHOLE.0)?.checked_add(part)
        };
        let found = billionths().map(Bandwidth);
        let found = found.filter(|found| (Bandwidth(1)..=Bandwidth::WHOLE).contains(found));
        found.ok_or_else(|| FlowError::Bandwidth(text.to_owned()))
    }
}
