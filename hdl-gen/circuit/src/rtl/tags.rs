//! The slot of each stage of registers: it travels with the words, so that no word meets two.

use crate::plan::CircuitPlan;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Nets that travel with the words, by stage of registers; the first are those of the words that
/// enter.
pub(super) fn travel(
    plan: &CircuitPlan,
    m: &mut ModuleBuilder,
    entering: &[(&str, Net)],
    enable: Net,
) -> Vec<Vec<Net>> {
    let mut all = vec![entering.iter().map(|(_, net)| *net).collect::<Vec<_>>()];
    for after in 1..=plan.latency() {
        let mut registers = Vec::new();
        let mut nets = Vec::new();
        for (at, &(name, entering)) in entering.iter().enumerate() {
            let net = m.reg(format!("{name}_after{after}"), entering.width);
            let next = Expr::from(all[after as usize - 1][at]);
            registers.push(Register { net, reset: Some(0), enable: Some(enable.into()), next });
            nets.push(net);
        }
        m.registers(registers);
        all.push(nets);
    }
    all
}
