//! Live header bits: those that the queues of a network store, and its channels carry, because they
//! are ever set and some switch from there on looks at them.

use crate::symmetry::Symmetry;
use crate::turns::{SwitchTurns, Turn};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::routing::choice::Choice;
use turnpike_network::routing::{Header, Input, Output, Relation, Select, Vc};
use turnpike_network::topology::{Port, Topology};

/// The route logic of a queue, over the header bits that are ever set in it and the outputs
/// that its packets take.
pub fn reduced(relation: &Relation, switch: &SwitchTurns, input: Input, vc: Vc) -> Select {
    let mask = switch.header_masks.get(&(input, vc)).copied().unwrap_or(0);
    let own = switch.turns.keys().filter(|t| (t.input, t.input_vc) == (input, vc));
    let taken: BTreeSet<(Output, Vc)> = own.map(|t| (t.output, t.output_vc)).collect();
    let select = relation.select(switch.site, input, vc);
    match select {
        // Who never comes to the end here needs no number of a terminal.
        Select::Concentrated { select, .. } if !taken.iter().any(|(to, _)| to.is_eject()) => {
            within(*select, &taken, mask)
        }
        select => within(select, &taken, mask),
    }
}

/// Route logic over the header bits of `mask` and the outputs and virtual channels `taken`.
fn within(select: Select, taken: &BTreeSet<(Output, Vc)>, mask: Header) -> Select {
    let concentrated = matches!(select, Select::Concentrated { .. });
    select.with_rules(|mut rules, one_hot| {
        // Bits that are never set are known to be 0.
        rules.retain(|rule| {
            let leads = |&(output, vc): &(Output, Vc)| {
                leads_to(rule.way.output, output, concentrated)
                    && rule.way.vc.is_none_or(|named| named == vc)
            };
            taken.iter().any(leads)
        });
        rules = rules.iter().filter_map(|rule| rule.within(mask)).collect();
        // Behind a rule that always holds nothing is looked at.
        let always = rules.iter().position(|rule| rule.looks_at() == 0);
        rules.truncate(always.map_or(rules.len(), |at| at + 1));
        (rules, one_hot)
    })
}

/// Whether a rule for one output is for another: where there are several terminals at a switch, a rule
/// that ejects is for each of them.
pub fn leads_to(rule: Output, output: Output, concentrated: bool) -> bool {
    output == rule || concentrated && output.is_eject() && rule.is_eject()
}

/// The choice of the packets of a queue, over the header bits that are ever set in it and the
/// outputs that its packets take; `None` where they have none.
pub fn reduced_choice(
    relation: &Relation,
    switch: &SwitchTurns,
    input: Input,
    vc: Vc,
) -> Option<Choice> {
    let mask = switch.header_masks.get(&(input, vc)).copied().unwrap_or(0);
    let mut choice = relation.choices_of(input, vc)?.choice(switch.site, input, vc);
    choice.ways.retain(|way| {
        let to = (Output::Network(way.port), way.vc);
        let own = |t: &Turn| (t.input, t.input_vc) == (input, vc);
        switch.turns.keys().any(|t| own(t) && (t.output, t.output_vc) == to)
    });
    choice.ways.iter_mut().for_each(|way| *way = way.within(mask));
    if let Some(outnumbers) = &mut choice.all_if {
        outnumbers.these &= mask;
        outnumbers.those &= mask;
    }
    choice.all_if = choice.all_if.filter(|outnumbers| outnumbers.these != 0);
    Some(choice)
}

/// The header bits that the route logic of a queue looks at.
fn looked_at(relation: &Relation, switch: &SwitchTurns, input: Input, vc: Vc) -> Header {
    let choice = reduced_choice(relation, switch, input, vc);
    let by_choice = choice.map_or(0, |choice| choice.looks_at());
    reduced(relation, switch, input, vc).looks_at() | by_choice
}

/// Gives the queues of each input, at all switches and VCs, the header bits that are ever set in
/// any of them.
fn unite(switches: &mut [SwitchTurns]) {
    let mut all: BTreeMap<Input, Header> = BTreeMap::new();
    for ((input, _), mask) in switches.iter().flat_map(|switch| &switch.header_masks) {
        *all.entry(*input).or_default() |= mask;
    }
    for switch in switches {
        switch.header_masks.iter_mut().for_each(|((input, _), mask)| *mask = all[input]);
    }
}

/// Fills in [`SwitchTurns::stored`], `received` and `sent` of the switches at the sites of
/// `symmetry`: the least fixed point over all turns of the network.
pub(crate) fn fill(
    topology: &dyn Topology,
    relation: &Relation,
    symmetry: &Symmetry,
    switches: &mut [SwitchTurns],
) {
    let uniform = relation.has_uniform_headers();
    if uniform {
        unite(switches);
    }
    let index = |switch: &SwitchTurns, port: Port| {
        let (to, input) = topology.channel(switch.site, port)?;
        Some((symmetry.index(topology, to), Input::Network(input)))
    };
    for switch in switches.iter_mut() {
        // A bit that is never set in a queue is known to be 0 there, and need not come to it.
        let looks_at = |(&(input, vc), set): (&(Input, Vc), &Header)| {
            ((input, vc), looked_at(relation, switch, input, vc) & set)
        };
        switch.stored = switch.header_masks.iter().map(looks_at).collect();
    }
    // Every turn onto a channel: from which queue of which switch to which of which.
    let mut onward = Vec::new();
    for (at, switch) in switches.iter().enumerate() {
        for turn in switch.turns.keys() {
            let Output::Network(port) = turn.output else { continue };
            let Some((to, input)) = index(switch, port) else { continue };
            let carry =
                relation.carry(switch.site, turn.input, turn.input_vc, (port, turn.output_vc));
            onward.push((at, *turn, to, input, carry));
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for (at, turn, to, input, carry) in &onward {
            let Turn { input_vc, output_vc, .. } = *turn;
            let ahead = switches[*to].stored.get(&(*input, output_vc)).copied().unwrap_or(0);
            let set = switches[*at].header_masks[&(turn.input, input_vc)];
            let stored = switches[*at].stored.entry((turn.input, input_vc)).or_default();
            let more = *stored | carry.needs(ahead) & set;
            grows |= more != *stored;
            *stored = more;
        }
    }
    // What comes to an input is what its queues store; where headers are uniform, what those of
    // this input store at any switch.
    let mut anywhere: BTreeMap<Input, Header> = BTreeMap::new();
    for switch in switches.iter_mut() {
        let mut received: BTreeMap<Input, Header> = BTreeMap::new();
        for ((input, _), mask) in &switch.stored {
            *received.entry(*input).or_default() |= mask;
            *anywhere.entry(*input).or_default() |= mask;
        }
        switch.received = received;
    }
    if uniform {
        for switch in switches.iter_mut() {
            // An injector is its switch's own.
            let inputs = switch.received.iter_mut().filter(|(input, _)| !input.is_inject());
            inputs.for_each(|(input, mask)| *mask = anywhere[input]);
        }
    }
    let sent: Vec<BTreeMap<Port, Header>> = switches
        .iter()
        .map(|switch| {
            let outputs = switch.turns.keys().filter_map(|turn| match turn.output {
                Output::Network(port) => Some(port),
                Output::Eject(_) => None,
            });
            let carries = |port| {
                let (to, input) = index(switch, port)?;
                Some((port, switches[to].received.get(&input).copied().unwrap_or(0)))
            };
            outputs.filter_map(carries).collect()
        })
        .collect();
    switches.iter_mut().zip(sent).for_each(|(switch, sent)| switch.sent = sent);
}
