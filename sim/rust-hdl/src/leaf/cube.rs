//! A 2-cube with `ecube` in rust-hdl's own language: four injectors, four switches, and the channels between them.

use super::injector::Injector;
use super::side_by_side::{ClockAndReset, Drive, Leaf, Show};
use super::switch::Switch;
use rust_hdl::core::prelude::*;

/// Fabric of four terminals with 8 bits of data; terminal t has bit t, or bits 8t to 8t + 7, of each port.
#[derive(LogicBlock)]
pub struct Cube {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Reset, synchronous: nothing is offered or taken under it.
    pub reset: Signal<In, Bit>,
    /// Whether a source offers a flit.
    pub s_axis_tvalid: Signal<In, Bits<4>>,
    /// Whether it is taken.
    pub s_axis_tready: Signal<Out, Bits<4>>,
    /// Destinations, two bits each.
    pub s_axis_tdest: Signal<In, Bits<8>>,
    /// Data of the flits offered.
    pub s_axis_tdata: Signal<In, Bits<32>>,
    /// Whether they are their packets' last.
    pub s_axis_tlast: Signal<In, Bits<4>>,
    /// Addresses without a terminal: there are none.
    pub s_axis_error: Signal<Out, Bits<4>>,
    /// Whether a sink is offered a flit.
    pub m_axis_tvalid: Signal<Out, Bits<4>>,
    /// Whether the sink takes it.
    pub m_axis_tready: Signal<In, Bits<4>>,
    /// Data of the flits that come out.
    pub m_axis_tdata: Signal<Out, Bits<32>>,
    /// Whether they are their packets' last.
    pub m_axis_tlast: Signal<Out, Bits<4>>,
    injectors: [Injector<2, 9>; 4],
    switches: [Switch; 4],
    addresses: Constant<Bits<8>>,
    fault: Constant<Bits<6>>,
}

impl Cube {
    /// Faults that can be put in: their numbers are their places here. Those of one switch follow.
    pub const FAULTS: [&str; 3] = [
        "terminals 1 and 2 have each other's address",
        "a flit is offered under reset",
        "a channel of dimension 1 is ready as that of its neighbour",
    ];

    /// Fabric without a fault, or with one of [`Self::FAULTS`], or with one of [`Switch::FAULTS`] in the switch of
    /// node 2.
    pub fn new(fault: Option<usize>) -> Self {
        let own = fault.filter(|&number| number < Self::FAULTS.len());
        let of_switch = fault.and_then(|number| number.checked_sub(Self::FAULTS.len()));
        // Node by node, the highest first: 3, 2, 1, 0.
        let addresses: LiteralType = if own == Some(0) { 0b11_01_10_00 } else { 0b11_10_01_00 };
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            s_axis_tvalid: Signal::default(),
            s_axis_tready: Signal::default(),
            s_axis_tdest: Signal::default(),
            s_axis_tdata: Signal::default(),
            s_axis_tlast: Signal::default(),
            s_axis_error: Signal::default(),
            m_axis_tvalid: Signal::default(),
            m_axis_tready: Signal::default(),
            m_axis_tdata: Signal::default(),
            m_axis_tlast: Signal::default(),
            injectors: std::array::from_fn(|_| Injector::new(None)),
            switches: std::array::from_fn(|node| Switch::new(of_switch.filter(|_| node == 2))),
            addresses: Constant::new(addresses.into()),
            fault: super::fault(own),
        }
    }
}

impl Logic for Cube {
    #[hdl_gen]
    fn update(&mut self) {
        self.s_axis_tready.next = 0.into();
        self.s_axis_error.next = 0.into();
        self.m_axis_tvalid.next = 0.into();
        self.m_axis_tlast.next = 0.into();
        for i in 0..4 {
            // Terminals.
            self.injectors[i].clock.next = self.clock.val();
            self.injectors[i].reset.next = self.reset.val();
            self.injectors[i].address.next = self.addresses.val().get_bits::<2>(i * 2);
            self.injectors[i].in_valid.next = self.s_axis_tvalid.val().get_bit(i);
            self.injectors[i].in_dest.next = self.s_axis_tdest.val().get_bits::<2>(i * 2);
            self.s_axis_tready.next = self
                .s_axis_tready
                .val()
                .replace_bit(i, self.injectors[i].in_ready.val() & !self.reset.val());
            self.m_axis_tvalid.next = self.m_axis_tvalid.val().replace_bit(
                i,
                self.switches[i].eject_out_valid.val()
                    & (!self.reset.val() | self.fault.val().get_bit(1)),
            );
            self.m_axis_tlast.next = self
                .m_axis_tlast
                .val()
                .replace_bit(i, self.switches[i].eject_out_flit.val().get_bit(8));
            // Injectors and switches.
            self.switches[i].clock.next = self.clock.val();
            self.switches[i].reset.next = self.reset.val();
            self.switches[i].inject_in_valid.next = self.injectors[i].out_valid.val();
            self.switches[i].inject_in_header.next = self.injectors[i].out_header.val();
            self.switches[i].inject_in_flit.next = self.injectors[i].out_flit.val();
            self.injectors[i].out_ready.next = self.switches[i].inject_in_ready.val();
            self.switches[i].eject_out_ready.next = self.m_axis_tready.val().get_bit(i);
        }
        // rust-hdl widens bits by a name that is known without the loop.
        self.injectors[0].in_flit.next = bit_cast::<9, 8>(self.s_axis_tdata.val().get_bits::<8>(0))
            | (bit_cast::<9, 1>(self.s_axis_tlast.val().get_bits::<1>(0)) << 8);
        self.injectors[1].in_flit.next = bit_cast::<9, 8>(self.s_axis_tdata.val().get_bits::<8>(8))
            | (bit_cast::<9, 1>(self.s_axis_tlast.val().get_bits::<1>(1)) << 8);
        self.injectors[2].in_flit.next =
            bit_cast::<9, 8>(self.s_axis_tdata.val().get_bits::<8>(16))
                | (bit_cast::<9, 1>(self.s_axis_tlast.val().get_bits::<1>(2)) << 8);
        self.injectors[3].in_flit.next =
            bit_cast::<9, 8>(self.s_axis_tdata.val().get_bits::<8>(24))
                | (bit_cast::<9, 1>(self.s_axis_tlast.val().get_bits::<1>(3)) << 8);
        self.m_axis_tdata.next =
            (bit_cast::<32, 8>(self.switches[0].eject_out_flit.val().get_bits::<8>(0)) << 0)
                | (bit_cast::<32, 8>(self.switches[1].eject_out_flit.val().get_bits::<8>(0)) << 8)
                | (bit_cast::<32, 8>(self.switches[2].eject_out_flit.val().get_bits::<8>(0)) << 16)
                | (bit_cast::<32, 8>(self.switches[3].eject_out_flit.val().get_bits::<8>(0)) << 24);
        for i in 0..2 {
            // Channels of dimension 0, between nodes 2i and 2i + 1.
            self.switches[2 * i].dim0_in_valid.next = self.switches[2 * i + 1].dim0_out_valid.val();
            self.switches[2 * i].dim0_in_header.next =
                self.switches[2 * i + 1].dim0_out_header.val();
            self.switches[2 * i].dim0_in_flit.next = self.switches[2 * i + 1].dim0_out_flit.val();
            self.switches[2 * i].dim0_out_ready.next = self.switches[2 * i + 1].dim0_in_ready.val();
            self.switches[2 * i + 1].dim0_in_valid.next = self.switches[2 * i].dim0_out_valid.val();
            self.switches[2 * i + 1].dim0_in_header.next =
                self.switches[2 * i].dim0_out_header.val();
            self.switches[2 * i + 1].dim0_in_flit.next = self.switches[2 * i].dim0_out_flit.val();
            self.switches[2 * i + 1].dim0_out_ready.next = self.switches[2 * i].dim0_in_ready.val();
            // Channels of dimension 1, between nodes i and i + 2.
            self.switches[i].dim1_in_valid.next = self.switches[i + 2].dim1_out_valid.val();
            self.switches[i].dim1_in_flit.next = self.switches[i + 2].dim1_out_flit.val();
            self.switches[i].dim1_out_ready.next = self.switches[i + 2].dim1_in_ready.val();
            self.switches[i + 2].dim1_in_valid.next = self.switches[i].dim1_out_valid.val();
            self.switches[i + 2].dim1_in_flit.next = self.switches[i].dim1_out_flit.val();
            self.switches[i + 2].dim1_out_ready.next = self.switches[i].dim1_in_ready.val();
        }
        if self.fault.val().get_bit(2) {
            self.switches[0].dim1_out_ready.next = self.switches[3].dim1_in_ready.val();
        }
    }
}

impl Leaf for Cube {
    fn clock(&mut self) -> Option<ClockAndReset<'_>> {
        Some((&mut self.clock, &mut self.reset))
    }

    fn inputs(&mut self) -> Vec<(String, &mut dyn Drive)> {
        let inputs: [(&str, &mut dyn Drive); 5] = [
            ("s_axis_tvalid", &mut self.s_axis_tvalid),
            ("s_axis_tdest", &mut self.s_axis_tdest),
            ("s_axis_tdata", &mut self.s_axis_tdata),
            ("s_axis_tlast", &mut self.s_axis_tlast),
            ("m_axis_tready", &mut self.m_axis_tready),
        ];
        inputs.into_iter().map(|(name, input)| (name.to_owned(), input)).collect()
    }

    fn outputs(&self) -> Vec<(String, &dyn Show)> {
        let outputs: [(&str, &dyn Show); 5] = [
            ("s_axis_tready", &self.s_axis_tready),
            ("s_axis_error", &self.s_axis_error),
            ("m_axis_tvalid", &self.m_axis_tvalid),
            ("m_axis_tdata", &self.m_axis_tdata),
            ("m_axis_tlast", &self.m_axis_tlast),
        ];
        outputs.into_iter().map(|(name, output)| (name.to_owned(), output)).collect()
    }

    fn counts(&self, output: &str) -> u64 {
        let valid: LiteralType = self.m_axis_tvalid.val().into();
        match output {
            "m_axis_tdata" => (0..4).map(|t| (valid >> t & 1) * (0xff << (8 * t))).sum(),
            "m_axis_tlast" => valid,
            _ => u64::MAX,
        }
    }
}
