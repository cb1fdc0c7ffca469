/*
 * hypercube_2_ecube_addresses
 * Addresses of the terminals on tdest, for C and C++.
 *
 * Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
 * Turnpike 0.1.0, digest cfc8ae7daa664ff4
 */
#ifndef HYPERCUBE_2_ECUBE_ADDRESSES_H
#define HYPERCUBE_2_ECUBE_ADDRESSES_H

/* Bits of tdest, and of a terminal's tdata. */
#define HYPERCUBE_2_ECUBE_ADDRESS_BITS 2
#define HYPERCUBE_2_ECUBE_DATA_WIDTH 32

/* Each terminal's address. */
#define HYPERCUBE_2_ECUBE_00_ADDRESS 0
#define HYPERCUBE_2_ECUBE_01_ADDRESS 1
#define HYPERCUBE_2_ECUBE_10_ADDRESS 2
#define HYPERCUBE_2_ECUBE_11_ADDRESS 3

/* Each terminal's slice of the s_axis and of the m_axis ports, which is W bits from slice * W up of a
 * port of W bits per terminal. */
#define HYPERCUBE_2_ECUBE_00_S_AXIS 0
#define HYPERCUBE_2_ECUBE_00_M_AXIS 0
#define HYPERCUBE_2_ECUBE_01_S_AXIS 1
#define HYPERCUBE_2_ECUBE_01_M_AXIS 1
#define HYPERCUBE_2_ECUBE_10_S_AXIS 2
#define HYPERCUBE_2_ECUBE_10_M_AXIS 2
#define HYPERCUBE_2_ECUBE_11_S_AXIS 3
#define HYPERCUBE_2_ECUBE_11_M_AXIS 3

#endif
