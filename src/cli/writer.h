// Writes reports to files: -o FILE. The ending of the name selects the format. A Writer must be made before the long
// run, because its file may be refused.
#pragma once

#include "base/error.h"
#include "cli/progress.h"
#include "hunt/targets.h"
#include "hunt/vectors.h"
#include "model/problem.h"
#include "model/report.h"
#include "model/settings/table.h"
#include "model/vectors/vector.h"

#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

// The file of a result: -o FILE.
//
// It is made before the long run and checks then that the file can be written, so that an hour of searching does not
// end in "permission denied". The check leaves nothing on disk. The text is written to a temporary file next to the
// target, which is then renamed, so that a reader sees the old file or the whole new one.
class OutputFile {
public:
  // "-" is standard output. Throws base::UserError if the file cannot be written.
  explicit OutputFile(const std::string& file);

  bool is_standard_output() const { return file_ == "-"; }

  // Returns the file that is written: links are followed, so that they stay links.
  std::string destination() const;

  // Throws base::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const std::string& text) const;
  // The same, part by part.
  using Sink = std::function<void(std::string_view)>;
  void write(const std::function<void(const Sink&)>& produce) const;

private:
  std::string file_;
};

// Returns the row of a table of formats for the ending of a file; "-" is written as .json. Throws base::UserError.
template <class Formats>
const auto& format_for(const std::string& file, const Formats& formats, std::string_view hint) {
  for (const auto& format : formats)
    if (std::string_view(file == "-" ? ".json" : file).ends_with(format.ending))
      return format;
  throw base::UserError(base::status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                        std::string(hint));
}

// Returns the files of commands that write only JSON: FILE.json, or - for standard output. Throws base::UserError.
std::vector<OutputFile> json_files(const std::vector<std::string>& names);

// Prints text on standard output. Throws base::UserError if that fails.
void print(std::string_view text);

// The inputs of a report other than the findings.
struct WriterMeans {
  std::function<hunt::Options()> options; // of the hunt that made it, for formats that run its code again
  std::vector<model::VectorSet> vectors;  // if a writer wants them
};

class Writer {
public:
  // Throws base::UserError if the ending is unknown or the file cannot be written.
  explicit Writer(const std::string& file);

  bool to_standard_output() const { return file_.is_standard_output(); }
  bool draws() const;         // true if it shows plots
  bool wants_vectors() const; // true if it writes test vectors
  const OutputFile& file() const { return file_; }

  // Throws base::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const model::RankedReport& report, const WriterMeans& means = {}) const;

private:
  using Render = void (*)(const model::RankedReport&, const WriterMeans&, const OutputFile::Sink&);
  static Render render_for(const std::string& file);

  Render render_; // first, so that a refused ending touches no file
  OutputFile file_;
};

// True if a command, as recorded in reports, writes an HTML page.
bool writes_page(const std::vector<std::string>& command);

// Makes the writers. Throws UserError if two of them have the same target.
std::vector<Writer> writers(const std::vector<std::string>& files);

struct WritingAll {
  std::function<hunt::Options()> options; // of the hunt that made the report
  size_t vectors = hunt::usual_vectors;   // of each function
  const std::atomic<bool>& stop;          // ends long operations
  ProgressMode mode = ProgressMode::silent;
};
// Writes all reports. Test vectors are made once for all that want them. Throws as Writer::write does.
void write_all(const std::vector<Writer>& writers, const model::RankedReport& report, const WritingAll& how);

// --vectors N. Throws UserError.
size_t vectors_from(const model::RawSettings& raw);

// Samples the plots if one of the reports draws them, and shows the progress on standard error. A failure is reported
// in one line on standard error and in the report, because findings without plots are better than no report.
void draw(model::Report& report, const std::vector<model::Problem>& problems, const std::vector<Writer>& writers,
          const std::function<hunt::Options()>& options, const std::atomic<bool>& stop,
          ProgressMode mode = progress_mode(false, STDERR_FILENO));

} // namespace faultline::cli
