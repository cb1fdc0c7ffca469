//! A network in any format of topologies, with its next hops in CSV: columns `switch`,
//! `destination` and `next`, and where the table depends on it `input`.

use super::error::{Fault, File, MOST_VCS, ReadError};
use super::names::Names;
use super::{Inputs, Reading};
use crate::model::{MOST_CHANNELS, Routed};
use ::csv::StringRecord;
use rustc_hash::FxHashMap;
use turnpike_base::numbers::digits;
use turnpike_network::description::{ReadOptions, read_with};
use turnpike_network::records::{ColumnError, Columns, Records};

/// Columns; the first three must be there.
const COLUMNS: Columns =
    Columns { known: &["switch", "destination", "next", "input"], required: 3 };
/// Word for packets that enter at a switch.
const INJECT: &str = "inject";

/// Input of a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum From {
    Any,
    Injection,
    /// A link, and its virtual channel; all of them where `None`.
    Link(u32, Option<u32>),
}

struct Row {
    switch: u32,
    destination: u32,
    link: u32,
    vc: u32,
    from: From,
}

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let network = read_with(inputs.network.name, inputs.network.bytes, ReadOptions::default())?;
    let description = network.description;
    let routes = inputs.routes.map_or(&[][..], |routes| routes.bytes);
    let text = std::str::from_utf8(routes).map_err(|_| Fault::Binary.of(File::Routes))?;
    let rows = rows(text, &Names::new(&description))?;
    let vcs = 1 + rows.iter().map(|row| row.vc.max(row.from.vc())).max().unwrap_or(0);
    let mut routed = Routed::new(&description, vcs)?;
    let channel = |row: &Row| row.link * vcs + row.vc;
    let (general, special): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.from == From::Any);
    for row in general {
        routed.tables.add(row.switch, row.destination, channel(row));
    }
    // Tables of inputs begin as that of their switch; a row of their own replaces what is there.
    let mut table_of: FxHashMap<(u32, Option<u32>), u32> = FxHashMap::default();
    let mut begun = rustc_hash::FxHashSet::default();
    for row in special {
        let places: Vec<Option<u32>> = match row.from {
            From::Any => Vec::new(),
            From::Injection => vec![None],
            From::Link(link, Some(vc)) => vec![Some(link * vcs + vc)],
            From::Link(link, None) => (0..vcs).map(|vc| Some(link * vcs + vc)).collect(),
        };
        for place in places {
            let table = match table_of.get(&(row.switch, place)) {
                Some(&table) => table,
                None => {
                    let table = routed.tables.copy(row.switch)?;
                    table_of.insert((row.switch, place), table);
                    table
                }
            };
            if begun.insert((table, row.destination)) {
                routed.tables.set(table, row.destination, &[]);
            }
            routed.tables.add(table, row.destination, channel(row));
        }
    }
    for ((switch, place), table) in table_of {
        match place {
            Some(channel) => routed.of_channel[channel as usize] = table,
            None => routed.of_injection[0][switch as usize] = table,
        }
    }
    let remarks = network.remarks.iter().map(ToString::to_string).collect();
    Ok(Reading { description, routed, remarks, traffic: None })
}

impl From {
    fn vc(&self) -> u32 {
        match self {
            Self::Link(_, Some(vc)) => *vc,
            _ => 0,
        }
    }
}

fn rows(text: &str, names: &Names<'_>) -> Result<Vec<Row>, ReadError> {
    let mut records = Records::of(text);
    let mut columns: Option<Vec<usize>> = None;
    let mut lines: FxHashMap<(u32, u32, u32, u32, From), usize> = FxHashMap::default();
    let mut rows = Vec::new();
    while let Some((line, record)) =
        records.read().map_err(|fault| ReadError::no_csv(File::Routes, fault))?
    {
        let Some(columns) = &columns else {
            columns = Some(COLUMNS.of(record).map_err(|fault| Fault::from(fault).at(line))?);
            continue;
        };
        let added = row(columns, record, names).map_err(|fault| fault.at(line))?;
        for row in added {
            let key = (row.switch, row.destination, row.link, row.vc, row.from.clone());
            if let Some(before) = lines.insert(key, line) {
                return Err(Fault::Twice(before).at(line));
            }
            rows.push(row);
            if rows.len() > MOST_CHANNELS {
                return Err(Fault::Many("next hops").at(line));
            }
        }
    }
    if rows.is_empty() {
        let fault = match columns {
            Some(_) => Fault::Empty("switch,destination,next"),
            None => COLUMNS.missing(0).into(),
        };
        return Err(fault.of(File::Routes));
    }
    Ok(rows)
}

/// Rows of a line: one for each destination and input.
fn row(columns: &[usize], record: &StringRecord, names: &Names<'_>) -> Result<Vec<Row>, Fault> {
    if record.len() != columns.len() {
        return Err(ColumnError::Fields { fields: record.len(), columns: columns.len() }.into());
    }
    let mut fields = [""; 4];
    for (&column, value) in columns.iter().zip(record) {
        fields[column] = value;
    }
    let [switch, destination, next, input] = fields;
    let switch = names.switch(switch)?;
    let destinations = names.destinations(destination)?;
    let from = match input {
        "" => vec![From::Any],
        INJECT => vec![From::Injection],
        input => {
            let (links, vc) = with_vc(input, |name| names.into(switch, name))?;
            links.into_iter().map(|link| From::Link(link, vc)).collect()
        }
    };
    let (link, vc) = with_vc(next, |name| names.out(switch, name))?;
    let mut rows = Vec::new();
    for destination in destinations {
        if names.leaves_at(destination, switch) {
            let destination = names.terminal_name(destination).to_owned();
            return Err(Fault::Arrived {
                destination,
                switch: names.switch_name(switch).to_owned(),
            });
        }
        for from in &from {
            let (from, vc) = (from.clone(), vc.unwrap_or(0));
            rows.push(Row { switch, destination, link, vc, from });
        }
    }
    Ok(rows)
}

/// A name, behind which the number of a virtual channel may stand: `b:1`.
fn with_vc<T>(
    text: &str,
    find: impl Fn(&str) -> Result<T, Fault>,
) -> Result<(T, Option<u32>), Fault> {
    // A name may have a colon itself.
    let whole = match find(text) {
        Ok(found) => return Ok((found, None)),
        Err(fault) => fault,
    };
    let Some((name, vc)) = text.rsplit_once(':') else { return Err(whole) };
    let found = find(name)?;
    let number = digits(vc).filter(|&vc: &u32| vc < MOST_VCS);
    Ok((found, Some(number.ok_or_else(|| Fault::Vc(vc.to_owned()))?)))
}
