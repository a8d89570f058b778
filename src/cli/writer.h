// Reports in files: -o FILE. The ending of the name chooses the format. A Writer is made before the long run, for its
// file may be refused (output_file.h).
#pragma once

#include "campaign/options.h"
#include "campaign/vectors/vectors.h"
#include "cli/output_file.h"
#include "finding/report.h"
#include "finding/settings/said.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::cli {

// What a report is made with, beside the findings.
struct WriterMeans {
  std::function<campaign::Options()> options;
  size_t vectors;
  const std::atomic<bool>* stop; // ends those that run for long
};

class Writer {
public:
  // Throws frontend::UserError: the ending is unknown, or the file cannot be written. `vectors`: how many test vectors
  // of a function it writes, if it writes such.
  explicit Writer(const std::string& file, size_t vectors = campaign::usual_vectors);

  bool to_standard_output() const { return file_.is_standard_output(); }
  bool draws() const; // does it show plots, if the findings have them?
  const OutputFile& file() const { return file_; }

  // `options`: of the hunt that made the report, asked for by formats that run its code again (regression tests).
  // Throws frontend::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const finding::Report& report, const std::function<campaign::Options()>& options = {},
             const std::atomic<bool>* stop = nullptr) const;

private:
  using Render = void (*)(const finding::Report&, const WriterMeans&, const OutputFile::Sink&);
  static Render render_for(const std::string& file);

  Render render_; // first: an ending that is refused touches no file
  OutputFile file_;
  size_t vectors_;
};

// Throws UserError if two of them have the same target.
std::vector<Writer> writers(const std::vector<std::string>& files, size_t vectors = campaign::usual_vectors);

// --vectors N. Throws UserError.
size_t vectors_from(const finding::Said& said);

} // namespace faultline::cli
