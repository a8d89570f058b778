#include "cli/configuration_file.h"

#include "base/error.h"
#include "cli/options.h"
#include "program/compiling/flag_filter.h"
#include "program/project_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

constexpr uintmax_t most_bytes = 1 << 20;
// A key of 100,000 parts overflows a stack of 8 MB, one of 80,000 does not (measured). With this many dots in a line,
// and TOML_MAX_NESTED_VALUES, tables are nested at most 17,000 deep. Dots in strings count, too; real files have far
// fewer.
constexpr size_t most_dots = 1000;

std::string content_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw UserError(status_usage, fmt::format("{}: no such file", path), "check the path; --no-config reads none");
  if (!std::filesystem::is_regular_file(path, error))
    throw UserError(status_usage, fmt::format("{}: is not a file", path), "name a faultline.toml");
  if (const uintmax_t bytes = std::filesystem::file_size(path, error); !error && bytes > most_bytes)
    throw UserError(status_usage, fmt::format("{}: has {} bytes; {} are possible", path, bytes, most_bytes),
                    "is it the file you mean? --config FILE names another, --no-config reads none");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw UserError(status_usage, fmt::format("{}: {}", path, std::strerror(errno)), "a file you may read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void limit_depth(const std::string& content, const std::string& path) {
  size_t line = 1, dots = 0;
  for (const char c : content) {
    if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '.' && ++dots > most_dots) {
      throw UserError(status_usage, fmt::format("{}:{}:1: has more than {} dots", path, line, most_dots),
                      "a list may stand on several lines");
    }
  }
}

bool violates(std::string_view content) {
  try {
    static_cast<void>(toml::parse(content));
  } catch (const toml::parse_error&) {
  } catch (const Violated&) {
    return true;
  }
  return false;
}

// Returns the line whose content violates an assertion of the library. The library stops at the first error, so it is
// the end of the shortest prefix that violates one.
size_t violated_line(const std::string& content) {
  std::vector<size_t> ends; // of lines
  for (size_t i = 0; i < content.size(); ++i)
    if (content[i] == '\n')
      ends.push_back(i + 1);
  const auto line = std::ranges::partition_point(
      ends, [&](size_t end) { return !violates(std::string_view(content).substr(0, end)); });
  return size_t(line - ends.begin()) + 1;
}

} // namespace

toml::table read_toml(const std::string& path) {
  const std::string content = content_of(path);
  limit_depth(content, path);
  try {
    return toml::parse(content);
  } catch (const toml::parse_error& problem) {
    throw UserError(status_usage,
                    fmt::format("{}:{}:{}: {}", path, problem.source().begin.line, problem.source().begin.column,
                                problem.description()),
                    "the form of the file is TOML, https://toml.io");
  } catch (const Violated&) {
    throw UserError(status_usage,
                    fmt::format("{}:{}:1: there is no value where one should be", path, violated_line(content)),
                    "the form of the file is TOML, https://toml.io");
  }
}

namespace {

constexpr const char* hint_docs = "docs/configuration.md has all keys";

using namespace model;

class Reader {
public:
  explicit Reader(const std::string& path) : folder_(std::filesystem::path(path).parent_path().string()) {
    file_.file = path;
  }

  hunt::Configuration read(const toml::table& top) {
    for (const auto& [key, value] : top) {
      if (key == "function")
        sections(value);
      else if (key == "flags")
        flags(value);
      else
        setting(key, value, file_.all, nullptr);
    }
    file_.baseline = file_.all.value("baseline");
    file_.fail_on = file_.all.value("fail-on");
    file_.corpus = file_.all.value("corpus");
    file_.seen = file_.all.value("seen");
    std::ranges::sort(unordered_, {}, [](const auto& entry) { return entry.first; });
    for (auto& [place, section] : unordered_)
      file_.sections.push_back(std::move(section));
    for (const Unchecked& value : to_check_)
      check(value);
    return std::move(file_);
  }

private:
  std::string place(const toml::source_region& source) const {
    return fmt::format("{}:{}:{}", file_.file, source.begin.line, source.begin.column);
  }

  [[noreturn]] void refuse(const toml::source_region& source, const std::string& what, const std::string& hint) const {
    throw UserError(status_usage, fmt::format("{}: {}", place(source), what), hint);
  }

  void sections(const toml::node& node) {
    const toml::table* all = node.as_table();
    if (!all)
      refuse(node.source(), "function is not a section", "[function.\"NAME\"]");
    for (const auto& [name, value] : *all) {
      const toml::table* body = value.as_table();
      if (!body)
        refuse(name.source(), fmt::format("function.{} is not a section", name.str()),
               fmt::format("[function.\"{}\"]", name.str()));
      hunt::Section section;
      section.functions = std::string(name.str());
      for (const auto& [key, entry] : *body)
        setting(key, entry, section.raw, &section.names);
      const auto begin = name.source().begin;
      unordered_.push_back({{begin.line, begin.column}, std::move(section)});
    }
  }

  void flags(const toml::node& node) { file_.flags = words(node, "flags", true); }

  // Reads a key and its value as text. The text is checked when all keys are known.
  void setting(const toml::key& key, const toml::node& value, RawSettings& raw, std::vector<hunt::NamedThere>* names) {
    const std::string name(key.str());
    const Setting* setting = model::find_setting(name);
    if (!setting || setting->in_file == InFile::nowhere)
      unknown_key(key, names == nullptr);
    if (setting->in_file == InFile::at_the_top && names)
      refuse(key.source(), fmt::format("{}: it is for all functions", name), name + " at the top of the file");
    if (setting->form == Form::by_name)
      return by_name(*setting, value, raw, names);
    std::vector<std::string> values;
    if (setting->form == Form::list) {
      values = words(value, name, false);
      for (const std::string& word : values)
        if (setting->names != NameKind::none)
          note(names, *setting, word, "", value.source());
    } else {
      values = {single(*setting, value)};
    }
    raw.set(name, values);
    if (setting->of_function())
      to_check_.push_back({place(value.source()), setting, values});
  }

  // Returns the value of a setting with a single value.
  std::string single(const Setting& setting, const toml::node& value) const {
    const std::string key = setting.key;
    switch (setting.form) {
    case Form::number:
    case Form::duration:
      return scalar(value, key, "a number");
    case Form::path:
      return path(word(value, key), key, value.source());
    case Form::words:
      return fmt::format("{}", fmt::join(words(value, key, false), ","));
    case Form::flag:
      if (!value.is_boolean())
        refuse(value.source(), fmt::format("{} is {}, not true or false", key, kind(value)), key + " = true");
      return *value.value<bool>() ? "true" : "false";
    case Form::word:
    case Form::list:
    case Form::by_name:
      break;
    }
    return word(value, key);
  }

  // Returns the path of a file or folder below that of the configuration, which may have come with a stranger's
  // project: it must not choose where findings are written, or read from a pipe.
  std::string path(const std::string& word, const std::string& key, const toml::source_region& source) const {
    namespace fs = std::filesystem;
    std::error_code error;
    const std::string own = program::relative_to(folder_, word);
    const std::string folder = fs::canonical(folder_.empty() ? "." : folder_, error).string();
    const std::string real = fs::weakly_canonical(fs::absolute(own, error), error).string();
    if (error || !base::is_below(real, {folder}))
      refuse(source, fmt::format("{}: {} is not below the folder of this file", key, word),
             fmt::format("use a path inside of it, or --{} on the command line", key));
    if (fs::exists(real, error) && !fs::is_directory(real, error) && !base::open_regular(real))
      refuse(source, fmt::format("{}: {} is not a regular file", key, word), "name a file or a folder");
    return own;
  }

  void by_name(const Setting& setting, const toml::node& value, RawSettings& raw,
               std::vector<hunt::NamedThere>* names) {
    const toml::table* entries = value.as_table();
    std::vector<std::string> values;
    const auto add = [&](const std::string& text, const toml::node& there) {
      values.push_back(text);
      to_check_.push_back({place(there.source()), &setting, {text}});
    };
    if (!entries && setting.for_all) {
      add(element(value, setting), value);
    } else if (!entries) {
      refuse(value.source(), fmt::format("{} is {}, not a table of names", setting.key, kind(value)),
             fmt::format("{} = {{ NAME = VALUE }}", setting.key));
    } else {
      for (const auto& [key, entry] : *entries) {
        const std::string text = element(entry, setting);
        const std::string name(key.str());
        if (name.empty() || name.find('=') != std::string::npos)
          refuse(key.source(), fmt::format("{}: '{}' is not a name", setting.key, name), hint_docs);
        add(name + "=" + text, entry);
        note(names, setting, name, std::string_view(setting.key) == "alias" ? text : "", key.source());
      }
    }
    raw.set(setting.key, std::move(values));
  }

  void note(std::vector<hunt::NamedThere>* names, const Setting& setting, const std::string& name,
            const std::string& other, const toml::source_region& source) const {
    if (names)
      names->push_back({&setting, name, other, place(source)});
  }

  // Returns one value of a setting by name: "0:1", [0, 1], 32, [4, 4].
  std::string element(const toml::node& value, const Setting& setting) const {
    const toml::array* list = value.as_array();
    if (!list || setting.between == 0)
      return scalar(value, setting.key, setting.between ? "text, a number or a list of numbers" : "text or a number");
    std::vector<std::string> parts;
    for (const toml::node& part : *list)
      parts.push_back(scalar(part, setting.key, "a number"));
    if (parts.empty())
      refuse(value.source(), fmt::format("{} has an empty list", setting.key), hint_docs);
    return fmt::format("{}", fmt::join(parts, std::string(1, setting.between)));
  }

  std::string scalar(const toml::node& value, const std::string& key, const char* wanted) const {
    if (const auto* number = value.as_integer())
      return fmt::format("{}", number->get());
    if (const auto* number = value.as_floating_point())
      return fmt::format("{}", number->get());
    if (!value.is_string())
      refuse(value.source(), fmt::format("{} is {}, not {}", key, kind(value), wanted), hint_docs);
    return word(value, key);
  }

  std::string word(const toml::node& value, const std::string& key) const {
    const auto* text = value.as_string();
    if (!text)
      refuse(value.source(), fmt::format("{} is {}, not text", key, kind(value)), fmt::format("{} = \"...\"", key));
    if (text->get().empty())
      refuse(value.source(), fmt::format("{} is empty", key), "leave it out");
    return text->get();
  }

  std::vector<std::string> words(const toml::node& value, const std::string& key, bool may_be_empty) const {
    const toml::array* list = value.as_array();
    if (!list)
      return {word(value, key)};
    if (list->empty() && !may_be_empty)
      refuse(value.source(), fmt::format("{} is an empty list", key), "leave it out");
    std::vector<std::string> all;
    for (const toml::node& element : *list)
      all.push_back(word(element, key));
    return all;
  }

  static std::string kind(const toml::node& value) {
    switch (value.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
    }
  }

  [[noreturn]] void unknown_key(const toml::key& key, bool at_top) const {
    const std::string name(key.str());
    if (name == "flags") // in a section
      refuse(key.source(), "flags: the program is compiled once, for all functions", "flags at the top of the file");
    std::vector<std::string> known;
    for (const Setting& setting : model::all_settings())
      if (setting.in_file == InFile::anywhere || (setting.in_file == InFile::at_the_top && at_top))
        known.emplace_back(setting.key);
    if (at_top)
      known.emplace_back("function");
    const std::vector<std::string> close = base::nearest(name, known);
    refuse(key.source(), fmt::format("unknown key '{}'", name),
           close.empty() ? hint_docs : fmt::format("{}; {}", fmt::join(close, ", "), hint_docs));
  }

  struct Unchecked {
    std::string where;
    const Setting* setting;
    std::vector<std::string> values;
  };

  // Reads a value as the command line does, to check it.
  static void check(const Unchecked& value) {
    try {
      check_values(*value.setting, value.values);
    } catch (const UserError& problem) {
      const std::string what = problem.what(), option = fmt::format("--{}", value.setting->key);
      throw UserError(problem.status,
                      fmt::format("{}: {}", value.where, what.starts_with(option) ? what.substr(2) : what),
                      problem.hint.starts_with("--") ? "on the command line: " + problem.hint : problem.hint);
    }
  }

  std::string folder_;
  hunt::Configuration file_;
  std::vector<std::pair<std::pair<uint32_t, uint32_t>, hunt::Section>> unordered_; // the library sorts by name
  std::vector<Unchecked> to_check_;
};

} // namespace

hunt::Configuration read_configuration(const std::string& path) { return Reader(path).read(read_toml(path)); }

namespace {

namespace fs = std::filesystem;

void refuse_strangers(const fs::path& file, const fs::path& source) {
  struct stat of_file, of_source;
  if (stat(file.c_str(), &of_file) != 0 || stat(source.c_str(), &of_source) != 0)
    return; // reading it will throw
  if (of_file.st_uid != 0 && of_file.st_uid != geteuid() && of_file.st_uid != of_source.st_uid)
    throw UserError(status_usage,
                    fmt::format("{}: belongs to another user than you and {}", file.string(), source.string()),
                    fmt::format("--config {} if you trust it, --no-config if not", file.string()));
}

// Returns the nearest faultline.toml, in the source's folder or above; empty if there is none.
std::string nearest_to(const std::string& source) {
  std::error_code error;
  for (fs::path folder = fs::absolute(source, error).lexically_normal().parent_path();; folder = folder.parent_path()) {
    const fs::path file = folder / "faultline.toml";
    if (fs::is_regular_file(file, error)) {
      refuse_strangers(file, source);
      return base::shown_path("", file.string());
    }
    if (folder == folder.parent_path())
      return {};
  }
}

} // namespace

std::string configuration_for(const std::vector<std::string>& sources, const RawSettings& raw) {
  const std::string& named = raw.value("config");
  if (raw.is_on("no-config") && !named.empty())
    throw UserError(status_usage, "--config does not go with --no-config", "leave out one of the two");
  if (raw.is_on("no-config") || !named.empty() || sources.empty())
    return named;
  const std::string first = nearest_to(sources.front());
  for (const std::string& source : sources)
    if (const std::string other = nearest_to(source); other != first)
      throw UserError(status_usage,
                      fmt::format("{} and {} have different settings: {} and {}", sources.front(), source,
                                  first.empty() ? "none" : first, other.empty() ? "none" : other),
                      "--config FILE, --no-config, or a run for each");
  return first;
}

} // namespace faultline::cli
