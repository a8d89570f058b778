#include "cli/arguments.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {
namespace {

using A = Arguments;

Setting one(const char* name, Form form, std::string A::*text) { return {name, form, text}; }
Setting list(const char* name, std::vector<std::string> A::*texts, Names names) {
  return {name, Form::list, nullptr, texts, names};
}
Setting by_name(const char* name, std::vector<std::string> A::*texts, Names names, bool for_all, char between = 0) {
  return {name, Form::by_name, nullptr, texts, names, between, for_all};
}

// A new option of a function is one line here (and one where it is read: cli/options.cpp).
const std::vector<Setting> all_settings = [] {
  std::vector<Setting> all{
      by_name("size", &A::sizes, Names::parameters, true, 'x'),
      by_name("alias", &A::aliases, Names::parameters, false),
      by_name("range", &A::ranges, Names::inputs, true, ':'),
      by_name("format", &A::formats, Names::inputs, true),
      by_name("hold", &A::held, Names::inputs, false),
      list("output", &A::outputs, Names::outputs),
      list("bound", &A::bounds, Names::output_cells),
      one("bound-factor", Form::number, &A::bound_factor),
      one("threshold", Form::number, &A::threshold),
      one("ulps", Form::number, &A::ulps),
      one("floor", Form::number, &A::floor),
      one("nonzero", Form::flag, &A::nonzero),
      one("oracle", Form::word, &A::oracle),
      one("reference", Form::word, &A::reference),
      one("for", Form::words, &A::wanted),
      one("strategy", Form::word, &A::strategy),
      one("budget", Form::number, &A::budget),
      one("evals", Form::number, &A::evaluations),
      one("seed", Form::number, &A::seed),
      one("sampling", Form::word, &A::sampling),
      one("sampling-start", Form::number, &A::sampling_start),
      one("sampling-step", Form::number, &A::sampling_step),
      one("loss-bits", Form::number, &A::loss_bits),
      one("cancel-bits", Form::number, &A::cancel_bits),
      one("status", Form::word, &A::status),
      one("all", Form::flag, &A::all),
      one("past-exceptions", Form::flag, &A::past_exceptions),
  };
  Setting sites = list("site", &A::sites, Names::none); // lines are the program's: the command line's business
  sites.in_file = false;
  all.push_back(sites);
  Setting skip = one("skip", Form::flag, &A::skip); // what is skipped is in no report
  skip.recorded = false;
  all.push_back(skip);
  return all;
}();

// Two ways to say one thing.
constexpr std::pair<std::string A::*, std::string A::*> alternatives[] = {
    {&A::threshold, &A::ulps}, {&A::budget, &A::evaluations}, {&A::oracle, &A::reference}};

// Does what is said of `by` hold for `name`, too?
bool covers(const std::string& by, const std::string& name, const std::function<bool(const std::string&)>& is_float) {
  if (by == "*")
    return name == "*" || is_float(name);
  return name == by || name.starts_with(by + "[") || name.starts_with(by + ".");
}

} // namespace

std::span<const Setting> settings() { return all_settings; }

const Setting* find_setting(const std::string& name) {
  const auto found = std::ranges::find_if(all_settings, [&](const Setting& setting) { return setting.name == name; });
  return found == all_settings.end() ? nullptr : &*found;
}

std::string name_in(const std::string& text, Form form) {
  const size_t equals = text.find('=');
  return equals != std::string::npos ? text.substr(0, equals) : form == Form::list ? text : "*";
}

Arguments overridden(Arguments lower, const Arguments& higher,
                     const std::function<bool(const std::string&)>& is_float) {
  for (const auto& [a, b] : alternatives)
    if (!(higher.*a).empty() || !(higher.*b).empty()) {
      lower.*a = higher.*a;
      lower.*b = higher.*b;
    }
  for (const Setting& setting : all_settings) {
    if (setting.text && !(higher.*setting.text).empty())
      lower.*setting.text = higher.*setting.text;
    if (!setting.texts || (higher.*setting.texts).empty())
      continue;
    std::vector<std::string>& texts = lower.*setting.texts;
    const std::vector<std::string>& replacing = higher.*setting.texts;
    std::erase_if(texts, [&](const std::string& text) {
      return setting.form == Form::list || std::ranges::any_of(replacing, [&](const std::string& by) {
               const bool every_array = setting.texts == &A::sizes && name_in(by) == "*";
               return every_array || covers(name_in(by), name_in(text), is_float);
             });
    });
    texts.insert(texts.end(), replacing.begin(), replacing.end());
  }
  return lower;
}

std::vector<std::string> words_of(const Arguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&](const Setting& setting, const std::string& value) {
    words.push_back(fmt::format("--{}", setting.name));
    words.push_back(value);
  };
  for (const Setting& setting : all_settings) {
    if (!setting.recorded)
      continue;
    if (setting.form == Form::flag) {
      if (arguments.*setting.text == "true")
        words.push_back(fmt::format("--{}", setting.name));
    } else if (setting.text) {
      if (const std::string& text = arguments.*setting.text; !text.empty())
        add(setting, text);
    } else {
      for (const std::string& text : arguments.*setting.texts)
        add(setting, text);
    }
  }
  return words;
}

Arguments arguments_of(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const Setting* setting = words[i].starts_with("--") ? find_setting(words[i].substr(2)) : nullptr;
    const bool flag = setting && setting->form == Form::flag;
    if (!setting || !setting->recorded || (!flag && i + 1 == words.size()))
      throw frontend::UserError(frontend::status_usage, fmt::format("'{}' is not a setting with its value", words[i]),
                                "use a file that faultline hunt -o FILE.json wrote");
    if (flag)
      arguments.*setting->text = "true";
    else if (setting->text)
      arguments.*setting->text = words[++i];
    else
      (arguments.*setting->texts).push_back(words[++i]);
  }
  return arguments;
}

} // namespace faultline::cli
