#include "campaign/configuration.h"
#include "campaign/finding_json.h"
#include "campaign/finishing.h"
#include "campaign/number.h"
#include "campaign/operation_text.h"
#include "campaign/origins.h"
#include "campaign/replay_command.h"
#include "campaign/single_run.h"
#include "explain/cause.h"
#include "explain/shares.h"
#include "oracle/lifted.h"
#include "tape/conditions.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::campaign {
namespace {

constexpr double accurate_ulps = 4; // no cause is looked for below that

frontend::Type type_of(const tape::Tape& tape, uint32_t operand) {
  frontend::Type type;
  type.format = runtime::is_constant(operand) ? tape.table().constants[operand & ~runtime::constant_flag].format
                                              : tape.site(operand).format;
  return type;
}

// How an operand is written in a row: an input by its name, an earlier row as v4, a constant or leaf by its value.
std::string operand_text(const tape::Tape& tape, const frontend::Target& target, uint32_t operand) {
  if (!runtime::is_constant(operand) && operand <= target.inputs.size())
    return target.inputs[operand - 1].name;
  if (runtime::is_constant(operand) || ops::is_leaf(tape.site(operand).op))
    return number_of(tape.exact(operand), type_of(tape, operand)).decimal;
  return fmt::format("v{}", operand);
}

std::string row_text(const tape::Tape& tape, const frontend::Target& target, uint32_t index) {
  const ops::Op op = tape.site(index).op;
  std::vector<std::string> operands;
  for (int i = 0; i < ops::arity(op); ++i)
    operands.push_back(operand_text(tape, target, tape.operand(index, i)));
  return fmt::format("v{} = {}", index, written(op, operands));
}

// With one digit more than it takes to read it back, as the papers print them.
std::string result_text(long double value, const frontend::Type& type) {
  if (!type.floating || !std::isfinite(value) || value == 0)
    return number_of(value, type).decimal;
  const int digits = type.format == numeric::Format::binary32 ? 9 : type.format == numeric::Format::binary64 ? 17 : 21;
  return fmt::format("{:.{}e}", value, digits);
}

Json number_or_text(double value) {
  return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

double to_number(const Json& json) {
  if (json.is_number())
    return json.get<double>();
  const std::string text = json.is_string() ? json.get<std::string>() : "nan";
  return text == "inf" ? INFINITY : text == "-inf" ? -INFINITY : NAN;
}

Json row_of(const tape::Tape& tape, const frontend::Target& target, uint32_t index, const tape::Replay& exact,
            double error, double share) {
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  Json row;
  row["file"] = site.file;
  row["line"] = site.line;
  row["column"] = site.column;
  row["function"] = site.function;
  row["operation"] = ops::name(site.op);
  row["text"] = row_text(tape, target, index);
  Json operands = Json::array(), conditions = Json::array();
  for (int i = 0; i < arity; ++i)
    operands.push_back(number_of(tape.exact(tape.operand(index, i)), type_of(tape, tape.operand(index, i))).decimal);
  const tape::Record& record = tape.record(index);
  const auto values = ops::conditions(site.op, tape.value(record.a), arity > 1 ? tape.value(record.b) : 0,
                                      arity > 2 ? tape.value(record.c) : 0, tape.value(index));
  for (int i = 0; i < arity; ++i)
    conditions.push_back(number_or_text(values[size_t(i)]));
  row["operands"] = operands;
  row["conditions"] = conditions;
  if (ops::is_comparison(site.op)) {
    row["result"] = tape.exact(index) != 0 ? "true" : "false";
  } else {
    frontend::Type type = type_of(tape, index);
    type.floating = !ops::is_to_int(site.op);
    row["result"] = result_text(tape.exact(index), type);
    row["reference"] = number_of(exact.values[index], type).decimal;
  }
  row["error"] = number_or_text(error);
  row["share"] = number_or_text(share);
  return row;
}

// The worker's part: run, judge, and send one row an operation.
void explain_here(exec::Session& session, Judge& judge, exec::Line& line, const exec::Input& input, size_t most_rows) {
  const exec::Run run = session.run(input);
  line.send(Json{{"outcome", std::string(exec::text(run.outcome))}}.dump());
  const tape::Tape tape(run, session.sites(), input.size());
  uint32_t judged = 0; // the record of the output that was
  long precision = 2 * oracle::first_precision;
  if (run.outcome == exec::Outcome::returned) {
    const oracle::Judgement judgement = judge.judge(input, tape);
    precision = std::max(precision, judgement.precision);
    const oracle::OutputJudgement* worst = judge.worst(judgement);
    const bool accurate = worst && !(worst->ulps > accurate_ulps) && judge.oracle() != OracleName::reference;
    const std::string elsewhere = accurate ? made_elsewhere(session, input, judge.outputs()) : "";
    if (!elsewhere.empty()) {
      line.send(Json{{"unknown", "unknown: " + elsewhere}}.dump());
    } else if (worst) {
      Finding finding = judge.describe(input, tape, judgement, *worst);
      if (worst->ulps > accurate_ulps)
        finding.diagnosis = diagnosis_of(tape, session.target(), judgement, *worst, finding);
      line.send(json_text(Json{{worst->ulps > accurate_ulps ? "finding" : "judged", to_json(finding)}}));
      judged = tape.outputs()[worst->output].record;
    } else if (const auto flip = judge.unreturned(input, tape, judgement)) {
      line.send(json_text(Json{{"finding", to_json(*flip)}}));
    } else {
      line.send(Json{{"unknown", judgement.why_unknown}}.dump());
    }
  }
  const tape::Replay exact = tape::replay(tape, precision);
  const std::vector<double> errors = explain::relative_errors(tape, exact);
  const std::vector<double> shares = explain::own_shares(tape, judged, exact);
  size_t rows = 0;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (ops::is_leaf(tape.site(index).op))
      continue;
    if (rows++ < most_rows)
      line.send(json_text(Json{{"row", row_of(tape, session.target(), index, exact, errors[index], shares[index])}}));
  }
  line.send(Json{{"rows", rows}, {"sites", session.sites().sites.size() - runtime::first_program_site}}.dump());
}

OperationRow row_from(const Json& json) {
  OperationRow row;
  row.file = json.value("file", std::string());
  row.line = json.value("line", 0);
  row.column = json.value("column", 0);
  row.function = json.value("function", std::string());
  row.operation = json.value("operation", std::string());
  row.text = json.value("text", std::string());
  for (const Json& operand : json.value("operands", Json::array()))
    row.operands.push_back(operand.is_string() ? operand.get<std::string>() : "");
  for (const Json& condition : json.value("conditions", Json::array()))
    row.conditions.push_back(to_number(condition));
  row.result = json.value("result", std::string());
  row.reference = json.value("reference", std::string());
  row.relative_error = to_number(json.value("error", Json(0.0)));
  row.share = to_number(json.value("share", Json(0.0)));
  return row;
}

} // namespace

Explanation explain(const Options& all, const std::map<std::string, std::string>& at, size_t most_rows) {
  frontend::Program program = load_program(all);
  const frontend::Target target = single_target(program, all);
  const Options options = options_for(target, all);
  const exec::Input input = input_at(target, options, at);
  Explanation explanation;
  explanation.target.function = target.function;
  explanation.target.file = target.file;
  explanation.target.line = target.line;
  explanation.input = named_input(target, input);
  explanation.oracle = text(options.oracle);
  auto receive = [&](const Json& message) {
    if (auto row = message.find("row"); row != message.end() && row->is_object())
      explanation.rows.push_back(row_from(*row));
    else if (message.contains("outcome"))
      explanation.outcome = message.value("outcome", std::string());
    else if (message.contains("unknown"))
      explanation.target.note = message.value("unknown", std::string());
    else if (auto finding = message.find("finding"); finding != message.end()) {
      Finding described = finding_from_json(*finding);
      explanation.output = described.output;
      explanation.error = described.error;
      explanation.target.findings.push_back(std::move(described));
    } else if (auto judged = message.find("judged"); judged != message.end()) {
      const Finding described = finding_from_json(*judged);
      explanation.output = described.output;
      explanation.error = described.error;
      explanation.target.note = "accurate: nobody is to blame";
    } else if (message.contains("rows")) {
      explanation.omitted = message.value("rows", size_t(0)) - explanation.rows.size();
      explanation.target.sites = message.value("sites", uint64_t(0));
    }
  };
  auto died = in_worker(
      options, program, target,
      [&](exec::Session& session, Judge& judge, exec::Line& line) {
        explain_here(session, judge, line, input, most_rows);
      },
      receive);
  if (died) {
    explanation.interrupted = true;
    explanation.outcome = died->hung ? "did not come back" : "killed the worker process";
  }
  return explanation;
}

} // namespace faultline::campaign
