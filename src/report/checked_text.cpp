#include "report/checked_text.h"

#include "model/json/finding_json.h"
#include "model/json/json_place.h"
#include "model/report.h"
#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace faultline::report {

using namespace model;

namespace {

constexpr size_t most_failures = 10; // per function: further ones are counted

std::string failure_text(const VectorSet& set, const VectorFailure& failure) {
  const std::string input = input_words(set.vectors[failure.vector].input);
  if (failure.output.empty())
    return fmt::format("  {} {}: {}, and returned before", set.function, input, failure.ending);
  return fmt::format("  {} {}: {} is {}, {:.4g} ulps; before {:.4g}", set.function, input, failure.output,
                     failure.computed.decimal, failure.now, failure.before);
}

size_t failed_vectors(const CheckedSet& checked) {
  std::vector<size_t> vectors;
  for (const VectorFailure& failure : checked.failures)
    vectors.push_back(failure.vector);
  std::ranges::sort(vectors);
  const auto rest = std::ranges::unique(vectors);
  return size_t(rest.begin() - vectors.begin());
}

// Omits a comparison like "inf, before inf".
std::string errors_text(const CheckedSet& checked) {
  const LargestErrors &now = checked.largest, &before = checked.largest_before;
  if (now.infinite == 0 || before.infinite == 0)
    return fmt::format("largest error {:.4g} ulps, before {:.4g}", now.of_all(), before.of_all());
  return fmt::format("largest finite error {:.4g} ulps, before {:.4g}; {} infinite, before {}", now.finite,
                     before.finite, now.infinite, before.infinite);
}

std::string set_text(const VectorSet& set, const CheckedSet& checked, bool quiet) {
  if (!checked.missing.empty())
    return printable(fmt::format("missing  {}: {}", checked.function, checked.missing)) + "\n";
  std::string text;
  if (!checked.failures.empty() || !quiet)
    text = printable(fmt::format("{}  {}: {} of {} vectors, {} with another value, {}",
                                 checked.failures.empty() ? "passed " : "failed ", checked.function,
                                 checked.failures.empty() ? checked.vectors : failed_vectors(checked), checked.vectors,
                                 checked.unlike, errors_text(checked))) +
           "\n";
  for (size_t i = 0; i < std::min(checked.failures.size(), most_failures); ++i)
    text += printable(failure_text(set, checked.failures[i])) + "\n";
  if (checked.failures.size() > most_failures)
    text += fmt::format("  and {} more\n", checked.failures.size() - most_failures);
  return text;
}

} // namespace

size_t CheckedVectors::failed() const {
  size_t count = 0;
  for (const CheckedSet& set : checked)
    count += failed_vectors(set);
  return count;
}

size_t CheckedVectors::missing() const {
  return size_t(std::ranges::count_if(checked, [](const CheckedSet& set) { return !set.missing.empty(); }));
}

std::string checked_text(const CheckedVectors& all, bool quiet) {
  std::string text;
  size_t vectors = 0;
  for (size_t i = 0; i < all.checked.size(); ++i) {
    text += set_text(all.sets[i], all.checked[i], quiet);
    vectors += all.checked[i].missing.empty() ? all.checked[i].vectors : 0;
  }
  return text + fmt::format("{} vectors of {} functions: {} failed; {} functions are missing\n", vectors,
                            all.checked.size() - all.missing(), all.failed(), all.missing());
}

std::string checked_json(const CheckedVectors& all) {
  Json functions = Json::array();
  for (size_t i = 0; i < all.checked.size(); ++i) {
    const CheckedSet& checked = all.checked[i];
    Json failures = Json::array();
    for (const VectorFailure& failure : checked.failures) {
      Json input = Json::object();
      for (const NamedNumber& number : all.sets[i].vectors[failure.vector].input)
        input[number.name] = {{"decimal", number.value.decimal}, {"hex", number.value.hex}};
      failures.push_back({{"vector", failure.vector + 1},
                          {"input", input},
                          {"output", failure.output},
                          {"computed", {{"decimal", failure.computed.decimal}, {"hex", failure.computed.hex}}},
                          {"ulps", model::measure(failure.now)},
                          {"ulps_before", model::measure(failure.before)},
                          {"ending", failure.ending}});
    }
    functions.push_back({{"function", checked.function},
                         {"vectors", checked.vectors},
                         {"missing", checked.missing},
                         {"other_values", checked.unlike},
                         {"largest_ulps", model::measure(checked.largest.of_all())},
                         {"largest_ulps_before", model::measure(checked.largest_before.of_all())},
                         {"failures", failures}});
  }
  const Json json{{"faultline", model::version}, {"vectors", all.file},      {"factor", all.factor},
                  {"failed", all.failed()},      {"missing", all.missing()}, {"functions", functions}};
  return model::json_text(json, 2) + "\n";
}

} // namespace faultline::report
