#include "model/json/json_place.h"

#include <algorithm>

template class nlohmann::basic_json<faultline::model::IndexedMap>;

namespace faultline::model {

Json measure(double value) {
  if (std::isnan(value))
    return nullptr;
  return std::clamp(value, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
}

std::string json_text(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

namespace {

using Event = Json::parse_event_t;

[[noreturn]] void refuse(const std::string& what) {
  throw base::UserError(base::status_usage, what, "use a file that faultline hunt -o FILE.json wrote");
}

class Builder final : public Json::json_sax_t {
public:
  explicit Builder(const Look& look) : look_(look) {}

  Json document() { return std::move(document_); }

  bool null() override { return add(nullptr, Event::value); }
  bool boolean(bool value) override { return add(value, Event::value); }
  bool number_integer(int64_t value) override { return add(value, Event::value); }
  bool number_unsigned(uint64_t value) override { return add(value, Event::value); }
  bool number_float(double value, const std::string&) override { return add(value, Event::value); }
  bool string(std::string& value) override { return add(std::move(value), Event::value); }
  bool binary(Json::binary_t&) override { return false; } // does not occur in text

  bool start_object(size_t) override { return open(Json::object(), Event::object_start); }
  bool start_array(size_t) override { return open(Json::array(), Event::array_start); }
  bool key(std::string& name) override {
    Json parsed = name;
    open_.back().key_wanted = look_(depth(), Event::key, parsed);
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() override { return close(Event::object_end); }
  bool end_array() override { return close(Event::array_end); }

  bool parse_error(size_t, const std::string&, const Json::exception& problem) override {
    std::string what = problem.what(); // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const size_t id = what.find("] "); id != std::string::npos)
      what.erase(0, id + 2);
    refuse("is not JSON: " + what.substr(0, 300)); // it quotes the last word
  }

private:
  // An object or a list that has not ended.
  struct Open {
    Json value;
    bool wanted; // its parent is wanted
    bool key_wanted = true;
    std::string key = {}; // of the next member
  };

  int depth() const { return int(open_.size()); }
  bool is_wanted() const { return open_.empty() || (open_.back().wanted && open_.back().key_wanted); }

  bool open(Json empty, Event event) {
    static constexpr int deepest = 64; // a report has a depth of 9
    if (depth() >= deepest)
      refuse(fmt::format("is nested more than {} deep", deepest));
    const bool wanted = is_wanted();
    look_(depth(), event, empty);
    open_.push_back({std::move(empty), wanted});
    return true;
  }

  bool close(Event event) {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value), event);
  }

  bool add(Json value, Event event) {
    if (!look_(depth(), event, value) || !is_wanted())
      return true;
    if (open_.empty())
      document_ = std::move(value);
    else if (open_.back().value.is_array())
      open_.back().value.push_back(std::move(value));
    else
      open_.back().value[open_.back().key] = std::move(value);
    return true;
  }

  const Look& look_;
  std::vector<Open> open_;
  Json document_;
};

template <class Source> Json parsed(Source& source, const Look& look) {
  Builder builder(look);
  Json::sax_parse(source, &builder);
  return builder.document();
}

} // namespace

Json parse_json(std::string_view text) {
  return parsed(text, [](int, Event, Json&) { return true; });
}

Json parse_json(std::istream& stream, const Look& look) { return parsed(stream, look); }

} // namespace faultline::model
