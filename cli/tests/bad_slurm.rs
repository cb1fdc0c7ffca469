//! Bad input of `sweep --slurm`, `--merge` and `--task`: exit code 2, one line that says what would be
//! right, and nothing that was there is lost.

use crate::common::slurm::{SWEEP, done, kept, task, written};
use crate::common::{refused, refused_in, run_in, run_with, small_disk, tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// As many runs to a task as make 100 tasks, and never more than Slurm takes.
#[test]
fn tasks_are_not_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let line = "sweep hypercube --dim 2 --load 0.0005..=1:0.0005 --seeds 1 --cycles 100";
    let said = done(&run_in(folder.path(), &format!("{line} --slurm d")));
    assert!(said.contains("2000 runs in 100 tasks of up to 20"), "{said}");
    let many = format!("{line} --slurm e --runs-per-task 1");
    let expected = ["2000 tasks", "up to 1000", "--runs-per-task 2 or more"];
    refused_in(folder.path(), &[(&many, &expected)]);
}

/// The same sweep may be written again, with other tasks; what else is there is kept.
#[test]
fn what_is_there_is_kept() {
    let folder = written("");
    let at = folder.path();
    task(at, 1);
    fs::create_dir(at.join("mine")).unwrap();
    fs::write(at.join("mine/notes.txt"), "mine\n").unwrap();
    done(&run_in(at, "generate hypercube --dim 2 --out fabric"));
    let other = format!("{SWEEP} --depth 8 --slurm");
    let cases: &[(String, &[&str])] = &[
        (format!("{other} d"), &["d holds another sweep (turnpike sweep ", "--force", "runs that"]),
        (format!("{SWEEP} --slurm mine"), &["mine is there, and holds no sweep for Slurm"]),
        (format!("{SWEEP} --slurm mine --force"), &["mine is there, and holds no sweep"]),
        (format!("{SWEEP} --slurm fabric"), &["fabric is there, and holds no sweep"]),
        (
            format!("{SWEEP} --slurm mine/notes.txt"),
            &["mine/notes.txt is a file; name a folder with --slurm"],
        ),
        (format!("{SWEEP} --slurm mine/notes.txt/x"), &["cannot write"]),
    ];
    for (line, expected) in cases {
        refused_in(at, &[(line, expected)]);
    }
    fs::remove_dir_all(at.join("d/reports")).unwrap();
    fs::write(at.join("d/reports"), "mine").unwrap();
    let expected = ["d/reports was not written by turnpike", "another folder with --slurm"];
    refused_in(at, &[(&format!("{SWEEP} --slurm d"), &expected)]);
    fs::remove_file(at.join("d/reports")).unwrap();
    let runs = kept(at);
    done(&run_in(at, &format!("{SWEEP} --slurm d --runs-per-task 12")));
    assert_eq!(run_in(at, "sweep --merge d --missing").stdout, "1-2\n");
    assert_eq!(task(at, 1), "task 1 of 2: 7 runs done, 5 were there\n");
    assert!(runs.iter().all(|run| run.is_file()));

    let script = at.join("d/tasks.sbatch");
    let edited = fs::read_to_string(&script).unwrap() + "# module load turnpike\n";
    fs::write(&script, &edited).unwrap();
    let again = format!("{SWEEP} --slurm d");
    refused_in(at, &[(&again, &["tasks.sbatch was edited", "--force"])]);
    done(&run_in(at, &format!("{again} --force")));
    assert!(fs::read_to_string(&script).unwrap() != edited);
    done(&run_in(at, &format!("{other} d --force")));
    assert_eq!(task(at, 1), "task 1 of 24: 1 runs done, 0 were there\n");
    assert!(runs.iter().all(|run| run.is_file()));
}

#[test]
fn folders_that_are_not_what_they_should_be() {
    let folder = written("");
    let at = folder.path();
    fs::create_dir(at.join("empty")).unwrap();
    let both = |folder: &str| [format!("--merge {folder}"), format!("--slurm {folder} --task 1")];
    let check = |folder: &str, expected: &[&str]| {
        both(folder).iter().for_each(|options| {
            refused_in(at, &[(&format!("sweep {options}"), expected)]);
        });
    };
    check("empty", &["empty holds no sweep for Slurm", "no sweep.json", "--slurm empty"]);
    check("none", &["none holds no sweep for Slurm"]);
    refused_in(
        at,
        &[
            ("sweep --slurm d --task 6", &["--task 6", "tasks 1 to 5"]),
            ("sweep --slurm d --task 0", &["'0'", "from 1"]),
        ],
    );
    let path = at.join("d/sweep.json");
    let whole = fs::read_to_string(&path).unwrap();
    let change = |from: &str, to: &str| {
        let changed = whole.replacen(from, to, 1);
        assert!(changed != whole, "{from}");
        fs::write(&path, changed).unwrap();
    };
    change("\"version\": \"0.", "\"version\": \"9.");
    check("d", &["d/sweep.json is of another version (9.", "not 0."]);
    refused_in(at, &[(&format!("{SWEEP} --slurm d"), &["another version", "--force"])]);
    change("\"400\"", "\"401\"");
    check("d", &["the sweep in d is another than was written there", "sweep.json"]);
    change("\"ecube,rotation\"", "\"ecube,rotaton\"");
    check("d", &["the sweep in d", "did you mean 'rotation'?"]);
    change("\"sweep\"", "\"swep\"");
    check("d", &["d/sweep.json", "'swep'"]);
    change("\"sweep\"", "\"analyze\"");
    check("d", &["d/sweep.json", "unknown option '--traffic'"]);
    change("\"turnpike\",\n    \"sweep\",\n    \"hypercube\"", "\"turnpike\", \"list\", \"x\"");
    check("d", &["d/sweep.json", "'x'"]);
    for damaged in ["", "{", "[]", &whole[..whole.len() / 2], &whole.replace("folder", "holder")] {
        fs::write(&path, damaged).unwrap();
        check("d", &["d/sweep.json:", "is damaged", "--force"]);
    }
    done(&run_in(at, &format!("{SWEEP} --slurm d --force --runs-per-task 24")));
    task(at, 1);

    // A list of tasks is for people: it is named, and the report is right.
    let path = at.join("d/tasks.csv");
    let (list, here) = (fs::read_to_string(&path).unwrap(), done(&run_in(at, SWEEP)));
    let merged = |note: &str| {
        let merge = run_in(at, "sweep --merge d");
        assert_eq!(
            merge.stderr,
            format!("note: d/tasks.csv{note}; the runs are those of the sweep\n")
        );
        assert_eq!((merge.code, &merge.stdout), (0, &here));
    };
    for (changed, line) in [
        (list.replacen("rotation", "rotatoin", 1), 2),
        (list[..list.len() - 9].to_owned(), 2),
        (list.clone() + "2,5\n", 3),
        (String::new(), 1),
    ] {
        fs::write(&path, changed).unwrap();
        merged(&format!(":{line} is damaged"));
    }
    fs::remove_file(&path).unwrap();
    merged(" is missing");
    fs::create_dir(&path).unwrap();
    merged(" is missing");
}

/// What stands where something else should is named, with what to do.
#[test]
fn one_thing_in_the_place_of_another() {
    let folder = written("");
    let at = folder.path();
    task(at, 1);
    // The first run of task 1 is a folder.
    let runs = at.join("d/runs");
    let of_task = |entry: &PathBuf| entry.to_str().unwrap().contains("ecube_uniform_0.2_1_");
    let run =
        fs::read_dir(&runs).unwrap().map(|entry| entry.unwrap().path()).find(of_task).unwrap();
    fs::remove_file(&run).unwrap();
    fs::create_dir(&run).unwrap();
    let again = run_in(at, "sweep --slurm d --task 1");
    let name = run.file_name().unwrap().to_str().unwrap();
    let error = format!("error: d/runs/{name} is a folder, where a run is to be kept; remove it\n");
    assert!(again.code == 2 && again.stderr.ends_with(&error), "{}", again.stderr);
    fs::remove_dir(&run).unwrap();
    assert_eq!(task(at, 1), "task 1 of 5: 1 runs done, 4 were there\n");
    for name in ["unfinished", "runs"] {
        let path = at.join("d").join(name);
        fs::remove_dir_all(&path).unwrap();
        fs::write(&path, "mine").unwrap();
        let expected = [&*format!("d/{name} is no folder; move it away")];
        refused_in(at, &[("sweep --merge d", &expected), ("sweep --slurm d --task 1", &expected)]);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
    }
}

#[test]
fn options_that_do_not_go_together() {
    let folder = written("");
    refused_in(
        folder.path(),
        &[
            ("sweep", &["no topology is given", "`turnpike list`"]),
            ("sweep --slurm e", &["no topology is given", "`turnpike list`"]),
            ("sweep --task 1", &["--task does nothing in `sweep without --slurm`"]),
            ("sweep --missing", &["add --merge DIR, or leave --missing out"]),
            ("sweep hypercube --merge d", &["TOPOLOGY", "--merge"]),
            ("sweep --merge d --load 0.3", &["--merge", "--load"]),
            ("sweep --merge d --out runs", &["--merge", "--out"]),
            ("sweep --merge d --slurm e", &["--merge", "--slurm"]),
            ("sweep --merge d --missing --format csv", &["--missing", "--format"]),
            ("sweep hypercube --slurm d --task 1", &["TOPOLOGY", "--task"]),
            ("sweep --slurm d --task 1 --seeds 2", &["--task", "--seeds"]),
            (&format!("{SWEEP} --slurm e --out runs"), &["--slurm", "--out"]),
            (&format!("{SWEEP} --slurm e --html x.html"), &["--slurm", "--html"]),
            (&format!("{SWEEP} --slurm e --format csv"), &["--slurm", "--format"]),
            (&format!("{SWEEP} --throttle 3"), &["add --slurm DIR, or leave --throttle out"]),
            (
                &format!("{SWEEP} --runs-per-task 3"),
                &["add --slurm DIR, or leave --runs-per-task out"],
            ),
            (&format!("{SWEEP} --sbatch=--time=1"), &["add --slurm DIR, or leave --sbatch out"]),
            (&format!("{SWEEP} --slurm e --runs-per-task 0"), &["'0'", "from 1"]),
            (&format!("{SWEEP} --slurm e --throttle -1"), &["'-1'", "from 1"]),
            (&format!("{SWEEP} --slurm e --sbatch time=1"), &["'time=1'", "--time=2:00:00"]),
            (&format!("{SWEEP} --slurm e --sbatch --array=1-3"), &["leave --array out"]),
            (&format!("{SWEEP} --slurm e --sbatch -d1"), &["leave -d1 out"]),
            (&format!("{SWEEP} --slurm e --sbatch=--comment=it's"), &["it's", "quotes"]),
            (&format!("{SWEEP} --slurm e --sbatch=--comment=a#b"), &["a#b", "#"]),
            (
                "sweep hypercube --dim 3 --load 0.0001..=1:0.0001 --seeds 100 --slurm e",
                &["1000000 runs", "at most 100000"],
            ),
        ],
    );
}

#[test]
fn a_full_disk_leaves_nothing() {
    let Some(disk) = small_disk(4) else { return };
    let line = format!("{SWEEP} --slurm d");
    let before = tree(disk.path());
    refused(&run_in(disk.path(), &line), &line, &["cannot write"]);
    assert!(tree(disk.path()) == before);
}

/// The folder is written wherever it is; submitting wants Slurm, and says so.
#[test]
fn without_slurm() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("bin")).unwrap();
    for name in ["dirname", "sh"] {
        let program = ["/usr/bin", "/bin"].map(|f| Path::new(f).join(name));
        let program = program.iter().find(|path| path.is_file()).unwrap();
        std::os::unix::fs::symlink(program, at.join("bin").join(name)).unwrap();
    }
    let path = at.join("bin").into_os_string().into_string().unwrap();
    done(&run_with(at, &format!("{SWEEP} --slurm d"), &[("PATH", &path)]));
    let submit = || {
        let mut command = Command::new("/bin/sh");
        let output =
            command.arg("d/submit.sh").env("PATH", &path).current_dir(at).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = submit();
    assert!(said.starts_with("error: there is no sbatch on the path"), "{said}");
    assert!(said.ends_with("turnpike sweep --slurm d --task N\n"), "{said}");
    std::os::unix::fs::symlink("sh", at.join("bin/sbatch")).unwrap();
    assert_eq!(
        submit(),
        "error: there is no 'turnpike' on the path; set TURNPIKE to where it is\n"
    );
}
