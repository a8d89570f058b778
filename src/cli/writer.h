// Reports in files: -o FILE. The ending of the name chooses the format. A Writer is made before the long run, for its
// file may be refused (output_file.h).
#pragma once

#include "cli/output_file.h"
#include "cli/progress.h"
#include "finding/problem.h"
#include "finding/settings/said.h"
#include "finding/vectors/vector.h"
#include "hunt/options.h"
#include "hunt/vectors/vectors.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::cli {

// What a report is made with, beside the findings.
struct WriterMeans {
  std::function<campaign::Options()> options; // of the hunt that made it: asked for by formats that run its code again
  std::vector<finding::VectorSet> vectors;    // if there is one who wants them
};

class Writer {
public:
  // Throws frontend::UserError: the ending is unknown, or the file cannot be written.
  explicit Writer(const std::string& file);

  bool to_standard_output() const { return file_.is_standard_output(); }
  bool draws() const;         // does it show plots, if the findings have them?
  bool wants_vectors() const; // does it write test vectors?
  const OutputFile& file() const { return file_; }

  // Throws frontend::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const finding::RankedReport& report, const WriterMeans& means = {}) const;

private:
  using Render = void (*)(const finding::RankedReport&, const WriterMeans&, const OutputFile::Sink&);
  static Render render_for(const std::string& file);

  Render render_; // first: an ending that is refused touches no file
  OutputFile file_;
};

// Does a command, as reports record it, write an HTML page?
bool writes_page(const std::vector<std::string>& command);

// Throws UserError if two of them have the same target.
std::vector<Writer> writers(const std::vector<std::string>& files);

struct WritingAll {
  std::function<campaign::Options()> options; // of the hunt that made the report
  size_t vectors = campaign::usual_vectors;   // of each function
  const std::atomic<bool>& stop;              // ends what runs for long
  ProgressMode mode = ProgressMode::silent;
};
// Test vectors are made once for all that want them. Throws as Writer::write does.
void write_all(const std::vector<Writer>& writers, const finding::RankedReport& report, const WritingAll& how);

// --vectors N. Throws UserError.
size_t vectors_from(const finding::Said& said);

} // namespace faultline::cli
