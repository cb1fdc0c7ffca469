//! The switch of a node: moves words from the source and from the busses into the queues.

use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_fabric::rtl::arbiter::arbiter;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// The module of the switches. Ports:
/// - `data_slot`: whether this is a slot for data; words move in those alone;
/// - `source_valid`, `source_word`: the first word of the source, its destination on top;
///   `source_taken`: it is taken in this cycle;
/// - for each dimension `x_position`: the node's coordinate; `x_only`, `x_heard`: what comes over
///   that bus; `x_take`, in the cycle after: it was taken;
/// - for each dimension `x_queue_valid`, `x_queue_ready`, `x_queue_word`: the queue for that bus,
///   the receiver's coordinate on top; and `sink_valid`, `sink_ready`, `sink_word`.
///
/// Words take their busses in the order of the dimensions. A queue takes one word in a slot.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn switch(plan: &BusPlan) -> Result<Arc<Module>, RtlError> {
    let grid = &plan.grid;
    let dimensions = grid.dimensions();
    let mut m = ModuleBuilder::new(format!("{}_switch", plan.name));
    m.about("The switch of a node: moves words from its source and its busses into the queues. Of");
    m.about(
        "several that come for one queue in a slot one is taken; the others are not, and their",
    );
    m.about("senders not told so. Words take their busses in the order of the dimensions.");
    let data_slot = m.input("data_slot", 1);
    let source_valid = m.input("source_valid", 1);
    let source_word = m.input("source_word", grid.address_bits() + plan.parameters.width);
    let source_taken = m.output("source_taken", 1);
    let busses: Vec<Bus> = (0..dimensions).map(|d| Bus::declare(plan, &mut m, d)).collect();
    let mut targets: Vec<Target> = Vec::new();
    for (dimension, bus) in busses.iter().enumerate() {
        let bits = bus.position.width + plan.word_bits(dimension);
        targets.push(Target::declare(&mut m, bus.name, &format!("{}_queue", bus.name), bits));
    }
    targets.push(Target::declare(&mut m, "sink", "sink", plan.payload_bits()));

    m.section("Where words are, as far as they still have to look");
    let candidates = candidates(plan, &mut m, &busses, source_valid, source_word);
    let mut taken: Vec<Vec<Expr>> = candidates.iter().map(|_| Vec::new()).collect();
    for (dimension, target) in targets.iter().enumerate() {
        m.section(match dimension == dimensions {
            true => "To the sink".to_owned(),
            false => format!("To the queue for {}", target.name),
        });
        let coming: Vec<usize> =
            (0..candidates.len()).filter(|&c| candidates[c].from <= dimension).collect();
        let grant = grant(plan, &mut m, dimension, target, &coming, &candidates, data_slot)?;
        m.assign(target.valid, Expr::from(grant).any());
        let word = |c: usize| word_for(plan, dimension, &candidates[c]);
        m.assign(
            target.word,
            match &coming[..] {
                // It is looked at where it is valid alone.
                [only] => word(*only),
                _ => Expr::any_of(
                    (0..)
                        .zip(&coming)
                        .map(|(at, &c)| grant.bit(at).repeat(target.word.width) & word(c)),
                ),
            },
        );
        for (at, &c) in (0..).zip(&coming) {
            taken[c].push(grant.bit(at));
        }
    }

    m.section("What is taken");
    m.comment("What came over a bus is acknowledged in the next slot.");
    let mut taken = taken.into_iter().map(Expr::any_of);
    m.assign(source_taken, taken.next().expect("the source is the first candidate"));
    let mut takes = Vec::new();
    for (bus, next) in busses.iter().zip(taken) {
        let net = m.reg(format!("{}_taken", bus.name), 1);
        m.assign(bus.take, net);
        takes.push(Register { net, reset: Some(0), enable: None, next });
    }
    m.registers(takes);
    m.finish()
}

/// Word that has to go on: at the source, or come over a bus.
struct Candidate {
    name: &'static str,
    /// The first dimension that it has still to be looked at in.
    from: usize,
    valid: Net,
    /// Coordinates of its destination from that dimension on.
    coordinates: Vec<Expr>,
    /// Payload that its sink gets.
    payload: Expr,
    /// From that dimension on, whether it is where it has to be.
    here: Vec<Net>,
}

impl Candidate {
    fn coordinate(&self, dimension: usize) -> Expr {
        self.coordinates[dimension - self.from].clone()
    }

    /// Conditions under which the word takes the bus of this dimension next; past the last: under
    /// which it is for the sink.
    fn goes(&self, dimension: usize) -> impl Iterator<Item = Expr> + '_ {
        let at = dimension - self.from;
        let here = self.here.iter().take(at).map(|here| Expr::from(*here));
        here.chain(self.here.get(at).map(|here| !Expr::from(*here)))
    }
}

/// Target of candidates: the queue of a bus, or that of the sink.
struct Target {
    name: &'static str,
    valid: Net,
    ready: Net,
    word: Net,
}

impl Target {
    fn declare(m: &mut ModuleBuilder, name: &'static str, port: &str, bits: u32) -> Self {
        Self {
            name,
            valid: m.output(format!("{port}_valid"), 1),
            ready: m.input(format!("{port}_ready"), 1),
            word: m.output(format!("{port}_word"), bits),
        }
    }
}

/// The ports of a dimension.
struct Bus {
    name: &'static str,
    position: Net,
    only: Net,
    heard: Net,
    take: Net,
}

impl Bus {
    fn declare(plan: &BusPlan, m: &mut ModuleBuilder, dimension: usize) -> Self {
        let name = plan.grid.name(dimension);
        Self {
            name,
            position: m.input(format!("{name}_position"), plan.grid.coordinate_bits(dimension)),
            only: m.input(format!("{name}_only"), 1),
            heard: m.input(format!("{name}_heard"), plan.word_bits(dimension)),
            take: m.output(format!("{name}_take"), 1),
        }
    }
}

/// The source's word, and what came over each bus.
fn candidates(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    busses: &[Bus],
    source_valid: Net,
    source_word: Net,
) -> Vec<Candidate> {
    let (grid, width) = (&plan.grid, plan.parameters.width);
    let fields = |net: Net, mut low: u32, from: usize| {
        let field = |d: usize| {
            let bits = grid.coordinate_bits(d);
            low += bits;
            net.slice(low - bits, bits)
        };
        (from..grid.dimensions()).map(field).collect::<Vec<Expr>>()
    };
    let data = source_word.slice(0, width);
    let own = || Expr::concat(busses.iter().rev().map(|bus| Expr::from(bus.position)));
    let payload = if plan.id_bits() > 0 { Expr::concat([own(), data]) } else { data };
    let mut list = vec![("source", 0, source_valid, fields(source_word, width, 0), payload)];
    for (d, bus) in busses.iter().enumerate() {
        let payload = plan.payload_bits();
        let coordinates = fields(bus.heard, payload, d + 1);
        list.push((bus.name, d + 1, bus.only, coordinates, bus.heard.slice(0, payload)));
    }
    let made = list.into_iter().map(|(name, from, valid, coordinates, payload)| {
        let place = |(d, coordinate): (usize, &Expr)| {
            let bus = &busses[from + d];
            let is = coordinate.clone().equals(bus.position);
            m.define(format!("from_{name}_is_at_{}", bus.name), 1, is)
        };
        let here = coordinates.iter().enumerate().map(place).collect();
        Candidate { name, from, valid, coordinates, payload, here }
    });
    made.collect()
}

/// The word of a candidate for the queue of this dimension; past the last: for the sink.
fn word_for(plan: &BusPlan, dimension: usize, candidate: &Candidate) -> Expr {
    // The coordinate along the bus is on top: it says the receiver.
    let left = dimension + 1..plan.grid.dimensions();
    let along = (dimension < plan.grid.dimensions()).then_some(dimension);
    let coordinates = along.into_iter().chain(left.rev()).map(|d| candidate.coordinate(d));
    Expr::concat(coordinates.chain([candidate.payload.clone()]))
}

/// One bit for each of the candidates that may come to a target: whether it is taken.
fn grant(
    plan: &BusPlan,
    m: &mut ModuleBuilder,
    dimension: usize,
    target: &Target,
    coming: &[usize],
    candidates: &[Candidate],
    data_slot: Net,
) -> Result<Net, RtlError> {
    let (name, count) = (target.name, coming.len() as u32);
    let asks = |&c: &usize| {
        let candidate = &candidates[c];
        let room = [data_slot, target.ready, candidate.valid].map(Expr::from);
        Expr::all(room.into_iter().chain(candidate.goes(dimension)))
    };
    if count > 1 {
        let names: Vec<&str> = coming.iter().rev().map(|&c| candidates[c].name).collect();
        m.comment(format!("From the highest bit on: from {}.", names.join(", ")));
    }
    let request = Expr::concat(coming.iter().rev().map(asks));
    let request = m.define(format!("{name}_request"), count, request);
    if count == 1 {
        return Ok(request);
    }
    let granted = m.wire(format!("{name}_grant"), count);
    let module = arbiter(&plan.name, count)?;
    m.instance(
        format!("{name}_arbiter"),
        &module,
        [("request", request.into()), ("done", Expr::constant(1, 1)), ("grant", granted.into())],
    );
    Ok(granted)
}
