#include "oracle/meaning/functions.h"

#include <map>

namespace faultline::oracle {

std::vector<const Function*> all_functions() {
  std::vector<const Function*> all;
  for (const std::span<const Function> family :
       {elementary_functions(), trigonometric_functions(), gamma_functions(), error_functions(), bessel_functions(),
        elliptic_functions(), hypergeometric_functions(), polynomial_functions()})
    for (const Function& function : family)
      all.push_back(&function);
  return all;
}

const Function* find_function(std::string_view name) {
  static const auto index = [] {
    std::map<std::string_view, const Function*> index;
    for (const Function* function : all_functions())
      index.emplace(function->name, function);
    return index;
  }();
  const auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names = {"if", "sum", "prod", "integral"};
  for (const Function* function : all_functions())
    names.emplace_back(function->name);
  return names;
}

} // namespace faultline::oracle
