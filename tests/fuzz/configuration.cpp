#include "base/error.h"
#include "cli/configuration_file.h"
#include "memory_file.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_configuration(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  try {
    cli::read_configuration(file.path());
  } catch (const base::UserError& problem) {
    if (!std::string_view(problem.what()).starts_with(file.path()))
      throw Broken(std::string("a complaint does not begin with the file: ") + problem.what());
    throw;
  }
  return 0;
}

} // namespace faultline::fuzz
