//! Packets without end through a shaper, which takes none that is not as long as those of its flow.

use super::Work;
use super::packets::{Packet, Sender};
use super::shaped::Allowance;
use super::stream::Stream;
use crate::testbench::ticks::Ticks;
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::dut::Dut;

/// Source that sends packets of one flow, each word as soon as the one before it is taken.
pub struct Endless {
    source: Stream,
    packet: Packet,
    /// Place of the word that is offered.
    at: usize,
}

impl Endless {
    /// Packets of the flow between two terminals.
    ///
    /// # Errors
    /// A flow without a shaper.
    pub fn new(
        dut: &Dut,
        ticks: &Ticks,
        plan: &FabricPlan,
        [from, to]: [Terminal; 2],
    ) -> Result<Self, String> {
        let source = Stream::of(dut, plan, ticks, Side::Source, from);
        let work = Work { packets: 1, eagerness: 8, reset: None, reset_edges: 1, seed: 1 };
        let wish = Allowance::of(plan, from).and_then(|allowance| allowance.packet_to(to));
        let wish = wish.ok_or("no shaper has this flow")?;
        let packet = Sender::new(plan, &source, work).packet(0, Some(wish));
        Ok(Self { source, packet, at: 0 })
    }

    /// Offers the next word before edges of clocks.
    pub fn before(&mut self, dut: &mut Dut, has_edge: &[bool]) {
        if !has_edge[self.source.clock] {
            return;
        }
        self.source.drive(dut, Some(&self.packet), self.at, 1);
        dut.settle();
        if dut.get(self.source.ready.port) == 1 {
            self.at = (self.at + 1) % self.packet.words.len();
        }
    }

    /// Offers nothing more.
    pub fn end(self, dut: &mut Dut) {
        self.source.drive(dut, None, 0, 1);
    }
}
