// What the compiler wrapper remembers of one compiled source, as bytes of an object's section.
//
// Linkers lay the sections of their inputs end to end and know nothing of what is in them. So a section is a sequence
// of records, each of which says how long it is; zeros between them are padding. A record is
//
//   8 bytes "FLTLNBC1", the length of the header, the length of the bitcode (both 8 bytes, little endian),
//   the header (JSON), the bitcode (compressed with zstd if the header has "compression": "zstd", with the "size" it
//   has without)
//
// The section is not loaded with the program (it has no SHF_ALLOC): it costs space on the disk and nothing else, strip
// leaves it, and `ld --gc-sections` keeps it if it keeps anything of its object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

inline constexpr const char* capture_section = ".faultline";

struct Record {
  std::string source;    // full path
  std::string directory; // where it was compiled
  std::string language;
  std::string compiler;              // the real one
  std::vector<std::string> flags;    // that the bitcode was compiled with
  std::vector<std::string> left_out; // that it was compiled without, and that might matter
  std::string reason;                // why there is no bitcode; empty if there is
  std::string bitcode;
};

std::string bytes_of(const Record& record);

// The records of a section; `file` is where it stands, for messages. Throws UserError if they are damaged.
std::vector<Record> records_in(std::string_view section, const std::string& file);

} // namespace faultline::frontend
