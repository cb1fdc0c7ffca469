//! Message classes: kinds of messages that wait for each other at terminals. A terminal that takes a
//! message of one class may be waiting until it has sent one of a class after it, so that a network
//! keeps the classes apart (Dally and Towles, Principles and Practices of Interconnection Networks,
//! section 14.2).

use super::FlowError;
use petgraph::algo::{astar, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers::digits;

/// Most message classes of a network.
pub const MOST_CLASSES: usize = 16;
/// Longest name of a class.
pub const LONGEST_NAME: usize = 32;
/// Highest priority of a class.
pub const MOST_PRIORITY: u8 = 15;

/// A message class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageClass {
    /// Name of the class: a small letter, then small letters, digits and `_`.
    pub name: String,
    /// Classes, by their numbers, that it comes after: a message of one of these may wait at a
    /// terminal until one of this class was sent there.
    pub after: Vec<usize>,
    /// Place of the class in an order in which each comes after those that it is after.
    pub rank: u32,
    /// Priority on links, up to [`MOST_PRIORITY`]: a flit of a higher one goes first.
    pub priority: u8,
}

/// A class as a file says it: in a line `class NAME`, `class NAME after OTHER ...`, with `priority N` behind it
/// where it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassEntry {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Name of the class.
    pub name: String,
    /// Names of the classes that it comes after.
    pub after: Vec<String>,
    /// Priority as a whole number; `None` where nothing is said, which is 0.
    pub priority: Option<String>,
}

/// The class that a line says; `None` where it is no such line.
pub(super) fn line(number: usize, text: &str) -> Option<Result<ClassEntry, FlowError>> {
    let mut words = text.split_whitespace();
    words.next().filter(|&word| word == "class")?;
    let words: Vec<&str> = words.collect();
    let wrong = || FlowError::ClassLine(text.to_owned());
    // No class has a name like a number.
    let (words, priority) = match words[..] {
        [ref before @ .., "priority", number] if !before.is_empty() && named(number).is_err() => {
            (before, Some(number.to_owned()))
        }
        _ => (&words[..], None),
    };
    let entry = |name: &str, after: &[&str]| {
        let after = after.iter().map(|&other| other.to_owned()).collect();
        Ok(ClassEntry { line: number, name: named(name)?, after, priority })
    };
    Some(match *words {
        [name] => entry(name, &[]),
        [name, "after", ref others @ ..] if !others.is_empty() => entry(name, others),
        _ => Err(wrong()),
    })
}

/// The priority that a text says.
fn priority(text: &str) -> Result<u8, FlowError> {
    let priority = digits(text).filter(|priority| *priority <= MOST_PRIORITY);
    priority.ok_or_else(|| FlowError::Priority(text.to_owned()))
}

/// A name that can be that of a class.
pub(super) fn named(name: &str) -> Result<String, FlowError> {
    let of_names = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let ends = !name.ends_with('_') && !name.contains("__");
    match begins && ends && name.len() <= LONGEST_NAME && name.chars().all(of_names) {
        true => Ok(name.to_owned()),
        false => Err(FlowError::ClassName(name.to_owned())),
    }
}

/// The classes of these lines, with their ranks.
///
/// # Errors
/// The line and its fault: a class twice, after one that is none, or after itself, a priority that is none.
pub(super) fn classes(lines: &[ClassEntry]) -> Result<Vec<MessageClass>, (usize, FlowError)> {
    let find = |name: &str| lines.iter().position(|line| line.name == name);
    let mut classes = Vec::new();
    for (at, entry) in lines.iter().enumerate() {
        let ClassEntry { line, name, after, .. } = entry;
        if find(name) != Some(at) {
            return Err((*line, FlowError::ClassTwice(name.clone())));
        }
        if at == MOST_CLASSES {
            return Err((*line, FlowError::ManyClasses));
        }
        let known = |other: &String| {
            find(other).ok_or_else(|| {
                let nearest = Nearest::of(other, lines.iter().map(|line| line.name.as_str()));
                (*line, FlowError::NoClass { name: other.clone(), nearest })
            })
        };
        let after = after.iter().map(known).collect::<Result<_, _>>()?;
        let priority = entry.priority.as_deref().map_or(Ok(0), priority);
        let priority = priority.map_err(|error| (*line, error))?;
        classes.push(MessageClass { name: name.clone(), after, rank: 0, priority });
    }
    rank(&mut classes).map_err(|cycle| {
        let names: Vec<&str> = cycle.iter().map(|&at| classes[at].name.as_str()).collect();
        (lines[cycle[0]].line, FlowError::ClassCycle(names.join(" after ")))
    })?;
    Ok(classes)
}

/// Gives each class its rank.
///
/// # Errors
/// A cycle, its first class again at the end.
fn rank(classes: &mut [MessageClass]) -> Result<(), Vec<usize>> {
    let edges = (0u32..)
        .zip(&*classes)
        .flat_map(|(at, class)| class.after.iter().map(move |&other| (at, other as u32)));
    let mut after: DiGraph<(), ()> = DiGraph::from_edges(edges);
    while after.node_count() < classes.len() {
        after.add_node(());
    }
    let order = toposort(&after, None).map_err(|cycle| {
        let at = cycle.node_id();
        let back = |next| astar(&after, next, |to| to == at, |_| 1, |_| 0).map(|(_, way)| way);
        let way = after.neighbors(at).find_map(back).unwrap_or_default();
        let mut cycle: Vec<usize> = way.into_iter().map(NodeIndex::index).collect();
        let first = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
        cycle.rotate_left(first);
        cycle.extend_from_within(..1);
        cycle
    })?;
    for at in order.into_iter().rev().map(NodeIndex::index) {
        let ranks = classes[at].after.iter().map(|&other| classes[other].rank + 1);
        classes[at].rank = ranks.max().unwrap_or(0);
    }
    Ok(())
}
