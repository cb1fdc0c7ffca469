#!/bin/sh
# Sees to the tools that come from the system's packages. Where it may (root, with
# apt-get) it installs what is missing; else it says the one command to run.
set -eu

# Daemons stand in sbin, which is on the path of root alone.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
missing=
need() { # need PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need iverilog iverilog
need nextpnr-ice40 nextpnr-ice40
need icepack fpga-icestorm
need g++ g++
need make make
# With Tcl, which FuseSoC's backend speaks; the pinned one has none.
need yosys yosys
# Which shows the pages of `report` and `sweep --html`; its driver starts and asks it.
need chromedriver "chromium chromium-driver"
# The reader of DOT that ours is held to.
need gvpr graphviz
need python3 python3
# A Slurm of one machine, which tests start and stop: tests/tools/slurm.sh.
need sbatch slurm-client
need slurmctld slurmctld
need slurmd slurmd
need munged munge
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
# A library of standard cells: a file and no program.
[ -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib ] || missing="$missing qflow-tech-osu018"
[ -n "$missing" ] || exit 0

install="apt-get install --yes --no-install-recommends$missing"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing from the system's packages:$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o Acquire::Retries=3 update </dev/null
  # shellcheck disable=SC2086 # one word each
  exec $install </dev/null
fi
echo "missing on this system:$missing" >&2
echo "run this once: sudo $install" >&2
exit 1
