//! Python, for scripts of the documentation.

use std::path::{Path, PathBuf};

use crate::tools::{Tool, on_path};

/// The `python3` on `PATH`.
#[derive(Clone, Debug)]
pub struct Python(PathBuf);

impl Tool for Python {
    const NAME: &'static str = "Python";

    fn locate() -> Option<Self> {
        on_path("python3").map(Self)
    }
}

impl Python {
    /// Path of the interpreter.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
