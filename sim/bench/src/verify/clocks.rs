//! Clocks of the top module: nothing passes from one to another but through a synchroniser, or once it
//! is still.

use super::Outcome;
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_fabric::rtl::interface;
use turnpike_netlist::clocks::{Clocks, clocks};
use turnpike_netlist::{CLOCK, Module};

/// Every path from a register to another, and the clock of each port.
pub fn check(plan: &FabricPlan) -> Outcome {
    let top = interface::streams_design(plan).map_err(|error| error.to_string())?;
    let found = clocks(&top).map_err(|error| error.to_string())?;
    ports(plan, top.top(), &found)?;
    let Clocks { names, ports, synchronised, still } = found;
    Ok(format!(
        "{} clocks ({}), {} ports of one clock each; between clocks {synchronised} bits through \
         synchronisers of {} flip-flops and {still} once they are still, and nothing else",
        names.len(),
        names.join(", "),
        ports.len(),
        plan.sync_stages()
    ))
}

/// Whether the ports of each terminal are of its clock; those of its errors are of the network's.
fn ports(plan: &FabricPlan, top: &Module, found: &Clocks) -> Result<(), String> {
    for side in [Side::Source, Side::Sink] {
        for &terminal in plan.terminals_of(side) {
            for signal in plan.signals_of(side, terminal) {
                let port = plan.port_name(side, terminal, signal.name);
                let net = top.port(&port).ok_or_else(|| format!("no port {port}"))?;
                let is_own = signal.name != "error";
                let wanted = plan.clock(terminal).filter(|_| is_own).unwrap_or(CLOCK);
                let clock = found.ports.iter().find(|(known, _)| *known == net);
                let clock = clock.map(|(_, at)| found.names[*at].as_str());
                if clock.is_some_and(|clock| clock != wanted) {
                    return Err(format!(
                        "port {port} is of {}, not of {wanted}",
                        clock.unwrap_or("")
                    ));
                }
            }
        }
    }
    Ok(())
}
