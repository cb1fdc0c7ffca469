"""What is in an IP-XACT component, as JSON: ipxact.py SCHEMA COMPONENT MODULE VERILOG...

Names, ports and files as ipyxact reads them, bus interfaces as ElementTree does, what the schema
finds wrong, and the ports of the module as slang has them.
"""

import json
import sys
from xml.etree import ElementTree

from ipyxact.ipyxact import Component
from lxml import etree
from pyslang.ast import Compilation
from pyslang.syntax import SyntaxTree

NAMESPACE = {"i": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
DIRECTIONS = {"In": "in", "Out": "out"}


def schema_errors(schema, component):
    """What the schema finds wrong."""
    schema = etree.XMLSchema(etree.parse(schema))
    schema.validate(etree.parse(component))
    return [f"line {error.line}: {error.message}" for error in schema.error_log]


def read_ports(component):
    """Direction and width of each port of a component."""
    ports = {}
    for port in component.model.ports.port:
        vectors = port.wire.vectors.vector if port.wire.vectors else []
        width = 1 + sum(int(vector.left) - int(vector.right) for vector in vectors)
        ports[port.name] = [port.wire.direction, width]
    return ports


def bits(range_, width):
    """The highest and the lowest bit of a range; of all where there is none."""
    if range_ is None:
        return [width - 1, 0]
    return [int(range_.findtext(f"i:{end}", namespaces=NAMESPACE)) for end in ["left", "right"]]


def read_interfaces(component, ports):
    """Type, mode and port maps of each bus interface."""
    interfaces = {}
    for interface in ElementTree.parse(component).iterfind(".//i:busInterface", NAMESPACE):
        maps = {}
        for map_ in interface.iterfind(".//i:portMap", NAMESPACE):
            port = map_.findtext("i:physicalPort/i:name", namespaces=NAMESPACE)
            part = map_.find("i:physicalPort/i:partSelect/i:range", NAMESPACE)
            maps[map_.findtext("i:logicalPort/i:name", namespaces=NAMESPACE)] = {
                "port": port,
                "bits": bits(part, ports.get(port, [None, 0])[1]),
                "logical": bits(map_.find("i:logicalPort/i:range", NAMESPACE), 1),
                "inverted": map_.get("invert") == "true",
            }
        modes = ["slave", "master"]
        type_ = interface.find("i:busType", NAMESPACE)
        interfaces[interface.findtext("i:name", namespaces=NAMESPACE)] = {
            "type": [type_.get(part) for part in ["vendor", "library", "name", "version"]],
            "mode": [mode for mode in modes if interface.find(f"i:{mode}", NAMESPACE) is not None],
            "maps": maps,
        }
    return interfaces


def number(text):
    """A number in the notation of SystemVerilog, of which a component has hexadecimal ones."""
    return int(text.removeprefix("'h"), 16)


def read_addresses(component):
    """Segments of each address space, and parts of each memory map: interface, first and count."""
    tree = ElementTree.parse(component)

    def find(at, name):
        return at.findtext(f"i:{name}", namespaces=NAMESPACE)

    spaces, maps = {}, {}
    for space in tree.iterfind(".//i:addressSpace", NAMESPACE):
        spaces[find(space, "name")] = {
            find(segment, "name"): [number(find(segment, "addressOffset")), number(find(segment, "range"))]
            for segment in space.iterfind("i:segments/i:segment", NAMESPACE)
        }
    for map_ in tree.iterfind(".//i:memoryMap", NAMESPACE):
        parts = maps[find(map_, "name")] = []
        for part in map_.iterfind("i:subspaceMap", NAMESPACE):
            master, segment = part.get("masterRef"), part.get("segmentRef")
            parts.append([master, number(find(part, "baseAddress")), spaces[master][segment][1]])
        for part in map_.iterfind("i:addressBlock", NAMESPACE):
            parts.append([None, number(find(part, "baseAddress")), number(find(part, "range"))])
    return spaces, maps


def module_ports(files, top):
    """Direction and width of each port of a module."""
    compilation = Compilation()
    for file in files:
        compilation.addSyntaxTree(SyntaxTree.fromFile(file))
    module = next(at for at in compilation.getRoot().topInstances if at.name == top)
    return {port.name: [DIRECTIONS[port.direction.name], port.type.bitWidth]
            for port in module.body.portList}


def main(schema, file, top, *verilog):
    component = Component()
    component.load(file)
    ports = read_ports(component)
    spaces, maps = read_addresses(file)
    files = [entry.name for set_ in component.fileSets.fileSet for entry in set_.file]
    print(json.dumps({
        "core": ":".join([component.vendor, component.library, component.name, component.version]),
        "ports": ports,
        "files": files,
        "interfaces": read_interfaces(file, ports),
        "spaces": spaces,
        "maps": maps,
        "errors": schema_errors(schema, file),
        "module": module_ports(verilog, top),
    }))


main(*sys.argv[1:])
