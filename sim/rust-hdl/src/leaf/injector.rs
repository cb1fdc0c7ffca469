//! Injector of a hypercube with `ecube` in rust-hdl's own language: the header of a packet is its source XOR its
//! destination, which counts on the packet's first flit alone.

use super::side_by_side::{ClockAndReset, Drive, Leaf, Show, all_if};
use rust_hdl::core::prelude::*;
use rust_hdl::widgets::prelude::*;

/// Injector of a cube of `K` dimensions for flits of `W` bits, the highest of which marks the last.
#[derive(LogicBlock)]
pub struct Injector<const K: usize, const W: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Reset, synchronous: the next flit is a packet's first.
    pub reset: Signal<In, Bit>,
    /// Address of the terminal.
    pub address: Signal<In, Bits<K>>,
    /// Whether the terminal offers a flit.
    pub in_valid: Signal<In, Bit>,
    /// Whether it is taken.
    pub in_ready: Signal<Out, Bit>,
    /// Destination of a packet, on its first flit.
    pub in_dest: Signal<In, Bits<K>>,
    /// Flit offered.
    pub in_flit: Signal<In, Bits<W>>,
    /// Whether the injection queue is offered a flit.
    pub out_valid: Signal<Out, Bit>,
    /// Whether the injection queue has room.
    pub out_ready: Signal<In, Bit>,
    /// Bits that the packet has still to correct.
    pub out_header: Signal<Out, Bits<K>>,
    /// Flit for the injection queue.
    pub out_flit: Signal<Out, Bits<W>>,
    /// Header of the packet that is under way.
    header: DFF<Bits<K>>,
    under_way: DFF<Bit>,
    taken: Signal<Local, Bit>,
    last: Constant<Bits<16>>,
    fault: Constant<Bits<6>>,
}

impl<const K: usize, const W: usize> Injector<K, W> {
    /// Faults that can be put in: their numbers are their places here.
    pub const FAULTS: [&str; 6] = [
        "the header follows the destination of every flit",
        "the header is the destination",
        "a packet's last flit is not noticed",
        "a flit that waits opens its packet",
        "the reset leaves the packet under way",
        "ready says that no flit is under way",
    ];

    /// Injector without a fault, or with one of [`Self::FAULTS`].
    pub fn new(fault: Option<usize>) -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            address: Signal::default(),
            in_valid: Signal::default(),
            in_ready: Signal::default(),
            in_dest: Signal::default(),
            in_flit: Signal::default(),
            out_valid: Signal::default(),
            out_ready: Signal::default(),
            out_header: Signal::default(),
            out_flit: Signal::default(),
            header: DFF::default(),
            under_way: DFF::default(),
            taken: Signal::default(),
            last: Constant::new(((W - 1) as LiteralType).into()),
            fault: super::fault(fault),
        }
    }
}

impl<const K: usize, const W: usize> Logic for Injector<K, W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, header, under_way);
        self.in_ready.next = self.out_ready.val();
        self.out_valid.next = self.in_valid.val();
        self.out_flit.next = self.in_flit.val();
        if self.under_way.q.val() & !self.fault.val().get_bit(0) {
            self.out_header.next = self.header.q.val();
        } else {
            self.out_header.next = self.address.val() ^ self.in_dest.val();
            if self.fault.val().get_bit(1) {
                self.out_header.next = self.in_dest.val();
            }
        }
        if self.fault.val().get_bit(5) {
            self.in_ready.next = self.out_ready.val() & !self.under_way.q.val();
        }
        self.taken.next = self.in_valid.val() & self.in_ready.val();
        if self.fault.val().get_bit(3) {
            self.taken.next = self.in_valid.val();
        }
        if self.taken.val() {
            self.header.d.next = self.out_header.val();
            self.under_way.d.next = !self.in_flit.val().get_bit(self.last.val().index());
            if self.fault.val().get_bit(2) {
                self.under_way.d.next = true;
            }
        }
        if self.reset.val() & !self.fault.val().get_bit(4) {
            self.under_way.d.next = false;
        }
    }
}

impl<const K: usize, const W: usize> Leaf for Injector<K, W> {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        Some((&mut self.clock, &mut self.reset))
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        vec![
            ("address".to_owned(), &mut self.address),
            ("in_valid".to_owned(), &mut self.in_valid),
            ("in_dest".to_owned(), &mut self.in_dest),
            ("in_flit".to_owned(), &mut self.in_flit),
            ("out_ready".to_owned(), &mut self.out_ready),
        ]
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        vec![
            ("in_ready".to_owned(), &self.in_ready),
            ("out_valid".to_owned(), &self.out_valid),
            ("out_header".to_owned(), &self.out_header),
            ("out_flit".to_owned(), &self.out_flit),
        ]
    }

    /// Header and flit may be anything where none is valid.
    fn counts(&self, output: &str) -> u64 {
        all_if(!["out_header", "out_flit"].contains(&output) || self.out_valid.val())
    }
}
