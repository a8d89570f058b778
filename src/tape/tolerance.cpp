#include "tape/tolerance.h"

#include "ops/op.h"
#include "tape/intended.h"

#include <cmath>
#include <map>

namespace faultline::tape {
namespace {

using ops::Op;

// Larger constants in a loop's exit are something else: the end of a range, the border of a formula's domain.
constexpr double largest_tolerance = 0.01;

class Finder {
public:
  explicit Finder(const Tape& tape) : tape_(tape) {}

  void look_at_exit(uint32_t exit) {
    for (int i = 0; i < 2; ++i)
      if (!is_fixed(tape_, tape_.operand(exit, 1 - i)))
        look(exit, i, exit, 0);
  }

  std::vector<Tolerance> found() const {
    std::vector<Tolerance> all;
    for (const auto& [place, seen] : found_)
      if (seen.same && (seen.constant || seen.times > 1))
        all.push_back(seen.tolerance);
    return all;
  }

private:
  struct Seen {
    Tolerance tolerance;
    double value = 0;
    int times = 0;
    bool constant = false, same = true; // written in the code; the same each time
  };

  // Looks at one operand of a record, which belongs to the exit's condition.
  void look(uint32_t record, int which, uint32_t exit, int depth) {
    const uint32_t operand = tape_.operand(record, which);
    const double value = std::fabs(tape_.value(operand));
    const bool fixed = is_fixed(tape_, operand);
    if (fixed && value > 0 && value <= largest_tolerance) {
      Seen& seen = found_[{tape_.record(record).site, which}];
      seen.same = seen.same && (seen.times == 0 || value == seen.value);
      seen.value = value;
      ++seen.times;
      seen.constant = runtime::is_constant(operand);
      seen.tolerance = {tape_.record(record).site, which, tape_.record(exit).site, exit};
      return;
    }
    constexpr int deepest = 4;
    if (fixed || operand == 0 || depth == deepest)
      return;
    switch (tape_.site(operand).op) {
    case Op::fmul: // of what the loop computes: 2^-32 times a random integer is none
      for (int i = 0; i < 2; ++i)
        if (!is_fixed(tape_, tape_.operand(operand, 1 - i)))
          look(operand, i, exit, depth + 1);
      break;
    case Op::fadd:
    case Op::fmax:
    case Op::fabs:
    case Op::fneg:
    case Op::fma:
      for (int i = 0; i < ops::arity(tape_.site(operand).op); ++i)
        look(operand, i, exit, depth + 1);
      break;
    default:
      break;
    }
  }

  const Tape& tape_;
  std::map<std::pair<uint32_t, int>, Seen> found_;
};

} // namespace

std::vector<Tolerance> tolerances(const Tape& tape) {
  Finder finder(tape);
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).exits_loop)
      finder.look_at_exit(index);
  return finder.found();
}

} // namespace faultline::tape
