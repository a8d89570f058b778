// A value in a JSON document and how it was reached, so that every complaint can say where
// (targets[0].findings[2].kind) and what was expected there. All of them are frontend::UserErrors.
#pragma once

#include "finding/json/json.h"
#include "frontend/error.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

class Place {
public:
  Place(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw frontend::UserError(frontend::status_usage, fmt::format("{}{}{}", path_, path_.empty() ? "" : ": ", what),
                              "use a file that faultline hunt -o FILE.json wrote");
  }

  Place operator[](const std::string& key) const {
    if (std::optional<Place> found = find(key))
      return *found;
    refuse(fmt::format("has no \"{}\"", key));
  }
  std::optional<Place> find(const std::string& key) const {
    if (!json_.is_object())
      refuse(fmt::format("is {}, not an object", json_.type_name()));
    const auto member = json_.find(key);
    if (member == json_.end())
      return {};
    return Place(*member, path_.empty() ? key : path_ + "." + key);
  }
  std::vector<Place> elements() const {
    if (!json_.is_array())
      refuse(fmt::format("is {}, not a list", json_.type_name()));
    std::vector<Place> places;
    for (size_t i = 0; i < json_.size(); ++i)
      places.emplace_back(json_[i], fmt::format("{}[{}]", path_, i));
    return places;
  }
  std::vector<std::pair<std::string, Place>> members() const {
    if (!json_.is_object())
      refuse(fmt::format("is {}, not an object", json_.type_name()));
    std::vector<std::pair<std::string, Place>> places;
    for (const auto& [key, value] : json_.items())
      places.emplace_back(key, Place(value, path_ + "." + key));
    return places;
  }
  bool is_list() const { return json_.is_array(); }

  std::string string() const {
    if (!json_.is_string())
      refuse(fmt::format("is {}, not a string", json_.type_name()));
    return json_.get<std::string>();
  }
  template <class T>
  T whole() const {
    const auto largest = static_cast<uint64_t>(std::numeric_limits<T>::max());
    const bool natural = json_.is_number_unsigned() || (json_.is_number_integer() && json_.get<int64_t>() >= 0);
    if (!natural || json_.get<uint64_t>() > largest)
      refuse(fmt::format("is not a whole number from 0 to {}", largest));
    return static_cast<T>(json_.get<uint64_t>());
  }
  int64_t integer() const {
    const bool fits =
        json_.is_number_integer() &&
        (!json_.is_number_unsigned() || json_.get<uint64_t>() <= uint64_t(std::numeric_limits<int64_t>::max()));
    if (!fits)
      refuse("is not an integer of 64 bits");
    return json_.get<int64_t>();
  }
  bool truth() const {
    if (!json_.is_boolean())
      refuse(fmt::format("is {}, not true or false", json_.type_name()));
    return json_.get<bool>();
  }
  double measure() const {
    if (json_.is_null())
      return NAN;
    if (!json_.is_number())
      refuse("is neither a number nor null");
    const double value = json_.get<double>();
    return std::fabs(value) < std::numeric_limits<double>::max() ? value : std::copysign(INFINITY, value);
  }
  template <class Id>
  Id id(std::optional<Id> (*id_of)(std::string_view), const char* what) const {
    const std::string word = string();
    if (const std::optional<Id> id = id_of(word))
      return *id;
    refuse(fmt::format("'{}' is not {}", word.substr(0, 40), what));
  }

private:
  const Json& json_;
  std::string path_;
};

// What `read` gives; complaints begin with the name of the file.
template <class Read>
auto with_name(const std::string& name, Read read) {
  try {
    return read();
  } catch (const frontend::UserError& problem) {
    if (std::string_view(problem.what()).starts_with(name + ": "))
      throw; // it could not be read
    throw frontend::UserError(problem.status, fmt::format("{}: {}", name, problem.what()), problem.hint);
  }
}

// What `read` makes of the document; complaints begin with the name of the file.
template <class Read>
auto read_json(std::string_view text, const std::string& name, Read read) {
  return with_name(name, [&] {
    const Json json = parse_json(text);
    return read(Place(json, ""));
  });
}

} // namespace faultline::finding
