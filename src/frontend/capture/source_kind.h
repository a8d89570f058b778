// What a source is written in, by its ending or by -x, as compiler drivers see it.
#pragma once

#include "frontend/capture/command.h"

#include <optional>
#include <string>

namespace faultline::frontend {

struct SourceKind {
  Language language = Language::unknown;
  std::string given;      // for -x of clang or flang
  std::string obstacle;   // as in CompiledSource
  bool is_header = false; // it becomes a precompiled header, and no object
};

// Nothing if the driver hands the file to the linker.
std::optional<SourceKind> kind_by_ending(Driver driver, const std::string& file);

// The kind that -x NAME stands for.
SourceKind kind_by_name(const std::string& name);

} // namespace faultline::frontend
