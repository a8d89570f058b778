// The FPSE suite (faultline bench fpse): path conditions over floats, solved by interval propagation, next to the
// results of FPSE (Bagnara, Carlier, Gori, Gotlieb, ICST 2013).
//
// Two parts. Programs: seven small ones, where every value must be exact; the set of solutions is given by its least
// and greatest value, proven. Paths: the two case studies, which measure the savings from filtering by ULP-max; each
// path is solved with it and without. In addition to seconds, projections are counted, which are the same on every
// machine.
#pragma once

#include "solve/extent.h"
#include "solve/solver.h"
#include "suite/fpse/fpse_cases.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::suite {

// The seven programs of FPSE's "selected experimental results" (slides of ICST 2013), each in single and in double,
// with the results that the authors expect and those that FPSE computed.

// As printed on the slide: digits may be truncated.
struct Published {
  enum class Kind {
    infeasible,
    value,  // the only value
    member, // one of several
    ends    // of all values
  };
  Kind kind = Kind::infeasible;
  std::string least, greatest; // equal except for `ends`
};
std::string text(const Published& published);

struct FpseProgram {
  std::string name, formula;
  void (*build)(Path& path); // path.result() is the value in question
  struct {
    Published expected, fpse;
  } in_single, in_double;
};

const std::vector<FpseProgram>& fpse_programs();

struct FpseOptions {
  std::string solver = "interval";
  double seconds = 5; // per question
};

struct ProgramResult {
  const FpseProgram* program = nullptr;
  numeric::BinaryFormat format;
  size_t constraints = 0, variables = 0;
  solve::Extent extent;
  double seconds = 0;
  bool agrees = false; // with what the authors expect

  const Published& expected() const;
  const Published& fpse() const;
  std::string answer() const; // infeasible, a value, or [least, greatest]; with a ? if it is not proven
};

enum class CaseStudy { dichotomic, tcas };

struct PathResult {
  CaseStudy study = CaseStudy::dichotomic;
  int depth = 0; // of dichotomic
  std::string path;
  size_t constraints = 0, variables = 0;
  solve::Result with, without; // ULP-max

  bool solved() const { return with.answer != solve::Answer::unknown; }
  // The cost without ULP-max relative to the cost with it. An unanswered question counts with the effort spent on it,
  // so the ratio is a lower bound then.
  double ratio_of_projections() const {
    return double(without.projections) / double(std::max<uint64_t>(with.projections, 1));
  }
  double ratio_of_times() const { return without.seconds / std::max(with.seconds, 1e-6); }
};

struct FpseEvaluation {
  FpseOptions options;
  std::vector<ProgramResult> programs;
  std::vector<PathResult> paths;

  // True if every program agrees, and every path of dichotomic() was solved with ULP-max.
  bool good() const;
};

// Called before each question.
using FpseListener = std::function<void(const std::string& what)>;

FpseEvaluation evaluate_fpse(const FpseOptions& options, const FpseListener& listener, const std::atomic<bool>& stop);

// Evaluate one question each, for tests.
ProgramResult evaluate(const FpseProgram& program, numeric::BinaryFormat format, const FpseOptions& options);
PathResult evaluate(CaseStudy study, int depth, const std::string& name, const Path& path, const FpseOptions& options);

// True if ends differ by less than one unit of the last printed digit, and zeros are the same zero. A member agrees if
// it is between the ends.
bool agrees(const solve::Extent& extent, const Published& published, numeric::BinaryFormat format);

} // namespace faultline::suite
