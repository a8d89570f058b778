// The flags -fNAME and -mNAME that a file may choose (frontend/compiling/flag_rules.h).
#pragma once

#include "frontend/compiling/flag_rules.h"

#include <string_view>

namespace faultline::frontend {

FlagUse use_of_feature(std::string_view name);         // without the -f; with or without no-
FlagUse use_of_machine_feature(std::string_view name); // without the -m
} // namespace faultline::frontend
