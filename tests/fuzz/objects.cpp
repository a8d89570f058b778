#include "memory_file.h"
#include "program/capture/section.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_objects(const uint8_t* data, size_t size) {
  const MemoryFile file(text_of(data, size));
  for (const program::BuiltObject& object : program::built_objects(file.path()))
    for (const program::Record& record : object.records)
      (void)program::bytes_of(record);
  return 0;
}

} // namespace faultline::fuzz
