//! Folders for what is not finished yet: on the file system of what it becomes, so that a rename
//! puts it in place, and where no tool looks.
//!
//! Such a folder holds a file [`MARK`], which keeps FuseSoC out. The process that made the folder
//! holds a lock on that file until it ends, however it ends. So a folder whose mark can be locked
//! is left from a run that was killed, and whoever next makes one beside it removes it.

use rustix::fs::{FlockOperation, flock};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The file that keeps FuseSoC from looking for cores in a folder.
pub const MARK: &str = "FUSESOC_IGNORE";

/// Prefix of the name of every staging folder.
const PREFIX: &str = ".turnpike-";

/// Age from which a folder that was not even marked is held to be left over.
const UNMARKED: Duration = Duration::from_secs(3600);

/// Staging folders of this process.
static ALIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is removed, with all that is in it, when dropped.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    /// Locked; closed after the folder is gone.
    _mark: File,
}

impl Staging {
    /// Makes one in the folder `parent`, and removes those that killed runs left there.
    ///
    /// # Errors
    /// What the system says.
    pub fn within(parent: &Path) -> io::Result<Self> {
        clear_stale(parent);
        let mut alive = alive();
        // Another process that is clearing up may take a fresh one for an old one.
        loop {
            let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?.keep();
            match claim(&path) {
                Ok(Some(mark)) => {
                    alive.insert(path.clone());
                    return Ok(Self { path, _mark: mark });
                }
                Ok(None) => {}
                Err(error) => {
                    remove(&path);
                    return Err(error);
                }
            }
        }
    }

    /// Makes one in the system's folder for temporary files.
    ///
    /// # Errors
    /// What the system says.
    pub fn temporary() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(&self.path);
        alive().remove(&self.path);
    }
}

/// Removes all that this process has, on its way out. None is made after that: whoever asks for
/// one waits for the end.
pub fn remove_all() {
    let alive = alive();
    for path in alive.iter() {
        // A child that is being ended may still be writing.
        for _ in 0..20 {
            remove(path);
            if !path.exists() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
    std::mem::forget(alive);
}

/// Locks a folder that is there, until the lock is dropped: whoever else locks it waits. On a file system
/// without locks nobody waits.
///
/// # Errors
/// What the system says of the folder.
pub fn lock(folder: &Path) -> io::Result<Lock> {
    let file = File::open(folder)?;
    // What waits for others is tried again after a signal.
    while flock(&file, FlockOperation::LockExclusive) == Err(rustix::io::Errno::INTR) {}
    Ok(Lock { _file: file })
}

/// A folder that is locked.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Marks a new folder and locks the mark; `None` where somebody else was quicker.
fn claim(folder: &Path) -> io::Result<Option<File>> {
    let mark = folder.join(MARK);
    let file = File::create_new(&mark)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        // A file system without locks: nobody can lock the mark to remove the folder.
        _ => Ok(mark.exists().then_some(file)),
    }
}

/// Removes a folder with all that is in it, the mark last: whoever is killed meanwhile leaves a folder that
/// the next run knows for what it is. What cannot be removed stays.
fn remove(folder: &Path) {
    let mut is_empty = true;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let removed = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(path),
            _ if entry.file_name() == MARK => Ok(()),
            _ => fs::remove_file(path),
        };
        is_empty &= removed.is_ok();
    }
    if is_empty {
        let _ = fs::remove_dir_all(folder);
    }
}

/// Removes the folders that killed runs left in `parent`.
pub fn clear_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let named = name.to_str().is_some_and(|name| name.starts_with(PREFIX));
        if named && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_stale(&entry.path());
        }
    }
}

/// Removes the folder if no process holds it. What cannot be removed stays.
fn remove_stale(folder: &Path) {
    match File::open(folder.join(MARK)) {
        Ok(mark) => {
            if flock(&mark, FlockOperation::NonBlockingLockExclusive).is_ok() {
                remove(folder);
            }
        }
        Err(_) => {
            let age = fs::metadata(folder).and_then(|found| found.modified()).ok();
            if age.and_then(|made| made.elapsed().ok()).is_some_and(|age| age > UNMARKED) {
                // Only an empty one: nothing else is known to be Turnpike's.
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        fs::read_dir(folder).unwrap().map(|entry| name(entry).into_string().unwrap()).collect()
    }

    #[test]
    fn it_is_marked_while_it_is_there_and_goes_when_dropped() {
        let base = tempfile::tempdir().unwrap();
        let staging = Staging::within(base.path()).unwrap();
        fs::write(staging.path().join("x"), "1").unwrap();
        assert_eq!(names(base.path()).len(), 1);
        assert!(staging.path().join(MARK).is_file() && alive().contains(staging.path()));
        let path = staging.path().to_owned();
        drop(staging);
        assert!(names(base.path()).is_empty() && !alive().contains(&path));
    }

    /// The mark goes last: a folder whose other contents cannot be removed keeps it.
    #[test]
    fn a_folder_that_is_half_removed_is_still_known() {
        let base = tempfile::tempdir().unwrap();
        let left = base.path().join(".turnpike-left");
        fs::create_dir_all(left.join("held")).unwrap();
        fs::write(left.join(MARK), "").unwrap();
        fs::write(left.join("held/x"), "").unwrap();
        // What is in a folder that is read alone cannot be removed, but by root.
        let read = fs::Permissions::from_mode(0o555);
        fs::set_permissions(left.join("held"), read).unwrap();
        remove(&left);
        assert_eq!(left.exists(), left.join(MARK).exists());
        if left.exists() {
            fs::set_permissions(left.join("held"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        drop(Staging::within(base.path()).unwrap());
        assert!(names(base.path()).is_empty());
    }

    #[test]
    fn a_lock_is_waited_for() {
        let base = tempfile::tempdir().unwrap();
        let first = lock(base.path()).unwrap();
        let path = base.path().to_owned();
        let (send, receive) = std::sync::mpsc::channel();
        let waiting = thread::spawn(move || {
            let second = lock(&path).unwrap();
            send.send(()).unwrap();
            drop(second);
        });
        assert!(receive.recv_timeout(Duration::from_millis(50)).is_err());
        drop(first);
        receive.recv().unwrap();
        waiting.join().unwrap();
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_is_in_use_stays() {
        let base = tempfile::tempdir().unwrap();
        let used = Staging::within(base.path()).unwrap();
        // As a kill leaves it: marked, with files, and nobody holds the lock.
        let left = base.path().join(".turnpike-left");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(MARK), "").unwrap();
        fs::write(left.join("x.core"), "CAPI=2:").unwrap();
        // Of somebody else: no mark.
        let other = base.path().join(".turnpike-notes");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("mine"), "").unwrap();
        let next = Staging::within(base.path()).unwrap();
        assert!(!left.exists() && used.path().exists() && next.path().exists());
        assert!(other.join("mine").exists());
    }
}
