// hypercube_2_ecube_addresses
// Addresses of the terminals on tdest, for Verilog.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 46bdcb3846e77c50
`ifndef HYPERCUBE_2_ECUBE_ADDRESSES_VH
`define HYPERCUBE_2_ECUBE_ADDRESSES_VH

// Bits of tdest, and of a terminal's tdata.
`define HYPERCUBE_2_ECUBE_ADDRESS_BITS 2
`define HYPERCUBE_2_ECUBE_DATA_WIDTH 32

// Each terminal's address.
`define HYPERCUBE_2_ECUBE_00_ADDRESS 2'd0
`define HYPERCUBE_2_ECUBE_01_ADDRESS 2'd1
`define HYPERCUBE_2_ECUBE_10_ADDRESS 2'd2
`define HYPERCUBE_2_ECUBE_11_ADDRESS 2'd3

// Each terminal's slice of the s_axis and of the m_axis ports: [slice*W +: W] of a port of W bits
// per terminal.
`define HYPERCUBE_2_ECUBE_00_S_AXIS 0
`define HYPERCUBE_2_ECUBE_00_M_AXIS 0
`define HYPERCUBE_2_ECUBE_01_S_AXIS 1
`define HYPERCUBE_2_ECUBE_01_M_AXIS 1
`define HYPERCUBE_2_ECUBE_10_S_AXIS 2
`define HYPERCUBE_2_ECUBE_10_M_AXIS 2
`define HYPERCUBE_2_ECUBE_11_S_AXIS 3
`define HYPERCUBE_2_ECUBE_11_M_AXIS 3

`endif
