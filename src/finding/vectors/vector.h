// Test vectors: inputs of a function with what it computed there and what would have been right, chosen for what they
// show (vectors/choice.h). Plain data, made by hunt/vectors.h and read from files (vectors/csv.h).
#pragma once

#include "finding/finding.h"
#include "finding/job.h"
#include "frontend/target.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::finding {

// Where an input comes from: a problem of the hunt; an input by which an outcome of a branch is shown; one of two
// neighbours between which a decision changes; zeros, ones, ends of formats and ranges; anything else.
#define FAULTLINE_VECTOR_REGIONS(X)                                                                                    \
  X(problem, "problem")                                                                                                \
  X(branch, "branch")                                                                                                  \
  X(border, "border")                                                                                                  \
  X(special, "special")                                                                                                \
  X(ordinary, "ordinary")
enum class Region : uint8_t {
#define FAULTLINE_VECTOR_REGION_ID(id, text) id,
  FAULTLINE_VECTOR_REGIONS(FAULTLINE_VECTOR_REGION_ID)
#undef FAULTLINE_VECTOR_REGION_ID
};
std::string_view text(Region);
std::optional<Region> region_of(std::string_view text);

// Who says what is right: the code itself in exact arithmetic, its meaning, or a function of the user.
inline constexpr const char* by_meaning = "meaning";

struct VectorOutput {
  std::string name;
  Number computed;
  Number reference;         // rounded to the output's format; empty: it is not known
  double ulps = 0;          // from the exact reference; NaN: it is not known
  std::string reference_by; // lifted, replay, reference, meaning

  bool is_known() const { return !reference.hex.empty(); }
};

struct TestVector {
  Region region = Region::ordinary;
  std::string fault; // the class: of a problem the problem's; else what the error is like (class_of)
  std::vector<NamedNumber> input;
  std::string ending;                // how a call that did not return ended: "called abort"; empty: it returned
  std::vector<VectorOutput> outputs; // of one that returned

  double worst() const; // of its errors, in ulps; NaN if none is known
};

// The vectors of one function.
struct VectorSet {
  std::string function;
  std::string file;
  frontend::Target target = {}; // none, if they were read from a file
  // Of arrays: those that are only written, too, which the inputs do not tell.
  frontend::Sizes sizes = {};
  std::vector<TestVector> vectors;
  uint64_t outcomes = 0; // of branches that runs have shown
  uint64_t covered = 0;  // that the vectors show
  std::string note;      // what is missing, and why
};

// "correctly rounded", "faithful" (below an ulp), "few ulps", "inaccurate", "wrong" (an infinite error, or no correct
// digit), "unknown"; of a call that did not return "ended".
std::string class_of(const TestVector& vector, int precision);

// How many errors there are of each size. Sizes are powers of two: what changes an answer is how many bits are wrong.
struct ErrorHistogram {
  // Up to and with these many ulps; what is more, and what is infinite, comes after.
  static constexpr std::array<double, 9> most = {0, 0.5, 1, 2, 4, 16, 0x1p8, 0x1p16, 0x1p32};
  std::array<uint64_t, 11> counts = {};
  uint64_t unknown = 0; // without a reference, and calls that did not return
  double largest = 0;
};
ErrorHistogram histogram_of(const std::vector<TestVector>& vectors);
std::string text(const ErrorHistogram& histogram); // "0: 12, <=0.5: 20, ..., infinite: 1", without those of none

// The place in a histogram: what two errors must share to count as alike.
size_t error_bucket(double ulps);

// Test vectors, run against a build: what has become worse. Plain data, made by hunt/vectors.h.

// Smaller errors count as this one: another compiler or libm may round in another way, and an ulp or two come of it.
inline constexpr double least_ulps = 2;

// Is the error now more than `factor` times that of the file?
inline bool grew(double before, double now, double factor) { return now > factor * std::max(before, least_ulps); }

struct VectorFailure {
  size_t vector = 0;  // in its set, from 0
  std::string output; // empty: the call did not return
  Number computed;    // now
  double before = 0, now = 0;
  std::string ending; // how the call ended
};

// Of some errors, in ulps. Where some are infinite, only the largest of the others can tell two builds apart.
struct LargestErrors {
  double finite = 0;
  size_t infinite = 0;

  void add(double ulps) {
    if (std::isinf(ulps))
      ++infinite;
    else
      finite = std::max(finite, ulps);
  }
  double of_all() const { return infinite > 0 ? std::numeric_limits<double>::infinity() : finite; }
};

struct CheckedSet {
  std::string function;
  std::string missing; // why it could not be run; empty: it was
  size_t vectors = 0;
  size_t unlike = 0; // that give another value than in the file, be it better or worse
  LargestErrors largest_before = {}, largest = {};
  std::vector<VectorFailure> failures;
};

// Which candidates become test vectors: chosen for what they show, not for the size of the error alone.
//
// Problems come first, then the fewest inputs that show every outcome of a branch that any candidate shows, then
// borders, special values and ordinary inputs in turns. Of two candidates that show the same (the same outcomes, an
// error of about the same size, the same binades) one is taken; others only if the number asked for is not reached
// otherwise.
using Decision = std::pair<uint32_t, int64_t>; // a site, and the way that it goes

struct VectorCandidate {
  Region region = Region::ordinary;
  Input input;
  std::vector<Decision> decisions; // sorted
  size_t error = 0;                // error_bucket, or 0 before it is known
};

// Indices of the candidates, at most `most` of them; problems, then branches, and so on.
std::vector<size_t> chosen_vectors(const std::vector<VectorCandidate>& candidates, size_t most);

// How many outcomes these show.
size_t outcomes_shown(const std::vector<VectorCandidate>& candidates, const std::vector<size_t>& chosen);

} // namespace faultline::finding
