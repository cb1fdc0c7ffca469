//! Plan of a slotted fabric: a network with its terminals, and the slots in which their words start.

use crate::canonical::canonical;
use crate::flow::SlottedFlow;
use crate::switches::{SlottedSwitch, switches};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_base::names::{NameError, check_fabric_name, fitted};
use turnpike_base::range::{self, OutOfRange};
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::walk::RouteError;
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Node, Terminal};

/// The most slots of a frame.
pub const MOST_SLOTS: u32 = 1024;
/// The most rows of the slot tables of all outputs of switches together.
pub const MOST_ROWS: u64 = 1 << 18;

/// Slots in which words start, by source and destination.
pub type Starts = BTreeMap<(Terminal, Terminal), Vec<u32>>;

/// A slotted fabric.
#[derive(Clone, Debug)]
pub struct SlottedPlan {
    /// Name of the top module, and what those of the others begin with.
    pub name: String,
    /// Switched fabric of the same network: its words, terminals and their ports are those of this one.
    over: Arc<FabricPlan>,
    frame: u32,
    flows: Vec<SlottedFlow>,
    switches: Vec<SlottedSwitch>,
    /// The configuration in its canonical form.
    configuration: String,
}

/// Reason that a slotted fabric cannot be planned.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
pub enum SlottedError {
    #[error(transparent)]
    Name(#[from] NameError),
    /// A number out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// Slot tables that are too large.
    #[error(
        "{slots} slots of {outputs} outputs of switches are more than {MOST_ROWS} rows of slot tables; use \
         fewer slots, send fewer words, or use a smaller network"
    )]
    Rows {
        slots: u32,
        /// Outputs of all switches.
        outputs: u64,
    },
    #[error(transparent)]
    Route(#[from] RouteError),
    /// Words that meet.
    #[error("internal error: two words take one output of switch {switch} in slot {slot}")]
    Meeting {
        /// Label of the switch.
        switch: String,
        slot: u32,
    },
}

impl SlottedPlan {
    /// The fabric of the network and the terminals of `over`, whose relation has one route for each pair,
    /// with words that start in these slots of a frame of so many. Its name is `name`, or the default one.
    ///
    /// # Errors
    /// [`SlottedError`]: slots out of range, tables that are too large, words that meet.
    pub fn new(
        over: Arc<FabricPlan>,
        frame: u32,
        starts: &Starts,
        name: Option<&str>,
    ) -> Result<Self, SlottedError> {
        range::check("number of slots", frame, 1, MOST_SLOTS)?;
        let name =
            name.map_or_else(|| fitted(&format!("{}_slotted{frame}", over.name)), str::to_owned);
        check_fabric_name(&name)?;
        let (flows, switches) = switches(&over, frame, starts)?;
        let outputs = switches.iter().map(|switch| switch.outputs.len() as u64).sum::<u64>();
        Self::check_rows(frame, outputs)?;
        let configuration = canonical(&over, frame, &name);
        Ok(Self { name, over, frame, flows, switches, configuration })
    }

    /// Whether the slot tables of so many outputs of switches are not too large.
    ///
    /// # Errors
    /// [`SlottedError::Rows`] where they are.
    pub fn check_rows(frame: u32, outputs: u64) -> Result<(), SlottedError> {
        match u64::from(frame) * outputs > MOST_ROWS {
            true => Err(SlottedError::Rows { slots: frame, outputs }),
            false => Ok(()),
        }
    }

    /// The words after `turnpike generate` that make this fabric, without the paths of files.
    pub fn canonical(&self) -> String {
        self.configuration.clone()
    }

    /// Switched fabric of the same network, whose terminals, words and ports are those of this one.
    pub fn over(&self) -> &FabricPlan {
        &self.over
    }

    /// Address of a terminal at the ports.
    pub fn address(&self, terminal: Terminal) -> u64 {
        self.over.address(terminal).into()
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        self.over.address_bits()
    }

    /// Slots of a frame.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Bits of a slot's number: 0 where there is one slot.
    pub fn slot_bits(&self) -> u32 {
        bits_for(self.frame)
    }

    /// The flows, by ascending source and destination.
    pub fn flows(&self) -> &[SlottedFlow] {
        &self.flows
    }

    /// The flows of a source.
    pub fn flows_of(&self, source: Terminal) -> impl Iterator<Item = &SlottedFlow> {
        self.flows.iter().filter(move |flow| flow.source == source)
    }

    /// The flows to a sink.
    pub fn flows_to(&self, sink: Terminal) -> impl Iterator<Item = &SlottedFlow> {
        self.flows.iter().filter(move |flow| flow.destination == sink)
    }

    /// Whether some flow begins at a terminal.
    pub fn sends(&self, source: Terminal) -> bool {
        self.flows_of(source).next().is_some()
    }

    /// Whether some flow comes to a terminal.
    pub fn takes(&self, sink: Terminal) -> bool {
        self.flows_to(sink).next().is_some()
    }

    /// The switches that some word passes, by ascending node.
    pub fn switches(&self) -> &[SlottedSwitch] {
        &self.switches
    }

    /// Name of an input in those of its switch's ports.
    ///
    /// # Panics
    /// For an input that no word takes.
    pub fn input_name(&self, node: Node, input: Input) -> &str {
        let mut inputs = self.over.switch_of(node).inputs.iter();
        &inputs.find(|own| own.input == input).expect("words take it").name
    }

    /// Name of an output in those of its switch's ports.
    ///
    /// # Panics
    /// For an output that no word takes.
    pub fn output_name(&self, node: Node, output: Output) -> &str {
        let mut outputs = self.over.switch_of(node).outputs.iter();
        &outputs.find(|own| own.output == output).expect("words take it").name
    }

    /// Words of a frame.
    pub fn words(&self) -> u32 {
        self.flows.iter().map(|flow| flow.starts.len() as u32).sum()
    }

    /// Whether a source may be given an address that it has no flow to.
    pub fn refuses(&self, source: Terminal) -> bool {
        (self.flows_of(source).count() as u64) < 1 << self.address_bits()
    }

    /// Words of a packet of a flow: those that the flow's file says, or 1.
    pub fn packet_words(&self, own: &SlottedFlow) -> u32 {
        let flows = self.over.topology().flows();
        let flow = flows.and_then(|flows| flows.between(own.source, own.destination));
        flow.and_then(|flow| flow.packet_flits).unwrap_or(1)
    }

    /// The most cycles from the first word of such a packet at its source, in any slot, to its last word at its
    /// sink ([`SlottedFlow::most_cycles`]).
    pub fn most_cycles(&self, own: &SlottedFlow) -> u64 {
        own.most_cycles(self.packet_words(own), self.frame)
    }

    /// The flows that ask for less time than a packet may take, each with the most cycles that one takes and
    /// those that it asks for.
    pub fn late(&self) -> Vec<(&SlottedFlow, u64, u32)> {
        let Some(flows) = self.over.topology().flows() else { return Vec::new() };
        let late = |own: &SlottedFlow| {
            let flow = flows.between(own.source, own.destination)?;
            let most = self.most_cycles(own);
            flow.latency.filter(|&asked| u64::from(asked) < most).map(|asked| (most, asked))
        };
        let all = self.flows.iter().filter_map(|flow| Some((flow, late(flow)?)));
        all.map(|(flow, (most, asked))| (flow, most, asked)).collect()
    }

    /// The time table as text, a flow on each line: source, destination and the slots.
    pub fn text(&self) -> String {
        let label = |terminal| self.over.topology().terminal_label(terminal);
        let line = |flow: &SlottedFlow| {
            let slots: Vec<String> = flow.starts.iter().map(u32::to_string).collect();
            format!("{} {} {}\n", label(flow.source), label(flow.destination), slots.join(" "))
        };
        self.flows.iter().map(line).collect()
    }
}
