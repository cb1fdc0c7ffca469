"""FuseSoC generator: `turnpike generate` with the parameters of a user's core.

FuseSoC calls it with one file, in the folder where it looks for the cores that are made. The core
in the fabric's folder is one of them.
"""

import os
import shutil
import subprocess
import sys

# Options that say where and how the folder is written, which is FuseSoC's to say.
TAKEN = ["out", "force", "format", "config"]


def stop(message):
    sys.exit(f"turnpike generator: {message}")


def read(file):
    """The request of FuseSoC."""
    try:
        import yaml
    except ImportError:
        stop(f"{sys.executable} has no PyYAML; 'pip install pyyaml' installs it")
    with open(file, encoding="utf-8") as request:
        return yaml.safe_load(request)


def words(parameters):
    """The words of a command line that parameters stand for."""
    topology = parameters.pop("topology", None)
    if topology is None:
        stop("parameter 'topology' is missing; use a name of `turnpike list`, or a file")
    line = [str(topology)]
    for key, value in parameters.items():
        if key in TAKEN:
            stop(f"parameter '{key}' is not for a core: FuseSoC says where the fabric is written")
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict) or one is None:
                stop(f"parameter '{key}' has no value; use a text, a number, true or a list of these")
            if one is True:
                line.append(f"--{key}")
            elif one is not False:
                line.append(f"--{key}={one}")
    return line


def main(file):
    request = read(file)
    program = os.environ.get("TURNPIKE", "turnpike")
    if shutil.which(program) is None:
        stop(f"there is no program '{program}'; 'cargo install --path cli' in Turnpike's folder "
             "installs it; or name it in the variable TURNPIKE")
    line = [program, "generate", *words(dict(request.get("parameters") or {}))]
    out = os.path.abspath("fabric")
    sys.exit(subprocess.run([*line, f"--out={out}"], cwd=request["files_root"]).returncode)


main(sys.argv[1])
