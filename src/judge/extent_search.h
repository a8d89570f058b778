// How long the arrays of a function are of which nobody says so: it is run with arrays between guards, and they grow
// where it goes beyond them (growth.h), for various integers and contents; what it touches then is a formula of the
// integers, or a constant (formula.h). Where it is neither, the integers are held, and the most that was touched
// counts.
//
// Rejected: an analysis of the code. Loops that end by data, callees that are not here and strides that are computed
// would make most of its answers "unknown"; a run needs no more than the code itself.
#pragma once

#include "exec/extent_probe.h"
#include "exec/worker.h"
#include "finding/extents.h"
#include "finding/job.h"
#include "judge/tasks/tell.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

// Of the budget, which a hunt must have most of; and seconds, where that is nothing. Guesses: what is counted ends long
// before, in milliseconds.
inline constexpr double extent_share = 0.1, least_seconds = 0.5;

finding::FoundExtents find_extents(exec::ExtentProbe& probe, const frontend::Target& target,
                                   const finding::Settings& settings);

// Would a call that went beyond its arrays stay within larger ones? What it needs then.
finding::OverrunJudged judge_overrun(exec::ExtentProbe& probe, const frontend::Target& target,
                                     const exec::Input& input);

// The task, in a worker's process. Takes the program.
void probe_extents(const finding::Job& job, const finding::ProbeTask& task, frontend::Program program,
                   const frontend::Target& target, const exec::Limits& limits, exec::Channel& channel,
                   const Tell& tell);

// Arrays of integers that code takes for indices: pivots, permutations. Searched like other integers they would lead it
// out of its arrays, which is nobody's fault; so they are held at indices that do not.

// Does the code stay within its memory with these integers in the array?
using StaysWithin = std::function<bool(const std::function<int64_t(uint64_t element)>& integers)>;

// With which index the sequence begins that the array is to hold: 0, or 1. Nothing: its integers are data, which may
// have any value, or neither sequence will do.
std::optional<int64_t> first_index(const StaysWithin& stays_within);

// How many elements of its arrays a call touches: they are given few, and more where the call goes beyond, until it
// does not any more.
struct Growth {
  enum class End : uint8_t {
    settled,   // it stays within these extents
    endless,   // it goes further than an array may be long
    before,    // it goes to where the array has not begun
    elsewhere, // it goes beyond something that has a size of its own
  };
  End end = End::settled;
  size_t array = 0;                                // that it left, unless it has settled
  std::vector<uint64_t> extents;                   // that it touches, as far as is known
  exec::Outcome outcome = exec::Outcome::returned; // of the last call
};

// The call with arrays of these extents.
using CallWith = std::function<exec::ProbedCall(const std::vector<uint64_t>& extents)>;

// Begins with the extents that are given: an array that needs fewer keeps them.
Growth grow(std::vector<uint64_t> extents, uint64_t most, const CallWith& call);

// How long an array is, as a formula of the function's integers: n, n * n, n * (n + 1) / 2, (n - 1) * inc + 1. It is
// told by what runs with various integers have touched.

// What runs with these integers have touched of one array, at most.
struct Touched {
  std::vector<int64_t> integers;
  uint64_t elements = 0;
};

// One of a small family, with the integers that it is about.
class Formula {
public:
  Formula(size_t form, std::vector<size_t> integers) : form_(form), integers_(std::move(integers)) {}

  // Never negative.
  uint64_t at(const std::vector<int64_t>& integers) const;
  std::string text(const std::vector<std::string>& names) const;
  const std::vector<size_t>& integers() const { return integers_; }
  bool is_difference() const; // of two integers: the second must not be as large as the first

private:
  size_t form_;
  std::vector<size_t> integers_;
};

// The formula that no run goes beyond and that most runs touch to the end; of several the simplest. None: there is no
// such formula, as fewer than half of the runs that touch the array touch all that it says.
std::optional<Formula> fit(const std::vector<Touched>& runs);

} // namespace faultline::judge
