//! Kinds of values: values of a netlist that are alike.

use crate::eval::flatten::Flat;
use crate::eval::program::Op;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Key by which values are of one kind; numbers are kinds themselves, or what a kind needs to
/// differ.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Kind<'a> {
    /// A scope: its parent's kind and place in it, and its module.
    Scope(u32, u32, &'a str),
    /// A value that nothing else is like.
    Single(u32),
    Constant(u64),
    /// A net, and which slot of it.
    Net(u32, u32, u32),
    /// A constant in a net, or a value of another unit: which of them, how many operations
    /// make it, and whether it has one bit.
    Number(u32, u32, u32, (u32, bool)),
    /// Bits of a net that is an input of the top.
    Input(u32, u8),
    /// A memory, which slot of its words, and slots from one word to the next: instances of one
    /// module may have words of unlike widths.
    Memory(u32, u32, u32, u32),
    /// An operation, its number, its operands, and whether it has one bit.
    Made(Op, u8, u32, [u32; 3], bool),
}

/// Kinds by number.
pub(super) struct Kinds<'a>(FxHashMap<Kind<'a>, u32>);

impl<'a> Kinds<'a> {
    pub fn with_room(kinds: usize) -> Self {
        Self(FxHashMap::with_capacity_and_hasher(kinds, FxBuildHasher))
    }

    /// The number of a kind.
    pub fn of(&mut self, kind: Kind<'a>) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(kind).or_insert(next)
    }
}

/// A module that is placed so often is a unit; one that is not is looked into.
const OFTEN: u32 = 8;

/// By scope: its kind, and the number of the unit that it is in, 0 for what is above them.
pub(super) fn units<'a>(flat: &'a Flat<'a>, kinds: &mut Kinds<'a>) -> Vec<(u32, u32)> {
    let mut placed: FxHashMap<&str, u32> = FxHashMap::default();
    let mut places = vec![0; flat.scopes.len()];
    for scope in &flat.scopes {
        *placed.entry(&scope.module.name).or_default() += 1;
        (0..).zip(&scope.children).for_each(|(place, &child)| places[child] = place);
    }
    let mut found: Vec<(u32, u32)> = Vec::with_capacity(flat.scopes.len());
    for (i, scope) in (0..).zip(&flat.scopes) {
        let module = &*scope.module.name;
        let around = scope.parent.map(|parent| found[parent]).filter(|&(_, unit)| unit > 0);
        found.push(match around {
            Some((above, unit)) => (kinds.of(Kind::Scope(above, places[i as usize], module)), unit),
            None if placed[module] >= OFTEN => (kinds.of(Kind::Scope(u32::MAX, 0, module)), i + 1),
            None => (kinds.of(Kind::Scope(i, u32::MAX, module)), 0),
        });
    }
    found
}
