"""Two VexRiscv processors that talk over a Turnpike network, in LiteX.

CPU 0 sends numbers. CPU 1, in a clock of its own, answers each with three times as much and one. CPU 0
adds the answers up, and reads from the network's counters how many flits it sent.

    pip install litex migen pythondata-cpu-vexriscv
    PYTHONPATH=cli/python python3 docs/examples/litex_two_cpus.py build

It writes `build/top.v` and the list `build/top.f` of all Verilog files. `top` has `sys_clk`, `sys_rst`,
`io_clk`, `done`, and the results `total` and `flits`.
"""

import os
import sys

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.cores.cpu.vexriscv import VexRiscv
from litex.soc.interconnect import axi, wishbone
from migen import ClockDomain, ClockDomainsRenamer, If

from rv32i import add, addi, bne, lui, lw, sw
from turnpike_litex import Fabric

NUMBERS = 20
SEND, TAKE, TOTAL, FLITS, COUNTERS = 0x8000_0000, 0x8000_0100, 0x8000_0200, 0x8000_0204, 0x9000_0000
IOS = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("io_clk", 0, Pins(1)),
       ("done", 0, Pins(1)), ("total", 0, Pins(32)), ("flits", 0, Pins(32))]


# ---- Programs ------------------------------------------------------------------------------------

def asks(to, counter):
    """Sends 1 to NUMBERS to the terminal of address `to`, adds the answers up, and reads a counter."""
    return [
        lui(1, SEND), lui(2, COUNTERS), addi(3, 0, 0), addi(4, 0, 0), addi(5, 0, NUMBERS),
        addi(3, 3, 1), sw(3, 1, 4 * to), lw(6, 1, TAKE - SEND), add(4, 4, 6), bne(3, 5, -16),
        lw(7, 2, counter), sw(7, 1, FLITS - SEND), sw(4, 1, TOTAL - SEND), bne(5, 0, 0),
    ]


def answers(to):
    """Answers x with 3 x + 1, for ever."""
    return [
        lui(1, SEND), addi(5, 0, 1), lw(6, 1, TAKE - SEND), add(7, 6, 6), add(7, 7, 6), addi(7, 7, 1),
        sw(7, 1, 4 * to), bne(5, 0, -20),
    ]


# ---- Hardware ------------------------------------------------------------------------------------

class Port(LiteXModule):
    """A processor's way into the network: a word written to 4 d is a packet to the terminal with
    address d, and the processor waits until it is taken. A read waits for a packet."""

    def __init__(self, terminal):
        self.send = send = wishbone.Interface()
        self.take = take = wishbone.Interface()
        sink, source = terminal.sink, terminal.source
        self.comb += [
            sink.valid.eq(send.cyc & send.stb & send.we),
            sink.dest.eq(send.adr),
            sink.data.eq(send.dat_w),
            sink.last.eq(1),
            send.ack.eq(sink.valid & sink.ready),
            source.ready.eq(take.cyc & take.stb & ~take.we),
            take.dat_r.eq(source.data),
            take.ack.eq(source.valid & source.ready),
        ]


class Results(LiteXModule):
    """What CPU 0 found, at its pins: the second word it writes is the last."""

    def __init__(self, platform):
        self.bus = bus = wishbone.Interface()
        total, flits, done = (platform.request(name) for name in ["total", "flits", "done"])
        self.comb += bus.ack.eq(bus.cyc & bus.stb)
        self.sync += If(bus.ack & bus.we,
                        If(bus.adr[0], flits.eq(bus.dat_w)).Else(total.eq(bus.dat_w), done.eq(1)))


class Node(LiteXModule):
    """A processor with its program and its port, and what else its bus has: (first address, bus)."""

    def __init__(self, platform, program, terminal, others=()):
        self.cpu = VexRiscv(platform, variant="minimal")
        self.cpu.set_reset_address(0)
        self.rom = wishbone.SRAM(4 * len(program), read_only=True, init=program)
        self.port = Port(terminal)
        at = lambda origin, bits: lambda address: address[bits - 2:30] == origin >> bits
        slaves = [(at(SEND, 8), self.port.send), (at(TAKE, 8), self.port.take),
                  *((at(origin, 8), bus) for origin, bus in others)]
        self.fetch = wishbone.InterconnectPointToPoint(self.cpu.ibus, self.rom.bus)
        self.data = wishbone.Decoder(self.cpu.dbus, slaves, register=False)


class Top(LiteXModule):
    """Two processors at opposite corners of a 2x2 mesh."""

    def __init__(self, platform):
        self.noc = noc = Fabric(
            platform, "noc", "mesh", clocks={"io_clk": "io"},
            shape="2x2", width=32, terminal_clock=["1_1=io_clk"], counters=True)
        self.cd_sys = ClockDomain()
        self.cd_io = ClockDomain()
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
            self.cd_io.clk.eq(platform.request("io_clk")),
            self.cd_io.rst.eq(noc.resets["io_clk"]),
        ]
        cpu0, cpu1 = noc.terminals["0_0"], noc.terminals["1_1"]
        self.comb += [noc.terminals[name].source.ready.eq(1) for name in ["0_1", "1_0"]]
        counters = wishbone.Interface()
        self.bridge = axi.Wishbone2AXILite(counters, noc.counters, base_address=COUNTERS)
        self.results = Results(platform)
        self.node0 = Node(platform, asks(cpu1.address, cpu0.sink_counters), cpu0,
                          [(TOTAL, self.results.bus), (COUNTERS, counters)])
        self.node1 = ClockDomainsRenamer("io")(Node(platform, answers(cpu0.address), cpu1))


def main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    platform = SimPlatform("SIM", IOS, name="top")
    platform.get_verilog(Top(platform), name="top").write("top.v")
    with open("top.f", "w", encoding="utf-8") as file:
        for source, *_ in platform.sources:
            print(source, file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
