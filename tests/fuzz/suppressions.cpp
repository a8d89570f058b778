#include "memory_file.h"
#include "model/expression.h"
#include "model/set_aside.h"
#include "targets.h"

#include <limits>

namespace faultline::fuzz {

int fuzz_suppressions(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  model::SourceText source({"/"});
  model::Suppressions suppressions(source);
  model::TargetReport target;
  model::Target function;
  target.file = function.file = file.path();
  target.function = function.function = "f";
  model::Finding finding;
  finding.cause = model::Cause{.file = file.path()};
  constexpr int most = std::numeric_limits<int>::max(); // `#line` gives any
  std::vector<int> lines{-1, most};
  for (int line = 0; line <= int(std::min<size_t>(source.lines(file.path()).size(), 50)) + 1; ++line)
    lines.push_back(line);
  for (const int line : lines)
    for (const int of_cause : {line, 0, 3, most}) {
      target.line = function.line = line;
      finding.cause->line = of_cause;
      (void)suppressions.find(target, finding);
      (void)function_comments(source, function);
      (void)fingerprint(target, finding, source);
      read_expressions(finding, source);
    }
  (void)suppressions.remarks({target}, {function}, {});
  return 0;
}

} // namespace faultline::fuzz
