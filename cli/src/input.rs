//! Files that are read: regular ones alone, up to a size.

use anyhow::{Context, anyhow, bail};
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Take};
use std::path::Path;
use turnpike_network::description;
use turnpike_network::routing::given;

/// Largest trace in bytes.
pub const MOST_TRACE: u64 = 256 << 20;
/// Largest relation in bytes.
pub const MOST_RELATION: u64 = given::MOST_BYTES as u64;
/// Largest topology in bytes.
pub const MOST_TOPOLOGY: u64 = description::MOST_BYTES as u64;
/// Largest file of a pattern in bytes.
pub const MOST_PATTERN: u64 = 1 << 26;
/// Largest configuration in bytes.
pub const MOST_CONFIG: u64 = 1 << 20;

/// The bytes of `path`, as [`open`] opens it.
///
/// # Errors
/// As [`open`]; a file that cannot be read.
pub fn bytes(path: &Path, what: &str, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path, what, most)?.read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read the {what} {}", path.display()))?;
    Ok(bytes)
}

/// Error for a fault in a file, with the line where one is at fault.
pub fn fault(path: &Path, line: Option<usize>, fault: impl Display) -> anyhow::Error {
    match line {
        Some(line) => anyhow!("{}:{line}: {fault}", path.display()),
        None => anyhow!("{}: {fault}", path.display()),
    }
}

/// Opens `path`, which `what` names, for at most `most` bytes.
///
/// # Errors
/// A path that cannot be read, is no regular file or holds more.
pub fn open(path: &Path, what: &str, most: u64) -> anyhow::Result<Take<File>> {
    let shown = path.display();
    let wrong = || format!("cannot read the {what} {shown}");
    // Before it is opened: that of a pipe may wait for ever.
    let found = std::fs::metadata(path).with_context(wrong)?;
    if !found.is_file() {
        bail!("cannot read the {what} {shown}: it is no regular file");
    }
    if found.len() > most {
        let (size, most) = (found.len(), most >> 20);
        bail!("cannot read the {what} {shown}: it has {size} bytes; use at most {most} MiB");
    }
    Ok(File::open(path).with_context(wrong)?.take(most))
}
