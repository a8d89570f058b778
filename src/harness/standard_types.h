// The classes of the standard library and of Eigen that hold numbers.
#pragma once

#include "harness/type_reader.h"

#include <optional>

namespace faultline::harness {

// Nothing if the type is no such class.
std::optional<Form> standard_form(CXType type, const Bindings& bindings);

} // namespace faultline::harness
