#include "judge/claims.h"

#include <algorithm>

namespace faultline::judge {

using finding::Settings;
namespace {

// "result" of "result.val"; empty where there is no field.
std::string struct_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

} // namespace

bool is_named_bound(const frontend::Cell& cell, const Settings& settings) {
  return std::find(settings.bounds.begin(), settings.bounds.end(), cell.name) != settings.bounds.end();
}

std::vector<tape::Claim> claims_of(const frontend::Target& target, const Settings& settings,
                                   const std::vector<size_t>& judged) {
  std::vector<tape::Claim> claims;
  for (size_t bound = 0; bound < target.outputs.size(); ++bound) {
    const frontend::Cell& cell = target.outputs[bound];
    const bool is_bound = settings.bounds.empty() ? !cell.judged : is_named_bound(cell, settings);
    if (!cell.type.floating || !is_bound)
      continue;
    std::vector<size_t> own, all;
    for (size_t output : judged) {
      if (output == bound)
        continue;
      all.push_back(output);
      if (!struct_of(cell.name).empty() && struct_of(cell.name) == struct_of(target.outputs[output].name))
        own.push_back(output);
    }
    for (size_t output : own.empty() && !settings.bounds.empty() ? all : own)
      claims.push_back({output, bound});
  }
  return claims;
}

} // namespace faultline::judge
