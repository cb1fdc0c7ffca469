//! Proofs of the senders, whatever is drawn.

use super::Context;
use crate::EmitError;
use crate::formal::{DrawFile, Kind, Nothing, Proofs, files_below, tasks_of};
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_bus::protocol::{Order, Protocol};
use turnpike_bus::rtl::sender::{SEED_BITS, generator_name};

/// The most bits of all words of a queue up to which a sender is proven.
const MOST_BITS: u32 = 1024;
/// The deepest queue up to which it is.
const MOST_DEPTH: u32 = 8;

const IN_ORDER: &str = "sends only words that it holds, each as it came and in order, and keeps each \
                        until it is told that it was taken: none is lost, doubled or made up";
const BY_BACKOFF: &str = "sends only words that it holds, each as it came and in order, and keeps each \
                          until it is told that it was taken: none is lost, doubled or made up; after \
                          each failure waits for as many slots as are drawn from a range that doubles";

const ANY_ORDER: &str = "sends only words that it holds, each as it came, and keeps each until it is \
                         told that it was taken: none is lost, doubled or made up";

const IN_TURN: &str = "sends only words that it holds, in its turn, each as it came and those for one \
                       receiver in order, and keeps each until it is told that it was taken: none is \
                       lost, doubled or made up";

#[derive(Template)]
#[template(path = "formal/bus/sender.v.askama", escape = "none")]
struct SenderFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    to: u32,
    word: u32,
    /// Bits of the seed, where it draws.
    seed: Option<u32>,
    /// Times that the range of its waits doubles, at most, where it is that of the backoff.
    backoff: Option<u32>,
    /// Nodes of the bus, and whether some coordinates are none of theirs.
    side: u32,
    partial: bool,
    /// The module of the turns, where senders take turns.
    turn: Option<String>,
    depth: u32,
    /// Bits that count the words of a queue.
    level: u32,
    /// Words leave as they came.
    in_order: bool,
    /// Whether words for one receiver leave in the order in which they came.
    per_receiver: bool,
}

pub(super) fn senders(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let plan = context.plan;
    let grid = &plan.grid;
    let depth = plan.parameters.depth;
    let order = plan.protocol.kind().order;
    let backoff = match &plan.protocol {
        Protocol::Backoff(backoff) => Some(backoff.most()),
        _ => None,
    };
    let properties = match order {
        Order::All if backoff.is_some() => BY_BACKOFF,
        Order::All => IN_ORDER,
        Order::PerReceiver => IN_TURN,
        Order::None => ANY_ORDER,
    };
    let draws = plan.protocol.draw_bits() > 0;
    let generator = generator_name(plan);
    let mut stand_in = None;
    let mut tasks = Vec::new();
    for dimension in 0..grid.dimensions() {
        let module = context.part_along(dimension, "sender");
        let (to, word) = (grid.coordinate_bits(dimension), plan.word_bits(dimension));
        if order == Order::PerReceiver && word < 2 {
            proofs.nothing_to_show.push(Nothing {
                module: module.name.clone(),
                properties,
                why: "words of one bit tell no two words apart",
            });
            continue;
        }
        if depth > MOST_DEPTH || depth * (to + word) > MOST_BITS {
            proofs.nothing_to_show.push(Nothing {
                module: module.name.clone(),
                properties,
                why: "it takes long with queues of more than 8 words, or of more than 1024 bits",
            });
            continue;
        }
        let side = grid.sides()[dimension];
        let stand_in = match &stand_in {
            _ if !draws => None,
            Some(name) => Some(String::clone(name)),
            None => {
                let about = [
                    "Stands for the generator in the proof of the senders: anything may be drawn.",
                ];
                let by_seed = backoff.is_some();
                let heading = context.head(&generator, &about);
                let bits = plan.protocol.draw_bits();
                let file =
                    DrawFile { heading, name: &generator, seed_bits: SEED_BITS, bits, by_seed };
                let module = proofs.module(&format!("{generator}_stand_in"), file.render()?);
                Some(stand_in.insert(module).clone())
            }
        };
        let name = format!("{}_formal", module.name);
        let about = ["A sender: it keeps a word until it is told that it was taken."];
        let text = SenderFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            to,
            word,
            seed: draws.then_some(SEED_BITS),
            backoff,
            side,
            partial: !side.is_power_of_two(),
            turn: (!draws && side > 2)
                .then(|| format!("{}_{}", plan.name, plan.along(dimension, "turn"))),
            depth,
            level: bits_for(depth + 1),
            in_order: order == Order::All,
            per_receiver: order == Order::PerReceiver,
        };
        let mut files = files_below(module)?;
        files.retain(|file| *file != format!("{generator}.v"));
        files.extend(stand_in);
        files.push(proofs.module(&name, text.render()?));
        // A queue is filled in two cycles for each word; then a word fails, and leaves.
        let reach = 2 * depth + 8;
        let kinds = [
            (Kind::Proof, properties),
            (Kind::Cover(reach), "full, a word that is not taken, and leaves later"),
        ];
        tasks.extend(tasks_of(module, &name, &context.suffix(dimension), &files, kinds));
    }
    proofs.proof("sender", "The senders.", tasks);
    Ok(())
}
