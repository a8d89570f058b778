// The parts of the documents that are made from the table of settings. After a change that is meant: UPDATE_GOLDEN=1
// ctest -R golden, then look at what git diff says.
#include "model/settings/table.h"
#include "search/strategy.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace faultline::model {
namespace {

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// What stands between the first two markers after `from`.
struct Part {
  size_t begin, end;
};
Part part_after(const std::string& text, size_t from, const std::string& begin, const std::string& end) {
  const size_t first = text.find(begin, from);
  EXPECT_NE(first, std::string::npos) << begin;
  const size_t last = text.find(end, first);
  EXPECT_NE(last, std::string::npos) << end;
  return {first + begin.size(), last};
}

void compare(const std::string& path, const std::string& document, const Part& part, const std::string& made) {
  if (std::getenv("UPDATE_GOLDEN"))
    std::ofstream(path, std::ios::binary) << document.substr(0, part.begin) << made << document.substr(part.end);
  else
    EXPECT_EQ(document.substr(part.begin, part.end - part.begin), made)
        << path << " differs from the table of settings: UPDATE_GOLDEN=1 rewrites it";
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = char(text[0] - 'a' + 'A');
  return text.empty() || text.back() == '.' ? text : text + ".";
}

// "-f,--function" as mdoc writes it: Fl f , Fl -function
std::string flags_of(const Setting& setting) {
  std::string flags;
  std::istringstream options(setting.option);
  for (std::string option; std::getline(options, option, ',');)
    flags += (flags.empty() ? "Fl " : " , Fl ") + option.substr(1);
  return flags;
}

std::string item_of(const Setting& setting) {
  std::string item = fmt::format(".It {}{}{}\n{}\n", flags_of(setting), *setting.value ? " Ar " : "", setting.value,
                                 sentence(setting.help + std::string(setting.repeatable() ? "; repeatable" : "")));
  if (const std::string usual = *setting.usual ? setting.usual : setting.otherwise; !usual.empty())
    item += fmt::format("The default: {}.\n", usual);
  if (std::string_view(setting.key) == "strategy") {
    std::vector<std::string> names = search::strategy_names();
    const std::string last = names.back();
    names.pop_back();
    item += fmt::format("The strategies are {} and {}.\n", fmt::join(names, ", "), last);
  }
  if (*setting.more)
    item += std::regex_replace(std::string(setting.more), std::regex("\\. "), ".\n") + "\n";
  return item;
}

// Of a command that is about sources as hunt is, those that hunt does not have.
std::string man_options(uint32_t command) {
  constexpr uint32_t like_hunt = command::explain | command::list | command::cover | command::bound |
                                 command::vectors | command::fix;
  std::string items;
  for (const Setting& setting : all_settings())
    if ((setting.commands & command) && !((command & like_hunt) && (setting.commands & command::hunt)))
      items += item_of(setting);
  return items.empty() ? "" : ".Bl -tag -width Ds\n" + items + ".El\n";
}

TEST(Documents, TheManPageHasTheOptionsOfTheTable) {
  const std::string path = FAULTLINE_ROOT "/docs/faultline.1";
  const std::pair<const char*, uint32_t> commands[] = {{"hunt", command::hunt},         {"explain", command::explain},
                                                       {"fix", command::fix},
                                                       {"list", command::list},         {"replay", command::replay},
                                                       {"report", command::report},     {"cover", command::cover},
                                                       {"bound", command::bound},       {"solve", command::solve},
                                                       {"worker", command::worker},     {"record", command::record},
                                                       {"campaign", command::campaign}, {"check", command::check},
                                                       {"vectors", command::vectors},   {"run", command::run}};
  for (const auto& [name, command] : commands) {
    const std::string document = content(path);
    const size_t section = document.find(fmt::format(".Ss faultline {}\n", name));
    ASSERT_NE(section, std::string::npos) << name;
    compare(path, document, part_after(document, section, ".\\\" settings\n", ".\\\" end\n"), man_options(command));
  }
}

const char* form_text(const Setting& setting) {
  switch (setting.form) {
  case Form::number:
    return "a number";
  case Form::duration:
    return "a time, or seconds";
  case Form::word:
    return "text";
  case Form::words:
    return "text or a list";
  case Form::path:
    return "text, relative to this file's folder";
  case Form::list:
    return "a name or a list";
  case Form::by_name:
    return setting.for_all ? "by name, or one for all" : "by name";
  case Form::flag:
    return "`true` or `false`";
  }
  return "";
}

std::string cell(std::string text) { return std::regex_replace(text, std::regex("\\|"), "\\|"); }

TEST(Documents, TheTableOfKeysIsTheTableOfSettings) {
  const std::string path = FAULTLINE_ROOT "/docs/configuration.md";
  std::string made = "| key | value | default | example | |\n|---|---|---|---|---|\n";
  for (const Setting& setting : all_settings())
    if (setting.in_file != InFile::nowhere)
      made +=
          fmt::format("| `{}` | {}{} | {} | `{}` | {} |\n", setting.key, form_text(setting),
                      setting.in_file == InFile::at_the_top ? ", at the top only" : "",
                      *setting.usual ? setting.usual : setting.otherwise, cell(setting.example), cell(setting.help));
  const std::string document = content(path);
  compare(path, document, part_after(document, 0, "<!-- settings -->\n", "<!-- end -->\n"), made);
}

} // namespace
} // namespace faultline::model
