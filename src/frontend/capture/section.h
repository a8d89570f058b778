// Files that a build made: objects, archives (thin ones, too), shared libraries and programs, and the records in them
// (frontend/capture/record.h). They are told by their content, not by their names.
#pragma once

#include "frontend/capture/record.h"

#include <string>
#include <vector>

namespace faultline::frontend {

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

} // namespace faultline::frontend
