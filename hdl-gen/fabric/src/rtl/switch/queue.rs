//! Queues: where the flits of an (input port, VC) wait, and what their head asks for.

use super::{Builder, Head, Ports};
use crate::plan::{QueuePlan, QueueSize, QueueStyle};
use std::sync::Arc;
use turnpike_netlist::{Expr, Handshake, Module, Net, Register, RtlError};

/// Flit that comes to a queue.
struct Arrival {
    valid: Expr,
    ready: Net,
    /// The header bits that are stored.
    header: Option<Expr>,
    flit: Net,
}

/// Flit at the head of a queue.
pub(super) struct Standing {
    pub valid: Net,
    pub pop: Net,
    pub header: Option<Net>,
    pub flit: Net,
}

impl Builder<'_> {
    pub(super) fn queues(&mut self, ports: &Ports) -> Result<(), RtlError> {
        self.unused_headers(ports);
        for (index, queue) in self.class.queues.iter().enumerate() {
            self.m.section(format!("Queue {}", queue.name));
            let arrival = self.arrival(queue, index, ports);
            let room = arrival.ready;
            let Standing { valid, pop, header, flit } = match self.plan.parameters.queue {
                QueueStyle::Registers => self.in_two(queue, arrival)?,
                QueueStyle::Ram => self.in_one(queue, arrival, false)?,
                QueueStyle::Shift => self.in_one(queue, arrival, true)?,
            };
            if queue.holds_one_packet {
                self.one_packet(queue, index, room, valid, ports);
            }
            let asks = self.asks(queue, valid, header);
            let head = match self.plan.parameters.pipeline.asks_ahead() {
                true => self.front(queue, index, Standing { valid, pop, header, flit }, &asks),
                false => {
                    let header_bits = queue.header.clone();
                    let leaves = Vec::new();
                    Head { valid, header, header_bits, flit, pop, asks, leaves, front: None }
                }
            };
            self.heads.push(head);
        }
        Ok(())
    }

    /// Header bits that come to an input and that none of its queues stores: other switches look
    /// at them.
    fn unused_headers(&mut self, ports: &Ports) {
        for (index, input) in self.class.inputs.iter().enumerate() {
            let own: Vec<&QueuePlan> =
                self.class.queues.iter().filter(|queue| queue.input == index).collect();
            let stored = |bit: &u32| own.iter().any(|queue| queue.header.contains(bit));
            let unused: Vec<u32> =
                input.header.iter().copied().filter(|bit| !stored(bit)).collect();
            let header = ports.inputs[index].0.and_then(|h| pick(h, &input.header, &unused));
            if let Some(bits) = header {
                self.m.section(format!("Header bits of {} for other switches", input.name));
                self.m.gather_unused(&format!("{}_header", input.name), bits);
            }
        }
    }

    fn queue_size(&self, queue: &QueuePlan) -> QueueSize {
        self.plan.queue_size(self.class, queue)
    }

    fn arrival(&mut self, queue: &QueuePlan, index: usize, ports: &Ports) -> Arrival {
        let input = &self.class.inputs[queue.input];
        let (header, flit) = ports.inputs[queue.input];
        let Handshake { valid, ready } = ports.queue_handshake[index];
        // The wires may carry bits for another VC of this port: store our own only.
        let header = header.and_then(|h| pick(h, &input.header, &queue.header));
        // A channel's sender has looked at ready before; the injector offers whatever it says.
        let looks = !input.input.is_inject() || self.queue_size(queue).in_flight == 0;
        let valid = if looks { valid.into() } else { Expr::from(valid) & ready };
        let ready = match queue.holds_one_packet {
            true => self.m.wire(format!("{}_room", queue.name), 1),
            false => ready,
        };
        Arrival { valid, ready, header, flit }
    }

    /// The `ready` of a queue that takes in a packet only when it is empty, so that it holds
    /// flits of one packet at most: what Duato's condition asks of adaptive channels.
    fn one_packet(&mut self, queue: &QueuePlan, index: usize, room: Net, head: Net, ports: &Ports) {
        let Handshake { valid, ready } = ports.queue_handshake[index];
        let (_, flit) = ports.inputs[queue.input];
        let m = &mut self.m;
        m.comment(
            "The queue holds one packet: it is ready for a first flit only when it is empty.",
        );
        let inside = m.reg(format!("{}_inside", queue.name), 1);
        m.registers(vec![Register {
            net: inside,
            reset: Some(0),
            enable: Some(valid.into()),
            next: !flit.bit(self.flit_width - 1),
        }]);
        m.assign(ready, Expr::from(room) & (Expr::from(inside) | !Expr::from(head)));
    }

    /// Header and flit in one queue.
    fn in_one(
        &mut self,
        queue: &QueuePlan,
        arrival: Arrival,
        shift: bool,
    ) -> Result<Standing, RtlError> {
        let header_bits = queue.header.len() as u32;
        let data = arrival.header.into_iter().chain([arrival.flit.into()]);
        let data = Expr::concat(data);
        let name = &queue.name;
        let size = self.queue_size(queue);
        let fifo = self.parts.fifo(shift, self.flit_width + header_bits, size)?;
        let names = [format!("{name}_fifo"), format!("{name}_head")];
        let (valid, pop, head) =
            self.place(queue, &fifo, names, arrival.valid, arrival.ready, data);
        let m = &mut self.m;
        let flit = match header_bits {
            0 => head,
            _ => m.define(format!("{name}_flit"), self.flit_width, head.slice(0, self.flit_width)),
        };
        let header = (header_bits > 0).then(|| {
            let bits = head.slice(self.flit_width, header_bits);
            m.define(format!("{name}_header"), header_bits, bits)
        });
        Ok(Standing { valid, pop, header, flit })
    }

    /// Header and last-flit mark in a shift register, which knows the fill level; the data
    /// beside it.
    fn in_two(&mut self, queue: &QueuePlan, arrival: Arrival) -> Result<Standing, RtlError> {
        let header_bits = queue.header.len() as u32;
        let data_bits = self.flit_width - 1;
        let marks = arrival.header.into_iter().chain([arrival.flit.bit(data_bits)]);
        let marks = Expr::concat(marks);
        let (size, name) = (self.queue_size(queue), &queue.name);
        let offered = self.m.define(format!("{name}_offered"), 1, arrival.valid);
        let fifo = self.parts.fifo(true, header_bits + 1, size)?;
        let names = [format!("{name}_marks_fifo"), format!("{name}_marks")];
        let (valid, pop, head) =
            self.place(queue, &fifo, names, offered.into(), arrival.ready, marks);
        let store = self.parts.store(size.depth)?;
        let m = &mut self.m;
        let push = match size.in_flight {
            0 => m.define(format!("{name}_push"), 1, Expr::from(offered) & arrival.ready),
            _ => offered,
        };
        let leave = m.define(format!("{name}_leave"), 1, Expr::from(valid) & pop);
        let data = m.wire(format!("{name}_data"), data_bits);
        let write = if size.in_flight > 0 { push } else { arrival.ready };
        m.instance(
            format!("{name}_store"),
            &store,
            [
                ("write", write.into()),
                ("push", push.into()),
                ("pop", leave.into()),
                ("in_data", arrival.flit.slice(0, data_bits)),
                ("out_data", data.into()),
            ],
        );
        let flit = Expr::concat([head.bit(0), data.into()]);
        let flit = m.define(format!("{name}_flit"), self.flit_width, flit);
        let header = (header_bits > 0)
            .then(|| m.define(format!("{name}_header"), header_bits, head.slice(1, header_bits)));
        Ok(Standing { valid, pop, header, flit })
    }

    /// Places a queue module under the names of the instance and of its head; returns valid,
    /// pop and the head.
    fn place(
        &mut self,
        queue: &QueuePlan,
        fifo: &Arc<Module>,
        [instance, head]: [String; 2],
        in_valid: Expr,
        in_ready: Net,
        in_data: Expr,
    ) -> (Net, Net, Net) {
        let (m, name) = (&mut self.m, &queue.name);
        let valid = m.wire(format!("{name}_valid"), 1);
        let pop = m.wire(format!("{name}_pop"), 1);
        let head = m.wire(head, fifo.port("out_data").map_or(0, |port| port.width));
        m.instance(
            instance,
            fifo,
            [
                ("in_valid", in_valid),
                ("in_ready", in_ready.into()),
                ("in_data", in_data),
                ("out_valid", valid.into()),
                ("out_ready", pop.into()),
                ("out_data", head.into()),
            ],
        );
        (valid, pop, head)
    }
}

/// The stored header bits out of those on the wires, most significant first.
fn pick(header: Net, carried: &[u32], stored: &[u32]) -> Option<Expr> {
    if carried == stored {
        return Some(header.into());
    }
    let bits = stored
        .iter()
        .rev()
        .filter_map(|b| carried.iter().position(|c| c == b).map(|place| header.bit(place as u32)));
    let bits: Vec<Expr> = bits.collect();
    if bits.is_empty() { None } else { Some(Expr::concat(bits)) }
}
