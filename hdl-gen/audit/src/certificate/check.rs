//! Checks certificates. Shares no code with what makes them: it reads the text, walks every route
//! of every flow, and compares numbers.

use std::collections::HashSet;

/// A certificate that does not hold, and the line where one is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Flaw {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

/// Size of a certificate that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Number of channels.
    pub channels: usize,
    /// Number of places of packets, by class and destination, that were walked.
    pub places: u64,
}

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

struct Channel {
    from: usize,
    to: usize,
    table: usize,
    number: u64,
    escape: bool,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Rule {
    All,
    Some,
    Escape,
}

struct Certificate {
    rule: Rule,
    switches: usize,
    /// Switches where each sends and takes packets.
    terminals: Vec<[Option<usize>; 2]>,
    /// Classes that each comes after.
    classes: Vec<Vec<usize>>,
    channels: Vec<Channel>,
    /// Number by terminal and class.
    sinks: Vec<Vec<Option<u64>>>,
    /// Table by class and switch.
    inject: Vec<Vec<Option<usize>>>,
    all: bool,
    /// Class, destination, sources.
    flows: Vec<(usize, usize, Vec<usize>)>,
    /// Destination and next channels, ascending.
    tables: Vec<Vec<(usize, Vec<usize>)>>,
}

fn flaw<T>(what: impl Into<String>) -> Result<T, String> {
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
    fn read(text: &str) -> Result<Self, Flaw> {
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

    fn next(&self, table: usize, destination: usize) -> &[usize] {
        let table = &self.tables[table];
        let found = table.binary_search_by_key(&destination, |entry| entry.0);
        found.map_or(&[], |at| &table[at].1)
    }
}

/// A packet's place: a channel, a terminal that waits, or where it enters.
struct Held {
    number: Option<u64>,
    escape: bool,
}

/// Checks a certificate: that each flow's packets arrive whatever next channels they take, and that
/// the numbers ascend as its rule says.
///
/// # Errors
/// The first [`Flaw`].
pub fn check(text: &str) -> Result<Checked, Flaw> {
    let certificate = Certificate::read(text)?;
    let mut check = Check {
        seen: vec![0; certificate.channels.len()],
        walk: 0,
        places: 0,
        certificate: &certificate,
    };
    check.all().map_err(|what| Flaw { line: None, what })?;
    Ok(Checked { channels: certificate.channels.len(), places: check.places })
}

struct Check<'a> {
    certificate: &'a Certificate,
    seen: Vec<u64>,
    walk: u64,
    places: u64,
}

impl Check<'_> {
    fn all(&mut self) -> Result<(), String> {
        let certificate = self.certificate;
        if certificate.all {
            let all = |role: usize| {
                let has = move |at: &usize| certificate.terminals[*at][role].is_some();
                (0..certificate.terminals.len()).filter(has)
            };
            for destination in all(1) {
                let sources: Vec<usize> = all(0).filter(|&source| source != destination).collect();
                self.flow(0, destination, &sources)?;
            }
        }
        for (class, destination, sources) in &certificate.flows {
            self.flow(*class, *destination, sources)?;
        }
        Ok(())
    }

    /// All packets of some sources to a destination.
    fn flow(&mut self, class: usize, destination: usize, sources: &[usize]) -> Result<(), String> {
        let certificate = self.certificate;
        let [_, sink] = certificate.terminals[destination];
        self.walk += 1;
        let mut open: Vec<usize> = Vec::new();
        for &source in sources {
            let [Some(switch), _] = certificate.terminals[source] else { continue };
            // What the terminal took, and may hold until this packet is sent.
            for &before in &certificate.classes[class] {
                let held = Held { number: certificate.sinks[source][before], escape: true };
                self.waits(&held, switch, None, class, destination)?;
            }
            if Some(switch) == sink {
                continue;
            }
            let held = Held { number: None, escape: false };
            let table = certificate.inject[class][switch];
            self.waits(&held, switch, table, class, destination)?;
            open.extend(certificate.next(table.unwrap_or_default(), destination));
        }
        while let Some(channel) = open.pop() {
            if self.seen[channel] == self.walk {
                continue;
            }
            self.seen[channel] = self.walk;
            self.places += 1;
            let own = &certificate.channels[channel];
            let held = Held { number: Some(own.number), escape: own.escape };
            self.waits(&held, own.to, Some(own.table), class, destination)?;
            if Some(own.to) != sink {
                open.extend(certificate.next(own.table, destination));
            }
        }
        Ok(())
    }

    /// A packet that is held at a switch, and what it waits for there.
    fn waits(
        &self,
        held: &Held,
        switch: usize,
        table: Option<usize>,
        class: usize,
        destination: usize,
    ) -> Result<(), String> {
        let certificate = self.certificate;
        let who =
            || format!("packets of class {class} to terminal {destination}, at switch {switch}");
        if certificate.terminals[destination][1] == Some(switch) {
            return match (held.number, certificate.sinks[destination][class]) {
                (Some(number), Some(sink)) if number >= sink => {
                    flaw(format!("{}: the number of the sink is not greater", who()))
                }
                _ => Ok(()),
            };
        }
        let table = table.or(certificate.inject[class][switch]).unwrap_or_default();
        let next = certificate.next(table, destination);
        if next.is_empty() {
            return flaw(format!("{}: no next channel", who()));
        }
        if next.iter().any(|&next| certificate.channels[next].from != switch) {
            return flaw(format!("{}: a next channel leaves another switch", who()));
        }
        let greater = |&next: &usize| match held.number {
            Some(number) => certificate.channels[next].number > number,
            None => true,
        };
        let holds = match certificate.rule {
            Rule::All => next.iter().all(greater),
            Rule::Some => next.iter().any(greater),
            Rule::Escape => return self.escapes(held, next, class, destination),
        };
        if holds { Ok(()) } else { flaw(format!("{}: the numbers do not ascend", who())) }
    }

    /// Whether a packet can take an escape channel next, and each escape channel that it may take
    /// after others that are none has a greater number than the escape channel that it holds.
    fn escapes(
        &self,
        held: &Held,
        next: &[usize],
        class: usize,
        destination: usize,
    ) -> Result<(), String> {
        let certificate = self.certificate;
        let who = || format!("packets of class {class} to terminal {destination}");
        if !next.iter().any(|&next| certificate.channels[next].escape) {
            return flaw(format!("{}: no escape channel", who()));
        }
        let Some(number) = held.number.filter(|_| held.escape) else { return Ok(()) };
        let [_, sink] = certificate.terminals[destination];
        let mut met: HashSet<usize> = next.iter().copied().collect();
        let mut open = next.to_vec();
        while let Some(channel) = open.pop() {
            let own = &certificate.channels[channel];
            if own.escape {
                if own.number <= number {
                    return flaw(format!("{}: the numbers do not ascend", who()));
                }
            } else if Some(own.to) == sink {
                if certificate.sinks[destination][class].is_some_and(|sink| sink <= number) {
                    return flaw(format!("{}: the number of the sink is not greater", who()));
                }
            } else {
                let next = certificate.next(own.table, destination).iter();
                open.extend(next.filter(|&&next| met.insert(next)));
            }
        }
        Ok(())
    }
}
