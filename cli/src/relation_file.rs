//! `--routing FILE`: a relation from a file instead of one that Turnpike has.

use crate::input;
use crate::options::{Chosen, ChosenTopology};
use anyhow::{anyhow, bail};
use std::path::{Path, is_separator};
use std::sync::Arc;
use turnpike_network::description::Description;
use turnpike_network::routing::given::{self, ENDING, Given, On};

/// The file that the argument of `--routing` names: one with a path separator, or that ending.
pub fn path(routing: &str) -> Option<&Path> {
    let path = Path::new(routing);
    let ends = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
    (ends || routing.contains(is_separator)).then_some(path)
}

/// Reads a relation file, for a network of a user's own where there is one.
///
/// # Errors
/// A file that cannot be read, with why; what is wrong in it, with the line.
fn read(path: &Path, own: Option<&Arc<Description>>) -> anyhow::Result<Given> {
    let bytes = input::bytes(path, "relation", input::MOST_RELATION)?;
    let given = Given::from_bytes(&bytes, own);
    given.map_err(|error| input::fault(path, error.line, error.fault))
}

/// Relation for one of these networks, which are of one topology.
///
/// # Errors
/// As [`read`]; a relation for another topology or size.
pub fn read_for(path: &Path, networks: &[Chosen]) -> anyhow::Result<Given> {
    let shown = path.display();
    let named = |chosen: &Chosen| match chosen.topology {
        ChosenTopology::Named(name, size) => Some((name, size)),
        ChosenTopology::File(_) => None,
    };
    let first = networks.first().map(|chosen| &chosen.topology);
    if let Some(ChosenTopology::File(file)) = first {
        return read(path, Some(&file.description));
    }
    let given = read(path, None)?;
    let On::Named(own, size) = given.on else { unreachable!("no network of a user's own") };
    let asked: Vec<_> = networks.iter().filter_map(named).collect();
    if let Some((asked, _)) = asked.iter().find(|(asked, _)| *asked != own) {
        bail!("{shown} is for the topology {own}, not for {asked}");
    }
    match &asked[..] {
        all if all.contains(&(own, size)) => Ok(given),
        [(_, asked)] => {
            bail!("{shown} is for {}, not for {}; use {size}", size.words(), asked.words())
        }
        _ => bail!("{shown} is for {}, which is not among those compared", size.words()),
    }
}

/// A relation's name goes into files and Verilog.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    given::check_name(name).map_err(|wrong| anyhow!("--name: {wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_file() {
        for file in ["x.relation", "./x", "a/b.relation", "/x", "X.RELATION"] {
            assert_eq!(path(file), Some(Path::new(file)));
        }
        for name in ["ecube", "random-static", "relation", "x.txt", ""] {
            assert_eq!(path(name), None, "{name}");
        }
    }
}
