// Files that a build made: objects, archives (thin ones, too), shared libraries and programs, and the records in them
// (frontend/capture/section.h). They are told by their content, not by their names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

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

// ELF, or an archive.
bool is_machine_code(const std::string& file);

// An object that was compiled: a member of an archive, or the file itself. What was linked cannot be taken apart again,
// so a program is one object with many records.
struct BuiltObject {
  std::string name;
  std::vector<Record> records;
};

// Throws UserError if the file is damaged, or cannot be read.
std::vector<BuiltObject> built_objects(const std::string& file);

// How much of a build was captured: told before anything else, so that nobody takes a part for the whole.
struct Missing {
  std::string name; // of the source, or of the object if nothing is known of that
  std::string reason;
};

struct CaptureSummary {
  size_t objects = 0;
  std::vector<Missing> missing;
  std::map<std::string, size_t> left_out; // flags that bitcode was compiled without, and in how many objects

  bool any() const { return objects > 0; }
  void add(const BuiltObject& built);
};

// "captured 212 of 215 objects; missing: a.s (assembly), b.c (does not compile ...) and 1 more". A few names are shown
// unless `all`. No newline.
std::string capture_text(const CaptureSummary& summary, bool all);

// "3 compiler flags that LLVM 19 lacks were left out: -fno-foo (12 objects), ..."; empty if there are none.
std::string left_out_text(const CaptureSummary& summary, bool all);

} // namespace faultline::frontend
