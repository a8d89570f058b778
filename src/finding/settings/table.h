// The table of settings: every option of every command, in one row each. The command line and its --help, the keys of
// faultline.toml, what a report echoes, the command that runs a finding again, jobs, the options in the man page and
// the table in docs/configuration.md are all made from it or compared with it. A new option is one row, and its use.
//
// Rows with `read` are settings of a function: they have a field in Settings and can be said of single functions. The
// others belong to a command as a whole (-j, -o, --corpus), and are used by the command.
#pragma once

#include "finding/settings/settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

// What was said, as text, not read yet: by the command line, by a section of faultline.toml, by a report or a job.
// Values by the key of their row in the table of settings (finding/settings/table.h), in the order in which they came.
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

// What the values look like.
enum class Form : uint8_t {
  number,   // 1e-6
  duration, // 10s, 500ms
  word,     // auto
  words,    // error,crashes; in a file a list of words will do, too
  path,     // of a file or folder; in a file it is relative to the file's own folder
  list,     // words, on the command line one each time the option is given
  by_name,  // x=VALUE, on the command line repeated; in a file { x = VALUE, ... }
  flag,     // true or false; on the command line the option alone is true
};

// Of what a list or a setting by name speaks.
enum class NameKind : uint8_t { none, inputs, parameters, outputs, output_cells };

// Where in a faultline.toml a row may stand as a key: at the top means once, for all functions.
enum class InFile : uint8_t { nowhere, at_the_top, anywhere };

// Where the value of an option is kept for later commands.
enum class Recorded : uint8_t {
  always,     // in what a report says of its hunt, and in the command of a campaign
  in_reports, // not in the command of a campaign: its runs and reports have their own
  never,
};

// The commands, as members of a set: those that take an option.
namespace command {
inline constexpr uint32_t hunt = 1u << 0;
inline constexpr uint32_t explain = 1u << 1;
inline constexpr uint32_t list = 1u << 2;
inline constexpr uint32_t replay = 1u << 3;
inline constexpr uint32_t report = 1u << 4;
inline constexpr uint32_t cover = 1u << 5;
inline constexpr uint32_t solve = 1u << 6;
inline constexpr uint32_t worker = 1u << 7;
inline constexpr uint32_t harness = 1u << 8;
inline constexpr uint32_t record = 1u << 9;
inline constexpr uint32_t campaign = 1u << 10; // run, status, report, compare, merge; init takes those of hunt
inline constexpr uint32_t bound = 1u << 11;
inline constexpr uint32_t check = 1u << 12;
inline constexpr uint32_t vectors = 1u << 13;
inline constexpr uint32_t export_fpcore = 1u << 14;
inline constexpr uint32_t none = 0; // a command that takes no option but --help, or has those of another program
} // namespace command

struct Setting {
  const char* key = "";       // in Said, in faultline.toml, in a report
  const char* option = "";    // as it is typed: --range, or -f,--function; empty: only in a file
  const char* group = "";     // its heading in --help
  Form form = Form::word;     // of the values
  const char* value = "";     // what stands for a value in --help: x=LO:HI
  const char* usual = "";     // the default, as it could be typed; empty: there is none, or `otherwise` tells
  const char* otherwise = ""; // what happens if nothing is said, where no value says it: "all suitable ones"
  const char* choices = "";   // the words that a value can be, where there are only these: uniform,log
  const char* unit = "";      // of a number: ulps, bits, evaluations
  const char* help = "";
  const char* more = "";            // whole sentences, for the man page alone
  uint32_t commands = 0;            // that take it: a set
  InFile in_file = InFile::nowhere; //
  const char* example = "";         // in a file
  const char* alternative = "";     // the key of another way to say the same: who says the one, replaces the other
  NameKind names = NameKind::none;  //
  char between = 0;                 // by_name: what stands between the elements of a value that is a list
  bool for_all = false;             // by_name: a value without a name is for all
  bool for_every_array = false;     // and replaces those of all names, not of floats alone
  bool adds_up = false;             // list: what is said with more weight comes after the rest, and replaces nothing
  Recorded recorded = Recorded::always;
  // Reads the values into the field, and writes the field as values: none where it has its default. Reading throws
  // UserError. What is written reads back as the same.
  void (*read)(const std::vector<std::string>& values, Settings& settings) = nullptr;
  std::vector<std::string> (*write)(const Settings& settings) = nullptr;

  bool of_function() const { return read != nullptr; }
  bool repeatable() const { return form == Form::list || form == Form::by_name; }
};

// All rows, in the order in which --help shows them.
const std::vector<Setting>& all_settings();
std::vector<Setting> function_settings(); // the two parts of it
std::vector<Setting> command_settings();
const Setting* find_setting(const std::string& key);

// Is the word this option, alone or with its value: -j, -j4, --jobs=4?
bool is_option(const Setting& setting, std::string_view word);

// What is said, read into settings: on top of those given, for a command's own defaults. Throws UserError.
Settings read_settings(const Said& said, Settings settings = {});
// The reverse: everything that differs from the defaults.
Said said_by(const Settings& settings);

// The settings of a function among what was said, as words of a command, and back. Throws UserError for words that are
// none.
std::vector<std::string> words_of(const Said& said);
Said said_in(const std::vector<std::string>& words);

// The name in x=VALUE; in VALUE, which is for all, "*". A list is of names: these are their own.
std::string name_in(const std::string& text, Form form = Form::by_name);

// `lower`, with what `higher` says in its place. A range for x takes the place of a range for x, and of one for x[3];
// one for all takes the place of those of all floats (`is_float` tells by the name of an input). Of two ways to say one
// thing the one takes the place of the other.
Said overridden(Said lower, const Said& higher, const std::function<bool(const std::string&)>& is_float);

} // namespace faultline::finding
