//! A fixed schedule in logic: only the crosspoints that it takes.

use super::Terminals;
use super::path::{self, Ends, Link, Switches};
use super::tags::travel;
use crate::baked::{Baked, inputs};
use crate::plan::CircuitPlan;
use std::collections::HashMap;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

pub(super) fn build(plan: &CircuitPlan, schedule: &Baked, m: &mut ModuleBuilder) {
    let (slots, bits) = (schedule.slots(), plan.slot_bits());
    let clocked = slots > 1 || plan.latency() > 0;
    let enable = clocked.then(|| m.input("enable", 1));
    let terminals = Terminals::declare(plan, m);
    let ports = (slots > 1).then(|| (m.output("s_slot", bits), m.output("m_slot", bits)));
    let mut tables = Tables { plan, enable, slots: Vec::new(), made: HashMap::new() };
    if let Some((s_slot, m_slot)) = ports {
        let enable = enable.expect("there are several slots");
        m.section("The slot");
        let slot = m.reg("slot", bits);
        let last = Expr::from(slot).equals(Expr::constant(bits, u64::from(slots - 1)));
        let following = Expr::from(slot) + Expr::constant(bits, 1);
        let next = m.define("next_slot", bits, last.mux(Expr::constant(bits, 0), following));
        let enabled = Some(enable.into());
        m.registers(vec![Register {
            net: slot,
            reset: Some(0),
            enable: enabled,
            next: next.into(),
        }]);
        let after = travel(plan, m, &[("slot", slot)], enable);
        m.assign(s_slot, slot);
        m.assign(m_slot, after[plan.latency() as usize][0]);
        tables.slots = std::iter::once(next).chain(after.iter().map(|nets| nets[0])).collect();
    }
    let mut open = vec![vec![0; slots as usize]; plan.terminals() as usize];
    let mut sends = vec![false; plan.terminals() as usize];
    for (slot, permutation) in schedule.permutations().iter().enumerate() {
        for connection in permutation.connections() {
            open[connection.sink as usize][slot] = 1;
            sends[connection.source as usize] = true;
        }
    }
    let last = plan.groups() - 1;
    if open.iter().any(|row| row.iter().any(|&open| open != row[0])) {
        m.section("Sinks that take words in some slots only");
    }
    let opens = open.into_iter().enumerate().map(|(sink, row)| {
        let always = row.iter().all(|&open| open == row[0]);
        (!always).then(|| tables.net(m, &format!("sink{sink}_open"), last, 1, row).into())
    });
    let opens = opens.collect();
    let idle = sends.iter().zip(0..).filter(|(sends, _)| !**sends).map(|(_, source)| source);
    let idle: Vec<u32> = idle.collect();
    if !idle.is_empty() {
        m.comment("Sources that never send.");
        let bits = idle
            .iter()
            .flat_map(|&source| [terminals.valid.bit(source), terminals.word(plan, source)]);
        m.gather_unused("sources", Expr::concat(bits));
    }
    let ends = Ends { terminals: &terminals, enters: None, opens, enable };
    let mut switches = Fixed { plan, schedule, tables };
    path::build(plan, m, &ends, |source| sends[source as usize], &mut switches);
}

/// Tables that change with the slot, and the registers that hold the slot for the words that come
/// next.
struct Tables<'a> {
    plan: &'a CircuitPlan,
    enable: Option<Net>,
    /// The slot of the words that enter in the next cycle, of those that enter in this one, and
    /// of those after each stage of registers; none where there is but one slot.
    slots: Vec<Net>,
    /// By group and rows.
    made: HashMap<(u32, Vec<u64>), Net>,
}

impl Tables<'_> {
    /// A net of `width` bits with a value by slot, for a group of stages. Equal ones are one net,
    /// under the name of the first.
    fn net(
        &mut self,
        m: &mut ModuleBuilder,
        name: &str,
        group: u32,
        width: u32,
        row: Vec<u64>,
    ) -> Net {
        if let Some(net) = self.made.get(&(group, row.clone())) {
            return *net;
        }
        let index = self.slots[group as usize];
        let mut rows = row.clone();
        rows.resize(1 << self.plan.slot_bits(), 0);
        let next = m.wire(format!("{name}_next"), width);
        m.table(next, index, rows);
        let net = m.reg(name, width);
        let enable = self.enable.map(Expr::from);
        m.registers(vec![Register { net, reset: Some(row[0]), enable, next: next.into() }]);
        self.made.insert((group, row), net);
        net
    }
}

struct Fixed<'a> {
    plan: &'a CircuitPlan,
    schedule: &'a Baked,
    tables: Tables<'a>,
}

impl Switches for Fixed<'_> {
    fn place(
        &mut self,
        m: &mut ModuleBuilder,
        (stage, switch): (u32, u32),
        links: &[Option<Link>],
    ) -> Vec<Option<Link>> {
        let outputs = 0..self.plan.network.outputs(stage);
        outputs.map(|output| self.output(m, (stage, switch, output), links)).collect()
    }
}

impl Fixed<'_> {
    fn output(
        &mut self,
        m: &mut ModuleBuilder,
        at: (u32, u32, u32),
        links: &[Option<Link>],
    ) -> Option<Link> {
        let row = self.schedule.taken(at)?;
        let inputs = inputs(row);
        let from: Vec<Link> = inputs
            .iter()
            .map(|&input| links[input as usize].expect("a connection comes here"))
            .collect();
        if let [only] = from[..] {
            return Some(only);
        }
        let (stage, switch, output) = at;
        let name = format!("stage{stage}_switch{switch}_out{output}");
        let row = self.values(at, row, &inputs);
        let bits = bits_for(inputs.len() as u32);
        let select =
            self.tables.net(m, &format!("{name}_takes"), self.plan.group(stage), bits, row);
        let (valid, word): (Vec<Net>, Vec<Net>) = from.iter().map(|l| (l.valid, l.word)).unzip();
        let valid = m.define(format!("{name}_valid"), 1, select.choose(&valid, None));
        let word = m.define(format!("{name}_word"), from[0].word.width, select.choose(&word, None));
        Some(Link { valid, word })
    }

    /// Input, of `inputs`, that an output takes in each slot. In a slot in which the output is
    /// idle, the value is the one that lets outputs share a table: in a switch of 2 by 2, the input
    /// that the other output leaves.
    fn values(
        &self,
        (stage, switch, output): (u32, u32, u32),
        row: &[Option<u32>],
        inputs: &[u32],
    ) -> Vec<u64> {
        let other = match self.plan.is_crossing(stage) {
            true => self.schedule.taken((stage, switch, 1 - output)),
            false => None,
        };
        let left = |slot: usize| other.and_then(|row| row[slot]).map(|input| 1 - input);
        let value = |(slot, input): (usize, &Option<u32>)| {
            let input = input.or_else(|| left(slot))?;
            inputs.iter().position(|&i| i == input)
        };
        row.iter().enumerate().map(value).map(|at| at.unwrap_or(0) as u64).collect()
    }
}
