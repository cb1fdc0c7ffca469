//! The file of a waveform. rust-hdl panics where a write fails; here the first failure is kept
//! for later, and what follows it goes nowhere.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A writer that never fails.
#[derive(Debug)]
pub(super) struct Waveform {
    file: BufWriter<File>,
    outcome: Outcome,
}

/// Whether all was written.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome(Arc<Mutex<Option<io::Error>>>);

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

impl Waveform {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> io::Result<(Self, Outcome)> {
        let (file, outcome) = (BufWriter::new(File::create(path)?), Outcome::default());
        Ok((Self { file, outcome: outcome.clone() }, outcome))
    }
}

impl Write for Waveform {
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

impl Drop for Waveform {
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
        let (mut waveform, outcome) = Waveform::create(full).unwrap();
        for _ in 0..100 {
            assert_eq!(waveform.write(&[0; 1000]).unwrap(), 1000);
        }
        drop(waveform);
        assert!(outcome.check().is_err());
    }
}
