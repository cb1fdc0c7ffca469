//! Proof that a fixed schedule is the same as a settings memory that holds it.

use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{FOLDER, Kind, Nothing, Proofs, files_below, tasks_of};
use crate::part::ModuleGroup;
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_circuit::baked::Baked;
use turnpike_circuit::plan::Control;
use turnpike_circuit::rtl::circuit;
use turnpike_circuit::rtl::registers::PREFIX;

const WHOLE: &str = "in every cycle the same words come, with the same tlast and tdata, as from the \
                     same network with a settings memory that holds the schedule and runs it from \
                     the same cycle on; slots have the same numbers";
const MARKED: &str = "in every cycle words come, with the same tlast and bit 0 of tdata, where they \
                      come from the same network with a settings memory that holds the schedule and \
                      runs it from the same cycle on; slots have the same numbers";

/// Bits of state of both fabrics up to which it is proven, and writes of settings, each of which is
/// a cycle before anything is compared: a minute or two at most.
const MOST_STATE: u64 = 3000;
const MOST_WRITES: u32 = 48;

/// The macro of the covers: no pauses and no further reset, so that they are soon found.
const NO_PAUSE: &str = "NO_PAUSE";

#[derive(Template)]
#[template(path = "formal/circuit/equivalence.v.askama", escape = "none")]
struct EquivalenceFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    dut_connections: Vec<(String, String)>,
    memory: &'a str,
    memory_connections: Vec<(String, String)>,
    terminals: u32,
    width: u32,
    /// Bits of tdata that are compared, from bit 0 on.
    compared: u32,
    slot_bits: u32,
    /// By slot, the sinks that a word comes to where every source sends, as a literal.
    comes: Vec<String>,
}

#[derive(Template)]
#[template(path = "formal/circuit/loader.v.askama", escape = "none")]
struct LoaderFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    ports: Vec<Port>,
    /// Settings to write, one after the other: slot, word and settings.
    writes: Vec<(u32, u32, u32)>,
    /// Bits of the number of writes.
    bits: u32,
    slot_bits: u32,
    word_bits: u32,
    data: u32,
    /// The last slot of the schedule.
    last: u32,
    /// Outputs that nothing is told by, and their bits.
    idle: Vec<(String, u32)>,
}

pub(super) fn equivalence(
    context: &Context<'_>,
    schedule: &Baked,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let (plan, top) = (context.plan, context.top());
    let control = Control::Memory(schedule.slots());
    let memory = plan.with_control(format!("{}_memory", plan.name), control);
    let (terminals, width) = (plan.terminals(), plan.parameters.width);
    let writes = memory.map().words * schedule.slots();
    let settings = u64::from(memory.layout().bits()) << (memory.slot_bits() + 1);
    let links = 2 * u64::from(plan.latency() * terminals);
    let state = |data: u32| settings + links * u64::from(data + 2);
    // Of wide words one bit is compared.
    let compared = [width, 1].into_iter().find(|&data| state(data) <= MOST_STATE);
    let Some(compared) = compared.filter(|_| writes <= MOST_WRITES) else {
        proofs.nothing_to_show.push(Nothing {
            module: plan.name.clone(),
            properties: WHOLE,
            why: "it takes long with so many terminals, stages of registers or slots",
        });
        return Ok(());
    };
    let design = circuit(&memory)?;
    let part = ModuleGroup::new(memory.canonical(), None, design.modules().to_vec());
    let beside = Context { plan: &memory, own: &part };
    let given_way = beside.part("registers").name.clone();
    for (module, file) in part.modules.iter().zip(part.files()?) {
        if module.name != given_way {
            proofs.module(&module.name, file.contents);
        }
    }
    let loader = proofs.module(&format!("{given_way}_stand_in"), loader(&beside, schedule)?);
    let name = format!("{}_equivalence_formal", plan.name);
    let about = [
        "From the cycle on in which the same network with a settings memory runs the schedule, the same",
        "comes from this fabric, whatever is offered, in every cycle: the same slots, the same tvalid,",
        "and, where a word comes, the same word.",
    ];
    let comes = schedule.permutations().iter().map(|permutation| {
        let mut bits = vec![b'0'; terminals as usize];
        permutation.connections().for_each(|c| bits[(terminals - 1 - c.sink) as usize] = b'1');
        format!("{terminals}'b{}", String::from_utf8_lossy(&bits))
    });
    let text = EquivalenceFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &top.name,
        dut_connections: connections(context, "fixed", "holds"),
        memory: &memory.name,
        memory_connections: connections(&beside, "memory", "rst"),
        terminals,
        width,
        compared,
        slot_bits: plan.slot_bits(),
        comes: comes.collect(),
    };
    let mut files = files_below(top)?;
    let below = beside.files_without("registers", loader.clone())?;
    files.extend(below.into_iter().map(|file| match file == loader {
        true => file,
        false => format!("{FOLDER}/{file}"),
    }));
    files.push(proofs.module(&name, text.render()?));
    // A reset, the writes, a swap asked for, pending and done; then words on their way, until the
    // first slot comes again.
    let reach = writes + schedule.slots() + plan.latency() + 5;
    let kinds = [
        (Kind::Proof, if compared == width { WHOLE } else { MARKED }),
        (
            Kind::Cover(reach),
            "in every slot words come to all sinks that it connects, and round again",
        ),
    ];
    let tasks = tasks_of(top, &name, "", &files, kinds).map(|mut task| {
        task.define = matches!(task.kind, Kind::Cover(_)).then_some(NO_PAUSE);
        task
    });
    proofs.proof("equivalence", "A fixed schedule and a settings memory.", tasks.collect());
    Ok(())
}

/// The ports of a fabric, the clock and the reset among them, and what is connected to them: the
/// outputs under a prefix, and no bus.
fn connections(context: &Context<'_>, prefix: &str, reset: &str) -> Vec<(String, String)> {
    let top = context.top();
    let clock = top.clocked.then(|| ("clk".to_owned(), "clk".to_owned()));
    let reset = top.reset_port(reset).map(|(port, wire)| (port.to_owned(), wire));
    let wire = |port: &Port| match port.name.strip_prefix(PREFIX) {
        Some(_) if port.input => format!("{}'d0", port.width),
        Some(_) => String::new(),
        None if port.input => port.name.clone(),
        None if port.name.ends_with("_bank") => String::new(),
        None => format!("{prefix}_{}", port.name.trim_start_matches("m_axis_")),
    };
    let ports = ports(top);
    let wires = ports.iter().map(|port| (port.name.clone(), wire(port)));
    clock.into_iter().chain(reset).chain(wires).collect()
}

/// A port that writes the schedule and starts it after every reset, and does nothing else.
fn loader(context: &Context<'_>, schedule: &Baked) -> Result<String, EmitError> {
    let (module, map, layout) =
        (context.part("registers"), context.plan.map(), context.plan.layout());
    let mut writes = Vec::new();
    for (slot, (settings, permutation)) in
        (0..).zip(schedule.settings().iter().zip(schedule.permutations()))
    {
        let words = layout.encode(settings, permutation);
        writes.extend((0..).zip(words).map(|(word, data)| (slot, word, data)));
    }
    let about = [
        "Stands for the AXI4-Lite port: after every reset it writes the schedule's image,",
        "has it, and starts it; then it writes nothing and asks for no swap.",
    ];
    let ports = ports(module);
    let idle = ports.iter().filter(|port| !port.input && port.name.starts_with(PREFIX));
    let idle = idle.map(|port| (port.name.clone(), port.width)).collect();
    let text = LoaderFile {
        heading: context.head(&module.name, &about),
        name: &module.name,
        bits: bits_for(writes.len() as u32 + 1),
        writes,
        slot_bits: map.slot_bits,
        word_bits: map.word_bits,
        data: map.data,
        last: schedule.slots() - 1,
        idle,
        ports,
    };
    Ok(text.render()?)
}
