//! Several jobs at once, as many as there are cores.

use std::env;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Number of jobs that run at once: as many as there are cores for this process. In a job of Slurm
/// they are no more than it was given, also where Slurm does not hold it to them.
pub fn workers() -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    within(cores, given().as_deref())
}

/// Number of cores that Slurm gave, in a job of it.
fn given() -> Option<String> {
    ["SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"].iter().find_map(|name| env::var(name).ok())
}

/// The cores, or what Slurm says where that is fewer.
fn within(cores: usize, given: Option<&str>) -> usize {
    let given = given.and_then(|text| text.parse().ok()).filter(|&given| given > 0);
    given.map_or(cores, |given: usize| given.min(cores))
}

/// Holds the threads of one simulation ([`rayon`]'s) to as many as jobs may be, in a job of Slurm. Elsewhere rayon
/// finds the cores itself, when it first has work for them, or takes `RAYON_NUM_THREADS`.
pub fn hold_threads() {
    if given().is_some() && env::var_os("RAYON_NUM_THREADS").is_none() {
        // Fails where there are threads already: then someone else has said how many.
        rayon::ThreadPoolBuilder::new().num_threads(workers()).build_global().ok();
    }
}

/// Runs `work` on every item, on as many threads as there are cores, and gives the results in
/// the order of the items.
///
/// # Errors
/// That of the first item in order that failed. After a failure no other item is begun.
pub fn run<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    run_on(workers(), items, work)
}

fn run_on<T: Sync, R: Send, E: Send>(
    workers: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Vec<Mutex<Option<Result<R, E>>>> =
        items.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..workers.min(items.len()) {
            scope.spawn(|| {
                while !failed.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(item);
                    failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    *results[at].lock().expect("a result is stored whole") = Some(result);
                }
            });
        }
    });
    // Those after a failure are missing; those before it are all there.
    let done = results.into_iter().map_while(|r| r.into_inner().expect("the workers are done"));
    done.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn results_are_in_order() {
        let items: Vec<u64> = (0..100).collect();
        for workers in [1, 3, 200] {
            let squares = run_on(workers, &items, |n| Ok::<_, ()>(n * n)).unwrap();
            assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
        }
        assert_eq!(run(&[], |n: &u64| Err::<(), _>(*n)), Ok(vec![]));
    }

    /// Simulations keep to the threads that Slurm gave. The test is a process of its own, for
    /// threads are held once and for all.
    #[test]
    fn slurm_holds_the_threads_of_a_simulation() {
        const CHILD: &str = "TURNPIKE_TEST_HELD";
        if env::var_os(CHILD).is_some() {
            hold_threads();
            assert_eq!(rayon::current_num_threads(), 1);
            return;
        }
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "jobs::tests::slurm_holds_the_threads_of_a_simulation"]);
        child.env_remove("RAYON_NUM_THREADS").env("SLURM_CPUS_PER_TASK", "1").env(CHILD, "1");
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }

    #[test]
    fn slurm_gives_no_more_cores_than_there_are() {
        for (given, workers) in
            [(None, 8), (Some("3"), 3), (Some("64"), 8), (Some("0"), 8), (Some("2(x3)"), 8)]
        {
            assert_eq!(within(8, given), workers, "{given:?}");
        }
    }

    #[test]
    fn nothing_begins_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let items: Vec<u64> = (0..100).collect();
        let result = run_on(2, &items, |&n| {
            begun.fetch_add(1, Ordering::Relaxed);
            if n == 3 { Err(n) } else { Ok(()) }
        });
        assert_eq!(result, Err(3));
        assert!(begun.load(Ordering::Relaxed) < 100);
    }
}
