//! The AXI4-Lite port of the settings memory (AMBA AXI and ACE Protocol Specification, ARM IHI
//! 0022, part B).

mod map;

pub use map::{Address, ID, Map};

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Bits of a bus word.
const BUS: u32 = 32;
/// The response to what there is.
const OKAY: u64 = 0b00;
/// The response to what there is not, or cannot be done now.
const SLVERR: u64 = 0b10;

/// The ports of AXI4-Lite: name, bits (the address bits where `None`), and whether the module
/// takes it in.
pub const PORTS: [(&str, Option<u32>, bool); 19] = [
    ("awaddr", None, true),
    ("awprot", Some(3), true),
    ("awvalid", Some(1), true),
    ("awready", Some(1), false),
    ("wdata", Some(BUS), true),
    ("wstrb", Some(BUS / 8), true),
    ("wvalid", Some(1), true),
    ("wready", Some(1), false),
    ("bresp", Some(2), false),
    ("bvalid", Some(1), false),
    ("bready", Some(1), true),
    ("araddr", None, true),
    ("arprot", Some(3), true),
    ("arvalid", Some(1), true),
    ("arready", Some(1), false),
    ("rdata", Some(BUS), false),
    ("rresp", Some(2), false),
    ("rvalid", Some(1), false),
    ("rready", Some(1), true),
];

/// Prefix of the names of the AXI4-Lite ports.
pub const PREFIX: &str = "s_axil_";

/// The nets of an AXI4-Lite port, as [`PORTS`].
pub(super) struct Port(Vec<Net>);

impl Port {
    /// Declares it.
    pub fn declare(m: &mut ModuleBuilder, address_bits: u32) -> Self {
        let port = |&(name, bits, input): &(&str, Option<u32>, bool)| {
            let (name, bits) = (format!("{PREFIX}{name}"), bits.unwrap_or(address_bits));
            if input { m.input(name, bits) } else { m.output(name, bits) }
        };
        Self(PORTS.iter().map(port).collect())
    }

    /// The net of a signal.
    pub fn get(&self, name: &str) -> Net {
        let at = PORTS.iter().position(|(port, ..)| *port == name);
        self.0[at.expect("a signal of AXI4-Lite")]
    }
}

/// The module `<prefix>_registers`. What comes in is answered one after the other; there is no
/// combinational path between its AXI4-Lite ports.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn registers(prefix: &str, map: &Map) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_registers"));
    m.about(
        "The AXI4-Lite port: registers, and the settings of the bank that does not run. What is",
    );
    m.about("not there, or cannot be written now, is answered with SLVERR and changes nothing.");
    for register in Address::ALL {
        let (bytes, name) = (register.bytes(), register.name());
        let words: Vec<&str> = register.meaning().split_whitespace().collect();
        m.about(format!("  0x{bytes:02x} {name:<6} {}", words.join(" ")));
    }
    m.about(format!(
        "  0x{:x} + 0x{:x} * slot + 4 * word: settings",
        map.address(0, 0),
        4 << map.word_bits
    ));
    let port = Port::declare(&mut m, map.address_bits());
    let inside = Inside {
        running: m.input("running", 1),
        pending: m.input("pending", 1),
        draining: m.input("draining", 1),
        bank: m.input("bank", 1),
        slot: m.input("slot", map.slot_bits),
        active_last: m.input("active_last", map.slot_bits),
        read_data: m.input("read_data", map.data),
        write: m.output("write", 1),
        write_slot: m.output("write_slot", map.slot_bits),
        write_word: m.output("write_word", map.word_bits),
        write_data: m.output("write_data", map.data),
        read_slot: m.output("read_slot", map.slot_bits),
        read_word: m.output("read_word", map.word_bits),
        swap: m.output("swap", 1),
        last: m.output("last", map.slot_bits),
    };
    writes(&mut m, &port, map, &inside);
    reads(&mut m, &port, map, &inside);
    m.comment("Bytes within a word, and protection, make no difference.");
    let low = |name| port.get(name).slice(0, 2);
    let unused =
        [low("awaddr"), low("araddr"), port.get("awprot").into(), port.get("arprot").into()];
    m.gather_unused("axil", Expr::concat(unused));
    m.finish()
}

/// The ports towards the memory and the sequencer.
struct Inside {
    running: Net,
    pending: Net,
    draining: Net,
    bank: Net,
    slot: Net,
    active_last: Net,
    read_data: Net,
    write: Net,
    write_slot: Net,
    write_word: Net,
    write_data: Net,
    read_slot: Net,
    read_word: Net,
    swap: Net,
    last: Net,
}

fn constant(bits: u32, value: u32) -> Expr {
    Expr::constant(bits, value.into())
}

/// An address that is held, in parts.
struct Decoded {
    /// Whether it is of the settings.
    settings: Expr,
    /// Whether the slot and the word are there.
    exists: Expr,
    slot: Expr,
    word: Expr,
    /// The part that is of registers.
    index: Expr,
    index_bits: u32,
}

impl Decoded {
    /// Decodes a word address.
    fn of(m: &mut ModuleBuilder, map: &Map, name: &str, address: Net) -> Self {
        let index_bits = map.slot_bits + map.word_bits;
        let (word, slot) =
            (address.slice(0, map.word_bits), address.slice(map.word_bits, map.slot_bits));
        let bounds = [
            at_most(&slot, map.slot_bits, map.slots - 1),
            at_most(&word, map.word_bits, map.words - 1),
        ];
        let settings = m.define(format!("{name}_settings"), 1, address.bit(index_bits));
        let bounds = bounds.into_iter().flatten().chain([settings.into()]);
        let exists = m.define(format!("{name}_exists"), 1, Expr::all(bounds));
        let index = address.slice(0, index_bits);
        Self { settings: settings.into(), exists: exists.into(), slot, word, index, index_bits }
    }

    /// Whether it is of a register.
    fn is(&self, register: Address) -> Expr {
        let same = self.index.clone().equals(constant(self.index_bits, register as u32));
        !self.settings.clone() & same
    }
}

/// Whether a number is at most `most`; `None` where it always is.
fn at_most(value: &Expr, bits: u32, most: u32) -> Option<Expr> {
    if most >= (1 << bits) - 1 {
        return None;
    }
    // Those at most `most` are the numbers that agree with it down to a bit that it has and they
    // have not, or down to where it has all bits that are left.
    let bit = |at: u32| match value {
        Expr::Net(net) => net.bit(at),
        Expr::Slice { net, low, .. } => net.bit(low + at),
        _ => unreachable!("a net or a part of one"),
    };
    let mut cases = Vec::new();
    let mut agree: Vec<Expr> = Vec::new();
    for at in (most.trailing_ones()..bits).rev() {
        if most >> at & 1 == 1 {
            cases.push(Expr::all(agree.iter().cloned().chain([!bit(at)])));
            agree.push(bit(at));
        } else {
            agree.push(!bit(at));
        }
    }
    cases.push(Expr::all(agree));
    Some(Expr::any_of(cases))
}

fn register(net: Net, reset: Option<u64>, enable: Option<Expr>, next: impl Into<Expr>) -> Register {
    Register { net, reset, enable, next: next.into() }
}

fn writes(m: &mut ModuleBuilder, port: &Port, map: &Map, inside: &Inside) {
    let get = |name| port.get(name);
    let word_address = map.address_bits() - 2;
    m.section("Writes: an address and a word are held until both are here");
    let (aw_held, w_held) = (m.reg("aw_held", 1), m.reg("w_held", 1));
    let address = m.reg("aw_address", word_address);
    let (data, strobe) = (m.reg("w_data", BUS), m.reg("w_strobe", BUS / 8));
    m.assign(get("awready"), !(Expr::from(aw_held) | Expr::Reset));
    m.assign(get("wready"), !(Expr::from(w_held) | Expr::Reset));
    let takes = |m: &mut ModuleBuilder, name: &str, valid: Net, held: Net| {
        let value = Expr::from(valid) & !Expr::from(held);
        m.define(name, 1, value)
    };
    let takes_address = takes(m, "takes_aw", get("awvalid"), aw_held);
    let takes_data = takes(m, "takes_w", get("wvalid"), w_held);
    let answers = Expr::all([aw_held.into(), w_held.into(), !Expr::from(get("bvalid"))]);
    let answers = m.define("answers_write", 1, answers);
    m.section("What is written");
    let at = Decoded::of(m, map, "aw", address);
    let whole = Expr::from(strobe).equals(constant(BUS / 8, 15));
    let whole = m.define("whole", 1, whole);
    let not_pending = || !Expr::from(inside.pending);
    let free = not_pending() & !Expr::from(inside.draining);
    let settings = Expr::all([at.exists.clone(), whole.into(), free]);
    let settings = m.define("writes_settings", 1, settings);
    let one = Expr::from(data).equals(constant(BUS, 1));
    let swap = Expr::all([at.is(Address::Swap), whole.into(), one, not_pending()]);
    let swap = m.define("writes_swap", 1, swap);
    m.comment("One less than the number of slots: of 0 it is the largest there is.");
    let last_bits = map.slot_bits + 1;
    let less = data.slice(0, last_bits) - constant(last_bits, 1);
    let less = m.define("w_data_less_one", last_bits, less);
    let high = !data.slice(last_bits, BUS - last_bits).any();
    let fits = at_most(&less.into(), last_bits, map.slots - 1);
    let fits = fits.into_iter().chain([at.is(Address::Count), whole.into(), high, not_pending()]);
    let count = m.define("writes_count", 1, Expr::all(fits));
    let done = [settings, swap, count].map(Expr::from);
    let done = m.define("write_done", 1, Expr::any_of(done));
    let answered = |net: Net| Expr::from(answers) & net;
    // A memory has no reset: what is under way when that comes is not written.
    m.assign(inside.write, Expr::all([answers.into(), settings.into(), !Expr::Reset]));
    m.assign(inside.write_slot, at.slot.clone());
    m.assign(inside.write_word, at.word.clone());
    m.assign(inside.write_data, data.slice(0, map.data));
    m.assign(inside.swap, answered(swap));
    let keeps =
        |takes: Net, held: Net| Expr::from(takes) | (Expr::from(held) & !Expr::from(answers));
    let (bvalid, bresp) = (get("bvalid"), get("bresp"));
    let waits = Expr::from(bvalid) & !Expr::from(get("bready"));
    let response = Expr::from(done).mux(Expr::constant(2, OKAY), Expr::constant(2, SLVERR));
    let last = less.slice(0, map.slot_bits);
    m.registers(vec![
        register(aw_held, Some(0), None, keeps(takes_address, aw_held)),
        register(w_held, Some(0), None, keeps(takes_data, w_held)),
        register(bvalid, Some(0), None, Expr::from(answers) | waits),
        register(inside.last, Some(0), Some(answered(count)), last),
    ]);
    m.registers(vec![
        register(address, None, Some(takes_address.into()), get("awaddr").slice(2, word_address)),
        register(data, None, Some(takes_data.into()), get("wdata")),
        register(strobe, None, Some(takes_data.into()), get("wstrb")),
        register(bresp, None, Some(answers.into()), response),
    ]);
}

fn reads(m: &mut ModuleBuilder, port: &Port, map: &Map, inside: &Inside) {
    let get = |name| port.get(name);
    let word_address = map.address_bits() - 2;
    m.section("Reads: a cycle to fetch from the memory, and one to answer");
    let (held, fetched) = (m.reg("ar_held", 1), m.reg("ar_fetched", 1));
    let address = m.reg("ar_address", word_address);
    m.assign(get("arready"), !(Expr::from(held) | Expr::Reset));
    let takes = Expr::from(get("arvalid")) & !Expr::from(held);
    let takes = m.define("takes_ar", 1, takes);
    let answers = Expr::all([held.into(), fetched.into(), !Expr::from(get("rvalid"))]);
    let answers = m.define("answers_read", 1, answers);
    let at = Decoded::of(m, map, "ar", address);
    m.assign(inside.read_slot, at.slot.clone());
    m.assign(inside.read_word, at.word.clone());
    m.section("What is read");
    let widen = |bits: u32, e: Expr| match BUS - bits {
        0 => e,
        more => Expr::concat([constant(more, 0), e]),
    };
    let half = |bits: u32, e: Expr| Expr::concat([constant(BUS / 2 - bits, 0), e]);
    let count = |m: &mut ModuleBuilder, name: &str, last: Net| {
        let last = Expr::concat([constant(1, 0), last.into()]);
        m.define(name, map.slot_bits + 1, last + constant(map.slot_bits + 1, 1))
    };
    let next_count = count(m, "count", inside.last);
    let active_count = count(m, "active_count", inside.active_last);
    let status = [inside.bank, inside.draining, inside.pending, inside.running].map(Expr::from);
    let bits = map.slot_bits;
    let slot = Expr::concat([half(bits + 1, active_count.into()), half(bits, inside.slot.into())]);
    let slot = slot_if(inside.running, slot);
    let mut shown = vec![(at.exists.clone(), widen(map.data, inside.read_data.into()))];
    for address in Address::ALL {
        let value = match address {
            Address::Id => constant(BUS, ID),
            Address::Shape => constant(BUS, map.slots << 16 | map.words),
            Address::Status => widen(4, Expr::concat(status.clone())),
            Address::Swap => widen(1, inside.pending.into()),
            Address::Count => widen(bits + 1, next_count.into()),
            Address::Slot => slot.clone(),
        };
        shown.push((at.is(address), value));
    }
    let mut values = Vec::new();
    let mut found = Vec::new();
    for (i, (is, value)) in shown.into_iter().enumerate() {
        let is = m.define(format!("reads{i}"), 1, is);
        found.push(is.into());
        let value = m.define(format!("value{i}"), BUS, value);
        values.push(Expr::from(value) & Expr::from(is).repeat(BUS));
    }
    let found = m.define("read_found", 1, Expr::any_of(found));
    let (rvalid, rdata, rresp) = (get("rvalid"), get("rdata"), get("rresp"));
    let waits = Expr::from(rvalid) & !Expr::from(get("rready"));
    let response = Expr::from(found).mux(Expr::constant(2, OKAY), Expr::constant(2, SLVERR));
    let goes_on = Expr::from(held) & !Expr::from(answers);
    m.registers(vec![
        register(held, Some(0), None, Expr::from(takes) | goes_on.clone()),
        register(fetched, Some(0), None, goes_on),
        register(rvalid, Some(0), None, Expr::from(answers) | waits),
    ]);
    m.registers(vec![
        register(address, None, Some(takes.into()), get("araddr").slice(2, word_address)),
        register(rdata, None, Some(answers.into()), Expr::any_of(values)),
        register(rresp, None, Some(answers.into()), response),
    ]);
}

/// A bus word where a bit is set, else 0.
fn slot_if(bit: Net, word: Expr) -> Expr {
    Expr::from(bit).mux(word, constant(BUS, 0))
}
