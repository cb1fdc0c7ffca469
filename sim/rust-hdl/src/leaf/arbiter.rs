//! Round-robin arbiter of the hardware contract in rust-hdl's own language: the last owner's number in binary, and two
//! searches upwards, one over all requests and one over those above the owner. The netlist's has the owner one-hot
//! and a sum of products per grant.

use super::side_by_side::{ClockAndReset, Drive, Leaf, Show};
use rust_hdl::core::prelude::*;
use rust_hdl::widgets::prelude::*;

/// Arbiter over `N` requests; `B` bits hold the number `N`.
#[derive(LogicBlock)]
pub struct Arbiter<const N: usize, const B: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Reset, synchronous: the first search after it starts at request 0, and nothing is held.
    pub reset: Signal<In, Bit>,
    /// Requests, a bit each.
    pub request: Signal<In, Bits<N>>,
    /// Whether the granted flit leaves and is its packet's last.
    pub done: Signal<In, Bit>,
    /// Grants, a bit each, at most one of them set.
    pub grant: Signal<Out, Bits<N>>,
    owner: DFF<Bits<B>>,
    held: DFF<Bit>,
    any: Signal<Local, Bit>,
    lowest: Signal<Local, Bits<B>>,
    any_above: Signal<Local, Bit>,
    lowest_above: Signal<Local, Bits<B>>,
    choice: Signal<Local, Bits<B>>,
    chosen: Signal<Local, Bit>,
    last: Constant<Bits<B>>,
    fault: Constant<Bits<6>>,
}

impl<const N: usize, const B: usize> Arbiter<N, B> {
    /// Faults that can be put in: their numbers are their places here.
    pub const FAULTS: [&str; 6] = [
        "a choice is not held",
        "the lowest request wins always",
        "the search starts at the owner",
        "the reset leaves the owner",
        "the reset leaves the choice held",
        "the end of a packet of one flit is not noticed",
    ];

    /// Arbiter without a fault, or with one of [`Self::FAULTS`].
    pub fn new(fault: Option<usize>) -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            request: Signal::default(),
            done: Signal::default(),
            grant: Signal::default(),
            owner: DFF::default(),
            held: DFF::default(),
            any: Signal::default(),
            lowest: Signal::default(),
            any_above: Signal::default(),
            lowest_above: Signal::default(),
            choice: Signal::default(),
            chosen: Signal::default(),
            last: Constant::new(((N - 1) as LiteralType).into()),
            fault: super::fault(fault),
        }
    }
}

impl<const N: usize, const B: usize> Logic for Arbiter<N, B> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, owner, held);
        // The next request after the owner's is the lowest above it, or else the lowest of all.
        self.any.next = false;
        self.lowest.next = 0.into();
        self.any_above.next = false;
        self.lowest_above.next = 0.into();
        for i in 0..N {
            if self.request.val().get_bit(i) & !self.any.val() {
                self.any.next = true;
                self.lowest.next = i.to_bits();
            }
            if self.request.val().get_bit(i)
                & !self.any_above.val()
                & ((self.owner.q.val() < i.to_bits())
                    | (self.fault.val().get_bit(2) & (self.owner.q.val() == i.to_bits())))
            {
                self.any_above.next = true;
                self.lowest_above.next = i.to_bits();
            }
        }
        self.chosen.next = self.any.val();
        self.choice.next = self.lowest.val();
        if self.any_above.val() & !self.fault.val().get_bit(1) {
            self.choice.next = self.lowest_above.val();
        }
        // While a packet is on the way, only its request counts.
        if self.held.q.val() & !self.fault.val().get_bit(0) {
            self.chosen.next = self.request.val().get_bit(self.owner.q.val().index());
            self.choice.next = self.owner.q.val();
        }
        self.grant.next = 0.into();
        for i in 0..N {
            if self.chosen.val() & (self.choice.val() == i.to_bits()) {
                self.grant.next = self.grant.val().replace_bit(i, true);
            }
        }
        if self.chosen.val() {
            self.owner.d.next = self.choice.val();
            self.held.d.next = !self.done.val();
            if self.fault.val().get_bit(5) & !self.held.q.val() {
                self.held.d.next = true;
            }
        }
        if self.reset.val() {
            if !self.fault.val().get_bit(3) {
                self.owner.d.next = self.last.val();
            }
            if !self.fault.val().get_bit(4) {
                self.held.d.next = false;
            }
        }
    }
}

impl<const N: usize, const B: usize> Leaf for Arbiter<N, B> {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        Some((&mut self.clock, &mut self.reset))
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        vec![("request".to_owned(), &mut self.request), ("done".to_owned(), &mut self.done)]
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        vec![("grant".to_owned(), &self.grant)]
    }

    fn counts(&self, _output: &str) -> u64 {
        u64::MAX
    }
}
