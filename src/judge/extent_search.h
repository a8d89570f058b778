// Finds the lengths of arrays that are not declared. The function runs with arrays between guards for various integers
// and contents, and the arrays grow where it goes beyond them. The touched extent is a formula of the integers, or a
// constant. If it is neither, the integers are held, and the largest touched extent counts.
//
// Rejected: an analysis of the code. Loops that end depending on data, unavailable callees and computed strides would
// make most of its answers "unknown"; a run needs only the code itself.
#pragma once

#include "exec/extent_probe.h"
#include "exec/worker.h"
#include "judge/tasks/tell.h"
#include "model/job.h"
#include "model/report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

// The part of the budget, most of which is for the hunt; and seconds, if that is zero. Guesses: the counted effort ends
// long before, in milliseconds.
inline constexpr double extent_share = 0.1, least_seconds = 0.5;

model::FoundExtents find_extents(exec::ExtentProbe& probe, const model::Target& target,
                                 const model::Settings& settings);

// Checks whether a call that went beyond its arrays stays within larger ones, and returns the sizes it needs.
model::OverrunJudgement judge_overrun(exec::ExtentProbe& probe, const model::Target& target, const exec::Input& input);

// Carries out the task in a worker process. Consumes the program.
void probe_extents(const model::Job& job, const model::ProbeTask& task, program::Program program,
                   const model::Target& target, const exec::Limits& limits, exec::Channel& channel, const Tell& tell);

// Arrays of integers that code uses as indices: pivots, permutations. If they were searched like other integers, the
// code would leave its arrays through no fault of its own. So they are held at valid indices.

// True if the code stays within its memory with these integers in the array.
using StaysWithin = std::function<bool(const std::function<int64_t(uint64_t element)>& integers)>;

// The first index of the sequence for the array: 0 or 1. Nothing if its integers are data, which may have any value, or
// if neither sequence works.
std::optional<int64_t> first_index(const StaysWithin& stays_within);

// The number of elements of its arrays that a call touches. Arrays start small and grow where the call goes beyond
// them, until it stays inside.
struct Growth {
  enum class End : uint8_t {
    settled,   // it stays within these extents
    endless,   // it goes beyond the largest length of an array
    before,    // it goes to memory before the array
    elsewhere, // it goes beyond something that has a size of its own
  };
  End end = End::settled;
  size_t array = 0;                                // that it left, unless it has settled
  std::vector<uint64_t> extents;                   // that it touches, as far as is known
  exec::Outcome outcome = exec::Outcome::returned; // of the last call
};

// The call with arrays of these extents.
using CallWith = std::function<exec::ProbedCall(const std::vector<uint64_t>& extents)>;

// Begins with the given extents; an array that needs fewer elements keeps them.
Growth grow(std::vector<uint64_t> extents, uint64_t most, const CallWith& call);

// The length of an array as a formula of the function's integers: n, n * n, n * (n + 1) / 2, (n - 1) * inc + 1. It is
// derived from what runs with various integers touch.

// The largest extent of one array that runs with these integers touched.
struct ExtentSample {
  std::vector<int64_t> integers;
  uint64_t elements = 0;
};

// One of a small family, with its integers.
class Formula {
public:
  Formula(size_t form, std::vector<size_t> integers) : form_(form), integers_(std::move(integers)) {}

  // Never negative.
  uint64_t at(const std::vector<int64_t>& integers) const;
  std::string text(const std::vector<std::string>& names) const;
  const std::vector<size_t>& integers() const { return integers_; }
  bool is_difference() const; // of two integers: the second must be smaller than the first

private:
  size_t form_;
  std::vector<size_t> integers_;
};

// The formula that no run exceeds and that most runs touch completely; the simplest of several. Nothing if fewer than
// half of the runs that touch the array touch its whole extent.
std::optional<Formula> fit(const std::vector<ExtentSample>& runs);

} // namespace faultline::judge
