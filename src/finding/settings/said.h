// What was said, as text, not read yet: by the command line, by a section of faultline.toml, by a report or a job.
// Values by the key of their row in the table of settings (finding/settings/table.h), in the order in which they came.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace faultline::finding {

class Said {
public:
  bool has(const std::string& key) const { return values_.contains(key); }
  // The last value: a setting that has one takes the last word. Empty if nothing was said.
  const std::string& value(const std::string& key) const;
  const std::vector<std::string>& values(const std::string& key) const;
  // Of a flag: is it on?
  bool is_on(const std::string& key) const { return value(key) == "true"; }

  void add(const std::string& key, std::string value) { values_[key].push_back(std::move(value)); }
  // No values: nothing is said of it.
  void set(const std::string& key, std::vector<std::string> values);
  void forget(const std::string& key) { values_.erase(key); }

  bool operator==(const Said&) const = default;

private:
  std::map<std::string, std::vector<std::string>> values_; // none of them empty
};

} // namespace faultline::finding
