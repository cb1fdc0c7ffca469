//! The script that runs the README's commands: it runs them all, and a rotten one fails.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Writes a project with this README and runs the script on it.
fn run(readme: &str, options: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("README.md"), readme).unwrap();
    script(folder.path(), options)
}

fn script(folder: &Path, options: &[&str]) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/readme.py");
    let mut command = Command::new("python3");
    command.arg(script).args(options).arg("README.md").current_dir(folder);
    let Output { status, stdout, stderr } = command.output().expect("python3 is installed");
    (status.success(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

/// Python is no part of Rust: without it the script cannot be tested.
fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    let required = std::env::var_os("TURNPIKE_REQUIRE_TOOLS").is_some();
    assert!(found || !required, "python3 is missing and required");
    found
}

const README: &str = "\
# Title
```sh
echo first > file
# a comment
test -f README.md
```
text
```console
$ cat file
first
$ echo one \\
>   two
one two
```
```verilog
not a command
```
```sh no-run: needs a browser
false
```
";

#[test]
fn commands_run_in_order_in_one_copy() {
    if !python() {
        return;
    }
    let (passed, output) = run(README, &[]);
    assert!(passed, "{output}");
    assert!(output.contains("first\none two\n"), "{output}");
    assert!(output.contains("README.md:18: not run: no-run: needs a browser"), "{output}");
    assert!(output.ends_with("README.md: 2 blocks, 0 failures\n"), "{output}");
}

#[test]
fn what_was_run_already_is_not_run_again() {
    if !python() {
        return;
    }
    let readme = "```sh\nmake test\necho after\n```\n";
    let (passed, output) = run(readme, &["--already", "make test"]);
    assert!(passed && output.contains("\nafter\n"), "{output}");
}

#[test]
fn rotten_readmes_fail_and_say_where() {
    if !python() {
        return;
    }
    let cases = [
        ("\n```sh\nfalse\necho not reached\n```\n", "README.md:2: exit code 1"),
        ("```sh\necho $no_such_variable\n```\n", "README.md:1: exit code"),
        ("```sh\nsleep 60\n```\n", "README.md:1: stopped after 1 s"),
        ("```sh no-run\nfalse\n```\n", "gives no reason"),
        ("```console\nno prompt\n```\n", "without a command"),
        ("```sh\ntrue\n", "line 1: the block is not closed"),
        ("text\n", "shows no command"),
    ];
    for (readme, message) in cases {
        let (passed, output) = run(readme, &["--seconds", "1"]);
        assert!(!passed && output.contains(message), "{readme}: {output}");
        assert!(!output.contains("\nnot reached"), "{output}");
    }
    let empty = tempfile::tempdir().unwrap();
    let (passed, output) = script(empty.path(), &[]);
    assert!(!passed && output.contains("there is no such file"), "{output}");
}

/// Commands that run in the project itself may add what git passes over, and nothing else.
#[test]
fn what_changes_the_project_itself_fails() {
    if !python() {
        return;
    }
    let here = |readme: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("README.md"), readme).unwrap();
        fs::write(folder.path().join(".gitignore"), "built\n").unwrap();
        for arguments in [&["init", "--quiet"][..], &["add", "."]] {
            let git = Command::new("git").args(arguments).current_dir(folder.path()).status();
            assert!(git.expect("git is installed").success());
        }
        let (passed, output) = script(folder.path(), &["--here"]);
        (passed, output, folder)
    };
    let (passed, output) = run("```sh\ntrue\n```\n", &["--here"]);
    assert!(passed && output.contains("not checked for changes"), "without git: {output}");
    let (passed, output, folder) = here("```sh\ntouch built\n```\n");
    assert!(passed && folder.path().join("built").is_file(), "{output}");
    for (command, line) in [("touch more", "?? more"), ("echo >> README.md", "AM README.md")] {
        let (passed, output, _) = here(&format!("```sh\n{command}\n```\n"));
        let message = format!("its commands changed the project: {line}");
        assert!(!passed && output.contains(&message), "{output}");
    }
}
