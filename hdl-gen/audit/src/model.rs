//! A network as it is audited: switches, channels, terminals, and the next channels of packets.

use crate::AuditError;
use rustc_hash::FxHashMap;
use turnpike_network::description::{Channel as Link, Description, Name, Terminal as Place};

/// Most entries of all tables.
pub const MOST_ENTRIES: usize = 1 << 27;
/// Most channels, with their virtual channels.
pub const MOST_CHANNELS: usize = 1 << 24;

/// No next channel.
const NONE: u32 = u32::MAX;
/// Mark of an entry with several next channels.
const SEVERAL: u32 = 1 << 31;

/// Name as its user wrote it.
pub fn shown(name: &Name) -> &str {
    name.original.as_deref().unwrap_or(&name.identifier)
}

/// A terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// Name of the terminal.
    pub name: String,
    /// Switch where its packets enter, if it sends.
    pub source: Option<u32>,
    /// Switch where packets to it leave, if it takes packets.
    pub sink: Option<u32>,
}

/// A virtual channel of a link from switch to switch: a queue of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Switch that it leaves.
    pub from: u32,
    /// Switch that it arrives at.
    pub to: u32,
    /// Name of the output port that it leaves by.
    pub port: String,
    /// Name of the input port that it arrives at.
    pub input: String,
    /// Number of the virtual channel on its link, from 0.
    pub vc: u32,
}

/// Tables of next channels, by table and destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    destinations: usize,
    /// By table, then destination: the next channel, a place in `sets` that is marked, or none.
    entries: Vec<u32>,
    sets: Vec<Box<[u32]>>,
}

impl Tables {
    /// Tables without an entry, so many of them.
    ///
    /// # Errors
    /// [`AuditError::Entries`] for more than [`MOST_ENTRIES`].
    pub fn new(tables: usize, destinations: usize) -> Result<Self, AuditError> {
        match tables.checked_mul(destinations).filter(|&all| all <= MOST_ENTRIES) {
            Some(all) => Ok(Self { destinations, entries: vec![NONE; all], sets: Vec::new() }),
            None => Err(AuditError::Entries { tables, destinations }),
        }
    }

    /// Next channels of packets for a destination; none where the table has a hole.
    pub fn next(&self, table: u32, destination: u32) -> &[u32] {
        let entry = &self.entries[table as usize * self.destinations + destination as usize];
        match *entry {
            NONE => &[],
            set if set & SEVERAL != 0 => &self.sets[(set & !SEVERAL) as usize],
            _ => std::slice::from_ref(entry),
        }
    }

    /// Sets the next channels, which ascend.
    pub fn set(&mut self, table: u32, destination: u32, next: &[u32]) {
        let entry = match next {
            [] => NONE,
            [one] => *one,
            several => {
                self.sets.push(several.into());
                (self.sets.len() - 1) as u32 | SEVERAL
            }
        };
        self.entries[table as usize * self.destinations + destination as usize] = entry;
    }

    /// Adds a next channel.
    pub fn add(&mut self, table: u32, destination: u32, channel: u32) {
        let mut next = self.next(table, destination).to_vec();
        if let Err(at) = next.binary_search(&channel) {
            next.insert(at, channel);
            self.set(table, destination, &next);
        }
    }

    /// Copy of a table, as a new one.
    ///
    /// # Errors
    /// As [`Tables::new`].
    pub fn copy(&mut self, table: u32) -> Result<u32, AuditError> {
        let copy = self.len();
        if self.entries.len() + self.destinations > MOST_ENTRIES {
            let (tables, destinations) = (copy as usize + 1, self.destinations);
            return Err(AuditError::Entries { tables, destinations });
        }
        let from = table as usize * self.destinations;
        self.entries.extend_from_within(from..from + self.destinations);
        Ok(copy)
    }

    /// Number of tables.
    pub fn len(&self) -> u32 {
        (self.entries.len() / self.destinations.max(1)) as u32
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of destinations.
    pub fn destinations(&self) -> u32 {
        self.destinations as u32
    }
}

/// A network with its routes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routed {
    /// Name of the network.
    pub name: String,
    /// Names of the switches.
    pub switches: Vec<String>,
    /// Terminals: a destination is the number of one.
    pub terminals: Vec<Terminal>,
    /// Channels, of which a dependency is from one to another.
    pub channels: Vec<Channel>,
    /// Tables of next channels.
    pub tables: Tables,
    /// By channel, the table of the packets that arrive by it.
    pub of_channel: Vec<u32>,
    /// By message class, then switch, the table of packets that enter there; one list for all
    /// classes where they are alike.
    pub of_injection: Vec<Vec<u32>>,
    /// By table and destination, where packets go to in place of their destination or a way to it: there
    /// is no entry in the table then.
    pub elsewhere: FxHashMap<(u32, u32), String>,
    /// Copies that channels and tables are laid out in, one behind the other: an entry is the same in
    /// each. 0 where tables follow from something else, and no entry can be moved by itself.
    pub copies: u32,
}

impl Routed {
    /// A network with a table for each switch, without an entry yet: each channel with `vcs` virtual
    /// channels, those of a link side by side.
    ///
    /// # Errors
    /// More channels or entries than there may be.
    pub fn new(description: &Description, vcs: u32) -> Result<Self, AuditError> {
        let links = description.channels.len();
        if links.saturating_mul(vcs as usize) > MOST_CHANNELS {
            return Err(AuditError::Channels(links.saturating_mul(vcs as usize)));
        }
        let of = |link: &Link| {
            let Link { from, to, .. } = link.clone();
            (0..vcs).map(move |vc| Channel {
                from: from.node as u32,
                to: to.node as u32,
                port: from.port.clone(),
                input: to.port.clone(),
                vc,
            })
        };
        let channels: Vec<Channel> = description.channels.iter().flat_map(of).collect();
        let switch = |node: &Option<usize>| node.map(|node| node as u32);
        let terminal = |Place { name, source, sink, .. }: &Place| Terminal {
            name: shown(name).to_owned(),
            source: switch(source),
            sink: switch(sink),
        };
        let (nodes, terminals) = (description.nodes.len(), description.terminals.len());
        Ok(Self {
            name: description.name.clone(),
            switches: description.nodes.iter().map(|node| shown(node).to_owned()).collect(),
            terminals: description.terminals.iter().map(terminal).collect(),
            tables: Tables::new(nodes, terminals)?,
            of_channel: channels.iter().map(|channel| channel.to).collect(),
            of_injection: vec![(0..nodes as u32).collect()],
            elsewhere: FxHashMap::default(),
            copies: 1,
            channels,
        })
    }

    /// Table of packets of a class that enter at a switch.
    pub fn injection(&self, class: usize, switch: u32) -> u32 {
        self.of_injection[class.min(self.of_injection.len() - 1)][switch as usize]
    }

    /// A channel in words, such as `a -> b`, with its port or virtual channel where another leads
    /// there as well.
    pub fn channel_in_words(&self, channel: u32) -> String {
        let own = &self.channels[channel as usize];
        let [from, to] = [own.from, own.to].map(|switch| &self.switches[switch as usize]);
        let beside = |other: &&Channel| (other.from, other.to) == (own.from, own.to);
        let beside: Vec<&Channel> = self.channels.iter().filter(beside).collect();
        let port = match beside.iter().any(|other| other.port != own.port) {
            true => format!(" by {}", own.port),
            false => String::new(),
        };
        let vc = match beside.iter().any(|other| other.vc != own.vc) {
            true => format!(" (VC {})", own.vc),
            false => String::new(),
        };
        format!("{from} -> {to}{port}{vc}")
    }

    /// Whether a table gives several next channels for some destination.
    pub fn is_adaptive(&self) -> bool {
        !self.tables.sets.is_empty()
    }

    /// The network with channels of its own for each of several message classes: those of class 0
    /// first.
    ///
    /// # Errors
    /// More channels or entries than there may be.
    pub fn with_own_channels(&self, classes: usize) -> Result<Self, AuditError> {
        let count = self.channels.len();
        if count.saturating_mul(classes) > MOST_CHANNELS {
            return Err(AuditError::Channels(count.saturating_mul(classes)));
        }
        let tables = self.tables.len();
        let mut vcs: FxHashMap<(u32, &str), u32> = FxHashMap::default();
        for channel in &self.channels {
            let vcs = vcs.entry((channel.from, &channel.port)).or_default();
            *vcs = (*vcs).max(channel.vc + 1);
        }
        let mut copy = Self {
            tables: Tables::new(tables as usize * classes, self.tables.destinations)?,
            channels: Vec::with_capacity(count * classes),
            of_channel: Vec::with_capacity(count * classes),
            of_injection: Vec::new(),
            elsewhere: FxHashMap::default(),
            copies: self.copies * classes as u32,
            ..self.clone()
        };
        for class in 0..classes as u32 {
            let (first, base) = (class * count as u32, class * tables);
            for (channel, table) in self.channels.iter().zip(&self.of_channel) {
                let vc = channel.vc + class * vcs[&(channel.from, &*channel.port)];
                copy.channels.push(Channel { vc, ..channel.clone() });
                copy.of_channel.push(base + table);
            }
            let elsewhere = self.elsewhere.iter();
            copy.elsewhere
                .extend(elsewhere.map(|(&(table, to), at)| ((base + table, to), at.clone())));
            let injection = self.of_injection[(class as usize).min(self.of_injection.len() - 1)]
                .iter()
                .map(|table| base + table);
            copy.of_injection.push(injection.collect());
            for table in 0..tables {
                for destination in 0..self.tables.destinations() {
                    let next: Vec<u32> =
                        self.tables.next(table, destination).iter().map(|c| first + c).collect();
                    copy.tables.set(base + table, destination, &next);
                }
            }
        }
        Ok(copy)
    }
}
