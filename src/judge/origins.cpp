#include "judge/origins.h"

#include "oracle/lifted.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {

using exec::Origin;

namespace {

constexpr size_t most_named = 4;
constexpr size_t kept_inputs = 4;
constexpr const char* cure = "give its source or bitcode too, or write the loop";

// Foreign code moves values too (qsort): an input's value was not computed.
bool is_copy(const numeric::BigFloat& output, const exec::Input& input) {
  return !output.is_zero() && std::ranges::any_of(input, [&](long double value) {
    return output.is_finite() && mpfr_cmp_ld(output.raw(), value) == 0;
  });
}

// The origins of all outputs of the target; integers count as given.
std::vector<Origin> origins_of(const exec::Session& session, exec::LiftedRun run, const exec::Input& input) {
  for (size_t i = 0; i < run.outputs.size(); ++i)
    if (run.origins[i] == Origin::elsewhere && is_copy(run.outputs[i], input))
      run.origins[i] = Origin::given;
  std::vector<Origin> origins;
  size_t next = 0;
  for (const frontend::Cell& cell : session.target().outputs)
    origins.push_back(cell.type.floating && run.outcome == exec::Outcome::returned ? run.origins[next++]
                                                                                   : Origin::given);
  return origins;
}

std::string some_of(std::vector<std::string> names) {
  const size_t all = names.size();
  names.resize(std::min(all, most_named));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return all > most_named ? fmt::format("{} and {} more", text, all - most_named) : text;
}

exec::LiftedRun lifted_at(exec::Session& session, const exec::Input& input) {
  return session.lift(input, oracle::first_precision, exec::LiftedFor::search);
}

std::string sentence(const exec::Session& session, const std::vector<size_t>& elsewhere) {
  std::vector<std::string> outputs;
  for (const size_t output : elsewhere)
    outputs.push_back(session.target().outputs[output].name);
  return fmt::format("{} {} made by code that is not instrumented ({}), whose errors are not seen: {}",
                     some_of(outputs), outputs.size() == 1 ? "is" : "are", some_of(session.foreign()), cure);
}

// True for an output that is also an input and zero: whether a zero was written is unknown.
bool is_zero_in_place(const frontend::Target& target, const exec::Input& input, size_t output) {
  for (size_t i = 0; i < input.size(); ++i)
    if (input[i] == 0 && target.inputs[i].offset == target.outputs[output].offset)
      return true;
  return false;
}

bool is_computed(const tape::Tape& tape, size_t output) {
  const uint32_t record = tape.outputs()[output].record;
  return record > tape.inputs() && !ops::is_leaf(tape.site(record).op);
}

} // namespace

void Origins::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  if (session_.foreign().empty() || run.outcome != exec::Outcome::returned)
    return;
  bool suspect = false;
  for (const size_t output : outputs_) {
    if (!computed_.empty() && computed_[output])
      continue;
    if (is_computed(tape, output)) {
      computed_.resize(tape.outputs().size());
      computed_[output] = true;
    } else {
      suspect = suspect || tape.outputs()[output].value != 0;
    }
  }
  if (suspect && inputs_.size() < kept_inputs)
    inputs_.push_back(input);
  // Samples inputs from the whole search: the first ones are special values, which often cause no rounding.
  if (++runs_ == next_sample_ && samples_.size() < kept_inputs) {
    samples_.push_back(input);
    next_sample_ *= 8;
  }
}

// Outputs computed from results that foreign code made of rounded values.
std::string Origins::rounded_note() {
  for (const exec::Input& input : samples_) {
    const exec::LiftedRun run = lifted_at(session_, input);
    if (run.outcome != exec::Outcome::returned)
      continue;
    for (const size_t output : outputs_)
      if (std::string why = oracle::rounded_elsewhere(session_.target(), {output}, run); !why.empty())
        return fmt::format("{}: {}", why, cure);
  }
  return {};
}

std::string Origins::note() {
  elsewhere_.clear();
  for (const exec::Input& input : inputs_) {
    const std::vector<Origin> origins = origins_of(session_, lifted_at(session_, input), input);
    for (const size_t output : outputs_)
      if (origins[output] == Origin::elsewhere && (computed_.empty() || !computed_[output]))
        elsewhere_.push_back(output);
  }
  std::ranges::sort(elsewhere_);
  const auto [first, last] = std::ranges::unique(elsewhere_);
  elsewhere_.erase(first, last);
  if (!elsewhere_.empty())
    return sentence(session_, elsewhere_);
  std::string rounded = session_.foreign().empty() ? std::string() : rounded_note();
  rounded_ = !rounded.empty();
  return rounded;
}

std::string made_elsewhere(exec::Session& session, const exec::Input& input, const std::vector<size_t>& outputs) {
  if (session.foreign().empty())
    return {};
  const std::vector<Origin> origins = origins_of(session, lifted_at(session, input), input);
  std::vector<size_t> elsewhere;
  bool computed = false, doubtful = false;
  for (const size_t output : outputs) {
    computed = computed || origins[output] == Origin::computed;
    doubtful = doubtful || origins[output] == Origin::untouched || origins[output] == Origin::unset ||
               is_zero_in_place(session.target(), input, output);
    if (origins[output] == Origin::elsewhere)
      elsewhere.push_back(output);
  }
  if (!elsewhere.empty())
    return sentence(session, elsewhere);
  if (computed || !doubtful)
    return {};
  return fmt::format("no operation of this code made an output; {} may have, and is not instrumented: {}",
                     some_of(session.foreign()), cure);
}

} // namespace faultline::judge
