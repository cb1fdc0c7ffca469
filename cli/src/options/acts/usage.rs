//! Use of a command: its kind of fabric, and the options beside.

use super::When;
use super::kind::{CHANNELS, Kind};
use crate::circuits;
use crate::options::classes::{ClassList, ClassOption};
use crate::options::traffic::HOTSPOT;
use clap::ArgMatches;
use std::path::is_separator;
use turnpike_network::description::Format;

/// Use of a command.
pub struct Usage<'a> {
    /// Name of the command.
    pub command: &'a str,
    /// Argument of the network; empty where the command takes none.
    pub topology: &'a str,
    /// Kind of the fabric.
    pub kind: Kind,
    matches: &'a ArgMatches,
    given: &'a dyn Fn(&str) -> bool,
}

impl<'a> Usage<'a> {
    /// Use of a command with what was read from its line. `given` says of an option's id whether it was
    /// given, on the line or by a configuration.
    pub fn new(command: &'a str, matches: &'a ArgMatches, given: &'a dyn Fn(&str) -> bool) -> Self {
        let topology = text(matches, "topology").unwrap_or("");
        let mut usage = Self { command, topology, kind: Kind::Switched, matches, given };
        // Other commands refuse busses by their name.
        let takes_busses = matches.try_contains_id("side").is_ok();
        let busses = Kind::of_busses(topology).filter(|_| takes_busses);
        usage.kind = match (busses, usage.values("kind").next()) {
            (Some(busses), _) => busses,
            (None, None) if command == "schedule" && circuits::is_network(topology) => {
                Kind::Circuit
            }
            (None, word) => {
                let asked = |kind: &&Kind| word == Some(kind.word()) && kind.is_in(command);
                CHANNELS.iter().find(asked).copied().unwrap_or(Kind::Switched)
            }
        };
        // A list of busses alone has no switches either.
        let of_list = |words: &'a str| words.split_whitespace().next().unwrap_or("");
        let listed: Vec<&str> = usage.values("networks").map(of_list).collect();
        if let [first, ..] = listed[..]
            && listed.iter().all(|name| Kind::of_busses(name).is_some())
        {
            usage.topology = first;
            usage.kind = Kind::of_busses(first).unwrap_or(usage.kind);
        }
        usage
    }

    /// The first value of an option; empty where it has none.
    pub fn value(&self, id: &str) -> &'a str {
        self.values(id).next().unwrap_or("")
    }

    /// Whether an option is given, and not switched off.
    fn is_on(&self, id: &str) -> bool {
        (self.given)(id) && self.values(id).next() != Some("false")
    }

    /// The values of an option as they were typed, or by default.
    fn values(&self, id: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let known = self.matches.ids().any(|known| known.as_str() == id);
        let values = known.then(|| self.matches.get_raw(id)).flatten();
        values.into_iter().flatten().filter_map(|value| value.to_str())
    }

    fn classes(&self) -> impl Iterator<Item = &'a ClassOption> + use<'a> {
        let known = self.matches.ids().any(|known| known.as_str() == "class");
        let lists = known.then(|| self.matches.get_many::<ClassList>("class")).flatten();
        lists.into_iter().flatten().flat_map(|ClassList(classes)| classes)
    }

    /// Whether a property holds.
    pub fn is(&self, when: &When) -> bool {
        let has = |id: &str, values: &[&str]| {
            let word = |value: &'a str| value.split(':').next().unwrap_or(value);
            self.values(id).any(|value| values.contains(&word(value)))
        };
        match when {
            When::In(commands) => commands.contains(&self.command),
            When::Of(kinds) => kinds.contains(&self.kind),
            When::With(id) => self.is_on(id),
            When::Without(ids) => !ids.iter().any(|id| self.is_on(id)),
            When::Is(id, values) => has(id, values),
            When::IsNot(id, values) => !has(id, values),
            When::NoFile => {
                !(self.topology.contains(is_separator)
                    || Format::of_file(self.topology).is_some()
                    || self.is_on("as_format"))
            }
            When::NoHotspots => {
                let of_class = |pattern: Option<&String>| pattern.is_some_and(|p| p == HOTSPOT);
                !self.values("traffic").any(|pattern| pattern == HOTSPOT)
                    && !self.classes().any(|class| of_class(class.traffic.as_ref()))
            }
            When::OfClasses(key) => {
                let mut classes = self.classes().peekable();
                classes.peek().is_some()
                    && classes.all(|class| match *key {
                        "traffic" => class.traffic.is_some(),
                        _ => class.packet_length.is_some(),
                    })
            }
        }
    }
}

fn text<'a>(matches: &'a ArgMatches, id: &str) -> Option<&'a str> {
    let known = matches.ids().any(|known| known.as_str() == id);
    known.then(|| matches.get_one::<String>(id)).flatten().map(String::as_str)
}
