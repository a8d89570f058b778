// The input that a user names: --at x=1e-7, or the cells of a saved finding.
#pragma once

#include "exec/session.h"
#include "finding/finding.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "numeric/bigfloat.h"

namespace faultline::judge {

struct GivenInput {
  exec::Input input;
  std::vector<std::string> notes; // on numbers that are not quite what was written, or that a hunt would not try
};

// Name to number; A=1,2,3 fills an array. Inputs that are not named must be held by their range. Throws UserError: an
// unknown or missing name, the wrong number of elements, text that is no number or one that the type cannot hold.
GivenInput input_at(const frontend::Target& target, const finding::Settings& settings,
                    const std::map<std::string, std::string>& at);

// Values of cells as numbers that can be pasted back.
finding::Number number_of(long double value, const frontend::Type& type);
// The digits that distinguish it from its neighbours in the format and a few more, and the hex of the nearest float.
finding::Number number_of(const numeric::BigFloat& value, const frontend::Type& type);
std::vector<finding::NamedNumber> named_input(const frontend::Target& target, const exec::Input& input);

} // namespace faultline::judge
