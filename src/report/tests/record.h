// Structs of scalars behind pointers, as a test defines them where no header does.
#pragma once

#include "frontend/target.h"

#include <string>
#include <vector>

namespace faultline::report {

// The numbers in the struct that the parameter points to, by their places; empty if it points to something else.
std::vector<frontend::Cell> fields_of(const frontend::Target& target, const frontend::Parameter& parameter);

// val of result.val
std::string field_name(const frontend::Cell& field, const frontend::Parameter& parameter);

// Does a struct of these fields, in this order, have the size and the places that the code expects? A field that is
// neither an input nor an output is not known here: then there is a gap, or there are bytes left.
bool is_certain(const frontend::Target& target, const frontend::Parameter& parameter,
                const std::vector<frontend::Cell>& fields);

} // namespace faultline::report
