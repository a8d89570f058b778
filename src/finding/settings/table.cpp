#include "finding/settings/table.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::finding {

using frontend::status_usage;
using frontend::UserError;

namespace {

// Does what is said of `by` hold for `name`, too?
bool covers(const std::string& by, const std::string& name, const std::function<bool(const std::string&)>& is_float) {
  if (by == "*")
    return name == "*" || is_float(name);
  const bool begins = name.size() > by.size() && name.starts_with(by);
  return name == by || (begins && std::string_view("[.(%").find(name[by.size()]) != std::string_view::npos);
}

// Settings that speak of one thing in two ways must agree.
void check_oracle(const Said& said, const Settings& settings) {
  if (said.has("reference") && said.has("oracle") && said.value("oracle") != "reference")
    throw UserError(status_usage, fmt::format("--reference does not go with --oracle {}", said.value("oracle")),
                    "leave out one of the two");
  if (settings.oracle == OracleName::reference && settings.reference_file.empty())
    throw UserError(status_usage, "--oracle reference: there is no reference", "add --reference FILE:FUNCTION");
}

} // namespace

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows = function_settings();
    std::ranges::copy(command_settings(), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

const Setting* find_setting(const std::string& key) {
  const auto found = std::ranges::find_if(all_settings(), [&](const Setting& setting) { return setting.key == key; });
  return found == all_settings().end() ? nullptr : &*found;
}

bool is_option(const Setting& setting, std::string_view word) {
  for (std::string_view options = setting.option; !options.empty();) {
    const std::string_view option = options.substr(0, options.find(','));
    options.remove_prefix(std::min(option.size() + 1, options.size()));
    const bool is_long = option.starts_with("--");
    if (word == option || (word.starts_with(option) && (is_long ? word[option.size()] == '=' : word[1] != '-')))
      return true;
  }
  return false;
}

Settings read_settings(const Said& said, Settings settings) {
  for (const Setting& setting : all_settings())
    if (setting.of_function() && said.has(setting.key))
      setting.read(said.values(setting.key), settings);
  check_oracle(said, settings);
  return settings;
}

Said said_by(const Settings& settings) {
  Said said;
  for (const Setting& setting : all_settings())
    if (setting.of_function())
      said.set(setting.key, setting.write(settings));
  return said;
}

std::vector<std::string> words_of(const Said& said) {
  std::vector<std::string> words;
  for (const Setting& setting : all_settings()) {
    if (!setting.of_function() || setting.recorded == Recorded::never || !said.has(setting.key))
      continue;
    if (setting.form == Form::flag) {
      if (said.is_on(setting.key))
        words.push_back(fmt::format("--{}", setting.key));
      continue;
    }
    for (const std::string& value : said.values(setting.key)) {
      words.push_back(fmt::format("--{}", setting.key));
      words.push_back(value);
    }
  }
  return words;
}

Said said_in(const std::vector<std::string>& words) {
  Said said;
  for (size_t i = 0; i < words.size(); ++i) {
    const Setting* setting = words[i].starts_with("--") ? find_setting(words[i].substr(2)) : nullptr;
    const bool flag = setting && setting->form == Form::flag;
    if (!setting || !setting->of_function() || setting->recorded == Recorded::never || (!flag && i + 1 == words.size()))
      throw UserError(status_usage, fmt::format("'{}' is not a setting with its value", words[i]),
                      "use a file that faultline hunt -o FILE.json wrote");
    said.add(setting->key, flag ? "true" : words[++i]);
  }
  return said;
}

std::string name_in(const std::string& text, Form form) {
  const size_t equals = text.find('=');
  return equals != std::string::npos ? text.substr(0, equals) : form == Form::list ? text : "*";
}

Said overridden(Said lower, const Said& higher, const std::function<bool(const std::string&)>& is_float) {
  for (const Setting& setting : all_settings())
    if (*setting.alternative && (higher.has(setting.key) || higher.has(setting.alternative))) {
      lower.forget(setting.key);
      lower.forget(setting.alternative);
    }
  for (const Setting& setting : all_settings()) {
    if (!higher.has(setting.key))
      continue;
    const std::vector<std::string>& replacing = higher.values(setting.key);
    std::vector<std::string> values = lower.values(setting.key);
    std::erase_if(values, [&](const std::string& text) {
      return setting.form != Form::by_name ? !setting.adds_up
                                           : std::ranges::any_of(replacing, [&](const std::string& by) {
                                               return (setting.for_every_array && name_in(by) == "*") ||
                                                      covers(name_in(by), name_in(text), is_float);
                                             });
    });
    values.insert(values.end(), replacing.begin(), replacing.end());
    lower.set(setting.key, std::move(values));
  }
  return lower;
}

} // namespace faultline::finding
