//! Route logic at the head of a queue.

use super::Builder;
use crate::plan::{OutputVcPlan, QueuePlan};
use crate::routing::{Header, Output, Select};
use crate::rtl::{Expr, ModuleBuilder, Net};
use std::collections::BTreeMap;

impl Builder<'_> {
    /// Route logic: per output, whether the head flit asks for it.
    pub(super) fn route(
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
            // No bit is ever set: every packet here goes one way.
            let way = queue.select.output(0);
            let when = |o: usize| match self.class.outputs[o].output == way {
                true => valid.clone(),
                false => Expr::constant(1, 0),
            };
            return outputs.into_iter().map(|o| ask(m, o, when(o))).collect();
        };
        let bit = |at: u32| {
            let place = queue.header.iter().position(|&b| b == at);
            place.map_or(Expr::constant(1, 0), |p| header.bit(p as u32))
        };
        match &queue.select {
            Select::FirstRule { rules, one_hot } => {
                let mut earlier: Vec<Expr> = Vec::new();
                let mut by_port: BTreeMap<Output, Expr> = BTreeMap::new();
                for rule in rules {
                    let bits: Vec<Expr> = bits_of(rule.all).into_iter().map(bit).collect();
                    let mut terms = vec![valid.clone()];
                    terms.extend(bits.iter().cloned());
                    if !one_hot {
                        terms.extend(earlier.iter().map(|e| !e.clone()));
                    }
                    earlier.push(Expr::all(bits));
                    let when = Expr::all(terms);
                    let port = Output::Network(rule.port);
                    let when = match by_port.remove(&port) {
                        Some(before) => before | when,
                        None => when,
                    };
                    by_port.insert(port, when);
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
}

fn bits_of(mask: Header) -> Vec<u32> {
    (0..64).filter(|&bit| mask >> bit & 1 == 1).collect()
}
