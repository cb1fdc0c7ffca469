//! Interfaces of terminals whose words are of another width than the flits of the network, or that
//! are in a clock or have addresses of their own.

use super::addresses::Addresses;
use super::counters::MOST_WATCHDOG;
use super::ends::labelled;
use super::interface_error::{InterfaceError, Wish};
use super::interface_step::{InterfaceStep, common_multiple, steps};
use super::shaper::Shapers;
use super::terminal_wish::by_terminal;
use super::{FabricPlan, Parameters, PortStyle, Side, Signal};
use super::{TerminalClock, TerminalWidth, TerminalWishes};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use turnpike_ends::Ends;
use turnpike_netlist::{CLOCK, RESET, RESET_LOW};
use turnpike_network::topology::{Terminal, Topology};

/// Widest word between two converters, in bits.
pub const MOST_BETWEEN: u32 = 4096;

/// Most clocks beside that of the network.
pub const MOST_TERMINAL_CLOCKS: usize = 16;

/// Widths, clocks and addresses of terminals that are not those of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Interfaces {
    widths: BTreeMap<Terminal, u32>,
    clocks: BTreeMap<Terminal, String>,
    pub(super) addresses: Addresses,
    sync_stages: u32,
    /// Cycles that the watchdog of counters waits, where there are counters.
    watchdog: Option<u32>,
    /// Shapers of sources, where there are any.
    pub(super) shapers: Option<Shapers>,
    /// Ends of the terminals, where they are memory-mapped.
    pub(super) ends: Option<Arc<Ends>>,
}

impl Interfaces {
    /// Interfaces that are asked for; those as the network has them are none.
    pub fn new(
        topology: &dyn Topology,
        parameters: &Parameters,
        wishes: &TerminalWishes,
    ) -> Result<Self, InterfaceError> {
        let live = topology;
        let topology = topology.intact().unwrap_or(topology);
        let names: Vec<(String, Terminal)> =
            topology.all_terminals().map(|t| (topology.place_label(t), t)).collect();
        let widths = wishes.widths.iter().map(|wish| (wish.terminals.clone(), wish.bits));
        let mut widths = by_terminal(&names, Wish::Width, widths, |name, bits| {
            check_width(name, *bits, parameters)
        })?;
        widths.retain(|_, bits| *bits != parameters.width);
        let clocks = wishes.clocks.iter().map(|wish| (wish.terminals.clone(), wish.clock.clone()));
        let mut clocks = by_terminal(&names, Wish::Clock, clocks, |_, _| Ok(()))?;
        clocks.retain(|_, clock| clock != CLOCK);
        check_clocks(&clocks)?;
        let mut addresses = Addresses::new(topology, &names, &wishes.addresses)?;
        if parameters.ports == PortStyle::Flat && wishes.addresses.is_empty() {
            // Figures are of the network; RTL is refused.
            addresses = Addresses::default();
        }
        let address = |terminal| addresses.of(live, terminal);
        let flits_of_a_word = |source| match parameters.keep {
            // Parts without data are left out.
            true => 1,
            false => widths.get(&source).map_or(1, |bits| (bits / parameters.width).max(1)),
        };
        let shapers = match (wishes.shaper, &wishes.ends) {
            (None, _) => None,
            (Some(_), Some(_)) => return Err(InterfaceError::ShaperEnds),
            (Some(room), None) => Some(Shapers::new(live, room, address, flits_of_a_word)?),
        };
        let sync_stages = wishes.sync_stages;
        if !(2..=4).contains(&sync_stages) {
            return Err(InterfaceError::Stages { stages: sync_stages });
        }
        let watchdog = wishes.counters;
        if let Some(cycles) = watchdog.filter(|&cycles| cycles > MOST_WATCHDOG) {
            return Err(InterfaceError::Watchdog { cycles });
        }
        let ends = wishes.ends.as_ref().map(|ends| Arc::new(labelled(ends, topology)));
        let found = Self { widths, clocks, addresses, sync_stages, watchdog, shapers, ends };
        // Ends have streams of their own.
        if parameters.ports == PortStyle::Named || found.is_empty() || found.ends.is_some() {
            return Ok(found);
        }
        let wished = [
            (found.widths.is_empty(), Wish::Width),
            (found.clocks.is_empty(), Wish::Clock),
            (found.addresses.is_empty(), Wish::Address),
        ];
        let first = wished.into_iter().find(|(is_empty, _)| !is_empty);
        Err(match (first, found.watchdog) {
            (Some((_, what)), _) => InterfaceError::Shared { what },
            (None, Some(_)) => InterfaceError::SharedCounters,
            (None, None) => InterfaceError::SharedShapers,
        })
    }

    /// Whether every terminal's streams are as wide as the network, in its clock and have their addresses
    /// there, and nothing is counted or shaped.
    pub fn is_empty(&self) -> bool {
        let Self { watchdog, shapers, .. } = self;
        self.are_those_of_the_network() && watchdog.is_none() && shapers.is_none()
    }

    /// Whether every terminal's streams are as wide as the network, in its clock and have their addresses
    /// there.
    fn are_those_of_the_network(&self) -> bool {
        self.widths.is_empty() && self.clocks.is_empty() && self.addresses.is_empty()
    }

    /// Wishes by name, as words of a command line: widths and clocks of message classes are
    /// of one terminal.
    pub fn words(&self, topology: &dyn Topology) -> TerminalWishes {
        let topology = topology.intact().unwrap_or(topology);
        let widths: BTreeMap<String, u32> =
            self.widths.iter().map(|(&t, &bits)| (topology.place_label(t), bits)).collect();
        let clocks: BTreeMap<String, &String> =
            self.clocks.iter().map(|(&t, clock)| (topology.place_label(t), clock)).collect();
        let width = |(terminals, bits)| TerminalWidth { terminals, bits };
        let clock =
            |(terminals, clock): (_, &String)| TerminalClock { terminals, clock: clock.clone() };
        TerminalWishes {
            widths: widths.into_iter().map(width).collect(),
            clocks: clocks.into_iter().map(clock).collect(),
            addresses: self.addresses.words(),
            sync_stages: self.sync_stages,
            counters: self.watchdog,
            shaper: self.shapers.as_ref().map(|shapers| shapers.room),
            ends: self.ends.clone(),
        }
    }
}

/// Whether there are no more clocks than there may be, and their names tell them apart.
fn check_clocks(clocks: &BTreeMap<Terminal, String>) -> Result<(), InterfaceError> {
    let names: BTreeSet<&String> = clocks.values().collect();
    if names.len() > MOST_TERMINAL_CLOCKS {
        return Err(InterfaceError::Clocks { count: names.len() });
    }
    let own = CLOCK.to_owned();
    let mut seen: BTreeMap<String, &String> = BTreeMap::from([(own.clone(), &own)]);
    for name in names {
        if let Some(first) = seen.insert(name.to_ascii_lowercase(), name) {
            let (first, second) = (first.clone(), name.clone());
            return Err(InterfaceError::Case { first, second });
        }
    }
    Ok(())
}

/// Whether a terminal may be so wide.
fn check_width(terminal: &str, bits: u32, parameters: &Parameters) -> Result<(), InterfaceError> {
    let (terminal, width) = (terminal.to_owned(), parameters.width);
    if !(1..=1024).contains(&bits) {
        return Err(InterfaceError::Range { terminal, bits });
    }
    if parameters.keep && !bits.is_multiple_of(8) {
        return Err(InterfaceError::Keep { terminal, bits });
    }
    let between = common_multiple(bits, width);
    if !parameters.keep && between != bits.max(width) {
        return Err(InterfaceError::Ratio { terminal, bits, width });
    }
    match between > MOST_BETWEEN {
        true => Err(InterfaceError::Between { terminal, bits, width, between }),
        false => Ok(()),
    }
}

impl FabricPlan {
    /// Whether terminals of a network with these parameters can have these widths and clocks.
    ///
    /// # Errors
    /// [`InterfaceError`] with the first that cannot.
    pub fn check_wishes(
        topology: &dyn Topology,
        parameters: &Parameters,
        wishes: &TerminalWishes,
    ) -> Result<(), InterfaceError> {
        Interfaces::new(topology, parameters, wishes).map(drop)
    }

    /// Whether terminals have interfaces between the network and the ports of the top module.
    pub fn has_interfaces(&self) -> bool {
        !self.interfaces.is_empty()
    }

    /// Whether the streams of all terminals are as wide as the network, in its clock and with its
    /// addresses: what passes between them and the network is as it was.
    pub fn has_plain_streams(&self) -> bool {
        self.interfaces.are_those_of_the_network()
    }

    /// Name of the module of the network: the top module, where there is nothing around it.
    pub fn network_name(&self) -> String {
        match self.has_interfaces() || self.ends().is_some() {
            true => format!("{}_network", self.name),
            false => self.name.clone(),
        }
    }

    /// Name of the module whose terminals have streams: the top module, where no ends are around it.
    pub fn streams_name(&self) -> String {
        match (self.ends(), self.has_interfaces()) {
            (None, _) => self.name.clone(),
            (Some(_), true) => format!("{}_streams", self.name),
            (Some(_), false) => self.network_name(),
        }
    }

    /// Bits of a terminal's `tdata` at the ports of the top module.
    pub fn data_width(&self, terminal: Terminal) -> u32 {
        self.interfaces.widths.get(&terminal).copied().unwrap_or(self.parameters.width)
    }

    /// Bits of the narrowest terminal's `tdata`.
    pub fn narrowest(&self) -> u32 {
        let all = self.sources().iter().chain(self.sinks());
        all.map(|&terminal| self.data_width(terminal)).min().unwrap_or(self.parameters.width)
    }

    /// Clock of a terminal, where that is not the network's: an input of the top module.
    pub fn clock(&self, terminal: Terminal) -> Option<&str> {
        self.interfaces.clocks.get(&terminal).map(String::as_str)
    }

    /// Clocks beside that of the network, in order of name.
    pub fn clocks(&self) -> BTreeSet<&str> {
        self.interfaces.clocks.values().map(String::as_str).collect()
    }

    /// Name of the output of the top module that tells what is in a clock of its reset: active high, or
    /// low where the reset of the top is.
    pub fn clock_reset(&self, clock: &str) -> String {
        format!("{clock}_{}", self.parameters.reset.port())
    }

    /// Cycles that the watchdog of the counters waits after a reset; none: there are no counters.
    pub fn watchdog(&self) -> Option<u32> {
        self.interfaces.watchdog
    }

    /// Stages of the synchronisers between two clocks.
    pub fn sync_stages(&self) -> u32 {
        self.interfaces.sync_stages
    }

    /// The steps between a terminal and the network, in the order in which words pass them.
    pub fn interface_steps(&self, side: Side, terminal: Terminal) -> Vec<InterfaceStep> {
        let (outer, inner) = (self.data_width(terminal), self.parameters.width);
        let crosses = self.clock(terminal).is_some();
        let exchange = self.exchanges_addresses(side).then_some(InterfaceStep::Address(inner));
        let shape = |class| InterfaceStep::Shape { class, bits: inner };
        match side {
            Side::Source => {
                let shape = self.shaper_of(terminal).map(shape);
                steps(outer, inner, crosses).into_iter().chain(shape).chain(exchange).collect()
            }
            Side::Sink => exchange.into_iter().chain(steps(inner, outer, crosses)).collect(),
        }
    }

    /// The signals of a terminal's stream at the ports of the top module.
    pub fn signals_of(&self, side: Side, terminal: Terminal) -> Vec<Signal> {
        let outer = self.data_width(terminal);
        let mut signals = self.signals(side);
        for signal in &mut signals {
            match signal.name {
                "data" => signal.width = outer,
                "keep" => signal.width = outer / 8,
                "dest" | "id" => signal.width = self.address_bits(),
                _ => {}
            }
        }
        signals
    }

    /// The widths, clocks and addresses of terminals that are not those of the network, by name.
    pub fn terminal_wishes(&self) -> TerminalWishes {
        self.interfaces.words(self.topology())
    }

    /// Whether no clock has the name of another port of the top module.
    pub(super) fn check_clock_names(&self) -> Result<(), InterfaceError> {
        let clocks = self.clocks();
        if clocks.is_empty() {
            return Ok(());
        }
        let mut ports: BTreeSet<String> = [RESET, RESET_LOW].map(str::to_owned).into();
        ports.extend(self.counter_port_names());
        ports.extend(self.terminal_ports().iter().map(|port| port.name.to_ascii_lowercase()));
        let named = clocks
            .iter()
            .flat_map(|&clock| [(clock, clock.to_owned()), (clock, self.clock_reset(clock))]);
        for (clock, port) in named {
            if !ports.insert(port.to_ascii_lowercase()) {
                return Err(InterfaceError::Port { clock: clock.to_owned(), port });
            }
        }
        Ok(())
    }
}
