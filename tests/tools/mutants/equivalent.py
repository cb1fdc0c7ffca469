"""Whether a mutant does the same as the fabric, proven: both side by side, the same inputs, and no
output that differs where it is looked at, from any state after a reset on. By Yosys and ABC.

First of the changed module alone, whatever is around it; then of the whole fabric. Registers that no
reset sets begin with 0 on both sides: so ABC finds most registers of both alike, step by step, and
what is left for its proof (pdr) is what the mutant changed.
"""

import pathlib
import re
import tempfile

# Outputs that mean nothing unless their `valid` is high.
CARRIED = re.compile(r"(.*_)?t?(data|word|flit|header|id|user|keep|last|resp)$")
SETTINGS = """
{gold}
hierarchy -top {top}
{width}
proc
flatten
rename -top gold
design -stash gold
{gate}
hierarchy -top {top}
{width}
proc
flatten
rename -top gate
design -stash gate
design -copy-from gold gold
design -copy-from gate gate
read_verilog -formal both.v
prep -flatten -top both
memory_map
async2sync
dffunmap
setundef -zero
setundef -init -zero
opt -fast
techmap
dffunmap
aigmap
opt_clean
write_aiger -zinit both.aig
"""
PROOF = "read_aiger both.aig; strash; scorr; dc2; scorr -F 2; pdr -T {seconds:.0f}; iprove"


def proven(fabric, mutant, seconds, ended):
    """Whether the mutant is equivalent. `ended` runs a program within a time."""
    module = next(module for module in fabric.modules if module.file == mutant.file)
    top = next(module for module in fabric.modules if module.name == fabric.name)
    tops = dict.fromkeys([module, top])
    return any(same(fabric, mutant, top, seconds, ended) for top in tops)


def same(fabric, mutant, top, seconds, ended):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for file, text in fabric.texts.items():
            (folder / file).write_text(text)
        (folder / "mutant.v").write_text(mutant.applied(fabric.texts[mutant.file]))
        (folder / "both.v").write_text(side_by_side(top))
        gold = "\n".join(f"read_verilog {file}" for file in fabric.files)
        gate = re.sub(rf"\b{re.escape(mutant.file)}$", "mutant.v", gold, flags=re.M)
        text = SETTINGS.format(
            gold=gold, gate=gate, top=top.name,
            # Words of a few bits: such a module only passes them.
            width=f"chparam -set WIDTH 4 {top.name}" if top.parameter else "",
        )  # fmt: skip
        (folder / "both.ys").write_text(text)
        code, said = ended(["yosys", "-q", "-s", "both.ys"], folder, seconds)
        if code != 0:
            return False
        code, said = ended(["yosys-abc", "-c", PROOF.format(seconds=seconds)], folder, 2 * seconds)
    return "Property proved" in said or "UNSATISFIABLE" in said


def side_by_side(top):
    """A module with the fabric and the mutant, and an assertion that their outputs are alike."""
    width = lambda net: net.width.replace("WIDTH-1", "3")  # noqa: E731
    inputs = {name: width(net) for name, net in top.ports.items() if net.input}
    outputs = {name: width(net) for name, net in top.ports.items() if not net.input}
    lines = ["module both ("]
    lines.append(",\n".join(f"  input wire {inputs[name]} {name}" for name in inputs))
    lines.append(");")
    clocked = "clk" in inputs and "rst" in inputs
    if clocked:
        lines += ["  reg begun = 1'b0;", "  always @(posedge clk) begun <= 1'b1;"]
    for side in ("gold", "gate"):
        ports = [f".{name}({name})" for name in inputs if name != "rst"]
        ports += [".rst(rst | ~begun)"] * clocked
        ports += [f".{name}({side}_{name})" for name in outputs]
        lines += [f"  wire {outputs[name]} {side}_{name};" for name in outputs]
        lines.append(f"  {side} {side}_side ({', '.join(ports)});")
    alike = " &&\n      ".join(f"({same_bits(name, outputs)})" for name in outputs)
    looked = "if (begun && !rst) " if clocked else ""
    lines.append(f"  always @* {looked}assert ({alike});")
    return "\n".join([*lines, "endmodule", ""])


def same_bits(name, outputs):
    equal = f"gold_{name} == gate_{name}"
    carried = CARRIED.match(name)
    if carried is None:
        return equal
    before = carried.group(1) or ""
    tells = {"rresp": "rvalid", "bresp": "bvalid", "rdata": "rvalid"}
    for valid in (f"{before}valid", f"{before}tvalid", before + tells.get(name[len(before) :], "")):
        if valid in outputs and valid != name and outputs[valid] == "":
            return f"!gold_{valid} || {equal}"
        if valid in outputs and valid != name:
            return stream_alike(name, valid, outputs)
    # Virtual channels share what they carry.
    channels = [other for other in outputs if re.fullmatch(rf"{before}vc\d+_valid", other)]
    if channels:
        return f"!({' || '.join(f'gold_{valid}' for valid in channels)}) || {equal}"
    axi = re.match(r"(.*)(r(?:data|resp)|bresp)$", name)
    if axi and f"{axi.group(1)}{tells[axi.group(2)]}" in outputs:
        return f"!gold_{axi.group(1)}{tells[axi.group(2)]} || {equal}"
    return equal


def stream_alike(name, valid, outputs):
    """Slices of a vector, each with its bit of `valid`."""
    size = lambda port: int(re.match(r"\[(\d+):0\]", outputs[port]).group(1)) + 1  # noqa: E731
    count = size(valid)
    each = size(name) // count
    alike = lambda t: f"gold_{name}[{t * each} +: {each}] == gate_{name}[{t * each} +: {each}]"  # noqa: E731
    return " && ".join(f"(!gold_{valid}[{t}] || {alike(t)})" for t in range(count))
