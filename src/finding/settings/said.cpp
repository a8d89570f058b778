#include "finding/settings/said.h"

namespace faultline::finding {

const std::vector<std::string>& Said::values(const std::string& key) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(key);
  return found == values_.end() ? none : found->second;
}

const std::string& Said::value(const std::string& key) const {
  static const std::string none;
  const std::vector<std::string>& all = values(key);
  return all.empty() ? none : all.back();
}

void Said::set(const std::string& key, std::vector<std::string> values) {
  if (values.empty())
    values_.erase(key);
  else
    values_[key] = std::move(values);
}

} // namespace faultline::finding
