//! Memory that is to be had, so that a run that needs more is refused before it begins.

use anyhow::bail;
use std::fs;

/// Refuses what needs more memory than there is; `remedy` says what would need less. Where
/// the system does not say how much there is, nothing is refused.
///
/// # Errors
/// What it needs, and what there is.
pub fn check(what: &str, bytes: u64, remedy: &str) -> anyhow::Result<()> {
    check_against(what, bytes, available(), remedy)
}

fn check_against(
    what: &str,
    bytes: u64,
    available: Option<u64>,
    remedy: &str,
) -> anyhow::Result<()> {
    match available {
        Some(available) if bytes > available => {
            let (need, have) = (gigabytes(bytes), gigabytes(available));
            bail!("{what} takes about {need} of memory, and {have} are to be had; {remedy}")
        }
        _ => Ok(()),
    }
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// Memory that Linux can give without swapping, or what is left of a container's limit if less.
fn available() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let system = line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024;
    let number = |name: &str| {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let container = number("memory.max").zip(number("memory.current"));
    let left = container.map_or(u64::MAX, |(most, now)| most.saturating_sub(now));
    Some(system.min(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_with_both_figures() {
        let check = |bytes, available| check_against("this", bytes, available, "use less");
        assert!(check(5, Some(5)).is_ok() && check(u64::MAX, None).is_ok());
        let error = check(3_700_000_000, Some(2_100_000_000)).unwrap_err().to_string();
        let expected = "this takes about 3.7 GB of memory, and 2.1 GB are to be had; use less";
        assert_eq!(error, expected);
    }
}
