#include "frontend/target.h"

#include "frontend/error.h"
#include "frontend/names/cxx_name.h"
#include "frontend/names/rust_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <set>

namespace faultline::frontend {

uint64_t Type::bytes() const {
  if (!floating)
    return uint64_t(bits + 7) / 8;
  return uint64_t(numeric::info(format).stride);
}

std::string Type::name() const {
  if (floating)
    return std::string(numeric::info(format).name);
  return fmt::format("{}int{}", is_signed ? "" : "u", bits);
}

void leave_out_hidden(std::vector<Target>& targets) {
  const auto is_open = [](const Target& target) { return target.huntable() && !target.hidden; };
  if (std::ranges::none_of(targets, is_open))
    return;
  for (Target& target : targets)
    if (target.hidden && target.huntable()) {
      target.unsuitable = "it is hidden from other libraries, which can only reach it through other functions: -f "
                          "hunts in it nevertheless";
      target.obstacle = Obstacle::hidden;
    }
}

std::string parameter_of(const std::string& cell) { return cell.substr(0, cell.find_first_of("[.(%")); }

std::string before_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

std::vector<std::string> names_of(const Target& target) {
  const std::string& symbol = target.harness.empty() ? target.symbol : target.called_symbol;
  std::vector<std::string> names{symbol, target.function, before_parameters(target.function)};
  if (symbol.ends_with("_"))
    names.push_back(symbol.substr(0, symbol.size() - 1));
  if (const CxxName name = cxx_name(symbol); !name.full.empty())
    names.insert(names.end(), {name.full, name.plain});
  else if (!target.harness.empty())
    names.push_back(without_template_arguments(target.function));
  else if (const std::string rust = rust_name(symbol); !rust.empty())
    names.push_back(rust);
  return names;
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

bool answers_to(const Target& target, const std::string& pattern) {
  // The full name of an instance begins with what it returns: d* does not mean all that return a double.
  const bool may_have_result = pattern.find(' ') != std::string::npos || cxx_name(target.symbol).full.empty() ||
                               target.function.starts_with(cxx_name(target.symbol).full);
  return std::ranges::any_of(names_of(target), [&](const std::string& name) {
    return name == pattern ||
           ((may_have_result || !target.function.starts_with(name)) && fnmatch(pattern.c_str(), name.c_str(), 0) == 0);
  });
}

namespace {

// With the namespaces that it stands in.
CxxName name_in_parts(const Target& target) {
  if (!target.harness.empty())
    return {target.function, without_template_arguments(target.function)};
  const CxxName cxx = cxx_name(target.symbol);
  return cxx.full.empty() ? CxxName{rust_name(target.symbol), rust_name(target.symbol)} : cxx;
}

} // namespace

std::vector<Target> called(const std::string& name, const std::vector<Target>& targets) {
  std::vector<Target> found;
  std::ranges::copy_if(targets, std::back_inserter(found), [&](const Target& target) {
    const std::vector<std::string> names = names_of(target);
    return std::ranges::find(names, name) != names.end();
  });
  if (!found.empty())
    return found;
  std::set<std::string> functions;
  for (const Target& target : targets) {
    const CxxName full = name_in_parts(target);
    if (full.plain.ends_with("::" + name) || full.full.ends_with("::" + name)) {
      found.push_back(target);
      functions.insert(full.plain);
    }
  }
  if (functions.size() > 1)
    throw UserError(status_usage, fmt::format("-f {} may be each of {}", name, fmt::join(functions, ", ")),
                    "name the one you mean, or all of them");
  return found;
}

} // namespace faultline::frontend
