#include "tape/exactness.h"

#include "ops/table.h"
#include "tape/rounding.h"

#include <algorithm>
#include <map>

namespace faultline::tape {
namespace {

using Errors = std::map<uint32_t, double>; // by record, in the order of their execution

bool is_computed(const Tape& tape, uint32_t operand) {
  return operand != 0 && !runtime::is_constant(operand) && !ops::is_leaf(tape.site(operand).op);
}

// What the record depends on, with itself. False: there is too much of it.
bool collect(const Tape& tape, uint32_t record, size_t most, Errors& errors) {
  if (!is_computed(tape, record) || !errors.emplace(record, 0).second)
    return true;
  if (errors.size() > most)
    return false;
  const int arity = ops::arity(tape.site(record).op);
  for (int i = 0; i < arity; ++i)
    if (!collect(tape, tape.operand(record, i), most, errors))
      return false;
  return true;
}

} // namespace

bool deviates(const Tape& tape, uint32_t record, size_t most) {
  Errors errors;
  if (!collect(tape, record, most, errors))
    return true;
  for (auto& [index, error] : errors) {
    error = rounding(tape, index);
    const int arity = ops::arity(tape.site(index).op);
    const Record& at = tape.record(index);
    const auto partials = ops::partials(tape.site(index).op, tape.value(at.a), arity > 1 ? tape.value(at.b) : 0,
                                        arity > 2 ? tape.value(at.c) : 0, tape.value(index));
    for (int i = 0; i < arity; ++i)
      if (const auto operand = errors.find(tape.operand(index, i)); operand != errors.end() && operand->second != 0)
        error += partials[size_t(i)] * operand->second;
  }
  return !errors.empty() && errors.at(record) != 0;
}

} // namespace faultline::tape
