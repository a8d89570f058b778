#include "memory_file.h"
#include "own_process.h"
#include "program/capture/section.h"

namespace faultline::fuzz {

int fuzz_objects(const uint8_t* data, size_t size) {
  in_own_process([&] {
    const MemoryFile file(text_of(data, size));
    for (const program::BuiltObject& object : program::built_objects(file.path()))
      for (const program::Record& record : object.records)
        (void)program::bytes_of(record);
  });
  return 0;
}

} // namespace faultline::fuzz
