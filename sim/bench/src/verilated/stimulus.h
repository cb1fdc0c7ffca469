// What drives a fabric in lockstep: a text file, and the formulas that go with it. The
// same as sim/network/src/stimulus, which describes both, written a second time.
#ifndef TURNPIKE_STIMULUS_H
#define TURNPIKE_STIMULUS_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "hash.h"

namespace turnpike {

// A field of a flit: `data`, `keep`, `user`, `id` or `last`.
struct Field {
  std::string name;
  unsigned width = 0;
};

struct Packet {
  uint64_t release = 0;
  uint64_t destination = 0;
  uint64_t flits = 0;
};

// The words of a file. One that is not as expected ends the program.
class Reader {
 public:
  explicit Reader(const char* path) : path_(path), file_(path) {}

  void expect(const char* wanted) {
    if (const std::string found = word(wanted); found != wanted) fail(wanted, found);
  }

  uint64_t number(const char* what, uint64_t most) {
    const std::string text = word(what);
    char* end = nullptr;
    const uint64_t value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || text[0] == '-' || value > most) fail(what, text);
    return value;
  }

  uint64_t setting(const char* name, uint64_t most = ~uint64_t{0}) {
    expect(name);
    return number(name, most);
  }

  std::string word(const char* what) {
    std::string text;
    if (!(file_ >> text)) fail(what, "the end of the file");
    return text;
  }

  void expect_end() {
    std::string text;
    if (file_ >> text) fail("the end of the file", text);
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    std::fprintf(stderr, "%s: expected %s, found '%s'\n", path_, expected.c_str(), found.c_str());
    std::exit(1);
  }

 private:
  const char* path_;
  std::ifstream file_;
};

struct Stimulus {
  uint64_t seed = 0;
  uint64_t gap = 0;    // out of 2^32
  uint64_t stall = 0;  // out of 2^32
  std::vector<Field> fields;
  std::vector<uint64_t> resets;  // cycles, ascending
  std::vector<std::vector<Packet>> packets;  // by source

  // Reads a file for a fabric with so many terminals and addresses.
  Stimulus(const char* path, uint64_t terminals, uint64_t addresses) : packets(terminals) {
    constexpr uint64_t kAlways = uint64_t{1} << 32;
    Reader reader(path);
    reader.expect("turnpike-stimulus");
    reader.expect("2");
    seed = reader.setting("seed");
    gap = reader.setting("gap", kAlways);
    stall = reader.setting("stall", kAlways);
    if (reader.setting("terminals") != terminals) {
      reader.fail("terminals " + std::to_string(terminals), "another number");
    }
    fields.resize(reader.setting("fields", 5));
    for (Field& field : fields) {
      field.name = reader.word("a field");
      field.width = static_cast<unsigned>(reader.number("its width", 1024));
    }
    resets.resize(reader.setting("resets", uint64_t{1} << 20));
    for (uint64_t& cycle : resets) cycle = reader.number("the cycle of a reset", ~uint64_t{0});
    for (uint64_t left = reader.setting("packets"); left != 0; --left) {
      auto& list = packets[reader.number("a source", terminals - 1)];
      Packet packet;
      packet.release = reader.number("a release cycle", ~uint64_t{0});
      packet.destination = reader.number("a destination", addresses - 1);
      packet.flits = reader.number("flits", ~uint32_t{0});
      if (packet.flits == 0) reader.fail("at least one flit", "0");
      list.push_back(packet);
    }
    reader.expect_end();
  }

  // Whether `rst` is high.
  bool is_reset(uint64_t cycle) const {
    return std::binary_search(resets.begin(), resets.end(), cycle);
  }

  // Whether a source pauses before its next beat.
  bool pauses(uint64_t terminal, uint64_t cycle) const {
    return hash(seed, {1, terminal, cycle}) >> 32 < gap;
  }

  // Whether a sink is ready.
  bool sink_ready(uint64_t terminal, uint64_t cycle) const {
    return hash(seed, {2, terminal, cycle}) >> 32 >= stall;
  }

  // 64 bits of a field that carries a pattern: code 16 is data, 17 keep, 18 user.
  uint64_t pattern(uint64_t code, uint64_t terminal, uint64_t packet, uint64_t beat,
                   uint64_t word) const {
    return hash(seed, {code, terminal, packet, beat, word});
  }
};

}  // namespace turnpike

#endif
