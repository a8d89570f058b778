// A file that a result goes to: -o FILE.
//
// It is made before the long run and proves then that the file can be written, so an hour of searching does not end in
// "permission denied". Nothing is left on disk in between: the text goes to a temporary name beside the target at the
// end, which is renamed, so that a reader sees the old file or the whole new one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::cli {

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

} // namespace faultline::cli
