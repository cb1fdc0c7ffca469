//! The parts of a self-test alone: the conductor, and a checker behind a generator, each beside
//! what its own documentation says.

use turnpike_base::hash::hash;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::selftest::cast::Cast;
use turnpike_fabric::rtl::selftest::control::control;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_fabric::rtl::selftest::pattern::Pattern;
use turnpike_fabric::rtl::selftest::sink::sink;
use turnpike_fabric::rtl::selftest::source::source;
use turnpike_netlist::Design;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

/// The conductor, cycle by cycle.
struct Conductor {
    circuit: Evaluator,
    terminals: u32,
    cycle: u64,
}

impl Conductor {
    fn new(address: u32) -> Self {
        let cast = Cast::at_every_address(address);
        let mut circuit =
            Evaluator::new(&Design::new(&control("t", &cast, true).unwrap()).unwrap());
        circuit.set_reset(true);
        circuit.clock();
        circuit.set_reset(false);
        circuit.settle();
        Self { circuit, terminals: 1 << address, cycle: 0 }
    }

    fn see(&self, port: &str) -> u64 {
        self.circuit.get_low(self.circuit.port(port).unwrap())
    }

    /// A cycle in which packets end at these terminals, and these have a fault.
    fn clock(&mut self, arrived: u64, faults: &[(u32, Fault)]) {
        let port = |name: &str| self.circuit.port(name).unwrap();
        let (arrived_port, fault_port) = (port("arrived"), port("fault"));
        self.circuit.set(arrived_port, &[arrived]);
        for terminal in 0..self.terminals {
            let fault = faults.iter().find(|(at, _)| *at == terminal);
            let code = fault.map_or(0, |(_, fault)| fault.code());
            self.circuit.set_bits(fault_port, terminal * Fault::BITS, Fault::BITS, code);
        }
        self.circuit.clock();
        self.circuit.settle();
        self.cycle += 1;
    }

    /// As many packets as a test has, one at every terminal in each cycle.
    fn all_packets(&mut self, address: u32) {
        for _ in 0..1 << Cast::at_every_address(address).packet_bits() {
            assert_eq!(self.see("done"), 0, "not before all have come");
            self.clock(u64::MAX >> (64 - self.terminals), &[]);
        }
    }

    /// Clocks until the test is done; the cycle.
    fn end(&mut self) -> u64 {
        while self.see("done") == 0 {
            self.clock(0, &[]);
        }
        self.cycle
    }

    fn verdict(&self) -> [u64; 4] {
        ["pass", "fail", "code", "terminal"].map(|port| self.see(port))
    }
}

#[test]
fn the_conductor_clears_every_number_and_then_pauses_in_turn() {
    for address in 1..=4 {
        let mut conductor = Conductor::new(address);
        for cycle in 0..3_000u64 {
            assert_eq!(conductor.see("clear"), u64::from(cycle < 1 << address), "{cycle}");
            assert_eq!(conductor.see("slot"), cycle % (1 << address));
            assert_eq!(conductor.see("pause_sources"), cycle >> 8 & 1);
            assert_eq!(conductor.see("pause_sinks"), cycle >> 9 & 1);
            conductor.clock(0, &[]);
        }
    }
}

/// Two turns of the counter's lowest 8 bits after the last packet, if nothing came in them.
#[test]
fn the_conductor_waits_for_what_must_not_come() {
    for address in 1..=4 {
        let mut conductor = Conductor::new(address);
        conductor.all_packets(address);
        let last = conductor.cycle;
        let waited = conductor.end() - last;
        assert!((256..=512 + 4).contains(&waited), "{address}: {waited}");
        assert_eq!(conductor.verdict(), [1, 0, 0, 0], "{address}");

        let mut conductor = Conductor::new(address);
        conductor.all_packets(address);
        (0..200).for_each(|_| conductor.clock(0, &[]));
        conductor.clock(0, &[(1, Fault::Order)]);
        conductor.end();
        assert_eq!(conductor.verdict(), [0, 1, Fault::Order.code(), 1], "{address}");
    }
}

/// A packet is missing: the test ends at its limit all the same.
#[test]
fn the_conductor_ends_at_its_limit() {
    for address in 1..=3 {
        let mut conductor = Conductor::new(address);
        let cast = Cast::at_every_address(address);
        let packets = cast.packets();
        (1..packets).for_each(|_| conductor.clock(1, &[]));
        let limit = 1 << cast.limit_bits();
        while conductor.see("done") == 0 {
            assert_eq!(conductor.see("clear"), 0, "numbers are not cleared again");
            conductor.clock(0, &[]);
        }
        let end = conductor.cycle;
        conductor.clock(0, &[]);
        assert_eq!(conductor.see("clear"), 0, "nor at the end");
        assert!((limit..limit + 4).contains(&end), "{address}: {end}");
        assert_eq!(conductor.verdict(), [0, 1, Fault::Timeout.code(), 0], "{address}");
    }
}

/// The lowest terminal of the first cycle with a fault, whatever comes afterwards.
#[test]
fn the_conductor_keeps_the_first_fault() {
    for address in 1..=3u32 {
        for lowest in 0..1 << address {
            for (fault, _) in &Fault::ALL[1..] {
                let mut conductor = Conductor::new(address);
                (0..40).for_each(|_| conductor.clock(0, &[]));
                let others = (lowest + 1..1 << address).map(|at| (at, Fault::Protocol));
                let faults: Vec<_> = [(lowest, *fault)].into_iter().chain(others).collect();
                conductor.clock(0, &faults);
                let wanted = [0, 1, fault.code(), u64::from(lowest & 3)];
                assert_eq!((conductor.see("done"), conductor.verdict()), (1, wanted));
                conductor.clock(0, &[(0, Fault::Data)]);
                conductor.all_packets_after_the_end(wanted);
            }
        }
    }
}

impl Conductor {
    fn all_packets_after_the_end(&mut self, wanted: [u64; 4]) {
        for _ in 0..600 {
            self.clock(1, &[]);
            assert_eq!((self.see("done"), self.verdict()), (1, wanted));
        }
    }
}

/// A beat on its way from the generator to the checker.
#[derive(Clone)]
struct Beat {
    word: Vec<u64>,
    last: bool,
    id: u64,
}

impl Beat {
    fn flip(&mut self, bit: u32) {
        self.word[bit as usize / 64] ^= 1 << (bit % 64);
    }
}

/// What happens to a beat on the way.
#[derive(PartialEq, Eq)]
enum Way {
    Goes,
    Lost,
}

const SOURCE: u64 = 1;
const TERMINAL: u64 = 2;

/// Runs the generator of one terminal and the checker of another, with `change` between them: it
/// sees the number of the packet among those of this pair, the beat's in it, and the beat. Gives
/// the first fault, packets sent and packets that arrived.
fn pair(change: impl Fn(u32, u32, &mut Beat) -> Way) -> (Option<Fault>, u32, u32) {
    let parameters = Parameters { width: 32, user_width: 5, ..Default::default() };
    let pattern = Pattern::new(&super::plan("ecube", 2, None, parameters)).unwrap();
    let mut from = Evaluator::new(
        &Design::new(&source("t", pattern, &Cast::at_every_address(2)).unwrap()).unwrap(),
    );
    let mut to = Evaluator::new(&Design::new(&sink("t", pattern, true).unwrap()).unwrap());
    let set = |circuit: &mut Evaluator, port: &str, value: u64| {
        let net: NetId = circuit.port(port).unwrap();
        circuit.set(net, &[value]);
    };
    let get = |circuit: &Evaluator, port: &str| circuit.get_low(circuit.port(port).unwrap());
    for (circuit, address) in [(&mut from, SOURCE), (&mut to, TERMINAL)] {
        set(circuit, "address", address);
        set(circuit, "clear", 1);
        circuit.set_reset(true);
        circuit.clock();
        circuit.set_reset(false);
    }
    set(&mut from, "seed", 0x9e37);
    for slot in 0..4 {
        for circuit in [&mut from, &mut to] {
            set(circuit, "slot", slot);
            circuit.clock();
        }
    }
    let (mut packet, mut beat, mut arrived) = (0, 0, 0);
    let mut destination = None;
    for cycle in 0..12_000u64 {
        for circuit in [&mut from, &mut to] {
            set(circuit, "clear", 0);
            set(circuit, "pause", cycle >> 7 & 1);
        }
        set(&mut to, "chance", hash(1, &[cycle]) & 1);
        from.settle();
        to.settle();
        let offered = get(&from, "tvalid") == 1;
        if offered && beat == 0 {
            destination = Some(get(&from, "tdest"));
        }
        let here = offered && destination == Some(TERMINAL);
        let word = from.get(from.port("word").unwrap()).collect();
        let mut sent = Beat { word, last: get(&from, "tlast") == 1, id: SOURCE };
        let ends = sent.last;
        let way = if here { change(packet, beat, &mut sent) } else { Way::Lost };
        let valid = here && way == Way::Goes;
        set(&mut to, "tvalid", valid.into());
        let word = to.port("word").unwrap();
        to.set(word, &sent.word);
        set(&mut to, "tlast", sent.last.into());
        set(&mut to, "tid", sent.id);
        to.settle();
        let taken = offered && (!valid || get(&to, "tready") == 1);
        set(&mut from, "tready", taken.into());
        if taken {
            beat = if ends { 0 } else { beat + 1 };
            packet += u32::from(ends && here);
        }
        from.clock();
        to.clock();
        from.settle();
        to.settle();
        arrived += get(&to, "arrived") as u32;
        if let code @ 1.. = get(&to, "fault") {
            return (Some(Fault::ALL[code as usize].0), packet, arrived);
        }
    }
    (None, packet, arrived)
}

/// Without a fault there is none; each fault alone is called by its name.
#[test]
fn the_checker_names_what_is_wrong() {
    let (fault, sent, arrived) = pair(|_, _, _| Way::Goes);
    assert_eq!((fault, sent), (None, arrived));
    assert!(sent > 40, "{sent}");
    let named = |change: &dyn Fn(u32, u32, &mut Beat) -> Way| pair(change).0;
    // Addresses are of 2 bits: source, destination, number, and what is above.
    for (fault, bits) in [(Fault::Destination, 2..4), (Fault::Order, 4..8), (Fault::Data, 8..37)] {
        for bit in bits {
            let change = |packet, beat, sent: &mut Beat| {
                if (packet, beat) == (9, 0) {
                    sent.flip(bit);
                }
                Way::Goes
            };
            assert_eq!(named(&change), Some(fault), "bit {bit} of a first beat");
        }
    }
    for bit in 0..37 {
        let change = |_, beat, sent: &mut Beat| {
            if beat == 2 {
                sent.flip(bit);
            }
            Way::Goes
        };
        assert_eq!(named(&change), Some(Fault::Data), "bit {bit} of a third beat");
    }
    for at in 0..3 {
        let change = |_, beat, sent: &mut Beat| {
            sent.id ^= u64::from(beat == at);
            Way::Goes
        };
        assert_eq!(named(&change), Some(Fault::Id), "beat {at}");
        let change = |_, beat, sent: &mut Beat| {
            sent.last |= beat == at && !sent.last;
            Way::Goes
        };
        assert_eq!(named(&change), Some(Fault::Length), "too short by its beat {at}");
    }
    let change = |packet, _, sent: &mut Beat| {
        sent.last &= packet != 5;
        Way::Goes
    };
    assert_eq!(named(&change), Some(Fault::Length), "too long");
    let lose = |packet, _, _: &mut Beat| if packet == 5 { Way::Lost } else { Way::Goes };
    assert_eq!(named(&lose), Some(Fault::Order), "a packet lost");
    let lose = |_, beat, _: &mut Beat| if beat == 2 { Way::Lost } else { Way::Goes };
    assert_eq!(named(&lose), Some(Fault::Data), "a beat lost");
}

/// What is offered stays so until it is taken, and nothing is refused at injection.
#[test]
fn the_checker_holds_a_terminal_to_its_protocol() {
    let parameters = Parameters { width: 32, ..Default::default() };
    let pattern = Pattern::new(&super::plan("ecube", 2, None, parameters)).unwrap();
    let mut circuit = Evaluator::new(&Design::new(&sink("t", pattern, false).unwrap()).unwrap());
    let port = |name: &str| circuit.port(name).unwrap();
    let [pause, chance, tvalid, refused, fault, ready] =
        ["pause", "chance", "tvalid", "refused", "fault", "tready"].map(port);
    let cycle = |circuit: &mut Evaluator, stalls: u64, valid: u64, refuses: u64| {
        circuit.set(pause, &[stalls]);
        circuit.set(chance, &[1]);
        circuit.set(tvalid, &[valid]);
        circuit.set(refused, &[refuses]);
        circuit.clock();
        circuit.settle();
        [fault, ready].map(|net| circuit.get_low(net))
    };
    let protocol = Fault::Protocol.code();
    assert_eq!(cycle(&mut circuit, 1, 0, 0), [0, 0]);
    assert_eq!(cycle(&mut circuit, 1, 0, 0), [0, 0], "nothing was offered");
    assert_eq!(cycle(&mut circuit, 1, 1, 0), [0, 0], "it waits");
    assert_eq!(cycle(&mut circuit, 1, 1, 0), [0, 0], "it waits");
    assert_eq!(cycle(&mut circuit, 1, 0, 0), [protocol, 0], "it was taken back");
    assert_eq!(cycle(&mut circuit, 0, 0, 0), [0, 1]);
    assert_eq!(cycle(&mut circuit, 0, 0, 1), [protocol, 1], "a packet was refused");
    assert_eq!(cycle(&mut circuit, 0, 0, 0), [0, 1]);
}
