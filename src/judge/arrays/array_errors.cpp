#include "judge/arrays/array_errors.h"

#include "judge/arrays/matching.h"
#include "judge/arrays/normwise.h"

#include <algorithm>
#include <map>

namespace faultline::judge {

using finding::Norm;
using finding::Settings;
using frontend::Target;
using oracle::OutputJudgement;

namespace {

// "A" of A[3], "p.x" of p[3].x.
std::string without_indices(const std::string& name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    depth += c == '[';
    if (depth == 0)
      result += c;
    depth -= c == ']';
  }
  return result;
}

bool is_matrix(const Target& target, const std::string& array) {
  const auto parameter = std::ranges::find(target.parameters, array, &frontend::Parameter::name);
  return parameter != target.parameters.end() && parameter->is_array && parameter->extents.size() > 1;
}

// By itself, or by the parameter that it is a part of.
bool is_named(const std::vector<std::string>& names, const std::string& array) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return name == array || name == array.substr(0, array.find('.')); });
}

} // namespace

ArrayErrors::ArrayErrors(const Target& target, const Settings& settings, const std::vector<size_t>& outputs)
    : target_(target), floor_(settings.floor) {
  std::map<std::string, Array> arrays;
  for (const size_t output : outputs)
    arrays[without_indices(target.outputs[output].name)].outputs.push_back(output);
  for (auto& [name, array] : arrays) {
    array.unordered = is_named(settings.unordered, name) && array.outputs.size() > 1;
    array.up_to_sign = is_named(settings.up_to_sign, name);
    if (array.outputs.size() > 1)
      array.norm = settings.norm.value_or(is_matrix(target, name) ? Norm::infinity : Norm::component);
    if (array.unordered || array.up_to_sign || array.norm != Norm::component)
      arrays_.push_back(std::move(array));
  }
}

const ArrayErrors::Array* ArrayErrors::array_of(size_t output) const {
  for (const Array& array : arrays_)
    if (std::ranges::binary_search(array.outputs, output))
      return &array;
  return nullptr;
}

std::string ArrayErrors::norm_of(size_t output) const {
  const Array* array = array_of(output);
  return array && array->norm != Norm::component ? std::string(text(array->norm)) : "";
}

bool ArrayErrors::is_matched(size_t output) const {
  const Array* array = array_of(output);
  return array && (array->unordered || array->up_to_sign);
}

void ArrayErrors::match(std::vector<OutputJudgement*>& elements, const Array& array) const {
  const auto give = [&](const std::vector<Meant>& meant) {
    for (size_t i = 0; i < elements.size(); ++i) {
      OutputJudgement& element = *elements[i];
      if (element.reference == meant[i].reference)
        continue; // with all that is known of it
      element = oracle::measure(element.output, target_.outputs[element.output], element.computed, meant[i].reference,
                                floor_);
      element.good_bits = meant[i].good_bits;
    }
  };
  const std::vector<const OutputJudgement*> read(elements.begin(), elements.end());
  if (array.unordered)
    give(matched_by_order(read));
  if (array.up_to_sign)
    give(matched_by_sign(read));
}

void ArrayErrors::measure(oracle::Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known)
    return;
  for (const Array& array : arrays_) {
    std::vector<OutputJudgement*> elements;
    for (OutputJudgement& output : judgement.outputs)
      if (std::ranges::binary_search(array.outputs, output.output))
        elements.push_back(&output);
    if (elements.empty())
      continue;
    if (array.unordered || array.up_to_sign)
      match(elements, array);
    measure_normwise(elements, array.norm, target_.outputs[elements.front()->output].type.format);
  }
}

} // namespace faultline::judge
