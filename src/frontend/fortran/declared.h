// Fortran as a harness writes it: declarations, indices, loops.
#pragma once

#include "frontend/fortran/procedure.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace faultline::frontend {

std::string listed(const std::vector<std::string>& items); // "a, b"

// "real(8), intent(in) :: x(1_8:3_8)": the declaration of a dummy argument. `any_shape`: arrays whose shape is no part
// of the interface are x(*), as what their bounds are made of may not be known where they are declared again.
std::string declared_dummy(const FortranEntity& dummy, bool any_shape);

// Those of all, scalars first: bounds are made of these. Each is a line.
std::string declared_dummies(const std::vector<FortranEntity>& dummies, bool any_shape, const std::string& indent);

// 'it''s'
std::string fortran_text(const std::string& text);

std::vector<std::string> texts_of(const std::vector<uint64_t>& extents);
// x, x(3), x(i1,i2)
std::string at(const std::string& name, const std::vector<std::string>& subscripts);

// A line for every element: `line` gets the subscripts, i1, i2, ...
std::string in_loops(const std::vector<std::string>& extents, const std::string& indent,
                     const std::function<std::string(const std::vector<std::string>&)>& line);

} // namespace faultline::frontend
