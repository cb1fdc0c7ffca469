//! What is printed for a name is right wherever the name stands.

use std::collections::HashMap;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_emit::verilog::module_text;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::rtl::fabric::fabric;

/// The text of a module does not depend on the width at which it was met.
#[test]
fn the_modules_of_every_build_print_alike_at_every_width() {
    let network = Arc::new(Network::new("hypercube", 3, Some("rotation"), None).unwrap());
    for (width, depth) in [(1, 3), (1, 8), (2, 4), (3, 33), (7, 5), (64, 3)] {
        let base = Parameters { width, depth, ..Parameters::default() };
        for parameters in base.builds() {
            let plan = FabricPlan::new(Arc::clone(&network), parameters, None).unwrap();
            let design = fabric(&plan).unwrap();
            let by_name: HashMap<&str, _> =
                design.modules().iter().map(|m| (m.name.as_str(), module_text(m))).collect();
            for instance in design.modules().iter().flat_map(|module| module.instances()) {
                let (text, name) = (module_text(design.placed(instance)), &*instance.module.name);
                let wanted = &by_name[name];
                assert_eq!((&text.ports, &text.body), (&wanted.ports, &wanted.body), "{name}");
            }
        }
    }
}
