#include "model/certificate.h"

#include "base/files.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace faultline::model {

namespace {

// The tree of a certificate as one string: its nodes in order, separated by spaces.
//
//   0:1.8p+1        a cut of input 0: first the tree of its floats up to 0x1.8p+1, then that of the floats above
//   =2,1p-52,1.2p1  a box on path 2, with one bound per claim
//   ?0              an open box, for reason 0
//
// A list of JSON values would take ten times the memory to read.
using NodeKind = ProofNode::Kind;

// Allows a proof of two million boxes for each of three measures. A node takes 24 bytes.
constexpr size_t most_nodes = 12'000'000;

// Reads the string from left to right.
class TreeReader {
public:
  TreeReader(const Place& place, const std::string& text, Certificate& certificate)
      : place_(place), at_(text.data()), end_(text.data() + text.size()), certificate_(certificate),
        claims_(certificate.claims()) {}

  void read() {
    size_t wanted = 1; // trees still to be read
    while (wanted > 0) {
      if (certificate_.tree.size() == most_nodes)
        refuse(fmt::format("has more than {} nodes, which is the most that is read", most_nodes));
      const NodeKind kind = node();
      wanted = kind == NodeKind::cut ? wanted + 1 : wanted - 1;
      if (wanted > 0)
        skip(' ');
    }
    if (at_ != end_)
      refuse("has more nodes than its cuts have parts");
  }

private:
  [[noreturn]] void refuse(const std::string& what) const {
    place_.refuse(at_ == end_ ? fmt::format("{}, at its end", what)
                              : fmt::format("{}, at '{}'", what, std::string(at_, std::min(at_ + 20, end_))));
  }

  bool is_at(char c) const { return at_ != end_ && *at_ == c; }
  void skip(char c) {
    if (!is_at(c))
      refuse(at_ == end_ ? "lacks nodes" : fmt::format("has no '{}' where one is expected", c));
    ++at_;
  }

  uint32_t index(size_t count, const char* what) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || value >= count)
      refuse(fmt::format("has a node whose {} does not exist", what));
    at_ = end;
    return value;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(at_, end_, value, std::chars_format::hex);
    if (error != std::errc() || !std::isfinite(value))
      refuse("has something that is not a hexadecimal float");
    at_ = end;
    return value;
  }

  NodeKind node() {
    ProofNode node;
    if (is_at('?')) {
      ++at_;
      node = {NodeKind::open, index(certificate_.reasons.size(), "reason"), 0};
    } else if (is_at('=')) {
      ++at_;
      node = {NodeKind::bounded, index(certificate_.paths.size(), "path"), 0};
      for (size_t i = 0; i < claims_; ++i) {
        skip(',');
        certificate_.bounds.push_back(number());
      }
    } else {
      node = {NodeKind::cut, index(certificate_.inputs.size(), "input"), 0};
      skip(':');
      node.at = number();
    }
    certificate_.tree.push_back(node);
    return node.kind;
  }

  const Place& place_;
  const char* at_;
  const char* end_;
  Certificate& certificate_;
  size_t claims_;
};

// Formats a float in C's hexadecimal form without 0x. Only numbers of the tree are written this way.
std::string short_hex(double value) {
  std::string text = numeric::hex_float(value);
  text.erase(text.find("0x"), 2);
  if (const size_t plus = text.find('+'); plus != std::string::npos)
    text.erase(plus, 1);
  return text;
}

std::string tree_text(const Certificate& certificate) {
  std::string text;
  size_t bound = 0;
  const size_t claims = certificate.claims();
  for (const ProofNode& node : certificate.tree) {
    if (!text.empty())
      text += ' ';
    switch (node.kind) {
    case NodeKind::cut:
      text += fmt::format("{}:{}", node.which, short_hex(node.at));
      break;
    case NodeKind::bounded:
      text += fmt::format("={}", node.which);
      for (size_t i = 0; i < claims; ++i)
        text += ',' + short_hex(certificate.bounds[bound++]);
      break;
    case NodeKind::open:
      text += fmt::format("?{}", node.which);
      break;
    }
  }
  return text;
}

// Reads tree and bounds. The other members are already read.
void read_tree(const Place& place, Certificate& certificate) {
  const std::string text = place.string();
  TreeReader(place, text, certificate).read();
}

constexpr int certificate_schema = 1;
constexpr const char* hint = "use a file that faultline bound -o FILE.proof.json wrote";
// A worker can send a quarter of this. The tree is one value; ten operations take about a hundred.
constexpr uint64_t most_certificate_bytes = uint64_t(1) << 28, most_values = 8'000'000;

// Calls `read` and replaces the hint of its error.
template <class Read> Certificate hinted(const std::string& name, Read read) {
  try {
    return with_name(name, read);
  } catch (const base::UserError& problem) {
    throw base::UserError(problem.status, problem.what(), hint);
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

// Reads a constant. Only constants may be infinite or NaN.
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
// Reads an error or the bound of one.
double size_at(const Place& place) {
  const double value = number_at(place);
  if (!(value >= 0))
    place.refuse("is negative");
  return value;
}

} // namespace

template <> void Value::carry(Format& format) const {
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

template <> void Fields::list(CertifiedInput& input) {
  FAULTLINE_FIELDS(required, input, name, format);
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

template <> void Fields::list(CertifiedOutput& output) {
  FAULTLINE_FIELDS(required, output, name, format);
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

// `slots` is the number of slots before this step.
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
      operands[i].refuse("is not an earlier slot");
  }
  if (ops::is_decision(step.op) != (parts.size() == 4))
    place.refuse("must have an outcome exactly if it is a decision");
  if (parts.size() == 4)
    step.outcome = parts[3].integer();
  return step;
}

CertifiedConstant constant_at(const Place& place) {
  if (!place.is_list())
    return {any_number_at(place), any_number_at(place)};
  const std::vector<Place> ends = place.elements();
  if (ends.size() != 2)
    place.refuse("is neither a number nor an interval");
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
  size_t slots = inputs + path.constants.size(); // available before the step
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

template <> void Fields::list(Certificate& certificate) {
  required("faultline", certificate.version);
  schema("certificate", certificate_schema);
  FAULTLINE_FIELDS(required, certificate, function, file, line, settings, inputs, outputs);
  with("floor", [&](const Value& floor) { carry_size(floor, certificate.floor); });
  bool complete = !reads() && certificate.complete();
  required("complete", complete);
  required("reasons", certificate.reasons);
  with("paths", [&](const Value& list) {
    list.each(certificate.paths, [&](const Value& element, CertifiedPath& path) {
      carry_path(element, path, certificate.inputs.size());
      if (element.reads() && path.outputs.size() != certificate.outputs.size())
        element.place()["outputs"].refuse("does not have one slot per output");
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
  check(complete == certificate.complete(), "complete", "does not match the boxes");
}

std::string certificate_text(const Certificate& certificate) {
  // One line per member: indented JSON would take ten lines per operation.
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
    base::BoundedStream stream(file, {.all = most_certificate_bytes}, hint);
    uint64_t values = 0;
    const Json json = parse_json(stream.stream(), [&](int, Json::parse_event_t, Json&) {
      if (++values > most_values)
        throw base::UserError(base::status_usage,
                              fmt::format("has more than {} values, which is the most that is read", most_values));
      return true;
    });
    return from_json<Certificate>(Place(json, ""));
  });
}

size_t Certificate::claims() const {
  size_t count = 0;
  for (const CertifiedOutput& output : outputs)
    for (const double claim : output.claims)
      count += claim != no_claim;
  return count;
}

bool Certificate::complete() const {
  return std::ranges::none_of(tree, [](const ProofNode& node) { return node.kind == ProofNode::Kind::open; });
}

RawSettings calling_settings(const RawSettings& raw) {
  RawSettings kept;
  for (const char* key : {"size", "alias", "setup", "hold", "format", "output", "bound", "reject"})
    kept.set(key, raw.values(key));
  return kept;
}

double rounded_up_to(double bound, double claim) {
  constexpr int kept_bits = 9; // two hexadecimal digits after the point: less than half a percent too much
  int exponent = 0;
  const double fraction = std::frexp(bound, &exponent);
  return std::min(std::ldexp(std::ceil(std::ldexp(fraction, kept_bits)), exponent - kept_bits), claim);
}

} // namespace faultline::model
