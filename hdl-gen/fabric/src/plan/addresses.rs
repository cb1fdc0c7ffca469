//! Addresses of terminals that users choose, in place of those of the network.

use super::interface_error::{InterfaceError, Wish};
use super::terminal_wish::{TerminalAddress, by_terminal};
use super::{FabricPlan, Side};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use turnpike_network::description::MOST_ADDRESS;
use turnpike_network::flows::fits;
use turnpike_network::topology::{Terminal, Topology};

/// Addresses of all terminals, where some are not those of the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Addresses {
    /// By terminal; empty where all are those of the network.
    all: BTreeMap<Terminal, u32>,
    /// By name, those that no file of the network gives.
    asked: BTreeMap<String, u32>,
}

/// A terminal's addresses, both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddressPair {
    /// Label of the terminal.
    pub label: String,
    /// Address at the ports of the top module.
    pub outer: u32,
    /// Address in the network.
    pub inner: u32,
}

impl Addresses {
    /// Addresses that are asked for, by the names of terminals.
    ///
    /// # Errors
    /// An address out of range; two terminals of one address, where none was asked for one of them, too.
    pub fn new(
        topology: &dyn Topology,
        names: &[(String, Terminal)],
        wishes: &[TerminalAddress],
    ) -> Result<Self, InterfaceError> {
        let wishes = wishes.iter().flat_map(|wish| each(wish, topology, names));
        let found = by_terminal(names, Wish::Address, wishes, |terminal, &address| {
            match address > MOST_ADDRESS {
                true => {
                    Err(InterfaceError::AddressRange { terminal: terminal.to_owned(), address })
                }
                false => Ok(()),
            }
        })?;
        let mut taken: BTreeMap<u32, &str> = BTreeMap::new();
        let (mut all, mut asked) = (BTreeMap::new(), BTreeMap::new());
        for (name, terminal) in names {
            let given = topology.given_address(*terminal);
            let usual = given.unwrap_or_else(|| topology.address(*terminal).0);
            let address = found.get(terminal).copied().unwrap_or(usual);
            match taken.entry(address) {
                Entry::Vacant(place) => _ = place.insert(name),
                // Streams of message classes have the address of their terminal.
                Entry::Occupied(place) if place.get() == name => {}
                Entry::Occupied(place) => {
                    let (first, second) = ((*place.get()).to_owned(), name.clone());
                    return Err(InterfaceError::AddressTaken { address, first, second });
                }
            }
            all.insert(*terminal, address);
            if address != usual {
                asked.insert(name.clone(), address);
            }
        }
        let is_own =
            |(&terminal, &address): (&Terminal, &u32)| address == topology.address(terminal).0;
        if all.iter().all(is_own) {
            all.clear();
        }
        Ok(Self { all, asked })
    }

    /// Whether all are those of the network.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Addresses by name, those that no file of the network gives.
    pub fn words(&self) -> Vec<TerminalAddress> {
        let word = |(name, &address): (&String, &u32)| TerminalAddress {
            terminals: name.clone(),
            address,
        };
        self.asked.iter().map(word).collect()
    }

    /// Address of a terminal at the ports.
    pub fn of(&self, topology: &dyn Topology, terminal: Terminal) -> u32 {
        let own = || topology.address(terminal).0;
        self.all.get(&terminal).copied().unwrap_or_else(own)
    }
}

/// The addresses of a wish: those of several terminals follow each other, in the order of the network's.
fn each(
    wish: &TerminalAddress,
    topology: &dyn Topology,
    names: &[(String, Terminal)],
) -> Vec<(String, u32)> {
    let meant = names.iter().filter(|(name, _)| fits(&wish.terminals, name));
    let meant: BTreeMap<u32, &String> =
        meant.map(|(name, terminal)| (topology.address(*terminal).0, name)).collect();
    if meant.is_empty() {
        return vec![(wish.terminals.clone(), wish.address)];
    }
    let next = |(place, name): (usize, &&String)| {
        ((*name).clone(), wish.address.saturating_add(place as u32))
    };
    meant.values().enumerate().map(next).collect()
}

impl FabricPlan {
    /// Whether terminals have addresses at the ports of the top module that are not those of the network.
    pub fn has_addresses(&self) -> bool {
        !self.interfaces.addresses.is_empty()
    }

    /// Address of a terminal at the ports of the top module: on `tdest`, and on `tid`.
    pub fn address(&self, terminal: Terminal) -> u32 {
        self.interfaces.addresses.of(self.topology(), terminal)
    }

    /// Bits of an address at the ports of the top module.
    pub fn address_bits(&self) -> u32 {
        match self.interfaces.addresses.all.values().max() {
            None => self.topology().address_bits(),
            Some(most) => (u32::BITS - most.leading_zeros()).max(1),
        }
    }

    /// Whether a packet at the ports can have the address of nobody, where addresses are exchanged.
    pub fn has_addresses_of_nobody(&self) -> bool {
        (self.address_pairs().len() as u64) < 1 << self.address_bits()
    }

    /// Both addresses of each terminal, in the order of those of the network.
    pub fn address_pairs(&self) -> Vec<AddressPair> {
        let topology = self.topology().intact().unwrap_or(self.topology());
        let pairs = topology.all_terminals().map(|terminal| {
            let inner = topology.address(terminal).0;
            let (label, outer) = (topology.place_label(terminal), self.address(terminal));
            (inner, AddressPair { label, outer, inner })
        });
        pairs.collect::<BTreeMap<u32, AddressPair>>().into_values().collect()
    }

    /// Whether addresses are exchanged between the ports of a side and the network.
    pub(super) fn exchanges_addresses(&self, side: Side) -> bool {
        self.has_addresses() && (side == Side::Source || self.parameters.source_id)
    }
}
