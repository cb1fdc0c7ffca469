//! Fields of the report of an audit.

use super::Audited;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_audit::deadlock::Held;
use turnpike_audit::mend::moves::{Move, Moved};
use turnpike_audit::mend::{layers::Layers, moves::Moves};
use turnpike_audit::readers::Format;
use turnpike_audit::simulate::Packet;
use turnpike_audit::verdict::{Rule, Switching, Verdict};

/// Audit of a network.
#[derive(Serialize, JsonSchema)]
pub(super) struct AuditReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Name of the network.
    pub network: String,
    /// Format of its files.
    files: &'static str,
    /// Number of switches.
    pub switches: usize,
    /// Number of channels between switches, each virtual channel counted.
    pub channels: usize,
    /// Number of terminals.
    pub terminals: usize,
    /// Message classes, in the order of the flows; none where all messages are alike.
    classes: Vec<String>,
    /// Switching: how queues take packets.
    switching: SwitchingWord,
    /// Whether some packet may choose among several next hops.
    chooses: bool,
    /// The answer.
    pub verdict: VerdictWord,
    /// Rule of the certificate: what its numbers promise; `null` where there is none.
    pub rule: Option<RuleWord>,
    /// Condition under which all packets arrive; `null` where they need not.
    pub condition: Option<String>,
    /// Packets that wait for each other for ever; none where none are found.
    pub deadlock: Vec<HeldFields>,
    /// Packets that stop in simulation, by the cycle in which they are sent; none where none were found.
    pub stopped: Vec<PacketFields>,
    /// Mending of a deadlock; `null` where there is none, or packets choose.
    pub mending: Option<MendingFields>,
}

impl Document for AuditReport {
    const ROWS: Option<&'static str> = Some("deadlock");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<AuditReport>("audit", "the audit of a network from elsewhere (`audit`)");

/// Switching: how queues take packets.
#[derive(Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum SwitchingWord {
    /// Flit by flit.
    Wormhole,
    /// Packet by packet.
    Packets,
}

/// Answer of an audit.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum VerdictWord {
    /// No packets wait for each other for ever.
    DeadlockFree,
    /// Some packets do.
    Deadlock,
    /// Neither was shown.
    NotDecided,
}

/// Rule of a certificate: what its numbers promise.
#[derive(Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RuleWord {
    /// Each next channel has a greater number.
    All,
    /// Some next channel has a greater number.
    Some,
    /// An escape channel is next, and escape channels ascend.
    Escape,
}

/// A packet of a deadlock, or a terminal that waits.
#[derive(Serialize, JsonSchema)]
pub(super) struct HeldFields {
    /// The channel that holds the packet, or the terminal that took a message.
    pub holder: String,
    /// Message class of the packet, or of what the terminal sends; `null` where all are alike.
    pub class: Option<String>,
    /// Source of the packet, or the terminal.
    pub source: String,
    /// Destination of the packet, or of what the terminal sends.
    pub destination: String,
    /// Channels that the packet takes from its source to the holder, that one included.
    pub route: Vec<String>,
    /// Channels that it waits for, or the terminal.
    pub waits_for: Vec<String>,
}

/// A packet.
#[derive(Serialize, JsonSchema)]
pub(super) struct PacketFields {
    /// Cycle in which it begins to enter, from 0.
    pub cycle: u64,
    /// Source of the packet.
    pub source: String,
    /// Destination of the packet.
    pub destination: String,
    /// Message class; `null` where all are alike.
    class: Option<String>,
    /// Flits of the packet.
    pub flits: u32,
}

/// Least mending of a deadlock.
#[derive(Serialize, JsonSchema)]
pub(super) struct MendingFields {
    /// Whether some tables on these channels are without a deadlock; `null` where that was not found.
    pub tables_exist: Option<bool>,
    /// Table entries that are moved; none where no moves were found.
    pub moves: Vec<MoveFields>,
    /// Whether it is proven that no fewer moves do.
    pub moves_proven: bool,
    /// Virtual channels of each link that are added; `null` where none were found.
    pub added_vcs: Option<u32>,
    /// Whether it is proven that no fewer virtual channels do.
    pub added_vcs_proven: bool,
    /// Routes that begin in an added virtual channel.
    pub moved_routes: Option<usize>,
    /// Number of routes: a switch, a destination and a message class each.
    pub routes: Option<usize>,
}

/// A table entry that is moved.
#[derive(Serialize, JsonSchema)]
pub(super) struct MoveFields {
    /// Switch of the table.
    pub switch: String,
    /// Destination of the entry.
    pub destination: String,
    /// Next channel before; `null` where there was no entry.
    pub from: Option<String>,
    /// Next channel after.
    pub to: String,
}

impl Audited {
    fn terminal(&self, terminal: u32) -> String {
        self.routed.terminals[terminal as usize].name.clone()
    }

    fn class(&self, class: u32) -> Option<String> {
        self.traffic.classes.get(class as usize).map(|class| class.name.clone())
    }

    fn held(&self, held: &Held) -> HeldFields {
        let resource = |resource: u32, does: &str| match self.waits.terminal(resource) {
            None => self.routed.channel_in_words(resource),
            Some((terminal, of)) => {
                let class = self.class(of).unwrap_or_default();
                format!("{}, {does} a {class}", self.terminal(terminal))
            }
        };
        HeldFields {
            holder: resource(held.resource, "that took"),
            class: self.class(held.class),
            source: self.terminal(held.source),
            destination: self.terminal(held.destination),
            route: held.way.iter().map(|&at| self.routed.channel_in_words(at)).collect(),
            waits_for: held.next.iter().map(|&next| resource(next, "to take")).collect(),
        }
    }

    fn packet(&self, packet: &Packet) -> PacketFields {
        PacketFields {
            cycle: packet.cycle,
            source: self.terminal(packet.source),
            destination: self.terminal(packet.destination),
            class: self.class(packet.class),
            flits: packet.flits,
        }
    }

    fn mending(&self, moved: &Moved, layers: Option<&Layers>) -> MendingFields {
        let (tables_exist, entries, moves_proven) = match moved {
            Moved::By(Moves { moves, proven }) => (Some(true), &moves[..], *proven),
            Moved::Never => (Some(false), &[][..], false),
            Moved::Unknown => (None, &[][..], false),
        };
        let entry = |own: &Move| MoveFields {
            switch: self.routed.switches[own.switch as usize].clone(),
            destination: self.terminal(own.destination),
            from: own.from.map(|channel| self.routed.channel_in_words(channel)),
            to: self.routed.channel_in_words(own.to),
        };
        MendingFields {
            tables_exist,
            moves: entries.iter().map(entry).collect(),
            moves_proven,
            added_vcs: layers.map(|found| found.layers - 1),
            added_vcs_proven: layers.is_some_and(|found| found.proven),
            moved_routes: layers.map(|found| found.moved),
            routes: layers.map(|found| found.routes.len()),
        }
    }

    /// The report.
    pub(super) fn report(&self, format: &Format) -> AuditReport {
        let routed = &self.routed;
        let (verdict, proof, held) = match &self.found {
            Verdict::Free(proof) => (VerdictWord::DeadlockFree, Some(proof), &[][..]),
            Verdict::Deadlock(held) => (VerdictWord::Deadlock, None, &held[..]),
            Verdict::Undecided => (VerdictWord::NotDecided, None, &[][..]),
        };
        AuditReport {
            schema_version: 1,
            network: routed.name.clone(),
            files: format.name,
            switches: routed.switches.len(),
            channels: routed.channels.len(),
            terminals: routed.terminals.len(),
            classes: self.traffic.classes.iter().map(|class| class.name.clone()).collect(),
            switching: match self.switching {
                Switching::Wormhole => SwitchingWord::Wormhole,
                Switching::Packets => SwitchingWord::Packets,
            },
            chooses: routed.is_adaptive(),
            verdict,
            rule: proof.map(|proof| match proof.rule {
                Rule::All => RuleWord::All,
                Rule::Some => RuleWord::Some,
                Rule::Escape => RuleWord::Escape,
            }),
            condition: proof.map(|proof| proof.condition(&self.traffic)),
            deadlock: held.iter().map(|held| self.held(held)).collect(),
            stopped: self.stopped.iter().map(|packet| self.packet(packet)).collect(),
            mending: self
                .mending
                .as_ref()
                .map(|(moved, found)| self.mending(moved, found.as_ref())),
        }
    }
}
