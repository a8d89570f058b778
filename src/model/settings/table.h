// The table of settings: one row for each option of each command. The command line and its --help, the keys of
// faultline.toml, the settings in a report, the command that reproduces a finding, jobs, the options in the man page
// and the table in docs/configuration.md are made from it or compared with it. A new option is a row and its use.
//
// Rows with `read` are settings of a function: they have a field in Settings and can be set for single functions. The
// others belong to a command as a whole (-j, -o, --corpus).
#pragma once

#include "model/settings/settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

// Settings as unparsed text, from the command line, a section of faultline.toml, a report or a job. Values are stored
// by the key of their row in the table of settings, in the order of the source.
class RawSettings {
public:
  bool has(const std::string& key) const { return values_.contains(key); }
  // Returns the last value, which wins if the setting has a single value. Empty if there is none.
  const std::string& value(const std::string& key) const;
  const std::vector<std::string>& values(const std::string& key) const;
  // True if the flag is on.
  bool is_on(const std::string& key) const { return value(key) == "true"; }

  void add(const std::string& key, std::string value) { values_[key].push_back(std::move(value)); }
  // Without values, removes the setting.
  void set(const std::string& key, std::vector<std::string> values);
  void forget(const std::string& key) { values_.erase(key); }

  bool operator==(const RawSettings&) const = default;

private:
  std::map<std::string, std::vector<std::string>> values_; // none of them empty
};

// The form of the values.
enum class Form : uint8_t {
  number,   // 1e-6
  duration, // 10s, 500ms
  word,     // auto
  words,    // error,crashes; a file may have a list of words instead
  path,     // of a file or folder; in a file, relative to the file's own folder
  list,     // words; on the command line, one per occurrence of the option
  by_name,  // x=VALUE; on the command line, repeated; in a file { x = VALUE, ... }
  flag,     // true or false; on the command line, the option alone means true
};

// What the names in a list or in a setting by name refer to.
enum class NameKind : uint8_t { none, inputs, parameters, outputs, output_cells };

// Where a row may be a key in a faultline.toml. At the top: once, for all functions.
enum class InFile : uint8_t { nowhere, at_the_top, anywhere };

// Where the value of an option is stored for later commands.
enum class Recorded : uint8_t {
  always,     // in the settings of a report, and in the command of a campaign
  in_reports, // not in the command of a campaign: its runs and reports have their own
  never,
};

// The commands that take an option, as members of a set.
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
inline constexpr uint32_t run = 1u << 15;
inline constexpr uint32_t fix = 1u << 16;
inline constexpr uint32_t none = 0; // a command without options except --help, or with those of another program
} // namespace command

struct Setting {
  const char* key = "";       // in RawSettings, in faultline.toml, in a report
  const char* option = "";    // as typed: --range, or -f,--function; empty: only in a file
  const char* group = "";     // its heading in --help
  Form form = Form::word;     // of the values
  const char* value = "";     // placeholder for a value in --help: x=LO:HI
  const char* usual = "";     // the default as it could be typed; empty: none, or see `otherwise`
  const char* otherwise = ""; // the default if no value expresses it: "all suitable ones"
  const char* choices = "";   // all possible words, if there is a fixed set: uniform,log
  const char* unit = "";      // of a number: ulps, bits, evaluations
  const char* help = "";
  const char* more = "";            // whole sentences, only for the man page
  uint32_t commands = 0;            // the set of commands that take it
  InFile in_file = InFile::nowhere; //
  const char* example = "";         // in a file
  const char* alternative = "";     // the key of an alternative setting; each replaces the other
  NameKind names = NameKind::none;  //
  char between = 0;                 // by_name: the separator of a value that is a list
  bool for_all = false;             // by_name: a value without a name is for all
  bool for_every_array = false;     // and replaces the values of all names, not only of floats
  bool adds_up = false;             // list: values of higher priority are added at the end and replace nothing
  Recorded recorded = Recorded::always;
  // Reads the values into the field, and writes the field as values; none if it has its default. Reading throws
  // UserError. Written values read back as the same.
  void (*read)(const std::vector<std::string>& values, Settings& settings) = nullptr;
  std::vector<std::string> (*write)(const Settings& settings) = nullptr;

  bool of_function() const { return read != nullptr; }
  bool repeatable() const { return form == Form::list || form == Form::by_name; }
};

// Returns all rows in the order of --help.
const std::vector<Setting>& all_settings();
const Setting* find_setting(const std::string& key);

// True if the word is this option, alone or with its value: -j, -j4, --jobs=4.
bool is_option(const Setting& setting, std::string_view word);

// Reads settings from text on top of the given ones, which are a command's own defaults. Throws UserError.
Settings read_settings(const RawSettings& raw, Settings settings = {});
// Returns everything that differs from the defaults, as text.
RawSettings raw_settings_of(const Settings& settings);

// Convert the settings of a function to words of a command and back. The reverse throws UserError for invalid words.
std::vector<std::string> words_of(const RawSettings& raw);
RawSettings raw_settings_in(const std::vector<std::string>& words);

// Returns the name in x=VALUE, and "*" for a VALUE without name, which is for all. In a list, each word is its name.
std::string name_in(const std::string& text, Form form = Form::by_name);

// Returns `lower` with the values of `higher` in place of its own. A range for x replaces a range for x and for x[3].
// One for all replaces those of all floats (`is_float` decides by the name of an input). Alternative settings replace
// each other.
RawSettings overridden(RawSettings lower, const RawSettings& higher,
                       const std::function<bool(const std::string&)>& is_float);

} // namespace faultline::model
