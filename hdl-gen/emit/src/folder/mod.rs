//! Writing a fabric folder: all at once or not at all.
//!
//! The folder holds a list of the files that Turnpike wrote, with their digests. Unchanged
//! files of its own are replaced freely; a file that it did not write, or that was edited
//! since, makes it refuse. `force` replaces its own files, edited or not, and nothing else.
//!
//! While files are moved into place the list names those of both runs, so that a run that is
//! cut short there can simply be run again.

use super::File;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};
use turnpike_base::bits::hexadecimal;
use turnpike_base::staging::{self, Staging};

/// The list of files in a folder: a digest and a name per line, as `sha256sum` prints them. A
/// name may stand there with several digests.
pub const LIST: &str = ".turnpike-files";

/// Reason that a folder was not written. Nothing in it has changed then, unless the file system
/// fails while finished files are renamed into place; the same command can be run again after that.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path is a file.
    #[error("{0} is a file; name a folder")]
    NotAFolder(PathBuf),
    /// A path that leads up out of a folder that is not there.
    #[error("{0} leads up by '..' from a folder that is not there; name the folder without it")]
    Upward(PathBuf),
    /// A file that Turnpike did not write.
    #[error("{0} was not written by turnpike; move it away, or name another folder")]
    Foreign(PathBuf),
    /// A file of Turnpike's that was edited.
    #[error("{0} was edited since turnpike wrote it; save it elsewhere, or have it replaced")]
    Edited(PathBuf),
    /// Two files of one name: a bug in Turnpike.
    #[error("{0} would be written twice; nothing is written")]
    Twice(PathBuf),
    /// A folder in which none can be made.
    #[error("cannot make a folder in {path}: {why}; name one elsewhere")]
    Parent {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the file system.
        why: io::Error,
    },
    /// The file system said no.
    #[error("cannot write {path}: {why}")]
    Io {
        /// Path that was being written.
        path: PathBuf,
        /// Error of the file system.
        why: io::Error,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |why| FolderError::Io { path, why }
}

/// Writes `files` as the contents of `folder`, which is made if need be.
///
/// Everything is first written to a new folder beside it, on the same file system; only then
/// are files moved into place. A full disk or an interrupt before that leaves `folder` as it
/// was.
///
/// # Errors
/// [`FolderError`] names the file in the way or what the file system said.
pub fn write(folder: &Path, files: &[File], force: bool) -> Result<(), FolderError> {
    // What the emitted Makefile builds is not ours to touch, nor in the way.
    write_around(folder, files, force, &["build"])
}

/// Checks that a folder may be written, before the work that makes its files.
///
/// # Errors
/// As [`write`], for what is in the way.
pub fn check_place(folder: &Path, force: bool) -> Result<(), FolderError> {
    check(&resolve(folder)?, &[], force, &["build"]).map(drop)
}

/// Writes a folder around folders of these names, which come to be in it once it is written: they
/// are left alone.
///
/// # Errors
/// As [`write`].
pub fn write_around(
    folder: &Path,
    files: &[File],
    force: bool,
    others: &[&str],
) -> Result<(), FolderError> {
    let folder = &resolve(folder)?;
    let parent = match folder.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let made = make_parents(parent)?;
    // Whoever else writes there waits, and then finds the list of these files: what is not of the last one
    // goes, and nothing is taken for a stranger's.
    let locked = staging::lock(parent).map_err(io_error(parent));
    staging::clear_stale(parent);
    let result = locked.and_then(|_locked| {
        let old = check(folder, files, force, others)?;
        write_beside(parent, folder, files, &old)
    });
    if result.is_err() {
        // Only folders that are empty and that this call made.
        made.iter().for_each(|p| drop(fs::remove_dir(p)));
    }
    result
}

/// The path with all that is there resolved; what is not there may not lead up again, or the
/// folder that is checked would not be the folder that is written.
fn resolve(folder: &Path) -> Result<PathBuf, FolderError> {
    let all: Vec<Component> = folder.components().collect();
    let prefix = |n: usize| all[..n].iter().collect::<PathBuf>();
    let there = (1..=all.len()).rev().find(|&n| prefix(n).exists()).unwrap_or(0);
    if all[there..].contains(&Component::ParentDir) {
        return Err(FolderError::Upward(folder.to_owned()));
    }
    let base = match there {
        0 => PathBuf::from("."),
        n => prefix(n),
    };
    let base = if folder.is_symlink() { base } else { base.canonicalize().unwrap_or(base) };
    Ok(all[there..].iter().fold(base, |path, part| path.join(part)))
}

/// Makes the missing parents; returns them, innermost first.
fn make_parents(parent: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let missing: Vec<PathBuf> = parent
        .ancestors()
        .take_while(|p| !p.as_os_str().is_empty() && !p.exists())
        .map(Path::to_owned)
        .collect();
    fs::create_dir_all(parent).map_err(io_error(parent))?;
    Ok(missing)
}

fn write_beside(
    parent: &Path,
    folder: &Path,
    files: &[File],
    old: &Entries,
) -> Result<(), FolderError> {
    let staging = Staging::within(parent)
        // The error itself would name the staging folder.
        .map_err(|error| FolderError::Parent {
            path: parent.to_owned(),
            why: error.kind().into(),
        })?;
    let mut new = Entries::new();
    for file in files {
        let path = staging.path().join(&file.name);
        let written = make_parent(&path).and_then(|()| write_synced(&path, &file.contents));
        written.map_err(io_error(&folder.join(&file.name)))?;
        if new.contains_key(&file.name) {
            return Err(FolderError::Twice(folder.join(&file.name)));
        }
        let digest = digest(file.contents.as_bytes());
        new.entry(file.name.clone()).or_default().insert(digest);
    }
    let mut both = new.clone();
    for (name, digests) in old {
        both.entry(name.clone()).or_default().extend(digests.iter().cloned());
    }
    let write_list = |name: &str, entries: &Entries| {
        let path = staging.path().join(name);
        write_synced(&path, &list(entries)).map_err(io_error(&folder.join(LIST)))
    };
    write_list("both", &both)?;
    write_list("new", &new)?;
    if !folder.exists() {
        // The staging folder is private; a new one is as the user's others are.
        fs::create_dir(folder).map_err(io_error(folder))?;
    }
    let place = |from: &str, to: &str| {
        let to = folder.join(to);
        let from = staging.path().join(from);
        make_parent(&to).and_then(|()| fs::rename(from, &to)).map_err(io_error(&to))
    };
    place("both", LIST)?;
    files.iter().try_for_each(|file| place(&file.name, &file.name))?;
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(io_error(&path))?;
        // A folder in the fabric's, where it is empty now.
        path.parent().filter(|&parent| parent != folder).map(fs::remove_dir);
    }
    place("new", LIST)
}

/// Files by name, with the digests that they may have.
type Entries = BTreeMap<String, BTreeSet<String>>;

fn list(entries: &Entries) -> String {
    let lines = entries.iter().flat_map(|(name, digests)| digests.iter().map(move |d| (d, name)));
    lines.map(|(digest, name)| format!("{digest}  {name}\n")).collect()
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn write_synced(path: &Path, contents: &str) -> io::Result<()> {
    use io::Write;
    let mut file = fs::File::create(path)?;
    file.write_all(contents.as_bytes())?;
    // A full disk shows here at the latest.
    file.sync_data()
}

/// Whether `folder` may be written. Returns the files of an earlier run that are still there.
fn check(
    folder: &Path,
    files: &[File],
    force: bool,
    others: &[&str],
) -> Result<Entries, FolderError> {
    if !folder.exists() && !folder.is_symlink() {
        return Ok(Entries::new());
    }
    if !folder.is_dir() {
        return Err(FolderError::NotAFolder(folder.to_owned()));
    }
    staging::clear_stale(folder);
    let own = read_list(folder)?;
    let mut there = Entries::new();
    for text in names_in(folder, &own)? {
        let path = folder.join(&text);
        if text == LIST {
            continue;
        }
        if others.contains(&&*text) && path.is_dir() && !own.is_empty() {
            continue;
        }
        let Some(expected) = own.get(&text) else {
            return Err(FolderError::Foreign(path));
        };
        if !force && !expected.contains(&file_digest(&path)?) {
            // The same bytes that would be written are no loss.
            let same = |f: &&File| f.name == text;
            let new = files.iter().find(same).map(|f| digest(f.contents.as_bytes()));
            if new != Some(file_digest(&path)?) {
                return Err(FolderError::Edited(path));
            }
        }
        there.insert(text, expected.clone());
    }
    Ok(there)
}

/// Names of the entries of the folder, in order; of a folder of its own in it, such as that of the
/// proofs, those of the files. Folders that SymbiYosys makes in there are not in the way.
fn names_in(folder: &Path, own: &Entries) -> Result<Vec<String>, FolderError> {
    let mut names = Vec::new();
    for name in read_names(folder)? {
        let below = format!("{name}/");
        let path = folder.join(&name);
        if own.keys().any(|key| key.starts_with(&below)) && path.is_dir() && !path.is_symlink() {
            let files = read_names(&path)?.into_iter().filter(|file| !path.join(file).is_dir());
            names.extend(files.map(|file| below.clone() + &file));
        } else {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn read_names(folder: &Path) -> Result<Vec<String>, FolderError> {
    let entries = fs::read_dir(folder).map_err(io_error(folder))?;
    let name = |entry: io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    entries.map(name).collect::<Result<_, _>>().map_err(io_error(folder))
}

fn file_digest(path: &Path) -> Result<String, FolderError> {
    match path.is_file() {
        true => Ok(digest(&fs::read(path).map_err(io_error(path))?)),
        false => Err(FolderError::Foreign(path.to_owned())),
    }
}

fn read_list(folder: &Path) -> Result<Entries, FolderError> {
    let path = folder.join(LIST);
    if !path.exists() {
        return Ok(Entries::new());
    }
    Ok(parse_list(&fs::read_to_string(&path).map_err(io_error(&path))?))
}

/// The entries of a list ([`LIST`]): file names, each with the digests that it may have. A line
/// that is damaged, or names a file elsewhere, is none.
pub fn parse_list(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let entry = |line: &str| {
        let (digest, name) = line.split_once("  ")?;
        // A name that leads elsewhere is no file of this folder, nor of a folder in it.
        let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['/', '\\']);
        let plain = plain(name) || name.split_once('/').is_some_and(|(a, b)| plain(a) && plain(b));
        plain.then(|| (name.to_owned(), digest.to_owned()))
    };
    let mut entries = Entries::new();
    for (name, digest) in text.lines().filter_map(entry) {
        entries.entry(name).or_default().insert(digest);
    }
    entries
}

fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests;
