//! The nodes of a split&hash network: those of the sources, of the levels between, of the sinks. Each
//! has one queue.

use super::entry::entry;
use crate::plan::BusPlan;
use crate::rtl::medium::select;
use crate::rtl::node::{Link, known, place_queue};
use crate::rtl::sender::{self, SEED_BITS};
use std::sync::Arc;
use turnpike_netlist::{Expr, Handshake, Module, ModuleBuilder, Net, RtlError, StreamType};

/// Nets of the busses to the level below that a node drives and hears.
struct Below {
    /// Port of the sender that tells it from others, and its net: the generator's seed, or the position.
    own: (&'static str, Net),
    send: Net,
    to: Net,
    word: Net,
    told: Net,
}

impl Below {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, level: u32) -> Self {
        let below = level as usize - 1;
        Self {
            own: match plan.protocol.draw_bits() {
                0 => ("position", m.input("position", plan.grid.coordinate_bits(below))),
                _ => ("seed", m.input("seed", SEED_BITS)),
            },
            send: m.output("send", 1),
            to: m.output("to", plan.grid.coordinate_bits(below)),
            word: m.output("word", plan.word_bits(below)),
            told: m.input("told", 1),
        }
    }

    /// Places the sender, to which words come.
    fn place(
        &self,
        plan: &BusPlan,
        m: &mut ModuleBuilder,
        level: u32,
        data_slot: Net,
        (valid, ready, word): (Expr, Net, Expr),
    ) -> Result<(), RtlError> {
        let connections = [
            ("data_slot", data_slot.into()),
            (self.own.0, self.own.1.into()),
            ("in_valid", valid),
            ("in_ready", ready.into()),
            ("in_data", word),
            ("send", self.send.into()),
            ("to", self.to.into()),
            ("word", self.word.into()),
            ("told", self.told.into()),
        ];
        m.instance("sender", &sender::sender(plan, level as usize - 1)?, connections);
        Ok(())
    }
}

/// The module of the nodes of the sources, which send to the level below this one. Ports:
/// - `data_slot`: whether this is a slot for data; words are taken in those alone;
/// - `in_valid`, `in_ready`, `in_dest`, `in_data`: the source; `in_error`, where there are addresses
///   without a terminal: a word to one of them is taken in this cycle, and goes nowhere;
/// - `address`, where sinks are told it: that of the terminal (a constant at the instance);
/// - `flows`, on a bus for flows: by address, whether words may go there (a constant at the instance);
/// - `seed`: the state of the sender's generator under reset; of one that takes turns `position`, its
///   coordinate (constants at the instance);
/// - `send`, `to`, `word`, `told`: the busses to the level below ([`super::bus::bus()`]).
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn source(plan: &BusPlan, level: u32) -> Result<Arc<Module>, RtlError> {
    let grid = &plan.grid;
    let mut m = ModuleBuilder::new(format!("{}_source", plan.name));
    m.about("The node of a source: a sender, whose queue takes words in slots for data.");
    let data_slot = m.input("data_slot", 1);
    let fields = [("dest", grid.address_bits()), ("data", plan.parameters.width)];
    let source = m.stream_in("in", StreamType::plain(fields));
    let error = plan.refuses().then(|| m.output("in_error", 1));
    let flows = plan.flows().map(|_| m.input("flows", 1 << grid.address_bits()));
    let address = (plan.id_bits() > 0).then(|| m.input("address", plan.id_bits()));
    let below = Below::declare(plan, &mut m, level);

    m.section("What the source offers");
    let Handshake { valid, ready } = source.lanes[0];
    let [dest, data] = ["dest", "data"].map(|f| source.field(f).expect("fields have bits"));
    let room = m.wire("room", 1);
    m.assign(ready, Expr::from(data_slot) & room);
    let offered = Expr::from(valid) & data_slot;
    let offered = match error {
        None => offered,
        Some(error) => {
            let known = match flows {
                None => known(plan, dest),
                Some(flows) => select(flows, dest, 0, dest.width, None),
            };
            let known = m.define("known", 1, known);
            m.assign(error, Expr::all([valid.into(), ready.into(), !Expr::from(known)]));
            offered & known
        }
    };
    m.section("The sender");
    m.comment(match flows {
        None => {
            "The highest digit of the destination, on top, says the part; then come the others."
        }
        Some(_) => "The destination, on top, says the receiver.",
    });
    let parts = [Some(dest), address, Some(data)];
    let word = Expr::concat(parts.into_iter().flatten().map(Expr::from));
    below.place(plan, &mut m, level, data_slot, (offered, room, word))?;
    m.finish()
}

/// The module of the nodes of a level between, 1 or more. Ports:
/// - `data_slot`: whether this is a slot for data;
/// - `only`, `heard`, `take`: the bus from the level above ([`super::bus::bus()`]);
/// - `seed`, `send`, `to`, `word`, `told`: as those of [`source()`].
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn relay(plan: &BusPlan, level: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{}_level{level}_node", plan.name));
    m.about(format!(
        "A node of level {level}: what comes is held, and sent on to level {}.",
        level - 1
    ));
    let data_slot = m.input("data_slot", 1);
    let above = Above::declare(plan, &mut m, level);
    let below = Below::declare(plan, &mut m, level);
    let (enter, room) = above.place(plan, &mut m, data_slot)?;
    m.section("The sender");
    m.comment("The highest digit that is left, on top, says the part.");
    let word = above.heard.into();
    below.place(plan, &mut m, level, data_slot, (enter.into(), room, word))?;
    m.finish()
}

/// The module of the nodes of the sinks. Ports: `data_slot`, `only`, `heard`, `take` as those of
/// [`relay()`]; `out_valid`, `out_ready`, `out_data`: the sink.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn sink(plan: &BusPlan) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{}_sink", plan.name));
    m.about("The node of a sink: the queue of what comes.");
    let data_slot = m.input("data_slot", 1);
    let above = Above::declare(plan, &mut m, 0);
    let sink = m.stream_out("out", StreamType::plain([("data", plan.payload_bits())]));
    let (enter, room) = above.place(plan, &mut m, data_slot)?;
    m.section("What the sink gets");
    let Handshake { valid, ready } = sink.lanes[0];
    let out = Link { valid, ready, word: sink.field("data").expect("words have bits") };
    let word = above.heard.into();
    place_queue(plan, &mut m, "sink_fifo", (enter.into(), room, word), &out)?;
    m.finish()
}

/// Nets of the bus from the level above that a node hears and drives.
struct Above {
    only: Net,
    heard: Net,
    take: Net,
}

impl Above {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, level: u32) -> Self {
        Self {
            only: m.input("only", 1),
            heard: m.input("heard", plan.word_bits(level as usize)),
            take: m.output("take", 1),
        }
    }

    /// Places the entry: what offers the word to a queue, and that there is room, to be driven.
    fn place(
        &self,
        plan: &BusPlan,
        m: &mut ModuleBuilder,
        data_slot: Net,
    ) -> Result<(Net, Net), RtlError> {
        m.section("What comes");
        let enter = m.wire("enter", 1);
        let room = m.wire("room", 1);
        let connections = [
            ("data_slot", data_slot.into()),
            ("only", self.only.into()),
            ("room", room.into()),
            ("enter", enter.into()),
            ("take", self.take.into()),
        ];
        m.instance("entry", &entry(plan)?, connections);
        Ok((enter, room))
    }
}
