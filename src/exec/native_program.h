// Code under test, compiled natively with a main program that calls it, in a temporary folder.
//
// The code is the bitcode of the hunt, translated without a second optimisation, so the same operations run natively.
// The main program is C, or C++ with GoogleTest.
#pragma once

#include "exec/sandbox.h"
#include "frontend/compiling/compiler_process.h"

#include <string>
#include <vector>

namespace faultline::exec {

enum class MainProgram { c, google_test };

class NativeProgram {
public:
  NativeProgram(const std::string& bitcode, const std::string& main_text, MainProgram kind);

  // The first error of a compiler or linker. Empty if the program was built.
  const std::string& problem() const { return problem_; }

  // Runs the program in the sandbox, with limits on time and memory.
  base::ProgramEnd run(const std::vector<std::string>& arguments, double seconds,
                       const Confinement& confinement = {}) const;

private:
  bool build(const std::vector<std::string>& command);

  frontend::TemporaryFolder folder_;
  std::string problem_;
};

} // namespace faultline::exec
