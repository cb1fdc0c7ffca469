//! Files that Turnpike wrote, with their digests: a list in the user's cache folder, as `sha256sum`
//! prints it. Files that are gone leave it.

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use turnpike_base::bits::hexadecimal;
use turnpike_flow::cache;

/// Largest list in bytes that is read.
const MOST: u64 = 16 << 20;

/// Digests by path.
type Entries = BTreeMap<String, String>;

/// Whether the file holds what Turnpike wrote there; `None` where it is not known to have.
///
/// # Errors
/// A file that cannot be read.
pub fn is_unchanged(path: &Path) -> io::Result<Option<bool>> {
    let Some(name) = name(path) else { return Ok(None) };
    let known = with_list(|entries| entries.get(&name).cloned()).ok().flatten();
    known.map(|known| Ok(known == digest(path)?)).transpose()
}

/// Notes that Turnpike has written the file, and its digest.
///
/// # Errors
/// What the system says; a user without a folder for it.
pub fn remember(path: &Path, digest: &str) -> io::Result<()> {
    let Some(name) = name(path) else { return Ok(()) };
    with_list(|entries| {
        entries.retain(|path, _| Path::new(path).exists());
        entries.insert(name, digest.to_owned());
    })
}

/// SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// A file that cannot be read.
pub fn digest(path: &Path) -> io::Result<String> {
    let (mut file, mut sum) = (File::open(path)?, Sha256::new());
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => break,
            read => sum.update(&block[..read]),
        }
    }
    Ok(hexadecimal(&sum.finalize()))
}

/// Name of a file in the list, one for each file; `None` where a line of text cannot hold it.
fn name(path: &Path) -> Option<String> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.to_str().filter(|name| !name.contains(['\n', '\r'])).map(str::to_owned)
}

/// Runs `change` on the list, which no other process sees or changes meanwhile, and keeps what
/// it changes.
fn with_list<T>(change: impl FnOnce(&mut Entries) -> T) -> io::Result<T> {
    let folder = cache::user_folder().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(&folder)?;
    let path = folder.join("written");
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    flock(&file, FlockOperation::LockExclusive)?;
    let mut bytes = Vec::new();
    (&mut file).take(MOST).read_to_end(&mut bytes)?;
    let before = parse(&String::from_utf8_lossy(&bytes));
    let mut entries = before.clone();
    let result = change(&mut entries);
    if entries != before {
        file.rewind()?;
        file.set_len(0)?;
        let line = |(path, digest): (&String, &String)| format!("{digest}  {path}\n");
        file.write_all(entries.iter().map(line).collect::<String>().as_bytes())?;
    }
    Ok(result)
}

/// The entries of a list. A line that is damaged is none: its file is then asked about.
pub fn parse(text: &str) -> BTreeMap<String, String> {
    let entry = |line: &str| {
        let (digest, path) = line.split_once("  ")?;
        Some((path.to_owned(), digest.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}
