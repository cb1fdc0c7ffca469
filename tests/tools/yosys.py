"""Yosys as a command, out of the Python module of pyosys, which brings none.

Takes what the Yosys command takes, in the order in which that does it: files are read
first, then come scripts (-s), then passes (-p), then the output (-o). Yosys prints its log
and ends the process with exit code 1 at an error.

There is no Tcl in the module. A command that asks for it (-c FILE, -p 'tcl FILE', as FuseSoC's
backend does) is handed to the next Yosys on PATH.
"""

import argparse
import os
import shutil
import subprocess
import sys


def arguments():
    parser = argparse.ArgumentParser(prog="yosys", description=__doc__.split("\n")[0])
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    parser.add_argument("-q", action="store_true", help="print warnings and errors only")
    parser.add_argument("-Q", action="store_true", help="there is no banner: for scripts alone")
    parser.add_argument("-T", action="store_true", help="there is no footer: for scripts alone")
    parser.add_argument("-l", metavar="FILE", help="write the log there as well")
    parser.add_argument("-f", metavar="FRONTEND", default="auto", help="how to read the files")
    parser.add_argument("-s", metavar="SCRIPT", action="append", default=[], help="run a script")
    parser.add_argument("-p", metavar="PASSES", action="append", default=[], help="run passes")
    parser.add_argument("-c", metavar="TCL", help="run a script in Tcl, by the next yosys on PATH")
    parser.add_argument("-b", metavar="BACKEND", default="auto", help="how to write the output")
    parser.add_argument("-o", metavar="FILE", help="write the design there")
    parser.add_argument("files", nargs="*", metavar="FILE")
    return parser.parse_args()


def wants_tcl(options) -> bool:
    commands = [command for passes in options.p for command in passes.split(";")]
    return options.c is not None or any(command.split()[:1] == ["tcl"] for command in commands)


def hand_over() -> None:
    """Becomes the next Yosys on PATH: of the folders behind this program's own, or of all."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    own = os.path.dirname(os.path.realpath(__file__))
    here = [os.path.realpath(folder) == own for folder in folders]
    first = here.index(True) + 1 if True in here else 0
    # It may be there several times.
    behind = [folder for folder, is_own in zip(folders[first:], here[first:]) if not is_own]
    next_one = shutil.which("yosys", path=os.pathsep.join(behind))
    if next_one is None:
        sys.exit(
            "ERROR: this Yosys has no Tcl and there is no other on PATH; "
            "`apt-get install yosys` installs one"
        )
    os.execv(next_one, [next_one, *sys.argv[1:]])


def run(options) -> None:
    from pyosys import libyosys

    if options.version:
        print(libyosys.yosys_maybe_version(), flush=True)
        return
    design = libyosys.Design()
    reads = [transfer("read_", READS, options.f, file) for file in options.files]
    scripts = [f"script {script}" for script in options.s]  # no quotes: it takes them for letters
    writes = [transfer("write_", WRITES, options.b, options.o)] if options.o else []
    for passes in reads + scripts + options.p + writes:
        libyosys.run_pass(passes, design)


# The passes that read and write files, by their endings.
READS = {
    ".ys": "script",
    ".v": "read_verilog",
    ".sv": "read_verilog -sv",
    ".json": "read_json",
    ".il": "read_rtlil",
    ".blif": "read_blif",
}
WRITES = {
    ".v": "write_verilog",
    ".json": "write_json",
    ".il": "write_rtlil",
    ".blif": "write_blif",
    ".edif": "write_edif",
}


def transfer(prefix, by_ending, format, file):
    ending = os.path.splitext(file)[1]
    if format == "auto" and ending not in by_ending:
        sys.exit(f"ERROR: {file}: no format is known for this ending; name it by -f or -b")
    command = by_ending[ending] if format == "auto" else prefix + format
    return f"script {file}" if command == "script" else f'{command} "{file}"'


def filtered(options) -> int:
    """Runs this very command in a process of its own, for -q and -l: the module prints its
    log and cannot be told otherwise."""
    command = [sys.executable, __file__, *sys.argv[1:]]
    environment = {**os.environ, "TURNPIKE_YOSYS_UNFILTERED": "1"}
    log = open(options.l, "wb") if options.l else None
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    for line in process.stdout:
        if log:
            log.write(line)
        if not options.q:
            sys.stdout.buffer.write(line)
        elif (b"Warning: " in line and not line.startswith(b"ABC:")) or line.startswith(b"ERROR: "):
            sys.stderr.buffer.write(line)
    if log:
        log.close()
    return process.wait()


def main() -> int:
    options = arguments()
    if wants_tcl(options):
        hand_over()
    wants_filter = (options.q or options.l) and not options.version
    if wants_filter and "TURNPIKE_YOSYS_UNFILTERED" not in os.environ:
        return filtered(options)
    run(options)
    return 0


sys.exit(main())
