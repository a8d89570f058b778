#include "finding/certificate/certificate_json.h"

#include "finding/certificate/proof_tree_text.h"
#include "frontend/reading/bounded_stream.h"
#include "numeric/decimal.h"

#include <cmath>

namespace faultline::finding {
namespace {

constexpr int certificate_schema = 1;
constexpr const char* hint = "use a file that faultline bound -o FILE.proof.json wrote";
// What a worker can send is a quarter of it. The tree is one value; ten operations have some hundred.
constexpr uint64_t most_bytes = uint64_t(1) << 28, most_values = 8'000'000;

// What `read` gives, with our own hint.
template <class Read>
Certificate hinted(const std::string& name, Read read) {
  try {
    return with_name(name, read);
  } catch (const frontend::UserError& problem) {
    throw frontend::UserError(problem.status, problem.what(), hint);
  }
}

using numeric::Format;

std::optional<Format> format_of(std::string_view name) {
  for (const Format format : numeric::all_formats)
    if (numeric::info(format).name == name)
      return format;
  return {};
}

std::optional<ops::Op> op_of(std::string_view name) {
  for (int i = 0; i < ops::operation_count; ++i)
    if (ops::name(ops::Op(i)) == name)
      return ops::Op(i);
  return {};
}

// Constants may be infinite, or not a number; nothing else is.
double any_number_at(const Place& place) {
  const std::string text = place.string();
  const std::optional<double> value = numeric::parse_double(text);
  if (!value || numeric::hex_float(*value) != text)
    place.refuse(fmt::format("'{}' is not a double in hexadecimal, written as C's %a does", text.substr(0, 40)));
  return *value;
}
double number_at(const Place& place) {
  const double value = any_number_at(place);
  if (!std::isfinite(value))
    place.refuse("is not finite");
  return value;
}
// An error, or a bound of one.
double size_at(const Place& place) {
  const double value = number_at(place);
  if (!(value >= 0))
    place.refuse("is negative");
  return value;
}

} // namespace

template <>
void Value::carry(Format& format) const {
  if (reads())
    format = place().id<Format>(format_of, "a format of floats");
  else
    json() = numeric::info(format).name;
}

namespace {

void carry_number(const Value& value, double& number) {
  if (value.reads())
    number = number_at(value.place());
  else
    value.json() = numeric::hex_float(number);
}
void carry_size(const Value& value, double& size) {
  if (value.reads())
    size = size_at(value.place());
  else
    value.json() = numeric::hex_float(size);
}

} // namespace

template <>
void Fields::list(CertifiedInput& input) {
  required("name", input.name);
  required("format", input.format);
  with("low", [&](const Value& low) { carry_number(low, input.low); });
  with("high", [&](const Value& high) { carry_number(high, input.high); });
  optional("rounded", input.rounded);
  if (present("error", !input.rounded && input.error != 0)) {
    with("error", [&](const Value& error) { carry_size(error, input.error); });
    check(!input.rounded, "error", "is of an input that is rounded");
  }
  if (reads() && !(input.low <= input.high))
    place().refuse("ends before it begins");
}

template <>
void Fields::list(CertifiedOutput& output) {
  required("name", output.name);
  required("format", output.format);
  for (const ErrorMeasure measure : all_measures) {
    double& claim = output.claims[size_t(measure)];
    if (const std::string key(text(measure)); present(key, claim != no_claim))
      with(key, [&](const Value& value) { carry_size(value, claim); });
  }
}

namespace {

Json to_json(const CertifiedStep& step) {
  Json operands = Json::array();
  for (int i = 0; i < ops::arity(step.op); ++i)
    operands.push_back(step.operands[size_t(i)]);
  Json json = Json::array({ops::name(step.op), numeric::info(step.format).name, operands});
  if (step.outcome)
    json.push_back(*step.outcome);
  return json;
}

// `slots`: those before it.
CertifiedStep step_at(const Place& place, size_t slots) {
  const std::vector<Place> parts = place.elements();
  if (parts.size() < 3 || parts.size() > 4)
    place.refuse("is not [operation, format, operands] or [operation, format, operands, outcome]");
  CertifiedStep step{parts[0].id<ops::Op>(op_of, "an operation"), from_json<Format>(parts[1])};
  if (ops::is_leaf(step.op) || step.op == ops::Op::decide)
    parts[0].refuse("computes nothing");
  const std::vector<Place> operands = parts[2].elements();
  if (operands.size() != size_t(ops::arity(step.op)))
    parts[2].refuse(fmt::format("is not the {} operands of {}", ops::arity(step.op), ops::name(step.op)));
  for (size_t i = 0; i < operands.size(); ++i) {
    step.operands[i] = operands[i].whole<uint32_t>();
    if (step.operands[i] >= slots)
      operands[i].refuse("is not an operand that was there before");
  }
  if (ops::is_decision(step.op) != (parts.size() == 4))
    place.refuse("has an outcome, and is no decision, or is one, and has none");
  if (parts.size() == 4)
    step.outcome = parts[3].integer();
  return step;
}

CertifiedConstant constant_at(const Place& place) {
  if (!place.is_list())
    return {any_number_at(place), any_number_at(place)};
  const std::vector<Place> ends = place.elements();
  if (ends.size() != 2)
    place.refuse("is neither a number nor two that it lies between");
  const CertifiedConstant constant{number_at(ends[0]), number_at(ends[1])};
  if (!(constant.low < constant.high))
    place.refuse("ends before it begins");
  return constant;
}

} // namespace

void carry_path(const Value& value, CertifiedPath& path, size_t inputs) {
  Fields fields(value);
  fields.with("constants", [&](const Value& list) {
    list.each(path.constants, [](const Value& element, CertifiedConstant& constant) {
      if (element.reads())
        constant = constant_at(element.place());
      else if (constant.low < constant.high)
        element.json() = Json::array({numeric::hex_float(constant.low), numeric::hex_float(constant.high)});
      else
        element.json() = numeric::hex_float(constant.low);
    });
  });
  size_t slots = inputs + path.constants.size(); // that are there before a step
  fields.with("steps", [&](const Value& list) {
    list.each(path.steps, [&](const Value& element, CertifiedStep& step) {
      if (element.reads())
        step = step_at(element.place(), slots++);
      else
        element.json() = to_json(step);
    });
  });
  fields.with("outputs", [&](const Value& list) {
    list.each(path.outputs, [&](const Value& element, uint32_t& output) {
      element.carry(output);
      if (element.reads() && output >= slots)
        element.place().refuse("is not a slot");
    });
  });
}

Json to_json(const CertifiedPath& path) {
  Json json;
  carry_path(Value(json), const_cast<CertifiedPath&>(path), 0);
  return json;
}

template <>
void Fields::list(Certificate& certificate) {
  required("faultline", certificate.version);
  schema("certificate", certificate_schema);
  required("function", certificate.function);
  required("file", certificate.file);
  required("line", certificate.line);
  required("settings", certificate.settings);
  required("inputs", certificate.inputs);
  required("outputs", certificate.outputs);
  with("floor", [&](const Value& floor) { carry_size(floor, certificate.floor); });
  bool complete = !reads() && certificate.complete();
  required("complete", complete);
  required("reasons", certificate.reasons);
  with("paths", [&](const Value& list) {
    list.each(certificate.paths, [&](const Value& element, CertifiedPath& path) {
      carry_path(element, path, certificate.inputs.size());
      if (element.reads() && path.outputs.size() != certificate.outputs.size())
        element.place()["outputs"].refuse("has not one slot for each output");
    });
  });
  // Each path is tried at an input of its own.
  check(certificate.inputs.size() * certificate.paths.size() <= most_values, "paths",
        fmt::format("has more than {} inputs of all paths together", most_values));
  with("tree", [&](const Value& tree) {
    if (tree.reads())
      read_tree(tree.place(), certificate);
    else
      tree.json() = tree_text(certificate);
  });
  check(complete == certificate.complete(), "complete", "is not what the boxes say");
}

std::string certificate_text(const Certificate& certificate) {
  // One line for each member: indented, operations would take ten lines each.
  const Json json = to_json(certificate);
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n{}: {}", text.size() > 1 ? "," : "", json_text(key), json_text(value));
  return text + "\n}\n";
}

Certificate parse_certificate(std::string_view text, const std::string& name) {
  return hinted(name, [&] {
    const Json json = parse_json(text);
    return from_json<Certificate>(Place(json, ""));
  });
}

Certificate load_certificate(const std::string& file) {
  return hinted(file, [&] {
    frontend::BoundedStream stream(file, {.all = most_bytes}, hint);
    uint64_t values = 0;
    const Json json = parse_json(stream.stream(), [&](int, Json::parse_event_t, Json&) {
      if (++values > most_values)
        throw frontend::UserError(frontend::status_usage,
                                  fmt::format("has more than {} values, which is the most that is read", most_values));
      return true;
    });
    return from_json<Certificate>(Place(json, ""));
  });
}

} // namespace faultline::finding
