// Reports in files: -o FILE. The ending of the name chooses the format. A Writer is made before the long run, for its
// file may be refused (output_file.h).
#pragma once

#include "cli/progress.h"
#include "finding/problem.h"
#include "finding/report.h"
#include "finding/settings/table.h"
#include "finding/vectors/vector.h"
#include "hunt/extents.h"
#include "hunt/vectors.h"

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

// A file that a result goes to: -o FILE.
//
// It is made before the long run and proves then that the file can be written, so an hour of searching does not end in
// "permission denied". Nothing is left on disk in between: the text goes to a temporary name beside the target at the
// end, which is renamed, so that a reader sees the old file or the whole new one.
class OutputFile {
public:
  // "-" is standard output. Throws frontend::UserError: the file cannot be written.
  explicit OutputFile(const std::string& file);

  bool is_standard_output() const { return file_ == "-"; }

  // Where the bytes end up: a link is followed, so that it stays a link.
  std::string destination() const;

  // Throws frontend::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const std::string& text) const;
  // The same, part by part.
  using Sink = std::function<void(std::string_view)>;
  void write(const std::function<void(const Sink&)>& produce) const;

private:
  std::string file_;
};

// Those of commands that write JSON alone: FILE.json, or - for standard output. Throws frontend::UserError.
std::vector<OutputFile> json_files(const std::vector<std::string>& names);

// Puts text on standard output. Throws frontend::UserError if it does not get there.
void print(std::string_view text);

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

// Plots for the reports that draw them: hunt and report have this in common.

// Samples the plots if one of the reports draws them, and says on standard error how far it is. Whatever prevents it is
// told in one line on standard error, and in the report: findings without plots are better than no report.
void draw(finding::Report& report, const std::vector<finding::Problem>& problems, const std::vector<Writer>& writers,
          const std::function<campaign::Options()>& options, const std::atomic<bool>& stop,
          ProgressMode mode = progress_mode(false, STDERR_FILENO));

} // namespace faultline::cli
