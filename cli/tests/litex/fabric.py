"""A LiteX design of one fabric and nothing else: fabric.py FOLDER CLASS ARGUMENTS, where CLASS is `Fabric` or
`Ends`, and ARGUMENTS are its own as JSON. Writes top.v and top.f into the folder, and prints what the
fabric says of itself.
"""

import json
import os
import sys

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from migen import ClockDomain

from turnpike_litex import Fabric
from turnpike_litex_bus import Ends
from turnpike_program import Refused

CLASSES = {"Fabric": Fabric, "Ends": Ends}


class Top(LiteXModule):
    def __init__(self, platform, kind, arguments):
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("sys_clk")),
                      self.cd_sys.rst.eq(platform.request("sys_rst"))]
        self.noc = noc = CLASSES[kind](platform, **arguments)
        for clock, domain in arguments.get("clocks", {}).items():
            setattr(self, f"cd_{domain}", ClockDomain(domain))
            self.comb += getattr(self, f"cd_{domain}").rst.eq(noc.resets[clock])


def width(stream):
    return stream and {"data": len(stream.data), "domain": stream.clock_domain}


def interface(bus):
    address = len(bus.adr) if hasattr(bus, "adr") else bus.address_width
    return {"type": type(bus).__name__, "data": bus.data_width, "address": address}


def main(folder, kind, arguments):
    os.chdir(folder)
    platform = SimPlatform("SIM", [(name, 0, Pins(1)) for name in ["sys_clk", "sys_rst"]], name="top")
    try:
        top = Top(platform, kind, json.loads(arguments))
    except Refused as why:
        sys.exit(f"refused: {why}")
    platform.get_verilog(top, name="top").write("top.v")
    with open("top.f", "w", encoding="utf-8") as file:
        file.writelines(f"{source}\n" for source, *_ in platform.sources)
    noc = top.noc
    print(json.dumps({
        "counters": noc.counters is not None,
        "terminals": {name: {"address": at.address, "sink": width(at.sink), "source": width(at.source)}
                      for name, at in noc.terminals.items()},
        **{role: {name: interface(bus) for name, bus in getattr(noc, role, {}).items()}
           for role in ["managers", "subordinates"]},
    }))


main(*sys.argv[1:])
