#include "frontend/capture/section.h"
#include "memory_file.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_objects(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  for (const frontend::BuiltObject& object : frontend::built_objects(file.path()))
    for (const frontend::Record& record : object.records)
      (void)frontend::bytes_of(record);
  return 0;
}

} // namespace faultline::fuzz
