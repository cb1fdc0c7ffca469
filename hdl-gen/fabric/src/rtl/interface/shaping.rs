//! Shapers in the top module, each with the token buckets of its flows.

use super::top::Place;
use crate::plan::ShaperPlan;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Domain, Expr, Module, ModuleBuilder, Net};
use turnpike_network::flows::TokenBucket;

/// Shaper of a source, to be placed.
pub(super) struct Shaping<'a> {
    pub class: &'a ShaperPlan,
    /// The shaper's module.
    pub module: &'a Arc<Module>,
    /// Modules of token buckets.
    pub buckets: &'a BTreeMap<TokenBucket, Arc<Module>>,
    pub domain: Domain,
}

impl Shaping<'_> {
    /// Places a shaper called `name` between two streams. Returns the wire that is high where it refuses
    /// a packet.
    pub fn place(&self, m: &mut ModuleBuilder, name: &str, from: &Place, to: &Place) -> Net {
        let count = self.class.flows.len() as u32;
        let wants = m.wire(format!("{name}_wants"), count);
        let grants: Vec<Net> =
            (0..count).map(|flow| m.wire(format!("{name}_grants{flow}"), 1)).collect();
        let error = m.wire(format!("{name}_refuses"), 1);
        let word = Expr::concat(words(from).into_iter().rev().map(Expr::from));
        let out_words = words(to);
        let out_word = m.wire(format!("{name}_word"), out_words.iter().map(|net| net.width).sum());
        let mut connections = vec![
            ("in_word", word),
            ("out_word", out_word.into()),
            ("error", error.into()),
            ("wants", wants.into()),
            ("granted", Expr::any_of(grants.iter().copied().map(Expr::from))),
        ];
        for (end, place) in [(IN, from), (OUT, to)] {
            let net = |signal| place.iter().find(|(own, _)| *own == signal).map(|(_, net)| *net);
            let known = end.into_iter().zip(SIGNALS);
            connections.extend(known.map(|(port, signal)| {
                (port, net(signal).expect("every stream of a source has it").into())
            }));
        }
        m.instance_in(self.domain, format!("{name}_shaper"), self.module, connections);
        let mut low = 0;
        for net in out_words {
            m.assign(net, out_word.slice(low, net.width));
            low += net.width;
        }
        for ((bit, flow), grants) in (0..).zip(&self.class.flows).zip(grants) {
            let connections = [("wants", wants.bit(bit)), ("grants", grants.into())];
            let module = &self.buckets[&flow.bucket];
            m.instance_in(self.domain, format!("{name}_bucket{bit}"), module, connections);
        }
        error
    }
}

/// Signals that a shaper looks at, and its ports for them.
const SIGNALS: [&str; 4] = ["valid", "ready", "dest", "last"];
const IN: [&str; 4] = ["in_valid", "in_ready", "in_dest", "in_last"];
const OUT: [&str; 4] = ["out_valid", "out_ready", "out_dest", "out_last"];

/// Nets of a stream that a shaper does not look at.
fn words(place: &Place) -> Vec<Net> {
    let others = place.iter().filter(|(signal, _)| !SIGNALS.contains(signal));
    others.map(|(_, net)| *net).collect()
}
