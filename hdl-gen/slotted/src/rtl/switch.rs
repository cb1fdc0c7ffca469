//! Switch of a slotted fabric: a register for each output, and a multiplexer of just the inputs that it
//! takes in some slot.

use super::table::{by_slot, is_constant};
use super::{Link, counted};
use crate::plan::SlottedPlan;
use crate::switches::{SlottedOutput, SlottedSwitch};
use std::collections::HashMap;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Slots up to which the head of a switch's file has its slot table.
const PRINTED_SLOTS: u32 = 64;
/// Columns of a line of that table.
const COLUMNS: usize = 96;

/// Output as its switch's module has it: its name, and its slot table.
type Named = (String, Vec<Option<usize>>);

/// Names of the inputs of a switch, and its outputs: switches that have both in common share a module.
type Key = (Vec<String>, Vec<Named>);

/// The modules of switches: those of one table share one.
pub(super) struct Switches<'a> {
    plan: &'a SlottedPlan,
    made: HashMap<Key, Arc<Module>>,
}

impl<'a> Switches<'a> {
    pub fn new(plan: &'a SlottedPlan) -> Self {
        Self { plan, made: HashMap::new() }
    }

    /// Module of a switch.
    pub fn module(&mut self, switch: &SlottedSwitch) -> Result<Arc<Module>, RtlError> {
        let plan = self.plan;
        let input = |&input: &_| plan.input_name(switch.node, input).to_owned();
        let output = |output: &SlottedOutput| {
            (plan.output_name(switch.node, output.output).to_owned(), output.slots.clone())
        };
        let key: Key = (
            switch.inputs.iter().map(input).collect(),
            switch.outputs.iter().map(output).collect(),
        );
        if let Some(made) = self.made.get(&key) {
            return Ok(Arc::clone(made));
        }
        let name = format!("{}_switch_{}", plan.name, self.made.len());
        let module = build(plan, switch, &key, name)?;
        self.made.insert(key, Arc::clone(&module));
        Ok(module)
    }
}

/// Choice of an output by slot: of its inputs the place of the one that it takes, and whether it takes one. In a
/// slot in which it takes none it gives nothing, whatever comes: a word that should not be there goes no further.
struct Choice {
    /// Inputs of the output.
    inputs: Vec<usize>,
    takes: Vec<Option<u64>>,
    open: Vec<Option<u64>>,
}

impl Choice {
    fn of(output: &SlottedOutput) -> Self {
        let inputs = output.inputs();
        let place = |input: usize| inputs.iter().position(|&own| own == input);
        let takes = |taken: &Option<usize>| taken.and_then(place).map(|place| place as u64);
        let takes = output.slots.iter().map(takes).collect();
        let open = output.slots.iter().map(|taken| Some(taken.is_some().into())).collect();
        Self { inputs, takes, open }
    }

    fn changes(&self) -> bool {
        !is_constant(&self.takes) || !is_constant(&self.open)
    }
}

fn build(
    plan: &SlottedPlan,
    switch: &SlottedSwitch,
    key: &Key,
    name: String,
) -> Result<Arc<Module>, RtlError> {
    let (inputs, outputs) = key;
    let mut m = ModuleBuilder::new(name);
    let choices: Vec<Choice> = switch.outputs.iter().map(Choice::of).collect();
    let changes = choices.iter().any(Choice::changes);
    about(plan, &mut m, key, switch.crosspoints());
    let width = plan.over().flit_width();
    let slot = changes.then(|| m.input("slot", plan.slot_bits()));
    let link = |m: &mut ModuleBuilder, name: &str, is_input: bool| {
        let mut port = |signal: &str, width| {
            let name = format!("{name}_{signal}");
            if is_input { m.input(name, width) } else { m.output(name, width) }
        };
        Link { valid: port("valid", 1), flit: port("flit", width) }
    };
    let entering: Vec<Link> =
        inputs.iter().map(|name| link(&mut m, &format!("{name}_in"), true)).collect();
    let leaving: Vec<Link> =
        outputs.iter().map(|(name, _)| link(&mut m, &format!("{name}_out"), false)).collect();
    for (((name, _), choice), out) in outputs.iter().zip(&choices).zip(leaving) {
        m.section(format!("Output {name}"));
        let from = choice.inputs.iter().map(|&input| entering[input]);
        let (valid, flit): (Vec<Net>, Vec<Net>) = from.map(|l| (l.valid, l.flit)).unzip();
        let (mut valid_next, flit_next) = match valid[..] {
            [only] => (Expr::from(only), flit[0].into()),
            _ => {
                let bits = bits_for(valid.len() as u32);
                let select = by_slot(&mut m, slot, &format!("{name}_takes"), bits, &choice.takes);
                let select = match select {
                    Expr::Net(net) => net,
                    constant => m.define(format!("{name}_takes"), bits, constant),
                };
                (select.choose(&valid, None), select.choose(&flit, None))
            }
        };
        if choice.open.contains(&Some(0)) {
            let open = by_slot(&mut m, slot, &format!("{name}_open"), 1, &choice.open);
            valid_next = open & valid_next;
        }
        let register = |net, reset, next| Register { net, reset, enable: None, next };
        m.registers(vec![register(out.valid, Some(0), valid_next)]);
        m.registers(vec![register(out.flit, None, flit_next)]);
    }
    m.finish()
}

/// The slot table in the head of the file, where it is not too large.
fn about(plan: &SlottedPlan, m: &mut ModuleBuilder, (inputs, outputs): &Key, crosspoints: usize) {
    let crosspoints = counted(crosspoints as u64, "crosspoint");
    m.about(format!(
        "A switch without queues: {crosspoints}, each output a register. What an output takes"
    ));
    m.about("follows from the slot alone.");
    let widest = inputs.iter().map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = outputs.iter().map(|(name, _)| name.len().max(widest)).collect();
    let line = |first: &str, cells: &[&str]| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!(" {cell:<width$}"));
        format!("{first:>4} {}", cells.collect::<String>()).trim_end().to_owned()
    };
    let names: Vec<&str> = outputs.iter().map(|(name, _)| name.as_str()).collect();
    let head = line("slot", &names);
    if plan.frame() > PRINTED_SLOTS || head.len() > COLUMNS {
        m.about("The manifest has its slot table.");
        return;
    }
    m.about("");
    m.about(head);
    for slot in 0..plan.frame() as usize {
        let cell = |(_, slots): &Named| match slots[slot] {
            Some(input) => inputs[input].as_str(),
            None => ".",
        };
        let cells: Vec<&str> = outputs.iter().map(cell).collect();
        m.about(line(&slot.to_string(), &cells));
    }
}
