// Reader: the exact value of a periodic function of a huge argument that is itself a result.
//
// A residue (tape/residue.h) has 53 bits, or 64. If the argument is 1e70 and wrong by 1e54, the phase is in bits that
// neither has: what is known of sin is its range. So the operations that lead to the argument, and only these, are
// carried out again with as many bits as their largest value has before the point, and some more. They are few where
// this is needed (a square root and a product, say), so a search can afford it for every run; replaying the whole tape
// (tape/replay.h) would cost a hundred times as much.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/tape.h"

#include <optional>
#include <vector>

namespace faultline::tape {

// Is an argument, wrong by so much, beyond what residues can tell the phase of?
bool phase_is_lost(long double argument, long double error);

class Phases {
public:
  // Another tape: what was computed for the last one is forgotten.
  void begin() { argument_ = 0; }

  // The periodic function of this record, of its exact argument on this path. Nothing if too much leads to the
  // argument, or the argument is not finite.
  std::optional<long double> exact(const Tape& tape, uint32_t index);

private:
  bool gather(const Tape& tape, uint32_t argument);
  bool carry_out(const Tape& tape);
  numeric::BigFloat& place(uint32_t record);

  uint32_t argument_ = 0;                 // of the last call: sin and cos come in pairs
  bool known_ = false;                    // its value
  std::vector<uint32_t> records_;         // that lead to the argument, ascending
  std::vector<numeric::BigFloat> values_; // of these; kept for their memory
  numeric::BigFloat constants_[3];        // among the operands of one operation
  numeric::BigFloat result_;
};

} // namespace faultline::tape
