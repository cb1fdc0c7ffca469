//! Lists of ends: CSV, or the keys of a system file's terminals.

use crate::axi4::MOST_BEATS;
use crate::error::{EndError, EndsError};
use crate::range::AddressRange;
use crate::{Ends, ID_WIDTH, Manager, OUTSTANDING, PENDING, Role, Subordinate};
use std::collections::BTreeMap;
use std::fmt::Write;
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers::digits;
use turnpike_base::range;
use turnpike_network::flows::fits;
use turnpike_network::records::{ColumnError, Columns, NoRecord, Records};

/// Names of the columns; the first three must be there.
pub const COLUMNS: [&str; 9] = [
    "name",
    "protocol",
    "role",
    "data-width",
    "id-width",
    "outstanding",
    "burst",
    "range",
    "reach",
];

const TABLE: Columns = Columns { known: &COLUMNS, required: 3 };

/// Protocol of an end, by its name in a list.
const AXI4: &str = "axi4";

/// Bits of data, IDs and transactions in flight, where nothing else is said.
const DATA_WIDTH: u32 = 32;
const IDS: u32 = 4;
const IN_FLIGHT: u32 = 8;

/// Most bits of data: with their strobes they fit into a word of a network.
const MOST_DATA: u32 = 512;

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

    fn role(&self) -> Result<Role, EndError> {
        let unknown = |what, known| {
            let value = self.value(what).unwrap_or_default().to_owned();
            EndError::Unknown { terminal: self.name(), what, value, known }
        };
        if self.value("protocol") != Some(AXI4) {
            return Err(unknown("protocol", AXI4));
        }
        match self.value("role") {
            Some("manager") => Ok(Role::Manager),
            Some("subordinate") => Ok(Role::Subordinate),
            _ => Err(unknown("role", "manager or subordinate")),
        }
    }

    fn data_width(&self) -> Result<u32, EndError> {
        let bits = self.number("data-width", [0, u32::MAX], DATA_WIDTH)?;
        match bits.is_power_of_two() && (8..=MOST_DATA).contains(&bits) {
            true => Ok(bits),
            false => Err(EndError::DataWidth { terminal: self.name(), bits }),
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
            Role::Subordinate if !has("range") => {
                ("subordinate", "say what it answers, such as range = 0x8000_0000..0xBFFF_FFFF")
            }
            _ => return Ok(()),
        };
        Err(EndError::Role { terminal: self.name(), role: name, problem })
    }

    fn ranges(&self) -> Result<Vec<AddressRange>, EndError> {
        let terminal = self.name();
        let mut ranges = Vec::new();
        for text in self.value("range").unwrap_or_default().split_whitespace() {
            let range: AddressRange = text
                .parse()
                .map_err(|error| EndError::Range { terminal: terminal.clone(), error })?;
            if !range.is_of_pages() {
                return Err(EndError::Pages { terminal, range });
            }
            ranges.push(range);
        }
        ranges.sort_unstable();
        Ok(ranges)
    }

    fn subordinate(&self) -> Result<Subordinate, EndError> {
        let outstanding = self.number("outstanding", PENDING, IN_FLIGHT)?;
        Ok(Subordinate { name: self.name(), line: self.line, ranges: self.ranges()?, outstanding })
    }

    /// A manager, by the names of all subordinates.
    fn manager(&self, names: &[&str]) -> Result<Manager, EndError> {
        let patterns = self.value("reach").unwrap_or("*");
        let mut reach = Vec::new();
        for pattern in patterns.split_whitespace() {
            let found = (0..names.len()).filter(|&number| fits(pattern, names[number]));
            let before = reach.len();
            reach.extend(found);
            if reach.len() == before {
                let nearest = Nearest::of(pattern, names.iter().copied());
                let name = pattern.to_owned();
                return Err(EndError::Reach { terminal: self.name(), name, nearest });
            }
        }
        reach.sort_unstable();
        reach.dedup();
        Ok(Manager {
            name: self.name(),
            line: self.line,
            id_width: self.number("id-width", ID_WIDTH, IDS)?,
            outstanding: self.number("outstanding", OUTSTANDING, IN_FLIGHT)?,
            burst: self.number("burst", [1, MOST_BEATS], MOST_BEATS)?,
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
        let mut first: Option<(String, u32)> = None;
        let mut roles = Vec::new();
        for entry in entries {
            let at = |error: EndError| error.at(entry.line);
            let role = entry.role().map_err(at)?;
            entry.check_role(role).map_err(at)?;
            let terminal = entry.name();
            if let Some(first) = lines.insert(terminal.to_ascii_lowercase(), entry.line) {
                return Err(at(EndError::Twice { terminal, first }));
            }
            let bits = entry.data_width().map_err(at)?;
            let (other, others) = first.get_or_insert_with(|| (terminal.clone(), bits)).clone();
            if others != bits {
                return Err(at(EndError::Widths { terminal, bits, other, others }));
            }
            roles.push(role);
        }
        let of_role = |role: Role| {
            entries.iter().zip(&roles).filter(move |(_, own)| **own == role).map(|(entry, _)| entry)
        };
        let subordinates = of_role(Role::Subordinate)
            .map(|entry| entry.subordinate().map_err(|error| error.at(entry.line)));
        let subordinates: Vec<Subordinate> = subordinates.collect::<Result<_, _>>()?;
        check_map(&subordinates)?;
        let names: Vec<&str> = subordinates.iter().map(|end| end.name.as_str()).collect();
        let managers = of_role(Role::Manager)
            .map(|entry| entry.manager(&names).map_err(|error| error.at(entry.line)));
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
        let data_width = first.map_or(DATA_WIDTH, |(_, bits)| bits);
        let address_bits = address_bits.max(LEAST_ADDRESS);
        Ok(Self { data_width, address_bits, managers, subordinates })
    }

    /// The ends as a list, in their canonical form, which [`Ends::parse`] reads back.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", COLUMNS.join(","));
        let data = self.data_width;
        for manager in &self.managers {
            let Manager { name, id_width, outstanding, burst, .. } = manager;
            let reach = self.reached(manager).collect::<Vec<_>>();
            let reach = reach.join(" ");
            writeln!(
                text,
                "{name},{AXI4},manager,{data},{id_width},{outstanding},{burst},,{reach}"
            )
            .expect("a string takes any text");
        }
        for Subordinate { name, ranges, outstanding, .. } in &self.subordinates {
            let ranges: Vec<String> = ranges.iter().map(AddressRange::to_string).collect();
            let ranges = ranges.join(" ");
            writeln!(text, "{name},{AXI4},subordinate,{data},,{outstanding},,{ranges},")
                .expect("a string takes any text");
        }
        text
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
mod tests {
    use super::*;

    const HEAD: &str = "name,protocol,role,range,reach\n";

    #[test]
    fn a_list_reads_back() {
        let text = format!(
            "{HEAD}cpu0,axi4,manager,,\ncpu1,axi4,manager,,d*\n\
             ddr,axi4,subordinate,0x8000_0000..0xBFFF_FFFF 0..4095,\nuart,axi4,subordinate,0x1000..0x1fff,\n"
        );
        let ends = Ends::parse(&text).unwrap();
        assert_eq!([&ends.managers[0].reach[..], &ends.managers[1].reach[..]], [&[0, 1][..], &[0]]);
        assert_eq!((ends.data_width, ends.address_bits), (32, 32));
        let lineless = |ends: &Ends| (ends.text(), ends.managers.len(), ends.subordinates.len());
        let again = Ends::parse(&ends.text()).unwrap();
        assert_eq!(lineless(&again), lineless(&ends));
    }

    #[test]
    fn wrong_lists_are_refused() {
        let good = "cpu,axi4,manager,,\nmem,axi4,subordinate,0..4095,\n";
        for (text, wanted) in [
            (
                "cpu,axi5,manager,,\n",
                "line 2: terminal cpu: protocol 'axi5' is not known; use axi4",
            ),
            ("cpu,axi4,master,,\n", "role 'master'"),
            ("cpu,axi4,manager,0..4095,\n", "leave range out"),
            ("mem,axi4,subordinate,,\n", "say what it answers"),
            ("mem,axi4,subordinate,0..4095,cpu\n", "leave reach out"),
            ("mem,axi4,subordinate,1..4095,\n", "whole pages"),
            ("mem,axi4,subordinate,0..4096,\n", "whole pages"),
            ("mem,axi4,subordinate,4095,\n", "is no range"),
            ("cpu,axi4,manager,,\n", "no subordinate"),
            ("mem,axi4,subordinate,0..4095,\n", "no manager reaches terminal mem"),
            (&format!("{good}cpu,axi4,manager,,\n"), "stands in line 2 already"),
            (&format!("{good}m2,axi4,subordinate,0..8191,\n"), "overlap"),
            (&format!("{good}c2,axi4,manager,,men\n"), "did you mean 'mem'?"),
            ("", "no subordinate"),
        ] {
            let error = Ends::parse(&format!("{HEAD}{text}")).unwrap_err().to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        }
        let numbers = "name,protocol,role,data-width,id-width,outstanding,burst,range\n";
        let answers = "mem,axi4,subordinate,32,,,,0..4095\n";
        for (values, wanted) in [
            ("12,4,8,16", "data-width 12 is none"),
            ("32,0,8,16", "id-width 0 is out of range"),
            ("32,4,1024,16", "outstanding 1024 is out of range; use 1 to 64"),
            ("32,4,8,257", "burst 257 is out of range"),
            ("32,x,8,16", "'x' is no whole number"),
        ] {
            let error = Ends::parse(&format!("{numbers}cpu,axi4,manager,{values},\n{answers}"))
                .unwrap_err();
            assert!(error.to_string().contains(wanted), "{values}: {error}");
        }
    }
}
