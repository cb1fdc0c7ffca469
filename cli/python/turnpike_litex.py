"""Interconnection networks in a LiteX design: a module that has Turnpike write the Verilog, and gives
each terminal's streams as LiteX has them.

    from turnpike_litex import Fabric

    self.noc = noc = Fabric(platform, "noc", "soc.system", width=64)
    self.comb += [
        dma.source.connect(noc.terminals["dma"].sink, omit={"dest"}),
        noc.terminals["dma"].sink.dest.eq(noc.terminals["mem"].address),
        noc.terminals["mem"].source.connect(mem.sink),
    ]
"""

import json
import os
import subprocess
from xml.etree import ElementTree

from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXILiteInterface, AXIStreamInterface
from migen import ClockSignal, Instance, ResetSignal, Signal

from turnpike_program import Refused, program, words

IPXACT = {"i": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


class Terminal:
    """A terminal of a fabric.

    `address` is what a packet to it has as `dest`. `sink` takes its packets into the network, `source`
    gives those that arrive for it: AXIStreamInterfaces of `width` bits in `clock_domain`, or None where
    the terminal does not send or does not take. `error` is high while the first beat of a packet to
    nobody is taken. `sink_counters` and `source_counters` are the byte addresses of the streams'
    registers, where there are counters.
    """

    def __init__(self, manifest, clock_domain):
        self.name = manifest["name"]
        self.address = manifest["address"]
        self.width = manifest["width"]
        self.clock_domain = clock_domain
        self.sink = self.source = self.error = None
        self.sink_counters = manifest.get("s_axis", {}).get("counters")
        self.source_counters = manifest.get("m_axis", {}).get("counters")


class Fabric(LiteXModule):
    """The fabric of `turnpike generate TOPOLOGY`, as module NAME.

    `topology` is a name of `turnpike list`, or a file such as `soc.system`. Options are those of the
    command line, with `_` for `-`: `width=64`, `terminal_width=["uart=8"]`, `counters=True`. The folder
    with the Verilog is `folder`, by default `build/NAME`; its files are added to `platform`. The
    network is in the domain `sys`. `clocks` says the domain of each clock that terminals have of their
    own: `{"io_clk": "io"}`.

    `terminals` has each Terminal by its name; with message classes by that of each of its streams, such
    as `mem_reply`. `resets` has, by clock, the signal `rst` that holds what is at its terminals under
    reset. `condition` is that under which the network is free of deadlock. With counters, `counters` is
    their AXILiteInterface and `hang` the watchdog's signal; else both are None.

    Raises `turnpike_program.Refused`, with what the program said, where there is no such fabric.
    """

    # Ports that the fabric has where nothing else is said.
    GIVEN = {"ports": "named"}

    def __init__(self, platform, name, topology, clocks=None, folder=None, **options):
        self.folder = folder or os.path.join("build", name)
        self.terminals, self.resets = {}, {}
        self.counters = self.hang = None
        self._generate(name, topology, options)
        with open(os.path.join(self.folder, f"{name}.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self._inside = self._ports(name)
        self.condition = manifest["deadlock_free_condition"]
        if "aresetn" in self._inside:
            self._nets = {"i_clk": ClockSignal("sys"), "i_aresetn": ~ResetSignal("sys")}
        else:
            self._nets = {"i_clk": ClockSignal("sys"), "i_rst": ResetSignal("sys")}

        self._add_ports(manifest, clocks or {})
        if "hang" in self._inside:
            self._add_counters()
        self.specials += Instance(name, **self._nets)
        for file in manifest["files"]:
            platform.add_source(os.path.join(self.folder, file))

    def _generate(self, name, topology, options):
        """Has the program write the folder."""
        given = {**self.GIVEN, **options, "name": name}
        if given.get("ports", "named") != "named":
            raise Refused("a LiteX design takes fabrics with ports=\"named\" alone, which is the default here")
        line = [program(), "generate", str(topology), *words(given), f"--out={self.folder}"]
        run = subprocess.run(line, capture_output=True, text=True)
        if run.returncode != 0:
            why = run.stderr.strip()
            if "ports" in given and "generate --ends" in why:
                why += "\nFabric has streams; turnpike_litex_bus.Ends has memory-mapped ends"
            raise Refused(why)

    def _ports(self, name):
        """Bits of each port, as the folder's IP-XACT component has them."""
        file = os.path.join(self.folder, f"{name}.xml")
        if not os.path.exists(file):
            raise Refused(f"fabric '{name}' has no terminals with streams of their own; "
                          "use a switched one, whose packets have addresses")
        bits = {}
        for port in ElementTree.parse(file).iterfind(".//i:port", IPXACT):
            vector = port.find(".//i:vector/i:left", IPXACT)
            bits[port.findtext("i:name", namespaces=IPXACT)] = 1 if vector is None else 1 + int(vector.text)
        return bits

    def _add_ports(self, manifest, clocks):
        """The streams of each terminal."""
        clocks = self._domains(manifest["terminals"], clocks)
        for entry in manifest["terminals"]:
            self._add_terminal(entry, clocks)

    def _domains(self, terminals, clocks):
        """Domain of each clock; that of the network has no name."""
        resets = {entry["clock"]: entry["clock_reset"] for entry in terminals if "clock" in entry}
        for clock in clocks.keys() - resets.keys():
            raise Refused(f"clock '{clock}' is of no terminal; there are: {', '.join(sorted(resets)) or 'none'}")
        for clock, reset in resets.items():
            if clock not in clocks:
                raise Refused(f"terminals are in the clock '{clock}'; say its domain: "
                              f"clocks={{\"{clock}\": \"DOMAIN\"}}")
            self.resets[clock], port = Signal(), Signal()
            self.comb += self.resets[clock].eq(~port if reset.endswith("n") else port)
            self._nets |= {f"i_{clock}": ClockSignal(clocks[clock]), f"o_{reset}": port}
        return {None: "sys", **clocks}

    def _add_terminal(self, entry, clocks):
        terminal = self.terminals[entry["name"]] = Terminal(entry, clocks[entry.get("clock")])
        if "s_axis" in entry:
            ports = entry["s_axis"]["ports"]
            terminal.sink = self._stream(ports, terminal, "i", "o")
            terminal.error = Signal()
            self._nets[f"o_{ports}_error"] = terminal.error
        if "m_axis" in entry:
            terminal.source = self._stream(entry["m_axis"]["ports"], terminal, "o", "i")

    def _stream(self, ports, terminal, forward, back):
        """The stream at the ports that begin so."""
        bits = {signal: self._inside.get(f"{ports}_t{signal}", 0)
                for signal in ["data", "keep", "id", "dest", "user"]}
        stream = AXIStreamInterface(
            bits["data"], bits["keep"] or max(1, bits["data"] // 8), bits["id"], bits["dest"],
            bits["user"], terminal.clock_domain)
        self._nets[f"{back}_{ports}_tready"] = stream.ready
        for signal in ["valid", "last", *(signal for signal, width in bits.items() if width)]:
            self._nets[f"{forward}_{ports}_t{signal}"] = getattr(stream, signal)
        if forward == "o" and not bits["keep"]:
            self.comb += stream.keep.eq(2 ** len(stream.keep) - 1)
        return stream

    def _add_counters(self):
        """The registers of the counters, and what the watchdog says."""
        self.hang = self._nets["o_hang"] = Signal()
        # LiteX's bridges have addresses of 32 bits; the registers are at the lowest.
        self.counters = AXILiteInterface(data_width=self._inside["s_axil_wdata"], address_width=32)
        self._connect_channels(self.counters, "s_axil", "i", "o")

    def _connect_channels(self, bus, ports, forward, back):
        """Connects each port of the five channels of AXI4 or AXI4-Lite that is there. `forward` is the
        direction of what the side drives that asks. Bits of addresses that have no port are left out."""
        for channel, (drives, takes) in {
            "aw": (forward, back), "w": (forward, back), "b": (back, forward),
            "ar": (forward, back), "r": (back, forward),
        }.items():
            endpoint, begins = getattr(bus, channel), f"{ports}_{channel}"
            for port, bits in self._inside.items():
                # Another end may be called `cpu_axi_b`.
                if port.startswith(begins) and "_" not in port[len(begins):]:
                    signal = getattr(endpoint, port[len(begins):])
                    way = takes if port == f"{begins}ready" else drives
                    self._nets[f"{way}_{port}"] = signal[:bits]
