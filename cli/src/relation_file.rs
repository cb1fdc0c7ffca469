//! `--routing FILE`: a relation from a file instead of one that Turnpike has.

use crate::input;
use crate::options::Chosen;
use anyhow::bail;
use std::path::{Path, is_separator};
use turnpike_network::routing::given::{ENDING, Given};
use turnpike_network::topology::{self, Size};

/// The file that the argument of `--routing` names: one with a path separator, or that ending.
pub fn path(routing: &str) -> Option<&Path> {
    let path = Path::new(routing);
    let ends = path.extension().is_some_and(|ending| ending == ENDING);
    (ends || routing.contains(is_separator)).then_some(path)
}

/// Reads a relation file.
///
/// # Errors
/// A file that cannot be read, with why; what is wrong in it, with the line.
pub fn read(path: &Path) -> anyhow::Result<Given> {
    let bytes = input::bytes(path, "relation", input::MOST_RELATION)?;
    Given::from_bytes(&bytes).map_err(|error| input::fault(path, error.line, error.fault))
}

/// The same for this topology.
///
/// # Errors
/// As [`read`]; a relation for another topology.
pub fn read_for(path: &Path, topology: &str) -> anyhow::Result<Given> {
    let asked = topology::find(topology)?.name;
    let given = read(path)?;
    if given.topology != asked {
        bail!("{} is for the topology {}, not for {asked}", path.display(), given.topology);
    }
    Ok(given)
}

/// The same for this topology and size.
///
/// # Errors
/// As [`read`]; a relation for another topology or size.
pub fn read_for_network(path: &Path, chosen: &Chosen) -> anyhow::Result<Given> {
    let (topology, size) = match chosen {
        Chosen::Named(name, size) => (name, *size),
        Chosen::File(file, _) => {
            let shown = path.display();
            bail!("{shown} is for a topology that Turnpike has, not for the file {file}")
        }
    };
    let given = read_for(path, topology)?;
    let own = Size::Dim(given.dimension);
    if own != size {
        let (shown, words, asked) = (path.display(), own.words(), size.words());
        bail!("{shown} is for {words}, not for {asked}; use {own}");
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_file() {
        for file in ["x.relation", "./x", "a/b.relation", "/x"] {
            assert_eq!(path(file), Some(Path::new(file)));
        }
        for name in ["ecube", "random-static", "relation", "x.txt", ""] {
            assert_eq!(path(name), None, "{name}");
        }
    }
}
