// The suite `smt`: every SMT-LIB file of a folder, each solver alone, so many seconds a file. Of a file with several
// checks it is the first.
//
// An answer is wrong if it contradicts the file's own :status, or if another solver proved the opposite. Each run is a
// process of its own with a hard limit: a solver that crashes or does not end costs one file.
#pragma once

#include "constraint/smtlib/reader.h"
#include "solve/solver.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::suite {

struct SmtOptions {
  std::string folder;
  std::vector<std::string> solvers;
  double seconds = 10;
  uint64_t seed = 1;
  int jobs = 1;
};

struct SmtRun {
  std::string file;   // below the folder
  std::string group;  // its folder
  std::string solver; // that was asked
  constraint::Status status = constraint::Status::unknown;
  solve::Answer answer = solve::Answer::unknown;
  std::string by; // who answered, within a portfolio
  std::string reason;
  double seconds = 0;
  bool wrong = false;
};

struct SmtReport {
  std::vector<SmtRun> runs; // by file, then by solver
  double seconds = 10;      // the limit
  bool interrupted = false;

  uint64_t wrong() const;
};

// The .smt2 files of a folder and of those in it, sorted. Throws frontend::UserError if there are none.
std::vector<std::string> smt_files(const std::string& folder);

// Throws frontend::UserError for a file that cannot be read.
SmtReport run_smt(const SmtOptions& options, const std::function<void(size_t done, size_t all, const SmtRun&)>& on_run,
                  const std::atomic<bool>& stop);

std::string smt_text(const SmtReport& report);
std::string smt_csv(const SmtReport& report);
std::string smt_json(const SmtReport& report, const std::vector<std::string>& command);

} // namespace faultline::suite
