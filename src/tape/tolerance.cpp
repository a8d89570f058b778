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

  // Looks at one operand of a record, which belongs to the exit's condition.
  void look(uint32_t record, int which, uint32_t exit, int depth) {
    const uint32_t operand = tape_.operand(record, which);
    const double value = std::fabs(tape_.value(operand));
    if (value > 0 && value <= largest_tolerance && is_fixed(tape_, operand)) {
      Tolerance& tolerance = found_[{tape_.record(record).site, which}];
      tolerance = {tape_.record(record).site, which, tape_.record(exit).site, exit};
      return;
    }
    constexpr int deepest = 4;
    if (runtime::is_constant(operand) || operand == 0 || depth == deepest)
      return;
    switch (tape_.site(operand).op) {
    case Op::fmul:
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

  std::vector<Tolerance> found() const {
    std::vector<Tolerance> all;
    for (const auto& [place, tolerance] : found_)
      all.push_back(tolerance);
    return all;
  }

private:
  const Tape& tape_;
  std::map<std::pair<uint32_t, int>, Tolerance> found_;
};

} // namespace

std::vector<Tolerance> tolerances(const Tape& tape) {
  Finder finder(tape);
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).exits_loop)
      for (int i = 0; i < 2; ++i)
        finder.look(index, i, index, 0);
  return finder.found();
}

} // namespace faultline::tape
