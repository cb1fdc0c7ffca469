//! Proofs of circuit fabrics. Where settings are written over AXI4-Lite: of the port, of the
//! sequencer, of the switches, of the fabric with any settings, of the fabric through swaps. Of a
//! fixed schedule: that the fabric is the same as one with a settings memory. Where words find their
//! way: of the switches, and of the fabric whatever is offered.

mod equivalence;
mod permutation;
mod port;
mod reference;
mod self_routing;
mod sequencer;
mod swap;
mod switch;

use crate::EmitError;
use crate::formal::{Proofs, files_below};
use crate::part::ModuleGroup;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_netlist::{Module, Net, NetInfo, NetKind};

/// A port of a module, and the net of the property module that is connected to it.
struct Port {
    name: String,
    wire: String,
    width: u32,
    input: bool,
    /// Bits of the port that let sinks take words, as a literal.
    open: Option<String>,
}

/// The ports of a module but for the clock and the reset. `running` would be one of the property
/// module's own nets.
fn ports(module: &Module) -> Vec<Port> {
    let port = |(net, info): (Net, &NetInfo)| Port {
        name: info.name.clone(),
        wire: match &*info.name {
            "running" => "schedule_runs".to_owned(),
            name => name.to_owned(),
        },
        width: net.width,
        input: info.kind == NetKind::Input,
        open: None,
    };
    module.ports().map(port).collect()
}

type Context<'a> = crate::formal::Context<'a, CircuitPlan>;

impl Context<'_> {
    /// The whole fabric.
    fn top(&self) -> &Arc<Module> {
        &self.own.modules[0]
    }

    /// The module `<name>_<part>`.
    fn part(&self, part: &str) -> &Arc<Module> {
        self.part_if_built(part).expect("a fabric with a settings memory has it")
    }

    /// Module of a part; none where the fabric has no such part.
    fn part_if_built(&self, part: &str) -> Option<&Arc<Module>> {
        let name = format!("{}_{part}", self.plan.name);
        self.module(&name)
    }

    /// The files of the fabric, one of its parts given way to a stand-in.
    fn files_without(&self, part: &str, stand_in: String) -> Result<Vec<String>, EmitError> {
        let (top, part) = (self.top(), self.part(part));
        let mut files = vec![format!("{}.v", top.name)];
        let below: BTreeMap<&str, &Arc<Module>> =
            top.instances().map(|i| (i.module.name.as_str(), &i.module)).collect();
        for (name, module) in below {
            if name != part.name {
                files.extend(files_below(module)?);
            }
        }
        files.push(stand_in);
        Ok(files)
    }
}

pub(super) fn proofs(plan: &CircuitPlan, own: &ModuleGroup) -> Result<Proofs, EmitError> {
    let mut proofs = Proofs::default();
    let context = Context { plan, own };
    match &plan.control {
        Control::Memory(_) => {
            // Those that take longest are begun first.
            swap::swap(&context, &mut proofs)?;
            permutation::permutation(&context, &mut proofs)?;
            port::port(&context, &mut proofs)?;
            sequencer::sequencer(&context, &mut proofs)?;
            switch::switches(&context, &mut proofs)?;
        }
        Control::Baked(schedule) => equivalence::equivalence(&context, schedule, &mut proofs)?,
        Control::SelfRouting => self_routing::self_routing(&context, &mut proofs)?,
    }
    Ok(proofs)
}
