#include "finding/set_aside.h"
#include "finding/settings/configuration.h"
#include "memory_file.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_suppressions(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  finding::SourceText source({"/"});
  finding::Suppressions suppressions(source);
  finding::TargetReport target;
  frontend::Target function;
  target.file = function.file = file.path();
  target.function = function.function = "f";
  finding::Finding finding;
  finding.cause = finding::Cause{.file = file.path()};
  const int lines = int(std::min<size_t>(source.lines(file.path()).size(), 50));
  for (int line = 0; line <= lines + 1; ++line) {
    target.line = function.line = line;
    finding.cause->line = line;
    (void)suppressions.find(target, finding);
    (void)meaning_comments(source, function);
  }
  (void)suppressions.remarks({target}, {function}, {});
  return 0;
}

} // namespace faultline::fuzz
