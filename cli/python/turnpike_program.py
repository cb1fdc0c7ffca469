"""The program `turnpike`, called by a tool of Python with options that its user wrote."""

import os
import shutil

# Options that say where and how the folder is written, which is the tool's to say.
TAKEN = ["out", "force", "format", "config"]


class Refused(Exception):
    """An option that cannot be given, or a program that is not there; the text says why."""


def program():
    """What starts the program: `turnpike` on PATH, or what the variable TURNPIKE names."""
    name = os.environ.get("TURNPIKE", "turnpike")
    if shutil.which(name) is None:
        raise Refused(f"there is no program '{name}'; 'cargo install --path cli' in Turnpike's folder "
                      "installs it; or name it in the variable TURNPIKE")
    return name


def words(options):
    """The words of a command line that options stand for: `True` is an option without a value, a
    list one that is repeated."""
    line = []
    for key, value in options.items():
        option = key.replace("_", "-")
        if option in TAKEN:
            raise Refused(f"parameter '{key}' is not for a core: the tool says where the fabric is written")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, dict) or one is None:
                raise Refused(f"parameter '{key}' has no value; use a text, a number, true or a list of these")
            if one is True:
                line.append(f"--{option}")
            elif one is not False:
                line.append(f"--{option}={one}")
    return line
