//! Which header bits the queues of a network store, and its channels carry: those that are
//! ever set and that some switch from there on looks at.

use crate::routing::{Header, Input, Output, Relation, Select, Vc};
use crate::symmetry::Symmetry;
use crate::topology::{Port, Topology};
use crate::turns::{SwitchTurns, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// The route logic of a queue, over the header bits that are ever set in it and the outputs
/// that its packets take.
pub fn reduced(relation: &dyn Relation, switch: &SwitchTurns, input: Input, vc: Vc) -> Select {
    let mask = switch.header_masks.get(&(input, vc)).copied().unwrap_or(0);
    let own = switch.turns.keys().filter(|t| (t.input, t.input_vc) == (input, vc));
    let taken: BTreeSet<Output> = own.map(|t| t.output).collect();
    match relation.select(switch.site, input, vc) {
        Select::FirstRule { mut rules, one_hot } => {
            // Bits that are never set are 0 without a look.
            rules.iter_mut().for_each(|rule| rule.care &= mask);
            rules.retain(|rule| rule.value & !mask == 0 && taken.contains(&rule.way.output));
            // Behind a rule that always holds nothing is looked at.
            let always = rules.iter().position(|rule| rule.care == 0);
            rules.truncate(always.map_or(rules.len(), |at| at + 1));
            Select::FirstRule { rules, one_hot }
        }
        table @ Select::Table { .. } => table,
    }
}

/// Fills in [`SwitchTurns::stored`] and [`SwitchTurns::sent`] of the switches at the sites of
/// `symmetry`: the least fixed point over all turns of the network.
pub(crate) fn fill(
    topology: &dyn Topology,
    relation: &dyn Relation,
    symmetry: &Symmetry,
    switches: &mut [SwitchTurns],
) {
    let index = |switch: &SwitchTurns, port: Port| {
        let (to, input) = topology.channel(switch.site, port)?;
        Some((symmetry.index(topology, to), Input::Network(input)))
    };
    for switch in switches.iter_mut() {
        let looks_at = |&(input, vc): &(Input, Vc)| {
            ((input, vc), reduced(relation, switch, input, vc).looks_at())
        };
        switch.stored = switch.header_masks.keys().map(looks_at).collect();
    }
    // Every turn onto a channel: from which queue of which switch to which of which.
    let mut onward = Vec::new();
    for (at, switch) in switches.iter().enumerate() {
        for turn in switch.turns.keys() {
            let Output::Network(port) = turn.output else { continue };
            let Some((to, input)) = index(switch, port) else { continue };
            let carry = relation.carry(switch.site, turn.input, port);
            onward.push((at, *turn, to, input, carry));
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for (at, turn, to, input, carry) in &onward {
            let Turn { input_vc, output_vc, .. } = *turn;
            let ahead = switches[*to].stored.get(&(*input, output_vc)).copied().unwrap_or(0);
            let stored = switches[*at].stored.entry((turn.input, input_vc)).or_default();
            let more = *stored | carry.needs(ahead);
            grows |= more != *stored;
            *stored = more;
        }
    }
    for switch in switches.iter_mut() {
        let set = &switch.header_masks;
        switch.stored.iter_mut().for_each(|(queue, mask)| *mask &= set[queue]);
    }
    let at_input = |switch: &SwitchTurns, input: Input| -> Header {
        let own = switch.stored.iter().filter(|((i, _), _)| *i == input);
        own.fold(0, |all, (_, mask)| all | mask)
    };
    let sent: Vec<BTreeMap<Port, Header>> = switches
        .iter()
        .map(|switch| {
            let outputs = switch.turns.keys().filter_map(|turn| match turn.output {
                Output::Network(port) => Some(port),
                Output::Eject => None,
            });
            let carries = |port| {
                let (to, input) = index(switch, port)?;
                Some((port, at_input(&switches[to], input)))
            };
            outputs.filter_map(carries).collect()
        })
        .collect();
    switches.iter_mut().zip(sent).for_each(|(switch, sent)| switch.sent = sent);
}
