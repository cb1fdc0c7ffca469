//! Deadlocks by brute force: every set of queues, every state that packets come to, every set of
//! packets that stand across channels. Shares nothing with the audit but the tables.

use std::collections::HashSet;
use turnpike_audit::model::Routed;
use turnpike_audit::traffic::Traffic;

/// Next channels of each packet that may be at the head of each channel, by channel: destination, and
/// those channels; none where it leaves.
fn heads(routed: &Routed) -> Vec<Vec<(u32, Vec<u32>)>> {
    let mut heads = vec![Vec::new(); routed.channels.len()];
    for (destination, terminal) in (0..).zip(&routed.terminals) {
        let mut open: Vec<u32> = Vec::new();
        for source in routed.terminals.iter().filter_map(|terminal| terminal.source) {
            if Some(source) != terminal.sink {
                open.extend(routed.tables.next(routed.injection(0, source), destination));
            }
        }
        let mut met = HashSet::new();
        while let Some(channel) = open.pop() {
            if !met.insert(channel) {
                continue;
            }
            let next: Vec<u32> = match Some(routed.channels[channel as usize].to) == terminal.sink {
                true => Vec::new(),
                false => {
                    routed.tables.next(routed.of_channel[channel as usize], destination).into()
                }
            };
            open.extend(&next);
            heads[channel as usize].push((destination, next));
        }
    }
    heads
}

/// Whether there is a set of full queues in which no packet moves: by trying every set.
pub fn full_queues(routed: &Routed) -> bool {
    let heads = heads(routed);
    let count = heads.len();
    assert!(count <= 20, "{count} channels are too many sets");
    let masks: Vec<Vec<u32>> = heads
        .iter()
        .map(|own| {
            let mask = |next: &Vec<u32>| next.iter().fold(0, |mask, &next| mask | 1 << next);
            own.iter().filter(|(_, next)| !next.is_empty()).map(|(_, next)| mask(next)).collect()
        })
        .collect();
    (1u32..1 << count).any(|set| {
        (0..count).filter(|at| set >> at & 1 == 1).all(|at| masks[at].iter().any(|m| m & !set == 0))
    })
}

/// Whether packets that enter an empty network, a packet to a queue, can come to a state in which some
/// packet never moves again: by going through every state that they come to. `None` where there are
/// more than `most` states.
pub fn reached(routed: &Routed, most: usize) -> Option<bool> {
    let count = routed.channels.len();
    // By channel: 0 where it is empty, else its packet's destination and 1.
    let mut met = HashSet::from([vec![0u8; count]]);
    let mut open = vec![vec![0u8; count]];
    while let Some(state) = open.pop() {
        let mut moves = Vec::new();
        let mut is_stuck = state.iter().any(|&packet| packet > 0);
        for (destination, terminal) in (0u8..).zip(&routed.terminals) {
            for source in routed.terminals.iter().filter_map(|terminal| terminal.source) {
                if Some(source) == terminal.sink {
                    continue;
                }
                let table = routed.injection(0, source);
                for &next in routed.tables.next(table, u32::from(destination)) {
                    if state[next as usize] == 0 {
                        let mut new = state.clone();
                        new[next as usize] = destination + 1;
                        moves.push(new);
                    }
                }
            }
        }
        // Packets that can never move again, whatever others do: they wait for each other.
        let mut stays: Vec<bool> = state.iter().map(|&packet| packet > 0).collect();
        let next_of = |channel: usize| -> Vec<u32> {
            let destination = u32::from(state[channel]) - 1;
            match Some(routed.channels[channel].to) == routed.terminals[destination as usize].sink {
                true => Vec::new(),
                false => routed.tables.next(routed.of_channel[channel], destination).into(),
            }
        };
        loop {
            let moves_on = |&channel: &usize| {
                let leaves = || {
                    let next = next_of(channel);
                    next.is_empty() || next.iter().any(|&next| !stays[next as usize])
                };
                stays[channel] && leaves()
            };
            match (0..count).find(moves_on) {
                Some(channel) => stays[channel] = false,
                None => break,
            }
        }
        is_stuck &= stays.contains(&true);
        if is_stuck {
            return Some(true);
        }
        for channel in (0..count).filter(|&channel| state[channel] > 0) {
            let next = next_of(channel);
            if next.is_empty() {
                let mut new = state.clone();
                new[channel] = 0;
                moves.push(new);
            }
            for next in next {
                if state[next as usize] == 0 {
                    let mut new = state.clone();
                    new[next as usize] = new[channel];
                    new[channel] = 0;
                    moves.push(new);
                }
            }
        }
        for new in moves {
            if met.len() > most {
                return None;
            }
            if met.insert(new.clone()) {
                open.push(new);
            }
        }
    }
    Some(false)
}

/// Whether packets can stand across channels, none of which moves: each packet holds the channels of a
/// piece of its way, and each next channel of its head is held. By trying every set of packets.
pub fn worms(routed: &Routed, most_channels: usize) -> bool {
    // Pieces of ways: held channels, and those that the head waits for.
    let mut pieces: Vec<(u32, u32)> = Vec::new();
    for (destination, terminal) in (0u32..).zip(&routed.terminals) {
        let reached: HashSet<u32> = heads(routed)
            .iter()
            .enumerate()
            .filter(|(_, own)| own.iter().any(|(to, _)| *to == destination))
            .map(|(at, _)| at as u32)
            .collect();
        let mut open: Vec<Vec<u32>> = reached.iter().map(|&channel| vec![channel]).collect();
        while let Some(held) = open.pop() {
            let head = held[held.len() - 1];
            if Some(routed.channels[head as usize].to) == terminal.sink {
                continue;
            }
            let next = routed.tables.next(routed.of_channel[head as usize], destination);
            let mask = |all: &[u32]| all.iter().fold(0, |mask, &channel| mask | 1 << channel);
            pieces.push((mask(&held), mask(next)));
            for &next in next {
                if held.len() < most_channels && !held.contains(&next) {
                    open.push([&held[..], &[next]].concat());
                }
            }
        }
    }
    pieces.sort_unstable();
    pieces.dedup();
    stands(&pieces, 0, 0)
}

/// Whether some pieces that hold no channel twice can be added so that all that is waited for is held.
fn stands(pieces: &[(u32, u32)], held: u32, wanted: u32) -> bool {
    let open = wanted & !held;
    if held != 0 && open == 0 {
        return true;
    }
    let first = if held == 0 { u32::MAX } else { 1 << open.trailing_zeros() };
    pieces.iter().any(|&(piece, wants)| {
        piece & first != 0 && piece & held == 0 && stands(pieces, held | piece, wanted | wants)
    })
}

/// Whether routes can wait in a circle of channels: by following every way of the dependency graph.
pub fn circle(routed: &Routed) -> bool {
    let count = routed.channels.len();
    let mut after = vec![vec![false; count]; count];
    for (channel, own) in heads(routed).iter().enumerate() {
        own.iter()
            .flat_map(|(_, next)| next)
            .for_each(|&next| after[channel][next as usize] = true);
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                after[from][to] |= after[from][middle] && after[middle][to];
            }
        }
    }
    (0..count).any(|at| after[at][at])
}

/// Traffic of these tests.
pub fn traffic() -> Traffic {
    Traffic::all_to_all()
}
