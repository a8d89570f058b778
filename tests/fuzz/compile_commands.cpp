#include "memory_file.h"
#include "program/compiling/compilation_database.h"
#include "targets.h"

#include <algorithm>
#include <array>

namespace faultline::fuzz {

int fuzz_compile_commands(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  const char* const source = "/project/f.c";
  const program::DatabaseEntry entry =
      program::CompilationDatabase(file.path(), {source}, program::Trust::no, program::ProjectFolders({source}))
          .entry_for(source);
  constexpr std::array<std::string_view, 3> ours = {"-o", "-c", "-S"};
  for (const std::string& flag : entry.flags)
    if (std::ranges::find(ours, flag) != ours.end())
      throw Broken("a flag that says where the result goes, or what it is, is not left out: " + flag);
  return 0;
}

} // namespace faultline::fuzz
