//! Writing a fabric folder: all at once or not at all.
//!
//! The folder holds a list of the files that Turnpike wrote, with their digests. Unchanged
//! files of its own are replaced freely; a file that it did not write, or that was edited
//! since, makes it refuse. `force` replaces its own files, edited or not, and nothing else.

use super::File;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The list of files in a folder: a digest and a name per line, as `sha256sum` prints them.
pub const LIST: &str = ".turnpike-files";

/// Why a folder was not written. Nothing on disk has changed then.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path is a file.
    #[error("{0} is a file; name a folder with --out")]
    NotAFolder(PathBuf),
    /// A file that Turnpike did not write.
    #[error("{0} was not written by turnpike; move it away, or name another folder with --out")]
    Foreign(PathBuf),
    /// A file of Turnpike's that was edited.
    #[error(
        "{0} was edited since turnpike wrote it; save it elsewhere, or replace it with --force"
    )]
    Edited(PathBuf),
    /// The file system said no.
    #[error("cannot write {path}: {why}")]
    Io {
        /// What was being written.
        path: PathBuf,
        /// Why not.
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
    let old = check(folder, files, force)?;
    let parent = match folder.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let made = make_parents(parent)?;
    let result = write_beside(parent, folder, files, &old);
    if result.is_err() {
        // Only folders that are empty and that this call made.
        made.iter().for_each(|p| drop(fs::remove_dir(p)));
    }
    result
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
    old: &BTreeMap<String, String>,
) -> Result<(), FolderError> {
    let staging = tempfile::Builder::new()
        .prefix(".turnpike-")
        .tempdir_in(parent)
        // The error itself would name the staging folder.
        .map_err(|error| io_error(parent)(error.kind().into()))?;
    let mut list = String::new();
    for file in files {
        let path = staging.path().join(&file.name);
        write_synced(&path, &file.contents).map_err(io_error(&folder.join(&file.name)))?;
        list += &format!("{}  {}\n", digest(file.contents.as_bytes()), file.name);
    }
    let path = staging.path().join(LIST);
    write_synced(&path, &list).map_err(io_error(&folder.join(LIST)))?;
    if !folder.exists() {
        // A folder made by `tempfile` is private; a new one is as the user's others are.
        fs::create_dir(folder).map_err(io_error(folder))?;
    }
    // The list goes first: should the moves be cut short, every file there is still known.
    for name in std::iter::once(LIST).chain(files.iter().map(|f| f.name.as_str())) {
        let to = folder.join(name);
        fs::rename(staging.path().join(name), &to).map_err(io_error(&to))?;
    }
    let stale = old.keys().filter(|name| files.iter().all(|f| f.name != **name));
    for name in stale {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(io_error(&path))?;
    }
    Ok(())
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
) -> Result<BTreeMap<String, String>, FolderError> {
    if !folder.exists() && !folder.is_symlink() {
        return Ok(BTreeMap::new());
    }
    if !folder.is_dir() {
        return Err(FolderError::NotAFolder(folder.to_owned()));
    }
    let own = read_list(folder)?;
    let mut there = BTreeMap::new();
    let mut names: Vec<_> = fs::read_dir(folder)
        .and_then(|entries| {
            entries.map(|e| e.map(|e| e.file_name())).collect::<io::Result<Vec<_>>>()
        })
        .map_err(io_error(folder))?;
    names.sort();
    for name in names {
        let path = folder.join(&name);
        let text = name.to_string_lossy().into_owned();
        if text == LIST {
            continue;
        }
        // What the emitted Makefile builds is not ours to touch, nor in the way.
        let built = text == "build" && path.is_dir() && !own.is_empty();
        if built {
            continue;
        }
        let Some(expected) = own.get(&text) else {
            return Err(FolderError::Foreign(path));
        };
        if !force && file_digest(&path)? != *expected {
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

fn file_digest(path: &Path) -> Result<String, FolderError> {
    match path.is_file() {
        true => Ok(digest(&fs::read(path).map_err(io_error(path))?)),
        false => Err(FolderError::Foreign(path.to_owned())),
    }
}

fn read_list(folder: &Path) -> Result<BTreeMap<String, String>, FolderError> {
    let path = folder.join(LIST);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = fs::read_to_string(&path).map_err(io_error(&path))?;
    let entry = |line: &str| {
        let (digest, name) = line.split_once("  ")?;
        // A name with a separator is no file of this folder.
        let plain = !name.is_empty() && !name.contains(['/', '\\']);
        plain.then(|| (name.to_owned(), digest.to_owned()))
    };
    Ok(text.lines().filter_map(entry).collect())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, contents: &str) -> File {
        File { name: name.into(), contents: contents.into() }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn own_output_is_replaced_and_stale_files_go() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("a/b/out");
        write(&folder, &[file("x.v", "1"), file("y.v", "2")], false).unwrap();
        write(&folder, &[file("x.v", "3")], false).unwrap();
        assert_eq!(names(&folder), [LIST, "x.v"]);
        assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "3");
        assert_eq!(names(folder.parent().unwrap()), ["out"], "no staging folder is left");
    }

    #[test]
    fn foreign_and_edited_files_are_safe() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("out");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        for force in [false, true] {
            let error = write(&folder, &[file("x.v", "1")], force).unwrap_err();
            assert!(matches!(error, FolderError::Foreign(_)), "{error}");
            assert_eq!(names(&folder), ["notes.txt"]);
        }
        fs::remove_file(folder.join("notes.txt")).unwrap();
        write(&folder, &[file("x.v", "1")], false).unwrap();
        fs::write(folder.join("x.v"), "edited").unwrap();
        let error = write(&folder, &[file("x.v", "2")], false).unwrap_err();
        assert!(matches!(error, FolderError::Edited(_)), "{error}");
        assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "edited");
        write(&folder, &[file("x.v", "2")], true).unwrap();
        assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "2");
    }

    #[test]
    fn a_file_is_not_a_folder() {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("out");
        fs::write(&path, "x").unwrap();
        let error = write(&path, &[], true).unwrap_err();
        assert!(matches!(error, FolderError::NotAFolder(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "x");
    }

    #[test]
    fn nothing_is_left_where_the_parent_is_not_writable() {
        let base = tempfile::tempdir().unwrap();
        let blocker = base.path().join("file");
        fs::write(&blocker, "x").unwrap();
        let error = write(&blocker.join("sub/out"), &[file("x.v", "1")], false).unwrap_err();
        assert!(matches!(error, FolderError::Io { .. }), "{error}");
        assert_eq!(names(base.path()), ["file"]);
    }
}
