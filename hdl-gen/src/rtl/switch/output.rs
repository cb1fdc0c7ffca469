//! Output ports: an arbiter per VC, the link shared among VCs, and the multiplexer.

use super::{Builder, Ports};
use crate::plan::SourcePlan;
use crate::routing::Output;
use crate::rtl::{Expr, Net, RtlError};

/// The choice of an arbiter: one bit per source.
struct Grant {
    granted: Net,
    done: Option<Net>,
}

impl Builder<'_> {
    pub(super) fn outputs(&mut self, ports: &Ports) -> Result<(), RtlError> {
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
}
