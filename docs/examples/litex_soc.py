"""A LiteX SoC whose bus is a Turnpike network: a VexRiscv with its memories and peripherals, and a second
VexRiscv that writes and reads the same memory meanwhile.

    pip install litex migen pythondata-cpu-vexriscv
    PYTHONPATH=cli/python python3 docs/examples/litex_soc.py build

writes `build/top.v` and the list `build/top.f` of all Verilog files, for `litex_soc_tb.v`. The first
processor tests main memory, waits for the second, and says what it found over the UART. With `--bios` it
runs the BIOS of LiteX; that needs a compiler for RISC-V, meson, ninja, pythondata-software-picolibc and
pythondata-software-compiler-rt. `--bus` is the protocol of the bus; with `--litex` the interconnect is
LiteX's own.
"""

import argparse
import os

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.soc.cores.cpu.vexriscv import VexRiscv
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import wishbone

from rv32i import add, addi, blt, bne, lui, lw, sw
from turnpike_litex_bus import put_on_network

SERIAL = [Subsignal(f"{way}_{signal}", Pins(bits)) for way in ["source", "sink"]
          for signal, bits in [("valid", 1), ("ready", 1), ("data", 8)]]
IOS = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("serial", 0, *SERIAL)]

MAIN_RAM, MAIN_RAM_SIZE = 0x4000_0000, 0x1_0000
HAMMER_ROM, HAMMERED, MAIL = 0x2000_0000, MAIN_RAM + MAIN_RAM_SIZE // 2, 0x9000_0000
UART = 0xF000_0000 + 2 * 0x800
TESTED = 0x2000
# A cache of instructions, and none of data: what is read is what the memory holds. The modules of all
# variants have one name, so there is one variant.
CPU = "lite"


# ---- Programs ------------------------------------------------------------------------------------

def says(text):
    """Writes a text to the UART, whose address is in register 1."""
    return [word for character in text for word in [addi(5, 0, ord(character)), sw(5, 1, 0)]]


def tests():
    """Writes main memory, reads it back, waits until the other processor has counted to 100, and says
    whether all was right. Stops at a word that is wrong."""
    loop = [addi(2, 2, 4), add(3, 3, 4)]
    return [
        lui(1, UART),
        lui(4, 0x9E37_8000), addi(4, 4, 0x79),
        lui(6, MAIN_RAM + TESTED),
        lui(2, MAIN_RAM), addi(3, 0, 1), sw(3, 2, 0), *loop, bne(2, 6, -12),
        lui(2, MAIN_RAM), addi(3, 0, 1), lw(5, 2, 0), bne(5, 3, 0), *loop, bne(2, 6, -16),
        *says("memory right"),
        lui(2, MAIL), addi(4, 0, 100), lw(5, 2, 0), blt(5, 4, -4),
        *says(", twice\n"), bne(1, 0, 0),
    ]


def hammers():
    """Counts in a word of main memory and says in the mailbox how far. Stops at a word that is wrong."""
    return [
        lui(1, HAMMERED), lui(2, MAIL), addi(3, 0, 0),
        addi(3, 3, 1), sw(3, 1, 0), lw(4, 1, 0), bne(3, 4, 0), sw(3, 2, 0), bne(3, 0, -20),
    ]


# ---- Hardware ------------------------------------------------------------------------------------

class SoC(SoCCore):
    csr_map = {"uart": 2}

    def __init__(self, platform, bus, rom):
        super().__init__(
            platform, clk_freq=int(1e6), bus_standard=bus, cpu_variant=CPU, ident="LiteX on Turnpike", uart_name="sim",
            integrated_rom_size=0x1_0000, integrated_rom_init=rom,
            integrated_sram_size=0x2000, integrated_main_ram_size=MAIN_RAM_SIZE)
        # The second processor writes in the other half.
        self.add_constant("MEMTEST_DATA_SIZE", MAIN_RAM_SIZE // 2)
        self.crg = CRG(platform.request("sys_clk"), platform.request("sys_rst"))
        self.hammer = VexRiscv(platform, variant=CPU)
        self.hammer.set_reset_address(HAMMER_ROM)
        for name, master in [("hammer_bus0", self.hammer.ibus), ("hammer_bus1", self.hammer.dbus)]:
            self.bus.add_master(name, master)
        program = hammers()
        self.hammer_rom = wishbone.SRAM(0x1000, read_only=True, init=program)
        self.mail = wishbone.SRAM(0x1000)
        self.bus.add_slave("hammer_rom", self.hammer_rom.bus, SoCRegion(HAMMER_ROM, 0x1000))
        self.bus.add_slave("mail", self.mail.bus, SoCRegion(MAIL, 0x1000, cached=False))

    def build(self, **_):
        """Writes the Verilog and the list of its files; what LiteX would do is call a simulator."""
        output = self.platform.get_verilog(self, name="top")
        output.write("top.v")
        with open("top.f", "w", encoding="utf-8") as file:
            file.writelines(f"{source}\n" for source, *_ in self.platform.sources)
        return output.ns


# Who is at which switch of the mesh, two at a switch.
PLACES = {
    "cpu_bus0": "0_0", "cpu_bus1": "0_0", "rom": "1_0", "sram": "1_0", "csr": "0_1",
    "main_ram": "1_1", "mail": "2_1", "hammer_bus0": "2_0", "hammer_bus1": "2_0", "hammer_rom": "2_1",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--bios", action="store_true", help="run the BIOS of LiteX")
    parser.add_argument("--bus", choices=["wishbone", "axi-lite", "axi"], default="wishbone")
    parser.add_argument("--litex", action="store_true", help="LiteX's own interconnect")
    given = parser.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    os.chdir(given.folder)
    platform = SimPlatform("SIM", IOS, name="top")
    soc = SoC(platform, given.bus, [] if given.bios else tests())
    if not given.litex:
        put_on_network(soc, "mesh", PLACES, shape="3x2")
    if given.bios:
        Builder(soc, output_dir="soc").build()
    else:
        soc.build()


if __name__ == "__main__":
    main()
