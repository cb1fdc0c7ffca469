//! A fabric whose settings are written over AXI4-Lite.

use super::path::{self, Ends, Link, Switches, word_bits};
use super::registers::{self, Map, PORTS, PREFIX, Port};
use super::settings::{self, Size};
use super::tags::travel;
use super::{Terminals, sequencer, switch};
use crate::layout::{Field, FieldSetting, Layout};
use crate::plan::CircuitPlan;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

impl CircuitPlan {
    /// Address map of the settings on the AXI4-Lite port.
    pub fn map(&self) -> Map {
        let layout = self.layout();
        let words = layout.words().len() as u32;
        let slot_bits = self.slot_bits();
        // Room for the registers below the settings.
        let registers = bits_for(registers::Address::ALL.len() as u32);
        let word_bits = bits_for(words).max(1).max(registers.saturating_sub(slot_bits));
        let data = layout.words().iter().map(|word| word.width).max().unwrap_or(1);
        Map { slots: self.slots(), slot_bits, words, word_bits, data }
    }
}

pub(super) fn build(plan: &CircuitPlan, m: &mut ModuleBuilder) -> Result<(), RtlError> {
    let (layout, map) = (plan.layout(), plan.map());
    let (prefix, bits) = (&plan.name, map.slot_bits);
    let enable = m.input("enable", 1);
    let axil = Port::declare(m, map.address_bits());
    let running = m.output("running", 1);
    let (s_slot, m_slot) = (m.output("s_slot", bits), m.output("m_slot", bits));
    let (s_bank, m_bank) = (m.output("s_bank", 1), m.output("m_bank", 1));
    let terminals = Terminals::declare(plan, m);
    m.section("The AXI4-Lite port");
    let mut wire = |name: &str, width| m.wire(name, width);
    let [pending, draining, bank, write, swap, next_bank] =
        ["pending", "draining", "bank", "write", "swap", "next_bank"].map(|name| wire(name, 1));
    let [slot, active_last, write_slot, read_slot, last, next_slot] =
        ["slot", "active_last", "write_slot", "read_slot", "last", "next_slot"]
            .map(|name| wire(name, bits));
    let [write_word, read_word] = ["write_word", "read_word"].map(|name| wire(name, map.word_bits));
    let [write_data, read_data] = ["write_data", "read_data"].map(|name| wire(name, map.data));
    let running_now = wire("running_now", 1);
    let module = registers::registers(prefix, &map)?;
    let names: Vec<String> = PORTS.iter().map(|(name, ..)| format!("{PREFIX}{name}")).collect();
    let mut connections: Vec<(&str, Expr)> = names
        .iter()
        .zip(PORTS)
        .map(|(port, (name, ..))| (&**port, axil.get(name).into()))
        .collect();
    let inside = [
        ("running", running_now),
        ("pending", pending),
        ("draining", draining),
        ("bank", bank),
        ("slot", slot),
        ("active_last", active_last),
        ("read_data", read_data),
        ("write", write),
        ("write_slot", write_slot),
        ("write_word", write_word),
        ("write_data", write_data),
        ("read_slot", read_slot),
        ("read_word", read_word),
        ("swap", swap),
        ("last", last),
    ];
    connections.extend(inside.map(|(port, net)| (port, Expr::from(net))));
    m.instance("registers", &module, connections);
    m.section("Which slot it is");
    let module = sequencer::sequencer(prefix, bits)?;
    let connections = [
        ("enable", enable),
        ("swap", swap),
        ("last", last),
        ("pending", pending),
        ("running", running_now),
        ("bank", bank),
        ("slot", slot),
        ("next_bank", next_bank),
        ("next_slot", next_slot),
        ("active_last", active_last),
    ];
    m.instance("sequencer", &module, connections.map(|(port, net)| (port, net.into())));
    let entering = [("running", running_now), ("bank", bank), ("slot", slot)];
    let after = travel(plan, m, &entering, enable);
    m.assign(running, running_now);
    m.assign(s_slot, slot);
    m.assign(m_slot, after[plan.latency() as usize][2]);
    m.assign(s_bank, bank);
    m.assign(m_bank, after[plan.latency() as usize][1]);
    m.comment("Words are on the way whose slots are in the bank that no longer runs.");
    let other = |nets: &Vec<Net>| Expr::from(nets[0]) & (Expr::from(nets[1]) ^ bank);
    let others: Vec<Expr> = after[1..].iter().map(other).collect();
    let any = if others.is_empty() { Expr::constant(1, 0) } else { Expr::any_of(others) };
    m.assign(draining, any);
    m.section("The settings");
    let room = Size { address: bits + 1, word: map.word_bits, data: map.data };
    let module = settings::settings(prefix, &layout, plan.groups(), room)?;
    let written = |slot: Net| Expr::concat([!Expr::from(bank), slot.into()]);
    let mut connections: Vec<(String, Expr)> = vec![
        ("enable".into(), enable.into()),
        ("write".into(), write.into()),
        ("write_address".into(), written(write_slot)),
        ("write_word".into(), write_word.into()),
        ("write_data".into(), write_data.into()),
        ("read_address".into(), written(read_slot)),
        ("read_word".into(), read_word.into()),
        ("read_data".into(), read_data.into()),
    ];
    for group in 0..plan.groups() {
        // The memory is read a cycle before its settings are needed.
        let (bank, slot) = match group.checked_sub(1) {
            None => (next_bank, next_slot),
            Some(before) => (after[before as usize][1], after[before as usize][2]),
        };
        let address = Expr::concat([bank.into(), slot.into()]);
        connections.push((format!("group{group}_address"), address));
    }
    let words = layout.words().iter().enumerate();
    let words: Vec<Net> =
        words.map(|(i, word)| m.wire(format!("settings{i}"), word.width)).collect();
    for (i, word) in words.iter().enumerate() {
        connections.push((format!("word{i}"), (*word).into()));
    }
    let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
    m.instance("settings", &module, connections);
    let set = fields(&layout, &words);
    let open = |sink| Some(set[&FieldSetting::Open { sink }].clone());
    let opens = (0..plan.terminals()).map(open).collect();
    let enters = Some(running_now.into());
    let enable = Some(enable);
    let ends = Ends { terminals: &terminals, enters, opens, enable };
    let mut modules = BTreeMap::new();
    for stage in 0..plan.network.stages() {
        if let Entry::Vacant(place) = modules.entry(size(plan, stage)) {
            place.insert(switch_of(plan, stage)?);
        }
    }
    path::build(plan, m, &ends, |_| true, &mut Written { plan, set, modules });
    Ok(())
}

/// The bits of each field.
fn fields(layout: &Layout, words: &[Net]) -> HashMap<FieldSetting, Expr> {
    let bits = |field: &Field| words[field.word as usize].slice(field.low, field.width);
    layout.fields().iter().map(|field| (field.of, bits(field))).collect()
}

/// Inputs and outputs of the switches of a stage.
fn size(plan: &CircuitPlan, stage: u32) -> (u32, u32) {
    (plan.network.inputs(stage), plan.network.outputs(stage))
}

fn switch_of(plan: &CircuitPlan, stage: u32) -> Result<Arc<Module>, RtlError> {
    let (prefix, bits, (inputs, outputs)) = (&plan.name, word_bits(plan), size(plan, stage));
    match plan.is_crossing(stage) {
        true => switch::crossing(prefix, bits),
        false => switch::selecting(prefix, inputs, outputs, bits),
    }
}

struct Written<'a> {
    plan: &'a CircuitPlan,
    set: HashMap<FieldSetting, Expr>,
    /// By inputs and outputs.
    modules: BTreeMap<(u32, u32), Arc<Module>>,
}

impl Switches for Written<'_> {
    fn place(
        &mut self,
        m: &mut ModuleBuilder,
        (stage, switch): (u32, u32),
        links: &[Option<Link>],
    ) -> Vec<Option<Link>> {
        let name = format!("stage{stage}_switch{switch}");
        let outputs = self.plan.network.outputs(stage);
        let mut connections: Vec<(String, Expr)> = Vec::new();
        match self.set.get(&FieldSetting::Crossed { stage, switch }) {
            Some(crossed) => connections.push(("crossed".to_owned(), crossed.clone())),
            None => connections.extend((0..outputs).map(|output| {
                let taken = &self.set[&FieldSetting::Taken { stage, switch, output }];
                (format!("taken{output}"), taken.clone())
            })),
        }
        for (i, link) in links.iter().enumerate() {
            let link = link.expect("every link is built");
            connections.push((format!("in{i}_valid"), link.valid.into()));
            connections.push((format!("in{i}_word"), link.word.into()));
        }
        let bits = word_bits(self.plan);
        let leaving = Link::leaving(m, &name, outputs, bits, &mut connections);
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        m.instance(name, &self.modules[&size(self.plan, stage)], connections);
        leaving
    }
}
