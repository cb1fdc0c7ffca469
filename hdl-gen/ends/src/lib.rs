//! Memory-mapped ends: which terminals speak AXI4 or a protocol like it, which addresses they answer, the
//! flows that follow, and the packets in which their transactions travel. It knows no netlist: the hardware of ends is
//! built from what stands here.

#![warn(missing_docs)]

mod error;
mod flows;
mod list;
pub mod packet;
pub mod protocol;
mod range;

pub use error::{EndError, EndsError};
pub use flows::{REPLY, REQUEST};
pub use list::{COLUMNS, EndEntry};
pub use protocol::{Protocol, Widths};
pub use range::{AddressRange, NoRange, PAGE};

/// Role of a terminal in transactions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Role of a terminal that issues transactions.
    Manager,
    /// Role of a terminal that answers them.
    Subordinate,
}

/// Fewest and most transactions of one direction that a manager has in flight.
pub const OUTSTANDING: [u32; 2] = [1, 64];

/// Fewest and most transactions of one direction that a subordinate has in flight.
pub const PENDING: [u32; 2] = [2, 64];

/// Fewest and most bits of the IDs of a manager.
pub const ID_WIDTH: [u32; 2] = [1, 16];

/// Fewest and most beats of reads that a reorder buffer holds; a power of two.
pub const REORDER: [u32; 2] = [4, 1024];

/// Terminal that issues transactions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manager {
    /// Name of the terminal.
    pub name: String,
    /// Line of the list in which it stands, counted from 1.
    pub line: usize,
    /// Protocol that it speaks.
    pub protocol: Protocol,
    /// Bits of its data.
    pub data_width: u32,
    /// Bits of its IDs; 1 where its protocol has none.
    pub id_width: u32,
    /// Most reads, and most writes, that it has in flight.
    pub outstanding: u32,
    /// Beats of its longest write: they are gathered before the write goes on its way.
    pub burst: u32,
    /// Beats of reads that its reorder buffer holds, where it has one.
    pub reorder: Option<u32>,
    /// Subordinates that it reaches, by number, ascending.
    pub reach: Vec<usize>,
}

/// Terminal that answers transactions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subordinate {
    /// Name of the terminal.
    pub name: String,
    /// Line of the list in which it stands, counted from 1.
    pub line: usize,
    /// Protocol that it speaks.
    pub protocol: Protocol,
    /// Bits of its data.
    pub data_width: u32,
    /// Addresses that it answers, ascending.
    pub ranges: Vec<AddressRange>,
    /// Most reads, and most writes, that it has in flight.
    pub outstanding: u32,
}

/// Ends of a system: who issues transactions, who answers them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Bits of data of a word of the network: those of the widest end.
    pub data_width: u32,
    /// Bits of addresses, 32 to 64.
    pub address_bits: u32,
    /// Terminals that issue transactions, in the order of the list.
    pub managers: Vec<Manager>,
    /// Terminals that answer them, in the order of the list.
    pub subordinates: Vec<Subordinate>,
}

/// Bits of the ID of transactions at a subordinate: it is 0 in all.
pub const SUBORDINATE_ID: u32 = 1;

/// Port of a terminal: its role, and what it speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndPort<'a> {
    /// Name of the terminal.
    pub name: &'a str,
    /// Role of the terminal.
    pub role: Role,
    /// Protocol of the terminal.
    pub protocol: Protocol,
    /// Widths of its port.
    pub widths: Widths,
}

impl Ends {
    /// Ends whose terminals have other names.
    pub fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let mut ends = self.clone();
        let managers = ends.managers.iter_mut().map(|end| &mut end.name);
        let all = managers.chain(ends.subordinates.iter_mut().map(|end| &mut end.name));
        all.for_each(|own| *own = name(own));
        ends
    }

    /// Ports of all terminals: managers, then subordinates, in the order of the list.
    pub fn ports(&self) -> impl Iterator<Item = EndPort<'_>> {
        let managers = self.managers.iter().map(|end| self.manager_port(end));
        managers.chain(self.subordinates.iter().map(|end| self.subordinate_port(end)))
    }

    /// Port of a manager.
    pub fn manager_port<'a>(&self, end: &'a Manager) -> EndPort<'a> {
        let Manager { name, protocol, data_width, id_width, .. } = end;
        self.port(name, Role::Manager, *protocol, [*data_width, *id_width])
    }

    /// Port of a subordinate.
    pub fn subordinate_port<'a>(&self, end: &'a Subordinate) -> EndPort<'a> {
        let Subordinate { name, protocol, data_width, .. } = end;
        self.port(name, Role::Subordinate, *protocol, [*data_width, SUBORDINATE_ID])
    }

    fn port<'a>(
        &self,
        name: &'a str,
        role: Role,
        protocol: Protocol,
        [data, id]: [u32; 2],
    ) -> EndPort<'a> {
        let widths = protocol.own_widths(Widths { address: self.address_bits, data, id });
        EndPort { name, role, protocol, widths }
    }

    /// Names of the subordinates that a manager reaches.
    pub fn reached<'a>(&'a self, manager: &'a Manager) -> impl Iterator<Item = &'a str> {
        manager.reach.iter().map(|&number| self.subordinates[number].name.as_str())
    }

    /// An address, of the first of a page, that nobody answers; `None` where each is somebody's.
    pub fn nobody(&self) -> Option<u64> {
        let all = self.subordinates.iter().flat_map(|end| &end.ranges);
        let mut all: Vec<&AddressRange> = all.collect();
        all.sort_unstable();
        let mut free = 0;
        for range in all {
            if free < range.first {
                return Some(free);
            }
            free = range.last.checked_add(1)?;
        }
        (u64::BITS - free.leading_zeros() <= self.address_bits).then_some(free)
    }

    /// Bits of a word between ends.
    pub fn word(&self) -> u32 {
        packet::word(self.data_width)
    }

    /// Bits of the longest tag by which a manager tells its transactions apart.
    pub fn tag_bits(&self) -> u32 {
        self.managers.iter().map(|manager| tag_bits(manager.outstanding)).max().unwrap_or(1)
    }
}

/// Bits of a tag that tells so many transactions apart.
pub fn tag_bits(outstanding: u32) -> u32 {
    turnpike_base::bits::bits_for(outstanding).max(1)
}
