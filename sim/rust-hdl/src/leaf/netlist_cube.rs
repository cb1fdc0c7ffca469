//! Fabric of the netlist with the ports of [`Cube`] as signals of rust-hdl, so that rust-hdl's own blocks can stand at
//! its terminals.

use super::cube::Cube;
use super::side_by_side::Leaf;
use crate::hosted::Hosted;
use rust_hdl::core::prelude::*;
use turnpike_netlist::Design;
use turnpike_sim_rtl::dut::Dut;

/// Inputs of a fabric with four terminals and 8 bits of data, as the ports of [`Cube`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CubeInputs {
    /// Whether a source offers a flit.
    pub valid: Bits<4>,
    /// Destinations.
    pub dest: Bits<8>,
    /// Data of the flits offered.
    pub data: Bits<32>,
    /// Whether they are their packets' last.
    pub last: Bits<4>,
    /// Whether a sink takes a flit.
    pub ready: Bits<4>,
}

/// Outputs of such a fabric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CubeOutputs {
    /// Whether a source's flit is taken.
    pub ready: Bits<4>,
    /// Whether a sink is offered a flit.
    pub valid: Bits<4>,
    /// Data of the flits that come out.
    pub data: Bits<32>,
    /// Whether they are their packets' last.
    pub last: Bits<4>,
}

/// Fabric with four terminals that a block around it drives.
pub trait FourTerminals: Block {
    /// Tells rust-hdl's checks that the block around it drives the inputs.
    fn inputs_are_driven(&mut self);
    /// Sets clock, reset and inputs for rust-hdl's next update.
    fn drive(&mut self, clock: Clock, reset: bool, inputs: CubeInputs);
    fn show(&self) -> CubeOutputs;
}

impl FourTerminals for Cube {
    fn inputs_are_driven(&mut self) {
        self.clock.connect();
        self.reset.connect();
        self.inputs().into_iter().for_each(|(_, input)| input.is_driven());
    }

    fn drive(&mut self, clock: Clock, reset: bool, inputs: CubeInputs) {
        self.clock.next = clock;
        self.reset.next = reset;
        self.s_axis_tvalid.next = inputs.valid;
        self.s_axis_tdest.next = inputs.dest;
        self.s_axis_tdata.next = inputs.data;
        self.s_axis_tlast.next = inputs.last;
        self.m_axis_tready.next = inputs.ready;
    }

    fn show(&self) -> CubeOutputs {
        CubeOutputs {
            ready: self.s_axis_tready.val(),
            valid: self.m_axis_tvalid.val(),
            data: self.m_axis_tdata.val(),
            last: self.m_axis_tlast.val(),
        }
    }
}

/// Fabric of the netlist.
#[derive(LogicBlock)]
pub struct NetlistCube {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    valid: Signal<In, Bits<4>>,
    dest: Signal<In, Bits<8>>,
    data: Signal<In, Bits<32>>,
    last: Signal<In, Bits<4>>,
    ready: Signal<In, Bits<4>>,
    source_ready: Signal<Out, Bits<4>>,
    sink_valid: Signal<Out, Bits<4>>,
    sink_data: Signal<Out, Bits<32>>,
    sink_last: Signal<Out, Bits<4>>,
    netlist: Hosted<Dut>,
}

impl NetlistCube {
    /// Fabric of a design with the ports of [`Cube`].
    pub fn new(design: &Design) -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            valid: Signal::default(),
            dest: Signal::default(),
            data: Signal::default(),
            last: Signal::default(),
            ready: Signal::default(),
            source_ready: Signal::default(),
            sink_valid: Signal::default(),
            sink_data: Signal::default(),
            sink_last: Signal::default(),
            netlist: Hosted::new(Dut::new(design)),
        }
    }
}

impl Logic for NetlistCube {
    fn update(&mut self) {
        self.netlist.clock.next = self.clock.val();
        let dut = &mut self.netlist.circuit;
        dut.set_reset(self.reset.val());
        let inputs: [(&str, LiteralType); 5] = [
            ("s_axis_tvalid", self.valid.val().into()),
            ("s_axis_tdest", self.dest.val().into()),
            ("s_axis_tdata", self.data.val().into()),
            ("s_axis_tlast", self.last.val().into()),
            ("m_axis_tready", self.ready.val().into()),
        ];
        inputs.into_iter().for_each(|(name, value)| dut.set(dut.port(name), value));
        let output = |name| dut.get(dut.port(name));
        self.source_ready.next = output("s_axis_tready").into();
        self.sink_valid.next = output("m_axis_tvalid").into();
        self.sink_data.next = output("m_axis_tdata").into();
        self.sink_last.next = output("m_axis_tlast").into();
    }

    fn connect(&mut self) {
        self.source_ready.connect();
        self.sink_valid.connect();
        self.sink_data.connect();
        self.sink_last.connect();
    }
}

impl FourTerminals for NetlistCube {
    fn inputs_are_driven(&mut self) {
        self.clock.connect();
        self.reset.connect();
        self.valid.connect();
        self.dest.connect();
        self.data.connect();
        self.last.connect();
        self.ready.connect();
    }

    fn drive(&mut self, clock: Clock, reset: bool, inputs: CubeInputs) {
        self.clock.next = clock;
        self.reset.next = reset;
        self.valid.next = inputs.valid;
        self.dest.next = inputs.dest;
        self.data.next = inputs.data;
        self.last.next = inputs.last;
        self.ready.next = inputs.ready;
    }

    fn show(&self) -> CubeOutputs {
        CubeOutputs {
            ready: self.source_ready.val(),
            valid: self.sink_valid.val(),
            data: self.sink_data.val(),
            last: self.sink_last.val(),
        }
    }
}
