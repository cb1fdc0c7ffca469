//! FlooGen, which writes FlooNoC networks.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, LIMIT};
use crate::tools::{Tool, package};

/// An installed FlooGen.
#[derive(Clone, Debug)]
pub struct Floogen {
    python: PathBuf,
    folder: PathBuf,
}

impl Tool for Floogen {
    const NAME: &'static str = "FlooGen";

    fn locate() -> Option<Self> {
        let package = package("floogen")?;
        Some(Floogen { python: package.python, folder: package.folder })
    }
}

impl Floogen {
    /// The configurations that come with it.
    ///
    /// # Panics
    /// Where its folder cannot be read.
    pub fn examples(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.join("examples")).expect("its examples");
        let paths = entries.map(|entry| entry.expect("an example").path());
        let mut all: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|ending| ending == "yml")).collect();
        all.sort();
        all
    }

    /// The top module and the package of a configuration, written into a folder.
    ///
    /// # Panics
    /// Where it fails.
    pub fn rtl(&self, configuration: &Path, into: &Path) -> [PathBuf; 2] {
        let mut command = Command::new(&self.python);
        command.args(["-c", "import sys; from floogen.cli import main; sys.exit(main())", "rtl"]);
        command.arg("-c").arg(configuration).arg("-o").arg(into).arg("--no-format");
        let finished = process::run(&mut command, LIMIT);
        assert!(finished.success(), "{}: {finished:?}", configuration.display());
        let mut files: Vec<PathBuf> = std::fs::read_dir(into)
            .expect("what it wrote")
            .map(|entry| entry.expect("a file").path())
            .collect();
        files.sort();
        <[PathBuf; 2]>::try_from(files).expect("a top module and a package")
    }
}
