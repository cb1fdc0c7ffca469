//! Protocols that terminals speak, as data: their names, their widths, and their signals.

mod apb;
pub mod axi4;
pub mod axi4_lite;
mod wishbone;

/// Protocol of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protocol {
    /// AXI4 (IHI 0022, issue H).
    Axi4,
    /// AXI4-Lite (IHI 0022 H, part B).
    Axi4Lite,
    /// APB4 (IHI 0024, issue C).
    Apb,
    /// Classic cycles of Wishbone (B4, chapter 3).
    Wishbone,
    /// Pipelined cycles of Wishbone (B4, section 3.1.3.2).
    WishbonePipelined,
}

/// Facts of a protocol.
#[derive(Debug)]
pub struct Facts {
    /// Name in lists.
    pub name: &'static str,
    /// Name in texts.
    pub title: &'static str,
    /// End of the name of a port, behind the terminal's.
    pub port: &'static str,
    /// Bits of data that it has.
    pub data_widths: &'static [u32],
    /// Most bits of its addresses.
    pub most_address: u32,
    /// Whether its transactions have IDs.
    pub has_ids: bool,
    /// Whether a transaction may be of several beats.
    pub has_bursts: bool,
    /// Whether a manager has one transaction in flight at a time.
    pub is_serial: bool,
    /// Whether reads name the bytes that are wanted.
    pub selects_reads: bool,
    /// Definition of its bus for IP-XACT, where its owner publishes one.
    pub bus: Option<BusDefinition>,
    signals: fn(Widths) -> Vec<Signal>,
}

/// Definition of a bus by Arm, in IP-XACT: vendor `amba.com`, library `AMBA4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BusDefinition {
    /// Name of the definition.
    pub name: &'static str,
    /// Version of it.
    pub version: &'static str,
    /// Name of the clock there.
    pub clock: &'static str,
    /// Name of the reset there, active low.
    pub reset: &'static str,
    /// Signals whose name there is another than their own in capitals.
    pub renamed: &'static [(&'static str, &'static str)],
}

impl BusDefinition {
    /// Definition of a bus of AXI.
    pub const fn axi(name: &'static str, version: &'static str) -> Self {
        Self { name, version, clock: "ACLK", reset: "ARESETn", renamed: &[] }
    }

    /// Name there of a signal.
    pub fn logical(&self, signal: &str) -> String {
        let renamed = self.renamed.iter().find(|(own, _)| *own == signal);
        renamed.map_or_else(|| signal.to_ascii_uppercase(), |(_, there)| (*there).to_owned())
    }
}

/// Widths of a port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Widths {
    /// Bits of addresses.
    pub address: u32,
    /// Bits of data.
    pub data: u32,
    /// Bits of IDs, where there are any.
    pub id: u32,
}

/// Signal of a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signal {
    /// Name of the signal, in small letters.
    pub name: String,
    /// Bits of the signal.
    pub bits: u32,
    /// Whether the manager drives it.
    pub from_manager: bool,
}

impl Facts {
    /// Bits of an address that its own are too short for; 0 where they are long enough.
    pub fn above(&self, address: u64) -> u64 {
        address.checked_shr(self.most_address).unwrap_or_default()
    }
}

impl Protocol {
    /// Every protocol, in the order in which messages name them.
    pub const ALL: [Self; 5] =
        [Self::Axi4, Self::Axi4Lite, Self::Apb, Self::Wishbone, Self::WishbonePipelined];

    /// Facts of the protocol.
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::Axi4 => &axi4::FACTS,
            Self::Axi4Lite => &axi4_lite::FACTS,
            Self::Apb => &apb::FACTS,
            Self::Wishbone => &wishbone::CLASSIC,
            Self::WishbonePipelined => &wishbone::PIPELINED,
        }
    }

    /// The protocol of a name in a list.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.facts().name == name)
    }

    /// Signals of a port, in the order of the port list; clock and reset are not among them.
    pub fn signals(self, widths: Widths) -> Vec<Signal> {
        (self.facts().signals)(self.own_widths(widths))
    }

    /// Widths that its ports have: addresses are no longer than the protocol allows.
    pub fn own_widths(self, widths: Widths) -> Widths {
        Widths { address: widths.address.min(self.facts().most_address), ..widths }
    }
}

/// Signals that a manager drives, then those that it is given.
fn signals(manager: &[(&str, u32)], subordinate: &[(&str, u32)]) -> Vec<Signal> {
    let of = |from_manager| {
        move |&(name, bits): &(&str, u32)| Signal { name: name.to_owned(), bits, from_manager }
    };
    manager.iter().map(of(true)).chain(subordinate.iter().map(of(false))).collect()
}
