//! Reads a relation file.

use super::hops::HopReader;
use super::{
    FIRST_LINE, Fault, Given, GivenError, Hops, MOST_BYTES, On, check_by_difference, check_name,
};
use crate::description::Description;
use crate::topology::{self, Node, Range, TOPOLOGIES, TopologyKind};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use turnpike_base::nearest::Nearest;

/// Keys that stand before the hops, those of sizes among them.
pub(super) static KEYS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let sizes = topology::parameters().into_iter().map(|parameter| parameter.key);
    ["name", "topology"].into_iter().chain(sizes).chain(["failed", "by"]).collect()
});

pub(super) fn parse(text: &str, own: Option<&Arc<Description>>) -> Result<Given, GivenError> {
    if text.len() > MOST_BYTES {
        return Err(Fault::Large(text.len()).into());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Fault::Empty.into());
    }
    let is_binary = |line: &str| line.chars().any(|c| c.is_control() && c != '\t' && c != '\r');
    let mut reader = Reader { own, ..Reader::default() };
    for (number, line) in (1..).zip(text.split('\n')) {
        let at = |fault| GivenError::at(number, fault);
        if is_binary(line) {
            return Err(at(Fault::Binary));
        }
        if number == 1 {
            first_line(line).map_err(at)?;
            continue;
        }
        if let Some(remark) = line.trim().strip_prefix('#') {
            reader.remarks.push(remark.trim().to_owned());
            continue;
        }
        let words = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = words.split_whitespace().collect();
        if !words.is_empty() {
            reader.line(number, &words)?;
        }
    }
    reader.finish()
}

fn first_line(line: &str) -> Result<(), Fault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let expected: Vec<&str> = FIRST_LINE.split(' ').collect();
    match words[..] {
        _ if words == expected => Ok(()),
        [word, version] if word == expected[0] => Err(Fault::Version(version.to_owned())),
        _ => Err(Fault::Foreign(line.trim().chars().take(40).collect())),
    }
}

/// Fault of a line that begins with no key.
pub(super) fn unknown_key(word: &str) -> Fault {
    Fault::Key { key: word.to_owned(), nearest: Nearest::of(word, KEYS.iter().copied()) }
}

/// State of the reader.
#[derive(Default)]
struct Reader<'a> {
    /// The network of a user's own that it is to be for, if any.
    own: Option<&'a Arc<Description>>,
    remarks: Vec<String>,
    name: Option<String>,
    topology: Option<Named<'a>>,
    /// By key, what says the size, with its line.
    size: BTreeMap<&'static str, (usize, String)>,
    /// Labels, with their lines.
    failed: Vec<(usize, String)>,
    /// Form of the hops, with its line.
    by: Option<(usize, Form)>,
    /// Once the first hop was read.
    hops: Option<HopReader>,
}

/// Form in which hops are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Pair,
    Difference,
    Route,
}

/// Each form with its word.
const FORMS: [(&str, Form); 3] =
    [("pair", Form::Pair), ("difference", Form::Difference), ("route", Form::Route)];

/// The topology that was named.
#[derive(Clone, Copy)]
enum Named<'a> {
    Kind(&'static TopologyKind),
    Own(&'a Arc<Description>),
}

impl<'a> Reader<'a> {
    fn line(&mut self, number: usize, words: &[&str]) -> Result<(), GivenError> {
        let at = |fault: Fault| GivenError::at(number, fault);
        let Some(key) = KEYS.iter().copied().find(|key| *key == words[0]) else {
            return self.hop(number, words);
        };
        if words.len() >= 3 && self.is_node(words[0]) {
            return self.hop(number, words);
        }
        if self.hops.is_some() {
            return Err(at(Fault::Late(key)));
        }
        let &[_, value] = words else { return Err(at(Fault::OneWord(key))) };
        let again = match key {
            "name" => self.name.is_some(),
            "topology" => self.topology.is_some(),
            "by" => self.by.is_some(),
            "failed" => false,
            size => self.size.contains_key(size),
        };
        if again {
            return Err(at(Fault::Again(key)));
        }
        match key {
            "name" => {
                check_name(value).map_err(at)?;
                self.name = Some(value.to_owned());
            }
            "topology" => {
                self.topology = Some(self.named(value).map_err(at)?);
            }
            "failed" => self.failed.push((number, value.to_owned())),
            "by" => {
                let form = FORMS.iter().find(|(word, _)| *word == value);
                let (_, form) = form.ok_or_else(|| at(Fault::By(value.to_owned())))?;
                self.by = Some((number, *form));
            }
            size => {
                let ranges = TOPOLOGIES.iter().flat_map(|kind| kind.sizes.ranges());
                let of =
                    |range: Range| (range.parameter.key == size).then_some(range.parameter.sort);
                let is_one = ranges.filter_map(of).any(|sort| sort.parse(value).is_some());
                let value = value.to_owned();
                if !is_one {
                    return Err(at(Fault::Size { key: size, value }));
                }
                self.size.insert(size, (number, value));
            }
        }
        // Errors in these name their own line, not that of the first hop.
        if key == "topology" || self.size.contains_key(key) {
            self.on(number)?;
        }
        Ok(())
    }

    /// Whether a word that is a key, too, is the name of a node, where the network is said.
    fn is_node(&self, word: &str) -> bool {
        match (&self.hops, self.topology) {
            (Some(hops), _) => hops.is_first(word),
            (None, Some(Named::Own(own))) => {
                let terminal = self.by.is_some_and(|(_, form)| form == Form::Route);
                let terminals = own.terminals.iter().filter(|_| terminal);
                own.nodes.iter().any(|node| node.is_called(word))
                    || terminals.into_iter().any(|terminal| terminal.name.is_called(word))
            }
            (None, _) => false,
        }
    }

    /// The topology of a name.
    fn named(&self, name: &str) -> Result<Named<'a>, Fault> {
        match self.own {
            None => Ok(Named::Kind(topology::find(name)?)),
            Some(own) if own.name == name => Ok(Named::Own(own)),
            Some(own) => Err(Fault::Other { topology: name.to_owned(), own: own.name.clone() }),
        }
    }

    /// The network, once all that says it is there; `line` is where an error is that has no line
    /// of its own.
    fn on(&self, line: usize) -> Result<Option<On>, GivenError> {
        let Some(topology) = self.topology else { return Ok(None) };
        let (name, keys) = match topology {
            Named::Kind(kind) => (kind.name, kind.sizes.keys()),
            Named::Own(own) => (own.name.as_str(), Vec::new()),
        };
        if let Some((&key, (line, _))) = self.size.iter().find(|(key, _)| !keys.contains(key)) {
            let (topology, takes) = (name.to_owned(), keys.join("' and '"));
            return Err(GivenError::at(*line, Fault::NotItsSize { key, topology, takes }));
        }
        let kind = match topology {
            Named::Kind(kind) => kind,
            Named::Own(own) => return Ok(Some(On::Described(Arc::clone(own)))),
        };
        let said: Option<Vec<_>> = keys.iter().map(|key| self.size.get(key)).collect();
        let Some(said) = said else { return Ok(None) };
        let values: Vec<&str> = said.iter().map(|(_, value)| value.as_str()).collect();
        let size = kind.sizes.of_keys(&values).map_err(|at| {
            let (line, value) = said[at];
            GivenError::at(*line, Fault::Size { key: keys[at], value: value.clone() })
        })?;
        if let Some(dimension) = size.only_dim() {
            kind.check(dimension).map_err(|error| GivenError::at(line, error))?;
        }
        Ok(Some(On::Named(kind.name, size)))
    }

    /// The relation without its hops, from the keys that stand before them; all must be there.
    fn head(&self) -> Result<Given, GivenError> {
        let Some(name) = &self.name else { return Err(Fault::Without("name").into()) };
        let Some(topology) = self.topology else { return Err(Fault::Without("topology").into()) };
        let Some(on) = self.on(1)? else {
            let Named::Kind(kind) = topology else { unreachable!("its file says its size") };
            let missing = kind.sizes.keys().into_iter().find(|key| !self.size.contains_key(key));
            return Err(Fault::Without(missing.unwrap_or_default()).into());
        };
        let intact = on.build()?;
        let mut failed: Vec<Node> = Vec::new();
        for (line, label) in &self.failed {
            let node = intact.node(label).map_err(|error| GivenError::at(*line, error))?;
            if failed.contains(&node) {
                return Err(GivenError::at(*line, Fault::FailedAgain(label.clone())));
            }
            failed.push(node);
        }
        failed.sort_unstable();
        if let Some((line, Form::Difference)) = self.by {
            check_by_difference(&*intact, &failed).map_err(|fault| GivenError::at(line, fault))?;
        }
        Ok(Given {
            name: name.clone(),
            on,
            failed: failed.into_iter().map(|node| intact.label(node)).collect(),
            remarks: Vec::new(),
            hops: match self.by.map(|(_, form)| form) {
                Some(Form::Difference) => Hops::ByDifference(BTreeMap::new()),
                Some(Form::Route) => Hops::ByRoute(BTreeMap::new()),
                Some(Form::Pair) | None => Hops::ByPair(BTreeMap::new()),
            },
        })
    }

    fn hop(&mut self, number: usize, words: &[&str]) -> Result<(), GivenError> {
        if self.hops.is_none() {
            if self.name.is_none() || self.on(number)?.is_none() {
                return Err(GivenError::at(number, unknown_key(words[0])));
            }
            self.hops = Some(HopReader::new(self.head()?)?);
        }
        let hops = self.hops.as_mut().expect("it was just made");
        hops.line(number, words).map_err(|fault| GivenError::at(number, fault))
    }

    fn finish(self) -> Result<Given, GivenError> {
        let given = match self.hops {
            Some(hops) => hops.given,
            None => self.head()?,
        };
        let given = Given { remarks: self.remarks, ..given };
        given.check()?;
        Ok(given)
    }
}
