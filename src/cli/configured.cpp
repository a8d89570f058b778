#include "cli/configured.h"

#include "campaign/configuration.h"
#include "cli/options.h"
#include "frontend/error.h"
#include "frontend/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <map>

namespace faultline::cli {

using frontend::Cell;
using frontend::Target;
using frontend::UserError;

namespace {

std::string parameter_of(const std::string& cell) { return cell.substr(0, cell.find_first_of("[.")); }

// The names that a setting may name in this function.
std::vector<std::string> known_names(const Target& target, Names kind) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
      names.push_back(cell.name);
      if (kind != Names::output_cells) // a whole struct cannot claim anything
        names.push_back(parameter_of(cell.name));
    }
  };
  if (kind == Names::inputs)
    add(target.inputs);
  if (kind == Names::outputs || kind == Names::output_cells)
    add(target.outputs);
  if (kind == Names::inputs || kind == Names::parameters)
    for (const frontend::Parameter& parameter : target.parameters)
      names.push_back(parameter.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool speaks_of_outputs(const Setting& setting) {
  return setting.names == Names::outputs || setting.names == Names::output_cells;
}

bool laid_out(const Target& target) {
  return !target.parameters.empty() && (target.suitable() || target.can_be_called);
}

// Of a function that could not be laid out only the parameters are known.
bool has(const Target& target, const Setting& setting, const std::string& name) {
  const std::vector<std::string> names = known_names(target, setting.names);
  const bool known = std::ranges::find(names, name) != names.end() ||
                     (!laid_out(target) && std::ranges::find(names, parameter_of(name)) != names.end());
  return known || name == "*" || (speaks_of_outputs(setting) && !laid_out(target));
}

bool answers_to(const Target& target, const std::string& pattern) {
  return std::ranges::any_of(frontend::names_of(target), [&](const std::string& name) {
    return name == pattern || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

class FileSettings final : public campaign::Configuration {
public:
  FileSettings(const Arguments& typed, const campaign::Options& frame, ConfigurationFile file)
      : typed_(typed), frame_(frame), file_(std::move(file)) {}

  campaign::Options options_for(const Target& target) const override {
    const auto is_float = [&](const std::string& name) {
      return std::ranges::any_of(target.inputs, [&](const Cell& cell) {
        return cell.type.floating && (cell.name == name || parameter_of(cell.name) == name);
      });
    };
    Arguments merged = file_.all;
    for (const Section& section : file_.sections)
      if (answers_to(target, section.functions))
        merged = overridden(std::move(merged), section.settings, is_float);
    if (laid_out(target))
      drop_others(merged, target);
    merged = overridden(std::move(merged), typed_, is_float);
    merged.usual_budget = typed_.usual_budget;
    campaign::Options options = frame_;
    read_settings(merged, options);
    options.settings = words_of(merged);
    return options;
  }

  void check(std::span<const Target> targets, bool all) const override {
    for (const Section& section : file_.sections) {
      std::vector<const Target*> meant;
      for (const Target& target : targets)
        if (answers_to(target, section.functions))
          meant.push_back(&target);
      // With -f a pattern speaks of functions that are not here.
      if (meant.empty() || (is_pattern(section.functions) && !all))
        continue;
      for (const NamedThere& named : section.names)
        for (const std::string& name : {named.name, named.other})
          if (!name.empty() &&
              std::ranges::none_of(meant, [&](const Target* target) { return has(*target, *named.setting, name); }))
            refuse(named, name, section, *meant.front());
    }
  }

  std::string file() const override { return file_.path; }
  std::vector<std::string> flags() const override { return file_.flags; }

private:
  // What is said of many functions names inputs that this one does not have: none of its business.
  static void drop_others(Arguments& merged, const Target& target) {
    for (const Setting& setting : settings()) {
      if (setting.names == Names::none)
        continue;
      std::erase_if(merged.*setting.texts, [&](const std::string& text) {
        return !has(target, setting, name_in(text, setting.form)) ||
               (setting.texts == &Arguments::aliases && !has(target, setting, text.substr(text.find('=') + 1)));
      });
    }
  }

  [[noreturn]] static void refuse(const NamedThere& named, const std::string& name, const Section& section,
                                  const Target& target) {
    constexpr size_t most_shown = 12;
    std::vector<std::string> known = known_names(target, named.setting->names);
    const std::vector<std::string> close = frontend::nearest(name, known);
    if (known.size() > most_shown)
      known.resize(most_shown);
    const bool several = is_pattern(section.functions);
    throw UserError(frontend::status_usage,
                    fmt::format("{}: {} {}: {} has no {} of that name", named.where, named.setting->name, name,
                                several ? "no function like " + section.functions : target.function,
                                speaks_of_outputs(*named.setting) ? "output" : "input"),
                    close.empty() ? fmt::format("it has {}", fmt::join(known, ", "))
                                  : fmt::format("{}", fmt::join(close, ", ")));
  }

  Arguments typed_;
  campaign::Options frame_;
  ConfigurationFile file_;
};

class RecordedSettings final : public campaign::Configuration {
public:
  RecordedSettings(const campaign::Options& frame, const campaign::Report& report)
      : frame_(frame), read_(*report.configuration) {
    for (const campaign::TargetReport& target : report.targets) {
      campaign::Options options = frame;
      read_settings(arguments_of(target.settings), options);
      options.settings = target.settings;
      by_function_.emplace(target.function, std::move(options));
    }
  }

  campaign::Options options_for(const Target& target) const override {
    for (const std::string& name : frontend::names_of(target))
      if (const auto found = by_function_.find(name); found != by_function_.end())
        return found->second;
    return frame_;
  }
  void check(std::span<const Target>, bool) const override {}
  std::string file() const override { return read_.file; }
  std::vector<std::string> flags() const override { return read_.flags; }

private:
  campaign::Options frame_;
  campaign::ReadConfiguration read_;
  std::map<std::string, campaign::Options> by_function_;
};

// The configuration's flags first: those on the command line have the last word.
void add_flags(campaign::Options& options, const std::vector<std::string>& flags) {
  options.sources.flags.insert(options.sources.flags.begin(), flags.begin(), flags.end());
}

} // namespace

campaign::Options configured(const Arguments& typed, campaign::Options frame, ConfigurationFile file) {
  add_flags(frame, file.flags);
  if (frame.baseline_file.empty())
    frame.baseline_file = file.baseline;
  if (frame.corpus_folder.empty())
    frame.corpus_folder = file.corpus;
  // By name, only what was typed: it is checked against all functions. The file's is a matter of each function.
  Arguments of_all = file.all;
  for (const Setting& setting : settings())
    if (setting.texts)
      (of_all.*setting.texts).clear();
  of_all = overridden(std::move(of_all), typed, [](const std::string&) { return true; });
  of_all.usual_budget = typed.usual_budget;
  of_all.skip.clear();
  campaign::Options options = frame;
  read_settings(of_all, options);
  options.configuration = std::make_shared<FileSettings>(typed, frame, std::move(file));
  return options;
}

campaign::Options as_recorded(const Arguments& typed, const Line& line, const campaign::Report& report) {
  campaign::Options options = frame_from(typed, line);
  if (report.configuration) {
    add_flags(options, report.configuration->flags);
    options.configuration = std::make_shared<RecordedSettings>(options, report);
  }
  read_settings(typed, options);
  return options;
}

void tell_configuration(const campaign::Options& options) {
  if (options.configuration)
    fmt::print(stderr, "faultline: settings from {}\n", options.configuration->file());
}

} // namespace faultline::cli
