//! Self-routing: each switch is set by the destinations of the packets that come to it, and by
//! nothing else. Not every permutation passes.
//!
//! # Greedy
//! In a stage of digit b a packet takes the output of digit b of its sink (Lawrie, Access and
//! Alignment of Data in an Array Processor, IEEE Transactions on Computers C-24(12), 1975). The
//! butterfly with stages N-1 to 0 passes just what Lawrie's omega network does: a packet from x to
//! d has the upper digits of d and the lower of x after each stage, in both.
//!
//! # Nassimi and Sahni
//! On a Beneš network a switch is set by its upper input alone: a bit of that packet's sink says
//! straight or crossed, and the lower packet takes what is left (A Self-Routing Benes Network and
//! Parallel Permutation Algorithms, IEEE Transactions on Computers C-30(5), 1981). Here a stage of
//! digit b goes by bit b. In the second half no other bit would do, for a packet leaves the last
//! stage of digit b at a row that keeps this digit.
//!
//! In their paper the stages have the digits 0 to N-1 to 0; here they have N-1 to 0 to N-1. The two
//! networks are the same with all rows bit-reversed, so that a permutation passes here just where
//! the one between bit-reversed rows passes there. Their class holds all bit-permute-complement
//! (BPC) permutations and the inverse omega permutations. Bit reversal takes BPC permutations to
//! BPC permutations, and inverse omega to omega. So here pass
//!
//! - all BPC permutations: identity, reversal, bit reversal, perfect shuffle and so on;
//! - all omega permutations, cyclic shifts among them: the stages up to that of digit 0 route them
//!   as the butterfly does, and the rest is straight.
//!
//! Not all inverse omega permutations pass here.

use crate::network::{Network, Place, Rows};
use crate::permutation::{Connection, OtherTerminals, PartialPermutation};
use crate::settings::Settings;

/// Reason that a permutation does not route itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelfRoutingError {
    /// Two packets need one output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// A permutation of other terminals.
    #[error(transparent)]
    Terminals(#[from] OtherTerminals),
    /// A network that is not routed so.
    #[error("self-routing is {0}; this is another")]
    Network(&'static str),
}

/// Two packets that need one output of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "stage {stage}, switch {switch}: packets {} and {} both need output {output}",
    .packets[0], .packets[1]
)]
pub struct Conflict {
    pub stage: u32,
    pub switch: u32,
    /// The output that both need.
    pub output: u32,
    /// The packets, that of the lower-numbered input first.
    pub packets: [Connection; 2],
}

/// Settings by greedy self-routing. Outputs that no packet takes are idle.
///
/// # Errors
/// [`SelfRoutingError::Conflict`]: the first by stage, switch and input, where a packet needs an
/// output that one of a lower input has. [`SelfRoutingError`] for other terminals, and for a
/// network that is not on rows, lacks a stage for a digit, or has switches removed.
pub fn greedy(
    network: &Network,
    permutation: &PartialPermutation,
) -> Result<Settings, SelfRoutingError> {
    const SUCH: &str = "for networks on rows with all switches and a stage for each digit";
    let Network::Rows(rows) = network else { return Err(SelfRoutingError::Network(SUCH)) };
    let complete = (0..rows.dim()).all(|digit| rows.digits().contains(&digit));
    if rows.is_reduced() || !complete {
        return Err(SelfRoutingError::Network(SUCH));
    }
    let mut packets = Packets::new(network, rows, permutation)?;
    for stage in 0..network.stages() {
        packets.pass_greedily(stage)?;
    }
    Ok(packets.settings)
}

/// Settings by the self-routing of Nassimi and Sahni. Where the upper input of a switch is idle,
/// the lower packet goes by its own bit, which the paper leaves open. Outputs that no packet takes
/// are idle.
///
/// # Errors
/// [`SelfRoutingError::Conflict`]: the first by stage and switch, where both packets need one
/// output to come to their sinks. That is never before the middle stage. [`SelfRoutingError`] for
/// other terminals, and for a network that is no Beneš network or has switches removed.
pub fn nassimi_sahni(
    network: &Network,
    permutation: &PartialPermutation,
) -> Result<Settings, SelfRoutingError> {
    const SUCH: &str = "for Beneš networks with all switches";
    let Network::Rows(rows) = network else { return Err(SelfRoutingError::Network(SUCH)) };
    if rows.is_reduced() || !rows.is_benes() {
        return Err(SelfRoutingError::Network(SUCH));
    }
    let mut packets = Packets::new(network, rows, permutation)?;
    let middle = rows.dim() - 1;
    (0..middle).for_each(|stage| packets.pass_by_upper(stage));
    for stage in middle..network.stages() {
        // The digits of the sink are final from here on, so that both packets' bits must suit.
        packets.pass_greedily(stage)?;
    }
    Ok(packets.settings)
}

/// Packets before a stage, by row.
struct Packets<'a> {
    rows: &'a Rows,
    at: Vec<Option<Connection>>,
    settings: Settings,
}

impl<'a> Packets<'a> {
    fn new(
        network: &Network,
        rows: &'a Rows,
        permutation: &PartialPermutation,
    ) -> Result<Self, OtherTerminals> {
        OtherTerminals::check(network, permutation.terminals())?;
        let mut at = vec![None; permutation.terminals() as usize];
        permutation.connections().for_each(|packet| at[packet.source as usize] = Some(packet));
        Ok(Self { rows, at, settings: Settings::idle(network) })
    }

    /// Every packet takes the output of its sink's digit.
    fn pass_greedily(&mut self, stage: u32) -> Result<(), Conflict> {
        let mut after: Vec<Option<Connection>> = vec![None; self.at.len()];
        for switch in 0..self.switches() {
            for input in 0..self.rows.radix() {
                let Some(packet) = self.at[self.row(stage, switch, input)] else { continue };
                let output = self.wants(stage, packet);
                let row = self.row(stage, switch, output);
                if let Some(other) = after[row].replace(packet) {
                    return Err(Conflict { stage, switch, output, packets: [other, packet] });
                }
                self.settings.connect(stage, switch, output, input);
            }
        }
        self.at = after;
        Ok(())
    }

    /// The upper packet takes the output of its sink's bit, and the lower packet the other.
    fn pass_by_upper(&mut self, stage: u32) {
        for switch in 0..self.switches() {
            let [upper, lower] = [0, 1].map(|port| self.row(stage, switch, port));
            let crossed = match (self.at[upper], self.at[lower]) {
                (Some(packet), _) => self.wants(stage, packet) == 1,
                (None, Some(packet)) => self.wants(stage, packet) == 0,
                (None, None) => continue,
            };
            for (input, row) in (0..).zip([upper, lower]) {
                if self.at[row].is_some() {
                    let output = input ^ u32::from(crossed);
                    self.settings.connect(stage, switch, output, input);
                }
            }
            if crossed {
                self.at.swap(upper, lower);
            }
        }
    }

    fn switches(&self) -> u32 {
        self.rows.terminals() / self.rows.radix()
    }

    fn row(&self, stage: u32, switch: u32, port: u32) -> usize {
        let row = self.rows.row(stage, Place { switch, port });
        row.expect("the switch is in the stage") as usize
    }

    /// The output that leads towards the sink of a packet.
    fn wants(&self, stage: u32, packet: Connection) -> u32 {
        let place = self.rows.place(stage, packet.sink);
        place.expect("the sink is a row").port
    }
}
