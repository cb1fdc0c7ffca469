//! Flows that follow from who reaches what: requests one way, replies the other.

use crate::{Ends, Manager};
use turnpike_network::flows::{ClassEntry, FlowEntry, FlowList, FlowsError};

/// Message class of requests: addresses, and the data of writes.
pub const REQUEST: &str = "request";
/// Message class of replies, after requests: data of reads, and answers.
pub const REPLY: &str = "reply";

impl Ends {
    /// The flows: from each manager to each subordinate that it reaches, of the class of requests, and
    /// back, of the class of replies.
    ///
    /// # Errors
    /// [`FlowsError`] never, for the names of the classes are names.
    pub fn flows(&self) -> Result<FlowList, FlowsError> {
        let class = |name: &str, after: &[&str]| ClassEntry {
            line: 1,
            name: name.to_owned(),
            after: after.iter().map(|name| (*name).to_owned()).collect(),
            priority: None,
        };
        let flow = |line: usize, from: &str, to: &str, class: &str| FlowEntry {
            line,
            values: [("source", from), ("destination", to), ("class", class)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        };
        let mut flows = Vec::new();
        for Manager { name, line, reach, .. } in &self.managers {
            for end in reach.iter().map(|&number| &self.subordinates[number]) {
                flows.push(flow(*line, name, &end.name, REQUEST));
                flows.push(flow(end.line, &end.name, name, REPLY));
            }
        }
        FlowList::of(vec![class(REQUEST, &[]), class(REPLY, &[REQUEST])], flows)
    }

    /// Line of the end of a terminal.
    pub fn line_of(&self, terminal: &str) -> Option<usize> {
        let managers = self.managers.iter().map(|end| (&end.name, end.line));
        let all = managers.chain(self.subordinates.iter().map(|end| (&end.name, end.line)));
        all.into_iter().find(|(name, _)| *name == terminal).map(|(_, line)| line)
    }
}
