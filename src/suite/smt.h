// The suite `smt`: every SMT-LIB file of a folder, with each solver alone and a time limit per file. Only the first
// check of a file is used.
//
// An answer is wrong if it contradicts the file's own :status, or if another solver proved the opposite. Each run is a
// separate process with a hard limit, so a solver that crashes or does not end costs one file.
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
  std::string file;   // relative to the folder
  std::string group;  // its folder
  std::string solver; // the tested solver
  constraint::Status status = constraint::Status::unknown;
  solve::Answer answer = solve::Answer::unknown;
  std::string by; // the solver within a portfolio that answered
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

// Returns the .smt2 files of a folder and its subfolders, sorted. Throws frontend::UserError if there are none.
std::vector<std::string> smt_files(const std::string& folder);

// Throws frontend::UserError for a file that cannot be read.
SmtReport run_smt(const SmtOptions& options, const std::function<void(size_t done, size_t all, const SmtRun&)>& on_run,
                  const std::atomic<bool>& stop);

std::string smt_text(const SmtReport& report);
std::string smt_csv(const SmtReport& report);
std::string smt_json(const SmtReport& report, const std::vector<std::string>& command);

} // namespace faultline::suite
