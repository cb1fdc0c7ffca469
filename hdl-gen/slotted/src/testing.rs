//! Plans that tests of slotted fabrics go over.

use crate::plan::{SlottedPlan, Starts};
use std::sync::Arc;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes;
use turnpike_fabric::plan::{FabricPlan, Parameters, PortStyle, ResetStyle};
use turnpike_fabric::testing::plan_of;
use turnpike_schedule::time_table::{Flow, Flows, quick};

/// Slotted fabric of a switched one, with words of each pair in a quick table: unlike numbers for unlike pairs,
/// up to `most`. Its name is `name`, or the default one.
///
/// # Panics
/// Where the network has no such table.
pub fn slotted_of(over: FabricPlan, most: u32, name: Option<&str>) -> SlottedPlan {
    let (topology, relation) = (over.topology(), over.relation());
    let message = |(at, (source, destination))| Message {
        source,
        destination,
        words: 1 + at as u32 * 31 % most,
    };
    let messages: Vec<Message> = topology.pairs().enumerate().map(message).collect();
    let routes = pattern_routes::routes(topology, relation, &messages).expect("routes that arrive");
    let flow =
        |pair: &pattern_routes::PairRoute| Flow { route: pair.route.clone(), words: pair.words };
    let flows = Flows::new(routes.channels.len() as u32, routes.pairs.iter().map(flow).collect());
    let table = quick::short(&flows.expect("flows")).expect("a table");
    let pairs = routes.pairs.iter().map(|pair| (pair.source, pair.destination));
    let starts: Starts = pairs.zip(table.starts).collect();
    SlottedPlan::new(Arc::new(over), table.frame, &starts, name)
        .expect("a table without collisions")
}

/// Small fabrics: cubes and grids, rings whose routes come back, several terminals at a switch and terminals
/// with one end, flows alone, classes of messages, failed nodes; and words of several fields, ports of each
/// terminal, a reset that is active low.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn plans() -> Vec<SlottedPlan> {
    let narrow = Parameters { width: 8, ..Parameters::default() };
    let wide = Parameters {
        width: 72,
        keep: true,
        user_width: 3,
        ports: PortStyle::Named,
        reset: ResetStyle::Low,
        ..narrow
    };
    let all = [
        ("hypercube 1 ecube", narrow, 1),
        ("hypercube 3 rotation", narrow, 2),
        ("ccc 3 two-stage", narrow, 1),
        ("arc-cube 2 shortest", narrow, 3),
        ("hypercube 3 around_111.relation", narrow, 1),
        ("mesh 3x2 dimension-order", wide, 3),
        ("torus 4x2 dimension-order", narrow, 1),
        ("mesh 3x2 dimension-order concentrated 2", narrow, 1),
        ("wired mixed shortest", narrow, 2),
        ("wired gathered up-down", wide, 1),
        ("wired alone shortest", narrow, 1),
        ("mesh 3x2 dimension-order for 0_*>2_1,2_1>0_*", narrow, 3),
        ("mesh 3x2 dimension-order for 0_0>2_1", wide, 1),
        // A frame of more slots than are proven.
        ("hypercube 1 ecube", wide, 120),
    ];
    all.into_iter().map(|(words, p, most)| slotted_of(plan_of(words, p), most, None)).collect()
}
