//! Queue of the hardware contract in rust-hdl's own language: words stay where they came, behind two binary pointers
//! and a binary count. The netlist's has a thermometer for its count, Gray pointers or a shift register.

use super::side_by_side::{ClockAndReset, Drive, Leaf, Show, all_if};
use rust_hdl::core::prelude::*;
use rust_hdl::widgets::prelude::*;

/// Queue of `DEPTH` words of type `D`; `P` bits hold the number `DEPTH`.
#[derive(LogicBlock)]
pub struct Fifo<D: Synth, const DEPTH: usize, const P: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Reset, synchronous: the queue is empty after it.
    pub reset: Signal<In, Bit>,
    /// Whether a word is offered.
    pub in_valid: Signal<In, Bit>,
    /// Whether there is room.
    pub in_ready: Signal<Out, Bit>,
    /// Word offered.
    pub in_data: Signal<In, D>,
    /// Whether the queue has a word.
    pub out_valid: Signal<Out, Bit>,
    /// Whether the oldest word is taken in this cycle.
    pub out_ready: Signal<In, Bit>,
    /// Oldest word.
    pub out_data: Signal<Out, D>,
    words: [DFF<D>; DEPTH],
    head: DFF<Bits<P>>,
    tail: DFF<Bits<P>>,
    count: DFF<Bits<P>>,
    /// Count of the cycle before, for the fault that delays words.
    before: DFF<Bits<P>>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    /// Words that fit.
    depth: Constant<Bits<P>>,
    last_place: Constant<Bits<P>>,
    fault: Constant<Bits<6>>,
}

impl<D: Synth, const DEPTH: usize, const P: usize> Fifo<D, DEPTH, P> {
    /// Faults that can be put in: their numbers are their places here.
    pub const FAULTS: [&str; 6] = [
        "room for a word less",
        "a word is taken in where there is no room",
        "the tail leaves out the last place",
        "the reset leaves the words",
        "a word is shown a cycle late",
        "ready where a word is just taken",
    ];

    /// Queue without a fault, or with one of [`Self::FAULTS`].
    pub fn new(fault: Option<usize>) -> Self {
        let number = |value: usize| Constant::new((value as LiteralType).into());
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            in_valid: Signal::default(),
            in_ready: Signal::default(),
            in_data: Signal::default(),
            out_valid: Signal::default(),
            out_ready: Signal::default(),
            out_data: Signal::default(),
            words: std::array::from_fn(|_| DFF::default()),
            head: DFF::default(),
            tail: DFF::default(),
            count: DFF::default(),
            before: DFF::default(),
            push: Signal::default(),
            pop: Signal::default(),
            depth: number(DEPTH),
            last_place: number(DEPTH - 1),
            fault: super::fault(fault),
        }
    }
}

impl<D: Synth, const DEPTH: usize, const P: usize> Logic for Fifo<D, DEPTH, P> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, count, before);
        for i in 0..DEPTH {
            self.words[i].clock.next = self.clock.val();
            self.words[i].d.next = self.words[i].q.val();
        }
        // What the ends see.
        self.in_ready.next = self.count.q.val() != self.depth.val();
        self.out_valid.next = self.count.q.val() != 0;
        if self.fault.val().get_bit(0) & (self.count.q.val() == self.last_place.val()) {
            self.in_ready.next = false;
        }
        if self.fault.val().get_bit(4) & (self.before.q.val() == 0) {
            self.out_valid.next = false;
        }
        if self.fault.val().get_bit(5) & self.out_ready.val() {
            self.in_ready.next = true;
        }
        self.out_data.next = self.words[0].q.val();
        for i in 0..DEPTH {
            if self.head.q.val() == i.to_bits() {
                self.out_data.next = self.words[i].q.val();
            }
        }
        self.push.next = self.in_valid.val() & self.in_ready.val();
        if self.fault.val().get_bit(1) {
            self.push.next = self.in_valid.val();
        }
        self.pop.next = self.out_ready.val() & self.out_valid.val();
        // A word that goes in stays at its place until it is overwritten.
        if self.push.val() {
            for i in 0..DEPTH {
                if self.tail.q.val() == i.to_bits() {
                    self.words[i].d.next = self.in_data.val();
                }
            }
            self.tail.d.next = self.tail.q.val() + 1;
            if self.tail.q.val() == self.last_place.val() {
                self.tail.d.next = 0.into();
            }
            if self.fault.val().get_bit(2) & (self.tail.q.val() + 1 == self.last_place.val()) {
                self.tail.d.next = 0.into();
            }
        }
        if self.pop.val() {
            self.head.d.next = self.head.q.val() + 1;
            if self.head.q.val() == self.last_place.val() {
                self.head.d.next = 0.into();
            }
        }
        if self.push.val() & !self.pop.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.pop.val() & !self.push.val() {
            self.count.d.next = self.count.q.val() - 1;
        }
        self.before.d.next = self.count.q.val();
        if self.reset.val() {
            self.head.d.next = 0.into();
            self.tail.d.next = 0.into();
            if !self.fault.val().get_bit(3) {
                self.count.d.next = 0.into();
            }
        }
    }
}

impl<const W: usize, const DEPTH: usize, const P: usize> Leaf for Fifo<Bits<W>, DEPTH, P> {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        Some((&mut self.clock, &mut self.reset))
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        vec![
            ("in_valid".to_owned(), &mut self.in_valid),
            ("in_data".to_owned(), &mut self.in_data),
            ("out_ready".to_owned(), &mut self.out_ready),
        ]
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        vec![
            ("in_ready".to_owned(), &self.in_ready),
            ("out_valid".to_owned(), &self.out_valid),
            ("out_data".to_owned(), &self.out_data),
        ]
    }

    /// An empty queue may show anything.
    fn counts(&self, output: &str) -> u64 {
        all_if(output != "out_data" || self.out_valid.val())
    }
}
