// The input that a user gives: --at x=1e-7, or the cells of a saved finding.
#pragma once

#include "exec/session.h"
#include "finding/finding.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "numeric/bigfloat.h"

namespace faultline::judge {

struct GivenInput {
  exec::Input input;
  std::vector<std::string> notes; // on numbers that differ from the given text, or that a hunt would not try
};

// Name to number; A=1,2,3 fills an array. Inputs without a value must be held by their range. Throws UserError for an
// unknown or missing name, a wrong number of elements, text that is not a number, or a number that the type cannot
// hold.
GivenInput input_at(const frontend::Target& target, const finding::Settings& settings,
                    const std::map<std::string, std::string>& at);

// Values of cells as numbers that can be pasted back.
finding::Number number_of(numeric::Value value, const frontend::Type& type);
// The digits that distinguish the value from its neighbours in the format and a few more, and the hex of the nearest
// float.
finding::Number number_of(const numeric::BigFloat& value, const frontend::Type& type);
std::vector<finding::NamedNumber> named_input(const frontend::Target& target, const exec::Input& input);

} // namespace faultline::judge
