//! The file of a waveform that rust-hdl writes. rust-hdl panics where a write fails; here the first failure is kept
//! for later, and what follows it goes nowhere.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A writer that never fails.
#[derive(Debug)]
pub struct UnfailingFile {
    file: BufWriter<File>,
    outcome: Outcome,
}

/// Whether all was written.
#[derive(Clone, Debug, Default)]
pub struct Outcome(Arc<Mutex<Option<io::Error>>>);

impl Outcome {
    /// The first failure.
    pub fn check(self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn keep(&self, result: io::Result<()>) {
        if let Err(error) = result {
            let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
        }
    }

    fn failed(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl UnfailingFile {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> io::Result<(Self, Outcome)> {
        let (file, outcome) = (BufWriter::new(File::create(path)?), Outcome::default());
        Ok((Self { file, outcome: outcome.clone() }, outcome))
    }
}

impl Write for UnfailingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.outcome.failed() {
            let result = self.file.write_all(bytes);
            self.outcome.keep(result);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.outcome.failed() {
            let result = self.file.flush();
            self.outcome.keep(result);
        }
        Ok(())
    }
}

impl Drop for UnfailingFile {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_kept_for_later() {
        // The device that is always full; not every system has it.
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let (mut file, outcome) = UnfailingFile::create(full).unwrap();
        for _ in 0..100 {
            assert_eq!(file.write(&[0; 1000]).unwrap(), 1000);
        }
        drop(file);
        assert!(outcome.check().is_err());
    }
}
