#!/bin/sh
# Makes the network of the chip and simulates the chip on Icarus Verilog: run.sh FOLDER.
#
#   pip install pythondata-cpu-picorv32 pythondata-cpu-serv
#
# Programs may be named: TURNPIKE, PYTHON3, IVERILOG, VVP.
set -eu
[ $# = 1 ] || { echo "usage: run.sh FOLDER, which is made" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
"${TURNPIKE:-turnpike}" generate "$here/chip.system" --out "$1/noc" --force

package() { # package NAME: the folder of a package's data
  "${PYTHON3:-python3}" -c "import $1; print($1.data_location)"
}
pico=$(package pythondata_cpu_picorv32)
serv=$(package pythondata_cpu_serv)

cd "$1"
cp "$here/memory.hex" .
"${IVERILOG:-iverilog}" -g2005 -I noc -s chip_tb -o chip.vvp "$here"/*.v \
  $(sed 's,^,noc/,' noc/noc.f) "$pico/picorv32.v" "$serv"/rtl/serv_*.v
"${VVP:-vvp}" -N chip.vvp | tee chip.log
grep -q '^PASS' chip.log
