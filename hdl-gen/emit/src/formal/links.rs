//! Proofs of channels with registers, each with the queues at its end.

use super::parts::{PROVEN_DEPTH, QUEUE_WIDTH, queue_modules, sized, tasks_of};
use super::{Context, EmitError, Kind, Proofs, files_below};
use askama::Template;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_fabric::plan::FabricPlan;
use turnpike_netlist::Module;

/// Links of up to so many registers and virtual channels together are shown for ever, where their
/// queues are: beyond, the proof takes many minutes.
const PROVEN: u32 = 3;

#[derive(Template)]
#[template(path = "formal/link.v.askama", escape = "none")]
struct LinkFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    /// Module of the queues.
    queue: &'a str,
    width: u32,
    delay: u32,
    vcs: u32,
    vc_bits: u32,
    /// Words that a queue holds.
    depth: u32,
    /// Bits to count what is on the link and in a queue.
    bits: u32,
    /// Whether the switch before sends out of a register.
    registers_output: bool,
    /// Cycles in which all is taken, after which the link is as it stays.
    settled: u32,
    taking_bits: u32,
}

/// Proofs of the links of a fabric, where it has registers on them.
pub(super) fn links(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let registers_output = plan.parameters.pipeline.registers_output();
    let mut tasks = Vec::new();
    for (module, delay) in sized(&context.own.modules, "link") {
        let size = plan.parameters.queue_size(delay);
        // Switches that are one module have queues for the longest of their links.
        let queues = queue_modules(&context.own.modules).into_iter();
        let fits = |queue: &&Arc<Module>| Some(queue.kind?.size).filter(|&d| d >= size.depth);
        let queues = queues.filter_map(|queue| Some((fits(&queue)?, queue)));
        let least = queues.min_by_key(|(depth, _)| *depth);
        let (depth, queue) = least.expect("a link ends at a queue that has room for it");
        let name = format!("{}_formal", module.name);
        let about = [
            "A channel with registers, with the queues at its end: nothing is lost, doubled or comes out of",
            "order, no queue overflows, and where all is taken a flit moves in every cycle.",
        ];
        let vcs = module.port("in_valid").map_or(1, |port| port.width);
        let settled = depth + 2 * size.in_flight + 4;
        let file = LinkFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            queue: &queue.name,
            width: QUEUE_WIDTH,
            delay,
            vcs,
            vc_bits: bits_for(vcs).max(1),
            depth,
            bits: bits_for(depth + delay + 2),
            registers_output,
            settled,
            taking_bits: bits_for(settled + 1),
        };
        let text = file.render()?;
        let mut files = files_below(module)?;
        files.extend(files_below(queue)?);
        files.push(proofs.module(&name, text));
        let is_small = depth <= PROVEN_DEPTH && delay * vcs <= PROVEN;
        let cycles = settled + depth + delay + 4;
        let proof = if is_small { Kind::Proof } else { Kind::Bounded(cycles) };
        let kinds = [
            (
                proof,
                "nothing lost, doubled or out of order, no overflow, full rate where all is taken",
            ),
            (
                Kind::Cover(cycles),
                "a full queue, a wait, full rate, a reset with flits on the link",
            ),
        ];
        let suffix = if vcs > 1 { format!("_{delay}_vcs{vcs}") } else { format!("_{delay}") };
        tasks.extend(tasks_of(module, &name, &suffix, &files, kinds));
    }
    proofs.proof("link", "The channels with registers.", tasks);
    Ok(())
}
