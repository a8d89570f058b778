#include "suite/gsl/gsl_functions.h"

#include "benchmarks/gsl/reference.h"
#include "frontend/error.h"
#include "frontend/names/nearest.h"
#include "frontend/program.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

// Integers are held, so that the search is over the reals only: one middling order for each name that GSL gives them,
// valid together (n > l >= m). The mode is double precision: the others are inaccurate on purpose.
constexpr std::pair<const char*, long double> held_integers[] = {
    {"mode", 0}, {"n", 8}, {"l", 7}, {"m", 2}, {"j", 4},
};
constexpr long double other_integer = 3;

Held held_in(const frontend::Target& target) {
  Held held;
  for (const frontend::Cell& cell : target.inputs) {
    if (cell.type.floating)
      continue;
    held[cell.name] = other_integer;
    for (const auto& [name, value] : held_integers)
      if (cell.name == name)
        held[cell.name] = value;
  }
  return held;
}

std::vector<GslFunction> all_functions(const GslPublished& published, Arity arity) {
  std::vector<GslFunction> functions;
  if (arity != Arity::several)
    for (const GslFigures& figures : published.functions)
      functions.push_back({figures.function, 1, {}, figures});
  if (arity != Arity::one)
    for (const benchmarks::GslReference& reference : benchmarks::gsl_references())
      if (reference.arguments > 1)
        functions.push_back({reference.function, reference.arguments, {}, {}});
  return functions;
}

void keep_only(std::vector<GslFunction>& functions, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const GslFunction& function : functions)
    known.push_back(function.name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      const std::vector<std::string> close = frontend::nearest(name, known);
      throw UserError(status_usage, fmt::format("-f {}: there is no such function in the suite", name),
                      close.empty() ? "leave out -f" : fmt::format("{}", fmt::join(close, ", ")));
    }
  std::erase_if(functions, [&](const GslFunction& function) {
    return !names.empty() && std::ranges::find(names, function.name) == names.end();
  });
}

} // namespace

std::string text(const Held& held) {
  std::string text;
  for (const auto& [name, value] : held)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, numeric::shortest_decimal(value));
  return text;
}

GslFunctions gsl_functions(const std::string& library, const GslPublished& published, Arity arity,
                           const std::vector<std::string>& names) {
  std::vector<GslFunction> wanted = all_functions(published, arity);
  keep_only(wanted, names);
  frontend::Sources sources;
  sources.files = {library};
  frontend::Program program = frontend::Program::load(sources);
  GslFunctions result;
  for (GslFunction& function : wanted) {
    try {
      const frontend::Target target = program.find({function.name}, {}).front();
      if (std::ranges::none_of(target.inputs, [](const frontend::Cell& cell) { return cell.type.floating; }))
        throw UserError(frontend::status_unsuitable, function.name + ": it has no floating-point input");
      function.held = held_in(target);
      result.functions.push_back(std::move(function));
    } catch (const UserError& problem) {
      if (function.one_argument())
        throw;
      const std::string why = problem.what(); // it begins with the name
      result.left_out.push_back(why.substr(0, why.find_first_of(";\n")));
    }
  }
  return result;
}

} // namespace faultline::suite
