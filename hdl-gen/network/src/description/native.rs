//! The format of Turnpike's own: a line for each thing.

use super::build::{Builder, LooseEnd};
use super::{Channel, Description, DescriptionError, End, FIRST_LINE, Fault, Name, Terminal};
use std::collections::HashSet;
use std::fmt::Write;
use turnpike_base::nearest::Nearest;

const KEYS: [&str; 8] = ["name", "ports", "node", "terminal", "source", "sink", "link", "channel"];

/// Whether a character may stand around one of the file's names without a hint of it: blanks, and a
/// dot before a port.
const fn separates(c: char) -> bool {
    c == '.' || c == '#' || c.is_ascii_whitespace()
}

pub(super) fn read(text: &str, default_name: &str) -> Result<Description, DescriptionError> {
    let mut builder = Builder::default();
    let mut begun = false;
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> =
            line.split('#').next().unwrap_or("").split_ascii_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let read = match begun {
            false => first_line(&words, line),
            true => self::line(&mut builder, number, &words),
        };
        read.map_err(|fault| DescriptionError::at(number, fault))?;
        begun = true;
    }
    if !begun {
        return Err(Fault::Empty("a topology file begins with 'turnpike-topology 1'").into());
    }
    builder.finish(default_name)
}

fn first_line(words: &[&str], line: &str) -> Result<(), Fault> {
    let expected: Vec<&str> = FIRST_LINE.split(' ').collect();
    match words {
        _ if words == expected => Ok(()),
        [word, version] if *word == expected[0] => Err(Fault::Version((*version).to_owned())),
        _ => Err(Fault::Foreign(line.trim().chars().take(40).collect())),
    }
}

fn line(builder: &mut Builder, number: usize, words: &[&str]) -> Result<(), Fault> {
    match *words {
        ["name", name] => builder.name(name),
        ["name", ..] => Err(Fault::Words("name", "one word", "name my_noc")),
        ["ports", ref ports @ ..] if !ports.is_empty() => {
            ports.iter().try_for_each(|port| builder.port(port))
        }
        ["ports", ..] => Err(Fault::Words("ports", "names of ports", "ports east west")),
        ["node", ref names @ ..] if !names.is_empty() => names.iter().try_for_each(|name| {
            let why = match (name.contains('.'), name.starts_with('@')) {
                (true, _) => "a dot stands between a node and its port",
                (_, true) => "an @ stands before an address",
                _ => return builder.node(name).map(drop),
            };
            Err(Fault::Syntax(format!("'{name}': {why}; use another name")))
        }),
        ["node", ..] => Err(Fault::Words("node", "names of nodes", "node a b c")),
        [key @ ("terminal" | "source" | "sink"), name, ref nodes @ .., address]
            if address.starts_with('@') =>
        {
            let address = Fault::address(&address[1..], "@")?;
            let words: Vec<&str> = [key, name].into_iter().chain(nodes.iter().copied()).collect();
            line(builder, number, &words)?;
            builder.address(address, Some(number))
        }
        [key @ ("terminal" | "source" | "sink"), name, node] => {
            let node = Some(builder.find(node)?);
            let source = node.filter(|_| key != "sink");
            builder.terminal(name, source, node.filter(|_| key != "source"))
        }
        ["terminal", name, source, sink] => {
            let (source, sink) = (builder.find(source)?, builder.find(sink)?);
            builder.terminal(name, Some(source), Some(sink))
        }
        ["terminal", ..] => {
            let what = "a name and its node, or the nodes where it sends and where it receives";
            Err(Fault::Words("terminal", what, "terminal cpu0 a"))
        }
        ["source", ..] => Err(Fault::Words("source", "a name and its node", "source dma a")),
        ["sink", ..] => Err(Fault::Words("sink", "a name and its node", "sink log a")),
        [key @ ("link" | "channel"), from, to, ref more @ ..] if more.iter().all(is_option) => {
            let (from, to) = (end(builder, from)?, end(builder, to)?);
            let delay = delay(more)?;
            builder.link(from, to, key == "link", [delay; 2], Some(number))
        }
        ["link", ..] => Err(Fault::Words("link", "its two ends", "link a.east b.west")),
        ["channel", ..] => {
            Err(Fault::Words("channel", "where it leaves and arrives", "channel a.east b.west"))
        }
        [key, ..] => Err(Fault::Key {
            key: key.to_owned(),
            nearest: Nearest::of(key, KEYS),
            known: KEYS.join(", "),
        }),
        [] => Ok(()),
    }
}

/// Whether a word gives a value to a name.
fn is_option(word: &&str) -> bool {
    word.contains('=')
}

/// The `delay=` among the words behind the ends of a link; 0 where there is none.
fn delay(words: &[&str]) -> Result<u32, Fault> {
    match *words {
        [] => Ok(0),
        [word] => match word.strip_prefix("delay=") {
            Some(number) => Fault::delay(number),
            None => Err(Fault::Syntax(format!("'{word}' is not known; a link has a delay=N"))),
        },
        [_, second, ..] => Err(Fault::Syntax(format!("'{second}' is one too many: delay=N once"))),
    }
}

fn end(builder: &Builder, text: &str) -> Result<LooseEnd, Fault> {
    let (node, port) = match text.split_once('.') {
        None => (text, None),
        Some(("", _) | (_, "")) => return Err(Fault::End(text.to_owned())),
        Some((node, port)) => (node, Some(port.to_owned())),
    };
    Ok(LooseEnd { node: builder.find(node)?, port })
}

/// The file that says it. Names that the format cannot hold are written as identifiers.
pub(super) fn write(description: &Description) -> String {
    let Description { name, nodes, terminals, ports, channels } = description;
    let mut text = format!("{FIRST_LINE}\nname {name}\n");
    if !ports.is_empty() {
        let _ = writeln!(text, "ports {}", ports.join(" "));
    }
    let nodes = words(nodes.iter());
    for node in &nodes {
        let _ = writeln!(text, "node {node}");
    }
    let names = words(terminals.iter().map(|terminal| &terminal.name));
    for (name, Terminal { source, sink, address, .. }) in names.into_iter().zip(terminals) {
        let at = |node: &usize| nodes[*node];
        text += &match (source, sink) {
            (Some(source), Some(sink)) if source == sink => {
                format!("terminal {} {}", name, at(source))
            }
            (Some(source), Some(sink)) => format!("terminal {} {} {}", name, at(source), at(sink)),
            (Some(source), None) => format!("source {} {}", name, at(source)),
            (None, Some(sink)) => format!("sink {} {}", name, at(sink)),
            (None, None) => continue,
        };
        text += &address.map_or("\n".to_owned(), |address| format!(" @{address}\n"));
    }
    let all: HashSet<(&End, &End, u32)> =
        channels.iter().map(|c| (&c.from, &c.to, c.delay)).collect();
    let mut written = HashSet::new();
    for Channel { from, to, delay } in channels {
        if written.contains(&(from, to)) {
            continue;
        }
        let back = all.contains(&(to, from, *delay));
        let end = |end: &End| format!("{}.{}", nodes[end.node], end.port);
        let key = if back { "link" } else { "channel" };
        let _ = write!(text, "{key} {} {}", end(from), end(to));
        if *delay > 0 {
            let _ = write!(text, " delay={delay}");
        }
        text.push('\n');
        if back {
            written.insert((to, from));
        }
    }
    text
}

/// Names, each as one word of the file: as they were given, where that can be said of all.
fn words<'a>(names: impl Iterator<Item = &'a Name> + Clone) -> Vec<&'a str> {
    let given = |name: &'a Name| name.original.as_deref().unwrap_or(&name.identifier);
    let is_word =
        |text: &str| !text.is_empty() && !text.contains(separates) && !text.starts_with('@');
    match names.clone().map(given).all(is_word) {
        true => names.map(given).collect(),
        false => names.map(|name| &*name.identifier).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "\
turnpike-topology 1
name little  # a comment
node a b
node c
terminal cpu a @16
source dma b
sink log c @0x20
terminal split b c @7
link a.east b.west
link b c
channel c.ring a.ring
channel c a
";

    #[test]
    fn a_file_says_what_it_says() {
        let small = read(SMALL, "file").unwrap();
        assert_eq!((&*small.name, small.nodes.len()), ("little", 3));
        let ends: Vec<String> = small
            .channels
            .iter()
            .map(|c| format!("{}.{} {}.{}", c.from.node, c.from.port, c.to.node, c.to.port))
            .collect();
        let expected = [
            "0.east 1.west",
            "1.west 0.east",
            "1.p0 2.p0",
            "2.p0 1.p0",
            "2.ring 0.ring",
            "2.p1 0.p0",
        ];
        assert_eq!(ends, expected);
        let at: Vec<_> = small.terminals.iter().map(|t| (t.source, t.sink)).collect();
        assert_eq!(at, [(Some(0), Some(0)), (Some(1), None), (None, Some(2)), (Some(1), Some(2))]);
        let addresses: Vec<_> = small.terminals.iter().map(|t| t.address).collect();
        assert_eq!(addresses, [Some(16), None, Some(32), Some(7)]);
        assert_eq!(small.ports, ["east", "west", "p0", "ring", "p1"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let small = read(SMALL, "file").unwrap();
        let text = write(&small);
        assert_eq!(read(&text, "other").unwrap(), small, "{text}");
        assert_eq!(write(&read(&text, "other").unwrap()), text);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let begin = "turnpike-topology 1\nnode a b c\nterminal t a\nterminal u b\n";
        for (line, message) in [
            ("node a", "line 5: there is a node 'a' already; give each a name of its own"),
            (
                "terminal t b",
                "line 5: there is a terminal 't' already; give each a name of its own",
            ),
            (
                "terminal v a @",
                "line 5: '@' is no address of a terminal; write @0 to @2147483647, or @0x10",
            ),
            (
                "terminal v a @2147483648",
                "line 5: '@2147483648' is no address of a terminal; write @0 to @2147483647, or @0x10",
            ),
            (
                "terminal v a @9\nsink w b @9",
                "line 6: address 9 is taken already; give each terminal one of its own",
            ),
            (
                "terminal v a @0",
                "line 5: address 0 is that of terminal 't' too: its number, for no address is said \
                 for it; say one for it, or another here",
            ),
            (
                "source v @9",
                "line 5: 'source' is followed by a name and its node, such as 'source dma a'",
            ),
            ("link a", "line 5: 'link' is followed by its two ends, such as 'link a.east b.west'"),
            ("link a d", "line 5: unknown node 'd'; a node is named before it is used"),
            ("link a.p a.q", "line 5: a is linked with itself; a channel leads to another node"),
            ("link a. b", "line 5: 'a.' is no end of a link: write NODE, or NODE.PORT"),
            (
                "lnk a b",
                "line 5: unknown key 'lnk'; did you mean 'link'? (there are: name, ports, \
                 node, terminal, source, sink, link, channel)",
            ),
            (
                "link a.x b.x\nchannel a.x c",
                "line 6: output port 'x' of a is in use already, by \
                 line 5; each channel has its own",
            ),
            (
                "link a.eject0 b",
                "line 5: port 'eject0' is named like those of terminals; use \
                 another name, such as 'p_eject0'",
            ),
            (
                "name wire",
                "line 5: name: 'wire' is a keyword of Verilog-2005; choose another name, \
                 such as 'wire_fabric'",
            ),
            ("node @9", "line 5: '@9': an @ stands before an address; use another name"),
            (
                "node x.y",
                "line 5: 'x.y': a dot stands between a node and its port; use another name",
            ),
        ] {
            let error = read(&format!("{begin}{line}\n"), "file").unwrap_err();
            assert_eq!(error.to_string(), message, "{line}");
        }
        let wrong = |text: &str| read(text, "file").unwrap_err().to_string();
        assert!(wrong("# nothing\n").starts_with("the file is empty"));
        assert!(wrong("turnpike-topology 2").starts_with("line 1: topology files of version '2'"));
        assert!(wrong("graph {").contains("its first line is 'turnpike-topology 1'"));
        let alone = "turnpike-topology 1\nnode a\nterminal t a\n";
        assert!(wrong(alone).starts_with("there is one terminal alone"));
        let none = "turnpike-topology 1\nnode a\nsink t a\nsink u a\n";
        assert!(wrong(none).starts_with("no terminal sends"));
    }
}
