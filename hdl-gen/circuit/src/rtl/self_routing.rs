//! Words that find their way by the destinations that they bear (Nassimi and Sahni, A
//! Self-Routing Benes Network and Parallel Permutation Algorithms, IEEE Transactions on Computers
//! C-30(5), 1981; on a butterfly greedily). See [`turnpike_schedule::self_routing`].

use super::Terminals;
use super::path::{self, Ends, Link, Switches, word_bits};
use super::switch::{SelfSetting, self_routing};
use crate::plan::CircuitPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};
use turnpike_schedule::network::{Network, Rows};

pub(super) fn build(plan: &CircuitPlan, m: &mut ModuleBuilder) -> Result<(), RtlError> {
    let Network::Rows(rows) = &plan.network else { unreachable!("the plan is checked") };
    let enable = (plan.latency() > 0).then(|| m.input("enable", 1));
    let terminals = Terminals::declare(plan, m);
    let conflict = m.output("conflict", 1);
    let bits = word_bits(plan);
    let [by_upper, by_both] = [SelfSetting::ByUpper, SelfSetting::ByBoth]
        .map(|goes| self_routing(&plan.name, goes, bits));
    let mut switches =
        SelfSet { plan, rows, by_upper: by_upper?, by_both: by_both?, conflicts: Vec::new() };
    let opens = vec![None; plan.terminals() as usize];
    let ends = Ends { terminals: &terminals, enters: None, opens, enable };
    path::build(plan, m, &ends, |_| true, &mut switches);
    m.section("Whether a word was lost");
    let any = Expr::any_of(switches.conflicts.into_iter().map(Expr::from));
    match enable {
        None => m.assign(conflict, any),
        Some(enable) => {
            let register =
                Register { net: conflict, reset: Some(0), enable: Some(enable.into()), next: any };
            m.registers(vec![register]);
        }
    }
    Ok(())
}

struct SelfSet<'a> {
    plan: &'a CircuitPlan,
    rows: &'a Rows,
    by_upper: Arc<Module>,
    by_both: Arc<Module>,
    conflicts: Vec<Net>,
}

impl Switches for SelfSet<'_> {
    fn place(
        &mut self,
        m: &mut ModuleBuilder,
        (stage, switch): (u32, u32),
        links: &[Option<Link>],
    ) -> Vec<Option<Link>> {
        let name = format!("stage{stage}_switch{switch}");
        // Before the middle of a Benes network either way leads to the sink.
        let is_free = self.rows.is_benes() && stage + 1 < self.rows.dim();
        let module = if is_free { &self.by_upper } else { &self.by_both };
        // Digits that no later stage goes by are left behind.
        let (before, after) = (self.live(stage), self.live(stage + 1));
        let digit = self.rows.digits()[stage as usize];
        let plain = self.plan.parameters.width + 1;
        let kept = |word: Net| {
            let digits = before.iter().zip(plain..).filter(|(digit, _)| after.contains(digit));
            let mut bits = vec![word.slice(0, plain)];
            bits.extend(digits.map(|(_, at)| word.bit(at)));
            match before == after {
                true => word.into(),
                false => Expr::concat(bits.into_iter().rev()),
            }
        };
        let turn = plain + before.iter().position(|&d| d == digit).expect("goes by it") as u32;
        let bits = plain + after.len() as u32;
        let mut connections: Vec<(String, Expr)> = Vec::new();
        for (i, link) in links.iter().enumerate() {
            let link = link.expect("every link is built");
            connections.push((format!("in{i}_turn"), link.word.bit(turn)));
            connections.push((format!("in{i}_valid"), link.valid.into()));
            connections.push((format!("in{i}_word"), kept(link.word)));
        }
        let outputs = Link::leaving(m, &name, 2, bits, &mut connections);
        if !is_free {
            let conflict = m.wire(format!("{name}_conflict"), 1);
            connections.push(("conflict".to_owned(), conflict.into()));
            self.conflicts.push(conflict);
        }
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        let module = Arc::new(module.at_width(bits));
        m.instance(name, &module, connections);
        outputs
    }
}

impl SelfSet<'_> {
    /// The digits that a stage or a later one goes by, ascending.
    fn live(&self, stage: u32) -> Vec<u32> {
        let later = &self.rows.digits()[stage as usize..];
        (0..self.rows.dim()).filter(|digit| later.contains(digit)).collect()
    }
}
