"""Elaborates and analyses Verilog with slang; prints diagnostics and nothing else.

usage: slang_lint.py [slang option or file]...

Exit code 0 where slang reports no error.
"""

import sys

from pyslang.driver import Driver


def quoted(word: str) -> str:
    """The driver takes one string and splits it as a shell would."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main() -> int:
    driver = Driver()
    driver.addStandardArgs()
    line = " ".join(["slang", *map(quoted, sys.argv[1:])])
    if not driver.parseCommandLine(line) or not driver.processOptions():
        return 2
    parsed = driver.parseAllSources()
    return 0 if driver.runFullCompilation(quiet=True) and parsed else 1


sys.exit(main())
