//! Errors in the words of the command line. The libraries say which number, which bound and which
//! demand; here stand the options that are meant.

mod search;
pub mod size;

use std::error::Error;
use turnpike_analysis::network::NetworkError;
use turnpike_base::range::OutOfRange;
use turnpike_emit::EmitError;
use turnpike_emit::folder::FolderError;
use turnpike_fabric::plan::MOST_ROOM;
use turnpike_fabric::plan::counters::MOST_WATCHDOG;
use turnpike_fabric::plan::{
    InterfaceError, MAX_VECTOR_BITS, MOST_BETWEEN, PlanError, beside, shallower,
};
use turnpike_fabric::rtl::selftest::SelftestError;
use turnpike_network::routing::{MAX_VCS, RoutingError};
use turnpike_network::topology::TopologyError;
use turnpike_search::formula::{MOST_CLAUSES, TooLarge};
use turnpike_search::search::SearchError;
use turnpike_sim_network::machine::MachineError;
use turnpike_sim_network::measure::RunError;
use turnpike_sim_network::traffic::{MOST_CYCLES, MOST_FLITS, TrafficError};
use turnpike_sim_network::workload::WorkloadError;

/// The whole of an error, with what it came of.
pub fn message(error: &anyhow::Error) -> String {
    error.chain().map(of).collect::<Vec<_>>().join(": ")
}

pub fn of(error: &(dyn Error + 'static)) -> String {
    in_options(error).unwrap_or_else(|| error.to_string())
}

/// `None` for an error that speaks of no option.
fn in_options(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        of_network(error)
    } else if let Some(error) = error.downcast_ref() {
        of_topology(error)
    } else if let Some(error) = error.downcast_ref() {
        of_machine(error)
    } else if let Some(error) = error.downcast_ref() {
        of_routing(error)
    } else if let Some(error) = error.downcast_ref() {
        of_plan(error)
    } else if let Some(error) = error.downcast_ref() {
        of_folder(error, "--out")
    } else if let Some(EmitError::Selftest(error)) = error.downcast_ref() {
        of_selftest(error)
    } else if let Some(error) = error.downcast_ref() {
        of_traffic(error)
    } else if let Some(RunError::ReplyFlits(flits)) = error.downcast_ref() {
        Some(format!("--reply {flits} is out of range; use 1 to {MOST_FLITS}"))
    } else if let Some(error) = error.downcast_ref() {
        of_workload(error)
    } else if let Some(error) = error.downcast_ref() {
        of_search(error)
    } else if let Some(error) = error.downcast_ref() {
        search::of_question(error)
    } else {
        None
    }
}

fn of_network(error: &NetworkError) -> Option<String> {
    Some(match error {
        NetworkError::Topology(error) => return of_topology(error),
        NetworkError::Routing(error) => return of_routing(error),
        NetworkError::GivenFailed { name, own, other } => format!(
            "relation '{name}' is for failed nodes of its own, {own}; leave --failed {other} out"
        ),
        NetworkError::NotAround { routing, instead } => format!(
            "routing '{routing}' does not go around failed nodes; with --failed use another, such \
             as --routing {instead}"
        ),
        NetworkError::NoPhases(routing) => {
            format!("routing '{routing}' has no phases; leave --phases and --intermediate out")
        }
        NetworkError::OneVc(routing) => format!(
            "routing '{routing}' needs a virtual channel beside its escape channels; leave --vcs out"
        ),
        NetworkError::NothingSeparate => {
            "--classes separate is for flows of message classes; give each flow a class".to_owned()
        }
        NetworkError::ClassesShare { needed, most, circle } if *needed <= MAX_VCS.into() => {
            format!(
                "the message classes take {needed} virtual channels here, more than --vcs {most}; use \
             --vcs {needed} or more, or leave --vcs out: on shared ones they would wait for each other \
             in a circle: {circle}"
            )
        }
        NetworkError::MoreVcs { routing, needed, most } => format!(
            "routing '{routing}' takes {needed} virtual channels here, more than --vcs {most}; use \
             --vcs {needed} or more, or leave --vcs out"
        ),
        _ => return None,
    })
}

fn of_topology(error: &TopologyError) -> Option<String> {
    Some(match error {
        TopologyError::Size { topology, takes, given } => {
            format!("{topology} takes {}, not {given}", size::options(**takes))
        }
        TopologyError::Range { topology, parameter, given, low, high } => {
            let option = parameter.option;
            format!("{topology}: --{option} {given} is out of range; use {low} to {high}")
        }
        _ => return None,
    })
}

fn of_routing(error: &RoutingError) -> Option<String> {
    Some(match error {
        RoutingError::Dimensions { name, topology, only, dimensions, instead } => format!(
            "routing '{name}' is for a {topology} of {only} dimensions, not {dimensions}; use \
             another, such as --routing {instead}"
        ),
        RoutingError::Intermediate(error) => format!("--intermediate: {error}"),
        RoutingError::Seed { name, instead } => {
            format!("routing '{name}' draws no routes: leave --route-seed out{instead}")
        }
        _ => return None,
    })
}

/// The option of a field of the parameters.
fn option(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

fn of_plan(error: &PlanError) -> Option<String> {
    Some(match error {
        PlanError::Range(OutOfRange { field, value, low, high }) => {
            format!("{} {value} is out of range; use {low} to {high}", option(field))
        }
        PlanError::Depth { depth, pipeline, queue, low, high } => format!(
            "--depth {depth} is out of range with --pipeline {pipeline} --queue {queue}; use {low} \
             to {high}"
        ),
        PlanError::LinkRegisters { link_registers, depth, queue, on_a_link, high, most } => {
            format!(
                "--link-registers {link_registers} is out of range with --depth {depth} --queue {queue}: a \
             queue at the end of a channel would hold {on_a_link} flits, and at most {high} fit; use 0 \
             to {most}"
            )
        }
        PlanError::Delay { delay, link_registers, depth, queue, on_a_link, high, most_depth } => {
            format!(
                "links of this network have up to {delay} registers{}: with --depth {depth} --queue \
             {queue} a queue at the end of a channel would hold {on_a_link} flits, and at most {high} \
             fit; use {}--queue ram",
                beside("--link-registers", *link_registers),
                shallower("--depth", *most_depth)
            )
        }
        PlanError::Adaptive { relation, field, value, of_vcs } => {
            let option = option(field);
            let (who, instead) = match of_vcs {
                true => ("packets choose", ", or leave --vcs out"),
                false => (&*format!("routing '{relation}' chooses"), ""),
            };
            format!(
                "{who} among channels in the cycle in which they are free: {option} {value} does not go with \
                 it; use {option} 0{instead}"
            )
        }
        PlanError::Keep(width) => {
            format!("--keep needs whole bytes, but --width is {width}; use a multiple of 8")
        }
        PlanError::Interface(error) => of_interface(error),
        PlanError::Vector { port, bits, field, fits } => format!(
            "{port} would be {bits} bits wide, more than the {MAX_VECTOR_BITS} that every Verilog \
             tool takes (IEEE 1364-2005, 4.3.1); use {} {fits} or less, fewer terminals, or \
             --ports named",
            option(field)
        ),
        _ => return None,
    })
}

fn of_interface(error: &InterfaceError) -> String {
    let text = match error {
        InterfaceError::Stages { stages } => {
            return format!("--sync-stages {stages} is out of range; use 2 to 4");
        }
        InterfaceError::Watchdog { cycles } => {
            return format!("--watchdog {cycles} is out of range; use 0 to {MOST_WATCHDOG}");
        }
        InterfaceError::SharedCounters => {
            "there are counters where each terminal has ports of its own; add --ports named"
                .to_owned()
        }
        InterfaceError::ShaperRoom { room } => {
            return format!("--shaper-room {room} is out of range; use 0 to {MOST_ROOM}");
        }
        InterfaceError::SharedShapers => {
            "there are shapers where each terminal has ports of its own; add --ports named"
                .to_owned()
        }
        InterfaceError::SharedAddresses => {
            "the file of the network gives terminals addresses, which they \
             cannot have at ports that they share; use --ports named"
                .to_owned()
        }
        InterfaceError::Shared { what } => format!(
            "terminals share the ports of the top module, so all have the {what} of the network; add \
             --ports named"
        ),
        InterfaceError::Keep { terminal, bits } => {
            format!(
                "terminal {terminal}: --keep needs whole bytes; use a multiple of 8, not {bits}"
            )
        }
        InterfaceError::Ratio { terminal, bits, width } if (bits | width) % 8 == 0 => format!(
            "terminal {terminal}: of {bits} and --width {width} neither divides the other; add --keep, \
             so that tkeep says which bytes are data"
        ),
        InterfaceError::Between { terminal, bits, width, between } => format!(
            "terminal {terminal}: words of {between} bits would stand between its {bits} and --width \
             {width}, and {MOST_BETWEEN} are the most; use a width that shares more with {width}"
        ),
        _ => error.to_string(),
    };
    format!("{}: {text}", option(error.field()))
}

/// Error of a folder that this option names.
pub fn of_folder(error: &FolderError, option: &str) -> Option<String> {
    Some(match error {
        FolderError::NotAFolder(path) => {
            format!("{} is a file; name a folder with {option}", path.display())
        }
        FolderError::Foreign(path) => format!(
            "{} was not written by turnpike; move it away, or name another folder with {option}",
            path.display()
        ),
        FolderError::Edited(path) => format!(
            "{} was edited since turnpike wrote it; save it elsewhere, or replace it with --force",
            path.display()
        ),
        _ => return None,
    })
}

fn of_selftest(error: &SelftestError) -> Option<String> {
    Some(match error {
        SelftestError::Width { name, width, least } => format!(
            "--selftest: the first beat of a packet holds source, destination and a number, which \
             {name} has no room for at --width {width}; use --width {least} or more"
        ),
        SelftestError::Crowded { name, senders, bits, most } => format!(
            "--selftest: the packets of all {senders} terminals that send crowd a channel or a sink \
             of {name} so much that the test could last 2^{bits} cycles, more than 2^{most}; use a \
             smaller network"
        ),
        SelftestError::Slow { name, bits, most } => format!(
            "--selftest: a word of {name} gets through so rarely where many meet that the test could \
             last 2^{bits} cycles, more than 2^{most}; use another --protocol, --window or --exponent, \
             or fewer nodes on a bus"
        ),
        SelftestError::Flows(name) => format!(
            "--selftest: its packets go from all terminals to all, and {name} is for flows; leave \
             --selftest or --flows out"
        ),
        SelftestError::Rtl(_) => return None,
    })
}

fn of_traffic(error: &TrafficError) -> Option<String> {
    Some(match error {
        TrafficError::Load(load) => {
            format!("--load {load} is out of range; use 0 to 1 flits per terminal and cycle")
        }
        TrafficError::Flits(flits) => too_long(*flits),
        TrafficError::Flows(what) => {
            let option = if *what == "bursts" { "--burst" } else { "--class" };
            format!(
                "{option} goes with no --flows: the flows of the file are the traffic; leave one out"
            )
        }
        _ => return None,
    })
}

fn too_long(flits: u32) -> String {
    format!("--packet-length {flits} is out of range; use 1 to {MOST_FLITS}")
}

fn of_workload(error: &WorkloadError) -> Option<String> {
    Some(match error {
        WorkloadError::Flits(flits) => too_long(*flits),
        WorkloadError::Interval(cycles) => {
            format!("--interval {cycles} is out of range; use 1 to {MOST_CYCLES} cycles")
        }
        WorkloadError::Rounds { rounds, terminals, most } => format!(
            "--rounds {rounds} is out of range: each is a message from each of {terminals} \
             terminals; use 1 to {most}"
        ),
        WorkloadError::Cycles { rounds, interval, most } => format!(
            "--rounds {rounds} every {interval} cycles take longer than {MOST_CYCLES} cycles; use \
             1 to {most}, or a shorter --interval"
        ),
        WorkloadError::Room => {
            "--acknowledgement-room 0 takes no message in; use a whole number from 1".to_owned()
        }
        WorkloadError::InPlace { workload, label } => format!(
            "workload '{workload}' has {label} send to itself; leave --no-self-addressed out"
        ),
        _ => return None,
    })
}

fn of_machine(error: &MachineError) -> Option<String> {
    Some(match error {
        MachineError::NoPhases(routing) => format!(
            "--barrier stands between two phases, and routing '{routing}' has none here; leave it out, or \
             use one that has, such as two-phase on the hypercube"
        ),
        MachineError::NoPermutation(_) => format!(
            "{error}; leave --drawn out, or use --routing two-phase over all terminals, such as on the \
             hypercube"
        ),
        MachineError::Choices(_) => {
            format!("{error}; use another --routing, such as ecube on cubes")
        }
        MachineError::Packets(_) => format!("{error}; use a smaller network or --pattern"),
        MachineError::Route(_) => return None,
    })
}

fn of_search(error: &SearchError) -> Option<String> {
    Some(match error {
        SearchError::Question(error) => return search::of_question(error),
        SearchError::Proofs(several) => format!(
            "search: a proof is of one formula, and --parities {several} takes several; say which \
             parities"
        ),
        SearchError::Size(TooLarge) => format!(
            "the formula has more than {MOST_CLAUSES} clauses; use a smaller dimension, fewer \
             constraints or --symmetric or --parities"
        ),
        _ => return None,
    })
}
