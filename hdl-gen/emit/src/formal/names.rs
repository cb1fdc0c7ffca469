//! The names in a property module of a switch: those of its own beside those of the switch's ports.

use super::switch_module::Eject;
use turnpike_base::names::Names;
use turnpike_fabric::plan::SwitchPlan;

/// Names that the template uses once.
const FIXED: &[&str] = &[
    "clk",
    "reset_again",
    "choose",
    "ONE_WORD",
    "started",
    "rst",
    "running",
    "source",
    "tag",
    "entering",
    "entered",
    "earlier_or_elsewhere",
    "later",
    "dut",
    "entry",
    "entry_last",
    "entry_header",
    "entry_to",
    "entry_next",
    "came",
    "wanted",
    "wanted_next",
    "leave",
    "leaves",
    "inside",
    "leaving",
    "last_leaves",
    "taken",
    "ways",
    "all_ready",
    "some_moves",
    "some_open",
    "still",
    "watched",
    "waits_there",
    "other_goes",
    "could_go",
    "goes",
    "passed",
    "held_back",
    "free",
    "lost",
    "most_lost",
    "bounded_wait",
    "no_more_than_fit",
    "goes_on",
    "leaves_one_way",
    "reset_inside_a_packet",
    "second_flit_leaves",
    "could_go_on",
    "later_packet_leaves",
];

/// Names that the template uses for each input port, for each queue and for each (output, VC). A
/// queue has a `stays_ready` as well, where lanes have none.
const OF_INPUT: &[&str] = &["in_last", "in_other", "in_followed", "in_mark"];
const OF_QUEUE: &[&str] = &[
    "push",
    "in_was_ready",
    "inside_packet",
    "followed",
    "later",
    "header",
    "kept_header",
    "possible",
    "to",
    "next",
    "one_packet",
    "ready_stays",
];
const OF_LANE: &[&str] = &[
    "out_was_ready",
    "moves",
    "leave",
    "named_by_the_relation",
    "delivered_once",
    "last",
    "uncorrupted",
    "header_goes_on",
    "only_where_there_was_room",
    "not_interleaved",
    "in_order",
    "known",
    "stays_ready",
    "open",
    "waits_for_link",
    "bounded_wait",
    "served_in_turn",
];

/// Names that the template uses for each eject port, with the port's prefix and with its name.
const OF_EJECT: &[&str] = &["waits", "never_ready", "last_flit", "valid_before_ready"];
const OF_EJECT_PORT: &[&str] = &["valid_stays", "flit_stays", "has_to_wait"];

/// Prefixes of the names of a property module's nets.
pub(super) struct PropertyNames {
    table: Names,
    /// By input port.
    pub inputs: Vec<String>,
    /// By queue.
    pub queues: Vec<String>,
    /// By (output, VC).
    pub lanes: Vec<String>,
}

impl PropertyNames {
    /// Names for a switch with these ports, each of which has a net of its name.
    pub fn new(switch: &SwitchPlan, ports: &[String], ejects: &[Eject]) -> Self {
        let mut table = Names::new(FIXED.iter().copied().chain(ports.iter().map(String::as_str)));
        take_ejects(&mut table, ejects);
        let after = |stem: &str, endings: &[&str]| {
            endings.iter().map(|ending| format!("{stem}_{ending}")).collect::<Vec<String>>()
        };
        let mut stem = |name: &str, endings| table.stem(name, |stem| after(stem, endings));
        let inputs = switch.inputs.iter().map(|i| stem(&i.name, OF_INPUT)).collect();
        let queues = switch.queues.iter().map(|q| stem(&q.name, OF_QUEUE)).collect();
        let lane = |stem: &str| {
            let around = [format!("TO_{}", stem.to_uppercase()), format!("to_{stem}_next")];
            [after(stem, OF_LANE), around.to_vec()].concat()
        };
        let lanes = switch.output_vcs.iter().map(|l| table.stem(&l.name, lane)).collect();
        Self { table, inputs, queues, lanes }
    }

    /// The name of a turn.
    pub fn turn(&mut self, queue: usize, lane: usize) -> String {
        let wish = format!("{}_to_{}", self.queues[queue], self.lanes[lane]);
        self.table.identifier(&wish)
    }
}

fn take_ejects(table: &mut Names, ejects: &[Eject]) {
    for Eject { port, prefix } in ejects {
        OF_EJECT.iter().for_each(|ending| table.take(&format!("{prefix}{ending}")));
        OF_EJECT_PORT.iter().for_each(|ending| table.take(&format!("{port}_{ending}")));
    }
}

/// Names of the free values of the outputs in the stand-in of a switch, by its ports.
pub(super) fn free_values(ports: &[&str], ejects: &[Eject]) -> Vec<String> {
    let mut table = Names::new(["clk", "rst"].into_iter().chain(ports.iter().copied()));
    take_ejects(&mut table, ejects);
    ports.iter().map(|port| table.identifier(&format!("any_{port}"))).collect()
}
