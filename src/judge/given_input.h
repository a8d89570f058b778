// The input that a user gives: --at x=1e-7, or the cells of a saved finding.
#pragma once

#include "exec/session.h"
#include "model/finding.h"
#include "model/settings/settings.h"
#include "model/target.h"
#include "numeric/bigfloat.h"

namespace faultline::judge {

struct GivenInput {
  exec::Input input;
  std::vector<std::string> notes; // on numbers that differ from the given text, or that a hunt would not try
};

// Name to number; A=1,2,3 fills an array. Inputs without a value must be held by their range. Throws UserError for an
// unknown or missing name, a wrong number of elements, text that is not a number, or a number that the type cannot
// hold.
GivenInput input_at(const model::Target& target, const model::Settings& settings,
                    const std::map<std::string, std::string>& at);

// Values of cells as numbers that can be pasted back.
model::Number number_of(numeric::Value value, const model::Type& type);
// The digits that distinguish the value from its neighbours in the format and a few more, and the hex of the nearest
// float.
model::Number number_of(const numeric::BigFloat& value, const model::Type& type);
std::vector<model::NamedNumber> named_input(const model::Target& target, const exec::Input& input);

} // namespace faultline::judge
