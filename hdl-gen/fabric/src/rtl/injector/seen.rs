//! Signals that an injector derives from a packet that comes in.

use turnpike_netlist::{Expr, ModuleBuilder, Net};
use turnpike_network::routing::{Coordinate, DestinationEncoding, Drawn, Injection, Via};
use turnpike_network::topology::Terminal;

/// A signal that is derived from the first flit of a packet, and kept for its other flits.
pub(super) struct Seen {
    pub name: &'static str,
    pub width: u32,
    pub fresh: Expr,
}

/// Signals that headers are made of: the destination's encoding, or one for each leg where the
/// packet goes to another terminal first; behind it the terminal's number at its place, and the
/// draw, where they stand apart.
pub(super) fn seen(
    m: &mut ModuleBuilder,
    injection: &Injection,
    in_dest: Net,
    address: Option<Net>,
    drawn: Option<Net>,
) -> Vec<Seen> {
    let view = injection.view;
    match (&injection.drawn, drawn) {
        (Some(Drawn::Between { via, second, .. }), Some(drawn)) => {
            let [first, onward] = legs(m, [view, second.view], via, in_dest, address, drawn);
            let mut seen = vec![
                Seen { name: "first_leg", width: view.place_bits(), fresh: first },
                Seen { name: "second_leg", width: second.view.place_bits(), fresh: onward },
            ];
            if view.local_bits > 0 {
                let fresh = in_dest.slice(0, view.local_bits);
                seen.push(Seen { name: "number", width: view.local_bits, fresh });
            }
            seen
        }
        (Some(Drawn::Index { bits }), Some(drawn)) => {
            let Seen { name, width, fresh } = of_destination(m, view, in_dest, address);
            let fresh = m.define(name, width, fresh);
            let place = fresh.slice(0, view.place_bits());
            let number =
                (view.local_bits > 0).then(|| fresh.slice(view.place_bits(), view.local_bits));
            // A message class may need fewer draws than another.
            let drawn = if *bits < drawn.width { drawn.slice(0, *bits) } else { drawn.into() };
            let fresh = Expr::concat(number.into_iter().chain([drawn, place]));
            vec![Seen { name: "row", width: width + bits, fresh }]
        }
        (Some(Drawn::Field { bits, .. }), Some(drawn)) => {
            let plain = of_destination(m, view, in_dest, address);
            vec![plain, Seen { name: "draw_of_packet", width: *bits, fresh: drawn.into() }]
        }
        _ => vec![of_destination(m, view, in_dest, address)],
    }
}

/// The place of an address, without the terminal's number there: as its number, or where that is looked at by
/// coordinates no bits of it are, as these.
fn place(m: &mut ModuleBuilder, view: DestinationEncoding, in_dest: Net) -> Net {
    let place = match view.local_bits {
        0 => in_dest,
        local => {
            m.define("in_place", in_dest.width - local, in_dest.slice(local, in_dest.width - local))
        }
    };
    if !view.is_numbered() {
        return place;
    }
    m.comment("Coordinates, X lowest, of the destination with this address.");
    let coordinates = m.wire("in_coordinates", view.source_bits());
    let rows = (0..1 << view.place_address_bits()).map(|number| view.coordinates_of(number));
    m.table(coordinates, place, rows.collect());
    coordinates
}

/// Encodings of the intermediate terminal, and from there of the destination.
fn legs(
    m: &mut ModuleBuilder,
    views: [DestinationEncoding; 2],
    via: &Via,
    in_dest: Net,
    address: Option<Net>,
    drawn: Net,
) -> [Expr; 2] {
    m.section("The way to the terminal between, and from there to the destination");
    // Relations that go by coordinates see the same of them.
    assert_eq!(views[0].is_numbered(), views[1].is_numbered(), "both legs see places alike");
    let place = place(m, views[0], in_dest);
    match (via, address) {
        (Via::Address | Via::Listed(_), _) => {
            let between = match via {
                Via::Listed(terminals) => {
                    let between = m.wire("between", place.width);
                    let row = |terminal: &Terminal| views[0].coordinates_of(terminal.0.into());
                    let rows = terminals.iter().map(row).collect();
                    m.table(between, drawn, rows);
                    between
                }
                _ => m.define("between", place.width, drawn),
            };
            let first = match address {
                Some(address) => {
                    let here = m.define("here", address.width, address);
                    leg(views[0], here, between)
                }
                // The address as it is.
                None => between.into(),
            };
            [first, leg(views[1], between, place)]
        }
        // Of phases that see differences.
        (Via::Difference(_) | Via::Between, Some(address)) => {
            let difference = m.define("difference", place.width, Expr::from(place) ^ address);
            let difference = Expr::from(difference);
            match via {
                Via::Difference(bits) => {
                    let drawn = at_bits(drawn, bits, place.width);
                    [drawn.clone(), difference ^ drawn]
                }
                _ => [difference.clone() & drawn, difference & !Expr::from(drawn)],
            }
        }
        (Via::Within(coordinates), Some(address)) => {
            within(m, coordinates, views[0], place, address, drawn)
        }
        (Via::Difference(_) | Via::Between | Via::Within(_), None) => {
            unreachable!("who sees a difference is shown the source")
        }
    }
}

/// The names of coordinates.
const AXES: [&str; 6] = ["x", "y", "z", "u", "v", "w"];

/// Offsets to a terminal of the box that source and destination span, and on from there, by
/// coordinates: draw * (distance + 1) / 2^b of the distance, rounded down.
fn within(
    m: &mut ModuleBuilder,
    coordinates: &[Coordinate],
    view: DestinationEncoding,
    place: Net,
    address: Net,
    drawn: Net,
) -> [Expr; 2] {
    let (mut low, mut drawn_low) = (0, 0);
    let (mut first, mut onward) = (Vec::new(), Vec::new());
    let axes = view.coordinates().zip(coordinates).zip(AXES);
    for ((bits, &Coordinate { drawn: own, .. }), axis) in axes {
        let width = bits + 1;
        let offset = offset(place, address, low, bits);
        let offset = m.define(format!("{axis}_offset"), width, offset);
        let negated = Expr::constant(width, 0) - offset;
        let distance = offset.bit(bits).mux(negated, offset);
        let numbers = distance + Expr::constant(width, 1);
        let numbers = m.define(format!("{axis}_numbers"), width, numbers);
        m.comment(format!(
            "The draw times them, over 2^{own} and rounded down, is how far to go first."
        ));
        // Below 2^own * side: `width` bits hold any number there is.
        let sum = own + width;
        let shifted = (0..width).map(|bit| {
            let own_draw = drawn.slice(drawn_low, own);
            let parts = [
                (width - bit > 0).then(|| Expr::constant(width - bit, 0)),
                Some(own_draw & numbers.bit(bit).repeat(own)),
                (bit > 0).then(|| Expr::constant(bit, 0)),
            ];
            Expr::concat(parts.into_iter().flatten())
        });
        let product = shifted.reduce(|sum, part| sum + part).expect("a coordinate has bits");
        let product = m.define(format!("{axis}_product"), sum, product);
        m.gather_unused(&format!("{axis}_fraction"), product.slice(0, own));
        let steps = product.slice(own, width);
        let to_first = offset.bit(bits).mux(Expr::constant(width, 0) - steps.clone(), steps);
        let to_first = m.define(format!("{axis}_first"), width, to_first);
        onward.push(Expr::from(offset) - to_first);
        first.push(to_first.into());
        (low, drawn_low) = (low + bits, drawn_low + own);
    }
    [first, onward].map(|low_first| Expr::concat(low_first.into_iter().rev()))
}

/// The draw, at these bits of an address of so many; the other bits are 0.
fn at_bits(drawn: Net, bits: &[u32], width: u32) -> Expr {
    if drawn.width == width {
        return drawn.into();
    }
    let bit = |bit: u32| match bits.binary_search(&bit) {
        Ok(at) => drawn.bit(at as u32),
        Err(_) => Expr::constant(1, 0),
    };
    Expr::concat((0..width).rev().map(bit))
}

/// Encoding of one place as seen from another.
fn leg(view: DestinationEncoding, from: Net, to: Net) -> Expr {
    let low = view.difference_bits;
    match (low, view.plain_bits) {
        _ if view.is_by_offset() => offsets(view, to, from),
        (0, _) => to.into(),
        (_, 0) => Expr::from(to) ^ from,
        (_, plain) => Expr::concat([to.slice(low, plain), to.slice(0, low) ^ from.slice(0, low)]),
    }
}

/// Encoding of the destination of a packet that draws nothing, with its name.
fn of_destination(
    m: &mut ModuleBuilder,
    view: DestinationEncoding,
    in_dest: Net,
    address: Option<Net>,
) -> Seen {
    let (section, name) = match (view.difference_bits, view.plain_bits) {
        _ if view.is_by_offset() => ("How far the destination is, by coordinates", "offset"),
        (_, 0) => ("Bits to correct", "difference"),
        (0, _) => ("Destination", "destination"),
        _ => ("Ring bits to correct, and the position as it is", "way"),
    };
    m.section(section);
    let place = place(m, view, in_dest);
    let fresh = address.map_or(place.into(), |address| leg(view, address, place));
    let fresh = match view.local_bits {
        0 => fresh,
        local => Expr::concat([in_dest.slice(0, local), fresh]),
    };
    Seen { name, width: view.bits(), fresh }
}

/// Each coordinate of the destination less that of the source, a bit wider than it.
fn offsets(view: DestinationEncoding, place: Net, address: Net) -> Expr {
    let mut low = 0;
    let offsets = view.coordinates().map(|bits| {
        let offset = offset(place, address, low, bits);
        low += bits;
        offset
    });
    let low_first: Vec<Expr> = offsets.collect();
    Expr::concat(low_first.into_iter().rev())
}

/// A coordinate of the destination, at bit `low` of its place, less that of the source.
fn offset(place: Net, address: Net, low: u32, bits: u32) -> Expr {
    let coordinate = |net: Net| Expr::concat([Expr::constant(1, 0), net.slice(low, bits)]);
    coordinate(place) - coordinate(address)
}
