// The published and measured figures of others that the GSL suite prints beside its own (benchmarks/gsl/published).
#pragma once

#include "suite/bench.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

// What a public implementation reported on one function, measured on the machine this project is built on.
struct Peer {
  double seconds = 0;
  double largest_error = 0; // 0: it reported nothing that could be scored
  uint64_t reported = 0;    // inputs
  uint64_t significant = 0; // of those
  uint64_t unknown = 0;     // all of them, where the study had no oracle
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

// One of them. Throws frontend::UserError if it is missing, or no table.
Csv published_csv(const Files& files, const std::string& name);

// The files as they were when faultline was built.
const Files& published_files();

// Throws frontend::UserError: a file is missing or malformed.
GslPublished gsl_published(const Files& files);

} // namespace faultline::suite
