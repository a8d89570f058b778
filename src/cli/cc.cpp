#include "cli/command_line.h"

#include "base/error.h"
#include "base/process.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

namespace {

constexpr const char* help_text =
    R"(faultline cc, faultline c++, faultline fc: compile as the real compiler does, and remember the bitcode

Usage: faultline cc ARGUMENTS...        all arguments are the compiler's

They replace the compiler, build what it builds, and put bitcode into a section of the objects, so that
faultline hunt and list take what the build has made: objects, archives, shared libraries, programs. They are also
installed as faultline-cc, faultline-c++ and faultline-fc, which start more quickly.

The real compilers are cc, c++ and gfortran (else flang-new-19), or what FAULTLINE_CC, FAULTLINE_CXX and FAULTLINE_FC
say.

Examples:
  ./configure CC=faultline-cc && make
  cmake -B build -DCMAKE_C_COMPILER=faultline-cc -DCMAKE_CXX_COMPILER=faultline-c++ && cmake --build build
  faultline list libfoo.a                          what was captured, and what can be hunted in
)";

} // namespace

void start_compiler_wrapper(char** argv) {
  if (!argv[0] || !argv[1])
    return;
  for (const std::string_view name : {"cc", "c++", "fc"}) {
    if (argv[1] != name)
      continue;
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const std::string program = (folder / "faultline-cc").string();
    std::string called = fmt::format("faultline-{}", name);
    argv[1] = called.data();
    execv(program.c_str(), argv + 1);
    fmt::print(stderr, "faultline: error: {}: {}\n  try: make build builds it next to faultline\n", program,
               std::strerror(errno));
    std::exit(base::status_usage);
  }
}

int cc(const CommandLine&) { throw Help{help_text}; }

// The evaluation suites are a separate program, faultline-bench, in the same folder as this one.

int bench(const CommandLine& line) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "faultline-bench").string();
  std::vector<std::string> words{program};
  words.insert(words.end(), line.typed.begin() + 1, line.typed.end());
  base::become(words);
  throw base::UserError(base::status_usage, fmt::format("{}: {}", program, std::strerror(errno)),
                        "make build builds it next to faultline");
}

} // namespace faultline::cli
