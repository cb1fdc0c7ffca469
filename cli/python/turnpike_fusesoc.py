"""FuseSoC generator: `turnpike generate` with the parameters of a user's core.

FuseSoC calls it with one file, in the folder where it looks for the cores that are made. The core
in the fabric's folder is one of them.
"""

import os
import subprocess
import sys

from turnpike_program import Refused, program, words


def read(file):
    """The request of FuseSoC."""
    try:
        import yaml
    except ImportError:
        raise Refused(f"{sys.executable} has no PyYAML; 'pip install pyyaml' installs it") from None
    with open(file, encoding="utf-8") as request:
        return yaml.safe_load(request)


def main(file):
    request = read(file)
    parameters = dict(request.get("parameters") or {})
    topology = parameters.pop("topology", None)
    if topology is None:
        raise Refused("parameter 'topology' is missing; use a name of `turnpike list`, or a file")
    line = [program(), "generate", str(topology), *words(parameters)]
    out = os.path.abspath("fabric")
    return subprocess.run([*line, f"--out={out}"], cwd=request["files_root"]).returncode


try:
    sys.exit(main(sys.argv[1]))
except Refused as why:
    sys.exit(f"turnpike generator: {why}")
