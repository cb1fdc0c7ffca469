//! Multiplexer of the hardware contract in rust-hdl's own language.

use super::side_by_side::{ClockAndReset, Drive, Leaf, Show, all_if};
use rust_hdl::core::prelude::*;

/// Multiplexer over `N` sources of `W` bits by a one-hot select.
#[derive(LogicBlock)]
pub struct Mux<const N: usize, const W: usize> {
    /// Source that is selected, at most one bit set.
    pub select: Signal<In, Bits<N>>,
    /// Words of the sources.
    pub sources: [Signal<In, Bits<W>>; N],
    /// Word of the selected source.
    pub out: Signal<Out, Bits<W>>,
    fault: Constant<Bits<6>>,
}

impl<const N: usize, const W: usize> Mux<N, W> {
    /// Faults that can be put in: their numbers are their places here.
    pub const FAULTS: [&str; 3] = [
        "the first two sources are exchanged",
        "the second source has no AND",
        "the first source is taken for each other",
    ];

    /// Multiplexer without a fault, or with one of [`Self::FAULTS`].
    pub fn new(fault: Option<usize>) -> Self {
        Self {
            select: Signal::default(),
            sources: std::array::from_fn(|_| Signal::default()),
            out: Signal::default(),
            fault: super::fault(fault),
        }
    }
}

impl<const N: usize, const W: usize> Logic for Mux<N, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.out.next = 0.into();
        for i in 0..N {
            if self.select.val().get_bit(i) {
                self.out.next = self.sources[i].val();
            }
        }
        if self.fault.val().get_bit(0) & self.select.val().get_bit(0) {
            self.out.next = self.sources[1].val();
        }
        if self.fault.val().get_bit(0) & self.select.val().get_bit(1) {
            self.out.next = self.sources[0].val();
        }
        if self.fault.val().get_bit(1) {
            self.out.next = self.out.val() | self.sources[1].val();
        }
        if self.fault.val().get_bit(2) & !self.select.val().get_bit(0) {
            self.out.next = self.sources[0].val();
        }
    }
}

impl<const N: usize, const W: usize> Leaf for Mux<N, W> {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        None
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        let select: (String, &mut dyn Drive) = ("select".to_owned(), &mut self.select);
        let sources = self.sources.iter_mut().enumerate();
        let sources = sources.map(|(i, source)| (format!("in{i}"), source as &mut dyn Drive));
        std::iter::once(select).chain(sources).collect()
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        vec![("out".to_owned(), &self.out)]
    }

    /// A multiplexer whose select is 0 may show anything.
    fn counts(&self, _output: &str) -> u64 {
        all_if(self.select.val().any())
    }
}
