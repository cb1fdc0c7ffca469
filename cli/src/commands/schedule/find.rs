//! Finds settings, and has each slot's checked by what shares nothing with the finding.

use super::ScheduleOptions;
use crate::messages::Messages;
use anyhow::{Context, bail};
use turnpike_analysis::pattern_load::Message;
use turnpike_schedule::check::check;
use turnpike_schedule::clos::{FirstFitError, in_turn};
use turnpike_schedule::demand::{Demand, DemandError, Transfer};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::self_routing::{SelfRoutingError, greedy, nassimi_sahni};
use turnpike_schedule::settings::Settings;
use turnpike_schedule::slots::Schedule;

/// Most values of all settings together.
const MOST_VALUES: u64 = 1 << 27;

/// What was found.
pub enum Found {
    /// Slots, each checked.
    Slots(Vec<Slot>),
    /// Why it does not pass.
    Blocked(String),
}

/// A slot.
pub struct Slot {
    /// Who is connected to whom.
    pub connections: Vec<Connection>,
    /// How.
    pub settings: Settings,
}

fn transfer(message: &Message) -> Transfer {
    let Message { source, destination, words } = *message;
    Transfer { source: source.0, sink: destination.0, words }
}

/// What the messages ask for, those of one pair added up.
///
/// # Errors
/// More words than a demand has.
pub fn demand(network: &Network, messages: &Messages) -> Result<Demand, DemandError> {
    Demand::new(network.terminals(), messages.list.iter().map(transfer))
}

/// The settings for these messages, whose demand is `demand`.
///
/// # Errors
/// A network without settings of this sort; more values than are kept.
pub fn find(
    options: &ScheduleOptions,
    network: &Network,
    messages: &Messages,
    demand: &Demand,
) -> anyhow::Result<Found> {
    if options.self_routing || options.in_turn {
        let several = demand.transfers().iter().find(|transfer| transfer.words > 1);
        if let Some(Transfer { source, sink, words }) = several {
            bail!(
                "terminal {source} has {words} words for {sink}; there is one slot, for one word"
            );
        }
        let connection = |m| {
            let Transfer { source, sink, .. } = transfer(m);
            Connection { source, sink }
        };
        return one_slot(options, network, messages.list.iter().map(connection).collect());
    }
    if let Network::Rows(rows) = network
        && !rows.is_benes()
    {
        bail!(
            "not every permutation passes this network; --self-routing tells of one whether it does"
        );
    }
    let schedule = Schedule::new(network, demand)?;
    let outputs = |stage| u64::from(network.switches(stage)) * u64::from(network.outputs(stage));
    let values = (0..network.stages()).map(outputs).sum::<u64>() * u64::from(schedule.slots());
    if values > MOST_VALUES {
        bail!(
            "{} slots have {values} settings in all; ask for fewer words, so that there are at most \
             {MOST_VALUES}",
            schedule.slots()
        );
    }
    let slot = |slot| {
        let (permutation, settings) = (schedule.permutation(slot)?, schedule.settings(slot)?);
        check(network, &settings, &permutation).context("internal error: wrong settings")?;
        Ok(Slot { connections: schedule.connections(slot).collect(), settings })
    };
    (0..schedule.slots()).map(slot).collect::<anyhow::Result<_>>().map(Found::Slots)
}

fn one_slot(
    options: &ScheduleOptions,
    network: &Network,
    connections: Vec<Connection>,
) -> anyhow::Result<Found> {
    let permutation = PartialPermutation::new(network.terminals(), connections.iter().copied())
        .context("there is one slot")?;
    let settings = if options.in_turn {
        match in_turn(network, connections.iter().copied()) {
            Ok(settings) => settings,
            Err(FirstFitError::Blocked(blocked)) => return Ok(Found::Blocked(blocked.to_string())),
            Err(error) => return Err(error.into()),
        }
    } else {
        let benes = matches!(network, Network::Rows(rows) if rows.is_benes());
        match if benes { nassimi_sahni } else { greedy }(network, &permutation) {
            Ok(settings) => settings,
            Err(SelfRoutingError::Conflict(conflict)) => {
                return Ok(Found::Blocked(conflict.to_string()));
            }
            Err(error) => return Err(error.into()),
        }
    };
    check(network, &settings, &permutation).context("internal error: wrong settings")?;
    Ok(Found::Slots(vec![Slot { connections, settings }]))
}
