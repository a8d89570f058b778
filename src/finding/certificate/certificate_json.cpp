#include "finding/certificate/certificate_json.h"

#include "finding/certificate/proof_tree_text.h"
#include "finding/json/finding_json.h"
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
Format format_at(const Place& place) { return place.id<Format>(format_of, "a format of floats"); }

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

Json to_json(const CertifiedInput& input) {
  Json json{{"name", input.name},
            {"format", numeric::info(input.format).name},
            {"low", numeric::hex_float(input.low)},
            {"high", numeric::hex_float(input.high)}};
  if (input.rounded)
    json["rounded"] = true;
  else if (input.error != 0)
    json["error"] = numeric::hex_float(input.error);
  return json;
}

CertifiedInput input_at(const Place& place) {
  CertifiedInput input{place["name"].string(), format_at(place["format"]), number_at(place["low"]),
                       number_at(place["high"])};
  read(place, "rounded", input.rounded);
  if (const auto error = place.find("error")) {
    input.error = size_at(*error);
    if (input.rounded)
      error->refuse("is of an input that is rounded");
  }
  if (!(input.low <= input.high))
    place.refuse("ends before it begins");
  return input;
}

Json to_json(const CertifiedOutput& output) {
  Json json{{"name", output.name}, {"format", numeric::info(output.format).name}};
  for (const ErrorMeasure measure : all_measures)
    if (const double claim = output.claims[size_t(measure)]; claim != no_claim)
      json[std::string(text(measure))] = numeric::hex_float(claim);
  return json;
}

CertifiedOutput output_at(const Place& place) {
  CertifiedOutput output{place["name"].string(), format_at(place["format"])};
  for (const ErrorMeasure measure : all_measures)
    if (const auto claim = place.find(std::string(text(measure))))
      output.claims[size_t(measure)] = size_at(*claim);
  return output;
}

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
  CertifiedStep step{parts[0].id<ops::Op>(op_of, "an operation"), format_at(parts[1])};
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

Json to_json(const CertifiedPath& path) {
  Json constants = Json::array(), steps = Json::array();
  for (const CertifiedConstant& constant : path.constants)
    constants.push_back(constant.low < constant.high
                            ? Json::array({numeric::hex_float(constant.low), numeric::hex_float(constant.high)})
                            : Json(numeric::hex_float(constant.low)));
  for (const CertifiedStep& step : path.steps)
    steps.push_back(to_json(step));
  return {{"constants", constants}, {"steps", steps}, {"outputs", path.outputs}};
}

CertifiedPath certified_path_at(const Place& place, size_t inputs) {
  CertifiedPath path;
  for (const Place& constant : place["constants"].elements())
    path.constants.push_back(constant_at(constant));
  for (const Place& step : place["steps"].elements())
    path.steps.push_back(step_at(step, inputs + path.constants.size() + path.steps.size()));
  for (const Place& output : place["outputs"].elements()) {
    path.outputs.push_back(output.whole<uint32_t>());
    if (path.outputs.back() >= inputs + path.constants.size() + path.steps.size())
      output.refuse("is not a slot");
  }
  return path;
}

Json to_json(const Certificate& certificate) {
  Json inputs = Json::array(), outputs = Json::array(), paths = Json::array();
  for (const CertifiedInput& input : certificate.inputs)
    inputs.push_back(to_json(input));
  for (const CertifiedOutput& output : certificate.outputs)
    outputs.push_back(to_json(output));
  for (const CertifiedPath& path : certificate.paths)
    paths.push_back(to_json(path));
  return {{"faultline", certificate.version},
          {"certificate", certificate_schema},
          {"function", certificate.function},
          {"file", certificate.file},
          {"line", certificate.line},
          {"settings", certificate.settings},
          {"inputs", inputs},
          {"outputs", outputs},
          {"floor", numeric::hex_float(certificate.floor)},
          {"complete", certificate.complete()},
          {"reasons", certificate.reasons},
          {"paths", paths},
          {"tree", tree_text(certificate)}};
}

std::string certificate_text(const Certificate& certificate) {
  // One line for each member: indented, operations would take ten lines each.
  const Json json = to_json(certificate);
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n{}: {}", text.size() > 1 ? "," : "", json_text(key), json_text(value));
  return text + "\n}\n";
}

Certificate certificate_at(const Place& place) {
  if (const int schema = place["certificate"].whole<int>(); schema != certificate_schema)
    place["certificate"].refuse(fmt::format("is {}; this version of Faultline reads {}", schema, certificate_schema));
  Certificate certificate;
  certificate.version = place["faultline"].string();
  certificate.function = place["function"].string();
  certificate.file = place["file"].string();
  certificate.line = place["line"].whole<int>();
  certificate.settings = words_at(place["settings"]);
  for (const Place& input : place["inputs"].elements())
    certificate.inputs.push_back(input_at(input));
  for (const Place& output : place["outputs"].elements())
    certificate.outputs.push_back(output_at(output));
  certificate.floor = size_at(place["floor"]);
  certificate.reasons = words_at(place["reasons"]);
  for (const Place& path : place["paths"].elements()) {
    certificate.paths.push_back(certified_path_at(path, certificate.inputs.size()));
    if (certificate.paths.back().outputs.size() != certificate.outputs.size())
      path["outputs"].refuse("has not one slot for each output");
  }
  if (certificate.inputs.size() * certificate.paths.size() > most_values) // each path is tried at an input of its own
    place["paths"].refuse(fmt::format("has more than {} inputs of all paths together", most_values));
  read_tree(place["tree"], certificate);
  if (place["complete"].truth() != certificate.complete())
    place["complete"].refuse("is not what the boxes say");
  return certificate;
}

Certificate parse_certificate(std::string_view text, const std::string& name) {
  return hinted(name, [&] {
    const Json json = parse_json(text);
    return certificate_at(Place(json, ""));
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
    return certificate_at(Place(json, ""));
  });
}

} // namespace faultline::finding
