//! Which mutant is on: `MUTANT` is its number. With `MUTANTS_REACHED` the numbers of the mutants
//! whose code runs go to that file, one a line. Stands only in the copy that `make mutation`
//! makes.

use std::fs::File;
use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ON: LazyLock<Option<usize>> = LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());
static REACHED: LazyLock<Option<File>> = LazyLock::new(|| {
    let name = std::env::var_os("MUTANTS_REACHED")?;
    File::options().create(true).append(true).open(name).ok()
});
static SEEN: [AtomicBool; 8192] = [const { AtomicBool::new(false) }; 8192];

/// Whether mutant `number` is on.
pub fn on(number: usize) -> bool {
    if let Some(mut file) = REACHED.as_ref()
        && !SEEN[number].swap(true, Ordering::Relaxed)
    {
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
    *ON == Some(number)
}
