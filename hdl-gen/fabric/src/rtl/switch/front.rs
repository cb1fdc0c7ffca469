//! Fronts: the flit of a queue that leaves next, in a register, so that the one behind it is seen and
//! its packet asks for its output while the register's flit leaves.

use super::queue::Standing;
use super::{Builder, Head};
use crate::plan::QueuePlan;
use std::collections::BTreeMap;
use turnpike_netlist::{Expr, Net, Register};
use turnpike_network::routing::Carried;

/// Grants of the packet in front of a queue.
pub(super) struct Front {
    /// Whether an (output, VC) is granted to the packet of the front.
    granted: Net,
    /// The grants, by (output, VC).
    pub grants: Vec<Expr>,
}

impl Builder<'_> {
    /// The front of a queue whose head is `next`, and what that head asks for.
    pub(super) fn front(
        &mut self,
        queue: &QueuePlan,
        index: usize,
        next: Standing,
        asks: &BTreeMap<usize, Net>,
    ) -> Head {
        let bits = self.read_on(queue, index);
        let names =
            |&lane: &usize| ["front_to", "asks"].map(|word| self.ask_name(queue, word, lane));
        let names: Vec<[String; 2]> = asks.keys().map(names).collect();
        let m = &mut self.m;
        let name = &queue.name;
        m.comment("The front is a register. The head moves up when the front is empty or leaves.");
        let valid = m.reg(format!("{name}_front_valid"), 1);
        let pop = m.wire(format!("{name}_front_pop"), 1);
        m.assign(next.pop, !Expr::from(valid) | pop);
        let enable = || Some(next.pop.into());
        m.registers(vec![Register {
            net: valid,
            reset: Some(0),
            enable: enable(),
            next: next.valid.into(),
        }]);
        let load = |net, next| Register { net, reset: None, enable: enable(), next };
        let mut loads = Vec::new();
        let header = next.header.filter(|_| !bits.is_empty()).map(|header| {
            let net = m.reg(format!("{name}_front_header"), bits.len() as u32);
            let place = |at: &u32| queue.header.iter().position(|bit| bit == at);
            let kept = bits.iter().rev().filter_map(place);
            let kept = Expr::concat(kept.map(|place| header.bit(place as u32)));
            loads.push(load(net, kept));
            net
        });
        let flit = m.reg(format!("{name}_front_flit"), next.flit.width);
        loads.push(load(flit, next.flit.into()));
        let mut to = Vec::new();
        for ((&lane, &ask), [front_to, asks]) in asks.iter().zip(names) {
            let net = m.reg(front_to, 1);
            loads.push(load(net, ask.into()));
            to.push((lane, asks, net, ask));
        }
        m.registers(loads);
        m.comment(
            "A front without a grant asks for an output, and so does a head that moves up. A",
        );
        m.comment("later flit asks for the output that its packet has: that counts for nothing.");
        let granted = m.wire(format!("{name}_granted"), 1);
        let waits = Expr::from(valid) & !Expr::from(granted);
        let waits = m.define(format!("{name}_front_asks"), 1, waits);
        let asks = to.into_iter().map(|(lane, name, front, head)| {
            let asks = (Expr::from(waits) & front) | (Expr::from(next.pop) & head);
            (lane, m.define(name, 1, asks))
        });
        let asks = asks.collect();
        let front = Some(Front { granted, grants: Vec::new() });
        Head { valid, header, header_bits: bits, flit, pop, asks, leaves: Vec::new(), front }
    }

    /// Tells the fronts whether they are granted something.
    pub(super) fn fronts_are_granted(&mut self) {
        let fronts = self.heads.iter_mut().filter_map(|head| head.front.as_mut());
        for front in fronts {
            let grants = std::mem::take(&mut front.grants);
            self.m.assign(front.granted, Expr::any_of(grants));
        }
    }

    /// The stored header bits of a queue that an output reads when a flit leaves.
    fn read_on(&self, queue: &QueuePlan, index: usize) -> Vec<u32> {
        let mut read = Vec::new();
        for lane in &self.class.output_vcs {
            let output = &self.class.outputs[lane.output];
            for source in lane.sources.iter().filter(|source| source.queue == index) {
                for &at in &output.header {
                    match source.carry.bit(at) {
                        None => {}
                        Some(Carried::Bit(from) | Carried::Inverse(from)) => read.push(from),
                        Some(Carried::Less { low, at }) => read.extend(low..=at),
                    }
                }
            }
        }
        queue.header.iter().copied().filter(|bit| read.contains(bit)).collect()
    }
}
