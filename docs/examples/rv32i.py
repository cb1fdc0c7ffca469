"""Instructions of RV32I, for the programs of the examples: what an assembler would make of them."""


def lui(rd, value):
    return value & 0xFFFF_F000 | rd << 7 | 0x37


def addi(rd, rs, value):
    return (value & 0xFFF) << 20 | rs << 15 | rd << 7 | 0x13


def add(rd, rs, rt):
    return rt << 20 | rs << 15 | rd << 7 | 0x33


def lw(rd, rs, offset):
    return offset << 20 | rs << 15 | 2 << 12 | rd << 7 | 0x03


def sw(rt, rs, offset):
    return (offset >> 5) << 25 | rt << 20 | rs << 15 | 2 << 12 | (offset & 31) << 7 | 0x23


def bne(rs, rt, offset):
    return _branch(1, rs, rt, offset)


def blt(rs, rt, offset):
    return _branch(4, rs, rt, offset)


def _branch(kind, rs, rt, offset):
    high = (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25
    return high | rt << 20 | rs << 15 | kind << 12 | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63
