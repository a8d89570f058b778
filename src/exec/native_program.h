// Code under test, compiled natively with a main program that calls it, in a temporary folder.
//
// The code is the bitcode of the hunt, translated without a second optimisation, so the same operations run natively.
// The main program is C, or C++ with GoogleTest.
#pragma once

#include "exec/sandbox.h"
#include "program/compiling/compiler_process.h"

#include <string>
#include <vector>

namespace faultline::exec {

enum class MainProgram { c, google_test };

class NativeProgram {
public:
  // `project`: the folders that the compilers may read (program/project_files.h), which have the headers of the main
  // program. Assembler code in the bitcode can name any file.
  NativeProgram(const std::string& bitcode, const std::string& main_text, MainProgram kind,
                const std::vector<std::string>& project);

  // The first error of a compiler or linker. Empty if the program was built.
  const std::string& problem() const { return problem_; }

  // Runs the program in the sandbox, with limits on time and memory.
  base::ProgramEnd run(const std::vector<std::string>& arguments, double seconds,
                       const Confinement& confinement = {}) const;

private:
  bool build(const std::vector<std::string>& command);

  program::TemporaryFolder folder_;
  std::vector<std::string> readable_;
  std::string problem_;
};

// Returns the compiler's first error in a main program, without its code; empty if it compiles, or if that cannot be
// found out here: a compiler or a header is missing.
std::string error_in(const std::string& main_text, MainProgram kind, const std::vector<std::string>& project);

} // namespace faultline::exec
