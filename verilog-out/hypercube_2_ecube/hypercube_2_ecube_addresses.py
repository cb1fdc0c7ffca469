# hypercube_2_ecube_addresses
# Addresses of the terminals on tdest, for Python.
#
# Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
# Turnpike 0.1.0, digest 77b13b8242cbf3d0

NAME = "hypercube_2_ecube"

# Bits of tdest, and of a terminal's tdata.
HYPERCUBE_2_ECUBE_ADDRESS_BITS = 2
HYPERCUBE_2_ECUBE_DATA_WIDTH = 32

# Each terminal's address.
HYPERCUBE_2_ECUBE_00_ADDRESS = 0
HYPERCUBE_2_ECUBE_01_ADDRESS = 1
HYPERCUBE_2_ECUBE_10_ADDRESS = 2
HYPERCUBE_2_ECUBE_11_ADDRESS = 3

# Each terminal's slice of the s_axis and of the m_axis ports, which is W bits from slice * W up of a
# port of W bits per terminal.
HYPERCUBE_2_ECUBE_00_S_AXIS = 0
HYPERCUBE_2_ECUBE_00_M_AXIS = 0
HYPERCUBE_2_ECUBE_01_S_AXIS = 1
HYPERCUBE_2_ECUBE_01_M_AXIS = 1
HYPERCUBE_2_ECUBE_10_S_AXIS = 2
HYPERCUBE_2_ECUBE_10_M_AXIS = 2
HYPERCUBE_2_ECUBE_11_S_AXIS = 3
HYPERCUBE_2_ECUBE_11_M_AXIS = 3

# Each terminal by name: its address, the bits of its tdata, and its streams in and out. A stream is
# the slice that it has of the s_axis or m_axis ports, or what the names of its own ports begin
# with; None where the terminal has none.
TERMINALS = {
    "00": {"address": 0, "width": 32, "s_axis": 0, "m_axis": 0},
    "01": {"address": 1, "width": 32, "s_axis": 1, "m_axis": 1},
    "10": {"address": 2, "width": 32, "s_axis": 2, "m_axis": 2},
    "11": {"address": 3, "width": 32, "s_axis": 3, "m_axis": 3},
}
