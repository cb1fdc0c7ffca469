//! Configuration of a slotted fabric in its canonical form.

use turnpike_fabric::plan::{FabricPlan, PortStyle, ResetStyle};

/// Words after `turnpike generate` that make the fabric of this name and frame over the network of `over`.
pub(crate) fn canonical(over: &FabricPlan, frame: u32, name: &str) -> String {
    let p = &over.parameters;
    let mut words = over.canonical_routes();
    words += &format!(" --kind slotted --slots {frame} --width {}", p.width);
    if p.user_width > 0 {
        words += &format!(" --user-width {}", p.user_width);
    }
    if p.keep {
        words += " --keep";
    }
    if p.ports != PortStyle::default() {
        words += &format!(" --ports {}", p.ports);
    }
    if p.reset != ResetStyle::default() {
        words += &format!(" --reset {}", p.reset);
    }
    words + &format!(" --name {name}")
}
