// Reports in files: -o FILE. The ending of the name chooses the format.
//
// A Writer is made before the long run and proves then that its file can be written, so an hour of searching does not
// end in "permission denied". Nothing is left on disk in between: the report goes to a temporary name beside the target
// at the end, which is renamed, so that a reader sees the old file or the whole new one.
#pragma once

#include "campaign/finding.h"

#include <string>
#include <vector>

namespace faultline::report {

class Writer {
public:
  // Throws frontend::UserError: the ending is unknown or not in this version, or the file cannot be written.
  explicit Writer(const std::string& file);

  bool to_standard_output() const { return file_ == "-"; }

  // Throws frontend::UserError if the disk is full or the folder is gone; the target is untouched then.
  void write(const campaign::Report& report) const;

private:
  std::string file_;
  std::string (*render_)(const campaign::Report&);
};

// Throws UserError if two of them have the same target.
std::vector<Writer> writers(const std::vector<std::string>& files);

// Puts text on standard output. Throws frontend::UserError if it does not get there.
void print(const std::string& text);

} // namespace faultline::report
