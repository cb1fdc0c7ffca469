"""A LiteX SoC without a processor on a network: soc.py FOLDER ARGUMENTS, where ARGUMENTS are those of
`put_on_network` as JSON, and `dma` more of the AXIInterface of the master called so. Its masters and
slaves are of every protocol, some of another width than the bus. Writes top.v and top.f into the folder.
"""

import json
import logging
import os
import sys

from litex.build.generic_platform import Pins
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import ahb, wishbone
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface

from turnpike_litex_bus import put_on_network
from turnpike_program import Refused

# LiteX says much of what it does.
logging.disable(logging.INFO)


class SoC(SoCMini):
    def __init__(self, platform, dma=None, **arguments):
        super().__init__(platform, clk_freq=int(1e6))
        self.crg = CRG(platform.request("sys_clk"), platform.request("sys_rst"))
        # LiteX makes this one a master of its bus of 32 bits.
        self.bus.add_master("wide", wishbone.Interface(64, address_width=32))
        put_on_network(self, **arguments)
        self.bus.add_master("dma", AXIInterface(64, 32, id_width=2, **(dma or {})))
        self.bus.add_master("debug", wishbone.Interface(32, address_width=32, addressing="byte"))
        self.bus.add_master("jtag", AXILiteInterface(32, 32))
        self.bus.add_master("old", ahb.AHBInterface())
        for at, (name, slave) in enumerate({
            "mem": AXIInterface(128, 32), "regs": AXILiteInterface(64, 32),
            "uart": wishbone.Interface(8, address_width=32), "small": wishbone.Interface(32, address_width=32),
        }.items()):
            self.bus.add_slave(name, slave, SoCRegion(0x4000_0000 + 0x1_0000 * at, 0x100 << 4 * at % 8))


def main(folder, arguments):
    os.chdir(folder)
    platform = SimPlatform("SIM", [(name, 0, Pins(1)) for name in ["sys_clk", "sys_rst"]], name="top")
    try:
        platform.get_verilog(SoC(platform, **json.loads(arguments)), name="top").write("top.v")
    except Refused as why:
        sys.exit(f"refused: {why}")
    with open("top.f", "w", encoding="utf-8") as file:
        file.writelines(f"{source}\n" for source, *_ in platform.sources)


main(*sys.argv[1:])
