//! Finds settings, and has each slot's checked by what shares nothing with the finding.

use crate::messages::Messages;
use anyhow::{Context, bail};
use turnpike_analysis::pattern_load::Message;
use turnpike_schedule::check::check;
use turnpike_schedule::clos::{FirstFitError, in_turn};
use turnpike_schedule::demand::{Demand, DemandError, Transfer};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::rearrange::rearrange;
use turnpike_schedule::self_routing::{SelfRoutingError, greedy, nassimi_sahni};
use turnpike_schedule::settings::Settings;
use turnpike_schedule::slots::Schedule;

/// Most values of all settings together.
const MOST_VALUES: u64 = 1 << 27;

/// Outcome of the search for slots.
pub enum Found {
    /// Slots, each checked.
    Slots(Vec<Slot>),
    /// Reason that the permutation does not pass.
    Blocked(String),
}

pub struct Slot {
    /// Connections of the slot.
    pub connections: Vec<Connection>,
    /// Settings that make the connections.
    pub settings: Settings,
}

fn transfer(message: &Message) -> Transfer {
    let Message { source, destination, words } = *message;
    Transfer { source: source.0, sink: destination.0, words }
}

/// Method by which settings are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Rearrangement of all words at once: by looping, or by colouring edges.
    Rearranged,
    /// By the bits of the destinations alone.
    SelfRouting,
    /// One connection after another, none of which is moved.
    InTurn,
}

/// Demand of the messages, those of one pair added up.
///
/// # Errors
/// More words than a demand has.
pub fn demand(network: &Network, messages: &Messages) -> Result<Demand, DemandError> {
    Demand::new(network.terminals(), messages.list.iter().map(transfer))
}

/// The settings for these messages, whose demand is `demand`. Where they say their slots, these are
/// kept.
///
/// # Errors
/// A network without settings of this sort; more values than are kept; a slot in which a terminal
/// has two words.
pub fn find(
    method: Method,
    network: &Network,
    messages: &Messages,
    demand: &Demand,
) -> anyhow::Result<Found> {
    if !messages.slots.is_empty() {
        return said(method, network, messages);
    }
    if method != Method::Rearranged {
        return one_slot(method, network, &messages.list);
    }
    if let Network::Rows(rows) = network
        && !rows.is_benes()
    {
        bail!(
            "not every permutation passes this network; add --self-routing, which finds the settings of \
             one that does, and tells where another is stopped"
        );
    }
    let schedule = Schedule::new(network, demand)?;
    check_values(network, schedule.slots())?;
    let slot = |slot| {
        let (permutation, settings) = (schedule.permutation(slot)?, schedule.settings(slot)?);
        check(network, &settings, &permutation).context("internal error: wrong settings")?;
        Ok(Slot { connections: schedule.connections(slot).collect(), settings })
    };
    (0..schedule.slots()).map(slot).collect::<anyhow::Result<_>>().map(Found::Slots)
}

/// Whether the settings of so many slots are not too many to keep.
fn check_values(network: &Network, slots: u32) -> anyhow::Result<()> {
    let outputs = |stage| u64::from(network.switches(stage)) * u64::from(network.outputs(stage));
    let values = (0..network.stages()).map(outputs).sum::<u64>() * u64::from(slots);
    if values > MOST_VALUES {
        bail!(
            "{slots} slots have {values} settings in all; ask for fewer words, so that there are at \
             most {MOST_VALUES}"
        );
    }
    Ok(())
}

/// The settings of the slots that the messages say.
fn said(method: Method, network: &Network, messages: &Messages) -> anyhow::Result<Found> {
    let ends = messages.slots.iter().skip(1).copied().chain([messages.list.len()]);
    check_values(network, messages.slots.len() as u32)?;
    let mut slots = Vec::new();
    for (number, (&begin, end)) in messages.slots.iter().zip(ends).enumerate() {
        let list = &messages.list[begin..end];
        let found = one_slot(method, network, list).with_context(|| format!("slot {number}"))?;
        match found {
            Found::Slots(found) => slots.extend(found),
            Found::Blocked(reason) => {
                return Ok(Found::Blocked(format!("slot {number}: {reason}")));
            }
        }
    }
    Ok(Found::Slots(slots))
}

/// The settings that connect these messages in one slot.
fn one_slot(method: Method, network: &Network, messages: &[Message]) -> anyhow::Result<Found> {
    let demand = Demand::new(network.terminals(), messages.iter().map(transfer))?;
    let several = demand.transfers().iter().find(|transfer| transfer.words > 1);
    if let Some(Transfer { source, sink, words }) = several {
        bail!("terminal {source} has {words} words for {sink}; there is one slot, for one word");
    }
    let connections: Vec<Connection> = messages
        .iter()
        .map(|message| Connection { source: message.source.0, sink: message.destination.0 })
        .collect();
    let permutation = PartialPermutation::new(network.terminals(), connections.iter().copied())
        .context("there is one slot")?;
    let settings = match method {
        Method::Rearranged => rearrange(network, &permutation)?,
        Method::InTurn => match in_turn(network, connections.iter().copied()) {
            Ok(settings) => settings,
            Err(FirstFitError::Blocked(blocked)) => return Ok(Found::Blocked(blocked.to_string())),
            Err(error) => return Err(error.into()),
        },
        Method::SelfRouting => {
            let benes = matches!(network, Network::Rows(rows) if rows.is_benes());
            match if benes { nassimi_sahni } else { greedy }(network, &permutation) {
                Ok(settings) => settings,
                Err(SelfRoutingError::Conflict(conflict)) => {
                    return Ok(Found::Blocked(conflict.to_string()));
                }
                Err(error) => return Err(error.into()),
            }
        }
    };
    check(network, &settings, &permutation).context("internal error: wrong settings")?;
    Ok(Found::Slots(vec![Slot { connections, settings }]))
}
