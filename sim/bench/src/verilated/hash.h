// The stateless hashes of stimulus and digests: the same as sim/network/src/hash.rs.
#ifndef TURNPIKE_HASH_H
#define TURNPIKE_HASH_H

#include <cstdint>
#include <initializer_list>

namespace turnpike {

// One round of splitmix64.
inline uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A seed and a list of words.
inline uint64_t hash(uint64_t seed, std::initializer_list<uint64_t> words) {
  for (uint64_t word : words) seed = mix(seed ^ word);
  return seed;
}

// FNV-1a over bytes, 64 bits.
struct Fnv {
  uint64_t value = 0xcbf29ce484222325;

  void byte(uint8_t byte) { value = (value ^ byte) * 0x100000001b3; }

  // The low `count` bytes of a word, the least significant first.
  void bytes(uint64_t word, unsigned count) {
    for (unsigned i = 0; i < count; ++i) byte(static_cast<uint8_t>(word >> (8 * i)));
  }
};

}  // namespace turnpike

#endif
