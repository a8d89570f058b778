#include "judge/arrays/array_errors.h"

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

} // namespace

ArrayErrors::ArrayErrors(const Target& target, const Settings& settings, const std::vector<size_t>& outputs)
    : target_(target) {
  std::map<std::string, Array> arrays;
  for (const size_t output : outputs)
    arrays[without_indices(target.outputs[output].name)].outputs.push_back(output);
  for (auto& [name, array] : arrays) {
    if (array.outputs.size() > 1)
      array.norm = settings.norm.value_or(is_matrix(target, name) ? Norm::infinity : Norm::component);
    if (array.norm != Norm::component)
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
    measure_normwise(elements, array.norm, target_.outputs[elements.front()->output].type.format);
  }
}

} // namespace faultline::judge
