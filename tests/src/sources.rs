//! A set of Verilog files with its top module.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of one design, in the order in which tools should read them.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Absolute paths.
    pub files: Vec<PathBuf>,
    /// The module at the top.
    pub top: String,
}

impl Sources {
    /// The files that `<folder>/<top>.f` lists, one a line, relative to the folder.
    /// Blank lines and `//` or `#` comments are passed over; options (`+incdir+`,
    /// `-y`) are refused, for not every tool reads them alike.
    pub fn from_list(folder: impl AsRef<Path>, top: &str) -> io::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        let list = folder.join(format!("{top}.f"));
        let mut files = Vec::new();
        for line in fs::read_to_string(&list)?.lines().map(str::trim) {
            if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            if line.starts_with(['+', '-']) {
                let message = format!("{}: `{line}` is not a file", list.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            files.push(folder.join(line));
        }
        Ok(Sources { files, top: top.to_owned() })
    }

    /// Every `.v` file of a folder, by name.
    pub fn all_in(folder: impl AsRef<Path>, top: &str) -> io::Result<Self> {
        let mut files = Vec::new();
        for entry in fs::read_dir(fs::canonicalize(folder)?)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "v") {
                files.push(path);
            }
        }
        files.sort();
        Ok(Sources { files, top: top.to_owned() })
    }

    /// The folder of the last file, the testbench where there is one: it reads what stands beside it.
    pub fn home(&self) -> &Path {
        self.files.last().and_then(|file| file.parent()).unwrap_or(Path::new("."))
    }

    /// Sources of these files and one more, under another top: a testbench around a design.
    pub fn with(&self, file: impl AsRef<Path>, top: &str) -> io::Result<Self> {
        let mut files = self.files.clone();
        files.push(fs::canonicalize(file)?);
        Ok(Sources { files, top: top.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("top.f"), "// files\nb.v\n\n# more\nsub/a.v\n").unwrap();
        let sources = Sources::from_list(folder.path(), "top").unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        assert_eq!(sources.files, [root.join("b.v"), root.join("sub/a.v")]);
    }

    #[test]
    fn a_list_with_an_option_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("top.f"), "+incdir+x\n").unwrap();
        let error = Sources::from_list(folder.path(), "top").unwrap_err();
        assert!(error.to_string().ends_with("top.f: `+incdir+x` is not a file"), "{error}");
    }

    #[test]
    fn a_folder_gives_its_verilog_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.v", "a.v", "a.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let sources = Sources::all_in(folder.path(), "a").unwrap();
        let names: Vec<_> = sources.files.iter().map(|file| file.file_name().unwrap()).collect();
        assert_eq!(names, ["a.v", "b.v"]);
    }
}
