// One FPCore of a file: its name, arguments and properties. The expressions are forms still: what reads them
// (function_writer.h, meaning_text.h, precondition.h) says where they are wrong.
#pragma once

#include "frontend/fpcore/form.h"
#include "numeric/format.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::frontend::fpcore {

struct Argument {
  std::string name;   // as the file has it
  std::string c_name; // as reports and --range have it
  numeric::Format format = numeric::Format::binary64;
};

struct Core {
  std::string symbol; // by which others call it; empty: it has none
  std::string name;   // of the function that it becomes
  Place place;
  numeric::Format format = numeric::Format::binary64;
  std::vector<Argument> arguments;
  std::optional<Form> precondition, meaning; // :pre, :spec
  Form body;
};

inline constexpr size_t most_cores = 1000;     // of one file: FPBench has some 130
inline constexpr size_t most_arguments = 1000; // of one core; C promises 127

// Throws UserError, as everything that takes the file's name here does.
std::vector<Core> read_cores(std::string_view text, const std::string& file);

// The format that properties (:precision binary32 :round nearestEven ...) say, or `outer`.
// They begin at items[first]; `first` is behind them afterwards.
numeric::Format format_of_properties(const std::vector<Form>& items, size_t& first, numeric::Format outer,
                                     const std::string& file, std::map<std::string, const Form*>* others = nullptr);

} // namespace faultline::frontend::fpcore
