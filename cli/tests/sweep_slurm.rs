//! `sweep --slurm` and `--merge` without a Slurm: tasks are run one by one, and a stand-in takes what the
//! scripts submit. `slurm.rs` has the real one, `bad_slurm.rs` what is refused.

use crate::common;

use crate::common::slurm::{SWEEP, done, kept, task, written};
use crate::common::{refused_in, run_in, tree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Tasks in any order and as often as one likes: the report and the page are those of the sweep at one
/// go, in every format.
#[test]
fn a_merge_is_the_sweep_itself() {
    let folder = written("");
    let at = folder.path();
    for number in [4, 1, 5, 3, 2] {
        let runs = if number == 5 { 4 } else { 5 };
        assert_eq!(
            task(at, number),
            format!("task {number} of 5: {runs} runs done, 0 were there\n")
        );
    }
    assert_eq!(task(at, 2), "task 2 of 5: 0 runs done, 5 were there\n");
    assert_eq!(done(&run_in(at, "sweep --merge d --missing")), "");
    for format in ["text", "csv", "json"] {
        let here = done(&run_in(at, &format!("{SWEEP} --format {format} --html here.html")));
        let merge = format!("sweep --merge d --format {format} --html merged.html");
        assert_eq!(done(&run_in(at, &merge)), here);
        let page = |name| fs::read_to_string(at.join(name)).unwrap();
        assert!(page("here.html") == page("merged.html"), "{format}");
    }
    assert_eq!(fs::read_dir(at.join("d/unfinished")).unwrap().count(), 0);
}

/// The bisection is run by the merge, once.
#[test]
fn a_merge_finds_saturation() {
    let folder = written("--saturation");
    let at = folder.path();
    (1..=5).for_each(|number| drop(task(at, number)));
    let here = done(&run_in(at, &format!("{SWEEP} --saturation --format json")));
    assert_eq!(done(&run_in(at, "sweep --merge d --format json")), here);
    let runs = kept(at);
    assert!(runs.len() > 24, "{}", runs.len());
    assert_eq!(done(&run_in(at, "sweep --merge d --format json")), here);
    assert_eq!(kept(at), runs);
}

/// The list of tasks says what each runs, and the folder is the same bytes wherever it is written.
#[test]
fn the_folder_says_what_it_is() {
    let options = "--throttle 2 --sbatch=--time=1:00 --sbatch --mem=1G";
    let (folder, other) = (written(options), written(options));
    let files = |folder: &TempDir| -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let base = folder.path().join("d");
        let relative =
            |(path, file): (PathBuf, _)| (path.strip_prefix(&base).unwrap().into(), file);
        tree(&base).into_iter().map(relative).collect()
    };
    assert!(files(&folder) == files(&other));
    let read = |name: &str| fs::read_to_string(folder.path().join("d").join(name)).unwrap();
    let tasks = common::rows(&read("tasks.csv"));
    let numbers: Vec<&str> = tasks.iter().map(|row| row["task"].as_str()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5"]);
    assert_eq!(tasks.iter().map(|row| row["runs"].parse::<u32>().unwrap()).sum::<u32>(), 24);
    let run = |row: &BTreeMap<String, String>, end: &str| {
        ["routing", "traffic", "load", "seed"].map(|key| row[&format!("{end}_{key}")].clone())
    };
    assert_eq!(run(&tasks[0], "first"), ["ecube", "uniform", "0.2", "1"]);
    assert_eq!(run(&tasks[1], "last"), ["ecube", "transpose", "0.6", "1"]);
    assert_eq!(run(&tasks[4], "last"), ["rotation", "transpose", "0.6", "3"]);
    // What task 2 keeps is what its row says.
    task(folder.path(), 2);
    let found: Vec<String> = kept(folder.path())
        .iter()
        .map(|path| {
            path.file_name().unwrap().to_str().unwrap().rsplit_once('_').unwrap().0.to_owned()
        })
        .collect();
    let wanted = [
        "ecube_transpose_0.2_1",
        "ecube_transpose_0.2_2",
        "ecube_transpose_0.2_3",
        "ecube_transpose_0.6_1",
        "ecube_uniform_0.6_3",
    ];
    assert_eq!(found, wanted);
    let configuration = read("sweep.json");
    let configuration: serde_json::Value = serde_json::from_str(&configuration).unwrap();
    assert_eq!(configuration["digest"].as_str().unwrap().len(), 64);
    assert!(configuration["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")));
    for name in ["tasks.sbatch", "merge.sbatch", "submit.sh"] {
        let text = read(name);
        assert!(text.starts_with("#!/bin/sh\n") && text.ends_with('\n'), "{text}");
        assert!(text.contains("# Turnpike 0."), "{text}");
        assert!(text.contains(configuration["digest"].as_str().unwrap()), "{text}");
        let asks = ["#SBATCH --time=1:00\n", "#SBATCH --mem=1G\n"].map(|line| text.contains(line));
        assert_eq!(asks, [name != "submit.sh"; 2], "{text}");
    }
    assert!(read("tasks.sbatch").contains("#SBATCH --array=1-5%2\n"));
}

/// Missing runs, damaged ones, those of another version: named, with their tasks, and run again.
#[test]
fn what_is_missing_is_named_and_run_again() {
    let folder = written("");
    let at = folder.path();
    (1..=5).for_each(|number| drop(task(at, number)));
    let whole = done(&run_in(at, "sweep --merge d"));
    let of = |start: &str| {
        let named =
            |path: &&PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(start);
        kept(at).iter().find(named).unwrap().clone()
    };
    let [gone, cut, other] =
        ["ecube_uniform_0.2_2_", "ecube_transpose_0.6_3_", "rotation_uniform_0.2_1_"].map(of);
    fs::remove_file(&gone).unwrap();
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() / 2]).unwrap();
    let text = fs::read_to_string(&other).unwrap();
    let value = text.lines().nth(1).unwrap().replacen("\"version\":\"0.", "\"version\":\"9.", 1);
    fs::write(&other, format!("{}\n{value}\n", turnpike_flow::cache::digest(&value))).unwrap();

    let before = tree(at);
    let merge = run_in(at, "sweep --merge d");
    assert_eq!((merge.code, merge.stdout.as_str()), (2, ""));
    let lines: Vec<&str> = merge.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{}", merge.stderr);
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    for (path, why) in [(&cut, "is damaged"), (&other, "is of another version (9.")] {
        let note = lines[..2].iter().find(|line| line.contains(&name(path)));
        let note = note.unwrap_or_else(|| panic!("{} in {}", path.display(), merge.stderr));
        assert!(note.starts_with("note: d/runs/") && note.contains(why), "{note}");
        assert!(note.ends_with("it counts as missing"), "{note}");
    }
    for part in
        ["error: 3 of 24 runs are missing, of tasks 1,3 of 5", "ecube, uniform, load 0.2, seed 2"]
    {
        assert!(lines[2].contains(part), "{}", lines[2]);
    }
    assert!(lines[2].contains("by: sh d/submit.sh;"), "{}", lines[2]);
    assert!(tree(at) == before);
    assert_eq!(run_in(at, "sweep --merge d --missing").stdout, "1,3\n");

    assert_eq!(task(at, 1), "task 1 of 5: 1 runs done, 4 were there\n");
    let third = run_in(at, "sweep --slurm d --task 3");
    assert_eq!(third.stdout, "task 3 of 5: 2 runs done, 3 were there\n");
    assert_eq!(third.stderr.lines().filter(|line| line.ends_with("run again")).count(), 2);
    assert_eq!(done(&run_in(at, "sweep --merge d")), whole);
}

/// A configuration file may say all of it.
#[test]
fn a_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = "topology = \"hypercube\"\ndim = 3\nload = [0.2, 0.6]\nseeds = 2\ncycles = 200\n\
                slurm = \"d\"\nruns-per-task = 3\nthrottle = 1\nsbatch = \"--time=1\"\n";
    fs::write(at.join("mine.toml"), text).unwrap();
    let said = done(&run_in(at, "sweep --config mine.toml"));
    assert!(said.contains("4 runs in 2 tasks of up to 3"), "{said}");
    (1..=2).for_each(|number| drop(task(at, number)));
    let here = "sweep hypercube --dim 3 --load 0.2,0.6 --seeds 2 --cycles 200";
    assert_eq!(done(&run_in(at, "sweep --merge d")), done(&run_in(at, here)));
    assert_eq!(done(&run_in(at, "sweep --merge d --config mine.toml")), done(&run_in(at, here)));
}

/// Files are found from wherever a task is run, and one that has changed is another sweep.
#[test]
fn files_are_those_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("nets")).unwrap();
    done(&run_in(at, "export ring --nodes 4 --out nets/my.topology"));
    let text = "turnpike-relation 1\nname mine\ntopology hypercube\ndimension 2\nby difference\n\
                01 dim0\n10 dim1\n11 dim0\n";
    fs::write(at.join("nets/mine.relation"), text).unwrap();
    let networks = ["nets/my.topology", "hypercube --dim 2 --routing nets/mine.relation,ecube"];
    for (network, slurm) in networks.into_iter().zip(["d", "e"]) {
        let line = format!("sweep {network} --load 0.2 --seeds 2 --cycles 200");
        done(&run_in(at, &format!("{line} --slurm {slurm} --runs-per-task 100")));
        done(&run_in(&at.join(slurm), "sweep --slurm . --task 1"));
        let here = done(&run_in(at, &format!("{line} --html here.html")));
        let merge = "sweep --merge . --html ../merged.html";
        assert_eq!(done(&run_in(&at.join(slurm), merge)), here);
        let page = |name| fs::read_to_string(at.join(name)).unwrap();
        assert!(page("here.html") == page("merged.html"), "{network}");
    }
    fs::write(at.join("nets/mine.relation"), text.replace("11 dim0", "11 dim1")).unwrap();
    let expected = ["the sweep in e is another", "a file of topology or relation"];
    refused_in(at, &[("sweep --merge e", &expected)]);
    fs::remove_file(at.join("nets/mine.relation")).unwrap();
    refused_in(at, &[("sweep --merge e", &["the sweep in e", "mine.relation"])]);
}

/// `submit.sh`, with what is on the path.
fn submit(at: &Path, path: &Path, more: &[&str]) -> (i32, String, String) {
    let mut command = Command::new("/bin/sh");
    command.arg("d/submit.sh").args(more).current_dir(at);
    let paths = [path, Path::new("/usr/bin"), Path::new("/bin")];
    command.env("PATH", std::env::join_paths(paths).unwrap());
    command.env("TURNPIKE", env!("CARGO_BIN_EXE_turnpike"));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Tasks that miss runs, then a merge that waits for them; afterwards the merge alone.
#[test]
fn what_is_submitted_is_what_is_missing() {
    let folder = written("--throttle 2");
    let at = folder.path();
    let stand_in = at.join("sbatch");
    let script = "#!/bin/sh\necho \"$PWD $*\" >>../asked\necho '17;some_cluster'\n";
    fs::write(&stand_in, script).unwrap();
    // Nothing but a sweep elsewhere is in the queue.
    let queue = at.join("squeue");
    fs::write(&queue, "#!/bin/sh\necho '11 /else where'\n").unwrap();
    for script in [&stand_in, &queue] {
        assert!(Command::new("chmod").arg("+x").arg(script).status().unwrap().success());
    }
    let asked = || {
        let text = fs::read_to_string(at.join("asked")).unwrap();
        fs::remove_file(at.join("asked")).unwrap();
        let folder = format!("{} ", at.join("d").canonicalize().unwrap().display());
        text.lines().map(|line| line.replace(&folder, "")).collect::<Vec<_>>()
    };
    task(at, 2);
    let (code, said, wrong) = submit(at, at, &["--partition=short"]);
    assert_eq!((code, wrong.as_str()), (0, ""));
    assert_eq!(said, "tasks 1,3-5: job 17\nthe report, in reports/: job 17\n");
    let array = "--parsable --array=1,3-5%2 --partition=short tasks.sbatch";
    let merge = "--parsable --dependency=afterany:17 --partition=short merge.sbatch";
    assert_eq!(asked(), [array, merge]);
    [1, 3, 4, 5].into_iter().for_each(|number| drop(task(at, number)));
    let (code, said, _) = submit(at, at, &[]);
    assert_eq!((code, said.as_str()), (0, "no run is missing\nthe report, in reports/: job 17\n"));
    assert_eq!(asked(), ["--parsable merge.sbatch"]);
    // A merge job by hand, and a second time.
    for _ in 0..2 {
        let mut job = Command::new("/bin/sh");
        job.arg("merge.sbatch").current_dir(at.join("d"));
        assert!(job.env("TURNPIKE", env!("CARGO_BIN_EXE_turnpike")).status().unwrap().success());
    }
    for (format, name) in [("text", "sweep.txt"), ("csv", "sweep.csv"), ("json", "sweep.json")] {
        let wanted = done(&run_in(at, &format!("{SWEEP} --format {format}")));
        assert!(fs::read_to_string(at.join("d/reports").join(name)).unwrap() == wanted, "{name}");
    }
    assert_eq!(fs::read_dir(at.join("d/reports")).unwrap().count(), 3);
    // The unfinished report of another merge stays, whoever runs it; so do its runs.
    fs::write(at.join("d/reports/unfinished"), "theirs").unwrap();
    let theirs = at.join("d/unfinished/merge/.turnpike-theirs");
    fs::create_dir_all(&theirs).unwrap();
    fs::write(theirs.join("FUSESOC_IGNORE"), "").unwrap();
    let merges: Vec<_> = (0..4)
        .map(|_| {
            let mut job = Command::new("/bin/sh");
            job.arg("merge.sbatch").current_dir(at.join("d"));
            job.env("TURNPIKE", env!("CARGO_BIN_EXE_turnpike")).spawn().unwrap()
        })
        .collect();
    merges.into_iter().for_each(|mut merge| assert!(merge.wait().unwrap().success()));
    assert_eq!(fs::read_to_string(at.join("d/reports/unfinished")).unwrap(), "theirs");
    assert!(theirs.join("FUSESOC_IGNORE").is_file());
    fs::remove_file(at.join("d/reports/unfinished")).unwrap();
    assert_eq!(fs::read_dir(at.join("d/reports")).unwrap().count(), 3);
    assert_eq!(fs::read_dir(at.join("d/unfinished")).unwrap().count(), 1);
    // Tasks that are in the queue are not submitted twice.
    let place = at.join("d").canonicalize().unwrap();
    let text =
        format!("#!/bin/sh\nprintf '%s\\n' '12 {0}' '12 {0}' '11 /else where'\n", place.display());
    fs::write(&queue, text).unwrap();
    let (code, said, wrong) = submit(at, at, &[]);
    assert_eq!((code, said.as_str()), (2, ""));
    let error = "error: tasks of this sweep are in the queue, of job 12; submit again when they have ended, or end \
                 them: scancel 12\n";
    assert_eq!(wrong, error);
    fs::write(&queue, "#!/bin/sh\n").unwrap();
    // A Slurm that says no ends it.
    fs::write(&stand_in, "#!/bin/sh\necho 'no such partition' >&2\nexit 1\n").unwrap();
    let (code, said, wrong) = submit(at, at, &[]);
    assert_eq!((code, wrong.as_str()), (1, "no such partition\n"), "{said}");
}
