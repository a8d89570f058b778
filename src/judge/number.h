// Values of cells as numbers that can be pasted back.
#pragma once

#include "exec/session.h"
#include "finding/finding.h"
#include "numeric/bigfloat.h"

namespace faultline::judge {

finding::Number number_of(long double value, const frontend::Type& type);
// The digits that distinguish it from its neighbours in the format and a few more, and the hex of the nearest float.
finding::Number number_of(const numeric::BigFloat& value, const frontend::Type& type);
std::vector<finding::NamedNumber> named_input(const frontend::Target& target, const exec::Input& input);

} // namespace faultline::judge
