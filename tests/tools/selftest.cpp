// Checks port_bits.h and hash.h, every slice against one bit at a time.

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "hash.h"
#include "port_bits.h"

namespace {

constexpr size_t kBits = 160;

struct Wide {
  uint32_t words[kBits / 32];

  bool bit(size_t i) const { return words[i / 32] >> (i % 32) & 1; }
};

bool slice_works(size_t low, size_t count) {
  Wide before;
  for (uint32_t& word : before.words) word = 0xa5a5a5a5;
  Wide after = before;
  const uint64_t value = turnpike::mix(low * 1000 + count);
  turnpike::set_bits(after, low, count, value);
  const uint64_t mask = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  bool good = turnpike::get_bits(after, low, count) == (value & mask);
  for (size_t i = 0; i < kBits; ++i) {
    const bool inside = i >= low && i < low + count;
    const bool wanted = inside ? value >> (i - low) & 1 : before.bit(i);
    good = good && after.bit(i) == wanted && turnpike::get_bit(after, i) == wanted;
  }
  return good;
}

}  // namespace

int main() {
  int failures = 0;
  for (size_t low = 0; low < kBits; ++low) {
    for (size_t count = 1; count <= 64 && low + count <= kBits; ++count) {
      if (!slice_works(low, count)) {
        std::printf("slice [%zu +: %zu] fails\n", low, count);
        ++failures;
      }
    }
  }
  turnpike::Fnv fnv;
  for (const char letter : {'f', 'o', 'o', 'b', 'a', 'r'}) fnv.byte(letter);
  if (fnv.value != 0x85944171f73967e8 || turnpike::mix(0) != 0xe220a8397b1dcdaf) {
    std::printf("a hash differs from its published value\n");
    ++failures;
  }
  return failures != 0;
}
