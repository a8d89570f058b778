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

} // namespace

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
  with("positives", [&](const Value& sketch) { carry_sketch(sketch, input.positives); });
  with("negatives", [&](const Value& sketch) { carry_sketch(sketch, input.negatives); });
}

template <> void Fields::list(SeenFunction& seen) {
  FAULTLINE_FIELDS(required, seen, function, symbol, file, line, calls, sampled, inputs);
  with("tuples", [&](const Value& list) {
    list.each(seen.tuples, [&](const Value& element, std::vector<numeric::Value>& tuple) {
      element.carry(tuple);
      if (element.reads() && tuple.size() != seen.inputs.size())
        element.place().refuse("does not have a value for each input");
    });
  });
  check(seen.tuples.size() <= most_seen_tuples, "tuples", fmt::format("has more than {} tuples", most_seen_tuples));
}

template <> void Fields::list(SeenRuns& runs) {
  derived("faultline", std::string(version));
  int written = seen_schema;
  required("schema", written);
  check(written == seen_schema, "schema", fmt::format("is not {}: another version of faultline wrote it", seen_schema));
  FAULTLINE_FIELDS(required, runs, command, processes);
  required("seen", runs.functions);
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
}

// Selects tuples in equal steps from first to last, so that the order in which processes ended does not matter.
void leave_few(std::vector<std::vector<numeric::Value>>& tuples) {
  if (tuples.size() <= most_seen_tuples)
    return;
  std::vector<std::vector<numeric::Value>> few;
  for (size_t i = 0; i < most_seen_tuples; ++i)
    few.push_back(std::move(tuples[i * (tuples.size() - 1) / (most_seen_tuples - 1)]));
  tuples = std::move(few);
}

bool is_said(const auto& entries, const std::string& cell) {
  return entries.contains(cell) || entries.contains(parameter_of(cell));
}

} // namespace

void merge(SeenFunction& seen, const SeenFunction& other) {
  seen.calls += other.calls;
  seen.sampled = seen.sampled || other.sampled;
  for (size_t i = 0; i < std::min(seen.inputs.size(), other.inputs.size()); ++i)
    merge(seen.inputs[i], other.inputs[i]);
  seen.tuples.insert(seen.tuples.end(), other.tuples.begin(), other.tuples.end());
  std::ranges::sort(seen.tuples);
  seen.tuples.erase(std::unique(seen.tuples.begin(), seen.tuples.end()), seen.tuples.end());
  leave_few(seen.tuples);
}

const SeenFunction* find_seen(const SeenRuns& runs, const Target& target) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  for (const SeenFunction& seen : runs.functions)
    if (seen.symbol == target.symbol && name(seen.file) == name(target.file) &&
        std::ranges::equal(seen.inputs, target.inputs, {}, &SeenInput::name, &Cell::name))
      return &seen;
  return nullptr;
}

void use_seen(const SeenFunction& seen, const Target& target, Settings& settings) {
  for (size_t i = 0; i < seen.inputs.size(); ++i) {
    const SeenInput& input = seen.inputs[i];
    const Cell& cell = target.inputs[i];
    if (input.finite > 0 && !is_said(settings.everyday, cell.name) && !is_said(settings.held, cell.name))
      settings.everyday[cell.name] = {input.low, input.high, input.least};
  }
}

} // namespace faultline::model
