"""Whether a mutant does the same as the fabric, proven: both side by side, the same inputs, and no
output that differs where it is looked at, from any state after a reset on. By SymbiYosys (abc pdr).

First of the changed module alone, whatever is around it; then of the whole fabric.
"""

import pathlib
import re
import tempfile

# Outputs that mean nothing unless their `valid` is high.
CARRIED = re.compile(r"(.*_)?t?(data|word|flit|header|id|user|keep|last|resp)$")
SETTINGS = """[options]
mode prove
[engines]
abc pdr
[script]
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
prep -top both
[files]
{files}
both.v
"""


def proven(fabric, mutant, sby, seconds, ended):
    """Whether the mutant is equivalent. `ended` runs a program within a time."""
    module = next(module for module in fabric.modules if module.file == mutant.file)
    top = next(module for module in fabric.modules if module.name == fabric.name)
    tops = dict.fromkeys([module, top])
    return any(same(fabric, mutant, top, sby, seconds, ended) for top in tops)


def same(fabric, mutant, top, sby, seconds, ended):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for file, text in fabric.texts.items():
            (folder / file).write_text(text)
        (folder / "mutant.v").write_text(mutant.applied(fabric.texts[mutant.file]))
        (folder / "both.v").write_text(side_by_side(top))
        gold = "\n".join(f"read_verilog {file}" for file in fabric.files)
        gate = re.sub(rf"\b{re.escape(mutant.file)}$", "mutant.v", gold, flags=re.M)
        text = SETTINGS.format(
            gold=gold, gate=gate, top=top.name, files="\n".join([*fabric.files, "mutant.v"]),
            # Words of a few bits: such a module only passes them.
            width=f"chparam -set WIDTH 4 {top.name}" if top.parameter else "",
        )  # fmt: skip
        (folder / "same.sby").write_text(text)
        code, _ = ended([sby, "-f", "same.sby"], folder, seconds)
    return code == 0


def side_by_side(top):
    """A module with the fabric and the mutant, and assertions that their outputs are alike."""
    width = lambda net: net.width.replace("WIDTH-1", "3")  # noqa: E731
    inputs = {name: width(net) for name, net in top.ports.items() if net.input}
    outputs = {name: width(net) for name, net in top.ports.items() if not net.input}
    lines = ["module both ("]
    lines.append(",\n".join(f"  input wire {inputs[name]} {name}" for name in inputs))
    lines.append(");")
    for side in ("gold", "gate"):
        ports = [f".{name}({name})" for name in inputs]
        ports += [f".{name}({side}_{name})" for name in outputs]
        lines += [f"  wire {outputs[name]} {side}_{name};" for name in outputs]
        lines.append(f"  {side} {side}_side ({', '.join(ports)});")
    alike = [f"assert ({same_bits(name, outputs)});" for name in outputs]
    if "clk" in inputs and "rst" in inputs:
        lines += ["  reg begun = 1'b0;", "  always @(posedge clk) begun <= 1'b1;"]
        lines.append("  always @* if (!begun) assume (rst);")
        lines.append("  always @* if (begun && !rst) begin")
    else:
        lines.append("  always @* begin")
    return "\n".join([*lines, *(f"    {line}" for line in alike), "  end", "endmodule", ""])


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
