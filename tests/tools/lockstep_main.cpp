// Drives a fabric's flattened AXI4-Stream terminals from a stimulus file and prints one
// digest of the terminals a cycle, as 16 hexadecimal digits.
//
// Macros: TERMINALS, WIDTH (of tdata), ADDRESS_BITS (of tdest), and SOURCE_ID where the
// outputs carry tid. Inputs change while the clock is low; outputs are sampled before
// the rising edge.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "Vmodel.h"
#include "hash.h"
#include "port_bits.h"
#include "stimulus.h"
#include "verilated.h"

namespace {

using turnpike::get_bit;
using turnpike::get_bits;
using turnpike::set_bits;

// Where a source stands: the packet, and the beat of it, that it sends or will send.
struct Source {
  size_t packet = 0;
  size_t beat = 0;
  bool offered = false;
};

class Bench {
 public:
  explicit Bench(const turnpike::Stimulus& stimulus)
      : stimulus_(stimulus), model_(std::make_unique<Vmodel>(&context_)) {}

  ~Bench() { model_->final(); }

  void run() {
    for (uint64_t cycle = 0; cycle < stimulus_.cycles; ++cycle) {
      drive(cycle);
      model_->clk = 0;
      model_->eval();
      std::printf("%016llx\n", static_cast<unsigned long long>(digest()));
      advance();
      model_->clk = 1;
      model_->eval();
    }
  }

 private:
  void drive(uint64_t cycle) {
    const bool reset = cycle < stimulus_.reset;
    model_->rst = reset;
    for (size_t t = 0; t < TERMINALS; ++t) {
      Source& source = sources_[t];
      const auto& packets = stimulus_.packets[t];
      if (!source.offered && !reset && source.packet < packets.size()) {
        source.offered = stimulus_.offers(t, cycle);
      }
      set_bits(model_->s_axis_tvalid, t, 1, source.offered);
      if (source.offered) drive_beat(t, source, packets[source.packet]);
      set_bits(model_->m_axis_tready, t, 1, stimulus_.accepts(t, cycle));
    }
  }

  // Sets the data of a beat; `tdest` too on beats on which no one looks.
  void drive_beat(size_t t, const Source& source, const turnpike::Packet& packet) {
    for (size_t low = 0, word = 0; low < WIDTH; low += 64, ++word) {
      const size_t count = WIDTH - low < 64 ? WIDTH - low : 64;
      const uint64_t data = stimulus_.payload(t, source.packet, source.beat, word);
      set_bits(model_->s_axis_tdata, t * WIDTH + low, count, data);
    }
    set_bits(model_->s_axis_tdest, t * ADDRESS_BITS, ADDRESS_BITS, packet.destination);
    set_bits(model_->s_axis_tlast, t, 1, source.beat + 1 == packet.flits);
  }

  uint64_t digest() const {
    turnpike::Fnv fnv;
    for (size_t t = 0; t < TERMINALS; ++t) {
      const bool valid = get_bit(model_->m_axis_tvalid, t);
      const bool last = valid && get_bit(model_->m_axis_tlast, t);
      fnv.byte(static_cast<uint8_t>(get_bit(model_->s_axis_tready, t) |
                                    get_bit(model_->s_axis_error, t) << 1 | valid << 2 |
                                    last << 3));
      if (!valid) continue;
      for (size_t low = 0; low < WIDTH; low += 64) {
        const size_t count = WIDTH - low < 64 ? WIDTH - low : 64;
        const uint64_t data = get_bits(model_->m_axis_tdata, t * WIDTH + low, count);
        fnv.bytes(data, static_cast<unsigned>((count + 7) / 8));
      }
#ifdef SOURCE_ID
      const uint64_t id = get_bits(model_->m_axis_tid, t * ADDRESS_BITS, ADDRESS_BITS);
      fnv.bytes(id, (ADDRESS_BITS + 7) / 8);
#endif
    }
    return fnv.value;
  }

  // Moves the sources on whose beat is taken at the coming edge.
  void advance() {
    for (size_t t = 0; t < TERMINALS; ++t) {
      Source& source = sources_[t];
      if (!source.offered || !get_bit(model_->s_axis_tready, t)) continue;
      source.offered = false;
      if (++source.beat == stimulus_.packets[t][source.packet].flits) {
        source.beat = 0;
        ++source.packet;
      }
    }
  }

  const turnpike::Stimulus& stimulus_;
  VerilatedContext context_;
  std::unique_ptr<Vmodel> model_;
  Source sources_[TERMINALS];
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: simulator STIMULUS\n");
    return 2;
  }
  const auto stimulus = turnpike::Stimulus::read(argv[1], TERMINALS);
  if (!stimulus) return 1;
  Bench(*stimulus).run();
  return 0;
}
