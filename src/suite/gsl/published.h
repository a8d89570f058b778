// The published and measured figures of other tools that the GSL suite prints (benchmarks/gsl/published).
#pragma once

#include "suite/bench.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

// The report of a public implementation on one function, measured on the build machine of this project.
struct Peer {
  double seconds = 0;
  double largest_error = 0; // 0: no reported input could be scored
  uint64_t reported = 0;    // inputs
  uint64_t significant = 0; // of those
  uint64_t unknown = 0;     // all of them if the study had no oracle
};

struct GslFigures {
  std::string function;
  Peer atomu, fpcc;
  std::optional<double> paper; // ATOMU's published error
  bool in_paper_significant = false;
};

struct GslPublished {
  std::vector<GslFigures> functions;    // the one-argument functions, in the order of gsl_univariate.csv
  uint64_t atomu_first_significant = 0; // functions whose first-ranked input is significant
  uint64_t fpcc_first_significant = 0;
};

using Files = std::map<std::string, std::string>; // contents by name

// Returns one table. Throws frontend::UserError if it is missing or malformed.
Csv published_csv(const Files& files, const std::string& name);

// The files at the time when faultline was built.
const Files& published_files();

// Throws frontend::UserError if a file is missing or malformed.
GslPublished gsl_published(const Files& files);

} // namespace faultline::suite
