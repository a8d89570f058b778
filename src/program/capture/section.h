// Files that a build makes: objects, archives (also thin ones), shared libraries and programs, and the records in them.
// Their kind is determined by their content, not by their names.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// What the compiler wrapper stores about one compiled source, in a section of its object.
//
// Linkers concatenate the sections of their inputs without looking inside. So a section is a sequence of records, each
// with its length; zeros between them are padding. A record is
//
//   8 bytes "FLTLNBC1", the length of the header, the length of the bitcode (both 8 bytes, little endian),
//   the header (JSON), the bitcode (compressed with zstd if the header has "compression": "zstd", with the "size" it
//   has without)
//
// The section is not loaded with the program (it has no SHF_ALLOC) and costs disk space only. strip keeps it, and `ld
// --gc-sections` keeps it if it keeps anything of its object.
inline constexpr const char* capture_section = ".faultline";

struct Record {
  std::string source;    // full path
  std::string directory; // where it was compiled
  std::string language;
  std::string compiler;              // the real one
  std::vector<std::string> flags;    // with which the bitcode was compiled
  std::vector<std::string> left_out; // relevant flags that were dropped for the bitcode
  std::string reason;                // why there is no bitcode; empty if there is
  std::string bitcode;
};

std::string bytes_of(const Record& record);

// Returns the records of a section; `file` is for messages. Throws UserError if they are damaged.
std::vector<Record> records_in(std::string_view section, const std::string& file);

// True for ELF files and archives.
bool is_machine_code(const std::string& file);

// What the user's own compiler made: an object that can be linked, or the path of a shared library. A program has
// neither, since its functions cannot be called from outside.
struct MachineCode {
  std::string name;
  std::string compiler = {}; // without its folder: gcc; empty if it is unknown, or if there were several
  std::shared_ptr<const std::string> object = {};
  std::string library = {};
};

// A compiled object: a member of an archive, or the file itself. Linked files cannot be taken apart again, so a program
// is one object with many records.
struct BuiltObject {
  std::string name;
  std::vector<Record> records;
  std::optional<MachineCode> machine_code = {}; // none if it is bitcode
};

// Throws UserError if the file is damaged or cannot be read.
std::vector<BuiltObject> built_objects(const std::string& file);

// How much of a build was captured. It is reported first, so that a part is not mistaken for the whole.
struct MissingObject {
  std::string name; // of the source, or of the object if its source is unknown
  std::string reason;
};

struct CaptureSummary {
  size_t objects = 0;
  std::vector<MissingObject> missing;
  std::map<std::string, size_t> left_out; // dropped flags, and the number of objects

  bool any() const { return objects > 0; }
  void add(const BuiltObject& built);
};

// "captured 212 of 215 objects; missing: a.s (assembly), b.c (does not compile ...) and 1 more". Lists only a few names
// unless `all`. No newline.
std::string capture_text(const CaptureSummary& summary, bool all);

// "3 compiler flags that LLVM 19 lacks were left out: -fno-foo (12 objects), ..."; empty if there are none.
std::string left_out_text(const CaptureSummary& summary, bool all);

} // namespace faultline::program
