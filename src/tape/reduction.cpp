#include "tape/reduction.h"

#include "ops/op.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace faultline::tape {
namespace {

using ops::Op;

bool is_step(const Site& site) {
  return ops::rounds_to_integer(site.op) || ops::is_to_int(site.op) || ops::rounds_on_purpose(site.op);
}

bool is_record(uint32_t operand) { return operand != 0 && !runtime::is_constant(operand); }

// What was rounded, and what that was scaled and shifted from: x / c + 0.5, x / c, x.
void add_sources(const Tape& tape, uint32_t operand, int depth, std::set<uint32_t>& sources) {
  if (!is_record(operand) || depth == 0)
    return;
  sources.insert(operand);
  const Site& site = tape.site(operand);
  if (ops::is_arithmetic(site.op) || ops::rounds_to_integer(site.op))
    for (int i = 0; i < ops::arity(site.op); ++i)
      add_sources(tape, tape.operand(operand, i), depth - 1, sources);
}

// Values that are whole multiples of one step's integer, or stand for it: where they come from.
class Followers {
public:
  Followers(const Tape& tape, uint32_t last) : tape_(tape), step_of_(last, 0) {}

  uint32_t step_of(uint32_t operand) const {
    return is_record(operand) && operand < step_of_.size() ? step_of_[operand] : 0;
  }

  void follow(uint32_t index) {
    const Site& site = tape_.site(index);
    if (is_step(site)) {
      step_of_[index] = index;
      if (ops::is_to_int(site.op))
        integers_[tape_.exact(index)] = index;
      return;
    }
    if (ops::is_leaf(site.op)) { // an integer that was made from a float may come back as one
      if (const auto integer = integers_.find(tape_.exact(index)); integer != integers_.end())
        step_of_[index] = integer->second;
      return;
    }
    switch (site.op) {
    case Op::fneg:
    case Op::fmul:
    case Op::fsub: // the large constant, taken off again
    case Op::fadd:
    case Op::fpext:
    case Op::fptrunc:
      for (int i = 0; i < ops::arity(site.op); ++i)
        step_of_[index] = std::max(step_of_[index], step_of(tape_.operand(index, i)));
      break;
    default:
      break;
    }
  }

private:
  const Tape& tape_;
  std::vector<uint32_t> step_of_;
  std::map<long double, uint32_t> integers_;
};

} // namespace

std::vector<uint32_t> reduction_steps(const Tape& tape) {
  constexpr int depth = 4; // operations between what is reduced and what is rounded
  std::map<uint32_t, std::set<uint32_t>> sources;
  std::set<uint32_t> found;
  Followers followers(tape, tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    if (is_step(site))
      for (int i = 0; i < ops::arity(site.op); ++i)
        add_sources(tape, tape.operand(index, i), depth, sources[index]);
    // x - k * c, or fma(-k, c, x): one operand comes from the step, another is what the step came from.
    if (site.op == Op::fsub || site.op == Op::fadd || site.op == Op::fma)
      for (int i = 0; i < ops::arity(site.op); ++i)
        if (const uint32_t step = followers.step_of(tape.operand(index, i)))
          for (int k = 0; k < ops::arity(site.op); ++k)
            if (k != i && sources[step].contains(tape.operand(index, k))) {
              found.insert(step);
              std::ranges::copy_if(sources[step], std::inserter(found, found.end()),
                                   [&](uint32_t source) { return is_step(tape.site(source)); }); // (int)floor(...)
            }
    followers.follow(index);
  }
  return {found.begin(), found.end()};
}

} // namespace faultline::tape
