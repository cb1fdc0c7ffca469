//! A switch: a queue per (input port, VC) in use, route logic at its head, an arbiter per
//! (output port, VC) over the sources that can reach it, and per output port a multiplexer
//! over those sources alone.

use super::{Expr, Module, ModuleBuilder, Net, RtlError, arbiter, fifo, mux};
use crate::plan::{FabricPlan, OutputVcPlan, QueuePlan, SourcePlan, SwitchPlan};
use crate::routing::{Output, Select};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names of the ports of a switch, and of the wires between switches.
pub mod port {
    use crate::plan::{InputPlan, OutputPlan};
    use crate::routing::Vc;

    fn handshake(port: &str, direction: &str, vcs: &[Vc], vc: Vc, signal: &str) -> String {
        match vcs {
            [_] if vc.0 == 0 => format!("{port}_{direction}_{signal}"),
            _ => format!("{port}_{direction}_vc{}_{signal}", vc.0),
        }
    }
    /// `valid` or `ready` of an input's virtual channel.
    pub fn input_vc(input: &InputPlan, vc: Vc, signal: &str) -> String {
        handshake(&input.name, "in", &input.vcs, vc, signal)
    }
    /// `valid` or `ready` of an output's virtual channel.
    pub fn output_vc(output: &OutputPlan, vc: Vc, signal: &str) -> String {
        handshake(&output.name, "out", &output.vcs, vc, signal)
    }
    /// `header` or `flit` of an input.
    pub fn input(input: &InputPlan, signal: &str) -> String {
        format!("{}_in_{signal}", input.name)
    }
    /// `header` or `flit` of an output.
    pub fn output(output: &OutputPlan, signal: &str) -> String {
        format!("{}_out_{signal}", output.name)
    }
}

/// The parts that the switches of a fabric share, by kind and size.
#[derive(Debug, Default)]
pub struct Parts {
    arbiters: BTreeMap<u32, Arc<Module>>,
    fifos: BTreeMap<u32, Arc<Module>>,
    muxes: BTreeMap<u32, Arc<Module>>,
}

/// The module of a switch class.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn switch(
    plan: &FabricPlan,
    class: &SwitchPlan,
    parts: &mut Parts,
) -> Result<Arc<Module>, RtlError> {
    let mut builder = Builder {
        prefix: &plan.name,
        depth: plan.parameters.depth,
        flit_width: plan.flit_width(),
        class,
        parts,
        m: ModuleBuilder::new(&class.name),
        heads: Vec::new(),
    };
    builder.about(plan);
    let ports = builder.ports();
    builder.queues(&ports)?;
    builder.outputs(&ports)?;
    builder.pops();
    builder.m.finish()
}

struct Ports {
    /// Per input: header (if any), flit.
    inputs: Vec<(Option<Net>, Net)>,
    /// Per queue: valid, ready.
    queue_handshake: Vec<(Net, Net)>,
    /// Per output: header (if any), flit.
    outputs: Vec<(Option<Net>, Net)>,
    /// Per (output, VC): valid, ready.
    output_handshake: Vec<(Net, Net)>,
}

/// The head of a queue.
struct Head {
    header: Option<Net>,
    flit: Net,
    pop: Net,
    /// Per output that the queue can turn to: asks for it.
    asks: BTreeMap<usize, Net>,
    /// Cycles in which the head leaves, by (output, VC).
    leaves: Vec<Expr>,
}

struct Builder<'a> {
    prefix: &'a str,
    depth: u32,
    flit_width: u32,
    class: &'a SwitchPlan,
    parts: &'a mut Parts,
    m: ModuleBuilder,
    heads: Vec<Head>,
}

impl Builder<'_> {
    fn about(&mut self, plan: &FabricPlan) {
        self.m.about("A switch with a crossbar of just the turns that the routing takes.");
        self.m.about("");
        crate::matrix::turn_matrix(self.class).lines().for_each(|l| self.m.about(l));
        self.m.about("");
        let fields: Vec<String> =
            plan.flit_fields().iter().rev().map(|f| format!("{} [{}]", f.name, f.width)).collect();
        self.m.about(format!("A flit is {{{}}}.", fields.join(", ")));
        self.m.about("Header bits per port: the bits still to be corrected, by number.");
        for input in self.class.inputs.iter().filter(|i| !i.header.is_empty()) {
            let bits: Vec<String> = input.header.iter().rev().map(u32::to_string).collect();
            self.m.about(format!("  {:<8} {{{}}}", input.name, bits.join(", ")));
        }
    }

    fn ports(&mut self) -> Ports {
        let (m, class, width) = (&mut self.m, self.class, self.flit_width);
        let mut ports = Ports {
            inputs: Vec::new(),
            queue_handshake: Vec::new(),
            outputs: Vec::new(),
            output_handshake: Vec::new(),
        };
        for input in &class.inputs {
            for &vc in &input.vcs {
                let valid = m.input(port::input_vc(input, vc, "valid"), 1);
                let ready = m.output(port::input_vc(input, vc, "ready"), 1);
                ports.queue_handshake.push((valid, ready));
            }
            let bits = input.header.len() as u32;
            let header = (bits > 0).then(|| m.input(port::input(input, "header"), bits));
            ports.inputs.push((header, m.input(port::input(input, "flit"), width)));
        }
        for output in &class.outputs {
            for &vc in &output.vcs {
                let valid = m.output(port::output_vc(output, vc, "valid"), 1);
                let ready = m.input(port::output_vc(output, vc, "ready"), 1);
                ports.output_handshake.push((valid, ready));
            }
            let bits = output.header.len() as u32;
            let header = (bits > 0).then(|| m.output(port::output(output, "header"), bits));
            ports.outputs.push((header, m.output(port::output(output, "flit"), width)));
        }
        ports
    }

    fn fifo(&mut self, width: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.fifos.get(&width) {
            return Ok(Arc::clone(module));
        }
        let module = fifo::fifo(self.prefix, width, self.depth)?;
        self.parts.fifos.insert(width, Arc::clone(&module));
        Ok(module)
    }

    fn arbiter(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.arbiters.get(&n) {
            return Ok(Arc::clone(module));
        }
        let module = arbiter::arbiter(self.prefix, n)?;
        self.parts.arbiters.insert(n, Arc::clone(&module));
        Ok(module)
    }

    fn mux(&mut self, n: u32) -> Result<Arc<Module>, RtlError> {
        if let Some(module) = self.parts.muxes.get(&n) {
            return Ok(Arc::clone(module));
        }
        let module = mux::mux(self.prefix, n, self.flit_width)?;
        self.parts.muxes.insert(n, Arc::clone(&module));
        Ok(module)
    }

    fn queues(&mut self, ports: &Ports) -> Result<(), RtlError> {
        for (index, queue) in self.class.queues.iter().enumerate() {
            let header_bits = queue.header.len() as u32;
            let fifo = self.fifo(self.flit_width + header_bits)?;
            let (in_header, in_flit) = ports.inputs[queue.input];
            let (in_valid, in_ready) = ports.queue_handshake[index];
            let name = &queue.name;
            let m = &mut self.m;
            m.section(format!("Queue {name}"));
            // The wires may carry bits for another VC of this port: store our own only.
            let carried = &self.class.inputs[queue.input].header;
            let stored = in_header.and_then(|h| pick(h, carried, &queue.header));
            let data = stored.into_iter().chain([in_flit.into()]);
            let valid = m.wire(format!("{name}_valid"), 1);
            let pop = m.wire(format!("{name}_pop"), 1);
            let head = m.wire(format!("{name}_head"), fifo.port("out_data").map_or(0, |p| p.width));
            m.instance(
                format!("{name}_fifo"),
                &fifo,
                [
                    ("in_valid", in_valid.into()),
                    ("in_ready", in_ready.into()),
                    ("in_data", Expr::concat(data)),
                    ("out_valid", valid.into()),
                    ("out_ready", pop.into()),
                    ("out_data", head.into()),
                ],
            );
            let flit = match header_bits {
                0 => head,
                _ => m.define(
                    format!("{name}_flit"),
                    self.flit_width,
                    head.slice(0, self.flit_width),
                ),
            };
            let header = (header_bits > 0).then(|| {
                let bits = head.slice(self.flit_width, header_bits);
                m.define(format!("{name}_header"), header_bits, bits)
            });
            let asks = self.route(queue, valid, header);
            self.heads.push(Head { header, flit, pop, asks, leaves: Vec::new() });
        }
        Ok(())
    }

    /// Route logic: per output, whether the head flit asks for it.
    fn route(
        &mut self,
        queue: &QueuePlan,
        valid: Net,
        header: Option<Net>,
    ) -> BTreeMap<usize, Net> {
        let outputs = self.outputs_of(queue);
        let m = &mut self.m;
        let ask = |m: &mut ModuleBuilder, output: usize, when: Expr| {
            let name = format!("{}_to_{}", queue.name, self.class.outputs[output].name);
            (output, m.define(name, 1, when))
        };
        let valid = Expr::from(valid);
        let Some(header) = header else {
            // No bit is left: nowhere but eject.
            return outputs.into_iter().map(|o| ask(m, o, valid.clone())).collect();
        };
        let bit = |at: u32| {
            let place = queue.header.iter().position(|&b| b == at);
            place.map_or(Expr::constant(1, 0), |p| header.bit(p as u32))
        };
        match &queue.select {
            Select::FirstSet { order, one_hot } => {
                let mut earlier: Vec<Expr> = Vec::new();
                let mut by_port = BTreeMap::new();
                for &(at, port) in order {
                    let mut terms = vec![valid.clone(), bit(at)];
                    if !one_hot {
                        terms.extend(earlier.iter().map(|e| !e.clone()));
                    }
                    earlier.push(bit(at));
                    by_port.insert(Output::Network(port), Expr::all(terms));
                }
                let mut none = vec![valid];
                none.extend(earlier.into_iter().map(|e| !e));
                by_port.insert(Output::Eject, Expr::all(none));
                outputs
                    .into_iter()
                    .filter_map(|o| Some(ask(m, o, by_port.remove(&self.class.outputs[o].output)?)))
                    .collect()
            }
            Select::Table { bits, outputs: rows } => {
                let places = (0..*bits).rev().map(bit);
                let index = m.define(format!("{}_bits", queue.name), *bits, Expr::concat(places));
                let count = self.class.outputs.len() as u32;
                let chosen = m.wire(format!("{}_choice", queue.name), count);
                let place = |o: &Output| self.class.outputs.iter().position(|p| p.output == *o);
                let rows = rows.iter().map(|o| place(o).map_or(0, |p| 1 << p)).collect();
                m.table(chosen, index, rows);
                outputs
                    .into_iter()
                    .map(|o| ask(m, o, valid.clone() & chosen.bit(o as u32)))
                    .collect()
            }
        }
    }

    /// The outputs that a queue can turn to, as indices.
    fn outputs_of(&self, queue: &QueuePlan) -> Vec<usize> {
        let feeds = |ov: &&OutputVcPlan| {
            ov.sources.iter().any(|s| std::ptr::eq(&self.class.queues[s.queue], queue))
        };
        let mut outputs: Vec<usize> =
            self.class.output_vcs.iter().filter(feeds).map(|ov| ov.output).collect();
        outputs.dedup();
        outputs
    }

    fn outputs(&mut self, ports: &Ports) -> Result<(), RtlError> {
        let class = self.class;
        for (index, output) in class.outputs.iter().enumerate() {
            self.m.section(format!("Output {}", output.name));
            let lanes: Vec<usize> = (0..class.output_vcs.len())
                .filter(|&i| class.output_vcs[i].output == index)
                .collect();
            let grants = self.grants(&lanes)?;
            let goes = self.share_link(&lanes, &grants, ports)?;
            self.multiplexer(&lanes, &grants, &goes, ports.outputs[index])?;
            self.finish_lanes(&lanes, &grants, &goes, ports);
        }
        Ok(())
    }

    /// Per (output, VC) of one port: the grant (one bit per source). `done` is driven later.
    fn grants(&mut self, lanes: &[usize]) -> Result<Vec<Grant>, RtlError> {
        lanes
            .iter()
            .map(|&lane| {
                let ov = &self.class.output_vcs[lane];
                let n = ov.sources.len() as u32;
                let asks =
                    ov.sources.iter().rev().map(|s| self.heads[s.queue].asks[&ov.output].into());
                let asks = Expr::concat(asks);
                if n == 1 {
                    let granted = self.m.define(format!("{}_grant", ov.name), 1, asks);
                    return Ok(Grant { granted, done: None });
                }
                let arbiter = self.arbiter(n)?;
                let m = &mut self.m;
                let request = m.define(format!("{}_request", ov.name), n, asks);
                let done = m.wire(format!("{}_done", ov.name), 1);
                let granted = m.wire(format!("{}_grant", ov.name), n);
                m.instance(
                    format!("{}_arbiter", ov.name),
                    &arbiter,
                    [("request", request.into()), ("done", done.into()), ("grant", granted.into())],
                );
                Ok(Grant { granted, done: Some(done) })
            })
            .collect()
    }

    /// Which VC the link serves in this cycle; drives the port's valid signals. Returns, per
    /// VC, the wire that says that its granted flit leaves.
    fn share_link(
        &mut self,
        lanes: &[usize],
        grants: &[Grant],
        ports: &Ports,
    ) -> Result<Vec<Net>, RtlError> {
        let class = self.class;
        let present = |grant: &Grant| match grant.granted.width {
            1 => Expr::from(grant.granted),
            _ => Expr::from(grant.granted).any(),
        };
        if let [lane] = lanes {
            let ov = &class.output_vcs[*lane];
            let (valid, ready) = ports.output_handshake[*lane];
            // A terminal's valid may not wait for its ready; a channel's does.
            let m = &mut self.m;
            if class.outputs[ov.output].output == Output::Eject {
                m.assign(valid, present(&grants[0]));
                let goes = Expr::from(valid) & ready;
                return Ok(vec![m.define(format!("{}_goes", ov.name), 1, goes)]);
            }
            let goes = m.define(format!("{}_goes", ov.name), 1, present(&grants[0]) & ready);
            m.assign(valid, goes);
            return Ok(vec![goes]);
        }
        let arbiter = self.arbiter(lanes.len() as u32)?;
        let m = &mut self.m;
        let name = &class.outputs[class.output_vcs[lanes[0]].output].name;
        m.comment("The VCs share the link flit by flit: none holds it against another.");
        let candidates = lanes
            .iter()
            .zip(grants)
            .rev()
            .map(|(&lane, grant)| present(grant) & ports.output_handshake[lane].1);
        let n = lanes.len() as u32;
        let candidates = m.define(format!("{name}_link_request"), n, Expr::concat(candidates));
        let serves = m.wire(format!("{name}_link_grant"), n);
        m.instance(
            format!("{name}_link_arbiter"),
            &arbiter,
            [
                ("request", candidates.into()),
                ("done", Expr::constant(1, 1)),
                ("grant", serves.into()),
            ],
        );
        let mut goes = Vec::new();
        for (i, &lane) in lanes.iter().enumerate() {
            let name = format!("{}_goes", class.output_vcs[lane].name);
            let net = m.define(name, 1, serves.bit(i as u32));
            m.assign(ports.output_handshake[lane].0, net);
            goes.push(net);
        }
        Ok(goes)
    }

    /// Tells the arbiters when a packet is through, and the queues when their head leaves.
    fn finish_lanes(&mut self, lanes: &[usize], grants: &[Grant], goes: &[Net], ports: &Ports) {
        for ((&lane, grant), &goes) in lanes.iter().zip(grants).zip(goes) {
            let ov = &self.class.output_vcs[lane];
            // Alone on its link, a granted flit leaves as soon as there is room for it.
            let leaves = if lanes.len() == 1 { ports.output_handshake[lane].1 } else { goes };
            for (i, source) in ov.sources.iter().enumerate() {
                let granted = grant.granted.bit(i as u32);
                self.heads[source.queue].leaves.push(granted & leaves);
            }
            if let Some(done) = grant.done {
                let last = ports.outputs[ov.output].1.bit(self.flit_width - 1);
                self.m.assign(done, Expr::from(goes) & last);
            }
        }
    }

    /// The output's flit and header, multiplexed over its sources alone.
    fn multiplexer(
        &mut self,
        lanes: &[usize],
        grants: &[Grant],
        goes: &[Net],
        (header, flit): (Option<Net>, Net),
    ) -> Result<(), RtlError> {
        let class = self.class;
        // With one VC the grant selects; with several, the grant of the VC that the link serves.
        let mut taken: Vec<(SourcePlan, Expr)> = Vec::new();
        for ((&lane, grant), &goes) in lanes.iter().zip(grants).zip(goes) {
            for (i, source) in class.output_vcs[lane].sources.iter().enumerate() {
                let granted = grant.granted.bit(i as u32);
                let select = if lanes.len() == 1 { granted } else { granted & goes };
                taken.push((*source, select));
            }
        }
        let output = &class.outputs[class.output_vcs[lanes[0]].output];
        let n = taken.len() as u32;
        let select = match n {
            1 => None,
            _ => {
                let bits = taken.iter().rev().map(|(_, select)| select.clone());
                Some(self.m.define(format!("{}_select", output.name), n, Expr::concat(bits)))
            }
        };
        match select {
            None => self.m.assign(flit, self.heads[taken[0].0.queue].flit),
            Some(select) => {
                let mux = self.mux(n)?;
                let names: Vec<String> = (0..n).map(|i| format!("in{i}")).collect();
                let flits = taken.iter().map(|(source, _)| self.heads[source.queue].flit.into());
                let sources = names.iter().map(String::as_str).zip(flits);
                let ends = [("select", select.into()), ("out", flit.into())];
                let connections: Vec<(&str, Expr)> = sources.chain(ends).collect();
                self.m.instance(format!("{}_mux", output.name), &mux, connections);
            }
        }
        let Some(header) = header else { return Ok(()) };
        // A header bit comes only from the sources that can have it: few, so and-or serves.
        let bit = |at: u32| {
            let from = taken.iter().enumerate().filter_map(|(i, (source, _))| {
                let stored = &class.queues[source.queue].header;
                let place = stored.iter().position(|&b| b == at)?;
                let bits =
                    self.heads[source.queue].header.filter(|_| source.keeps >> at & 1 == 1)?;
                let bit = bits.bit(place as u32);
                Some(match select {
                    Some(select) => select.bit(i as u32) & bit,
                    None => bit,
                })
            });
            let from: Vec<Expr> = from.collect();
            if from.is_empty() { Expr::constant(1, 0) } else { Expr::any_of(from) }
        };
        let bits: Vec<Expr> = output.header.iter().rev().map(|&at| bit(at)).collect();
        self.m.assign(header, Expr::concat(bits));
        Ok(())
    }

    fn pops(&mut self) {
        self.m.section("Heads that leave");
        for head in &mut self.heads {
            let leaves = std::mem::take(&mut head.leaves);
            self.m.assign(head.pop, Expr::any_of(leaves));
        }
    }
}

struct Grant {
    granted: Net,
    done: Option<Net>,
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
