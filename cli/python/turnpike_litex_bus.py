"""Memory-mapped ends in a LiteX design: a fabric whose terminals speak Wishbone, AXI4-Lite or AXI4, and
the bus of a SoC as such a fabric.

    from turnpike_litex_bus import put_on_network

    soc = SoCCore(platform, ...)
    put_on_network(soc, "mesh", shape="2x2", places={
        "cpu_bus0": "0_0", "cpu_bus1": "0_0", "rom": "0_1", "sram": "1_0", "csr": "1_1"})
    Builder(soc).build()
"""

import csv
import os
import tempfile

from litex.gen import LiteXModule
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface
from migen import Cat, Constant, Signal, log2_int

from turnpike_litex import Fabric
from turnpike_program import Refused

# What an interface of LiteX speaks, as the program calls it.
PROTOCOLS = {wishbone.Interface: "wishbone", AXILiteInterface: "axi4-lite", AXIInterface: "axi4"}
# Ranges of addresses are whole pages.
PAGE = 4096


class Ends(Fabric):
    """The fabric of `turnpike generate TOPOLOGY` with memory-mapped ends, as module NAME.

    `topology` is a system whose terminals have a `protocol`, or a name of `turnpike list` with the
    option `ends`. All else is as with Fabric.

    `managers` and `subordinates` have by name the interface of each end: a `wishbone.Interface` that
    counts bytes, an AXILiteInterface or an AXIInterface. A manager's is to be driven by a master, a
    subordinate's drives a slave. They are in the domain `sys`.

    Raises `turnpike_program.Refused`, with what the program said, where there is no such fabric, or
    where LiteX has no interface of a protocol.
    """

    GIVEN = {}

    def _add_ports(self, manifest, clocks):
        if "ends" not in manifest:
            raise Refused(f"fabric '{manifest['name']}' has no memory-mapped ends; "
                          "turnpike_litex.Fabric is for streams")
        if clocks:
            raise Refused("memory-mapped ends are in the clock of the network; leave clocks out")
        ends = manifest["ends"]
        self.managers = {end["name"]: self._end(end, "i", "o") for end in ends["managers"]}
        self.subordinates = {end["name"]: self._end(end, "o", "i") for end in ends["subordinates"]}

    def _end(self, end, forward, back):
        """The interface of an end; `forward` is the direction of what a master drives."""
        ports, bits = end["ports"], end["data_width"]
        if end["protocol"] == "wishbone":
            bus = wishbone.Interface(bits, address_width=self._inside[f"{ports}_adr"], addressing="byte")
            for way, signals in [(forward, ["cyc", "stb", "we", "adr", "dat_w", "sel"]),
                                 (back, ["dat_r", "ack", "err"])]:
                self._nets |= {f"{way}_{ports}_{signal}": getattr(bus, signal) for signal in signals}
            return bus
        if end["protocol"] == "axi4-lite":
            bus = AXILiteInterface(bits, self._inside[f"{ports}_awaddr"])
        elif end["protocol"] == "axi4":
            bus = AXIInterface(bits, self._inside[f"{ports}_awaddr"], id_width=self._inside[f"{ports}_awid"])
        else:
            raise Refused(f"end '{end['name']}' speaks {end['protocol']}, of which LiteX has no interface; "
                          f"use one of: {', '.join(PROTOCOLS.values())}")
        self._connect_channels(bus, ports, forward, back)
        return bus


class Interconnect(Ends):
    """The masters and slaves of a SoC's bus at the ends of a fabric: see `put_on_network`."""

    def __init__(self, soc, topology, name, places, ends, options):
        bus = soc.bus
        rows = self._rows(bus, ends)
        names = [row["name"] for row in rows]
        for what, given in [("places", places), ("ends", ends)]:
            if unknown := given.keys() - set(names):
                raise Refused(f"'{min(unknown)}' in {what} is neither master nor slave of the bus; "
                              f"there are: {', '.join(names)}")
        if missing := [name for name in names if name not in places]:
            raise Refused(f"places do not say where these are: {', '.join(missing)}; "
                          f"give each a switch: places={{\"{missing[0]}\": \"0_0\"}}")
        with tempfile.TemporaryDirectory() as folder:
            tables = {"ends": rows, "places": [{"name": name, "at": places[name]} for name in names]}
            files = {what: os.path.join(folder, f"{what}.csv") for what in tables}
            for what, table in tables.items():
                self._write(files[what], table)
            super().__init__(soc.platform, name, topology, **options, **files)
        for name, master in bus.masters.items():
            self._connect(master, self.managers[name])
        for name, slave in bus.slaves.items():
            self._connect(self.subordinates[name], slave)
        bus.logger.info(f"Interconnect: {name} ({len(bus.masters)} <-> {len(bus.slaves)}), without a time limit; "
                        f"free of deadlock {self.condition}")
        # LiteX's own interconnects count here the accesses that nobody answered.
        self.timeout = LiteXModule()
        self.timeout.error = Signal()
        errors = [self._is_error(manager) for manager in self.managers.values()]
        self.comb += self.timeout.error.eq(Cat(errors) != 0)

    @staticmethod
    def _rows(bus, ends):
        """The rows of the table of ends."""
        rows = []
        for role, all_of in [("manager", bus.masters), ("subordinate", bus.slaves)]:
            for name, interface in all_of.items():
                # Interfaces of Wishbone have neither.
                domain, version = getattr(interface, "clock_domain", "sys"), getattr(interface, "version", "axi4")
                if domain != "sys":
                    raise Refused(f"{role} '{name}' is in the domain '{domain}', and the network in 'sys'; "
                                  "put a crossing of LiteX between them")
                if version != "axi4":
                    raise Refused(f"{role} '{name}' speaks {version}; use AXIInterface(version=\"axi4\")")
                row = {"name": name, "role": role, "protocol": PROTOCOLS[type(interface)],
                       "data-width": interface.data_width}
                if row["protocol"] == "axi4" and role == "manager":
                    row["id-width"] = max(1, interface.id_width)
                if role == "subordinate":
                    region = bus.regions[name]
                    last = region.origin + max(region.size_pow2, PAGE) - 1
                    row["range"] = f"{region.origin:#x}..{last:#x}"
                for column, value in ends.get(name, {}).items():
                    several = isinstance(value, (list, tuple))
                    row[column.replace("_", "-")] = " ".join(map(str, value)) if several else value
                rows.append(row)
        return rows

    @staticmethod
    def _write(file, rows):
        columns = dict.fromkeys(column for row in rows for column in row)
        with open(file, "w", encoding="utf-8", newline="") as out:
            table = csv.DictWriter(out, columns, restval="", lineterminator="\n")
            table.writeheader()
            table.writerows(rows)

    def _connect(self, master, slave):
        """Connects two interfaces of one protocol. Addresses of Wishbone count words or bytes."""
        if not isinstance(master, wishbone.Interface):
            self.comb += master.connect(slave)
            return
        self.comb += master.connect(slave, omit={"adr"})
        lowest = log2_int(master.data_width // 8)
        if master.addressing == "word" and slave.addressing == "byte":
            self.comb += slave.adr.eq(Cat(Constant(0, lowest), master.adr) if lowest else master.adr)
        elif master.addressing == "byte" and slave.addressing == "word":
            self.comb += slave.adr.eq(master.adr[lowest:])
        else:
            self.comb += slave.adr.eq(master.adr)

    @staticmethod
    def _is_error(bus):
        """Whether a master gets an error."""
        if isinstance(bus, wishbone.Interface):
            return bus.err
        taken = [channel.valid & channel.ready & channel.resp[1] for channel in [bus.b, bus.r]]
        return taken[0] | taken[1]


def put_on_network(soc, topology, places, name="soc_bus", ends=None, **options):
    """Puts the bus of a SoC on a network: where LiteX would build its own interconnect, masters and
    slaves are the memory-mapped ends of a fabric.

    Call it before the SoC is finalized. `topology` and `options` are those of Fabric. `places` says at
    which switch each master and slave is: `{"cpu_bus0": "0_0", "rom": "1_0", ...}`; several may be at
    one. `ends` has more columns of `turnpike generate --ends`: `{"main_ram": {"outstanding": 4}}`.
    Masters and slaves that are added after the call keep their protocol and width, for the ends
    convert: no adapter of LiteX stands between. The bus has no time limit then, whatever its `timeout`:
    see the condition that is logged.

    What is wrong is raised as `turnpike_program.Refused` when the SoC is finalized.
    """
    bus, adapt = soc.bus, soc.bus.add_adapter

    def add_adapter(name, interface, direction="m2s"):
        return interface if type(interface) in PROTOCOLS else adapt(name, interface, direction)

    def do_finalize():
        bus._interconnect = Interconnect(soc, topology, name, places, ends or {}, options)

    bus.add_adapter, bus.do_finalize = add_adapter, do_finalize
