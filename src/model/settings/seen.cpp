#include "model/settings/seen.h"

#include "model/json/fields.h"
#include "model/report.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace faultline::model {

namespace {

constexpr int seen_schema = 1;
constexpr const char* hint = "use a file that faultline record wrote";

void carry_sketch(const Value& value, std::map<int, uint64_t>& sketch) {
  std::vector<std::pair<int, uint64_t>> counts(sketch.begin(), sketch.end());
  value.each(counts, [](const Value& entry, std::pair<int, uint64_t>& count) {
    if (!entry.reads()) {
      entry.json() = Json::array({count.first, count.second});
      return;
    }
    const std::vector<Place> pair = entry.place().elements();
    if (pair.size() != 2)
      entry.place().refuse("is not a binade and a count");
    const int64_t binade = pair[0].integer();
    if (std::abs(binade) > 20'000) // the smallest of long double is -16445
      pair[0].refuse("is not a binade");
    count = {int(binade), pair[1].whole<uint64_t>()};
  });
  if (value.reads())
    for (const auto& [binade, count] : counts)
      sketch[binade] = count;
}

numeric::Format format_of(const SeenInput& input) {
  for (const numeric::Format format : numeric::all_formats)
    if (input.type == numeric::info(format).name)
      return format;
  return numeric::all_formats.back(); // it contains all integers, too
}

// Formats a value in the usual form of its type.
std::string text_of_value(numeric::Value value, const SeenInput& input) {
  return numeric::shortest_decimal(value, format_of(input));
}

numeric::Value finite_at(const Place& place, const SeenInput& input) {
  const std::string text = place.string();
  const std::optional<numeric::Value> value = numeric::parse_number(text, format_of(input));
  if (!value || !std::isfinite(*value))
    place.refuse(fmt::format("'{}' is not a finite number", text.substr(0, 40)));
  return *value;
}

void carry_finite(Fields& fields, const char* key, numeric::Value& value, const SeenInput& input) {
  fields.with(key, [&](const Value& member) {
    if (member.reads())
      value = finite_at(member.place(), input);
    else
      member.json() = text_of_value(value, input);
  });
}

// A number each; a list for an array.
void carry_call(const Value& value, const std::vector<SeenInput>& inputs, SeenCall& call) {
  size_t next = 0;
  value.each(call, [&](const Value& element, std::vector<numeric::Value>& numbers) {
    const bool is_array = next < inputs.size() && inputs[next].is_array;
    ++next;
    if (element.reads() && !is_array)
      numbers.resize(1);
    if (is_array)
      element.carry(numbers);
    else
      element.carry(numbers.front());
  });
  if (value.reads() && call.size() != inputs.size())
    value.place().refuse("does not have a value for each input");
}

} // namespace

template <> void Fields::list(UnseenFunction& unseen) { FAULTLINE_FIELDS(required, unseen, function, file, reason); }

template <> void Fields::list(SeenInput& input) {
  FAULTLINE_FIELDS(required, input, name, type, finite, negative, zero, nan, infinite);
  if (input.finite > 0) {
    carry_finite(*this, "low", input.low, input);
    carry_finite(*this, "high", input.high, input);
    if (reads() && input.low > input.high)
      place().refuse("\"low\" is above \"high\"");
  }
  if (present("least", input.least > 0)) {
    carry_finite(*this, "least", input.least, input);
    carry_finite(*this, "most", input.most, input);
    if (reads() && (!(input.least > 0) || input.most < input.least))
      place().refuse("\"least\" is not above 0, or above \"most\"");
    if (reads() && input.finite > 0 && input.most != std::max(std::fabs(input.low), std::fabs(input.high)))
      place().refuse("\"most\" is not the magnitude of \"low\" or \"high\"");
  }
  optional("may_be_output", input.may_be_output);
  if (present("longest", input.is_array)) {
    input.is_array = true;
    FAULTLINE_FIELDS(required, input, shortest, longest);
    check(input.shortest <= input.longest, "longest", "is below \"shortest\"");
  }
  with("positives", [&](const Value& sketch) { carry_sketch(sketch, input.positives); });
  with("negatives", [&](const Value& sketch) { carry_sketch(sketch, input.negatives); });
}

template <> void Fields::list(SeenFunction& seen) {
  FAULTLINE_FIELDS(required, seen, function, symbol, file, line, calls, sampled, inputs);
  with("tuples", [&](const Value& list) {
    list.each(seen.tuples, [&](const Value& element, SeenCall& call) { carry_call(element, seen.inputs, call); });
  });
  FAULTLINE_FIELDS(optional, seen, relations);
  check(seen.tuples.size() <= most_seen_tuples, "tuples", fmt::format("has more than {} tuples", most_seen_tuples));
}

template <> void Fields::list(SeenRuns& runs) {
  derived("faultline", std::string(version));
  int written = seen_schema;
  required("schema", written);
  check(written == seen_schema, "schema", fmt::format("is not {}: another version of faultline wrote it", seen_schema));
  FAULTLINE_FIELDS(required, runs, command, processes);
  required("seen", runs.functions);
  FAULTLINE_FIELDS(optional, runs, unrecorded);
}

std::string seen_text(const SeenRuns& runs) { return json_text(to_json(runs), 1) + "\n"; }

SeenRuns parse_seen(std::string_view text, const std::string& name) {
  try {
    return read_json(text, name, from_json<SeenRuns>);
  } catch (const base::UserError& problem) {
    throw base::UserError(problem.status, problem.what(), hint);
  }
}

namespace {

void merge(SeenInput& seen, const SeenInput& other) {
  if (other.finite > 0) {
    seen.low = seen.finite > 0 ? std::min(seen.low, other.low) : other.low;
    seen.high = seen.finite > 0 ? std::max(seen.high, other.high) : other.high;
  }
  if (other.least > 0)
    seen.least = seen.least > 0 ? std::min(seen.least, other.least) : other.least;
  seen.most = std::max(seen.most, other.most);
  seen.finite += other.finite;
  seen.negative += other.negative;
  seen.zero += other.zero;
  seen.nan += other.nan;
  seen.infinite += other.infinite;
  for (const auto& [binade, count] : other.positives)
    seen.positives[binade] += count;
  for (const auto& [binade, count] : other.negatives)
    seen.negatives[binade] += count;
  if (other.is_array && other.longest > 0) {
    seen.shortest = seen.longest > 0 ? std::min(seen.shortest, other.shortest) : other.shortest;
    seen.longest = std::max(seen.longest, other.longest);
  }
}

bool is_said(const auto& entries, const std::string& cell) {
  return entries.contains(cell) || entries.contains(parameter_of(cell));
}

} // namespace

// In equal steps from first to last, so that the order in which processes ended does not matter.
void leave_few(std::vector<SeenCall>& calls) {
  std::ranges::sort(calls);
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  if (calls.size() <= most_seen_tuples)
    return;
  std::vector<SeenCall> few;
  for (size_t i = 0; i < most_seen_tuples; ++i)
    few.push_back(std::move(calls[i * (calls.size() - 1) / (most_seen_tuples - 1)]));
  calls = std::move(few);
}

void merge(SeenFunction& seen, const SeenFunction& other) {
  seen.calls += other.calls;
  seen.sampled = seen.sampled || other.sampled;
  for (size_t i = 0; i < std::min(seen.inputs.size(), other.inputs.size()); ++i)
    merge(seen.inputs[i], other.inputs[i]);
  seen.tuples.insert(seen.tuples.end(), other.tuples.begin(), other.tuples.end());
  leave_few(seen.tuples);
}

std::vector<size_t> seen_inputs(const SeenFunction& seen, const Target& target) {
  std::vector<size_t> found;
  std::vector<bool> used(seen.inputs.size());
  for (const Cell& cell : target.inputs) {
    const auto input = std::ranges::find_if(seen.inputs, [&](const SeenInput& one) {
      return one.name == (one.is_array ? array_of(cell.name) : cell.name);
    });
    if (input == seen.inputs.end())
      return {};
    found.push_back(size_t(input - seen.inputs.begin()));
    used[found.back()] = true;
  }
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i] && !seen.inputs[i].may_be_output)
      return {}; // the function has changed
  return found;
}

const SeenFunction* find_seen(const SeenRuns& runs, const Target& target) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  for (const SeenFunction& seen : runs.functions)
    if (seen.symbol == target.symbol && name(seen.file) == name(target.file) && !seen_inputs(seen, target).empty())
      return &seen;
  return nullptr;
}

std::string_view text(Nearness nearness) {
  constexpr std::string_view texts[] = {"inside", "near", "outside"};
  return texts[size_t(nearness)];
}

Nearness nearness(const SeenFunction& seen, const Target& target, const std::vector<numeric::Value>& input) {
  const std::vector<size_t> inputs = seen_inputs(seen, target);
  Nearness all = Nearness::inside;
  for (size_t i = 0; i < std::min(inputs.size(), input.size()); ++i) {
    const SeenInput& one = seen.inputs[inputs[i]];
    const numeric::Value size = std::fabs(input[i]);
    if (!std::isfinite(input[i]) ? one.nan + one.infinite == 0 : one.finite == 0)
      return Nearness::outside;
    const auto within = [&](numeric::Value factor) {
      const auto outwards = [&](numeric::Value end, bool low) {
        return (end < 0) == low ? end * factor : end / factor;
      };
      return !std::isfinite(input[i]) ||
             (input[i] >= outwards(one.low, true) && input[i] <= outwards(one.high, false) &&
              (size == 0                        ? one.zero > 0 || one.low < 0
               : target.inputs[i].type.floating ? size >= one.least / factor
                                                : true));
    };
    if (!within(2))
      return Nearness::outside;
    if (!within(1))
      all = Nearness::near;
  }
  return all;
}

void use_seen(const SeenFunction& seen, const Target& target, Settings& settings) {
  const std::vector<size_t> inputs = seen_inputs(seen, target);
  bool is_free = true; // all inputs are searched where they were seen
  for (size_t i = 0; i < inputs.size(); ++i) {
    const SeenInput& input = seen.inputs[inputs[i]];
    const Cell& cell = target.inputs[i];
    is_free = is_free && !is_said(settings.ranges, cell.name) && !is_said(settings.held, cell.name);
    if (input.finite > 0 && !settings.everyday.contains(array_of(cell.name)) &&
        !is_said(settings.everyday, cell.name) && !is_said(settings.held, cell.name))
      settings.everyday[input.is_array ? input.name : cell.name] = {input.low, input.high, input.least};
  }
  if (is_free) // what the user gives has more weight
    settings.assumptions.insert(settings.assumptions.end(), seen.relations.begin(), seen.relations.end());
}

} // namespace faultline::model
