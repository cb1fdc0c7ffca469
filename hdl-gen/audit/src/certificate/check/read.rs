//! Reads a certificate for its checker.

use super::Flaw;
use std::collections::HashSet;

/// Keys in the order in which their lines stand, with whether each stands there exactly once.
const KEYS: [(&str, bool); 13] = [
    ("network", true),
    ("switching", true),
    ("rule", true),
    ("condition", true),
    ("switch", false),
    ("terminal", false),
    ("class", false),
    ("channel", false),
    ("sink", false),
    ("inject", false),
    ("flows", false),
    ("flow", false),
    ("table", false),
];

/// A channel.
pub struct Channel {
    pub from: usize,
    pub to: usize,
    pub table: usize,
    pub number: u64,
    pub escape: bool,
}

/// Rule: what the numbers promise.
#[derive(PartialEq, Eq, Clone, Copy)]
pub enum Rule {
    All,
    Some,
    Escape,
}

/// A certificate as it stands.
pub struct Certificate {
    pub rule: Rule,
    pub switches: usize,
    /// Switches where each sends and takes packets.
    pub terminals: Vec<[Option<usize>; 2]>,
    /// Classes that each comes after.
    pub classes: Vec<Vec<usize>>,
    pub channels: Vec<Channel>,
    /// Number by terminal and class.
    pub sinks: Vec<Vec<Option<u64>>>,
    /// Table by class and switch.
    pub inject: Vec<Vec<Option<usize>>>,
    pub all: bool,
    /// Class, destination, sources.
    pub flows: Vec<(usize, usize, Vec<usize>)>,
    /// Destination and next channels, ascending.
    pub tables: Vec<Vec<(usize, Vec<usize>)>>,
}

/// A fault in words.
pub fn flaw<T>(what: impl Into<String>) -> Result<T, String> {
    Err(what.into())
}

fn number(word: &str) -> Result<u64, String> {
    let digits = !word.is_empty() && word.len() <= 18 && word.bytes().all(|b| b.is_ascii_digit());
    match digits.then(|| word.parse().ok()).flatten() {
        Some(number) => Ok(number),
        None => flaw(format!("'{word}' is no number")),
    }
}

fn below(word: &str, count: usize, what: &str) -> Result<usize, String> {
    match number(word)? {
        number if number < count as u64 => Ok(number as usize),
        number => flaw(format!("there is no {what} {number}")),
    }
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// The first [`Flaw`] of its lines.
    pub fn read(text: &str) -> Result<Self, Flaw> {
        let whole = |what: &str| Flaw { line: None, what: what.to_owned() };
        let body = text.strip_suffix('\n').ok_or_else(|| whole("the last line has no end"))?;
        let lines: Vec<&str> = body.split('\n').collect();
        if lines[0] != "turnpike-certificate 1" {
            let what = "the first line is not 'turnpike-certificate 1'".to_owned();
            return Err(Flaw { line: Some(1), what });
        }
        let last = lines.len() - 1;
        if lines[last] != format!("end {last}") {
            let what = format!("the last line is not 'end {last}'");
            return Err(Flaw { line: Some(last + 1), what });
        }
        let mut certificate = Self {
            rule: Rule::All,
            switches: 0,
            terminals: Vec::new(),
            classes: Vec::new(),
            channels: Vec::new(),
            sinks: Vec::new(),
            inject: Vec::new(),
            all: false,
            flows: Vec::new(),
            tables: Vec::new(),
        };
        let mut place = 0;
        let mut counts = [0; KEYS.len()];
        for (number, line) in (1..).zip(&lines).skip(1).take(last - 1) {
            let at = |what: String| Flaw { line: Some(number), what };
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let Some(found) = KEYS.iter().position(|known| known.0 == key) else {
                return Err(at(format!("unknown key '{key}'")));
            };
            if found < place {
                return Err(at(format!("'{key}' stands behind '{}'", KEYS[place].0)));
            }
            place = found;
            counts[found] += 1;
            certificate.line(key, rest).map_err(at)?;
        }
        for ((key, once), count) in KEYS.iter().zip(counts) {
            if *once && count != 1 {
                return Err(whole(&format!("there are {count} lines '{key}', and not one")));
            }
        }
        certificate.complete().map_err(|what| whole(&what))?;
        Ok(certificate)
    }

    fn line(&mut self, key: &str, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split(' ').collect();
        let name = |text: &str| if text.is_empty() { flaw("no name") } else { Ok(()) };
        match (key, &words[..]) {
            ("network" | "condition", _) => name(rest)?,
            ("switching", ["wormhole" | "packets"]) => {}
            ("rule", ["all"]) => self.rule = Rule::All,
            ("rule", ["some"]) => self.rule = Rule::Some,
            ("rule", ["escape"]) => self.rule = Rule::Escape,
            ("switch", _) => {
                name(rest)?;
                self.switches += 1;
            }
            ("terminal", [source, sink, ..]) => {
                name(rest.splitn(3, ' ').nth(2).unwrap_or(""))?;
                let switch = |word: &str| match word {
                    "-" => Ok(None),
                    word => below(word, self.switches, "switch").map(Some),
                };
                self.terminals.push([switch(source)?, switch(sink)?]);
            }
            ("class", [after, ..]) => {
                name(rest.split_once(' ').map_or("", |(_, name)| name))?;
                let after = match *after {
                    "-" => Vec::new(),
                    list => list
                        .split(',')
                        .map(|word| below(word, 1000, "class"))
                        .collect::<Result<_, _>>()?,
                };
                self.classes.push(after);
            }
            ("channel", [from, to, vc, table, value, escape @ ..]) => {
                number(vc)?;
                self.channels.push(Channel {
                    from: below(from, self.switches, "switch")?,
                    to: below(to, self.switches, "switch")?,
                    table: number(table)? as usize,
                    number: number(value)?,
                    escape: match escape {
                        [] => false,
                        ["escape"] => true,
                        _ => return flaw("words too many"),
                    },
                });
            }
            ("sink", [terminal, class, value]) => {
                let classes = self.classes.len();
                self.sinks.resize(self.terminals.len(), vec![None; classes]);
                let terminal = below(terminal, self.terminals.len(), "terminal")?;
                let class = below(class, classes, "class")?;
                let value = number(value)?;
                if self.sinks[terminal][class].replace(value).is_some() {
                    return flaw("this sink stands there already");
                }
            }
            ("inject", [class, switch, table]) => {
                self.inject.resize(self.classes.len(), vec![None; self.switches]);
                let class = below(class, self.classes.len(), "class")?;
                let switch = below(switch, self.switches, "switch")?;
                let table = number(table)? as usize;
                if self.inject[class][switch].replace(table).is_some() {
                    return flaw("this line stands there already");
                }
            }
            ("flows", ["all"]) if !self.all => self.all = true,
            ("flow", [class, destination, sources @ ..]) if !sources.is_empty() && !self.all => {
                let terminal = |word: &&str| below(word, self.terminals.len(), "terminal");
                let class = below(class, self.classes.len(), "class")?;
                let destination = terminal(destination)?;
                let sources: Vec<usize> = sources.iter().map(terminal).collect::<Result<_, _>>()?;
                if self.terminals[destination][1].is_none() {
                    return flaw("the destination takes no packets");
                }
                if sources.iter().any(|&source| self.terminals[source][0].is_none()) {
                    return flaw("a source sends no packets");
                }
                self.flows.push((class, destination, sources));
            }
            ("table", [""]) => self.tables.push(Vec::new()),
            ("table", entries) => {
                let mut table: Vec<(usize, Vec<usize>)> = Vec::new();
                for entry in entries {
                    let Some((destination, next)) = entry.split_once(':') else {
                        return flaw(format!("'{entry}' is no entry"));
                    };
                    let destination = below(destination, self.terminals.len(), "terminal")?;
                    let channel = |word| below(word, self.channels.len(), "channel");
                    let next: Vec<usize> =
                        next.split(',').map(channel).collect::<Result<_, _>>()?;
                    let ascends = table.last().is_none_or(|last| last.0 < destination);
                    if !ascends || !next.is_sorted_by(|a, b| a < b) {
                        return flaw("entries or channels do not ascend");
                    }
                    table.push((destination, next));
                }
                self.tables.push(table);
            }
            _ => return flaw(format!("the words behind '{key}' are wrong")),
        }
        Ok(())
    }

    /// Whether all that lines name by number is there.
    fn complete(&mut self) -> Result<(), String> {
        let classes = self.classes.len();
        self.sinks.resize(self.terminals.len(), vec![None; classes]);
        self.inject.resize(classes, vec![None; self.switches]);
        if self.switches == 0 || self.terminals.is_empty() || classes == 0 {
            return flaw("there is no switch, no terminal or no class");
        }
        if self.all && (classes > 1 || !self.classes[0].is_empty()) {
            return flaw("'flows all' is for one class");
        }
        if !self.all && self.flows.is_empty() {
            return flaw("there is no flow");
        }
        if self.classes.iter().flatten().any(|&after| after >= classes) {
            return flaw("a class is after one that is not there");
        }
        let tables = self.tables.len();
        if self.channels.iter().any(|channel| channel.table >= tables) {
            return flaw("a channel has a table that is not there");
        }
        for table in self.inject.iter().flatten() {
            match table {
                Some(table) if *table < tables => {}
                Some(_) => return flaw("a line 'inject' has a table that is not there"),
                None => return flaw("a line 'inject' is missing"),
            }
        }
        // Terminals wait where they send a message that comes after one that they take.
        let mut needed = HashSet::new();
        for (class, _, sources) in &self.flows {
            for source in sources {
                needed.extend(self.classes[*class].iter().map(|before| (*source, *before)));
            }
        }
        for (terminal, sinks) in self.sinks.iter().enumerate() {
            for (class, sink) in sinks.iter().enumerate() {
                if sink.is_some() != needed.contains(&(terminal, class)) {
                    return flaw(format!(
                        "the sink {terminal} {class} is missing, or one too many"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Next channels of a table; none where it has none.
    pub fn next(&self, table: usize, destination: usize) -> &[usize] {
        let table = &self.tables[table];
        let found = table.binary_search_by_key(&destination, |entry| entry.0);
        found.map_or(&[], |at| &table[at].1)
    }
}
