//! Shapers in the top module, each with the token buckets of its flows.

use super::top::{Place, ends};
use crate::plan::ShaperPlan;
use crate::rtl::side_by_side::{self, apart, together};
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
        let [known, words] = [true, false].map(|is_known| {
            let is_it = |(signal, _): &&(&str, Net)| SIGNALS.contains(signal) == is_known;
            [from, to].map(|place| place.iter().filter(is_it).copied().collect::<Place>())
        });
        let [in_words, out_words] =
            words.map(|place| place.into_iter().map(|(_, net)| net).collect::<Vec<Net>>());
        let out_word = side_by_side::wire(m, format!("{name}_word"), &out_words);
        let others: [(&str, Expr); 5] = [
            ("in_word", together(&in_words)),
            ("out_word", out_word.into()),
            ("error", error.into()),
            ("wants", wants.into()),
            ("granted", Expr::any_of(grants.iter().copied().map(Expr::from))),
        ];
        let known = ends(&known[0], &known[1]);
        let known = known.iter().map(|(port, e)| (port.as_str(), e.clone()));
        m.instance_in(self.domain, format!("{name}_shaper"), self.module, known.chain(others));
        apart(m, out_word, &out_words);
        for ((bit, flow), grants) in (0..).zip(&self.class.flows).zip(grants) {
            let connections = [("wants", wants.bit(bit)), ("grants", grants.into())];
            let module = &self.buckets[&flow.bucket];
            m.instance_in(self.domain, format!("{name}_bucket{bit}"), module, connections);
        }
        error
    }
}

/// Signals that a shaper looks at.
const SIGNALS: [&str; 4] = ["valid", "ready", "dest", "last"];
