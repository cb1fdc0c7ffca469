//! The checker of a self-test where packets may overtake each other: any order passes, a packet that
//! is missing or comes twice does not.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::selftest::cast::Cast;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_fabric::rtl::selftest::pattern::Pattern;
use turnpike_fabric::rtl::selftest::sink::sink;
use turnpike_fabric::rtl::selftest::source::source;
use turnpike_netlist::Design;
use turnpike_sim_rtl::eval::Evaluator;

const TERMINAL: u64 = 2;
/// Packets of each source that go to the checker.
const PACKETS: usize = 24;

/// Beats of a packet, and which is the last.
type Packet = Vec<(u64, bool)>;

fn set(circuit: &mut Evaluator, port: &str, value: u64) {
    let net = circuit.port(port).unwrap();
    circuit.set(net, &[value]);
}

fn get(circuit: &Evaluator, port: &str) -> u64 {
    circuit.get_low(circuit.port(port).unwrap())
}

/// Clears the numbers, as the conductor does.
fn cleared(mut circuit: Evaluator, address: u64) -> Evaluator {
    set(&mut circuit, "address", address);
    set(&mut circuit, "clear", 1);
    circuit.set_reset(true);
    circuit.clock();
    circuit.set_reset(false);
    for slot in 0..4 {
        set(&mut circuit, "slot", slot);
        circuit.clock();
    }
    set(&mut circuit, "clear", 0);
    circuit
}

fn pattern() -> Pattern {
    let parameters = Parameters { width: 20, ..Default::default() };
    let pattern = Pattern::new(&super::plan("adaptive", 2, None, parameters)).unwrap();
    assert!(!pattern.in_order);
    pattern
}

/// The first packets that a source sends to the checker.
fn packets(address: u64) -> Vec<Packet> {
    let module = source("t", pattern(), &Cast::at_every_address(2)).unwrap();
    let circuit = Evaluator::new(&Design::new(&module).unwrap());
    let mut circuit = cleared(circuit, address);
    set(&mut circuit, "seed", 0x9e37 + address);
    set(&mut circuit, "clear", 1);
    circuit.clock();
    set(&mut circuit, "clear", 0);
    set(&mut circuit, "tready", 1);
    let (mut sent, mut packet) = (Vec::new(), Packet::new());
    let mut here = false;
    while sent.len() < PACKETS {
        circuit.clock();
        circuit.settle();
        if get(&circuit, "tvalid") == 0 {
            continue;
        }
        if packet.is_empty() {
            here = get(&circuit, "tdest") == TERMINAL;
        }
        let last = get(&circuit, "tlast") == 1;
        packet.push((get(&circuit, "word"), last));
        if last {
            let whole = std::mem::take(&mut packet);
            sent.extend(here.then_some(whole));
        }
    }
    sent
}

/// What the checker says of packets in this order, when the conductor tells it that as many have
/// come as were sent.
fn verdict<'a>(packets: impl IntoIterator<Item = &'a Packet>) -> Option<Fault> {
    let module = sink("t", pattern(), false).unwrap();
    let mut circuit = cleared(Evaluator::new(&Design::new(&module).unwrap()), TERMINAL);
    circuit.clock();
    let mut clock = |valid: bool, (word, last): (u64, bool), complete: bool| {
        set(&mut circuit, "tvalid", valid.into());
        set(&mut circuit, "word", word);
        set(&mut circuit, "tlast", last.into());
        set(&mut circuit, "complete", complete.into());
        circuit.clock();
        circuit.settle();
        assert_eq!(get(&circuit, "tready"), 1);
        Fault::ALL[get(&circuit, "fault") as usize].0
    };
    let mut seen: Vec<Fault> =
        packets.into_iter().flatten().map(|&beat| clock(true, beat, false)).collect();
    seen.extend((0..4).map(|_| clock(false, (0, false), false)));
    seen.extend((0..4).map(|_| clock(false, (0, false), true)));
    seen.into_iter().find(|&fault| fault != Fault::None)
}

fn all() -> Vec<Packet> {
    [1, 3].into_iter().flat_map(packets).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_order_passes(order in Just((0..2 * PACKETS).collect::<Vec<_>>()).prop_shuffle()) {
        let packets = all();
        prop_assert_eq!(verdict(order.iter().map(|&at| &packets[at])), None);
    }

    /// One lost, or one that comes in its place: seen unless the numbers are alike modulo 16.
    #[test]
    fn a_packet_lost_or_twice_is_seen(
        order in Just((0..PACKETS).collect::<Vec<_>>()).prop_shuffle(),
        lost in 0..PACKETS,
        twice in 0..PACKETS,
    ) {
        let packets = packets(1);
        let wrong = order.iter().map(|&at| &packets[if at == lost { twice } else { at }]);
        let seen = verdict(wrong);
        let alike = lost % 16 == twice % 16;
        prop_assert_eq!(seen, (!alike).then_some(Fault::Order));
        // The number of the one that was lost is not 0 modulo 16 ahead of the last.
        let without = order.iter().filter(|&&at| at != lost).map(|&at| &packets[at]);
        let unseen = lost % 16 == (PACKETS - 1) % 16;
        prop_assert_eq!(verdict(without), (!unseen).then_some(Fault::Order));
    }
}

/// What a packet holds is compared with its own number, whatever came before.
#[test]
fn every_bit_of_a_first_beat_counts() {
    let packets = packets(1);
    for bit in 0..20 {
        let mut wrong = packets.clone();
        wrong[5][0].0 ^= 1 << bit;
        let fault = verdict(wrong.iter()).unwrap();
        let named = if (2..4).contains(&bit) { Fault::Destination } else { Fault::Data };
        assert_eq!(fault, named, "bit {bit}");
    }
}
