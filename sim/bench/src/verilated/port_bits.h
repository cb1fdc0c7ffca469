// Bit slices of Verilator's ports, whatever their C++ type: CData, SData, IData, QData
// or VlWide<N>. All of them are little-endian words, the least significant first, so on
// a little-endian machine each is a string of bytes with bit i in byte i / 8.
#ifndef TURNPIKE_PORT_BITS_H
#define TURNPIKE_PORT_BITS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports are read as bytes");

namespace turnpike {

// Up to 64 bits of a port, from bit `low` upward.
template <class Port>
uint64_t get_bits(const Port& port, size_t low, size_t count) {
  unsigned char bytes[9] = {};
  const size_t first = low / 8, shift = low % 8, wanted = (shift + count + 7) / 8;
  std::memcpy(bytes, reinterpret_cast<const unsigned char*>(&port) + first, wanted);
  uint64_t value;
  std::memcpy(&value, bytes, 8);
  value >>= shift;
  if (shift != 0) value |= static_cast<uint64_t>(bytes[8]) << (64 - shift);
  return count == 64 ? value : value & ((uint64_t{1} << count) - 1);
}

// Sets up to 64 bits of a port, from bit `low` upward; the others stay.
template <class Port>
void set_bits(Port& port, size_t low, size_t count, uint64_t value) {
  unsigned char* bytes = reinterpret_cast<unsigned char*>(&port) + low / 8;
  size_t shift = low % 8;
  while (count != 0) {
    const size_t here = count < 8 - shift ? count : 8 - shift;
    const unsigned mask = ((1u << here) - 1) << shift;
    *bytes = static_cast<unsigned char>((*bytes & ~mask) | ((value << shift) & mask));
    value >>= here;
    count -= here;
    shift = 0;
    ++bytes;
  }
}

// One bit of a port.
template <class Port>
bool get_bit(const Port& port, size_t index) {
  return get_bits(port, index, 1) != 0;
}

}  // namespace turnpike

#endif
