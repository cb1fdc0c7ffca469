//! One fault each in the netlist of the first of the builds.

use regex::Regex;
use turnpike_flow::target::Family;

/// A fault in one cell.
#[derive(Clone, Copy)]
pub struct Fault {
    /// What is wrong, in a few words.
    pub name: &'static str,
    /// In whose cells.
    pub family: Family,
    /// Such a cell; its group is what changes, in the middle one of them.
    cell: &'static str,
    /// What the group becomes.
    change: fn(&str) -> String,
}

pub const FAULTS: [Fault; 5] = [
    Fault {
        name: "a look-up table inverted",
        family: Family::Ice40,
        cell: r"\.LUT_INIT\(16'h([0-9a-f]{4})\)",
        change: inverted,
    },
    Fault {
        name: "a look-up table inverted",
        family: Family::Ecp5,
        cell: r"LUT4 #\(\s*\.INIT\(16'h([0-9a-f]{4})\)",
        change: inverted,
    },
    Fault {
        name: "a register reset to 0 for 1",
        family: Family::Ecp5,
        cell: r#"\.REGSET\("(SET)"\)"#,
        change: |_| "RESET".to_owned(),
    },
    Fault {
        name: "a LUT-RAM written at one address alone",
        family: Family::Ecp5,
        cell: r"TRELLIS_DPR16X4 [^;]*\.WAD\(\{ 2'h0, ([^}]*)\}\)",
        change: |_| "2'h0".to_owned(),
    },
    Fault {
        name: "a LUT-RAM that stores no bit 0",
        family: Family::Ecp5,
        cell: r"TRELLIS_DPR16X4 [^;]*\.DI\(\{ [^}]*, (\S+) \}\)",
        change: |_| "3'h0".to_owned(),
    },
];

fn inverted(table: &str) -> String {
    format!("{:04x}", !u16::from_str_radix(table, 16).unwrap())
}

impl Fault {
    /// The netlist with the fault.
    pub fn put_into(&self, netlist: &str) -> String {
        let cells: Vec<_> = Regex::new(self.cell).unwrap().captures_iter(netlist).collect();
        let cell = cells.get(cells.len() / 2).unwrap_or_else(|| panic!("no cell: {}", self.name));
        let place = cell.get(1).unwrap();
        let mut faulty = netlist.to_owned();
        faulty.replace_range(place.range(), &(self.change)(place.as_str()));
        assert_ne!(faulty, netlist, "{}", self.name);
        faulty
    }
}
