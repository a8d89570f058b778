// Test vectors: inputs of a function with the computed and the correct results, selected for their coverage. Plain
// data, made by hunt/vectors.h and read from files (below).
#pragma once

#include "model/finding.h"
#include "model/job.h"
#include "model/target.h"

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

namespace faultline::model {

// The origin of an input: a problem of the hunt; an outcome of a branch; one of two neighbours between which a decision
// changes; zeros, ones, ends of formats and ranges; anything else.
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

// The sources of a reference: the code itself in exact arithmetic, its meaning, or a function of the user.
inline constexpr const char* by_meaning = "meaning";

struct VectorOutput {
  std::string name;
  Number computed;
  Number reference;         // rounded to the output's format; empty: unknown
  double ulps = 0;          // from the exact reference; NaN: unknown
  std::string reference_by; // lifted, replay, reference, meaning

  bool is_known() const { return !reference.hex.empty(); }
};

struct TestVector {
  Region region = Region::ordinary;
  std::string fault; // the class: of the problem, or of the size of the error (class_of)
  std::vector<NamedNumber> input;
  std::string ending;                // how the call ended if it did not return: "called abort"; empty: it returned
  std::vector<VectorOutput> outputs; // if the call returned

  double worst() const; // the largest error in ulps; NaN if none is known
};

// The vectors of one function.
struct VectorSet {
  std::string function;
  std::string file;
  Target target = {}; // none if the vectors were read from a file
  // Sizes of arrays, including those that are only written, which do not follow from the inputs.
  Sizes sizes = {};
  std::vector<TestVector> vectors;
  uint64_t outcomes = 0; // outcomes of branches that runs have shown
  uint64_t covered = 0;  // outcomes that the vectors show
  std::string note;      // what is missing, and why
};

// Returns "correctly rounded", "faithful" (below an ulp), "few ulps", "inaccurate", "wrong" (an infinite error, or no
// correct digit), or "unknown"; for a call that did not return "ended".
std::string class_of(const TestVector& vector, int precision);

// The number of errors of each size. Sizes are powers of two, because the number of wrong bits matters.
struct ErrorHistogram {
  // Upper limits in ulps, inclusive; larger and infinite errors are counted after them.
  static constexpr std::array<double, 9> most = {0, 0.5, 1, 2, 4, 16, 0x1p8, 0x1p16, 0x1p32};
  std::array<uint64_t, 11> counts = {};
  uint64_t unknown = 0; // errors without a reference, and calls that did not return
  double largest = 0;
};
ErrorHistogram histogram_of(const std::vector<TestVector>& vectors);
std::string text(const ErrorHistogram& histogram); // "0: 12, <=0.5: 20, ..., infinite: 1", without empty ones

// Returns the position in a histogram. Errors with the same position count as alike.
size_t error_bucket(double ulps);

// Results of running test vectors against a build. Plain data, made by hunt/vectors.h.

// Smaller errors count as this one: another compiler or libm may round differently, which costs an ulp or two.
inline constexpr double least_ulps = 2;

// True if the error is more than `factor` times that of the file.
inline bool grew(double before, double now, double factor) { return now > factor * std::max(before, least_ulps); }

struct VectorFailure {
  size_t vector = 0;  // in its set, from 0
  std::string output; // empty: the call did not return
  Number computed;    // now
  double before = 0, now = 0;
  std::string ending; // how the call ended
};

// The largest of several errors, in ulps. If some are infinite, the largest of the others still distinguishes two
// builds.
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
  std::string missing; // why it could not be run; empty: it ran
  size_t vectors = 0;
  size_t unlike = 0; // vectors with another value than in the file, better or worse
  LargestErrors largest_before = {}, largest = {};
  std::vector<VectorFailure> failures;
};

// Selects candidates for test vectors by coverage, not only by the size of the error.
//
// Problems come first, then the fewest inputs that show every outcome of a branch that any candidate shows, then
// borders, special values and ordinary inputs in turn. Of two candidates that show the same (the same outcomes, an
// error of about the same size, the same binades) one is taken. Others are added only if the requested number is not
// reached.
using Decision = std::pair<uint32_t, int64_t>; // a site and its outcome

struct VectorCandidate {
  Region region = Region::ordinary;
  Input input;
  std::vector<Decision> decisions; // sorted
  size_t error = 0;                // error_bucket, or 0 before it is known
};

// Returns indices of the candidates, at most `most`: problems, then branches, and so on.
std::vector<size_t> chosen_vectors(const std::vector<VectorCandidate>& candidates, size_t most);

// Returns the number of outcomes that the chosen candidates show.
size_t outcomes_shown(const std::vector<VectorCandidate>& candidates, const std::vector<size_t>& chosen);

// Test vectors as a table for spreadsheets that `faultline vectors` reads back (docs/vectors.md).
//
// Commas and quotes follow RFC 4180. Lines that begin with # are comments. A row is one output of one vector. A call
// that did not return has one row without an output.
inline constexpr uint64_t most_vector_bytes = uint64_t(1) << 26; // of a file: 100,000 vectors of short inputs

std::string vectors_csv(const std::vector<VectorSet>& sets);

// Parses an untrusted file. Columns are identified by name and may be in any order. A vector may lack class and region.
// Throws UserError that names the line.
std::vector<VectorSet> parse_vectors(std::string_view text, const std::string& name);

} // namespace faultline::model
