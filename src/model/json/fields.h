// The members of JSON objects, listed once per struct. Writers and readers follow from the list.
//
//   template <> void Fields::list(Remedy& remedy) {
//     required("name", remedy.name);
//     optional("condition", remedy.condition);
//   }
//
// Members are written in the order of the list. If a struct is listed in one file and used in another, a header
// declares its `template <> void Fields::list(...)`. Reading checks everything, because a file may be damaged or
// hostile. Unknown members are skipped. Errors are base::UserErrors with the place.
#pragma once

#include "model/json/json_place.h"
#include "numeric/format.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace faultline::model {

using Sink = std::function<void(std::string_view)>;

// One JSON value that is written or read.
class Value {
public:
  explicit Value(Json& written) : json_(&written) {}
  explicit Value(const Place& read) : place_(&read) {}

  bool reads() const { return place_; }
  const Place& place() const { return *place_; } // for reading only
  Json& json() const { return *json_; }          // for writing only

  void carry(bool& value) const;
  void carry(double& value) const; // a measure: infinity is a finite number in JSON, and NaN is null
  void carry(std::string& value) const;
  void carry(numeric::Value& value) const; // as a hexadecimal float in a string, without loss
  void carry(int64_t& value) const;
  template <std::unsigned_integral T> void carry(T& value) const { carry_whole(value); }
  void carry(int& value) const { carry_whole(value); } // 0 or more
  template <class T> void carry(std::vector<T>& list) const {
    each(list, [](const Value& value, T& element) { value.carry(element); });
  }
  template <size_t n> void carry(std::array<double, n>& list) const;
  void carry(std::vector<std::pair<std::string, double>>& members) const; // as an object
  template <class T>
  void carry(T& value) const; // a struct: its list of members. Enumerations specialize it with `choose`.

  // Carries a list; `carry` carries an element.
  template <class T, class Carry> void each(std::vector<T>& list, Carry carry) const;

  // Carries one of a few values with a text. `what` describes it: "a verdict".
  template <class Id>
  void choose(Id& id, std::type_identity_t<std::optional<Id>> (*id_of)(std::string_view), const char* what) const {
    if (reads())
      id = place_->id<Id>(id_of, what);
    else
      *json_ = text(id);
  }

private:
  template <class T> void carry_whole(T& value) const {
    if (reads())
      value = place_->whole<T>();
    else
      *json_ = value;
  }

  Json* json_ = nullptr;
  const Place* place_ = nullptr;
};

class Fields {
public:
  explicit Fields(const Value& value);
  // Streams text member by member, without the whole in memory. `step` is the indentation per depth; -1 for none.
  Fields(const Sink& sink, int step, size_t depth = 0);

  bool reads() const { return place_; }
  const Place& place() const { return *place_; } // for reading only

  // Lists the members of T. Writing does not change the value.
  template <class T> void list(T& value);

  // Always written. Reading requires it.
  template <class T> void required(const std::string& key, T& value) {
    if (reads())
      Value(place()[key]).carry(value);
    else
      Value(written()[key]).carry(value);
  }
  // Always written. If it is missing, reading leaves the value unchanged.
  template <class T> void lenient(const std::string& key, T& value) {
    if (!reads())
      Value(written()[key]).carry(value);
    else if (const auto found = place().find(key))
      Value(*found).carry(value);
  }
  // Omitted if it is `absent` or empty.
  template <class T> void optional(const std::string& key, T& value, const std::type_identity_t<T>& absent = {}) {
    if (reads() || !is_absent(value, absent))
      lenient(key, value);
  }
  template <class T> void optional(const std::string& key, std::optional<T>& value) {
    if (present(key, value.has_value()))
      required(key, content(value));
  }
  // Follows from other members: written, but not read.
  template <class T> void derived(const std::string& key, const T& value) {
    if (!reads())
      Value(written()[key]).carry(const_cast<T&>(value));
  }
  // A required list that is streamed element by element if the object is streamed.
  template <class T> void streamed(const char* key, std::vector<T>& list);
  // The version of a format. Reading requires this one.
  void schema(const char* key, int version);

  // True if the member exists. When writing, `wanted` decides.
  bool present(const std::string& key, bool wanted) { return reads() ? place().find(key).has_value() : wanted; }
  Value value() const { return reads() ? Value(*place_) : Value(*json_); } // the whole object
  // Uses the value of a required member.
  template <class Use> void with(const std::string& key, Use use) {
    if (reads())
      use(Value(place()[key]));
    else
      use(Value(written()[key]));
  }
  // Reading refuses a value for which `holds` is false.
  void check(bool holds, const std::string& key, const std::string& what) const {
    if (reads() && !holds)
      place()[key].refuse(what);
  }
  // Returns the content of an optional part; reading creates it.
  template <class T> T& content(std::optional<T>& part) const { return reads() ? part.emplace() : *part; }

  void end(); // ends a streamed object

private:
  template <class T> static bool is_absent(const T& value, const T& absent) {
    if constexpr (requires { value.empty(); })
      return value.empty();
    else
      return value == absent;
  }
  Json& written() { return *json_; }
  std::string line(size_t depth) const;
  void flush();
  void begin_list(const char* key);
  void begin_element(bool first);
  void end_list(bool empty);

  const Place* place_ = nullptr;
  Json* json_ = nullptr;
  // For a streamed object:
  const Sink* sink_ = nullptr;
  int step_ = 0;
  size_t depth_ = 0;
  bool begun_ = false;            // some of its members are written
  std::unique_ptr<Json> pending_; // members that are not yet written
};

// Lists members under their own names: FAULTLINE_FIELDS(required, point, x, y) is required("x", point.x) and
// required("y", point.y). Expands up to 64 names.
#define FAULTLINE_FIELDS(list, object, ...) FAULTLINE_EXPAND(FAULTLINE_FIELD(list, object, __VA_ARGS__))
#define FAULTLINE_FIELD(list, object, name, ...)                                                                       \
  list(#name, object.name) __VA_OPT__(; FAULTLINE_NEXT FAULTLINE_NO_ARGUMENTS(list, object, __VA_ARGS__))
#define FAULTLINE_NEXT() FAULTLINE_FIELD
#define FAULTLINE_NO_ARGUMENTS ()
#define FAULTLINE_EXPAND(...)                                                                                          \
  FAULTLINE_EXPAND_16(FAULTLINE_EXPAND_16(FAULTLINE_EXPAND_16(FAULTLINE_EXPAND_16(__VA_ARGS__))))
#define FAULTLINE_EXPAND_16(...)                                                                                       \
  FAULTLINE_EXPAND_4(FAULTLINE_EXPAND_4(FAULTLINE_EXPAND_4(FAULTLINE_EXPAND_4(__VA_ARGS__))))
#define FAULTLINE_EXPAND_4(...)                                                                                        \
  FAULTLINE_EXPAND_1(FAULTLINE_EXPAND_1(FAULTLINE_EXPAND_1(FAULTLINE_EXPAND_1(__VA_ARGS__))))
#define FAULTLINE_EXPAND_1(...) __VA_ARGS__

template <class T> void Value::carry(T& value) const { Fields(*this).list(value); }

template <class T, class Carry> void Value::each(std::vector<T>& list, Carry carry) const {
  if (reads()) {
    list.clear();
    for (const Place& element : place_->elements())
      carry(Value(element), list.emplace_back());
    return;
  }
  *json_ = Json::array();
  for (T& element : list)
    carry(Value(json_->emplace_back()), element);
}

template <size_t n> void Value::carry(std::array<double, n>& list) const {
  std::vector<double> numbers(list.begin(), list.end());
  carry(numbers);
  if (numbers.size() != n)
    place_->refuse(fmt::format("does not have {} numbers", n));
  if (reads())
    std::copy(numbers.begin(), numbers.end(), list.begin());
}

template <class T> void Fields::streamed(const char* key, std::vector<T>& list) {
  if (!sink_)
    return required(key, list);
  begin_list(key);
  for (T& element : list) {
    begin_element(&element == &list.front());
    Fields inner(*sink_, step_, depth_ + 2);
    inner.list(element);
    inner.end();
  }
  end_list(list.empty());
}

// Lists of members do not change anything when writing, so they work for constants, too.
template <class T> Json to_json(const T& value) {
  Json json;
  Value(json).carry(const_cast<T&>(value));
  return json;
}

template <class T> T from_json(const Place& place) {
  T value{};
  Value(place).carry(value);
  return value;
}

} // namespace faultline::model
