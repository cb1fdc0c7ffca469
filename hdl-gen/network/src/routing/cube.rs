//! Frame of all oblivious shortest-path relations on the hypercube.
//!
//! A packet's header holds the bits still to be corrected: source XOR destination, made once at
//! injection; each hop clears the bit that it crosses. So no switch knows its own address, and
//! every node is an instance of one module.

use super::{
    ChannelOrder, DestinationEncoding, Draw, FieldTable, Header, HeaderUpdate, Hop, Injection,
    Input, Output, Relation, RouteLogic, RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::{Node, Port, Terminal};
use std::sync::Arc;

/// One routing scheme on the cube: what a new relation has to say.
pub trait CubeScheme: Send + Sync + std::fmt::Debug {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The definition: the dimension to cross next, from the bits still to be corrected
    /// (`difference`, not 0) alone.
    fn next(&self, dimension: u32, difference: u64) -> u32;
    /// Order of the dimensions for a packet that came in by `dim<crossed>`: that in which the port
    /// looks for a bit that is still set.
    fn order(&self, dimension: u32, crossed: u32) -> Vec<u32>;
    /// Rule by which injection finds the first dimension.
    fn injection(&self) -> CubeInjection;
    /// The dimensions in the order in which routes travel, up to one wrap.
    fn travel(&self, dimension: u32) -> Vec<u32>;
}

/// Rule by which a scheme's injection finds the first dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CubeInjection {
    /// The first bit set in this order of dimensions.
    Order(Vec<u32>),
    /// By table from the difference.
    Table {
        /// See [`Injection::registered`].
        registered: bool,
    },
}

/// A scheme on the cube of one dimension, as a [`Relation`].
#[derive(Debug)]
struct CubeRelation<S> {
    scheme: S,
    dimension: u32,
    /// First dimension by difference, where injection goes by table. Empty otherwise.
    first: Vec<u8>,
    inject_select: Select,
    port_select: Vec<Select>,
}

/// The scheme as a relation on the `dimension`-cube, 1 to 20.
pub fn cube_relation<S: CubeScheme + 'static>(scheme: S, dimension: u32) -> Relation {
    let (name, travel) = (scheme.name(), scheme.travel(dimension));
    let order = ChannelOrder::ports(travel.into_iter().map(|d| Port(d as u8)));
    let parts = CubeRelation::new(scheme, dimension);
    Relation::new(name, order, parts.legend(), Arc::new(parts))
}

impl<S: CubeScheme> CubeRelation<S> {
    fn new(scheme: S, dimension: u32) -> Self {
        let by_order =
            |order: Vec<u32>| Select::first_set(order.into_iter().map(|d| (d, Port(d as u8))));
        let (first, inject_select) = match scheme.injection() {
            CubeInjection::Order(order) => (Vec::new(), by_order(order)),
            CubeInjection::Table { .. } => {
                let first = |d| if d == 0 { 0 } else { scheme.next(dimension, d) as u8 };
                let rule = |d| Rule::bit(dimension + d, Port(d as u8));
                let rules = (0..dimension).map(rule).collect();
                let select = Select::FirstRule { rules, one_hot: true };
                ((0..1 << dimension).map(first).collect(), select)
            }
        };
        let port_select = (0..dimension).map(|d| by_order(scheme.order(dimension, d))).collect();
        Self { scheme, dimension, first, inject_select, port_select }
    }

    /// First port for a difference, one-hot, placed above the difference bits.
    fn first_port(&self, difference: u64) -> u64 {
        match difference {
            0 => 0,
            d => 1 << (self.dimension + u32::from(self.first[d as usize])),
        }
    }

    /// The header bits that may be set after a port: the bit that it crosses is cleared.
    fn left_after(&self, output: Port) -> Header {
        low_bits(self.dimension) & !(1 << output.0)
    }

    fn select_at(&self, input: Input) -> &Select {
        match input {
            Input::Inject(_) => &self.inject_select,
            Input::Network(port) => &self.port_select[usize::from(port.0)],
        }
    }
}

impl<S: CubeScheme> RoutingFunction for CubeRelation<S> {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        let difference = u64::from(source.0 ^ destination.0);
        match self.first.is_empty() {
            true => difference,
            false => difference | self.first_port(difference),
        }
    }
    fn hop(&self, _node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        let output = self.select_at(input).output(header);
        let header = match output {
            Output::Network(port) => header & self.left_after(port),
            Output::Eject(_) => 0,
        };
        Hop { output, vc: Vc(0), header }
    }
}

impl<S: CubeScheme> RouteLogic for CubeRelation<S> {
    fn header_bits(&self, input: Input) -> u32 {
        match input {
            Input::Inject(_) if !self.first.is_empty() => 2 * self.dimension,
            _ => self.dimension,
        }
    }
    fn injection(&self, _source: Terminal) -> Injection {
        let bits = self.dimension;
        let (fields, registered) = match self.scheme.injection() {
            CubeInjection::Order(_) => (Vec::new(), false),
            CubeInjection::Table { registered } => {
                let rows = (0..1 << bits).map(|d| self.first_port(d) >> bits).collect();
                let name = "first_port";
                (vec![FieldTable { name, low: 0, index_bits: bits, bits, rows }], registered)
            }
        };
        Injection { fields, registered, ..Injection::plain(DestinationEncoding::difference(bits)) }
    }
    fn select(&self, _node: Node, input: Input, _vc: Vc) -> Select {
        self.select_at(input).clone()
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::keeping(self.left_after(output))
    }
    fn oblivious_select(&self, _node: Node) -> Option<Select> {
        let way = |difference| match difference {
            0 => Output::EJECT.into(),
            d => Output::Network(Port(self.scheme.next(self.dimension, d) as u8)).into(),
        };
        let ways = (0..1 << self.dimension).map(way).collect();
        Some(Select::Table { low: 0, bits: self.dimension, ways })
    }
}

impl<S: CubeScheme> CubeRelation<S> {
    fn legend(&self) -> Vec<String> {
        let mut legend =
            vec!["Header bits per port: the bits still to be corrected, by number.".to_owned()];
        if !self.first.is_empty() {
            let (low, high) = (self.dimension, 2 * self.dimension - 1);
            legend.push(format!("Bits {high} to {low}, at inject: the first port, one-hot."));
        }
        legend
    }
}

/// The dimensions after `crossed`, downward and around (`crossed` itself left out).
pub fn downward_after(dimension: u32, crossed: u32) -> Vec<u32> {
    (1..dimension).map(|step| (crossed + dimension - step) % dimension).collect()
}

/// The dimensions after `crossed`, upward and around (`crossed` itself left out).
pub fn upward_after(dimension: u32, crossed: u32) -> Vec<u32> {
    (1..dimension).map(|step| (crossed + step) % dimension).collect()
}

/// Whether the two forms of a scheme agree: for every difference, the route by
/// [`CubeScheme::next`] alone and the route by [`CubeScheme::order`] downstream of injection
/// are the same. The first difference where they part is the error.
///
/// # Errors
/// The difference.
pub fn forms_agree(scheme: &impl CubeScheme, dimension: u32) -> Result<(), u64> {
    let orders: Vec<_> = (0..dimension).map(|d| scheme.order(dimension, d)).collect();
    for difference in 1..1u64 << dimension {
        let mut left = difference;
        let mut at = scheme.next(dimension, left);
        left &= !(1 << at);
        while left != 0 {
            let by_port = orders[at as usize].iter().copied().find(|d| left >> d & 1 == 1);
            if by_port != Some(scheme.next(dimension, left)) {
                return Err(difference);
            }
            at = scheme.next(dimension, left);
            left &= !(1 << at);
        }
    }
    Ok(())
}
