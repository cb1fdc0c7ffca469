//! Injection: the rule by which a source makes the header of a new packet, as hardware and as a
//! function.

use super::{Draw, Header, Via, low_bits};
use crate::topology::Terminal;
use turnpike_base::bits::bits_for;

/// Most coordinates of an address.
const MOST_COORDINATES: usize = 6;

/// Destination encoding: the destination as seen from a source, with which a header begins. The low
/// bits are those of the destination's address XOR those of the source's, the bits above are as
/// they are; or, coordinate by coordinate, the offset. Where a switch has several terminals in
/// place of one ([`crate::topology::concentrated`]) the encoding is of the place, and the
/// terminal's number there stands above it, as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DestinationEncoding {
    /// Number of low bits of an address that are the terminal's number at its place.
    pub local_bits: u32,
    /// Number of low bits of a place that are encoded as source XOR destination.
    pub difference_bits: u32,
    /// Number of bits above them that are encoded as they are.
    pub plain_bits: u32,
    /// Bits of each coordinate, the lowest first, where addresses are seen by coordinates; all 0
    /// where they are not.
    coordinates: [u8; MOST_COORDINATES],
    /// Sides of the grid, where a place is a number whose bits are not those of the coordinates; all 0
    /// where they are.
    sides: [u32; MOST_COORDINATES],
}

impl DestinationEncoding {
    /// The low `difference_bits` as source XOR destination, `plain_bits` above them as they are.
    pub fn new(difference_bits: u32, plain_bits: u32) -> Self {
        Self { difference_bits, plain_bits, ..Self::default() }
    }

    /// Source XOR destination.
    pub fn difference(bits: u32) -> Self {
        Self::new(bits, 0)
    }

    /// The destination as it is.
    pub fn plain(bits: u32) -> Self {
        Self::new(0, bits)
    }

    /// Coordinate by coordinate the destination's less the source's, in two's complement, a bit
    /// more than the coordinate has; the first coordinate, and its offset, lowest.
    ///
    /// # Panics
    /// For more than 6 coordinates.
    pub fn offsets(coordinate_bits: &[u32]) -> Self {
        let mut coordinates = [0; MOST_COORDINATES];
        for (own, &bits) in coordinates.iter_mut().zip(coordinate_bits) {
            *own = bits as u8;
        }
        assert!(coordinate_bits.len() <= MOST_COORDINATES);
        Self { coordinates, ..Self::default() }
    }

    /// Offsets on a grid with these sides ([`Self::offsets`]), whose places are numbered with the first coordinate
    /// fastest.
    pub fn offsets_on(sides: &[u32]) -> Self {
        let bits: Vec<u32> = sides.iter().map(|&side| bits_for(side)).collect();
        let mut encoding = Self::offsets(&bits);
        // Below a side of any number the bits of a number are those of the coordinates.
        if !sides.iter().rev().skip(1).all(|side| side.is_power_of_two()) {
            encoding.sides[..sides.len()].copy_from_slice(sides);
        }
        encoding
    }

    /// The encoding where the `local_bits` at the bottom of an address are the terminal's number at
    /// its place.
    #[must_use]
    pub fn with_local(self, local_bits: u32) -> Self {
        Self { local_bits, ..self }
    }

    /// The bits of each coordinate, the lowest first; none where addresses are not seen by
    /// coordinates.
    pub fn coordinates(&self) -> impl Iterator<Item = u32> + Clone {
        self.coordinates.into_iter().map(u32::from).take_while(|&bits| bits > 0)
    }

    /// Whether addresses are seen by coordinates.
    pub fn is_by_offset(&self) -> bool {
        self.coordinates[0] > 0
    }

    /// Whether coordinates are looked up by the number of a place, as no bits of it are they.
    pub fn is_numbered(&self) -> bool {
        self.sides[0] > 0
    }

    /// Coordinates of a place side by side, the first lowest; 0 for a number that is no place's.
    pub fn coordinates_of(self, place: u64) -> u64 {
        if !self.is_numbered() {
            return place;
        }
        let (mut rest, mut all, mut low) = (place, 0, 0);
        for (bits, side) in self.coordinates().zip(self.sides) {
            all |= (rest % u64::from(side)) << low;
            (rest, low) = (rest / u64::from(side), low + bits);
        }
        if rest == 0 { all } else { 0 }
    }

    /// Bits of an address.
    pub fn address_bits(self) -> u32 {
        self.local_bits + self.place_address_bits()
    }

    /// Bits of an address that say the place.
    pub fn place_address_bits(self) -> u32 {
        match self.is_numbered() {
            true => bits_for(self.sides.into_iter().take_while(|&side| side > 0).product()),
            false => self.seen_bits(),
        }
    }

    /// Bits of a place that are seen, as they are or by coordinates.
    fn seen_bits(self) -> u32 {
        self.difference_bits + self.plain_bits + self.coordinates().sum::<u32>()
    }

    /// Bits of the source's own place that count, the lowest of them.
    pub fn source_bits(self) -> u32 {
        self.difference_bits + self.coordinates().sum::<u32>()
    }

    /// Bits of a source's address that the encoding depends on.
    pub fn of_source(self, source: Terminal) -> u64 {
        let place = u64::from(source.0) >> self.local_bits;
        self.coordinates_of(place) & low_bits(self.source_bits())
    }

    /// Bits of what is seen of an address.
    pub fn bits(self) -> u32 {
        self.place_bits() + self.local_bits
    }

    /// Bits of what is seen of the place.
    pub fn place_bits(self) -> u32 {
        self.seen_bits() + self.coordinates().count() as u32
    }

    /// Encoding of a destination as seen from a source.
    pub fn of(self, source: Terminal, destination: Terminal) -> u64 {
        let place = |terminal: Terminal| u64::from(terminal.0) >> self.local_bits;
        let local = u64::from(destination.0) & low_bits(self.local_bits);
        local << self.place_bits() | self.of_place(place(source), place(destination))
    }

    /// Encoding of a place.
    fn of_place(self, from: u64, to: u64) -> u64 {
        if !self.is_by_offset() {
            return to ^ from & low_bits(self.difference_bits);
        }
        let [from, to] = [from, to].map(|place| self.coordinates_of(place));
        let (mut seen, mut place, mut low) = (0, 0, 0);
        for bits in self.coordinates() {
            let coordinate = |address: u64| address >> low & low_bits(bits);
            let offset = coordinate(to).wrapping_sub(coordinate(from)) & low_bits(bits + 1);
            seen |= offset << place;
            (place, low) = (place + bits + 1, low + bits);
        }
        seen
    }
}

/// A field of the header by table from what is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldTable {
    /// Name of the field: a Verilog identifier.
    pub name: &'static str,
    /// The lowest bit of what is seen of the place that counts.
    pub low: u32,
    /// Number of index bits that count.
    pub index_bits: u32,
    /// Width of the field.
    pub bits: u32,
    /// 2^index_bits values.
    pub rows: Vec<u64>,
}

/// Use that a source makes of the draw of a packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// The packet goes to another terminal first: the header is the one that leads there, and from
    /// bit `low` up the one from there to the destination.
    Between {
        /// Intermediate terminal.
        via: Via,
        /// The lowest bit of the second header.
        low: u32,
        /// Injection of the second header, as if the packet were injected there.
        second: Box<Injection>,
    },
    /// The tables go by it, too: in their index it stands above what is seen of the place.
    Index {
        /// Width of the draw, in bits.
        bits: u32,
    },
    /// The draw stands in the header as it is.
    Field {
        /// Lowest header bit of the draw.
        low: u32,
        /// Width of the draw, in bits.
        bits: u32,
    },
}

/// Rule by which a source makes a header: from bit 0 up the encoding of the destination's place,
/// unless only tables need it, then the fields by table, and above them the terminal's number at
/// its place, where a place has several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injection {
    /// Encoding of the destination.
    pub view: DestinationEncoding,
    /// Whether the header begins with that.
    pub keeps_view: bool,
    /// The fields above them.
    pub fields: Vec<FieldTable>,
    /// Whether a register stands between the terminal and the tables, so that they never share
    /// a clock cycle with the user's logic. Costs one cycle of latency.
    pub registered: bool,
    /// The lowest header bit of the terminal's number at its place, above the fields; of no account
    /// where a place has one terminal.
    pub local_at: u32,
    /// Draw of each packet and its use; `None` where the source draws nothing.
    pub drawn: Option<Drawn>,
}

impl Injection {
    /// Injection whose header is the encoding alone.
    pub fn plain(view: DestinationEncoding) -> Self {
        let (fields, registered, local_at, drawn) = (Vec::new(), false, 0, None);
        Self { view, keeps_view: true, fields, registered, local_at, drawn }
    }

    /// The destination less the source modulo `nodes`, as a field of this name: the same for all
    /// sources.
    pub fn modulo(name: &'static str, nodes: u32) -> Self {
        let bits = bits_for(nodes);
        let view = DestinationEncoding::offsets(&[bits]);
        let row = |seen: i64| {
            // Two's complement.
            let offset = if seen >> bits == 0 { seen } else { seen - (2 << bits) };
            offset.rem_euclid(nodes.into()) as u64
        };
        Self::by_table(name, view, bits, (0..2 << bits).map(row).collect())
    }

    /// The whole header as one field, by table from all that is seen.
    pub fn by_table(
        name: &'static str,
        view: DestinationEncoding,
        bits: u32,
        rows: Vec<u64>,
    ) -> Self {
        let field = FieldTable { name, low: 0, index_bits: view.bits(), bits, rows };
        Self { keeps_view: false, fields: vec![field], registered: true, ..Self::plain(view) }
    }

    /// Injection by the destination's address, of `address_bits` bits; the header is 0 for an
    /// address that is not below `terminals`.
    pub fn by_address(
        name: &'static str,
        address_bits: u32,
        bits: u32,
        terminals: u32,
        header: impl Fn(Terminal) -> Header,
    ) -> Self {
        let row = |address| if address < terminals { header(Terminal(address)) } else { 0 };
        let rows = (0..1 << address_bits).map(row).collect();
        Self::by_table(name, DestinationEncoding::plain(address_bits), bits, rows)
    }

    /// Whether a header is the same for every pair of one source XOR destination.
    pub fn is_by_difference(&self) -> bool {
        let via = match &self.drawn {
            Some(Drawn::Between { via, .. }) => via.is_by_difference(),
            _ => true,
        };
        via && self.view.plain_bits == 0 && !self.view.is_by_offset()
    }

    /// The header of a packet of this draw.
    pub fn header(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let local_bits = self.view.local_bits;
        let local = u64::from(destination.0) & low_bits(local_bits);
        let [from, to] = [source, destination].map(|end| Terminal(end.0 >> local_bits));
        let header = match &self.drawn {
            None => self.leg(from, to, Draw::NONE),
            Some(Drawn::Index { .. }) => self.leg(from, to, draw),
            Some(Drawn::Between { via, low, second }) => {
                let between = via.terminal(from, to, draw);
                let first = self.leg(from, between, Draw::NONE);
                first | second.leg(between, to, Draw::NONE) << low
            }
            Some(Drawn::Field { low, .. }) => {
                self.leg(from, to, Draw::NONE) | u64::from(draw.0) << low
            }
        };
        header | local << self.local_at
    }

    /// Header that leads from one place to another, by a draw where tables go by one.
    fn leg(&self, from: Terminal, to: Terminal, draw: Draw) -> Header {
        let place = self.view.of_place(from.0.into(), to.0.into());
        let seen = place | u64::from(draw.0) << self.view.place_bits();
        let mut low = self.fields_at();
        let mut header = if self.keeps_view { place } else { 0 };
        for field in &self.fields {
            let index = seen >> field.low & low_bits(field.index_bits);
            header |= field.rows[index as usize] << low;
            low += field.bits;
        }
        header
    }

    /// The lowest bit of the first field.
    pub fn fields_at(&self) -> u32 {
        if self.keeps_view { self.view.place_bits() } else { 0 }
    }

    /// The bits above the fields.
    pub fn fields_end(&self) -> u32 {
        self.fields_at() + self.fields.iter().map(|field| field.bits).sum::<u32>()
    }

    /// Width of the header.
    pub fn bits(&self) -> u32 {
        match self.view.local_bits {
            0 => match &self.drawn {
                None | Some(Drawn::Index { .. }) => self.fields_end(),
                Some(Drawn::Between { low, second, .. }) => low + second.bits(),
                Some(Drawn::Field { low, bits }) => low + bits,
            },
            bits => self.local_at + bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_above_what_is_seen() {
        let view = DestinationEncoding::new(2, 1);
        assert_eq!(view.of(Terminal(0b101), Terminal(0b110)), 0b111);
        let rows = vec![0, 2];
        let field = FieldTable { name: "field", low: 2, index_bits: 1, bits: 2, rows };
        let fields = vec![field];
        let mut injection = Injection { fields, ..Injection::plain(view) };
        assert_eq!(
            (injection.bits(), injection.header(Terminal(5), Terminal(6), Draw::NONE)),
            (5, 0b10_111)
        );
        assert_eq!(injection.header(Terminal(5), Terminal(2), Draw::NONE), 0b00_011);
        injection.keeps_view = false;
        assert_eq!(
            (injection.bits(), injection.header(Terminal(5), Terminal(6), Draw::NONE)),
            (2, 0b10)
        );
    }

    #[test]
    fn a_terminals_number_at_its_place_is_seen_as_it_is() {
        let view = DestinationEncoding::difference(2).with_local(1);
        let at = |place: u32, local: u32| Terminal(place << 1 | local);
        assert_eq!((view.address_bits(), view.source_bits(), view.bits()), (3, 2, 3));
        assert_eq!(view.of_source(at(0b10, 1)), 0b10);
        assert_eq!(view.of(at(0b10, 1), at(0b01, 0)), 0b011);
        assert_eq!(view.of(at(0b10, 0), at(0b10, 1)), 0b100);
        // Above the fields in the header.
        let field =
            FieldTable { name: "field", low: 0, index_bits: 2, bits: 1, rows: vec![0, 0, 0, 1] };
        let injection = Injection { fields: vec![field], local_at: 4, ..Injection::plain(view) };
        assert_eq!((injection.fields_end(), injection.bits()), (3, 5));
        assert_eq!(injection.header(at(0b10, 0), at(0b01, 1), Draw::NONE), 0b1_0111);
    }

    #[test]
    fn differences_modulo_any_number_of_nodes() {
        for nodes in [2, 3, 5, 8, 13] {
            let injection = Injection::modulo("distance", nodes);
            for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                let around = (0..nodes).find(|further| (from + further) % nodes == to).unwrap();
                assert_eq!(
                    injection.header(Terminal(from), Terminal(to), Draw::NONE),
                    around.into()
                );
            }
        }
    }

    #[test]
    fn offsets_are_in_twos_complement() {
        let view = DestinationEncoding::offsets(&[2, 1]);
        assert_eq!((view.address_bits(), view.bits(), view.source_bits()), (3, 5, 3));
        // From (3, 0) to (1, 1): -2 and 1. From (0, 1) to (3, 0): 3 and -1.
        assert_eq!(view.of(Terminal(0b0_11), Terminal(0b1_01)), 0b01_110);
        assert_eq!(view.of(Terminal(0b1_00), Terminal(0b0_11)), 0b11_011);
    }

    /// Offsets on grids of any sides: those of the coordinates, however these stand in an address.
    #[test]
    fn offsets_on_a_grid_are_those_of_coordinates() {
        for (sides, is_numbered, address_bits, bits) in [
            (&[4, 2][..], false, 3, 5),
            (&[4, 3], false, 4, 6),
            (&[5], false, 3, 4),
            (&[3, 4], true, 4, 6),
            (&[3, 3, 2], true, 5, 8),
            (&[10, 10], true, 7, 10),
        ] {
            let view = DestinationEncoding::offsets_on(sides);
            assert_eq!((view.is_numbered(), view.is_by_offset()), (is_numbered, true));
            assert_eq!((view.address_bits(), view.bits()), (address_bits, bits), "{sides:?}");
            let nodes: u32 = sides.iter().product();
            for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                let (mut wanted, mut stride, mut low) = (0, 1, 0);
                for &side in sides {
                    let [from, to] = [from, to].map(|place| i64::from(place / stride % side));
                    let width = bits_for(side) + 1;
                    wanted |= ((to - from).cast_unsigned() & low_bits(width)) << low;
                    (stride, low) = (stride * side, low + width);
                }
                assert_eq!(view.of(Terminal(from), Terminal(to)), wanted, "{sides:?}: {from} {to}");
            }
        }
    }
}
