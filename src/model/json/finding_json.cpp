#include "model/json/finding_json.h"

#include "model/json/report_file.h"
#include "model/settings/table.h"
#include "model/target.h"
#include "numeric/decimal.h"

#include <sstream>

namespace faultline::model {
namespace {

constexpr int json_schema = 1;

} // namespace

template <> void Value::carry(Kind& kind) const { choose(kind, kind_of, "a kind of finding"); }
template <> void Value::carry(Verdict& verdict) const { choose(verdict, verdict_of, "a verdict"); }
template <> void Value::carry(Result& result) const { choose(result, result_of, "right or wrong"); }
template <> void Value::carry(Fault& fault) const { choose(fault, fault_of, "a class of faults"); }
template <> void Value::carry(Tier& tier) const { choose(tier, tier_of, "a tier"); }
template <> void Value::carry(TargetOutcome& outcome) const { choose(outcome, target_outcome_of, "an outcome"); }

template <> void Value::carry(Novelty& novelty) const {
  std::string word = reads() ? place().string() : novelty == Novelty::known ? "known" : "new";
  if (!reads())
    json() = word;
  else if (word != "known" && word != "new")
    place().refuse("is neither known nor new");
  else
    novelty = word == "known" ? Novelty::known : Novelty::fresh;
}

template <> void Fields::list(Number& number) { FAULTLINE_FIELDS(required, number, decimal, hex); }

namespace {

// An input is run again, so it must be a number.
Number input_number(const Place& place) {
  const auto number = from_json<Number>(place);
  for (const auto& [key, text] : {std::pair{"decimal", number.decimal}, std::pair{"hex", number.hex}})
    if (!numeric::parse_long_double(text))
      place[key].refuse(fmt::format("'{}' is not a number", text.substr(0, 40)));
  return number;
}

std::vector<NamedNumber> input_at(const Place& place) {
  std::vector<NamedNumber> cells;
  for (const auto& [name, value] : place.members()) {
    if (!value.is_list()) {
      cells.push_back({name, input_number(value)});
      continue;
    }
    size_t index = 0;
    for (const Place& element : value.elements())
      cells.push_back({cell_name(name, index++), input_number(element)});
  }
  return cells;
}

} // namespace

template <> void Value::carry(std::vector<NamedNumber>& input) const {
  if (reads()) {
    input = input_at(place());
    return;
  }
  json() = Json::object();
  for (size_t i = 0; i < input.size();) {
    const ArrayRun run = array_run(input, i);
    if (run.length > 0 && !json().contains(run.array)) {
      Json& list = json()[run.array] = Json::array();
      for (const size_t end = i + run.length; i < end; ++i)
        list.push_back(to_json(input[i].value));
    } else {
      json()[input[i].name] = to_json(input[i].value);
      ++i;
    }
  }
}

template <> void Fields::list(Output& output) {
  FAULTLINE_FIELDS(required, output, name, computed);
  if (present("reference", !output.reference.decimal.empty()))
    required("reference", output.reference);
}

template <> void Fields::list(Error& error) {
  FAULTLINE_FIELDS(lenient, error, relative, absolute, ulps, bits);
  optional("norm", error.norm);
}

template <> void Fields::list(ErrorPart& part) { FAULTLINE_FIELDS(lenient, part, relative, absolute); }

template <> void Fields::list(Cause& cause) {
  FAULTLINE_FIELDS(lenient, cause, file, line, column);
  FAULTLINE_FIELDS(optional, cause, end_column, function);
  lenient("operation", cause.operation);
  optional("source", cause.source);
  optional("within", cause.within);
  FAULTLINE_FIELDS(lenient, cause, condition, share);
}

template <> void Fields::list(AbsorbingOperation& by) { FAULTLINE_FIELDS(lenient, by, file, line, operation); }

template <> void Fields::list(Origin& origin) {
  list(origin.place);
  required("kind", origin.kind);
}

template <> void Fields::list(Aftermath& aftermath) {
  derived("silent", aftermath.silent());
  optional("reported_by", aftermath.reported_by);
  lenient("reaches_output", aftermath.reaches_output);
  optional("swallowed_at", aftermath.swallowed_at);
  optional("result", aftermath.result, Result::unknown);
  lenient("consequence", aftermath.consequence);
  optional("follows_from", aftermath.origin);
  FAULTLINE_FIELDS(optional, aftermath, after_underflow, harmless);
  optional("flags", aftermath.flags, true);
}

template <> void Fields::list(Thrown& thrown) { FAULTLINE_FIELDS(lenient, thrown, type, what); }

template <> void Fields::list(ChainLink& step) {
  FAULTLINE_FIELDS(lenient, step, file, line, column);
  optional("function", step.function);
  FAULTLINE_FIELDS(lenient, step, operation, text, reference);
  lenient("relative", step.error);
  optional("skipped", step.skipped);
}

template <> void Fields::list(LineShare& line) {
  FAULTLINE_FIELDS(lenient, line, file, line);
  optional("function", line.function);
  FAULTLINE_FIELDS(lenient, line, share, growth);
}

template <> void Fields::list(Remedy& remedy) {
  FAULTLINE_FIELDS(lenient, remedy, name, advice, relative, tried);
  optional("condition", remedy.condition);
}

template <> void Fields::list(Diagnosis& diagnosis) {
  required("class", diagnosis.fault);
  FAULTLINE_FIELDS(lenient, diagnosis, why, chain, lines, accounted);
  optional("remedy", diagnosis.remedy);
}

template <> void Fields::list(Share& share) {
  std::string of = share.of_range ? "range" : "everyday";
  required("of", of);
  check(of == "everyday" || of == "range", "of", "is neither everyday nor range");
  if (reads())
    share.of_range = of == "range";
  FAULTLINE_FIELDS(lenient, share, low, high);
}

template <> void Fields::list(Witness& witness) {
  FAULTLINE_FIELDS(required, witness, input, computed);
  FAULTLINE_FIELDS(lenient, witness, relative, absolute);
}

template <> void Fields::list(Suppression& by) { FAULTLINE_FIELDS(lenient, by, reason, file, line); }

template <> void Fields::list(Finding& finding) {
  required("id", finding.id);
  optional("fingerprint", finding.fingerprint);
  FAULTLINE_FIELDS(required, finding, kind, input);
  if (reads())
    for (const NamedNumber& number : finding.input)
      finding.values.push_back(*numeric::parse_long_double(number.value.hex));
  lenient("everyday", finding.everyday);
  FAULTLINE_FIELDS(optional, finding, half_digits, handles_extremes, doubtful, output, error);
  if (present("method", finding.parts.has_value()) && present("rounding", finding.parts.has_value())) {
    ErrorParts& parts = content(finding.parts);
    FAULTLINE_FIELDS(required, parts, method, rounding);
  }
  FAULTLINE_FIELDS(lenient, finding, oracle, strategy);
  FAULTLINE_FIELDS(optional, finding, found_by, cause);
  lenient("verdict", finding.verdict);
  if (present("silent", finding.aftermath.has_value()))
    list(content(finding.aftermath));
  FAULTLINE_FIELDS(optional, finding, roots, thrown, detail, diagnosis, share, when, seen, built);
  check(finding.seen.empty() || finding.seen == "inside" || finding.seen == "near" || finding.seen == "outside", "seen",
        "is not inside, near or outside");
  lenient("replay", finding.replay);
  optional("merged", finding.merged);
  if (present("also", finding.merged > 0))
    required("also", finding.also);
  optional("suppressed", finding.suppressed);
  optional("baseline", finding.novelty, Novelty::untold);
}

// A list of numbers and texts is shorter than an object.
template <> void Value::carry(PlotPoint& point) const {
  std::array<double*, 4> numbers = {&point.offset, &point.error, &point.ulps, &point.remedy};
  std::array<std::string*, 2> texts = {&point.computed, &point.exact};
  if (!reads()) {
    json() = Json::array({point.value});
    for (const double* number : numbers)
      json().push_back(measure(*number));
    for (const std::string* text : texts)
      json().push_back(*text);
    return;
  }
  const std::vector<Place> parts = place().elements();
  if (parts.size() != 7)
    place().refuse("is not a list of seven");
  point.value = parts[0].string();
  for (size_t i = 0; i < numbers.size(); ++i)
    *numbers[i] = parts[1 + i].measure();
  for (size_t i = 0; i < texts.size(); ++i)
    *texts[i] = parts[5 + i].string();
}

template <> void Fields::list(Plot& plot) { FAULTLINE_FIELDS(required, plot, input, around, range); }

template <> void Fields::list(Plots& plots) { FAULTLINE_FIELDS(required, plots, note, output, inputs); }

template <> void Fields::list(FoundExtent& array) {
  FAULTLINE_FIELDS(required, array, parameter, extents);
  if (reads()) {
    uint64_t count = 1;
    for (size_t i = 0; i < array.extents.size(); ++i) {
      if (array.extents[i] == 0 || array.extents[i] > most_cells / count)
        place()["extents"].elements()[i].refuse("is not the extent of an array");
      count *= array.extents[i];
    }
    check(!array.extents.empty(), "extents", "is empty");
  }
  FAULTLINE_FIELDS(optional, array, formula, endless, before);
}

namespace {

struct HeldInteger {
  std::string input;
  int64_t value = 0;
};
struct IntegerRange {
  std::string input;
  int64_t low = 0, high = 0;
};

} // namespace

template <> void Fields::list(HeldInteger& held) { FAULTLINE_FIELDS(required, held, input, value); }

template <> void Fields::list(IntegerRange& range) { FAULTLINE_FIELDS(required, range, input, low, high); }

template <> void Fields::list(FoundExtents& found) {
  std::vector<HeldInteger> held;
  std::vector<IntegerRange> ranges;
  if (!reads()) {
    for (const auto& [name, value] : found.held)
      held.push_back({name, value});
    for (const auto& [name, range] : found.ranges)
      ranges.push_back({name, int64_t(range.low), int64_t(range.high)});
  }
  required("arrays", found.arrays);
  required("held", held);
  required("ranges", ranges);
  required("cut", found.cut);
  if (reads()) {
    for (const HeldInteger& integer : held)
      found.held[integer.input] = integer.value;
    for (const IntegerRange& range : ranges)
      found.ranges[range.input] = {numeric::Value(range.low), numeric::Value(range.high)};
  }
}

template <> void Fields::list(InputRange& range) {
  FAULTLINE_FIELDS(required, range, name, format, low, high);
  FAULTLINE_FIELDS(optional, range, assumed, values);
}

template <> void Fields::list(Largest& largest) { FAULTLINE_FIELDS(required, largest, input, error); }

template <> void Fields::list(TargetReport& target) {
  required("function", target.function);
  FAULTLINE_FIELDS(lenient, target, file, line, inputs, sites, evaluations, seconds, total_seconds);
  required("outcome", target.outcome);
  FAULTLINE_FIELDS(optional, target, cut, note, judged, largest_everyday, largest);
  if (present("proof", target.proof.has_value()))
    with("proof", [&](const Value& proof) { carry_proof(proof, content(target.proof), input_names(target)); });
  FAULTLINE_FIELDS(optional, target, folded, extents, settings);
  if (reads())
    target.shows_all = raw_settings_in(target.settings).is_on("all");
  streamed("findings", target.findings);
}

template <> void Fields::list(Problem& problem) {
  const Finding& finding = problem.representative();
  derived("id", problem.id);
  derived("tier", problem.tier);
  derived("class", problem.fault);
  derived("file", problem.file);
  derived("line", problem.line);
  derived("column", problem.column);
  optional("source", problem.source);
  if (!problem.other_lines.empty())
    derived("other_lines", problem.other_lines);
  derived("functions", problem.functions);
  std::vector<std::string> findings;
  for (const Evidence& evidence : problem.findings)
    findings.push_back(evidence.finding->id);
  derived("findings", findings);
  derived("input", finding.input);
  derived("everyday", finding.everyday);
  if (finding.output)
    derived("output", *finding.output);
  if (finding.error)
    derived("error", *finding.error);
  if (const Finding* worst = problem.worst.finding)
    derived("worst", Largest{worst->input, *worst->error});
  if (finding.share)
    derived("share", *finding.share);
  if (!finding.when.empty())
    derived("when", finding.when);
  if (!finding.seen.empty())
    derived("seen", finding.seen);
  if (!finding.built.empty())
    derived("built", finding.built);
  derived("verdict", finding.verdict);
  if (finding.diagnosis && finding.diagnosis->remedy)
    with("remedy", [&](const Value& value) {
      const Remedy& remedy = *finding.diagnosis->remedy;
      Fields fields(value);
      fields.derived("text", remedy.advice);
      fields.derived("tried", remedy.tried);
      fields.derived("error", remedy.relative);
      if (!remedy.condition.empty())
        fields.derived("condition", remedy.condition);
    });
  optional("set_aside", problem.set_aside);
}

template <> void Fields::list(ReadConfiguration& configuration) {
  FAULTLINE_FIELDS(required, configuration, file, flags);
}

template <> void Fields::list(ReadBaseline& baseline) { FAULTLINE_FIELDS(lenient, baseline, file, gone); }

template <> void Fields::list(Report& report) {
  required("faultline", report.version);
  schema("schema", json_schema);
  FAULTLINE_FIELDS(required, report, command, seed);
  FAULTLINE_FIELDS(optional, report, configuration, baseline, remarks);
  streamed("targets", report.targets);
}

template <> void Fields::list(RankedReport& ranked) {
  list(const_cast<Report&>(ranked.report));
  std::vector<Problem> problems = shown_problems(ranked);
  streamed("problems", problems);
}

Json to_json(const Report& report) { return to_json(RankedReport(report)); }

Finding parse_finding(std::string_view text, const std::string& name) {
  return read_json(text, name, from_json<Finding>);
}
TargetReport parse_target(std::string_view text, const std::string& name) {
  return read_json(text, name, from_json<TargetReport>);
}
Report parse_report(std::string_view text, const std::string& name) {
  std::istringstream stream{std::string(text)};
  return read_report(stream, name);
}

} // namespace faultline::model
