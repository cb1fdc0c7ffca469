//! Output ports: an arbiter per VC, the link shared among VCs, and the multiplexer.

use super::allocate::Allocated;
use super::{Builder, Head, Ports};
use crate::plan::{QueueStyle, SourcePlan};
use std::collections::BTreeMap;
use turnpike_netlist::{Expr, Handshake, Net, Register, RtlError};
use turnpike_network::routing::{Carried, HeaderUpdate, Output};

/// Name, in checks, of the grant of an (output, VC), a bit for each of its sources.
pub fn grant_of(output_vc: usize) -> String {
    format!("grant of output VC {output_vc}")
}

/// Name, in checks, of the bit that is high when a flit leaves by an (output, VC).
pub fn goes_by(output_vc: usize) -> String {
    format!("flit leaves by output VC {output_vc}")
}

/// The choice of an arbiter.
struct Grant {
    /// One bit per source.
    granted: Net,
    /// Whether the granted source has a flit.
    present: Expr,
    /// Last-flit mark of the choice, where that is known ahead of the multiplexer.
    ends: Option<Net>,
    done: Option<Net>,
}

/// Way out of the flit that an output chose: its port, or a register in front of the port.
struct Exit {
    header: Option<Net>,
    flit: Net,
    /// Per VC: whether a flit that is chosen now can leave.
    ready: Vec<Expr>,
    /// A terminal's valid without a register: it may not wait for ready, as a channel's does.
    offers: Option<Net>,
}

impl Builder<'_> {
    pub(super) fn outputs(&mut self, ports: &Ports) -> Result<(), RtlError> {
        let class = self.class;
        for (index, output) in class.outputs.iter().enumerate() {
            self.m.section(format!("Output {}", output.name));
            let lanes: Vec<usize> = (0..class.output_vcs.len())
                .filter(|&i| class.output_vcs[i].output == index)
                .collect();
            let exit = self.exit(index, &lanes, ports);
            let grants = self.grants(&lanes)?;
            let goes = self.share_link(&lanes, &grants, &exit)?;
            for ((lane, grant), &goes) in lanes.iter().zip(&grants).zip(&goes) {
                self.m.probe(grant_of(*lane), grant.granted);
                self.m.probe(goes_by(*lane), goes);
            }
            self.multiplexer(&lanes, &grants, &goes, &exit)?;
            self.finish_lanes(&lanes, &grants, &goes, &exit);
            self.send(index, &lanes, &goes, &exit, ports);
        }
        Ok(())
    }

    fn exit(&mut self, index: usize, lanes: &[usize], ports: &Ports) -> Exit {
        let output = &self.class.outputs[index];
        let (header, flit) = ports.outputs[index];
        let ready: Vec<Expr> =
            lanes.iter().map(|&lane| ports.output_handshake[lane].ready.into()).collect();
        if !self.plan.parameters.pipeline.registers_output() {
            let ejects = output.output.is_eject();
            let offers = ejects.then(|| ports.output_handshake[lanes[0]].valid);
            return Exit { header, flit, ready, offers };
        }
        let m = &mut self.m;
        let name = &output.name;
        let header = header.map(|h| m.wire(format!("{name}_chosen_header"), h.width));
        let flit = m.wire(format!("{name}_chosen_flit"), flit.width);
        let ready = match output.output {
            Output::Network(_) => ready,
            Output::Eject(_) => {
                let Handshake { valid, ready: taken } = ports.output_handshake[lanes[0]];
                let room = !Expr::from(valid) | taken;
                vec![m.define(format!("{name}_room"), 1, room).into()]
            }
        };
        Exit { header, flit, ready, offers: None }
    }

    /// Per (output, VC) of one port: the grant. `done` is driven later.
    fn grants(&mut self, lanes: &[usize]) -> Result<Vec<Grant>, RtlError> {
        lanes.iter().map(|&lane| self.grant(lane)).collect()
    }

    fn grant(&mut self, lane: usize) -> Result<Grant, RtlError> {
        let ov = &self.class.output_vcs[lane];
        let n = ov.sources.len() as u32;
        if let Some(&Allocated { grant, done }) = self.allocated.get(&lane) {
            // Who holds an output may have its next flit still to come.
            let heads = ov.sources.iter().enumerate();
            let there = heads.map(|(i, s)| grant.bit(i as u32) & self.heads[s.queue].valid);
            let there = Expr::any_of(there);
            let present = self.m.define(format!("{}_present", ov.name), 1, there).into();
            return Ok(Grant { granted: grant, present, ends: None, done: Some(done) });
        }
        let asks = ov.sources.iter().rev().map(|s| self.heads[s.queue].asks[&lane].into());
        let asks = Expr::concat(asks);
        let registered = self.plan.parameters.pipeline.registers_grant();
        if n == 1 && !registered {
            let granted = self.m.define(format!("{}_grant", ov.name), 1, asks);
            return Ok(Grant { granted, present: granted.into(), ends: None, done: None });
        }
        let arbiter = match registered {
            false => self.parts.arbiter(n)?,
            true => self.parts.registered_arbiter(n)?,
        };
        let m = &mut self.m;
        let request = m.define(format!("{}_request", ov.name), n, asks);
        let done = m.wire(format!("{}_done", ov.name), 1);
        let granted = m.wire(format!("{}_grant", ov.name), n);
        m.instance(
            format!("{}_arbiter", ov.name),
            &arbiter,
            [("request", request.into()), ("done", done.into()), ("grant", granted.into())],
        );
        if !registered {
            let present = Expr::from(granted).any();
            return Ok(Grant { granted, present, ends: None, done: Some(done) });
        }
        for (i, source) in ov.sources.iter().enumerate() {
            let fronts = self.heads[source.queue].front.iter_mut();
            fronts.for_each(|front| front.grants.push(granted.bit(i as u32)));
        }
        // A packet that was granted may have its next flits still to come.
        let heads = || ov.sources.iter().enumerate().map(|(i, s)| (i, &self.heads[s.queue]));
        let there = Expr::any_of(heads().map(|(i, h)| granted.bit(i as u32) & h.valid));
        // Marks that stand in flip-flops are early; those in a memory are not worth the LUTs.
        let last = self.flit_width - 1;
        let early = self.plan.parameters.pipeline.asks_ahead()
            || self.plan.parameters.queue != QueueStyle::Ram;
        let ending = early.then(|| {
            let ends = |(i, h): (usize, &Head)| granted.bit(i as u32) & h.flit.bit(last);
            Expr::any_of(heads().map(ends))
        });
        let m = &mut self.m;
        let present = m.define(format!("{}_present", ov.name), 1, there).into();
        let ends = ending.map(|ending| m.define(format!("{}_ends", ov.name), 1, ending));
        Ok(Grant { granted, present, ends, done: Some(done) })
    }

    /// Chooses the VC that the link serves in this cycle. Returns, per VC, the wire that is high
    /// when its granted flit leaves.
    fn share_link(
        &mut self,
        lanes: &[usize],
        grants: &[Grant],
        exit: &Exit,
    ) -> Result<Vec<Net>, RtlError> {
        let class = self.class;
        let wants = |i: usize| grants[i].present.clone() & exit.ready[i].clone();
        if let [lane] = lanes {
            let wants = |i: usize| match exit.offers {
                Some(valid) => Expr::from(valid) & exit.ready[i].clone(),
                None => wants(i),
            };
            if let Some(valid) = exit.offers {
                self.m.assign(valid, grants[0].present.clone());
            }
            let name = format!("{}_goes", class.output_vcs[*lane].name);
            return Ok(vec![self.m.define(name, 1, wants(0))]);
        }
        let output = class.output_vcs[lanes[0]].output;
        let levels = class.by_priority(output);
        self.m.comment("The VCs share the link flit by flit: none holds it against another.");
        let place = |lane: &usize| lanes.iter().position(|known| known == lane);
        let (mut goes, mut above) = (BTreeMap::new(), None);
        for (level, own) in levels.iter().enumerate() {
            let wanted = own.iter().rev().filter_map(place).map(wants);
            let mut link = format!("{}_link", class.outputs[output].name);
            if levels.len() > 1 {
                let priority = class.output_vcs[own[0]].priority;
                self.m.comment(match level {
                    0 => format!("Priority {priority}: these VCs go first."),
                    _ => format!(
                        "Priority {priority}: these VCs go where none above has a flit to send."
                    ),
                });
                link = format!("{link}_priority{priority}");
            }
            let n = own.len() as u32;
            let request = self.m.define(format!("{link}_request"), n, Expr::concat(wanted));
            let may = match above {
                None => request.into(),
                Some(above) => Expr::from(request) & (!Expr::from(above)).repeat(n),
            };
            let serves = match n {
                1 => self.m.define(format!("{link}_grant"), 1, may),
                _ => self.link_arbiter(&link, n, may)?,
            };
            for (i, lane) in own.iter().enumerate() {
                goes.insert(*lane, serves.bit(i as u32));
            }
            if level + 1 < levels.len() {
                let any = if n == 1 { request.into() } else { Expr::from(request).any() };
                let busy = above.map_or(any.clone(), |above| any | above);
                above = Some(self.m.define(format!("{link}_busy"), 1, busy));
            }
        }
        let goes = goes.into_iter().map(|(lane, goes)| {
            self.m.define(format!("{}_goes", class.output_vcs[lane].name), 1, goes)
        });
        Ok(goes.collect())
    }

    /// Gives a link to one of the VCs that ask, in turn, for a cycle.
    fn link_arbiter(&mut self, link: &str, n: u32, may: Expr) -> Result<Net, RtlError> {
        let arbiter = self.parts.arbiter(n)?;
        let serves = self.m.wire(format!("{link}_grant"), n);
        self.m.instance(
            format!("{link}_arbiter"),
            &arbiter,
            [("request", may), ("done", Expr::constant(1, 1)), ("grant", serves.into())],
        );
        Ok(serves)
    }

    /// Tells the arbiters when a packet is through, and the queues when their head leaves.
    fn finish_lanes(&mut self, lanes: &[usize], grants: &[Grant], goes: &[Net], exit: &Exit) {
        for (at, ((&lane, grant), &goes)) in lanes.iter().zip(grants).zip(goes).enumerate() {
            let ov = &self.class.output_vcs[lane];
            // Alone on its link, a granted flit leaves as soon as there is room for it.
            // Without an arbiter and a register nothing else reads that it goes.
            let alone = lanes.len() == 1 && !(grant.done.is_none() && exit.offers.is_some());
            let leaves = if alone { exit.ready[at].clone() } else { goes.into() };
            for (i, source) in ov.sources.iter().enumerate() {
                let granted = grant.granted.bit(i as u32);
                self.heads[source.queue].leaves.push(granted & leaves.clone());
            }
            if let Some(done) = grant.done {
                let chosen = exit.flit.bit(self.flit_width - 1);
                let last = grant.ends.map_or(chosen, Expr::from);
                self.m.assign(done, Expr::from(goes) & last);
            }
        }
    }

    /// Drives the port: what was chosen, at once or out of a register.
    fn send(&mut self, index: usize, lanes: &[usize], goes: &[Net], exit: &Exit, ports: &Ports) {
        let ejects = self.class.outputs[index].output.is_eject();
        let valids = lanes.iter().map(|&lane| ports.output_handshake[lane].valid);
        if !self.plan.parameters.pipeline.registers_output() {
            let waits = valids.zip(goes).filter(|_| exit.offers.is_none());
            waits.for_each(|(valid, &goes)| self.m.assign(valid, goes));
            return;
        }
        let room = ejects.then(|| exit.ready[0].clone());
        let register = |net, reset, next: Expr| Register { net, reset, enable: room.clone(), next };
        let (header, flit) = ports.outputs[index];
        let valids = valids.zip(goes).map(|(valid, &goes)| register(valid, Some(0), goes.into()));
        let valids = valids.collect();
        let headers = header.zip(exit.header).map(|(to, from)| register(to, None, from.into()));
        let flits = [register(flit, None, exit.flit.into())].into_iter();
        let data = headers.into_iter().chain(flits).collect();
        self.m.registers(valids);
        self.m.registers(data);
    }

    /// The output's flit and header, multiplexed over its sources alone.
    fn multiplexer(
        &mut self,
        lanes: &[usize],
        grants: &[Grant],
        goes: &[Net],
        exit: &Exit,
    ) -> Result<(), RtlError> {
        let (class, Exit { header, flit, .. }) = (self.class, exit);
        // With one VC the grant selects; with several, the grant of the VC that the link serves.
        let mut taken: Vec<Taken> = Vec::new();
        for ((&lane, grant), &goes) in lanes.iter().zip(grants).zip(goes) {
            for (i, source) in class.output_vcs[lane].sources.iter().enumerate() {
                let granted = grant.granted.bit(i as u32);
                let select = if lanes.len() == 1 { granted } else { granted & goes };
                // A queue that feeds several VCs of the port is one input all the same.
                match taken.iter_mut().find(|known| known.queue == source.queue) {
                    Some(known) => known.also(&source.carry, select),
                    None => taken.push(Taken::new(source, select)),
                }
            }
        }
        let output = &class.outputs[class.output_vcs[lanes[0]].output];
        let n = taken.len() as u32;
        let select = match n {
            1 => None,
            _ => {
                let bits = taken.iter().rev().map(|taken| taken.select.clone());
                Some(self.m.define(format!("{}_select", output.name), n, Expr::concat(bits)))
            }
        };
        match select {
            None => self.m.assign(*flit, self.heads[taken[0].queue].flit),
            Some(select) => {
                let mux = self.parts.mux(n)?;
                let names: Vec<String> = (0..n).map(|i| format!("in{i}")).collect();
                let flits = taken.iter().map(|taken| self.heads[taken.queue].flit.into());
                let sources = names.iter().map(String::as_str).zip(flits);
                let ends = [("select", select.into()), ("out", (*flit).into())];
                let connections: Vec<(&str, Expr)> = sources.chain(ends).collect();
                self.m.instance(format!("{}_mux", output.name), &mux, connections);
            }
        }
        let Some(header) = header else { return Ok(()) };
        // A header bit comes only from the sources that can have it: few, so and-or serves.
        let bit = |at: u32| {
            let mut from = Vec::new();
            for (i, taken) in taken.iter().enumerate() {
                for (carry, way) in &taken.ways {
                    let Some(bit) = self.carried(taken.queue, carry, at) else { continue };
                    // Where the header is carried alike on all VCs the queue's own select serves.
                    from.push(match (taken.ways.len(), select) {
                        (1, None) => bit,
                        (1, Some(select)) => select.bit(i as u32) & bit,
                        _ => way.clone() & bit,
                    });
                }
            }
            if from.is_empty() { Expr::constant(1, 0) } else { Expr::any_of(from) }
        };
        let bits: Vec<Expr> = output.header.iter().rev().map(|&at| bit(at)).collect();
        self.m.assign(*header, Expr::concat(bits));
        Ok(())
    }

    /// A bit of the header on its way out of a queue; `None` where it is 0.
    fn carried(&self, queue: usize, carry: &HeaderUpdate, at: u32) -> Option<Expr> {
        let Head { header, header_bits, .. } = &self.heads[queue];
        let of = |bit: u32| {
            let place = header_bits.iter().position(|&b| b == bit)?;
            Some(header.as_ref()?.bit(place as u32))
        };
        Some(match carry.bit(at)? {
            Carried::Bit(from) => of(from)?,
            Carried::Inverse(from) => of(from).map_or(Expr::constant(1, 1), |bit| !bit),
            Carried::Less { low, at } => {
                let below: Vec<Expr> = (low..at).filter_map(of).collect();
                let borrows = match below.is_empty() {
                    true => Expr::constant(1, 1),
                    false => !Expr::any_of(below),
                };
                match of(at) {
                    Some(bit) => bit ^ borrows,
                    None => borrows,
                }
            }
        })
    }
}

/// A queue that an output takes flits from.
struct Taken {
    /// Index of the queue.
    queue: usize,
    /// Whether its flit goes.
    select: Expr,
    /// Whether a flit of the queue goes, by header update, which may differ from VC to VC.
    ways: Vec<(HeaderUpdate, Expr)>,
}

impl Taken {
    fn new(source: &SourcePlan, select: Expr) -> Self {
        let ways = vec![(source.carry.clone(), select.clone())];
        Self { queue: source.queue, select, ways }
    }

    /// On another VC of the port, too.
    fn also(&mut self, carry: &HeaderUpdate, select: Expr) {
        self.select = self.select.clone() | select.clone();
        match self.ways.iter_mut().find(|(known, _)| known == carry) {
            Some((_, before)) => *before = before.clone() | select,
            None => self.ways.push((carry.clone(), select)),
        }
    }
}
