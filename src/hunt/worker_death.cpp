#include "hunt/worker_death.h"

#include "judge/number.h"
#include "judge/space_of_target.h"
#include "search/everyday.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace faultline::campaign {

using finding::Finding;
using finding::Kind;

namespace {

bool ended_itself(const finding::WorkerDeath& death) { return !death.hung && death.signal == 0; }

std::string ended_by(const finding::WorkerDeath& death) {
  return fmt::format("signal {}, status {}", death.signal, death.status);
}

// The x87's format has bits that are no number: those without the leading one that their exponent asks for.
bool is_encoded(long double value) {
  uint64_t significand = 0;
  uint16_t exponent = 0;
  std::memcpy(&significand, &value, sizeof significand);
  std::memcpy(&exponent, reinterpret_cast<const char*>(&value) + sizeof significand, sizeof exponent);
  return (significand >> 63 != 0) == ((exponent & 0x7fff) != 0);
}

} // namespace

std::optional<finding::Input> typed_input(const frontend::Target& target, finding::Input values) {
  if (values.size() != target.inputs.size())
    return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    const frontend::Type& type = target.inputs[i].type;
    const auto [least, most] = judge::range_of_type(type);
    const bool is_whole = values[i] == std::floor(values[i]);
    if (!is_encoded(values[i]) || (!type.floating && !(is_whole && values[i] >= least && values[i] <= most)))
      return std::nullopt;
    if (type.floating)
      values[i] = numeric::nearest(values[i], type.format);
  }
  return values;
}

std::optional<Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                  const finding::Settings& settings) {
  if (!death.in_call || death.in_reference)
    return std::nullopt;
  const std::optional<finding::Input> input = typed_input(target, death.input);
  if (!input)
    return std::nullopt;
  Finding finding;
  finding.kind = death.hung ? Kind::timeout : ended_itself(death) ? Kind::exception : Kind::crash;
  finding.input = judge::named_input(target, *input);
  finding.values = *input;
  finding.everyday = search::is_everyday(judge::space_of(target, settings), *input);
  finding.oracle = "none";
  finding.detail = detail_of(death);
  finding.id = identify(target.function, finding);
  return finding;
}

std::string detail_of(const finding::WorkerDeath& death) {
  if (death.hung)
    return "did not come back and had to be killed";
  return ended_itself(death) ? fmt::format("ended the process, with status {}", death.status)
                             : "killed the worker process";
}

std::string note_of(const finding::WorkerDeath& death) {
  if (death.in_reference)
    return "the reference did not come back, or ended the worker";
  if (death.in_call)
    return fmt::format("a call {}; its input is not known", detail_of(death));
  if (death.in_constructors)
    return fmt::format("its static constructors {}",
                       death.hung ? "did not come back" : "ended the process: " + ended_by(death));
  if (death.out_of_time)
    return "its time was up, twice the budget, before it was done; a larger --budget gives more";
  if (death.hung)
    return "it did not come back, and not from a call that is known: the worker was killed";
  return fmt::format("the worker died outside of the code under test ({})", ended_by(death));
}

} // namespace faultline::campaign
