// A value in a JSON document and the path to it, so that every error names the place (targets[0].findings[2].kind) and
// what was expected. All errors are base::UserErrors.
#pragma once

#include "base/error.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace faultline::model {

// JSON objects that keep the order of their members.
//
// nlohmann::ordered_json compares each added or searched key with all others: an input of 100,000 elements, each a
// member, took half a minute. This class has an index for objects with many members.
template <class Key, class T, class Less = std::less<Key>, class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap : public nlohmann::ordered_map<Key, T, Less, Allocator> {
  using Base = nlohmann::ordered_map<Key, T, Less, Allocator>;

public:
  using Base::Base;
  using typename Base::const_iterator;
  using typename Base::iterator;
  using typename Base::size_type;
  using typename Base::value_type;

  template <class Name> std::pair<iterator, bool> emplace(Name&& name, T&& value) {
    if (const size_t place = place_of(name); place < this->size())
      return {this->begin() + long(place), false};
    this->emplace_back(Key(std::forward<Name>(name)), std::forward<T>(value));
    return {std::prev(this->end()), true};
  }
  std::pair<iterator, bool> insert(value_type value) { return emplace(value.first, std::move(value.second)); }
  template <class Iterator> void insert(Iterator first, Iterator last) {
    for (; first != last; ++first)
      emplace(first->first, T(first->second));
  }

  template <class Name> T& operator[](Name&& name) { return emplace(std::forward<Name>(name), T{}).first->second; }
  iterator find(std::string_view name) { return this->begin() + long(place_of(name)); }
  const_iterator find(std::string_view name) const { return this->begin() + long(place_of(name)); }
  size_type count(std::string_view name) const { return place_of(name) < this->size() ? 1 : 0; }
  T& at(std::string_view name) { return this->data()[present(name)].second; }
  const T& at(std::string_view name) const { return this->data()[present(name)].second; }

  size_type erase(std::string_view name) {
    const size_t place = place_of(name);
    if (place == this->size())
      return 0;
    erase(this->begin() + long(place));
    return 1;
  }
  iterator erase(iterator at) { return erase(at, std::next(at)); }
  iterator erase(iterator first, iterator last) {
    places_.clear();
    indexed_ = 0;
    return Base::erase(first, last);
  }

private:
  static constexpr size_t few = 32; // a guess: comparing with this many is faster than an index

  // Returns the number of members if the name does not exist.
  size_t place_of(std::string_view name) const {
    const value_type* members = this->data();
    if (this->size() <= few) {
      size_t place = 0;
      while (place < this->size() && members[place].first != name)
        ++place;
      return place;
    }
    if (indexed_ > this->size()) { // moved from and filled again
      places_.clear();
      indexed_ = 0;
    }
    for (; indexed_ < this->size(); ++indexed_)
      places_.emplace(std::hash<std::string_view>{}(members[indexed_].first), indexed_);
    const auto [first, last] = places_.equal_range(std::hash<std::string_view>{}(name));
    for (auto candidate = first; candidate != last; ++candidate)
      if (members[candidate->second].first == name)
        return candidate->second;
    return this->size();
  }

  size_t present(std::string_view name) const {
    const size_t place = place_of(name);
    if (place == this->size())
      throw std::out_of_range("key not found");
    return place;
  }

  mutable std::unordered_multimap<size_t, size_t>
      places_;                 // by the hash of the name: members move when others are added
  mutable size_t indexed_ = 0; // number of members in it
};

using Json = nlohmann::basic_json<IndexedMap>;

Json measure(double value); // infinity is the largest double, NaN is null
// Returns the text in one line, or indented. Bytes that are not UTF-8 (such as in a file's name) are replaced.
std::string json_text(const Json& json, int indentation = -1);

// Called at the begin of an object or list, at a key, at a value, and at the end of an object or list, with the whole
// of it. Names, order and depths are those of nlohmann's callbacks. Returns false to leave the value out of the
// document. (Nlohmann's parser visits all members of an object at the end of each.)
using Look = std::function<bool(int depth, Json::parse_event_t event, Json& parsed)>;

// Parses untrusted files. Throws UserError if the text is not JSON, or nested too deeply for the stack of a reader.
Json parse_json(std::string_view text);
Json parse_json(std::istream& stream, const Look& look);

} // namespace faultline::model

// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<faultline::model::IndexedMap>;

namespace faultline::model {

class Place {
public:
  Place(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw base::UserError(base::status_usage, fmt::format("{}{}{}", path_, path_.empty() ? "" : ": ", what),
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
  template <class T> T whole() const {
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
  template <class Id> Id id(std::optional<Id> (*id_of)(std::string_view), const char* what) const {
    const std::string word = string();
    if (const std::optional<Id> id = id_of(word))
      return *id;
    refuse(fmt::format("'{}' is not {}", word.substr(0, 40), what));
  }

private:
  const Json& json_;
  std::string path_;
};

// Returns the result of `read`. Errors begin with the name of the file.
template <class Read> auto with_name(const std::string& name, Read read) {
  try {
    return read();
  } catch (const base::UserError& problem) {
    if (std::string_view(problem.what()).starts_with(name + ": "))
      throw; // reading failed
    throw base::UserError(problem.status, fmt::format("{}: {}", name, problem.what()), problem.hint);
  }
}

// Returns what `read` makes of the document. Errors begin with the name of the file.
template <class Read> auto read_json(std::string_view text, const std::string& name, Read read) {
  return with_name(name, [&] {
    const Json json = parse_json(text);
    return read(Place(json, ""));
  });
}

} // namespace faultline::model
