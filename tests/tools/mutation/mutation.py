"""The mutation score of the Rust code: `make mutation`; docs/tools.md says how.

cargo-mutants lists the mutants; a seeded sample of them is woven into one copy of the project
(weave.py), each behind a switch that is read at run time (switch.rs). So one build serves all.
A first run of every test says whose code it reaches; then each mutant meets the tests that
reach it, the fastest first, until one fails.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import time

import weave

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORK = ROOT / "target" / "mutation"
COPY = WORK / "copy"
RESULTS = WORK / "results.json"
FILES = [
    "hdl-gen/analysis/src/turns.rs",
    "hdl-gen/analysis/src/deadlock.rs",
    "hdl-gen/analysis/src/certificate.rs",
    "hdl-gen/analysis/src/symmetry.rs",
    "hdl-gen/fabric/src/plan/**/*.rs",
    "hdl-gen/fabric/src/rtl/**/*.rs",
    "hdl-gen/netlist/src/*.rs",
    "sim/network/src/reference/**/*.rs",
    "sim/network/src/measure/**/*.rs",
    "sim/network/src/samples.rs",
    "sim/network/src/report.rs",
    "sim/rtl/src/eval/**/*.rs",
]

# All at once, so that Cargo builds what they depend on once; `--crate` leaves others out.
CRATES = ["base", "network", "analysis", "netlist", "fabric", "sim-network", "sim-rtl", "sim-bench"]
# The ladder: what is built and run, one step after the other. Behind the tests inside the
# crates those that run the RTL or the reference router.
TESTS = [
    "pairs evaluator relations reference parts selftest fabrics adaptive",
    "switches contract measure workload",
]
packages = []  # words for Cargo
ladder = []  # by step, words for Cargo


def folder_of(crate):
    """The folder of a crate, from the project's."""
    return crate.replace("sim-", "sim/") if crate.startswith("sim-") else f"hdl-gen/{crate}"


def select(crates):
    """Says which crates are built and run."""
    packages[:] = [word for crate in crates for word in ("-p", f"turnpike-{crate}")]
    own = {path.stem for crate in crates for path in (ROOT / folder_of(crate) / "tests").glob("*")}
    steps = [[name for name in names.split() if name in own] for names in TESTS]
    words = [[word for name in step for word in ("--test", name)] for step in steps if step]
    ladder[:] = [["--lib"], *words]


# By the start of a file's name: where its crate finds the switch.
SWITCH = {"hdl-gen/analysis/": "turnpike_network::mutant::on", "": "turnpike_base::mutant::on"}
EXPORTS = {
    "hdl-gen/base/src/lib.rs": b"pub mod mutant;\n",
    "hdl-gen/network/src/lib.rs": b"pub use turnpike_base::mutant;\n",
}
MEMORY = 6 << 30  # bytes that a test may ask for
WALL = 900  # seconds after which a test that only waits is ended
# A mutant may take this many times the CPU time of the unchanged code, and seconds beside.
TIMES, MORE = 8, 10


def say(text):
    print(time.strftime("%H:%M:%S"), text, flush=True)


def listed(excluded, crates):
    """The mutants of cargo-mutants in `FILES` of these crates, in the order of their names."""
    command = ["cargo", "mutants", "--list", "--json", "--diff", "--no-config"]
    command += [word for pattern in FILES for word in ("--file", pattern)]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    folders = tuple(folder_of(crate) + "/" for crate in crates)
    inside = [m for m in json.loads(text) if m["file"].startswith(folders)]
    wanted = [m for m in inside if not any(fnmatch.fnmatch(m["file"], e) for e in excluded)]
    return sorted(wanted, key=lambda mutant: mutant["name"])


def put(path, text):
    """Writes what differs, and so has Cargo build what differs."""
    data = text if isinstance(text, bytes) else text.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def project():
    """The project's files, by name: as they are now, whatever becomes of them while this runs."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = {name: ROOT / name for name in names.split("\0") if name}
    return {name: path.read_bytes() for name, path in files.items() if path.is_file()}


def woven(files, mutants, alone, unviable):
    """Makes the copy of the project with all mutants but those `alone` or `unviable`; adds to
    the former the ones that cannot be woven. Returns the lines of each mutant: (file, first,
    last)."""
    lines = {}
    for name, data in files.items():
        own = [(n, m) for n, m in mutants.items() if m["file"] == name and n not in alone | unviable]
        if own:
            switch = next(path for start, path in SWITCH.items() if name.startswith(start))
            weaver = weave.Weaver(data.decode(), own, switch)
            alone.update(weaver.alone)
            data = weaver.text().encode()
            lines.update({n: (name, *place) for n, place in weaver.lines_of.items()})
        put(COPY / name, data + EXPORTS.get(name, b""))
    put(COPY / "hdl-gen/base/src/mutant.rs", (pathlib.Path(__file__).parent / "switch.rs").read_bytes())
    return lines


def cargo(words):
    """Runs Cargo in the copy; returns (whether it succeeded, its messages)."""
    command = ["cargo", *words, "--release", "--locked", "--jobs", "1", "--message-format", "json"]
    variables = {
        "CARGO_INCREMENTAL": "1",
        "CARGO_TARGET_DIR": str(WORK / "build"),
    }
    run = subprocess.run(
        command, cwd=COPY, env={**os.environ, **variables},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    return run.returncode == 0, [json.loads(line) for line in run.stdout.splitlines()]


def errors(messages):
    """Of each error: file, first line, last line, text of the first line up to the error, code,
    the whole message."""
    for message in (m["message"] for m in messages if m["reason"] == "compiler-message"):
        if message["level"] == "error":
            code = (message["code"] or {}).get("code")
            for span in message["spans"]:
                if span["is_primary"]:
                    first = span["text"][0]
                    before = first["text"][: first["highlight_start"] - 1]
                    place = (span["file_name"], span["line_start"], span["line_end"])
                    yield *place, before, code, message["rendered"]


def weave_all(files, mutants):
    """Weaves until it builds; returns the numbers of the mutants that need a build of their own,
    and of those that do not compile."""
    alone, unviable = set(), set()
    while True:
        lines = woven(files, mutants, alone, unviable)
        built, messages = cargo(["test", "--no-run", *packages, *ladder[0]])
        if built:
            return sorted(alone), sorted(unviable)
        before = len(alone) + len(unviable)
        for name, first, last, text, code, message in errors(messages):
            switches = re.findall(r"\bmutant::on\((\d+)\)", text)
            if switches:
                hit = [int(switches[-1])]
            else:
                hit = [n for n, (f, a, b) in lines.items() if f == name and a <= last and first <= b]
            if not hit:
                sys.exit(f"the copy does not build:\n{message}")
            for number in hit:
                mutant = mutants[number]
                # Types that do not have the operator have it no more without a switch.
                missing = code in ("E0368", "E0369") and mutant["genre"] == "BinaryOperator"
                # Nor can a function return a value of another type, but for `impl Trait`, where
                # the switch asks for one and the same type.
                returns = (mutant["function"] or {}).get("return_type", "impl ")
                value = mutant["genre"] == "FnValue" and "impl " not in returns
                sure = switches and (missing or value)
                (unviable if sure else alone).add(number)
        say(f"{len(alone) + len(unviable)} mutants do not go with the others")
        if len(alone) + len(unviable) == before:
            sys.exit("the copy does not build, and no mutant is to blame")


def programs(words):
    """The test programs of a step: (name, executable, folder to run in)."""
    built, messages = cargo(["test", "--no-run", *packages, *words])
    if not built:
        return None
    return [
        (m["target"]["name"], m["executable"], os.path.dirname(m["manifest_path"]))
        for m in messages
        if m["reason"] == "compiler-artifact" and m["executable"] and m["profile"]["test"]
    ]


def run_test(test, variables, seconds=None):
    """Runs one test; returns (whether it passed, CPU seconds)."""
    (_, executable, folder), name = test

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))

    child = subprocess.Popen(
        [executable, "--exact", name, "--test-threads", "1"],
        cwd=folder, env={**os.environ, **variables}, preexec_fn=limit, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        passed = child.wait(WALL) == 0
    except subprocess.TimeoutExpired:
        passed = False
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def covering(step, longest):
    """The tests of a step: by mutant, [(CPU seconds, test)] that reach it, the fastest first."""
    reaches, passed_over = {}, []
    reached_file = WORK / "reached"
    for program in step:
        listing = subprocess.run(
            [program[1], "--list", "--format", "terse"], capture_output=True, text=True, check=True
        ).stdout
        for line in listing.splitlines():
            name, _, kind = line.rpartition(": ")
            if kind != "test":
                continue
            reached_file.unlink(missing_ok=True)
            variables = {"MUTANTS_REACHED": str(reached_file)}
            passed, seconds = run_test((program, name), variables, 4 * longest)
            if not passed and seconds < longest:
                say(f"{program[0]} {name} FAILS WITHOUT A MUTANT")
            if not passed or seconds > longest:
                passed_over.append(f"{program[0]} {name} ({seconds:.1f} s)")
                continue
            if reached_file.exists():
                for number in set(map(int, reached_file.read_text().split())):
                    reaches.setdefault(number, []).append((seconds, (program, name)))
    for tests in reaches.values():
        tests.sort(key=lambda entry: entry[0])
    return reaches, passed_over


def killer(number, tests):
    """The test that fails with the mutant on; None where all pass."""
    for seconds, test in tests:
        passed, _ = run_test(test, {"MUTANT": str(number)}, MORE + TIMES * seconds)
        if not passed:
            return f"{test[0][0]} {test[1]}"
    return None


def alone_outcome(files, mutant, slow):
    """What becomes of a mutant that needs a build of its own; it meets all tests but `slow`."""
    woven(files, {}, set(), set())
    patch = ["patch", "--silent", mutant["file"]]
    subprocess.run(patch, cwd=COPY, input=mutant["diff"], text=True, check=True)
    skipped = [word for test in slow for word in ("--skip", test.split()[1])]
    for at, words in enumerate(ladder):
        built = programs(words)
        if built is None:
            return "unviable", None
        for name, executable, folder in built:
            run = subprocess.run(
                [executable, "--test-threads", "1", *skipped], cwd=folder, timeout=WALL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            if run.returncode != 0:
                return "killed", name
    return "survived", at


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--count", type=int, default=200, help="mutants to draw")
    arguments.add_argument("--seed", type=int, default=13)
    arguments.add_argument("--exclude", action="append", default=[], help="files left out")
    arguments.add_argument("--crate", action="append", choices=CRATES, help="these crates alone")
    arguments.add_argument("--longest", type=float, default=5, help="CPU seconds of the longest test")
    arguments.add_argument("--survivors", action="store_true", help="only what survived last time")
    arguments.add_argument("--steps", type=int, default=1 + len(TESTS), help="of the ladder")
    arguments.add_argument("--until", help="HH:MM, when to stop")
    options = arguments.parse_args()

    WORK.mkdir(parents=True, exist_ok=True)
    files = project()
    crates = options.crate or CRATES
    select(crates)
    every = listed(options.exclude, crates)
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
    if options.survivors:
        known = json.loads(RESULTS.read_text())
        left = [n for n, (outcome, _) in known["outcome"].items() if outcome == "survived"]
        left = {place_free(known["names"][int(n)]) for n in left}
        drawn = [mutant for mutant in every if place_free(mutant["name"]) in left]
    say(f"{len(drawn)} of {len(every)} mutants, seed {options.seed}")
    mutants = dict(enumerate(drawn))
    state = State(files, mutants)
    if state.alone is None:
        state.alone, unviable = weave_all(files, mutants)
        state.outcome.update({n: ("unviable", None) for n in unviable})
        state.store()
    else:
        woven(files, mutants, set(state.alone), state.of("unviable"))
    say(f"{len(state.of('unviable'))} do not compile, {len(state.alone)} need a build of their own")

    def late():
        return options.until is not None and time.strftime("%H:%M") >= options.until

    slow = []
    for at, words in enumerate(ladder[: options.steps]):
        step = programs(words)
        if step is None:
            sys.exit(f"the tests of step {at + 1} do not build")
        say(f"step {at + 1} built: {', '.join(name for name, _, _ in step)}")
        reaches, passed_over = covering(step, options.longest)
        slow += passed_over
        say(f"left out as longer than {options.longest} s: {', '.join(passed_over)}")
        for number in state.open(at):
            if late():
                break
            by = killer(number, reaches.get(number, []))
            if by is None:
                how = "survives" if number in reaches else "is not reached by"
                say(f"  {mutants[number]['name']} {how} step {at + 1}")
                state.outcome[number] = ("survived", at)
            else:
                state.outcome[number] = ("killed", by)
            state.store()
        say(f"step {at + 1}: {len(state.of('killed'))} killed so far")
    for number in state.alone:
        if number in state.outcome or late():
            continue
        state.outcome[number] = alone_outcome(files, mutants[number], slow)
        say(f"  {state.outcome[number][0]}: {mutants[number]['name']}")
        state.store()
    report(mutants, state.outcome, options.seed)


class State:
    """What is known so far. It stands in a file, so that what was interrupted goes on where it
    was, unless sources or mutants have changed since."""

    def __init__(self, files, mutants):
        text = json.dumps([m["name"] for m in mutants.values()]).encode()
        sources = [name for name in files if name.startswith(("hdl-gen/", "sim/", "Cargo."))]
        text += b"".join(name.encode() + files[name] for name in sorted(sources))
        self.key, self.mutants = hashlib.sha256(text).hexdigest(), mutants
        # Numbers of the mutants that need a build of their own; by number, what became of one
        # and by which test, or behind which step of the ladder it is still alive.
        self.alone, self.outcome = None, {}
        if RESULTS.exists():
            known = json.loads(RESULTS.read_text())
            if known["key"] == self.key:
                self.alone = known["alone"]
                self.outcome = {int(n): tuple(o) for n, o in known["outcome"].items()}

    def of(self, kind):
        return {n for n, (outcome, _) in self.outcome.items() if outcome == kind}

    def open(self, step):
        """The mutants that this step of the ladder has still to meet."""
        over = lambda n: self.outcome.get(n, ("survived", -1))  # noqa: E731
        met = lambda n: over(n)[0] != "survived" or over(n)[1] >= step  # noqa: E731
        return [n for n in self.mutants if n not in self.alone and not met(n)]

    def store(self):
        names = [m["name"] for m in self.mutants.values()]
        state = {"key": self.key, "alone": self.alone, "outcome": self.outcome, "names": names}
        RESULTS.write_text(json.dumps(state, indent=1))


def place_free(name):
    """A mutant's name without its line and column, which move with what stands above."""
    return re.sub(r":\d+:\d+:", ":", name)


def report(mutants, outcome, seed):
    kinds = [outcome.get(n, ("not run", None))[0] for n in mutants]
    killed, survived = kinds.count("killed"), kinds.count("survived")
    print(f"seed {seed}: {len(mutants)} drawn, {kinds.count('unviable')} do not compile, "
          f"{kinds.count('not run')} not run; {killed} of {killed + survived} killed: "
          f"{100 * killed / max(1, killed + survived):.1f} %")  # fmt: skip
    for number, mutant in mutants.items():
        if outcome.get(number, ("", None))[0] == "survived":
            print(f"  survives: {mutant['name']}")


if __name__ == "__main__":
    main()
