"""The mutation score of an emitted folder: how many faults in its Verilog its own testbench and proofs
find. docs/tools.md has the scores of each kind of fabric.

    python3 tests/tools/mutants/run.py FOLDER --count 200 --seed 1 --proofs

Faults are drawn by a seed, every kind in its turn. The testbench meets each on Icarus; with --proofs,
what lives on is left out of the score where it is proven to do the same as the fabric (equivalent.py),
and else meets the proofs in formal/ that read the changed file, by SymbiYosys. Exit code 1 where the
score is below --least.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import equivalent
import verilog

# The project's tools go before others of the same name.
TOOLS = pathlib.Path(__file__).resolve().parents[3] / ".venv/bin"
TIMES, MORE = 10, 10  # a mutant may take this many times the time of the fabric, and seconds beside


def ended(command, folder, seconds):
    """Runs a program and all that it starts; (exit code, output), code None where it took too long."""
    child = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = child.communicate(timeout=seconds)
        return child.returncode, output
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Fabric:
    """A folder, as `turnpike generate` wrote it."""

    def __init__(self, folder, sby):
        self.folder = pathlib.Path(folder).resolve()
        lists = [path for path in self.folder.glob("*.f") if not path.stem.endswith("_selftest")]
        if len(lists) != 1:
            sys.exit(f"{folder}: no folder of a fabric: it has {len(lists)} file lists (.f), not 1")
        self.name, self.sby = lists[0].stem, sby
        self.files = lists[0].read_text().split()
        self.texts = {file: (self.folder / file).read_text() for file in self.files}
        self.modules = [verilog.Module(file, text) for file, text in self.texts.items()]

    def testbench(self, mutant, seconds):
        """What finds the mutant: None, where the testbench passes."""
        with tempfile.TemporaryDirectory() as scratch:
            program = f"{scratch}/tb.vvp"
            sources = [f"{self.name}_tb.v", *self.sources(mutant, pathlib.Path(scratch))]
            command = ["iverilog", "-g2005", "-s", f"{self.name}_tb", "-o", program, *sources]
            code, output = ended(command, self.folder, 120)
            if code != 0:
                return f"no Verilog: {output.strip()}"
            code, output = ended(["vvp", "-N", program], self.folder, seconds)
        if code is None:
            return "testbench: it does not end"
        return None if output.startswith("PASS: ") else "testbench: " + output.partition("\n")[0]

    def sources(self, mutant, scratch):
        """The fabric's files, the changed one in `scratch`."""
        if mutant is None:
            return self.files
        changed = scratch / mutant.file
        changed.write_text(mutant.applied(self.texts[mutant.file]))
        return [str(changed) if file == mutant.file else file for file in self.files]

    def tasks(self, file):
        """The proofs that read a file: (SymbiYosys file, task)."""
        for path in sorted((self.folder / "formal").glob("*.sby")):
            text = path.read_text()
            reads = re.compile(rf"^(\w+): read_verilog .*\b{re.escape(file)}$", re.M)
            for task in dict.fromkeys(reads.findall(text)):
                yield path.name, task

    def proofs(self, mutant, seconds):
        """What finds the mutant among the proofs; None where all hold. One that does not end within
        `seconds` finds nothing."""
        tasks = list(self.tasks(mutant.file))
        if not tasks:
            return None
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch) / "fabric"
            shutil.copytree(self.folder, copy, ignore=shutil.ignore_patterns("build"))
            (copy / mutant.file).write_text(mutant.applied(self.texts[mutant.file]))
            for file, task in tasks:
                command = [self.sby, "-f", "--prefix", "proof", f"formal/{file}", task]
                code, output = ended(command, copy, seconds)
                if code not in (0, None):
                    status = re.search(r"DONE \((\w+)", output)
                    return f"{file} {task}: {status.group(1) if status else 'ERROR'}"
        return None


class Unchanged:
    """A mutant that is the fabric itself."""

    def __init__(self, file):
        self.file = file

    def applied(self, text):
        return text


def main():
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("folder")
    arguments.add_argument("--count", type=int, default=200, help="mutants to draw")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--proofs", action="store_true", help="survivors meet the proofs")
    arguments.add_argument("--proof-limit", type=float, default=120, help="seconds of a proof, at most")
    arguments.add_argument("--cross", action="store_true", help="hold the prover to the testbench")
    arguments.add_argument("--least", type=float, default=0, help="the score that is asked for, in %%")
    arguments.add_argument("--sby", default="sby", help="SymbiYosys")
    arguments.add_argument("--nice", type=int, default=10, help="how much others go before")
    options = arguments.parse_args()
    os.nice(options.nice)
    os.environ["PATH"] = f"{TOOLS}:{os.environ['PATH']}"
    if options.proofs and shutil.which(options.sby) is None:
        sys.exit(f"{options.sby} is missing: `make tools` installs it; or name yours, --sby PROGRAM")

    fabric = Fabric(options.folder, options.sby)
    before = time.monotonic()
    found = fabric.testbench(None, 600)
    if found is not None:
        sys.exit(f"{fabric.name}, without a fault: {found}")
    seconds = MORE + TIMES * (time.monotonic() - before)
    itself = Unchanged(fabric.files[0])
    if options.cross and not equivalent.proven(fabric, itself, options.proof_limit, ended):
        sys.exit(f"{fabric.name}: the prover does not say that it does the same as itself")
    chosen, every = verilog.drawn(fabric.modules, options.count, random.Random(options.seed))
    print(f"{fabric.name}: {len(chosen)} of {every} mutants, seed {options.seed}", flush=True)
    by, alive, same = {"testbench": 0, "proofs": 0}, [], []
    for mutant in chosen:
        found = fabric.testbench(mutant, seconds)
        if found is not None and found.startswith("no Verilog"):
            sys.exit(f"{mutant}: {found}")
        where = "testbench"
        if found is not None and options.cross:
            if equivalent.proven(fabric, mutant, options.proof_limit, ended):
                sys.exit(f"{mutant}: {found}, and the prover says that it does the same")
            print(f"  told apart: {mutant}", flush=True)
        if found is None and options.proofs:
            if equivalent.proven(fabric, mutant, options.proof_limit, ended):
                same.append(mutant)
                print(f"  changes nothing: {mutant}", flush=True)
                continue
            where, found = "proofs", fabric.proofs(mutant, options.proof_limit)
        if found is not None:
            by[where] += 1
            if where == "proofs":
                print(f"  {found} finds {mutant}", flush=True)
        else:
            alive.append(mutant)
            print(f"  lives: {mutant}", flush=True)
    killed = sum(by.values())
    different = len(chosen) - len(same)
    score = 100 * killed / max(1, different)
    print(f"{fabric.name}: {killed} of {different} mutants that differ are found: {score:.1f} %; "
          f"by the testbench {by['testbench']}, by the proofs {by['proofs']}; {len(same)} change nothing")
    sys.exit(score < options.least)


if __name__ == "__main__":
    main()
