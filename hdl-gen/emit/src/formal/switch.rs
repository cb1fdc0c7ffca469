//! Proofs of the switches: what is shown of each, for how long, and with which queues.

use super::switch_module::property_module;
use super::{Context, EmitError, Kind, Proofs, Task, files_below, parts};
use askama::Template;
use std::collections::BTreeMap;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::expected::expected;

/// Cycles that the switch is looked at with its real queues.
const BOUND: u32 = 7;

/// Switches with up to so many queues are shown for ever to go on, larger ones for
/// [`PROGRESS_BOUND`] cycles: beyond that the proof takes many minutes.
const PROVEN_QUEUES: usize = 5;

/// Limit in place of [`PROVEN_QUEUES`] where outputs are registers.
const PROVEN_QUEUES_REGISTERED: usize = 3;

/// The wait is shown for ever of switches with up to so many turns, for [`PROGRESS_BOUND`] cycles
/// of larger ones; where packets choose, as progress is.
const WAITED_TURNS: usize = 11;

/// Limit in place of [`WAITED_TURNS`] where grants are registers.
const WAITED_TURNS_REGISTERED: usize = 6;

/// Switches whose packets choose, with up to so many queues, are shown for ever to deliver: the
/// proof of one with 7 takes minutes. Larger ones for [`PROGRESS_BOUND`] cycles.
const DELIVERED_QUEUES_CHOOSING: usize = 7;

/// Cycles that a larger switch is shown to go on.
const PROGRESS_BOUND: u32 = 10;

/// Cycles within which everything that a switch can do is reached.
const REACH: u32 = 12;

#[derive(Template)]
#[template(path = "formal/slot.v.askama", escape = "none")]
struct SlotFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    /// Whether a register in front of the queue has the one word.
    in_front: bool,
}

pub(super) fn switches(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    // By module, the file that stands for it in the proof.
    let mut slots = BTreeMap::new();
    for queue in parts::queue_modules(&context.own.modules) {
        let in_front = context.plan.parameters.pipeline.asks_ahead();
        let about = match in_front {
            false => [
                "Stands for a queue in the proof of the switch: one word. At its output it does all",
                "that a queue of any depth can do, whose order and data are proven apart.",
            ],
            true => [
                "Stands for a queue in the proof of the switch: no word but that in front of it. At its",
                "output it does all that a queue can do, whose order and data are proven apart.",
            ],
        };
        let heading = context.head(&queue.name, &about);
        let text = SlotFile { heading, name: &queue.name, in_front }.render()?;
        let file = proofs.module(&format!("{}_slot", queue.name), text);
        slots.insert(format!("{}.v", queue.name), file);
    }
    let mut tasks = Vec::new();
    let several = context.plan.switches.len() > 1;
    let expected = expected(context.plan)?;
    for (class, switch) in context.plan.switches.iter().enumerate() {
        let Some(module) = context.module(&switch.name) else { continue };
        let name = format!("{}_formal", switch.name);
        let text = property_module(context, switch, &expected[class], &name)?;
        let file = proofs.module(&name, text);
        let mut real = files_below(module)?;
        let mut short: Vec<String> =
            real.iter().map(|f| slots.get(f).unwrap_or(f).clone()).collect();
        real.push(file.clone());
        short.push(file);
        let suffix = if several { format!("_{class}") } else { String::new() };
        let pipeline = context.plan.parameters.pipeline;
        let most = |registered, here, elsewhere| if registered { here } else { elsewhere };
        let within = |count: usize, most: usize| match count <= most {
            true => Kind::Proof,
            false => Kind::Bounded(PROGRESS_BOUND),
        };
        let queues = most(pipeline.registers_output(), PROVEN_QUEUES_REGISTERED, PROVEN_QUEUES);
        let progress = within(switch.queues.len(), queues);
        let relation = context.plan.relation();
        let chooses = relation.choices().is_some();
        let turns = most(pipeline.registers_grant(), WAITED_TURNS_REGISTERED, WAITED_TURNS);
        let wait = match chooses {
            true => progress,
            false => within(switch.turns.len(), turns),
        };
        let delivery = match chooses {
            false => {
                "delivered once where the relation says, uncorrupted, in order, not interleaved"
            }
            true if relation.has_escape() => {
                "delivered once, by one way that the relation allows, uncorrupted, in order, not \
                 interleaved; an adaptive queue holds one packet"
            }
            true => {
                "delivered once, by one way that the relation allows, uncorrupted, in order, not \
                 interleaved"
            }
        };
        let waits = match chooses {
            false => {
                "passed over by a bounded number of packets, served in turn with the other VCs"
            }
            true => {
                "gets a way after a bounded number of losses, served in turn with the other VCs"
            }
        };
        let delivers = match chooses && switch.queues.len() > DELIVERED_QUEUES_CHOOSING {
            true => Kind::Bounded(PROGRESS_BOUND),
            false => Kind::Proof,
        };
        // A flit comes over a link so many cycles after it may.
        let late = 2 * context.plan.most_link_registers();
        let tasks_of_all = [
            ("prove", delivers, delivery, Some("ONLY_DELIVERY"), &short),
            (
                "progress",
                progress,
                "does not get stuck while outputs are ready",
                Some("ONLY_PROGRESS"),
                &short,
            ),
            ("wait", wait, waits, Some("ONLY_WAIT"), &short),
            (
                "bounded",
                Kind::Bounded(BOUND + late),
                "both, with the queues as they are",
                None,
                &real,
            ),
            (
                "cover",
                Kind::Cover(REACH + late),
                "every turn, waiting, packets of several flits are reached",
                None,
                &real,
            ),
        ];
        for (name_of, kind, properties, define, files) in tasks_of_all {
            tasks.push(Task {
                name: format!("{name_of}{suffix}"),
                kind,
                module: switch.name.clone(),
                properties,
                define,
                top: name.clone(),
                files: files.clone(),
                inner: Vec::new(),
                has_clocks: false,
            });
        }
    }
    proofs.proof("switch", "The switches.", tasks);
    Ok(())
}
