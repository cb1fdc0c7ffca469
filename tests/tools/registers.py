"""What is in a register map in SystemRDL, as JSON: registers.py MAP HEADER

Byte address of each register by its path, its fields with their bits and what software may do, as
systemrdl-compiler reads them. HEADER is written by peakrdl-cheader: what users make of the map.
"""

import json
import sys

from peakrdl_cheader.exporter import CHeaderExporter
from systemrdl import RDLCompiler, RDLWalker
from systemrdl.messages import MessagePrinter
from systemrdl.node import RegNode
from systemrdl.walker import RDLListener


class Silent(MessagePrinter):
    """Keeps every message, also of a warning."""

    messages = []

    def print_message(self, severity, text, src_ref):
        self.messages.append(f"{severity.name}: {text}")


class Registers(RDLListener):
    """Gathers registers."""

    def __init__(self):
        self.found = {}

    def enter_Reg(self, node: RegNode):
        fields = {
            field.inst_name: {
                "bits": [field.high, field.low],
                "read": field.is_sw_readable,
                "write": field.is_sw_writable,
                "reset": field.get_property("reset"),
                "about": field.get_property("desc"),
            }
            for field in node.fields()
        }
        path = node.get_path().split(".", 1)[1]
        self.found[path] = {"address": node.absolute_address, "fields": fields}


def main(path, header):
    printer = Silent()
    compiler = RDLCompiler(message_printer=printer)
    compiler.compile_file(path)
    root = compiler.elaborate()
    registers = Registers()
    RDLWalker(unroll=True).walk(root, registers)
    CHeaderExporter().export(root, path=header)
    found = {"name": root.top.inst_name, "registers": registers.found, "messages": printer.messages}
    print(json.dumps(found))


main(*sys.argv[1:])
