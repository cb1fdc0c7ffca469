# hypercube_2_ecube_cocotb
# Example of a test by cocotb and cocotbext-axi: `python3 hypercube_2_ecube_cocotb.py icarus`, or
# verilator; `make cocotb`. Packets from each terminal to each that it sends to, with pauses.
#
# Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
# Turnpike 0.1.0, digest beb570a6302f4453

import logging
import os
import random
import sys
import warnings
from pathlib import Path

# cocotbext-axi 0.1.28 is of cocotb 1.
warnings.filterwarnings("ignore", category=DeprecationWarning, module="cocotbext")

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge
from cocotb.types import LogicArray
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from hypercube_2_ecube_addresses import TERMINALS

NAME = "hypercube_2_ecube"
RESET, RESET_ACTIVE = "rst", 1
# Clocks, with their periods in nanoseconds.
CLOCKS = {"clk": 10}
# Whether packets of one source to one destination arrive in order.
IN_ORDER = True
# Terminals whose switch failed.
FAILED = []

SOURCES = [name for name, at in TERMINALS.items() if at["s_axis"] is not None]
SINKS = [name for name, at in TERMINALS.items() if at["m_axis"] is not None]
# The terminals that each terminal sends to.
DESTINATIONS = {name: [to for to in SINKS if to not in FAILED] for name in SOURCES}

# Pairs of terminals that send, at most; packets of each pair; bits that tell packets apart; cycles
# in which all have to arrive.
PAIRS = 2000
PACKETS = 2
BITS = 64
CYCLES = 200000


class Slice:
    """A terminal's bits of a port that all terminals share, used as a signal."""

    driven = {}

    def __init__(self, port, slice, terminals):
        self.port, self.width = port, len(port) // terminals
        self.low = slice * self.width

    def __len__(self):
        return self.width

    @property
    def value(self):
        value = self.port.value
        return value[self.low] if self.width == 1 else value[self.low + self.width - 1 : self.low]

    @value.setter
    def value(self, value):
        unknown = isinstance(value, LogicArray) and not value.is_resolvable
        mask = (1 << self.width) - 1
        bits = (0 if unknown else int(value)) & mask
        others = self.driven.get(self.port._path, 0) & ~(mask << self.low)
        self.driven[self.port._path] = others | bits << self.low
        self.port.value = self.driven[self.port._path]

    setimmediatevalue = value.fset


class SliceBus:
    """A terminal's slices of the ports of a side, used as a bus."""

    def __init__(self, dut, side, slice, terminals):
        self._entity, self._name = dut, f"{side}_{slice}"
        self._signals, self._optional_signals = {}, {}
        for signal in ["tvalid", "tready", "tdata", "tlast", "tdest", "tid", "tuser", "tkeep"]:
            port = getattr(dut, f"{side}_{signal}", None)
            if port is not None:
                self._signals[signal] = port if terminals == 1 else Slice(port, slice, terminals)
                setattr(self, signal, self._signals[signal])


class ClockedSink(AxiStreamSink):
    """A sink that wakes in every cycle: a slice has no edges of its own."""

    async def _run_tvalid_monitor(self):
        while True:
            await FallingEdge(self.clock)
            self.wake_event.set()

    async def _run_tready_monitor(self):
        pass


def end(dut, side, name, kind):
    """A source or sink at a terminal's stream."""
    place = TERMINALS[name][side]
    if isinstance(place, str):
        bus = AxiStreamBus.from_prefix(dut, place)
    else:
        bus = SliceBus(dut, side, place, len(SOURCES if side == "s_axis" else SINKS))
    lanes = {} if hasattr(bus, "tkeep") else {"byte_lanes": 1}
    clock = getattr(dut, TERMINALS[name].get("clock", "clk"))
    reset = getattr(dut, TERMINALS[name].get("reset", RESET))
    return kind(bus, clock, reset, bool(RESET_ACTIVE), **lanes)


def number(words, bits):
    """Words of these bits as one number, the first lowest: the same on both sides of a converter."""
    return sum(word << bits * place for place, word in enumerate(words))


def pauses(generator):
    """Pauses of one to eight cycles and as many cycles between them."""
    while True:
        for pause in [True, False]:
            yield from [pause] * generator.randint(1, 8)


@cocotb.test()
async def packets_of_every_pair_arrive(dut):
    """Packets from each terminal to each that it sends to, with pauses on both sides."""
    logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
    generator = random.Random(1)
    pairs = [(source, to) for source in SOURCES if source not in FAILED
             for to in DESTINATIONS.get(source, [])]
    if len(pairs) > PAIRS:
        pairs = generator.sample(pairs, PAIRS)
    reset = getattr(dut, RESET)
    reset.value = RESET_ACTIVE
    sources = {name: end(dut, "s_axis", name, AxiStreamSource) for name in SOURCES}
    sinks = {name: end(dut, "m_axis", name, ClockedSink) for name in SINKS}
    for clock, period in CLOCKS.items():
        cocotb.start_soon(Clock(getattr(dut, clock), period, unit="ns").start())
    for clock in CLOCKS:
        await ClockCycles(getattr(dut, clock), 8)
    reset.value = 1 - RESET_ACTIVE
    for at in [*sources.values(), *sinks.values()]:
        at.set_pause_generator(pauses(random.Random(generator.random())))

    waiting = {}
    for packet in range(PACKETS):
        for source, to in generator.sample(pairs, len(pairs)):
            unit = sources[source].byte_size
            length = -(-BITS // unit) + generator.randint(0, 3)
            data = tuple(generator.getrandbits(unit) for _ in range(length))
            waiting[number(data, unit)] = (source, to, packet)
            address = TERMINALS[to]["address"]
            await sources[source].send(AxiStreamFrame(list(data), tdest=address))

    last = dict.fromkeys(pairs, -1)
    for _ in range(CYCLES):
        for name, sink in sinks.items():
            while not sink.empty():
                frame = sink.recv_nowait()
                data = number(frame.tdata, sink.byte_size)
                source, to, packet = waiting.pop(data, (None, None, None))
                assert to == name, f"at {name} arrived a packet from {source} to {to}"
                assert not IN_ORDER or packet > last[source, to], f"{source} to {to}: out of order"
                last[source, to] = packet
                if hasattr(sink.bus, "tid"):
                    assert frame.tid == TERMINALS[source]["address"], f"from {source}: tid {frame.tid}"
        if not waiting:
            break
        await RisingEdge(dut.clk)
    assert not waiting, f"{len(waiting)} packets did not arrive: {list(waiting.values())[:5]} ..."
    cocotb.log.info("%d packets of %d pairs arrived", PACKETS * len(pairs), len(pairs))


def main(simulator):
    """Builds the fabric and runs the tests on a simulator: `icarus`, `verilator` ..."""
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    folder = Path(__file__).resolve().parent
    build = folder / "build" / f"cocotb_{simulator}"
    runner = get_runner(simulator)
    files = (folder / f"{NAME}.f").read_text().split()
    # Python takes longer than the model, and the compiler longer than both.
    options = ["-CFLAGS", os.environ.get("CFLAGS", "-O0")] if simulator == "verilator" else []
    runner.build(sources=[folder / file for file in files], hdl_toplevel=NAME, build_dir=build,
                 build_args=options, timescale=("1ns", "1ps"), always=True)
    results = runner.test(test_module=f"{NAME}_cocotb", hdl_toplevel=NAME, build_dir=build,
                          extra_env={"PYTHONDONTWRITEBYTECODE": "1", "GPI_LOG_LEVEL": "ERROR"})
    tests, failed = get_results(results)
    print(f"{'FAIL' if failed or not tests else 'PASS'}: {tests} tests, {failed} failed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SIM", "icarus"))
