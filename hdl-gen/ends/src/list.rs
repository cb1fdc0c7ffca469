//! Lists of ends: CSV, or the keys of a system file's terminals.

use crate::error::{EndError, EndsError};
use crate::protocol::Facts;
use crate::protocol::axi4::MOST_BEATS;
use crate::range::AddressRange;
use crate::{Ends, ID_WIDTH, Manager, OUTSTANDING, PENDING, Protocol, REORDER, Role, Subordinate};
use std::collections::BTreeMap;
use std::fmt::Write;
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers::digits;
use turnpike_base::range;
use turnpike_network::flows::fits;
use turnpike_network::records::{ColumnError, Columns, NoRecord, Records};

/// Names of the columns; the first three must be there.
pub const COLUMNS: [&str; 10] = [
    "name",
    "protocol",
    "role",
    "data-width",
    "id-width",
    "outstanding",
    "burst",
    "reorder",
    "range",
    "reach",
];

const TABLE: Columns = Columns { known: &COLUMNS, required: 3 };

/// Bits of data, IDs and transactions in flight, where nothing else is said.
const DATA_WIDTH: u32 = 32;
const IDS: u32 = 4;
const IN_FLIGHT: u32 = 8;

/// Fewest bits of addresses.
const LEAST_ADDRESS: u32 = 32;

/// An end as a table gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndEntry {
    /// Number of its line, counted from 1.
    pub line: usize,
    /// Values by the names of columns. Those of a list have blanks between them.
    pub values: Vec<(String, String)>,
}

impl EndEntry {
    fn value(&self, column: &str) -> Option<&str> {
        let found = self.values.iter().find(|(name, _)| name == column);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn name(&self) -> String {
        self.value("name").unwrap_or_default().to_owned()
    }

    /// Number of a column, in a range.
    fn number(
        &self,
        what: &'static str,
        [low, high]: [u32; 2],
        default: u32,
    ) -> Result<u32, EndError> {
        let Some(text) = self.value(what) else { return Ok(default) };
        let terminal = self.name();
        let Some(value) = digits(text) else {
            return Err(EndError::Number { terminal, what, value: text.to_owned() });
        };
        let checked = range::check(what, value, low, high);
        checked.map_err(|error| EndError::OutOfRange { terminal, error })?;
        Ok(value)
    }

    fn unknown(&self, what: &'static str, known: String) -> EndError {
        let value = self.value(what).unwrap_or_default().to_owned();
        EndError::Unknown { terminal: self.name(), what, value, known }
    }

    fn protocol(&self) -> Result<Protocol, EndError> {
        let found = self.value("protocol").and_then(Protocol::named);
        found.ok_or_else(|| {
            let names = Protocol::ALL.map(|protocol| protocol.facts().name.to_owned());
            self.unknown("protocol", either(&names))
        })
    }

    fn role(&self) -> Result<Role, EndError> {
        match self.value("role") {
            Some("manager") => Ok(Role::Manager),
            Some("subordinate") => Ok(Role::Subordinate),
            _ => Err(self.unknown("role", "manager or subordinate".to_owned())),
        }
    }

    fn data_width(&self, protocol: Protocol) -> Result<u32, EndError> {
        let Facts { title, data_widths, .. } = protocol.facts();
        let bits = self.number("data-width", [0, u32::MAX], DATA_WIDTH)?;
        if data_widths.contains(&bits) {
            return Ok(bits);
        }
        let known: Vec<String> = data_widths.iter().map(u32::to_string).collect();
        Err(EndError::DataWidth { terminal: self.name(), title, bits, known: either(&known) })
    }

    /// Refuses columns that say nothing of its protocol.
    fn check_protocol(&self, protocol: Protocol, role: Role) -> Result<(), EndError> {
        let Facts { title, has_ids, has_bursts, is_serial, .. } = protocol.facts();
        let is_manager = role == Role::Manager;
        let said = [
            ("id-width", *has_ids, "it has no IDs; leave id-width out"),
            ("burst", *has_bursts, "its transfers are single; leave burst out"),
            (
                "outstanding",
                !(is_manager && *is_serial),
                "one transfer is in flight at a time; leave outstanding out",
            ),
            ("reorder", !is_serial, "one transfer is in flight at a time; leave reorder out"),
        ];
        let wrong = said.into_iter().find(|(column, has, _)| !has && self.value(column).is_some());
        match wrong {
            Some((_, _, problem)) => {
                Err(EndError::Protocol { terminal: self.name(), title, problem })
            }
            None => Ok(()),
        }
    }

    /// Refuses columns that are of the other role.
    fn check_role(&self, role: Role) -> Result<(), EndError> {
        let has = |column| self.value(column).is_some();
        let (name, problem) = match role {
            Role::Manager if has("range") => {
                ("manager", "it answers no addresses; leave range out")
            }
            Role::Subordinate if has("reach") => {
                ("subordinate", "it reaches nobody; leave reach out")
            }
            Role::Subordinate if has("id-width") => {
                ("subordinate", "it is asked with one ID; leave id-width out")
            }
            Role::Subordinate if has("burst") => {
                ("subordinate", "managers say their longest burst; leave burst out")
            }
            Role::Subordinate if has("reorder") => {
                ("subordinate", "it answers in order; leave reorder out")
            }
            Role::Subordinate if !has("range") => {
                ("subordinate", "say what it answers, such as range = 0x8000_0000..0xBFFF_FFFF")
            }
            _ => return Ok(()),
        };
        Err(EndError::Role { terminal: self.name(), role: name, problem })
    }

    fn reorder(&self) -> Result<Option<u32>, EndError> {
        if self.value("reorder").is_none() {
            return Ok(None);
        }
        let beats = self.number("reorder", REORDER, 0)?;
        match beats.is_power_of_two() {
            true => Ok(Some(beats)),
            false => Err(EndError::Reorder { terminal: self.name(), beats }),
        }
    }

    fn ranges(&self, protocol: Protocol) -> Result<Vec<AddressRange>, EndError> {
        let terminal = self.name();
        let facts = protocol.facts();
        let mut ranges = Vec::new();
        for text in self.value("range").unwrap_or_default().split_whitespace() {
            let range: AddressRange = text
                .parse()
                .map_err(|error| EndError::Range { terminal: terminal.clone(), error })?;
            if !range.is_of_pages() {
                return Err(EndError::Pages { terminal, range });
            }
            if facts.above(range.first) != facts.above(range.last) {
                let Facts { title, most_address, .. } = *facts;
                return Err(EndError::Long { terminal, range, title, most_address });
            }
            ranges.push(range);
        }
        ranges.sort_unstable();
        Ok(ranges)
    }

    fn subordinate(&self) -> Result<Subordinate, EndError> {
        let protocol = self.protocol()?;
        // A subordinate of single transfers is asked one by one.
        let waiting = if protocol.facts().has_bursts { IN_FLIGHT } else { PENDING[0] };
        Ok(Subordinate {
            name: self.name(),
            line: self.line,
            protocol,
            data_width: self.data_width(protocol)?,
            ranges: self.ranges(protocol)?,
            outstanding: self.number("outstanding", PENDING, waiting)?,
        })
    }

    /// A manager, by all subordinates.
    fn manager(&self, subordinates: &[Subordinate]) -> Result<Manager, EndError> {
        let protocol = self.protocol()?;
        let facts = protocol.facts();
        let patterns = self.value("reach").unwrap_or("*");
        let mut reach = Vec::new();
        for pattern in patterns.split_whitespace() {
            let names = subordinates.iter().map(|end| end.name.as_str());
            let found = names.clone().enumerate().filter(|(_, name)| fits(pattern, name));
            let found: Vec<usize> = found.map(|(number, _)| number).collect();
            let (terminal, name) = (self.name(), pattern.to_owned());
            if found.is_empty() {
                let nearest = Nearest::of(pattern, names);
                return Err(EndError::Reach { terminal, name, nearest });
            }
            // Its addresses may be too short for some: to those it sends nothing.
            let is_addressed = |number: &usize| {
                subordinates[*number].ranges.iter().any(|range| facts.above(range.first) == 0)
            };
            let before = reach.len();
            reach.extend(found.into_iter().filter(is_addressed));
            if reach.len() == before {
                let Facts { title, most_address, .. } = *facts;
                return Err(EndError::Above { terminal, name, title, most_address });
            }
        }
        reach.sort_unstable();
        reach.dedup();
        let or_one = |has: bool, value: u32| if has { value } else { 1 };
        Ok(Manager {
            name: self.name(),
            line: self.line,
            protocol,
            data_width: self.data_width(protocol)?,
            id_width: self.number("id-width", ID_WIDTH, or_one(facts.has_ids, IDS))?,
            outstanding: self.number(
                "outstanding",
                OUTSTANDING,
                or_one(!facts.is_serial, IN_FLIGHT),
            )?,
            burst: self.number("burst", [1, MOST_BEATS], or_one(facts.has_bursts, MOST_BEATS))?,
            reorder: self.reorder()?,
            reach,
        })
    }
}

impl Ends {
    /// Reads a list: CSV with the columns of [`COLUMNS`]; `#` begins a comment.
    ///
    /// # Errors
    /// [`EndsError`] with the line, where one line is at fault.
    pub fn parse(text: &str) -> Result<Self, EndsError> {
        let mut records = Records::of(text);
        let no_csv = |NoRecord { line, fault }| EndsError { line, error: EndError::Csv(fault) };
        let faulty = |line: usize| move |error| EndError::Columns(error).at(line);
        let Some((line, names)) = records.read().map_err(no_csv)? else {
            return Err(EndsError { line: None, error: TABLE.missing(0).into() });
        };
        let columns = TABLE.of(names).map_err(faulty(line))?;
        let mut entries = Vec::new();
        while let Some((line, record)) = records.read().map_err(no_csv)? {
            let (fields, wanted) = (record.len(), columns.len());
            if fields != wanted {
                return Err(faulty(line)(ColumnError::Fields { fields, columns: wanted }));
            }
            let values = columns.iter().zip(record);
            let values =
                values.map(|(&column, value)| (COLUMNS[column].to_owned(), value.to_owned()));
            entries.push(EndEntry { line, values: values.collect() });
        }
        Self::of(&entries)
    }

    /// The ends that a table gives.
    ///
    /// # Errors
    /// As [`Ends::parse`].
    pub fn of(entries: &[EndEntry]) -> Result<Self, EndsError> {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        let mut data_width = 0;
        let mut roles = Vec::new();
        for entry in entries {
            let at = |error: EndError| error.at(entry.line);
            let protocol = entry.protocol().map_err(at)?;
            let role = entry.role().map_err(at)?;
            entry.check_role(role).map_err(at)?;
            entry.check_protocol(protocol, role).map_err(at)?;
            let terminal = entry.name();
            if let Some(first) = lines.insert(terminal.to_ascii_lowercase(), entry.line) {
                return Err(at(EndError::Twice { terminal, first }));
            }
            data_width = data_width.max(entry.data_width(protocol).map_err(at)?);
            roles.push(role);
        }
        let of_role = |role: Role| {
            entries.iter().zip(&roles).filter(move |(_, own)| **own == role).map(|(entry, _)| entry)
        };
        let subordinates = of_role(Role::Subordinate)
            .map(|entry| entry.subordinate().map_err(|error| error.at(entry.line)));
        let subordinates: Vec<Subordinate> = subordinates.collect::<Result<_, _>>()?;
        check_map(&subordinates)?;
        let managers = of_role(Role::Manager)
            .map(|entry| entry.manager(&subordinates).map_err(|error| error.at(entry.line)));
        let managers: Vec<Manager> = managers.collect::<Result<_, _>>()?;
        for (number, subordinate) in subordinates.iter().enumerate() {
            if managers.iter().all(|manager| !manager.reach.contains(&number)) {
                return Err(EndError::Unreached(subordinate.name.clone()).at(subordinate.line));
            }
        }
        if managers.is_empty() {
            return Err(EndsError { line: None, error: EndError::None("manager") });
        }
        let last = subordinates.iter().flat_map(|end| &end.ranges).map(|range| range.last).max();
        let address_bits = u64::BITS - last.unwrap_or_default().leading_zeros();
        let address_bits = address_bits.max(LEAST_ADDRESS);
        Ok(Self { data_width, address_bits, managers, subordinates })
    }

    /// The ends as a list, in their canonical form, which [`Ends::parse`] reads back.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", COLUMNS.join(","));
        let given = |has: bool, value: u32| if has { value.to_string() } else { String::new() };
        for manager in &self.managers {
            let Manager {
                name, protocol, data_width, id_width, outstanding, burst, reorder, ..
            } = manager;
            let Facts { name: speaks, has_ids, has_bursts, is_serial, .. } = *protocol.facts();
            let reach = self.reached(manager).collect::<Vec<_>>().join(" ");
            let ids = given(has_ids, *id_width);
            let [outstanding, burst] =
                [(!is_serial, *outstanding), (has_bursts, *burst)].map(|(has, n)| given(has, n));
            let reorder = reorder.map(|beats| beats.to_string()).unwrap_or_default();
            writeln!(
                text,
                "{name},{speaks},manager,{data_width},{ids},{outstanding},{burst},{reorder},,{reach}"
            )
            .expect("a string takes any text");
        }
        for Subordinate { name, protocol, data_width, ranges, outstanding, .. } in
            &self.subordinates
        {
            let speaks = protocol.facts().name;
            let ranges = ranges.iter().map(AddressRange::to_string).collect::<Vec<_>>().join(" ");
            writeln!(text, "{name},{speaks},subordinate,{data_width},,{outstanding},,,{ranges},")
                .expect("a string takes any text");
        }
        text
    }
}

/// Values of which one is right, for a message.
fn either(values: &[String]) -> String {
    match values {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => values.concat(),
    }
}

/// Whether each address is of one subordinate.
fn check_map(subordinates: &[Subordinate]) -> Result<(), EndsError> {
    if subordinates.is_empty() {
        return Err(EndsError { line: None, error: EndError::None("subordinate") });
    }
    let all = subordinates.iter().flat_map(|end| end.ranges.iter().map(move |range| (*range, end)));
    let mut all: Vec<(AddressRange, &Subordinate)> = all.collect();
    all.sort_by_key(|(range, _)| *range);
    for pair in all.windows(2) {
        let [(other_range, other), (range, end)] = [pair[0], pair[1]];
        if range.overlaps(&other_range) {
            let (terminal, other) = (end.name.clone(), other.name.clone());
            let error = EndError::Overlap { terminal, range, other, other_range };
            return Err(error.at(end.line));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
