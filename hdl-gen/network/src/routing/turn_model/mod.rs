//! Turn models: adaptive routing on meshes of two dimensions on one virtual channel. A model
//! forbids some turns, in each column of the mesh, so few that every packet still has a shortest
//! path and so many that channels never wait for each other in a cycle (Glass and Ni, The Turn Model
//! for Adaptive Routing, Journal of the ACM 41(5), 1994).
//!
//! A packet may take every hop of a shortest path from whose end it still gets to its destination
//! without a turn that the model forbids. There are no escape channels: that no cycle is left is
//! seen of each mesh, from the turns that packets take. One model, its turns and no more, is one
//! file.
//!
//! East is `x_plus`, west `x_minus`, north `y_plus`, south `y_minus`: rows and columns count as the
//! papers' do.

pub mod negative_first;
pub mod north_last;
pub mod odd_even;
pub mod west_first;

use super::choice::{ADAPTIVE_VC, Choice, Choices, ChosenWay, Opens};
use super::dimension_order;
use super::grid_header::GridHeader;
use super::{
    Built, ChannelOrder, Condition, Draw, Header, HeaderUpdate, Hop, Injection, Input, Output,
    Relation, RouteLogic, RoutingError, RoutingFunction, Select, Vc, low_bits,
};
use crate::topology::grid::{Direction, Grid};
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;

/// To higher X: `x_plus`.
pub const EAST: Direction = Direction { dimension: X, minus: false };
/// To lower X: `x_minus`.
pub const WEST: Direction = Direction { dimension: X, minus: true };
/// To higher Y: `y_plus`.
pub const NORTH: Direction = Direction { dimension: Y, minus: false };
/// To lower Y: `y_minus`.
pub const SOUTH: Direction = Direction { dimension: Y, minus: true };

const X: usize = 0;
const Y: usize = 1;

/// The direction in which a packet travels, and that in which it goes on.
pub type Turn = (Direction, Direction);

/// The turns that a model forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// Turns in columns of even X.
    pub even: &'static [Turn],
    /// Turns in columns of odd X.
    pub odd: &'static [Turn],
}

/// A turn model on one mesh.
#[derive(Debug)]
struct TurnModel {
    forbidden: Forbidden,
    headers: GridHeader,
}

/// The relation that forbids these turns, on a mesh. Whether it leaves no cycle is not looked at.
///
/// # Errors
/// [`RoutingError`] for a mesh of other than two dimensions.
///
/// # Panics
/// For what is no mesh.
pub fn turn_model(name: &'static str, forbidden: Forbidden, topology: &dyn Topology) -> Built {
    let grid = Grid::of_topology(topology).expect("turn models are of meshes");
    let (only, dimensions) = (2, grid.sides().len());
    if dimensions != only {
        let (topology, instead) = (topology.name(), dimension_order::KIND.name);
        return Err(RoutingError::Dimensions { name, topology, only, dimensions, instead });
    }
    let headers = GridHeader::of(grid);
    let mut legend = headers.legend();
    legend.push("Packets choose among the outputs that are open; no escape channels.".into());
    let order = ChannelOrder::by_number(topology.ports());
    let parts = Arc::new(TurnModel { forbidden, headers });
    let relation = Relation::new(name, order, legend, Arc::clone(&parts));
    Ok(relation.with_uniform_headers(true).with_choices(parts, false))
}

impl TurnModel {
    /// Whether a packet may turn, in an odd column or an even one.
    fn allows(&self, odd: bool, from: Direction, to: Direction) -> bool {
        let forbidden = if odd { self.forbidden.odd } else { self.forbidden.even };
        !forbidden.contains(&(from, to))
    }

    /// Whether a packet may go on in a direction, by how it came.
    fn begins(&self, odd: bool, input: Input, to: Direction) -> bool {
        let came = GridHeader::came(input).filter(|came| came.dimension != to.dimension);
        came.is_none_or(|came| self.allows(odd, came, to))
    }

    /// Whether a packet that goes on in one direction can go on in another later, as it has to. It
    /// has `columns` to go along X.
    fn goes_on(&self, odd: bool, to: Direction, later: Direction, columns: u64) -> bool {
        if to.dimension == Y {
            return self.allows(odd, to, later);
        }
        // All the way along Y in one of the columns ahead, and on along X unless it is the last.
        (1..=columns).any(|on| {
            let ahead = odd ^ (on % 2 == 1);
            self.allows(ahead, to, later) && (on == columns || self.allows(ahead, later, to))
        })
    }

    /// Fewest columns to go with which a packet can still turn, as hardware asks for it. Columns
    /// alternate, so a turn that two columns do not allow is not allowed by more.
    fn least_columns(&self, odd: bool, to: Direction, later: Direction) -> Option<u64> {
        (1..=2).find(|&columns| self.goes_on(odd, to, later, columns))
    }

    fn is_odd(&self, node: Node) -> bool {
        !self.headers.grid().coordinate(node, X).is_multiple_of(2)
    }

    /// The hops that a packet may take, the best liked first.
    fn open(&self, node: Node, input: Input, header: Header) -> impl Iterator<Item = Hop> {
        let (odd, onward) =
            (self.is_odd(node), move |d| self.headers.onward(node, d, input, header));
        let columns = self.headers.distance(X, header);
        self.headers.order(input).filter_map(move |dimension| {
            let to = onward(dimension)?;
            let later = onward(X + Y - dimension);
            let arrives = later.is_none_or(|later| self.goes_on(odd, to, later, columns));
            let open = arrives && self.begins(odd, input, to);
            let (output, vc) = (Output::Network(to.port()), ADAPTIVE_VC);
            open.then(|| Hop { output, vc, header: self.headers.after(to.port(), header) })
        })
    }

    /// Conditions that open a direction, where `when` says that the packet has to go there: nothing
    /// else is left to do, or can be done later.
    fn opens(&self, node: Node, input: Input, to: Direction, when: Condition) -> Vec<Condition> {
        let odd = self.is_odd(node);
        let other = X + Y - to.dimension;
        let later = self.headers.directions(node, other, input);
        let least = later.iter().map(|&(later, _)| self.least_columns(odd, to, later));
        let least: Vec<Option<u64>> = least.collect();
        if least.iter().all(|&least| least == Some(1)) {
            return vec![when];
        }
        let mut conditions = vec![when.and_value(self.headers.far(other), 0)];
        for ((_, is_later), least) in later.into_iter().zip(least) {
            let any = match least {
                None => 0,
                Some(1) => when.any,
                // Two columns or more: a bit of the distance above its lowest is set.
                Some(_) => when.any & (when.any - 1),
            };
            if any != 0 {
                conditions.push(when.and_value(is_later.care, is_later.value).and_any(any));
            }
        }
        conditions
    }
}

impl Choices for TurnModel {
    fn hops(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Vec<Hop> {
        self.open(node, input, header).collect()
    }
    fn choice(&self, node: Node, input: Input, _vc: Vc) -> Choice {
        let odd = self.is_odd(node);
        let directions =
            self.headers.order(input).flat_map(|d| self.headers.directions(node, d, input));
        let way = |(to, when): (Direction, Condition)| ChosenWay {
            when: Opens::On(self.opens(node, input, to, when)),
            ..ChosenWay::on(when, to.port())
        };
        let ways = directions.filter(|&(to, _)| self.begins(odd, input, to)).map(way);
        Choice { ways: ways.collect(), all_if: None }
    }
}

impl RoutingFunction for TurnModel {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        self.headers.inject(source, destination)
    }
    fn hop(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        let best = self.open(node, input, header).next();
        best.unwrap_or(Hop { output: Output::EJECT, vc: Vc(0), header: 0 })
    }
}

impl RouteLogic for TurnModel {
    fn header_bits(&self, _input: Input) -> u32 {
        self.headers.bits()
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.headers.injection(source)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.choice(node, input, vc).select()
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        self.headers.carry(output, low_bits(self.headers.bits()))
    }
}
