//! Injector of a source: takes a word in a slot of its flow.

use super::table::{by_slot, is_constant};
use crate::plan::SlottedPlan;
use crate::ports::{SLOT_DEST, SLOT_VALID};
use std::collections::HashMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, RtlError};
use turnpike_network::topology::Terminal;

/// Rows of an injector: by slot the address of the flow that has it.
type Rows = Vec<Option<u64>>;

/// The modules of injectors: sources of one table share one.
pub(super) struct Injectors<'a> {
    plan: &'a SlottedPlan,
    made: HashMap<Rows, Arc<Module>>,
}

impl<'a> Injectors<'a> {
    pub fn new(plan: &'a SlottedPlan) -> Self {
        Self { plan, made: HashMap::new() }
    }

    /// Module of a source that has flows.
    pub fn module(&mut self, source: Terminal) -> Result<Arc<Module>, RtlError> {
        let plan = self.plan;
        let mut rows = vec![None; plan.frame() as usize];
        for flow in plan.flows_of(source) {
            let address = plan.address(flow.destination);
            flow.starts.iter().for_each(|&slot| rows[slot as usize] = Some(address));
        }
        if let Some(made) = self.made.get(&rows) {
            return Ok(Arc::clone(made));
        }
        let name = format!("{}_injector_{}", plan.name, self.made.len());
        let module = injector(plan, source, &rows, name)?;
        self.made.insert(rows, Arc::clone(&module));
        Ok(module)
    }
}

fn injector(
    plan: &SlottedPlan,
    source: Terminal,
    rows: &[Option<u64>],
    name: String,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(name);
    m.about("Takes a word from a source in a slot of its flow.");
    let address = plan.address_bits();
    let open: Vec<Option<u64>> = rows.iter().map(|row| Some(row.is_some().into())).collect();
    let changes = !is_constant(&open) || !is_constant(rows);
    let slot = changes.then(|| m.input("slot", plan.slot_bits()));
    let valid = m.input("in_valid", 1);
    let ready = m.output("in_ready", 1);
    let dest = m.input("in_dest", address);
    let error = plan.refuses(source).then(|| m.output("in_error", 1));
    let out_valid = m.output("out_valid", 1);
    let slot_valid = m.output(SLOT_VALID, 1);
    let slot_dest = m.output(SLOT_DEST, address);
    m.section("The slot table: whether this slot is of a flow, and of which");
    let is_open = by_slot(&mut m, slot, "open", 1, &open);
    let to = by_slot(&mut m, slot, "to", address, rows);
    m.assign(slot_valid, is_open);
    m.assign(slot_dest, to);
    let fits = Expr::from(slot_valid) & Expr::from(slot_dest).equals(dest);
    let fits = m.define("fits", 1, fits);
    m.assign(out_valid, Expr::from(valid) & fits);
    let Some(error) = error else {
        m.assign(ready, fits);
        return m.finish();
    };
    m.section("Words to addresses without a flow are taken, and go nowhere");
    let known = plan.flows_of(source).map(|flow| {
        Expr::from(dest).equals(Expr::constant(address, plan.address(flow.destination)))
    });
    let known = m.define("known", 1, Expr::any_of(known));
    m.assign(error, Expr::from(valid) & !Expr::from(known));
    m.assign(ready, Expr::from(fits) | !Expr::from(known));
    m.finish()
}
