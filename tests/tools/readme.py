"""Runs every command that a Markdown file shows, so that none can rot.

usage: readme.py [--here] [--already COMMAND]... [--seconds N] [--list] FILE

Fenced blocks of `sh`, `bash`, `shell` and `console` are commands. In a `console`
block they are the lines after `$ ` (continued by `\\` or by `> `); the others are
output and are passed over. A block whose commands cannot run here says why:

    ```sh no-run: asks for a browser

Each block runs as one `bash -e` from the top of a copy of the project, in order, and
all share the copy; what is built goes to the project's own `target`. With --here they
run in the project itself, so that what is built there is not built again; where git
knows the project it is a failure if they change a file that git knows, or add one. --already names a command
that has been run on the project itself and is not run again. Exit code 0 where every
block passed and there was at least one.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^ {0,3}(```+|~~~+)\s*(.*?)\s*$")
LANGUAGES = {"sh", "bash", "shell", "console"}
BUILT = ("target", ".venv")


def blocks(text):
    """Yields (line number, language, rest of the info string, lines) of fenced blocks."""
    fence, start, info, lines = None, 0, "", []
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence is None:
            if mark:
                fence, info, start, lines = mark[1], mark[2], number, []
        elif mark and mark[1].startswith(fence) and not mark[2]:
            language, _, rest = info.partition(" ")
            yield start, language, rest.strip(), lines
            fence = None
        else:
            lines.append(line)
    if fence is not None:
        sys.exit(f"line {start}: the block is not closed")


def commands(language, lines):
    """The commands of a block, without prompts and output."""
    if language != "console":
        return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    found, continued = [], False
    for line in lines:
        if line.startswith("$ "):
            found.append(line[2:])
        elif continued or (found and line.startswith("> ")):
            found.append(line[2:] if line.startswith("> ") else line)
        else:
            continue
        continued = found[-1].endswith("\\")
    return found


def project_files(project):
    """What git knows or would take; without git, everything that is not built."""
    try:
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=project, check=True, capture_output=True,
        ).stdout.decode()
        paths = ((name, project / name) for name in names.split("\0") if name)
        # A link to a folder is one name to git.
        return [name for name, path in paths if path.is_file() or path.is_symlink()]
    except (OSError, subprocess.CalledProcessError):
        files = (path.relative_to(project) for path in project.rglob("*") if path.is_file())
        return [str(path) for path in files if path.parts[0] not in BUILT]


def copy_project(project, target):
    """Copies the sources; links what was built and installed."""
    for name in project_files(project):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(project / name, target / name, follow_symlinks=False)
    for built in BUILT:
        (project / built).mkdir(exist_ok=True)
        (target / built).symlink_to(project / built)


def changes(project):
    """What git says was changed or added in a project; nothing where it knows none there."""
    try:
        return subprocess.run(
            ["git", "status", "--porcelain"], cwd=project, check=True, capture_output=True,
        ).stdout.decode().splitlines()
    except (OSError, subprocess.CalledProcessError):
        print("not checked for changes: git knows no project here", flush=True)
        return []


def run(script, folder, seconds):
    """Runs one block; gives None where it passed, else what went wrong."""
    process = subprocess.Popen(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", script],
        cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"stopped after {seconds} s"
    return None if code == 0 else f"exit code {code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--here", action="store_true", help="run in the project, not in a copy")
    parser.add_argument("--already", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--seconds", type=int, default=1200, help="limit for one block")
    parser.add_argument("--list", action="store_true", help="print the commands only")
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if not arguments.file.is_file():
        sys.exit(f"{arguments.file}: there is no such file, so its commands cannot be checked")

    ran, failures = 0, []
    project = arguments.file.resolve().parent
    before = changes(project) if arguments.here else []
    with tempfile.TemporaryDirectory() as copy:
        folder = project if arguments.here else Path(copy)
        if not arguments.list and not arguments.here:
            copy_project(project, folder)
        for line, language, rest, lines in blocks(arguments.file.read_text(encoding="utf-8")):
            where = f"{arguments.file}:{line}"
            if language not in LANGUAGES:
                continue
            if rest.startswith("no-run"):
                if not rest.removeprefix("no-run").strip(": "):
                    failures.append(f"{where}: `no-run` gives no reason")
                print(f"{where}: not run: {rest}", flush=True)
                continue
            wanted = commands(language, lines)
            script = "\n".join(c for c in wanted if c.strip() not in arguments.already)
            if not wanted:
                failures.append(f"{where}: a block of `{language}` without a command")
            ran += 1
            print(f"{where}:\n" + "\n".join(f"  $ {c}" for c in wanted), flush=True)
            if not arguments.list and script:
                trouble = run(script, folder, arguments.seconds)
                if trouble:
                    failures.append(f"{where}: {trouble}")
    if ran == 0:
        failures.append(f"{arguments.file}: shows no command")
    if arguments.here:
        more = [line for line in changes(project) if line not in before]
        failures += [f"{arguments.file}: its commands changed the project: {line}" for line in more]
    for failure in failures:
        print(failure, flush=True)
    print(f"{arguments.file}: {ran} blocks, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
