//! Switch of a 2-cube with `ecube` in rust-hdl's own language, made of the leaf modules here: a queue at each input, an
//! arbiter and a multiplexer where several of them meet.
//!
//! Flits have 8 bits of data, and the mark of the last above them. A packet corrects dimension 0 first. So it turns from
//! `inject` to `dim0`, `dim1` or `eject`, from `dim0` to `dim1` or `eject`, from `dim1` to `eject`.

use super::arbiter::Arbiter;
use super::fifo::Fifo;
use super::mux::Mux;
use super::side_by_side::{ClockAndReset, Drive, Leaf, Show, all_if};
use rust_hdl::core::prelude::*;

/// Switch of a 2-cube, with queues of four flits.
#[derive(LogicBlock)]
pub struct Switch {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Reset, synchronous.
    pub reset: Signal<In, Bit>,
    /// Whether the injector offers a flit.
    pub inject_in_valid: Signal<In, Bit>,
    /// Whether the injection queue has room.
    pub inject_in_ready: Signal<Out, Bit>,
    /// Dimensions that the packet has to cross.
    pub inject_in_header: Signal<In, Bits<2>>,
    /// Flit of the injector.
    pub inject_in_flit: Signal<In, Bits<9>>,
    /// Whether a flit moves over the channel of dimension 0.
    pub dim0_in_valid: Signal<In, Bit>,
    /// Whether the queue behind it has room.
    pub dim0_in_ready: Signal<Out, Bit>,
    /// Whether the packet has to cross dimension 1.
    pub dim0_in_header: Signal<In, Bit>,
    /// Flit on the channel.
    pub dim0_in_flit: Signal<In, Bits<9>>,
    /// Whether a flit moves over the channel of dimension 1.
    pub dim1_in_valid: Signal<In, Bit>,
    /// Whether the queue behind it has room.
    pub dim1_in_ready: Signal<Out, Bit>,
    /// Flit on the channel.
    pub dim1_in_flit: Signal<In, Bits<9>>,
    /// Whether a flit moves over the channel of dimension 0.
    pub dim0_out_valid: Signal<Out, Bit>,
    /// Whether the queue at its end has room.
    pub dim0_out_ready: Signal<In, Bit>,
    /// Whether the packet has to cross dimension 1.
    pub dim0_out_header: Signal<Out, Bit>,
    /// Flit on the channel.
    pub dim0_out_flit: Signal<Out, Bits<9>>,
    /// Whether a flit moves over the channel of dimension 1.
    pub dim1_out_valid: Signal<Out, Bit>,
    /// Whether the queue at its end has room.
    pub dim1_out_ready: Signal<In, Bit>,
    /// Flit on the channel.
    pub dim1_out_flit: Signal<Out, Bits<9>>,
    /// Whether the terminal is offered a flit.
    pub eject_out_valid: Signal<Out, Bit>,
    /// Whether the terminal takes it.
    pub eject_out_ready: Signal<In, Bit>,
    /// Flit for the terminal.
    pub eject_out_flit: Signal<Out, Bits<9>>,
    inject: Fifo<Bits<11>, 4, 3>,
    dim0: Fifo<Bits<10>, 4, 3>,
    dim1: Fifo<Bits<9>, 4, 3>,
    dim1_arbiter: Arbiter<2, 2>,
    dim1_mux: Mux<2, 9>,
    eject_arbiter: Arbiter<3, 2>,
    eject_mux: Mux<3, 9>,
    /// Turns of the head of `inject`, and of `dim0`.
    to_dim0: Signal<Local, Bit>,
    to_dim1: Signal<Local, Bit>,
    to_eject: Signal<Local, Bit>,
    dim0_to_dim1: Signal<Local, Bit>,
    dim0_to_eject: Signal<Local, Bit>,
    dim1_requests: Signal<Local, Bits<2>>,
    eject_requests: Signal<Local, Bits<3>>,
    /// Grants of `eject`.
    inject_ejects: Signal<Local, Bit>,
    dim0_ejects: Signal<Local, Bit>,
    fault: Constant<Bits<6>>,
}

impl Switch {
    /// Faults that can be put in: their numbers are their places here.
    pub const FAULTS: [&str; 6] = [
        "dimension 1 is crossed first",
        "the arbiter of eject has inject and dim0 exchanged",
        "the arbiter of dim1 is told of every flit as of a last",
        "eject offers a flit where it is taken alone",
        "a flit leaves inject for dim0 before there is room",
        "dim0 sends on the bit that it crosses",
    ];

    /// Switch without a fault, or with one of [`Self::FAULTS`].
    pub fn new(fault: Option<usize>) -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            inject_in_valid: Signal::default(),
            inject_in_ready: Signal::default(),
            inject_in_header: Signal::default(),
            inject_in_flit: Signal::default(),
            dim0_in_valid: Signal::default(),
            dim0_in_ready: Signal::default(),
            dim0_in_header: Signal::default(),
            dim0_in_flit: Signal::default(),
            dim1_in_valid: Signal::default(),
            dim1_in_ready: Signal::default(),
            dim1_in_flit: Signal::default(),
            dim0_out_valid: Signal::default(),
            dim0_out_ready: Signal::default(),
            dim0_out_header: Signal::default(),
            dim0_out_flit: Signal::default(),
            dim1_out_valid: Signal::default(),
            dim1_out_ready: Signal::default(),
            dim1_out_flit: Signal::default(),
            eject_out_valid: Signal::default(),
            eject_out_ready: Signal::default(),
            eject_out_flit: Signal::default(),
            inject: Fifo::new(None),
            dim0: Fifo::new(None),
            dim1: Fifo::new(None),
            dim1_arbiter: Arbiter::new(None),
            dim1_mux: Mux::new(None),
            eject_arbiter: Arbiter::new(None),
            eject_mux: Mux::new(None),
            to_dim0: Signal::default(),
            to_dim1: Signal::default(),
            to_eject: Signal::default(),
            dim0_to_dim1: Signal::default(),
            dim0_to_eject: Signal::default(),
            dim1_requests: Signal::default(),
            eject_requests: Signal::default(),
            inject_ejects: Signal::default(),
            dim0_ejects: Signal::default(),
            fault: super::fault(fault),
        }
    }
}

impl Logic for Switch {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, inject, dim0, dim1, dim1_arbiter, eject_arbiter);
        self.inject.reset.next = self.reset.val();
        self.dim0.reset.next = self.reset.val();
        self.dim1.reset.next = self.reset.val();
        self.dim1_arbiter.reset.next = self.reset.val();
        self.eject_arbiter.reset.next = self.reset.val();
        // Queues: the header stands above the flit.
        self.inject.in_valid.next = self.inject_in_valid.val();
        self.inject.in_data.next = bit_cast::<11, 9>(self.inject_in_flit.val())
            | (bit_cast::<11, 2>(self.inject_in_header.val()) << 9);
        self.inject_in_ready.next = self.inject.in_ready.val();
        self.dim0.in_valid.next = self.dim0_in_valid.val();
        self.dim0.in_data.next = bit_cast::<10, 9>(self.dim0_in_flit.val());
        if self.dim0_in_header.val() {
            self.dim0.in_data.next = bit_cast::<10, 9>(self.dim0_in_flit.val()) | 512;
        }
        self.dim0_in_ready.next = self.dim0.in_ready.val();
        self.dim1.in_valid.next = self.dim1_in_valid.val();
        self.dim1.in_data.next = self.dim1_in_flit.val();
        self.dim1_in_ready.next = self.dim1.in_ready.val();
        // The lowest dimension that is left comes first.
        self.to_dim0.next = self.inject.out_valid.val() & self.inject.out_data.val().get_bit(9);
        self.to_dim1.next = self.inject.out_valid.val()
            & self.inject.out_data.val().get_bit(10)
            & !self.inject.out_data.val().get_bit(9);
        if self.fault.val().get_bit(0) {
            self.to_dim1.next =
                self.inject.out_valid.val() & self.inject.out_data.val().get_bit(10);
            self.to_dim0.next = self.inject.out_valid.val()
                & self.inject.out_data.val().get_bit(9)
                & !self.inject.out_data.val().get_bit(10);
        }
        self.to_eject.next =
            self.inject.out_valid.val() & (self.inject.out_data.val().get_bits::<2>(9) == 0);
        self.dim0_to_dim1.next = self.dim0.out_valid.val() & self.dim0.out_data.val().get_bit(9);
        self.dim0_to_eject.next = self.dim0.out_valid.val() & !self.dim0.out_data.val().get_bit(9);
        // Dimension 0 has one source, and needs no arbiter.
        self.dim0_out_valid.next = self.to_dim0.val() & self.dim0_out_ready.val();
        self.dim0_out_header.next = self.inject.out_data.val().get_bit(10);
        if self.fault.val().get_bit(5) {
            self.dim0_out_header.next = self.inject.out_data.val().get_bit(9);
        }
        self.dim0_out_flit.next = self.inject.out_data.val().get_bits::<9>(0);
        // Dimension 1 has two: inject, then dim0.
        self.dim1_requests.next = 0.into();
        self.dim1_requests.next = self.dim1_requests.val().replace_bit(0, self.to_dim1.val());
        self.dim1_requests.next = self.dim1_requests.val().replace_bit(1, self.dim0_to_dim1.val());
        self.dim1_arbiter.request.next = self.dim1_requests.val();
        self.dim1_mux.select.next = self.dim1_arbiter.grant.val();
        self.dim1_mux.sources[0].next = self.inject.out_data.val().get_bits::<9>(0);
        self.dim1_mux.sources[1].next = self.dim0.out_data.val().get_bits::<9>(0);
        self.dim1_out_flit.next = self.dim1_mux.out.val();
        self.dim1_out_valid.next = self.dim1_arbiter.grant.val().any() & self.dim1_out_ready.val();
        self.dim1_arbiter.done.next = self.dim1_out_valid.val()
            & (self.dim1_mux.out.val().get_bit(8) | self.fault.val().get_bit(2));
        // Eject has all three: inject, dim0, dim1.
        self.eject_requests.next = 0.into();
        self.eject_mux.sources[0].next = self.inject.out_data.val().get_bits::<9>(0);
        self.eject_mux.sources[1].next = self.dim0.out_data.val().get_bits::<9>(0);
        self.eject_mux.sources[2].next = self.dim1.out_data.val();
        self.eject_requests.next =
            self.eject_requests.val().replace_bit(2, self.dim1.out_valid.val());
        if self.fault.val().get_bit(1) {
            self.eject_requests.next =
                self.eject_requests.val().replace_bit(1, self.to_eject.val());
            self.eject_requests.next =
                self.eject_requests.val().replace_bit(0, self.dim0_to_eject.val());
            self.eject_mux.sources[0].next = self.dim0.out_data.val().get_bits::<9>(0);
            self.eject_mux.sources[1].next = self.inject.out_data.val().get_bits::<9>(0);
            self.inject_ejects.next = self.eject_arbiter.grant.val().get_bit(1);
            self.dim0_ejects.next = self.eject_arbiter.grant.val().get_bit(0);
        } else {
            self.eject_requests.next =
                self.eject_requests.val().replace_bit(0, self.to_eject.val());
            self.eject_requests.next =
                self.eject_requests.val().replace_bit(1, self.dim0_to_eject.val());
            self.inject_ejects.next = self.eject_arbiter.grant.val().get_bit(0);
            self.dim0_ejects.next = self.eject_arbiter.grant.val().get_bit(1);
        }
        self.eject_arbiter.request.next = self.eject_requests.val();
        self.eject_mux.select.next = self.eject_arbiter.grant.val();
        self.eject_out_flit.next = self.eject_mux.out.val();
        // A terminal is offered a flit whether or not it takes it.
        self.eject_out_valid.next = self.eject_arbiter.grant.val().any();
        if self.fault.val().get_bit(3) {
            self.eject_out_valid.next =
                self.eject_arbiter.grant.val().any() & self.eject_out_ready.val();
        }
        self.eject_arbiter.done.next = self.eject_out_valid.val()
            & self.eject_out_ready.val()
            & self.eject_mux.out.val().get_bit(8);
        // Heads that leave.
        self.inject.out_ready.next = (self.to_dim0.val()
            & (self.dim0_out_ready.val() | self.fault.val().get_bit(4)))
            | (self.dim1_arbiter.grant.val().get_bit(0) & self.dim1_out_ready.val())
            | (self.inject_ejects.val() & self.eject_out_ready.val());
        self.dim0.out_ready.next = (self.dim1_arbiter.grant.val().get_bit(1)
            & self.dim1_out_ready.val())
            | (self.dim0_ejects.val() & self.eject_out_ready.val());
        self.dim1.out_ready.next =
            self.eject_arbiter.grant.val().get_bit(2) & self.eject_out_ready.val();
    }
}

impl Leaf for Switch {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        Some((&mut self.clock, &mut self.reset))
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        let inputs: [(&str, &mut dyn Drive); 11] = [
            ("inject_in_valid", &mut self.inject_in_valid),
            ("inject_in_header", &mut self.inject_in_header),
            ("inject_in_flit", &mut self.inject_in_flit),
            ("dim0_in_valid", &mut self.dim0_in_valid),
            ("dim0_in_header", &mut self.dim0_in_header),
            ("dim0_in_flit", &mut self.dim0_in_flit),
            ("dim1_in_valid", &mut self.dim1_in_valid),
            ("dim1_in_flit", &mut self.dim1_in_flit),
            ("dim0_out_ready", &mut self.dim0_out_ready),
            ("dim1_out_ready", &mut self.dim1_out_ready),
            ("eject_out_ready", &mut self.eject_out_ready),
        ];
        inputs.into_iter().map(|(name, input)| (name.to_owned(), input)).collect()
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        let outputs: [(&str, &dyn Show); 10] = [
            ("inject_in_ready", &self.inject_in_ready),
            ("dim0_in_ready", &self.dim0_in_ready),
            ("dim1_in_ready", &self.dim1_in_ready),
            ("dim0_out_valid", &self.dim0_out_valid),
            ("dim0_out_header", &self.dim0_out_header),
            ("dim0_out_flit", &self.dim0_out_flit),
            ("dim1_out_valid", &self.dim1_out_valid),
            ("dim1_out_flit", &self.dim1_out_flit),
            ("eject_out_valid", &self.eject_out_valid),
            ("eject_out_flit", &self.eject_out_flit),
        ];
        outputs.into_iter().map(|(name, output)| (name.to_owned(), output)).collect()
    }

    fn counts(&self, output: &str) -> u64 {
        all_if(match output {
            "dim0_out_header" | "dim0_out_flit" => self.dim0_out_valid.val(),
            "dim1_out_flit" => self.dim1_out_valid.val(),
            "eject_out_flit" => self.eject_out_valid.val(),
            _ => true,
        })
    }
}
