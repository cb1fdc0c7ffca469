//! Built simulators, kept for later runs.
//!
//! One file each in a folder of the user's cache, named by the [`Key`] of all that it was built
//! from and by the digest of its own bytes. A file appears by a rename, so that a build that is
//! killed leaves none, and two at once leave a whole one; one whose bytes are not those of
//! its name is removed.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use turnpike_base::staging::Staging;
use turnpike_flow::cache::{Key, digest, user_folder};

/// The variable that names the folder; where it is empty nothing is kept.
const VARIABLE: &str = "TURNPIKE_VERILATOR_CACHE";

/// Simulators that are kept at most; those used longest ago go first.
const MOST: usize = 64;

/// Bytes of all of them together at most, but for the last one.
const MOST_BYTES: u64 = 1 << 30;

/// A folder of built simulators. Several processes may use it at once.
#[derive(Clone, Debug)]
pub struct Builds {
    folder: PathBuf,
}

impl Builds {
    /// Builds of the user: in the folder that `TURNPIKE_VERILATOR_CACHE` names, else in `verilator`
    /// in Turnpike's folder of the user's cache. `None` where the variable is empty, or the user
    /// has no home.
    pub fn of_user() -> Option<Self> {
        match std::env::var_os(VARIABLE) {
            Some(folder) if folder.is_empty() => None,
            Some(folder) => Some(Self::at(folder.into())),
            None => Some(Self::at(user_folder()?.join("verilator"))),
        }
    }

    /// Builds in this folder, which is made when the first one is kept.
    pub fn at(folder: PathBuf) -> Self {
        // A simulator runs in a folder of its own. Where there is no current folder, none is found.
        Self { folder: std::path::absolute(&folder).unwrap_or(folder) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the program kept under a key at `to`, to be run there; whether there is one.
    ///
    /// It is not run where it lies: another process may remove it, and its folder may be one in
    /// which nothing can be run.
    ///
    /// # Errors
    /// What the system says of `to`.
    pub(super) fn copy_to(&self, key: &Key, to: &Path) -> io::Result<bool> {
        for (path, name) in self.entries() {
            let Some((of, bytes)) = name.split_once('.') else { continue };
            if of != key.as_str() {
                continue;
            }
            match fs::read(&path) {
                Ok(program) if digest(&program) == bytes => {
                    // Used now: others go before it. Where the system does not let it, by age.
                    let now = SystemTime::now();
                    let _ = File::open(&path).and_then(|file| file.set_modified(now));
                    fs::write(to, program)?;
                    fs::set_permissions(to, Permissions::from_mode(0o755))?;
                    return Ok(true);
                }
                // Damaged, or gone by now.
                _ => drop(fs::remove_file(&path)),
            }
        }
        Ok(false)
    }

    /// Keeps a program under a key, and removes what is beyond the bounds.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn keep(&self, key: &Key, program: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let staging = Staging::within(&self.folder)?;
        let fresh = staging.path().join("simulator");
        fs::copy(program, &fresh)?;
        let name = format!("{}.{}", key.as_str(), digest(fs::read(&fresh)?));
        fs::rename(fresh, self.folder.join(name))?;
        self.trim(MOST, MOST_BYTES);
        Ok(())
    }

    fn trim(&self, most: usize, most_bytes: u64) {
        let about = |(path, _): (PathBuf, String)| {
            let about = fs::metadata(&path).ok()?;
            Some((about.modified().ok()?, about.len(), path))
        };
        let mut all: Vec<_> = self.entries().filter_map(about).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (at, (_, length, path)) in all.into_iter().enumerate() {
            bytes += length;
            if at >= most || (at > 0 && bytes > most_bytes) {
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Files named as simulators are: nothing else in the folder is touched.
    fn entries(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hexadecimal =
                |part: &str| part.len() == 64 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
            let (key, bytes) = name.split_once('.')?;
            (hexadecimal(key) && hexadecimal(bytes)).then(|| (entry.path(), name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_oldest_go_first_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().join("not/yet/there"));
        let program = folder.path().join("program");
        let key = |i: u64| Key::of([&*i.to_string()]);
        for i in 0..4 {
            fs::write(&program, format!("program {i}")).unwrap();
            builds.keep(&key(i), &program).unwrap();
            let of_key = |(_, name): &(PathBuf, String)| name.starts_with(key(i).as_str());
            let (path, _) = builds.entries().find(of_key).unwrap();
            let age = SystemTime::now() - Duration::from_secs(1_000 - i);
            File::open(path).unwrap().set_modified(age).unwrap();
        }
        fs::write(builds.folder().join("notes"), "mine").unwrap();
        // The first is used, and so the second is the oldest.
        assert!(builds.copy_to(&key(0), &program).unwrap());
        assert_eq!(fs::read_to_string(&program).unwrap(), "program 0");
        builds.trim(3, u64::MAX);
        let there = |i: &u64| builds.entries().any(|(_, name)| name.starts_with(key(*i).as_str()));
        assert_eq!((0..4).filter(there).collect::<Vec<_>>(), [0, 2, 3]);
        builds.trim(3, 18);
        assert_eq!((0..4).filter(there).collect::<Vec<_>>(), [0, 3]);
        builds.trim(3, 0);
        assert_eq!((0..4).filter(there).collect::<Vec<_>>(), [0]);
        assert!(builds.folder().join("notes").is_file());
    }
}
