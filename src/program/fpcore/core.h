// One FPCore of a file: its name, arguments and properties. The expressions are still forms: their readers report
// errors in them.
#pragma once

#include "base/error.h"
#include "numeric/format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program::fpcore {

// FPCore's text as S-expressions (FPBench 2.0, "The FPCore format", section 1): lists, symbols, numbers and strings,
// each with its place in the file.
//
// The file is untrusted: its size, the depth of its parentheses and the number of its forms are limited.
struct Place {
  int line = 1, column = 1; // counted from 1; columns are bytes
};

struct Form {
  enum class Kind : uint8_t { list, symbol, number, string };
  Kind kind = Kind::list;
  std::string text; // of all but lists; a string's excludes its quotes
  Place place;      // of a list: its opening parenthesis
  std::vector<Form> items = {};
  bool is_square = false; // [a b]

  bool is_list() const { return kind == Kind::list; }
  bool is_symbol() const { return kind == Kind::symbol; }
  bool is_symbol(std::string_view name) const { return is_symbol() && text == name; }
  bool is_number() const { return kind == Kind::number; }
  bool is_property() const { return is_symbol() && text.size() > 1 && text.front() == ':'; }
  // The name at the beginning of a list; empty if there is none.
  std::string_view head() const {
    return is_list() && !items.empty() && items.front().is_symbol() ? items.front().text : std::string_view();
  }
};

inline constexpr size_t largest_file = 1 << 20; // bytes: five times the size of FPBench's suite
inline constexpr int deepest_form = 400;        // nesting of parentheses; FPBench's deepest has 24
inline constexpr size_t most_forms = 400'000;

// Throws UserError: FILE:LINE:COLUMN: what is wrong.
std::vector<Form> read_forms(std::string_view text, const std::string& file);

[[noreturn]] void fail(const std::string& file, const Place& place, const std::string& what, const std::string& hint);

using base::shown;
std::string shown(const Form& form); // for messages

struct Argument {
  std::string name;   // in the file
  std::string c_name; // in reports and --range
  numeric::Format format = numeric::Format::binary64;
};

struct Core {
  std::string symbol; // the name for calls from other cores; empty if there is none
  std::string name;   // of the resulting function
  Place place;
  numeric::Format format = numeric::Format::binary64;
  std::vector<Argument> arguments;
  std::optional<Form> precondition, meaning; // :pre, :spec
  Form body;
};

inline constexpr size_t most_cores = 1000;     // per file: FPBench has some 130
inline constexpr size_t most_arguments = 1000; // per core; C guarantees 127

// Throws UserError, like every function here that takes the file's name.
std::vector<Core> read_cores(std::string_view text, const std::string& file);

// Returns the format of the properties (:precision binary32 :round nearestEven ...), or `outer`. They begin at
// items[first]; `first` is moved past them.
numeric::Format format_of_properties(const std::vector<Form>& items, size_t& first, numeric::Format outer,
                                     const std::string& file, std::map<std::string, const Form*>* others = nullptr);

} // namespace faultline::program::fpcore
