//! The fabrics that the tests of every crate go over.

mod list;
mod sample;

pub use list::*;
pub use sample::{draw, is_every, sample};

use crate::plan::counters::MOST_WATCHDOG;
use crate::plan::{FabricPlan, Parameters, PortStyle, TerminalWishes};
use std::path::Path;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_ends::Ends;
use turnpike_network::description::read;
use turnpike_network::flows::FlowList;
use turnpike_network::places::PlaceList;
use turnpike_network::routing::given::{self, Given};
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::topology::{self, Parameter, Size, Sizes};

/// A fabric as the command line names it, `topology size relation`: `mesh 3x2 dimension-order`.
/// A relation that ends in `.relation` is a file of docs/examples/; ` without LABEL` behind it
/// means that the node of that label failed, ` concentrated C` that there are C terminals in place of
/// each, ` to LIST` that packets go to one of these terminals first, and ` for A>B,C>D` that the network is
/// for these flows, ` at x=SWITCH,y=SWITCH` that these are its terminals, ` for one:A>B,two:C>D` for flows of message classes, which may have
/// a priority (`one/2:A>B`), and
/// with `separate` in place of `for` that each class has a network of its own, and ` vcs 4` or ` vcs 4,kept` that there
/// are so many virtual channels. ` as x=8,y=clk,z=@16` gives terminals
/// widths, clocks and addresses of their own, and each its own ports, as do `as counters` and `as shaper`. The size of `wired` is a name of [`WIRED`].
pub type Named<'a> = &'a str;

/// The plan of a fabric.
///
/// # Panics
/// Where it cannot be planned.
pub fn plan_of(fabric: Named, parameters: Parameters) -> FabricPlan {
    planned(fabric, network(fabric), parameters)
}

/// The plan of a fabric for flows, a file as [`FlowList::parse`] reads it.
///
/// # Panics
/// Where it cannot be planned.
pub fn plan_for(fabric: Named, flows: &str, parameters: Parameters) -> FabricPlan {
    planned(fabric, network_for(fabric, Some(FlowList::parse(flows).unwrap())), parameters)
}

/// The plan of a network, with what the fabric's words say of terminals.
fn planned(fabric: Named, network: Network, parameters: Parameters) -> FabricPlan {
    let mut words = fabric.split(' ').skip_while(|word| *word != "as");
    let mut wishes = TerminalWishes::default();
    // A number is a width, a name a clock; an address stands behind @.
    for wish in words.nth(1).into_iter().flat_map(|list| list.split(',')) {
        match wish.parse() {
            _ if wish.starts_with("shaper") => {
                wishes.shaper = Some(wish["shaper".len()..].parse().unwrap_or(0));
            }
            _ if wish == "counters" => wishes.counters = Some(MOST_WATCHDOG),
            _ if wish.contains('@') => {
                wishes.addresses.push(wish.replace('@', "").parse().unwrap());
            }
            Ok(width) => wishes.widths.push(width),
            Err(_) => wishes.clocks.push(wish.parse().unwrap()),
        }
    }
    let ports = if wishes.is_empty() { parameters.ports } else { PortStyle::Named };
    let parameters = Parameters { ports, ..parameters };
    FabricPlan::with_interfaces(Arc::new(network), parameters, &wishes, None).unwrap()
}

/// The plan of a fabric whose terminals have these ends, a list as [`Ends::parse`] reads it.
///
/// # Panics
/// Where it cannot be planned.
pub fn plan_with_ends((fabric, ends): (Named, &str), parameters: Parameters) -> FabricPlan {
    let ends = Ends::parse(ends).unwrap();
    let network = network_for(fabric, Some(ends.flows().unwrap()));
    let wishes = TerminalWishes { ends: Some(Arc::new(ends)), ..TerminalWishes::default() };
    FabricPlan::with_interfaces(Arc::new(network), parameters, &wishes, None).unwrap()
}

/// The network of a fabric.
///
/// # Panics
/// Where there is none.
pub fn network(fabric: Named) -> Network {
    network_for(fabric, None)
}

/// The network of a fabric; for these flows, where some are given, on separate networks of classes
/// where ` separate ends` says so.
fn network_for(fabric: Named, given: Option<FlowList>) -> Network {
    let words: Vec<&str> = fabric.split(' ').collect();
    let (mut failed, mut concentration, mut intermediate) = (Vec::new(), 1, None);
    let (mut flows, mut places, mut separate) = (given, None, false);
    let (mut vcs, mut vc_allocation) = (None, VcAllocation::Any);
    let [topology, size, routing, ref options @ ..] = words[..] else {
        panic!("'{fabric}' is no fabric")
    };
    for option in options.chunks(2) {
        match *option {
            ["without", label] => failed.push(label.to_owned()),
            ["concentrated", several] => concentration = several.parse().unwrap(),
            ["as", _] => {}
            ["vcs", number] => {
                let (number, kept) = number.split_once(',').map_or((number, ""), |words| words);
                vcs = Some(number.parse().unwrap());
                vc_allocation = if kept == "kept" { VcAllocation::Kept } else { VcAllocation::Any };
            }
            ["separate", "ends"] => separate = true,
            ["to", list] => intermediate = Some(list.parse().unwrap()),
            ["at", list] => places = Some(places_of(list)),
            ["separate", list] | ["for", list] => {
                separate = option[0] == "separate";
                flows = Some(FlowList::parse(&flows_of(list)).unwrap());
            }
            _ => panic!("'{fabric}' is no fabric"),
        }
    }
    let (intermediate, flows, places) = (intermediate.as_ref(), flows.as_ref(), places.as_ref());
    if topology == "wired" {
        let (_, text) = WIRED.iter().find(|(name, _)| *name == size).unwrap();
        let described = read("test.topology", text.as_bytes()).unwrap();
        let routing = Some(routing);
        let plain = Wanted::described(&described);
        let wanted = Wanted { routing, vcs, vc_allocation, places, flows, ..plain };
        return Network::wanted(&wanted).unwrap();
    }
    if routing.ends_with(given::ENDING) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(routing);
        let given = Given::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
        return Network::given(&given, None).unwrap();
    }
    let size = read_size(topology::find(topology).unwrap().sizes, size);
    let (routing, failed) = (Some(routing), &*failed);
    let plain = Wanted { vcs, vc_allocation, ..Wanted::new(topology, size) };
    let wanted =
        Wanted { concentration, routing, places, flows, separate, failed, intermediate, ..plain };
    Network::wanted(&wanted).unwrap()
}

/// The terminals `x=SWITCH,y=SWITCH`.
fn places_of(list: &str) -> PlaceList {
    let lines = list.split(',').map(|place| place.replace('=', ",") + "\n");
    PlaceList::parse(&format!("name,at\n{}", lines.collect::<String>())).unwrap()
}

/// The file of flows `A>B,C>D`, or of flows of classes `one:A>B,two:C>D`, each class after the one
/// before it.
fn flows_of(list: &str) -> String {
    let (mut classes, mut text, mut rows) = (Vec::new(), String::new(), String::new());
    for flow in list.split(',') {
        let (class, ends) = flow.split_once(':').unwrap_or(("", flow));
        let (class, priority) = class.split_once('/').unwrap_or((class, "0"));
        if !class.is_empty() && !classes.contains(&class) {
            let after = classes.last().map(|last| format!(" after {last}")).unwrap_or_default();
            text += &format!("class {class}{after} priority {priority}\n");
            classes.push(class);
        }
        rows += &format!("{},{class}\n", ends.replace('>', ","));
    }
    match classes.is_empty() {
        true => format!("source,destination\n{}", rows.replace(",\n", "\n")),
        false => format!("{text}source,destination,class\n{rows}"),
    }
}

/// A size as modules' names spell it ([`Size::identifier`]).
fn read_size(sizes: Sizes, text: &str) -> Size {
    let text = match sizes.ranges().count() {
        1 => text.replace('_', ","),
        _ => text.to_owned(),
    };
    let mut words = text.split('_');
    let value = |parameter: &Parameter| {
        let word = words.next()?;
        parameter.sort.parse(word.strip_prefix(parameter.key).unwrap_or(word))
    };
    sizes.of_values(value).unwrap_or_else(|| panic!("'{text}' is no size"))
}

/// Plan of a fabric with queues of this depth.
///
/// # Panics
/// As [`plan_of`].
pub fn plan_deep(fabric: Named, depth: u32) -> FabricPlan {
    plan_of(fabric, Parameters { depth, ..Parameters::default() })
}

/// A cube's plan; `vcs` as for [`Network::new`].
///
/// # Panics
/// As [`plan_of`].
pub fn plan_with(routing: &str, k: u32, vcs: Option<u8>, depth: u32) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
    let parameters = Parameters { depth, ..Parameters::default() };
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

/// Plan of a cube with the default depth and VCs.
///
/// # Panics
/// As [`plan_of`].
pub fn plan(routing: &str, k: u32) -> FabricPlan {
    plan_with(routing, k, None, 4)
}
