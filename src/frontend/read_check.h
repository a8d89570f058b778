// Checks that a compiler read only files of the project (frontend/project_files.h). With Landlock, the kernel refuses
// other files, and the compiler's messages name them. Without it, clang lists what it has read, and the text of Fortran
// shows what it includes.
#pragma once

#include "frontend/compile.h"

#include <string>
#include <vector>

namespace faultline::frontend {

class ReadCheck {
public:
  // `files.readable`: what may be read; empty: all. Throws UserError for a Fortran file that includes others.
  ReadCheck(Language language, const std::string& file, const Compilation& how, const CompilerFiles& files);

  // Adds what the compiler needs to list the files that it reads.
  void ask(CompilerFiles& files, std::vector<std::string>& command) const;
  // Throws UserError that names the first other file.
  void check(const CompilerRun& run) const;

private:
  const std::string& file_;
  const Compilation& how_;
  const std::vector<std::string> readable_;
  bool needs_list_;
  UnnamedFile list_;
};

} // namespace faultline::frontend
