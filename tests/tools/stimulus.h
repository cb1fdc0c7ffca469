// What drives a fabric in lockstep: a text file, and the formulas that go with it. The
// same as sim/src/stimulus, written a second time.
//
// One item a line: `seed S`, `cycles N`, `reset N`, `gap G`, `stall G` (chances in
// 256ths, each cycle anew), and for each packet `packet SOURCE DESTINATION FLITS`.
#ifndef TURNPIKE_STIMULUS_H
#define TURNPIKE_STIMULUS_H

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "hash.h"

namespace turnpike {

struct Packet {
  uint64_t destination;
  uint64_t flits;
};

struct Stimulus {
  uint64_t seed = 0;
  uint64_t cycles = 0;
  uint64_t reset = 1;
  uint64_t gap = 0;
  uint64_t stall = 0;
  std::vector<std::vector<Packet>> packets;  // by source

  // Whether a source that has a beat left and none on offer offers it from now on.
  bool offers(uint64_t terminal, uint64_t cycle) const {
    return (hash(seed, {1, terminal, cycle}) & 255) >= gap;
  }

  // Whether a sink is ready.
  bool accepts(uint64_t terminal, uint64_t cycle) const {
    return (hash(seed, {2, terminal, cycle}) & 255) >= stall;
  }

  // 64 bits of a beat's data.
  uint64_t payload(uint64_t terminal, uint64_t packet, uint64_t beat, uint64_t word) const {
    return hash(seed, {3, terminal, packet, beat, word});
  }

  // Reads a file; says on standard error what is wrong with it.
  static std::optional<Stimulus> read(const char* path, size_t terminals) {
    std::ifstream file(path);
    Stimulus stimulus;
    stimulus.packets.resize(terminals);
    std::string line;
    size_t number = 0;
    while (std::getline(file, line)) {
      ++number;
      if (!stimulus.item(line)) {
        std::fprintf(stderr, "%s:%zu: cannot be read: `%s`\n", path, number, line.c_str());
        return std::nullopt;
      }
    }
    if (number == 0) {
      std::fprintf(stderr, "%s: there is nothing in it\n", path);
      return std::nullopt;
    }
    return stimulus;
  }

 private:
  bool item(const std::string& line) {
    std::istringstream words(line);
    std::string key, rest;
    words >> key;
    if (key == "packet") {
      uint64_t source = 0;
      Packet packet{};
      words >> source >> packet.destination >> packet.flits;
      if (!words || source >= packets.size() || packet.flits == 0) return false;
      packets[source].push_back(packet);
    } else if (uint64_t* value = setting(key)) {
      if (!(words >> *value)) return false;
    } else {
      return false;
    }
    return !(words >> rest);
  }

  uint64_t* setting(const std::string& key) {
    if (key == "seed") return &seed;
    if (key == "cycles") return &cycles;
    if (key == "reset") return &reset;
    if (key == "gap") return &gap;
    if (key == "stall") return &stall;
    return nullptr;
  }
};

}  // namespace turnpike

#endif
