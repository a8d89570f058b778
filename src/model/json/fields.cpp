#include "model/json/fields.h"

#include "numeric/decimal.h"

namespace faultline::model {

void Value::carry(bool& value) const {
  if (reads())
    value = place_->truth();
  else
    *json_ = value;
}

void Value::carry(double& value) const {
  if (reads())
    value = place_->measure();
  else
    *json_ = measure(value);
}

void Value::carry(std::string& value) const {
  if (reads())
    value = place_->string();
  else
    *json_ = value;
}

void Value::carry(numeric::Value& value) const {
  if (!reads()) {
    *json_ = numeric::hex_float(value);
    return;
  }
  const std::string text = place_->string();
  const std::optional<numeric::Value> number = numeric::parse_long_double(text);
  if (!number)
    place_->refuse(fmt::format("'{}' is not a number", text.substr(0, 40)));
  value = *number;
}

void Value::carry(int64_t& value) const {
  if (reads())
    value = place_->integer();
  else
    *json_ = value;
}

void Value::carry(std::vector<std::pair<std::string, double>>& members) const {
  if (reads()) {
    for (const auto& [name, value] : place_->members())
      members.emplace_back(name, value.measure());
    return;
  }
  *json_ = Json::object();
  for (const auto& [name, value] : members)
    (*json_)[name] = measure(value);
}

Fields::Fields(const Value& value) {
  if (value.reads()) {
    place_ = &value.place();
    return;
  }
  json_ = &value.json();
  if (json_->is_null())
    *json_ = Json::object();
}

Fields::Fields(const Sink& sink, int step, size_t depth)
    : sink_(&sink), step_(step), depth_(depth), pending_(std::make_unique<Json>(Json::object())) {
  json_ = pending_.get();
  sink("{");
}

void Fields::schema(const char* key, int version) {
  int read = version;
  required(key, read);
  check(read == version, key, fmt::format("is {}; this version of Faultline reads {}", read, version));
}

std::string Fields::line(size_t depth) const { return step_ < 0 ? "" : "\n" + std::string(depth * size_t(step_), ' '); }

void Fields::flush() {
  if (pending_->empty())
    return;
  const std::string text = json_text(*pending_, step_);
  std::string_view members = std::string_view(text).substr(1, text.size() - (step_ < 0 ? 2 : 3)); // between the braces
  std::string shifted = begun_ ? "," : "";
  while (true) { // JSON has line breaks only between values
    const size_t end = members.find('\n');
    shifted += members.substr(0, end);
    if (end == std::string_view::npos)
      break;
    shifted += line(depth_);
    members.remove_prefix(end + 1);
  }
  (*sink_)(shifted);
  *pending_ = Json::object();
  begun_ = true;
}

void Fields::begin_list(const char* key) {
  flush();
  (*sink_)((begun_ ? "," : "") + line(depth_ + 1) + "\"" + key + (step_ < 0 ? "\":[" : "\": ["));
  begun_ = true;
}

void Fields::begin_element(bool first) { (*sink_)((first ? "" : ",") + line(depth_ + 2)); }
void Fields::end_list(bool empty) { (*sink_)(empty ? "]" : line(depth_ + 1) + "]"); }

void Fields::end() {
  flush();
  (*sink_)(begun_ ? line(depth_) + "}" : "}");
}

} // namespace faultline::model
