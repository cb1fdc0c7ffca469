//! Counters at the ports of the network: what software reads is what was seen there, and a sink that
//! takes nothing is told of.

use super::Outcome;
use crate::testbench::counters::Software;
use crate::testbench::interfaces::{Extent, Work, run_interfaces};
use turnpike_fabric::plan::counters::{
    CONTROL, CYCLES, CounterRegister, FIRST_PORT, FLITS, HANG, HANG_ADDRESS, HANG_AT, ID, IDENTITY,
    PORTS, STALLS, WAITS, WATCHDOG, map_bits, port_offset,
};
use turnpike_fabric::plan::{FabricPlan, InterfaceStep, Side};
use turnpike_fabric::rtl::interface;
use turnpike_netlist::{Design, RtlError};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::dut::Dut;

/// Runs with traffic of their own.
const RUNS: u64 = 3;
/// Packets of each source in a run.
const PACKETS: u32 = 24;
/// Cycles within which queues between two terminals fill up, beside the times of some flits.
const FILLED: u64 = 5_000;
/// Words between the network and a terminal, at most.
const QUEUED_WORDS: u32 = 64;
/// Cycles in which a token bucket lets as many go, at most.
const MOST_HELD: f64 = 65_536.0;
/// Limits of the watchdog, each of which is the time of some flits, within which what is to hang does.
const LIMITS: u64 = 16;
/// Resets, each a cycle later after a read began.
const RESETS: u32 = 5;
/// Sinks that take nothing, at most.
const MOST_PAIRS: usize = 8;
/// Answers of AXI: all is well, and there is no such register.
const ANSWERS: [u64; 2] = [0, 2];
/// All bytes of a word.
const ALL_BYTES: u64 = 0xf;

/// Counters after traffic, and the watchdog.
pub fn check(plan: &FabricPlan) -> Outcome {
    let top = interface::streams_design(plan).map_err(|error: RtlError| error.to_string())?;
    check_design(plan, &top)
}

/// Check of a design in place of the plan's own, as [`check`].
///
/// # Errors
/// The first fault, in words.
pub fn check_design(plan: &FabricPlan, top: &Design) -> Outcome {
    let mut dut = Dut::new(top);
    let (mut flits, mut compared) = (0, 0);
    for seed in 1..=RUNS {
        let reset = (seed > 1).then_some(100);
        let eagerness = 9 - 2 * seed;
        let work = Work { packets: PACKETS, eagerness, reset, reset_edges: 2, seed };
        let extent = run_interfaces(&mut dut, plan, work)?;
        let mut software = Software::new(&mut dut, plan, seed);
        let counts = after_traffic(plan, &mut software, &extent)?;
        flits += counts[0];
        compared = counts[1];
    }
    let mut software = Software::new(&mut dut, plan, RUNS);
    let pairs = pairs(plan);
    let mut waited = 0;
    for &pair in &pairs {
        watchdog(&mut software, plan, pair)?;
        if let Some(rival) = rival(plan, pair) {
            waited += u32::from(contention(&mut software, plan, [pair[0], rival, pair[1]])?);
        }
    }
    software.short_reset()?;
    expect(&mut software, 0, ID, IDENTITY.into())?;
    if plan.clocks().is_empty() {
        let first = plan.terminals_of(Side::Source).iter().take(1);
        let idle: Vec<[Terminal; 2]> = first.map(|&source| [source; 2]).collect();
        let hangs = !pairs.is_empty();
        let ends = if hangs { &pairs } else { &idle };
        for (cycles, &pair) in (0..RESETS).zip(ends.iter().cycle()) {
            if hangs {
                hang(&mut software, plan, pair)?;
            }
            software.reset_between(plan, pair[0], cycles)?;
            for register in [HANG, HANG_ADDRESS, HANG_AT] {
                expect(&mut software, 0, register, 0)?;
            }
            expect(&mut software, 0, WATCHDOG, plan.watchdog().unwrap_or(0).into())?;
            none_counted(&mut software, plan)?;
            // The reset was in the middle of a packet: the next one has a destination of its own.
            let [from, to] = pair;
            let other = destinations(plan, from).into_iter().find(|other| *other != to);
            let next = [from, other.unwrap_or(to)];
            if let Some(rival) = rival(plan, next) {
                waited += u32::from(contention(&mut software, plan, [rival, from, next[1]])?);
            }
        }
    }
    let ports = plan.counter_ports().len();
    let counted = format!(
        "{ports} ports: {flits} flits counted, and at {compared} ports each wait as it was seen"
    );
    Ok(match (pairs.len(), plan.has_shapers()) {
        (0, true) => format!(
            "{counted}; hang is NOT CHECKED, as token buckets let too few packets go to fill a sink in time"
        ),
        (sinks, true) => {
            format!("{counted}; {sinks} sinks that take nothing raise hang, by their own ports")
        }
        (sinks, false) => format!(
            "{counted}; {sinks} sinks that take nothing and {waited} sources that wait for others raise hang, by \
             their own ports"
        ),
    })
}

/// Flits and waits of each port, then of none, once they are cleared. Returns the flits, and the ports whose
/// waits are seen from outside: those of terminals of the network's width and clock.
fn after_traffic(
    plan: &FabricPlan,
    software: &mut Software,
    extent: &Extent,
) -> Result<[u64; 2], String> {
    let ports = plan.counter_ports();
    if plan.clocks().is_empty() {
        // A read takes four cycles, and says what was so in the third.
        expect(software, 0, CYCLES, extent.cycles + 2)?;
    }
    expect(software, 0, ID, IDENTITY.into())?;
    expect(software, 0, PORTS, ports.len() as u64)?;
    expect(software, 0, WATCHDOG, plan.watchdog().unwrap_or(0).into())?;
    // Waits may be longer where they are not seen.
    let limit = u64::from(plan.watchdog().unwrap_or(0));
    let is_bare = plan.terminal_wishes().widths.is_empty() && plan.clocks().is_empty();
    let is_seen = is_bare && !plan.has_shapers();
    let is_short = is_seen && extent.seen.iter().all(|seen| seen.longest < limit);
    let hangs = if limit == 0 || is_short { &[HANG, HANG_ADDRESS, HANG_AT][..] } else { &[] };
    for register in [CONTROL].iter().chain(hangs) {
        expect(software, 0, *register, 0)?;
    }
    let (mut flits, mut compared) = (0, 0);
    for (number, (side, terminal)) in (0..).zip(&ports) {
        let of_port = port_offset(number);
        let seen = extent.seen[number as usize];
        let same_words = plan.data_width(*terminal) == plan.parameters.width;
        if same_words {
            expect(software, of_port, FLITS, seen.words)?;
        }
        // Behind a shaper waits are of other cycles.
        let is_shaped = *side == Side::Source && plan.shaper_of(*terminal).is_some();
        if same_words && plan.clock(*terminal).is_none() && !is_shaped {
            compared += 1;
            expect(software, of_port, STALLS, seen.waits)?;
            expect(software, of_port, WAITS, seen.longest.min(0xffff) << 16)?;
        }
        for register in [FLITS, STALLS, WAITS] {
            let (word, answer) = software.read(of_port + register.offset, 0)?;
            if answer != ANSWERS[0] {
                return Err(format!("port {number}: {} answers {answer}", register.name));
            }
            flits += if *side == Side::Source && register == FLITS { word } else { 0 };
        }
    }
    // Beside the map there is nothing.
    let last = |number: u32| port_offset(number) + 12;
    let beyond = (0..ports.len() as u32).map(last).chain([port_offset(ports.len() as u32)]);
    let in_map = |address: &u32| *address < 1 << map_bits(ports.len() as u32);
    for address in beyond.filter(in_map) {
        if software.read(address, 0)?.1 != ANSWERS[1] {
            return Err(format!("address {address:#x} is no register, and answers as one"));
        }
    }
    for (address, answer) in
        [(ID.offset, 1), (CYCLES.offset, 1), (FIRST_PORT, 1), (WATCHDOG.offset, 0)]
    {
        let limit = plan.watchdog().unwrap_or(0).into();
        if software.write(address, limit, ALL_BYTES, 3)? != ANSWERS[answer] {
            return Err(format!("a write to {address:#x} does not answer {}", ANSWERS[answer]));
        }
    }
    // Without its byte, or its bit, nothing is cleared.
    for (word, strobes) in [(1, 0xe), (0, ALL_BYTES), (2, ALL_BYTES)] {
        tell(software, CONTROL, word, strobes)?;
    }
    let before = software.read(port_offset(0) + FLITS.offset, 0)?.0;
    if plan.data_width(ports[0].1) == plan.parameters.width && before != extent.seen[0].words {
        return Err("counters are cleared that no one cleared".to_owned());
    }
    tell(software, CONTROL, 1, 1)?;
    let first = software.read(CYCLES.offset, 0)?.0;
    for _ in 0..8 {
        software.cycle();
    }
    // A read takes four cycles: to ask, twice to gather, to take the answer.
    let second = software.read(CYCLES.offset, 0)?.0;
    if (first, second) != (3, 15) {
        return Err(format!(
            "CYCLES is {first} soon after it was cleared and, 12 cycles later, {second}"
        ));
    }
    none_counted(software, plan)?;
    Ok([flits, compared])
}

/// Whether nothing was counted at any port.
fn none_counted(software: &mut Software, plan: &FabricPlan) -> Result<(), String> {
    for number in 0..plan.counter_ports().len() as u32 {
        for register in [FLITS, STALLS, WAITS] {
            expect(software, port_offset(number), register, 0)?;
        }
    }
    Ok(())
}

/// Writes a register that is there.
fn tell(
    software: &mut Software,
    register: CounterRegister,
    word: u64,
    strobes: u64,
) -> Result<(), String> {
    match software.write(register.offset, word, strobes, 0)? {
        0 => Ok(()),
        answer => Err(format!("a write of {} answers {answer}", register.name)),
    }
}

/// Pairs of a terminal that sends, and one that it sends to: few, each of another sink, of unlike sources.
fn pairs(plan: &FabricPlan) -> Vec<[Terminal; 2]> {
    let topology = plan.topology();
    let sources: Vec<Terminal> = topology.sources().collect();
    let from = |(at, to): (usize, Terminal)| {
        let mut others = sources.iter().cycle().skip(at + 1).take(sources.len());
        let sends = |source: &&Terminal| {
            destinations(plan, **source).contains(&to) && filled(plan, [**source, to]).is_some()
        };
        others.find(sends).map(|source| [*source, to])
    };
    topology.sinks().enumerate().filter_map(from).take(MOST_PAIRS).collect()
}

/// Cycles in which a source fills all that is between the network and a sink that takes nothing, beside the
/// times of some flits; `None` where its token bucket takes too long. Where no word waits outside the network
/// a packet does.
fn filled(plan: &FabricPlan, [from, to]: [Terminal; 2]) -> Option<u64> {
    let steps = plan.interface_steps(Side::Sink, to);
    let is_kept = |step: &InterfaceStep| !matches!(step, InterfaceStep::Address(_));
    let widest = steps.iter().filter(|step| is_kept(step)).map(|s| s.from().max(s.to())).max();
    let flits = widest.map_or(0, |bits| QUEUED_WORDS * bits.div_ceil(plan.parameters.width));
    let flows = plan.shaped_flows(from);
    let bucket = flows.iter().find(|(destination, _)| *destination == to).map(|(_, bucket)| bucket);
    let held = bucket.map_or(0.0, |bucket| f64::from(flits) / bucket.rate.flits_per_cycle());
    (held <= MOST_HELD).then_some(FILLED + held as u64)
}

/// Another terminal that sends to the sink of a pair without end: the next after its source.
fn rival(plan: &FabricPlan, [from, to]: [Terminal; 2]) -> Option<Terminal> {
    // Shapers let none wait for others for so long, or but seldom.
    if plan.has_shapers() {
        return None;
    }
    let sources: Vec<Terminal> = plan.topology().sources().collect();
    let at = sources.iter().position(|source| *source == from)?;
    let others = sources.iter().cycle().skip(at + 1).take(sources.len() - 1);
    others.copied().find(|other| destinations(plan, *other).contains(&to))
}

/// Terminals that a terminal sends to.
fn destinations(plan: &FabricPlan, from: Terminal) -> Vec<Terminal> {
    plan.topology().destinations(from).collect()
}

/// A reset where there are shapers: nothing waits in them, and the next packet of each flow goes at once.
fn fill_buckets(software: &mut Software, plan: &FabricPlan) -> Result<(), String> {
    if plan.has_shapers() { software.short_reset() } else { Ok(()) }
}

/// Sends to a sink that takes nothing, until that is told.
fn hang(
    software: &mut Software,
    plan: &FabricPlan,
    [from, to]: [Terminal; 2],
) -> Result<(), String> {
    fill_buckets(software, plan)?;
    let limit = software.limit(plan);
    // One byte after the other.
    let [low, high] = [limit & 0xff, limit & 0xff00];
    tell(software, WATCHDOG, 0x1fff, ALL_BYTES)?;
    tell(software, WATCHDOG, limit, 1)?;
    expect(software, 0, WATCHDOG, 0x1f00 | low)?;
    tell(software, WATCHDOG, limit ^ 0xff, 2)?;
    expect(software, 0, WATCHDOG, high | low)?;
    software.set_sinks(plan, false);
    software.send(plan, from, to)?;
    let (mut cycles, soon) = (0, filled(plan, [from, to]).unwrap_or(FILLED));
    while !software.hangs() {
        cycles += 1;
        if cycles > soon + LIMITS * limit {
            return Err(format!("a sink takes nothing, and hang does not rise in {cycles} cycles"));
        }
        software.cycle();
    }
    match cycles >= limit {
        true => Ok(()),
        false => Err(format!("hang rises after {cycles} cycles, below the limit of {limit}")),
    }
}

/// A sink that takes nothing, until it does.
fn watchdog(software: &mut Software, plan: &FabricPlan, pair: [Terminal; 2]) -> Result<(), String> {
    let [from, to] = pair;
    let address = |terminal| u64::from(plan.address(terminal));
    let sink = plan.counter_port(Side::Sink, to).ok_or("the sink is not counted at")?;
    let limit = software.limit(plan);
    hang(software, plan, pair)?;
    let whose = if plan.parameters.source_id { address(from) } else { 0 };
    expect(software, 0, HANG, 1 << 31 | u64::from(sink))?;
    expect(software, 0, HANG_ADDRESS, whose)?;
    let at = software.read(HANG_AT.offset, 0)?.0;
    expect(software, 0, HANG_AT, at)?;
    let (now, _) = software.read(port_offset(sink) + WAITS.offset, 2)?;
    if now & 0xffff <= limit || now >> 16 != now & 0xffff {
        return Err(format!(
            "a word has waited for {limit} cycles and more, but WAITS is {now:#x}"
        ));
    }
    tell(software, CONTROL, 2, ALL_BYTES)?;
    software.cycle();
    expect(software, 0, HANG, 1 << 31 | u64::from(sink))?;
    let again = software.read(HANG_AT.offset, 0)?.0;
    if again <= at {
        return Err(format!("a flit still waits, and HANG_AT stays {at}"));
    }
    // Never too long, where there is no limit.
    tell(software, WATCHDOG, 0, ALL_BYTES)?;
    tell(software, CONTROL, 2, ALL_BYTES)?;
    software.cycle();
    if software.hangs() {
        return Err("hang rises, and the watchdog has no limit".to_owned());
    }
    // Cleared, the wait goes on.
    let before = software.read(port_offset(sink) + WAITS.offset, 0)?.0 & 0xffff;
    tell(software, CONTROL, 1, 1)?;
    let waits = software.read(port_offset(sink) + WAITS.offset, 0)?.0;
    // The reads are as many cycles apart: a write takes three, a read four.
    if waits != (before + 7) << 16 | (before + 7) {
        return Err(format!("a wait of {before} cycles is cleared, and WAITS is {waits:#x}"));
    }
    expect(software, port_offset(sink), STALLS, 6)?;
    // Bits that would resume, in another register.
    tell(software, WATCHDOG, 3, ALL_BYTES)?;
    software.cycle();
    software.set_sinks(plan, true);
    software.end(plan, &[from])?;
    software.drain(plan);
    if !software.hangs() {
        return Err("hang falls without RESUME".to_owned());
    }
    tell(software, CONTROL, 2, ALL_BYTES)?;
    match software.hangs() {
        true => Err("hang stays after RESUME, and no word waits".to_owned()),
        false => Ok(()),
    }
}

/// Two terminals that send to one sink without end: one of them waits, and is told of; then the sink takes
/// nothing, and is told of in its place. Whether one waited, which deep queues put off, and virtual channels
/// may spare it.
fn contention(
    software: &mut Software,
    plan: &FabricPlan,
    [one, other, to]: [Terminal; 3],
) -> Result<bool, String> {
    let address = u64::from(plan.address(to));
    let sink = plan.counter_port(Side::Sink, to).ok_or("the sink is not counted at")?;
    let sources = [one, other].into_iter().filter_map(|from| plan.counter_port(Side::Source, from));
    let limit = software.limit(plan);
    tell(software, WATCHDOG, limit, ALL_BYTES)?;
    software.set_sinks(plan, true);
    software.send(plan, one, to)?;
    software.send(plan, other, to)?;
    let mut cycles = 0;
    while !software.hangs() && cycles < FILLED + LIMITS * limit {
        cycles += 1;
        software.cycle();
    }
    let waited = software.hangs();
    if waited {
        let mut late = sources;
        let wait = |port: u32| port_offset(port) + WAITS.offset;
        let late = late.find(|&port| {
            software.read(wait(port), 0).is_ok_and(|(waits, _)| waits & 0xffff >= limit)
        });
        let late = late.ok_or("hang rises, and no source has waited so long")?;
        expect(software, 0, HANG, 1 << 31 | u64::from(late))?;
        expect(software, 0, HANG_ADDRESS, address)?;
        software.set_sinks(plan, false);
        let sink = 1 << 31 | u64::from(sink);
        let mut left = FILLED + LIMITS * limit;
        while software.read(HANG.offset, 0)?.0 != sink {
            left = left
                .checked_sub(1)
                .ok_or("a sink takes nothing, and its source alone is told of")?;
        }
        software.set_sinks(plan, true);
    }
    software.end(plan, &[one, other])?;
    software.drain(plan);
    tell(software, CONTROL, 2, ALL_BYTES)?;
    match software.hangs() {
        true => Err("hang stays after RESUME, and no flit waits".to_owned()),
        false => Ok(waited),
    }
}

/// Reads a register that is to hold a word.
fn expect(
    software: &mut Software,
    base: u32,
    register: CounterRegister,
    wanted: u64,
) -> Result<(), String> {
    let (word, answer) = software.read(base + register.offset, 1)?;
    let name = register.name;
    match (word == wanted, answer == ANSWERS[0]) {
        (true, true) => Ok(()),
        (_, false) => Err(format!("{name} at {base:#x} answers {answer}")),
        (false, true) => Err(format!("{name} at {base:#x} is {word:#x}, not {wanted:#x}")),
    }
}
