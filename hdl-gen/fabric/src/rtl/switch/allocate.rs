//! Which packet gets which channel in an adaptive switch: an (output, VC) with room proposes
//! itself to one of the packets that could use it, and a packet takes one of the proposals made
//! to it. All within a cycle.

use super::{Builder, Ports};
use turnpike_netlist::{Expr, Net, RtlError};
use turnpike_network::routing::Output;
use turnpike_network::routing::choice::ADAPTIVE_VC;

/// An (output, VC) that packets choose.
#[derive(Clone, Copy)]
pub(super) struct Allocated {
    /// The source that holds it or takes it now, one-hot, or 0.
    pub grant: Net,
    /// Driven later: the flit that leaves is its packet's last.
    pub done: Net,
}

impl Builder<'_> {
    /// Gives every channel of an adaptive switch, VC by VC, to a packet. `eject` is not among
    /// them: who is there has no choice.
    pub(super) fn allocate(&mut self, ports: &Ports) -> Result<(), RtlError> {
        let class = self.class;
        if class.queues.iter().all(|queue| queue.choice.is_none()) {
            return Ok(());
        }
        self.m.section("Allocation");
        self.m.comment("An (output, VC) with room proposes itself to one of the packets that ask.");
        let to_network =
            |&lane: &usize| !class.outputs[class.output_vcs[lane].output].output.is_eject();
        let lanes: Vec<usize> = (0..class.output_vcs.len()).filter(to_network).collect();
        let wires = |lane: &usize| {
            let ov = &class.output_vcs[*lane];
            let n = ov.sources.len() as u32;
            let proposal = self.m.wire(format!("{}_proposal", ov.name), n);
            (proposal, self.m.wire(format!("{}_holds", ov.name), n))
        };
        let wires: Vec<(Net, Net)> = lanes.iter().map(wires).collect();
        // Of a lane's wire, the bit of a queue.
        let place = |lane: usize, queue: usize| {
            class.output_vcs[lane].sources.iter().position(|source| source.queue == queue)
        };
        let bit = |lane: usize, queue: usize, of: fn(&(Net, Net)) -> Net| {
            let at = lanes.iter().position(|&l| l == lane)?;
            Some(of(&wires[at]).bit(place(lane, queue)? as u32))
        };
        let mut routed = Vec::new();
        for (index, queue) in class.queues.iter().enumerate() {
            let holds: Vec<Expr> =
                lanes.iter().filter_map(|&lane| bit(lane, index, |w| w.1)).collect();
            routed.push(
                (!holds.is_empty()).then(|| {
                    self.m.define(format!("{}_routed", queue.name), 1, Expr::any_of(holds))
                }),
            );
        }
        for (&lane, &(proposal, holds)) in lanes.iter().zip(&wires) {
            let ov = &class.output_vcs[lane];
            let n = ov.sources.len() as u32;
            let room = ports.output_handshake[lane].ready;
            let asks = ov.sources.iter().rev().map(|source| {
                let asks = Expr::from(self.heads[source.queue].asks[&lane]);
                let new = routed[source.queue].map(|routed| !Expr::from(routed));
                Expr::all([asks].into_iter().chain(new))
            });
            let asks = Expr::concat(asks) & Expr::from(room).repeat(n);
            let ask = self.m.define(format!("{}_ask", ov.name), n, asks);
            let taken = self.m.wire(format!("{}_taken", ov.name), n);
            let done = self.m.wire(format!("{}_done", ov.name), 1);
            let arbiter = self.parts.proposing_arbiter(n)?;
            let connections = [
                ("ask", ask.into()),
                ("taken", Expr::from(taken).any()),
                ("done", done.into()),
                ("proposal", proposal.into()),
                ("holds", holds.into()),
            ];
            self.m.instance(format!("{}_arbiter", ov.name), &arbiter, connections);
            let grant = Expr::from(holds) | taken;
            let grant = self.m.define(format!("{}_grant", ov.name), n, grant);
            self.allocated.insert(lane, (Allocated { grant, done }, taken));
        }
        let escapes = class.output_vcs.iter().any(|lane| lane.vc > ADAPTIVE_VC);
        self.m.comment(match escapes {
            true => "A packet takes the proposal that it likes best, an escape channel last.",
            false => "A packet takes the proposal that it likes best.",
        });
        for (&lane, &(proposal, _)) in lanes.iter().zip(&wires) {
            let takes =
                class.output_vcs[lane].sources.iter().enumerate().rev().map(|(i, source)| {
                    let better = self.better(source.queue, lane);
                    let declines = better.into_iter().filter_map(|l| bit(l, source.queue, |w| w.0));
                    let proposed = proposal.bit(i as u32);
                    Expr::all([proposed].into_iter().chain(declines.map(|p| !p)))
                });
            let takes = Expr::concat(takes);
            let taken = self.allocated[&lane].1;
            self.m.assign(taken, takes);
        }
        Ok(())
    }

    /// The (output, VC)s that the head of a queue likes better than this one.
    fn better(&self, queue: usize, lane: usize) -> Vec<usize> {
        let class = self.class;
        let Some(choice) = &class.queues[queue].choice else { return Vec::new() };
        let liked = choice.ways.iter().filter_map(|way| {
            class.output_vcs.iter().position(|ov| {
                ov.vc == ADAPTIVE_VC && class.outputs[ov.output].output == Output::Network(way.port)
            })
        });
        liked.take_while(|&better| better != lane).collect()
    }
}
