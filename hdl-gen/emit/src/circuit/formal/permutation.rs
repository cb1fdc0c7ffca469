//! Proof of the whole fabric, its settings free in every cycle.

use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, tasks_of};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_circuit::layout::FieldSetting;

/// Terminals up to which something is proven of the whole fabric.
pub(super) const MOST_TERMINALS: u32 = 8;

/// The macro that lets every sink take words.
const OPEN: &str = "EVERY_SINK_OPEN";

#[derive(Template)]
#[template(path = "formal/circuit/permutation.v.askama", escape = "none")]
struct PermutationFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    reset: (&'static str, String),
    ports: Vec<Port>,
    terminals: u32,
    width: u32,
    latency: u32,
    age_bits: u32,
}

#[derive(Template)]
#[template(path = "formal/circuit/settings_stand_in.v.askama", escape = "none")]
struct StandInFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    ports: Vec<Port>,
}

pub(super) fn permutation(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let (plan, top) = (context.plan, context.top());
    let properties = "whatever the settings are, no word is doubled, and each stays whole";
    let (terminals, width) = (plan.terminals(), plan.parameters.width);
    if terminals > MOST_TERMINALS {
        proofs.nothing_to_show.push(Nothing {
            module: plan.name.clone(),
            properties,
            why: "it takes long with more than 8 terminals; it is proven of each switch",
        });
        return Ok(());
    }
    let name = format!("{}_permutation_formal", plan.name);
    let about = [
        "Whatever the settings are in every cycle, any one word that enters comes to one sink at most;",
        "where every sink is open and switches have two inputs and two outputs, to one.",
    ];
    let latency = plan.latency();
    let text = PermutationFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &top.name,
        reset: top.reset_port("rst").expect("it has registers"),
        ports: ports(top),
        terminals,
        width,
        latency,
        age_bits: bits_for(latency.max(2)),
    };
    let stand_in = proofs.module(&format!("{}_settings_stand_in", plan.name), stand_in(context)?);
    let mut files = context.files_without("settings", stand_in)?;
    files.push(proofs.module(&name, text.render()?));
    // A swap is asked for over the bus before.
    let reach = Kind::Cover(latency + 8);
    let reached = "a word from each source comes to a sink";
    let any = [(Kind::Proof, properties), (reach, reached)];
    let mut tasks: Vec<_> = tasks_of(top, &name, "", &files, any).collect();
    if (0..plan.network.stages()).all(|stage| plan.is_crossing(stage)) {
        let open = [
            (Kind::Proof, "whatever the settings are, no word is lost where every sink is open"),
            (reach, reached),
        ];
        tasks.extend(tasks_of(top, &name, "_open", &files, open).map(|mut task| {
            task.define = Some(OPEN);
            task
        }));
    }
    proofs.proof("permutation", "Any settings.", tasks);
    Ok(())
}

/// Settings that are free in every cycle.
fn stand_in(context: &Context<'_>) -> Result<String, EmitError> {
    let module = context.part("settings");
    let mut ports = ports(module);
    let layout = context.plan.layout();
    for (i, word) in layout.words().iter().enumerate() {
        let open = |field: &&turnpike_circuit::layout::Field| {
            matches!(field.of, FieldSetting::Open { .. }) && field.word as usize == i
        };
        let mask = layout.fields().iter().filter(open).fold(0u64, |mask, f| mask | 1 << f.low);
        let name = format!("word{i}");
        let port = ports.iter_mut().find(|port| port.name == name).expect("a port for each word");
        port.open = (mask != 0).then(|| format!("{}'h{mask:x}", word.width));
    }
    let about = [
        "Stands for the settings memory in the proof of any settings: it gives anything, in every",
        "cycle.",
    ];
    let heading = context.head(&module.name, &about);
    Ok(StandInFile { heading, name: &module.name, ports }.render()?)
}
