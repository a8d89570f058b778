// Answers of compilers, kept between runs of Faultline: a second run on unchanged sources does not wait for them.
//
// An answer is found by its question (the command, the folder, the compiler, what it may read), and counts only if all
// files that the compiler read are as they were, by content, and if no header has been added to their folders, which
// might now come first. Failures are not kept. The folder and the files in it must belong to the user, with no access
// for others; otherwise there is no cache.
#pragma once

#include "program/compiling/compiler_process.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

class CompileCache {
public:
  // `question`: everything that the answer depends on besides the content of files. `program`: the compiler.
  CompileCache(const std::string& program, const std::vector<std::string>& question);

  std::optional<CompilerRun> find() const;
  // `read`: the files that the compiler read, relative to the directory; without any, nothing is kept, or if one has
  // changed since the question. `searched`: further folders in which it looked for headers.
  void keep(const CompilerRun& answer, const std::vector<std::string>& read, const std::string& directory,
            const std::vector<std::string>& searched) const;

private:
  std::string file_; // of the answer; empty: there is no cache
  std::chrono::system_clock::time_point asked_;
};

} // namespace faultline::program
