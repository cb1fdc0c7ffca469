//! A file that an option names, such as `--svg` or `--save`.

use anyhow::{Context, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file to come, written whole or not at all; its place is made sure of before the work.
pub struct Destination {
    path: PathBuf,
    file: tempfile::NamedTempFile,
}

impl Destination {
    /// Makes sure of its place. `example` is a name that it might have.
    ///
    /// # Errors
    /// A folder that is not there, a path that is no regular file.
    pub fn new(path: &Path, example: &str) -> anyhow::Result<Self> {
        let shown = path.display();
        // A link is followed: what it names is what is to be written.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match std::fs::symlink_metadata(&path) {
            Ok(there) if there.is_dir() => {
                bail!("cannot write {shown}: it is a folder; name a file, such as {example}")
            }
            Ok(there) if !there.is_file() => {
                bail!("cannot write {shown}: it is no regular file; name one, such as {example}")
            }
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            bail!("cannot write {shown}: there is no folder {}", folder.display());
        }
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder
            .tempfile_in(folder)
            .map_err(|error| anyhow::anyhow!("cannot write {shown}: {}", error.kind()))?;
        Ok(Self { path, file })
    }

    /// Writes it.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(mut self, text: &str) -> anyhow::Result<()> {
        self.file.write_all(text.as_bytes())?;
        let kept = self.file.persist(&self.path).map_err(|error| error.error);
        kept.with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(())
    }
}
