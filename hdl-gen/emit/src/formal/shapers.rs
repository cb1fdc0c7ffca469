//! Proofs of shapers and of their token buckets.

use super::{Context, EmitError, Kind, Nothing, Proofs};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_fabric::plan::{FabricPlan, InterfaceStep, ShapedFlow, ShaperPlan};
use turnpike_fabric::rtl::interface::{OWED, Tokens, buckets, parts};

/// Flits and packets up to which a shaper is proven: a minute. 8 flits of packets of unlike lengths take
/// more than three, and so do 16.
const PROVEN: [u32; 2] = [8, 2];
/// Steps of induction. One does; the others are for runs from a reset, in which a fault comes to light.
const STEPS: u32 = 8;
/// Packets that go at once up to which one that is held is looked for.
const MOST_GRANTED: u64 = 24;
/// Properties of a token bucket, in words.
const BUCKET: &str = "no window of time has more than a burst and what its rate makes, and a packet goes as \
                      soon as all windows let it";
/// Properties of a shaper, in words.
const SHAPER: &str = "whole packets of the right length alone, each once granted, flits together, order and \
                      data kept, others told of once";

#[derive(Template)]
#[template(path = "formal/bucket.v.askama", escape = "none")]
struct BucketFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    full: u64,
    packet: u64,
    cycle: u64,
    /// Bits of a number of tokens: those of two full buckets and a cycle.
    bits: u32,
    /// Bits of what it owes.
    owed_bits: u32,
    /// Whether a packet may go while another is owed.
    is_again: bool,
    /// Whether a packet that is held is looked for.
    is_held: bool,
}

#[derive(Template)]
#[template(path = "formal/shaper.v.askama", escape = "none")]
struct ShaperFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    words: u32,
    places: u32,
    longest: u32,
    flows: &'a [ShapedFlow],
    address: u32,
    /// Bits of a number of flits of a packet, and of all that are inside.
    length: u32,
    bits: u32,
    /// Bits of pointers of flits and of packets, and of the number of a flow.
    pointer: u32,
    place: u32,
    flow_bits: u32,
    /// Registers inside, the names of the wires that they become, and their bits.
    inner: &'a [(String, String, u32)],
}

impl ShaperFile<'_> {
    /// Numbers below this one, the greatest first.
    fn falling(&self, count: &u32) -> Vec<u32> {
        (0..*count).rev().collect()
    }
}

/// Registers of a shaper, for addresses of so many bits.
fn registers(of: &ShaperPlan, address: u32) -> Vec<(String, String, u32)> {
    let (pointer, place) = (of.words().ilog2() + 1, of.places().ilog2() + 1);
    let named =
        |register: &str, wire: &str, bits| (format!("dut.{register}"), wire.to_owned(), bits);
    let mut all: Vec<_> = ["write", "read", "start"].map(|at| named(at, at, pointer)).into();
    all.extend(["came", "released", "left"].map(|at| named(at, at, place)));
    all.push(named("inside_packet", "inside_packet", 1));
    all.push(named("refused", "within_refused", 1));
    all.push(named("flow_kept", "flow_kept", of.flows.len() as u32));
    all.push(named("oldest_word", "oldest_word", 1));
    all.push(named("oldest_mark", "oldest_mark", address + 1));
    if of.longest() > 1 {
        all.push(named("flits_before", "flits_before", of.longest().ilog2() + 1));
    }
    for at in 0..of.words() {
        all.push(named(&format!("words[{at}]"), &format!("word{at}"), 1));
        all.push(named(&format!("marks[{at}]"), &format!("mark{at}"), address + 1));
    }
    if of.flow_bits() > 0 {
        let flow = |at| named(&format!("flows[{at}]"), &format!("flow{at}"), of.flow_bits());
        all.extend((0..of.places()).map(flow));
    }
    all
}

/// Proofs of the shapers of a fabric, where it has any.
pub(super) fn shapers(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let mut tasks = Vec::new();
    for (bucket, module) in buckets(plan)? {
        let tokens @ Tokens { full, packet, cycle } = Tokens::of(&bucket);
        let name = format!("{}_formal", module.name);
        let about = [
            "From any cycle to any later one no more is let through than a burst and what the rate makes, and",
            "whatever keeps to that is let through at once.",
        ];
        // Packets that go one after the other before one is held, where they are few.
        let held = (packet > cycle).then(|| (full - cycle) / (packet - cycle));
        let held = held.filter(|&packets| packets <= MOST_GRANTED).map(|packets| packets as u32);
        let bits = u64::BITS - (2 * full + cycle).leading_zeros();
        let text = BucketFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            full,
            packet,
            cycle,
            bits,
            owed_bits: tokens.bits(),
            is_again: full + cycle >= 2 * packet && packet > cycle,
            is_held: held.is_some(),
        };
        let kinds = [
            (Kind::Induction(STEPS), BUCKET),
            (Kind::Cover(held.unwrap_or(1) + 3), "a packet granted, and one held"),
        ];
        let own = proofs.tasks(&plan.name, &module, text.render()?, kinds)?;
        tasks.extend(own.into_iter().map(|task| match tokens.bits() {
            0 => task,
            bits => task.with_inner(&[(format!("dut.{OWED}"), OWED.to_owned(), bits)]),
        }));
    }
    for ((_, step), module) in parts(plan)? {
        let InterfaceStep::Shape { class, .. } = step else { continue };
        let of = &plan.shapers()[class];
        let [words, places] = PROVEN;
        if of.words() > words || (of.words() == words && of.places() > places) {
            proofs.nothing_to_show.push(Nothing {
                module: module.name.clone(),
                properties: SHAPER,
                why: "so many flits take too long; the check of the interfaces runs it",
            });
            continue;
        }
        let name = format!("{}_formal", module.name);
        let about = [
            "What enters a shaper leaves it as whole packets that are as long as their flow says, each after it",
            "was granted, or is told of once. Words have a bit here, for a shaper only stores them.",
        ];
        let address = plan.address_bits();
        let inner = registers(of, address);
        let text = ShaperFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            words: of.words(),
            places: of.places(),
            longest: of.longest(),
            flows: &of.flows,
            address,
            length: bits_for(of.longest() + 2),
            bits: bits_for(of.words() + 2),
            pointer: of.words().ilog2() + 1,
            place: of.places().ilog2() + 1,
            flow_bits: of.flow_bits(),
            inner: &inner,
        };
        let kinds = [
            (Kind::Induction(STEPS), SHAPER),
            (
                Kind::Cover(2 * of.words() + 8),
                "full, a packet refused within, two that may go, a reset within",
            ),
        ];
        let own = proofs.tasks(&plan.name, &module, text.render()?, kinds)?;
        tasks.extend(own.into_iter().map(|task| task.with_inner(&inner)));
    }
    proofs.proof("shaper", "The shapers of sources and their token buckets.", tasks);
    Ok(())
}
