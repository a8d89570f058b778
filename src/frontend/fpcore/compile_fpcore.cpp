#include "frontend/fpcore/compile_fpcore.h"

#include "frontend/compile.h"
#include "frontend/compiling/unnamed_file.h"
#include "frontend/error.h"
#include "frontend/fpcore/file.h"

#include <fmt/format.h>
#include <unistd.h>

namespace faultline::frontend::fpcore {

std::string compile_fpcore(const std::string& file, const std::vector<std::string>& flags,
                           Preconditions preconditions) {
  if (file.find(';') != std::string::npos) // clang's separator between a file and what takes its place
    throw UserError(status_usage, fmt::format("{}: a name with ';' cannot be read", file), "rename the file");
  const UnnamedFile source;
  source.fill(c_source(file, preconditions));
  std::vector<std::string> all = flags;
  all.insert(all.end(), {"-w", fmt::format("-fbracket-depth={}", 4 * deepest_form), "-Xclang", "-remap-file", "-Xclang",
                         fmt::format("{};/proc/{}/fd/{}", file, getpid(), source.descriptor()), "-x", "c"});
  return compile(file, all, "", "");
}

} // namespace faultline::frontend::fpcore
