//! A file that an option names, such as `--svg` or `--save`. One rule holds for all of them: a
//! file that is there is replaced where Turnpike wrote it and nobody changed it since, and
//! otherwise with `--force` alone.

use crate::written;
use anyhow::{Context, bail};
use clap::{ArgAction, Args};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::{fs, io};
use turnpike_base::staging::Staging;

/// The option that goes with every option that names a file to write.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ForceOption {
    /// Replace a file even where turnpike did not write it or somebody has edited it
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub force: bool,
}

/// End of a path, whatever else leads there, whether or not there is a file.
pub fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let in_folder = || {
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// A file to come, written whole or not at all; its place is made sure of before the work.
#[derive(Debug)]
pub struct Destination {
    /// Path as the user names it.
    shown: PathBuf,
    /// The file itself, behind any link.
    path: PathBuf,
    force: bool,
    /// On the same file system.
    staging: Rc<Staging>,
    unfinished: PathBuf,
}

impl Destination {
    /// Makes sure of its place. `example` is a name that it might have.
    ///
    /// # Errors
    /// A folder that is not there, a path that is no regular file, a file that is not to be
    /// replaced.
    pub fn new(path: &Path, example: &str, force: ForceOption) -> anyhow::Result<Self> {
        Self::in_staging(path, example, force, None)
    }

    /// Destination of one more file, in the same folder.
    ///
    /// # Errors
    /// As [`Destination::new`].
    pub fn beside(&self, path: &Path, example: &str) -> anyhow::Result<Self> {
        let force = ForceOption { force: self.force };
        Self::in_staging(path, example, force, Some(self))
    }

    fn in_staging(
        path: &Path,
        example: &str,
        force: ForceOption,
        other: Option<&Self>,
    ) -> anyhow::Result<Self> {
        let shown = path.display();
        // A link is followed: what it names is what is to be written.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match fs::symlink_metadata(&target) {
            Ok(there) if there.is_dir() => {
                bail!("cannot write {shown}: it is a folder; name a file, such as {example}")
            }
            Ok(there) if !there.is_file() => {
                bail!("cannot write {shown}: it is no regular file; name one, such as {example}")
            }
            _ => {}
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            bail!("cannot write {shown}: there is no folder {}", folder.display());
        }
        let Some(name) = target.file_name() else {
            bail!("cannot write {shown}: it is a folder; name a file, such as {example}")
        };
        let cannot = |error: io::Error| anyhow::anyhow!("cannot write {shown}: {}", error.kind());
        let staging = match other.filter(|other| other.path.parent() == target.parent()) {
            Some(other) => Rc::clone(&other.staging),
            None => Rc::new(Staging::within(folder).map_err(cannot)?),
        };
        let unfinished = staging.path().join(name);
        let path = path.to_owned();
        let this = Self { shown: path, path: target, force: force.force, staging, unfinished };
        this.check()?;
        Ok(this)
    }

    /// Refuses to replace what the user may want to keep.
    fn check(&self) -> anyhow::Result<()> {
        let shown = self.shown.display();
        if self.force || !self.path.exists() {
            return Ok(());
        }
        match written::is_unchanged(&self.path).with_context(|| format!("cannot read {shown}"))? {
            Some(true) => Ok(()),
            Some(false) => bail!(
                "{shown} was edited since turnpike wrote it; save it elsewhere, or replace it \
                 with --force"
            ),
            None => bail!(
                "{shown} is there, and turnpike did not write it; name another file, or replace it \
                 with --force"
            ),
        }
    }

    /// Path as the user names it.
    pub fn shown(&self) -> &Path {
        &self.shown
    }

    /// Path at which the file is written before it is whole: no file is there yet.
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Puts what was written to [`Destination::unfinished`] in place.
    ///
    /// # Errors
    /// What the system says; a file that has come there since, and is not to be replaced.
    pub fn keep(self) -> anyhow::Result<()> {
        self.check()?;
        let wrong = || format!("cannot write {}", self.shown.display());
        let digest = written::digest(&self.unfinished).with_context(wrong)?;
        fs::rename(&self.unfinished, &self.path).with_context(wrong)?;
        // Where it cannot be remembered, `--force` is asked for next time.
        let _ = written::remember(&self.path, &digest);
        Ok(())
    }

    /// Keeps what was written to another file, which may be gone then.
    ///
    /// # Errors
    /// As [`Destination::keep`].
    pub fn keep_from(self, other: &Path) -> anyhow::Result<()> {
        if other != self.unfinished {
            let wrong = || format!("cannot write {}", self.shown.display());
            // A link may lead to another file system.
            let moved = fs::rename(other, &self.unfinished);
            moved.or_else(|_| fs::copy(other, &self.unfinished).map(drop)).with_context(wrong)?;
        }
        self.keep()
    }

    /// Takes away what an earlier run left there, if anything: it would pass for this one's.
    ///
    /// # Errors
    /// As [`Destination::keep`].
    pub fn discard(self) -> anyhow::Result<()> {
        self.check()?;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.with_context(|| format!("cannot remove {}", self.shown.display())),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// As [`Destination::keep`].
    pub fn write(self, text: &str) -> anyhow::Result<()> {
        let wrong = || format!("cannot write {}", self.shown.display());
        fs::write(&self.unfinished, text).with_context(wrong)?;
        self.keep()
    }
}
