// The FPSE suite (faultline bench fpse): path conditions over floats, solved by interval propagation, beside the
// results of FPSE (Bagnara, Carlier, Gori, Gotlieb, ICST 2013).
//
// Two parts. Programs: seven small ones, where what counts is that every value is exact; the set of solutions is given
// by its least and greatest value, proven. Paths: the two case studies, where what counts is what filtering by ULP-max
// saves; each path is solved with it and without. Projections are counted beside seconds: they are the same everywhere.
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
// with the results that the authors expect and those that FPSE gave.

// As printed on the slide: digits may be cut off.
struct Published {
  enum class Kind {
    infeasible,
    value,  // the one value there is
    member, // one of several
    ends    // of all values
  };
  Kind kind = Kind::infeasible;
  std::string least, greatest; // the same but for `ends`
};
std::string text(const Published& published);

struct FpseProgram {
  std::string name, formula;
  void (*build)(Path& path); // path.result() is the value that is asked for
  struct {
    Published expected, fpse;
  } in_single, in_double;
};

const std::vector<FpseProgram>& fpse_programs();

struct FpseOptions {
  std::string solver = "interval";
  double seconds = 5; // for each question
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
  std::string answer() const; // infeasible, a value, or [least, greatest]; with a ? if that is not proven
};

enum class CaseStudy { dichotomic, tcas };

struct PathResult {
  CaseStudy study = CaseStudy::dichotomic;
  int depth = 0; // of dichotomic
  std::string path;
  size_t constraints = 0, variables = 0;
  solve::Result with, without; // ULP-max

  bool solved() const { return with.answer != solve::Answer::unknown; }
  // What it costs without ULP-max, in terms of what it costs with it. A question that was not answered counts with what
  // was spent on it, so the ratio is a lower bound then.
  double ratio_of_projections() const {
    return double(without.projections) / double(std::max<uint64_t>(with.projections, 1));
  }
  double ratio_of_times() const { return without.seconds / std::max(with.seconds, 1e-6); }
};

struct FpseEvaluation {
  FpseOptions options;
  std::vector<ProgramResult> programs;
  std::vector<PathResult> paths;

  // Every program agrees, and every path of dichotomic() was solved with ULP-max.
  bool good() const;
};

// Called before each question.
using FpseListener = std::function<void(const std::string& what)>;

FpseEvaluation evaluate_fpse(const FpseOptions& options, const FpseListener& listener, const std::atomic<bool>& stop);

// One of each, for tests.
ProgramResult evaluate(const FpseProgram& program, numeric::BinaryFormat format, const FpseOptions& options);
PathResult evaluate(CaseStudy study, int depth, const std::string& name, const Path& path, const FpseOptions& options);

// Ends agree if they are less than one unit of the last printed digit away; zero, if it is that zero. A member agrees
// if it lies between the ends.
bool agrees(const solve::Extent& extent, const Published& published, numeric::BinaryFormat format);

} // namespace faultline::suite
