// Drives a fabric's flattened AXI4-Stream terminals from a stimulus file and prints one
// digest of the terminals a cycle, as 16 hexadecimal digits, then one line
// `accepted N delivered N`.
//
// Macros: TERMINALS, DATA_BITS, ADDRESS_BITS; KEEP_BITS, USER_BITS and ID_BITS where the
// fabric has the field; SOURCE_SLICES and SINK_SLICES, by terminal its slice of the ports or -1,
// where not every terminal has both. Inputs change while the clock is low; outputs are sampled before
// the rising edge. The stimulus and the digest are defined in sim/network/src/stimulus.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vmodel.h"
#include "hash.h"
#include "port_bits.h"
#include "stimulus.h"
#include "verilated.h"

namespace {

using turnpike::get_bit;
using turnpike::get_bits;
using turnpike::set_bits;

constexpr int kResetCycles = 4;

#ifdef SOURCE_SLICES
constexpr int kSourceSlices[TERMINALS] = {SOURCE_SLICES};
constexpr int kSinkSlices[TERMINALS] = {SINK_SLICES};
#endif

// The slice of a terminal of the `s_axis` ports, or -1.
int source_slice(size_t t) {
#ifdef SOURCE_SLICES
  return kSourceSlices[t];
#else
  return static_cast<int>(t);
#endif
}

// The slice of a terminal of the `m_axis` ports, or -1.
int sink_slice(size_t t) {
#ifdef SOURCE_SLICES
  return kSinkSlices[t];
#else
  return static_cast<int>(t);
#endif
}

// A bit of a port; low where the terminal has no slice of it.
template <class Port>
bool slice_bit(const Port& port, int slice) {
  return slice >= 0 && get_bit(port, static_cast<size_t>(slice));
}

// Where a source stands: the packet, and the beat of it, that it offers or will offer.
struct Source {
  size_t next = 0;
  uint64_t beat = 0;
  bool valid = false;
};

class Bench {
 public:
  explicit Bench(const turnpike::Stimulus& stimulus)
      : stimulus_(stimulus), model_(std::make_unique<Vmodel>(&context_)) {
    for (const turnpike::Field& field : stimulus.fields) check_width(field);
  }

  ~Bench() { model_->final(); }

  // Holds the reset, under which no terminal may be ready or valid.
  void reset() {
    model_->rst = 1;
    for (int cycle = 0; cycle < kResetCycles; ++cycle) {
      tick();
      for (size_t t = 0; t < TERMINALS; ++t) {
        if (slice_bit(model_->s_axis_tready, source_slice(t))) fail("s_axis_tready is high under reset", t);
        if (slice_bit(model_->m_axis_tvalid, sink_slice(t))) fail("m_axis_tvalid is high under reset", t);
        if (slice_bit(model_->s_axis_error, source_slice(t))) fail("s_axis_error is high under reset", t);
      }
    }
    model_->rst = 0;
  }

  void run(uint64_t cycles) {
    for (cycle_ = 0; cycle_ < cycles; ++cycle_) {
      for (size_t t = 0; t < TERMINALS; ++t) drive(t);
      model_->rst = stimulus_.is_reset(cycle_);
      model_->clk = 0;
      model_->eval();
      std::printf("%016llx\n", static_cast<unsigned long long>(digest()));
      for (size_t t = 0; t < TERMINALS; ++t) advance(t);
      model_->clk = 1;
      model_->eval();
    }
    std::printf("accepted %llu delivered %llu\n", static_cast<unsigned long long>(accepted_),
                static_cast<unsigned long long>(delivered_));
  }

 private:
  void tick() {
    model_->clk = 0;
    model_->eval();
    model_->clk = 1;
    model_->eval();
  }

  void drive(size_t t) {
    Source& source = sources_[t];
    const auto& packets = stimulus_.packets[t];
    if (!source.valid && source.next < packets.size()) {
      const bool released = packets[source.next].release <= cycle_;
      source.valid = released && !stimulus_.pauses(t, cycle_);
    }
    if (source_slice(t) >= 0) {
      set_bits(model_->s_axis_tvalid, static_cast<size_t>(source_slice(t)), 1, source.valid);
      if (source.valid) drive_beat(t, source, packets[source.next]);
    }
    if (sink_slice(t) >= 0) {
      const bool ready = stimulus_.sink_ready(t, cycle_);
      set_bits(model_->m_axis_tready, static_cast<size_t>(sink_slice(t)), 1, ready);
    }
  }

  void drive_beat(size_t t, const Source& source, const turnpike::Packet& packet) {
    drive_pattern(model_->s_axis_tdata, DATA_BITS, 16, t, source);
#ifdef KEEP_BITS
    drive_pattern(model_->s_axis_tkeep, KEEP_BITS, 17, t, source);
#endif
#ifdef USER_BITS
    drive_pattern(model_->s_axis_tuser, USER_BITS, 18, t, source);
#endif
    const size_t slice = static_cast<size_t>(source_slice(t));
    set_bits(model_->s_axis_tdest, slice * ADDRESS_BITS, ADDRESS_BITS, packet.destination);
    set_bits(model_->s_axis_tlast, slice, 1, source.beat + 1 == packet.flits);
  }

  template <class Port>
  void drive_pattern(Port& port, size_t width, uint64_t code, size_t t, const Source& source) {
    for (size_t low = 0; low < width; low += 64) {
      const size_t count = width - low < 64 ? width - low : 64;
      const uint64_t value = stimulus_.pattern(code, t, source.next, source.beat, low / 64);
      set_bits(port, static_cast<size_t>(source_slice(t)) * width + low, count, value);
    }
  }

  uint64_t digest() {
    turnpike::Fnv fnv;
    for (size_t t = 0; t < TERMINALS; ++t) {
      const bool valid = slice_bit(model_->m_axis_tvalid, sink_slice(t));
      const bool ready = slice_bit(model_->s_axis_tready, source_slice(t));
      const bool error = slice_bit(model_->s_axis_error, source_slice(t));
      fnv.byte(static_cast<uint8_t>(ready | valid << 1 | error << 2));
      if (!valid) continue;
      for (const turnpike::Field& field : stimulus_.fields) digest_field(fnv, field, t);
      delivered_ += slice_bit(model_->m_axis_tready, sink_slice(t));
    }
    return fnv.value;
  }

  void digest_field(turnpike::Fnv& fnv, const turnpike::Field& field, size_t t) const {
    if (field.name == "data") {
      digest_port(fnv, model_->m_axis_tdata, DATA_BITS, t);
    } else if (field.name == "last") {
      digest_port(fnv, model_->m_axis_tlast, 1, t);
    }
#ifdef KEEP_BITS
    if (field.name == "keep") digest_port(fnv, model_->m_axis_tkeep, KEEP_BITS, t);
#endif
#ifdef USER_BITS
    if (field.name == "user") digest_port(fnv, model_->m_axis_tuser, USER_BITS, t);
#endif
#ifdef ID_BITS
    if (field.name == "id") digest_port(fnv, model_->m_axis_tid, ID_BITS, t);
#endif
  }

  template <class Port>
  static void digest_port(turnpike::Fnv& fnv, const Port& port, size_t width, size_t t) {
    for (size_t low = 0; low < width; low += 64) {
      const size_t count = width - low < 64 ? width - low : 64;
      const size_t slice = static_cast<size_t>(sink_slice(t));
      const uint64_t value = get_bits(port, slice * width + low, count);
      fnv.bytes(value, static_cast<unsigned>((count + 7) / 8));
    }
  }

  // Moves a source on whose beat is taken at the coming edge.
  void advance(size_t t) {
    Source& source = sources_[t];
    if (model_->rst) {
      // The rest of a packet is not sent.
      source.valid = false;
      source.next += source.beat > 0;
      source.beat = 0;
      return;
    }
    if (!source.valid || !slice_bit(model_->s_axis_tready, source_slice(t))) return;
    ++accepted_;
    source.valid = false;
    if (++source.beat == stimulus_.packets[t][source.next].flits) {
      source.beat = 0;
      ++source.next;
    }
  }

  // The fields of the stimulus must be those that the program was built for.
  static void check_width(const turnpike::Field& field) {
    unsigned width = 0;
    if (field.name == "data") width = DATA_BITS;
    if (field.name == "last") width = 1;
#ifdef KEEP_BITS
    if (field.name == "keep") width = KEEP_BITS;
#endif
#ifdef USER_BITS
    if (field.name == "user") width = USER_BITS;
#endif
#ifdef ID_BITS
    if (field.name == "id") width = ID_BITS;
#endif
    if (field.width == width) return;
    std::fprintf(stderr, "the stimulus has `%s` of %u bits; the fabric has %u\n",
                 field.name.c_str(), field.width, width);
    std::exit(1);
  }

  [[noreturn]] void fail(const char* what, size_t t) const {
    std::fprintf(stderr, "cycle %llu, terminal %zu: %s\n",
                 static_cast<unsigned long long>(cycle_), t, what);
    std::exit(1);
  }

  const turnpike::Stimulus& stimulus_;
  VerilatedContext context_;
  std::unique_ptr<Vmodel> model_;
  Source sources_[TERMINALS];
  uint64_t cycle_ = 0;
  uint64_t accepted_ = 0;
  uint64_t delivered_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: simulator STIMULUS CYCLES\n");
    return 2;
  }
  const turnpike::Stimulus stimulus(argv[1], TERMINALS, uint64_t{1} << ADDRESS_BITS);
  Bench bench(stimulus);
  bench.reset();
  bench.run(std::strtoull(argv[2], nullptr, 10));
  return 0;
}
