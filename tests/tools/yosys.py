"""Runs a Yosys script with the Python module of pyosys, which brings no command.

usage: yosys.py SCRIPT

One pass a line; empty lines and lines that start with # are passed over. Yosys
prints its log and ends the process with exit code 1 at an error.
"""

import sys

from pyosys import libyosys


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as script:
        lines = [line.strip() for line in script]
    design = libyosys.Design()
    for line in lines:
        if line and not line.startswith("#"):
            libyosys.run_pass(line, design)


main()
