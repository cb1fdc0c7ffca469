//! The netlist of a circuit fabric.

mod baked;
mod memory;
mod path;
pub mod registers;
mod self_routing;
pub mod sequencer;
pub mod settings;
pub mod switch;
mod tags;

use crate::plan::{CircuitPlan, Control};
use turnpike_netlist::{Design, Expr, ModuleBuilder, Net, RtlError};

/// The modules of a fabric, the whole fabric on top.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn circuit(plan: &CircuitPlan) -> Result<Design, RtlError> {
    let mut m = ModuleBuilder::new(&plan.name);
    if plan.parameters.reset_low {
        m.reset_low();
    }
    about(plan, &mut m);
    match &plan.control {
        Control::Memory(_) => memory::build(plan, &mut m)?,
        Control::Baked(schedule) => baked::build(plan, schedule, &mut m),
        Control::SelfRouting => self_routing::build(plan, &mut m)?,
    }
    Design::new(&m.finish()?)
}

fn about(plan: &CircuitPlan, m: &mut ModuleBuilder) {
    let (terminals, stages) = (plan.terminals(), plan.network.stages());
    let latency = match plan.latency() {
        1 => "1 cycle".to_owned(),
        cycles => format!("{cycles} cycles"),
    };
    m.about(format!(
        "{terminals} terminals, {stages} stages of switches without queues; latency: {latency}."
    ));
    m.about("Nothing holds a word back: a sink takes what comes. A cycle with enable low does not");
    m.about("count for any word.");
    m.about(match plan.control {
        Control::Memory(_) => "Who is connected to whom in which slot is written over AXI4-Lite.",
        Control::Baked(_) => {
            "Who is connected to whom in which slot is fixed; only what that takes is built."
        }
        Control::SelfRouting => {
            "Words find their way by tdest; where two cannot both go on, one is lost: conflict."
        }
    });
}

/// The ports of the terminals.
struct Terminals {
    valid: Net,
    data: Net,
    last: Net,
    dest: Option<Net>,
    out_valid: Net,
    out_data: Net,
    out_last: Net,
}

impl Terminals {
    /// Declares them, terminal t at slice `[t*W +: W]`.
    fn declare(plan: &CircuitPlan, m: &mut ModuleBuilder) -> Self {
        let (terminals, width) = (plan.terminals(), plan.parameters.width);
        let by_header = matches!(plan.control, Control::SelfRouting);
        Self {
            valid: m.input("s_axis_tvalid", terminals),
            data: m.input("s_axis_tdata", terminals * width),
            last: m.input("s_axis_tlast", terminals),
            dest: by_header.then(|| m.input("s_axis_tdest", terminals * plan.address_bits())),
            out_valid: m.output("m_axis_tvalid", terminals),
            out_data: m.output("m_axis_tdata", terminals * width),
            out_last: m.output("m_axis_tlast", terminals),
        }
    }

    /// The word of a source: its data, the mark of the last of a packet above it, and the
    /// destination on top where words bear one.
    fn word(&self, plan: &CircuitPlan, source: u32) -> Expr {
        let (width, bits) = (plan.parameters.width, plan.address_bits());
        let dest = self.dest.map(|dest| dest.slice(source * bits, bits));
        let data = self.data.slice(source * width, width);
        Expr::concat(dest.into_iter().chain([self.last.bit(source), data]))
    }
}
