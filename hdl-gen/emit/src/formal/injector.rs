//! Proofs of the injectors: the header that the relation gives a packet, or one of those that it gives
//! where packets draw.

use super::parts::tasks_of;
use super::{Context, EmitError, Kind, Nothing, Proofs, files_below, literal};
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_base::bits::gather;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::draw::STATE_BITS;
use turnpike_fabric::rtl::draw;
use turnpike_network::routing::{DestinationEncoding, Draw, Header};
use turnpike_network::topology::Terminal;

/// Bits of an address up to which all pairs of addresses are listed.
const MOST_ADDRESS_BITS: u32 = 6;

/// Bits of a difference of addresses and of a draw up to which all headers are listed; of pairs, that many headers.
const MOST_ROW_BITS: u32 = 12;

/// Differences whose headers are covered, at most.
const COVERED: usize = 16;

#[derive(Template)]
#[template(path = "formal/draw.v.askama", escape = "none")]
pub(crate) struct DrawFile<'a> {
    pub heading: Vec<String>,
    pub name: &'a str,
    pub seed_bits: u32,
    pub bits: u32,
    /// Whether the seed says what is drawn, cycle by cycle; else anything may be.
    pub by_seed: bool,
}

#[derive(Template)]
#[template(path = "formal/injector.v.askama", escape = "none")]
struct InjectorFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    address: u32,
    /// The bits of its address that the injector takes; `None` where it takes none.
    own: Option<String>,
    /// Coordinates by the place of `here`, where its injector takes these.
    coordinates: Option<Coordinates>,
    flit: u32,
    header: u32,
    /// Expression that the rows are looked up by.
    key: String,
    key_bits: u32,
    rows: Vec<(String, String)>,
    /// The keys that have rows, once each.
    keys: BTreeSet<String>,
    /// Bits of the generator's state, where packets draw: a key has a row for each draw.
    seed_bits: Option<u32>,
    covered: &'a [(String, String)],
    /// Whether there are addresses without a terminal.
    refuses: bool,
    /// Conditions under which an address has a terminal, where some have none.
    live: Vec<String>,
    /// Whether every value of the key has a row.
    complete: bool,
}

/// Coordinates of places, looked up by their numbers.
struct Coordinates {
    /// Bits of `here` that say the place.
    place: String,
    bits: u32,
    rows: Vec<(String, String)>,
}

impl Coordinates {
    fn of(view: DestinationEncoding) -> Self {
        let (low, place_bits) = (view.local_bits, view.place_address_bits());
        let bits = view.source_bits();
        let row = |place| (literal(place_bits, place), literal(bits, view.coordinates_of(place)));
        let place = format!("here[{}:{low}]", low + place_bits - 1);
        Self { place, bits, rows: (0..1 << place_bits).map(row).collect() }
    }
}

pub(super) fn injectors(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let mut tasks = Vec::new();
    // One for all classes.
    let mut stand_in = None;
    for (class, injector) in plan.injectors.iter().enumerate() {
        let dut = &injector.name;
        let Some(module) = context.module(dut) else { continue };
        let view = injector.injection.view;
        let address = view.address_bits();
        let by_pair = view.plain_bits > 0 || view.is_by_offset();
        let draws = plan.relation().draw_count().ilog2();
        let key_bits = if by_pair { 2 * address } else { address };
        let too_many = match by_pair {
            true => address > MOST_ADDRESS_BITS || routes(plan, class) > 1 << MOST_ROW_BITS,
            false => draws > 0 && key_bits + draws > MOST_ROW_BITS,
        };
        if too_many {
            proofs.nothing_to_show.push(Nothing {
                module: dut.clone(),
                properties: "the relation's header",
                why: "too many pairs of addresses to list: NOT PROVEN here",
            });
            continue;
        }
        let name = format!("{dut}_formal");
        let carried = &injector.header;
        let header = carried.len() as u32;
        let (key, key_bits, by_key) = headers(context, class)?;
        let row = |(key, value): (u64, Header)| {
            (literal(key_bits, key), literal(header, gather(value, carried)))
        };
        let rows: BTreeSet<_> = by_key.into_iter().map(row).collect();
        let rows: Vec<(String, String)> = rows.into_iter().collect();
        let keys: BTreeSet<String> = rows.iter().map(|(key, _)| key.clone()).collect();
        let makes = match header {
            0 => "The injector gives packets no header, takes the destination",
            _ => {
                "The injector makes the header that the relation gives a packet, takes the destination"
            }
        };
        let about = [
            makes,
            "from its first flit, keeps every flit and its order, and what it offers stays offered.",
        ];
        let heading = context.head(&name, &about);
        let flit = plan.flit_width();
        let complete = keys.len() as u64 == 1 << key_bits;
        let covered = if header > 0 { COVERED } else { 0 };
        let covered = &rows.clone()[..rows.len().min(covered)];
        let refuses = plan.refuses(injector);
        let text = InjectorFile {
            heading,
            name: &name,
            dut,
            address,
            own: if header > 0 { own_bits(&view) } else { None },
            coordinates: (header > 0 && view.is_numbered()).then(|| Coordinates::of(view)),
            flit,
            header,
            key,
            key_bits,
            keys,
            seed_bits: plan.draw_bits().filter(|_| header > 0).map(|_| STATE_BITS),
            rows,
            covered,
            refuses,
            live: plan.destinations(injector).map(|to| literal(address, to.0.into())).collect(),
            complete,
        };
        let text = text.render()?;
        let mut files = files_below(module)?;
        if stand_in.is_none() {
            stand_in = draw_stand_in(context, proofs)?;
        }
        if let Some(stand_in) = &stand_in {
            files.retain(|file| *file != format!("{}.v", draw::name(plan)));
            files.push(stand_in.clone());
        }
        files.push(proofs.module(&name, text));
        let suffix = if plan.injectors.len() > 1 { format!("_{class}") } else { String::new() };
        let properties = match refuses {
            true => "the relation's header, flits in order, valid stable, unknown refused whole",
            false => "the relation's header, flits kept in order, valid and flit stable",
        };
        let kinds = [
            (Kind::Proof, properties),
            (Kind::Cover(8), "packets of several flits, back-pressure, headers are reached"),
        ];
        tasks.extend(tasks_of(module, &name, &suffix, &files, kinds));
    }
    let title = if plan.injectors.len() > 1 { "The injectors." } else { "The injector." };
    proofs.proof("injector", title, tasks);
    Ok(())
}

/// Pairs of a terminal with this class of injectors and a destination.
fn pairs(plan: &FabricPlan, class: usize) -> impl Iterator<Item = (Terminal, Terminal)> {
    let topology = plan.topology();
    let sources = topology.sources().filter(move |&t| plan.injector_of(t) == Some(class));
    sources.flat_map(|source| topology.destinations(source).map(move |to| (source, to)))
}

/// Headers that the injectors of a class make, one for each pair and each draw that leads its packets by a route of
/// its own; counted up to one more than are listed.
fn routes(plan: &FabricPlan, class: usize) -> usize {
    let all = plan.relation().with_each_route(pairs(plan, class));
    all.take((1 << MOST_ROW_BITS) + 1).count()
}

/// Stand-in for the generator: it draws anything at all, and keeps to it until a packet takes it.
/// `None` where packets draw nothing.
fn draw_stand_in(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<Option<String>, EmitError> {
    let plan = context.plan;
    let Some(bits) = plan.draw_bits() else { return Ok(None) };
    let name = draw::name(plan);
    let about = ["Stands for the generator in the proof of the injector: anything may be drawn."];
    let heading = context.head(&name, &about);
    let text =
        DrawFile { heading, name: &name, seed_bits: STATE_BITS, bits, by_seed: false }.render()?;
    Ok(Some(proofs.module(&format!("{name}_stand_in"), text)))
}

/// The bits of `here`, a source's address, that its injector takes.
fn own_bits(view: &DestinationEncoding) -> Option<String> {
    let (low, bits) = (view.local_bits, view.source_bits());
    let top = (low + bits).checked_sub(1)?;
    match bits {
        0 => None,
        _ if view.is_numbered() => Some("coordinates".to_owned()),
        _ if bits == view.address_bits() => Some("here".to_owned()),
        _ => Some(format!("here[{top}:{low}]")),
    }
}

/// The key as Verilog, its bits, and the headers by key: one for each draw.
type ByKey = (String, u32, Vec<(u64, Header)>);

/// Headers that the relation injects at the terminals of an injector: the key as Verilog, its bits,
/// and the headers by key. Where the injector sees a difference the key is that difference, and the
/// header is the same for every pair of one difference, or there would be no such injector.
fn headers(context: &Context<'_, FabricPlan>, class: usize) -> Result<ByKey, EmitError> {
    let plan = context.plan;
    let (topology, relation) = (plan.topology(), plan.relation());
    let injection = &plan.injectors[class].injection;
    let view = injection.view;
    let bits = view.address_bits();
    let by_difference = injection.is_by_difference();
    let mut rows: BTreeMap<(u64, Draw), Header> = BTreeMap::new();
    for ((source, destination), draw) in relation.with_each_route(pairs(plan, class)) {
        let header = relation.inject(source, destination, draw);
        let [source, destination] = [source, destination].map(|end| topology.address(end));
        let key = match by_difference {
            true => {
                u64::from(source.0) >> view.local_bits << view.local_bits ^ u64::from(destination.0)
            }
            false => u64::from(source.0) << bits | u64::from(destination.0),
        };
        if *rows.entry((key, draw)).or_insert(header) != header {
            let what = format!("headers at injection differ for difference {key:b}");
            return Err(EmitError::Expectation(what));
        }
    }
    let rows = rows.into_iter().map(|((key, _), header)| (key, header)).collect();
    Ok(match (by_difference, view.local_bits) {
        (true, 0) => ("dest ^ here".to_owned(), bits, rows),
        (true, local) => {
            let place = format!("{{here[{}:{local}], {local}'d0}}", bits - 1);
            (format!("dest ^ {place}"), bits, rows)
        }
        (false, _) => ("{here, dest}".to_owned(), 2 * bits, rows),
    })
}
