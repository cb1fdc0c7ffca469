//! Proof of the whole fabric through swaps of its schedule.

use super::permutation::MOST_TERMINALS;
use super::reference::{lines, most_links};
use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, tasks_of};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_circuit::rtl::registers::PREFIX;

const WHOLE: &str = "through swaps no word is lost, doubled or mixed: each goes by the settings of \
                     the slot in which it entered, as they were written";
const MARKED: &str = "through swaps no word is lost or doubled: each, told by bit 0 of its tdata and \
                      by tlast, goes by the settings of the slot in which it entered, as they were \
                      written";

/// Bits of state up to which it is proven, those of the settings memory twice, for they take
/// longer: a minute or two at most.
const MOST_STATE: u64 = 1200;

#[derive(Template)]
#[template(path = "formal/circuit/swap.v.askama", escape = "none")]
struct SwapFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    reset: (&'static str, String),
    connections: Vec<(String, String)>,
    terminals: u32,
    width: u32,
    /// Bits of tdata that are followed, from bit 0 on.
    followed: u32,
    slot_bits: u32,
    word_bits: u32,
    data: u32,
    /// Bits of each word of the settings.
    words: Vec<u32>,
    latency: u32,
    age_bits: u32,
    /// Links between two stages, and bits of what is on one.
    most: u32,
    bits: u32,
    network: Vec<String>,
}

#[derive(Template)]
#[template(path = "formal/circuit/port_stand_in.v.askama", escape = "none")]
struct StandInFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    ports: Vec<Port>,
    slot_bits: u32,
    word_bits: u32,
    data: u32,
    /// Outputs that nothing is told by, and their bits.
    idle: Vec<(String, u32)>,
}

pub(super) fn swap(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let (plan, top, map) = (context.plan, context.top(), context.plan.map());
    let name = format!("{}_swap_formal", plan.name);
    let about = [
        "Through swaps and whatever is written, all words that are offered in a cycle go where the",
        "settings of their slot send them, as these were written; and these are not written while",
        "words are on the way in that slot.",
    ];
    let (latency, width) = (plan.latency(), plan.parameters.width);
    let memory = u64::from(plan.layout().bits()) << (map.slot_bits + 1);
    let state = |data: u32| 2 * memory + u64::from(latency * plan.terminals() * (data + 1));
    // Of wide words one bit is followed: that words stay whole is proven with any settings.
    let followed = [width, 1].into_iter().find(|&data| state(data) <= MOST_STATE);
    let Some(followed) = followed.filter(|_| plan.terminals() <= MOST_TERMINALS) else {
        proofs.nothing_to_show.push(Nothing {
            module: plan.name.clone(),
            properties: WHOLE,
            why: "it takes long with more than 8 terminals, or with so many slots",
        });
        return Ok(());
    };
    let bits = followed + 2;
    let text = SwapFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &top.name,
        reset: top.reset_port("rst").expect("it has registers"),
        connections: connections(context),
        terminals: plan.terminals(),
        width,
        followed,
        slot_bits: map.slot_bits,
        word_bits: map.word_bits,
        data: map.data,
        words: plan.layout().words().iter().map(|word| word.width).collect(),
        latency,
        age_bits: bits_for(latency.max(2)),
        most: most_links(plan),
        bits,
        network: lines(plan, followed),
    };
    let stand_in = proofs.module(&format!("{}_registers_stand_in", plan.name), stand_in(context)?);
    let mut files = context.files_without("registers", stand_in)?;
    files.push(proofs.module(&name, text.render()?));
    let properties = if followed == width { WHOLE } else { MARKED };
    // A reset, the words of a slot, a swap asked for, pending and done; then words on their way.
    let reach = map.words + latency + 6;
    let kinds = [
        (Kind::Proof, properties),
        (Kind::Cover(reach), "words arrive at every sink, and after a swap"),
    ];
    proofs.proof("swap", "Swaps.", tasks_of(top, &name, "", &files, kinds).collect());
    Ok(())
}

/// The ports of the fabric but for the clock and the reset, and what is connected to them: the
/// AXI4-Lite port as its stand-in takes it.
fn connections(context: &Context<'_>) -> Vec<(String, String)> {
    let map = context.plan.map();
    let wire = |port: &Port| match port.name.strip_prefix(PREFIX) {
        None => port.wire.clone(),
        Some("awvalid") => "ask_write".to_owned(),
        Some("awaddr") => "{1'b1, ask_slot, ask_word, 2'b00}".to_owned(),
        Some("wdata") => match port.width - map.data {
            0 => "ask_data".to_owned(),
            more => format!("{{{more}'d0, ask_data}}"),
        },
        Some("bvalid") => "writes".to_owned(),
        Some("arvalid") => "ask_swap".to_owned(),
        Some("araddr") => format!("{{{}'d0, ask_last}}", port.width - map.slot_bits),
        Some(_) if port.input => format!("{}'d0", port.width),
        Some(_) => String::new(),
    };
    ports(context.top()).iter().map(|port| (port.name.clone(), wire(port))).collect()
}

/// A port that writes and swaps at once wherever the real one may.
fn stand_in(context: &Context<'_>) -> Result<String, EmitError> {
    let (module, map) = (context.part("registers"), context.plan.map());
    let about = [
        "Stands for the AXI4-Lite port in the proof of swaps: it writes anything, asks for a swap and",
        "sets its length at any time, but for what is proven of the port apart.",
    ];
    let ports = ports(module);
    let idle = |port: &&Port| {
        let name = port.name.strip_prefix(PREFIX);
        !port.input && name.is_some_and(|name| name != "bvalid")
    };
    let idle = ports.iter().filter(idle).map(|port| (port.name.clone(), port.width)).collect();
    let text = StandInFile {
        heading: context.head(&module.name, &about),
        name: &module.name,
        slot_bits: map.slot_bits,
        word_bits: map.word_bits,
        data: map.data,
        idle,
        ports,
    };
    Ok(text.render()?)
}
