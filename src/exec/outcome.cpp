#include "exec/outcome.h"

#include "exec/guard.h"
#include "exec/replacements.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <typeinfo>

namespace faultline::exec {

namespace {

Ending noted;

// Plain memory for the text: nothing may be allocated while a time-out may jump out of the code or a read of its memory
// may fail.
struct Raw {
  char symbol[1024]; // the type; longer names are truncated
  char words[longest_words + 2];
};
Raw raw;

template <size_t size> void copy(char (&to)[size], const char* from) {
  size_t length = 0;
  for (; from && length < size - 1 && from[length] != 0; ++length)
    to[length] = from[length];
  to[length] = 0;
}

std::string printable(const char* text, size_t length) {
  std::string words(text, std::min(length, longest_words));
  for (char& c : words)
    if (c < ' ' || c > '~')
      c = '?';
  return length > longest_words ? words + "..." : words;
}

std::string type_name(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         &std::free);
  const char* text = name ? name.get() : symbol;
  return printable(text, strlen(text));
}

// True if the current exception has one of these types. Libraries throw them for an argument or a result out of range.
template <class... Types> bool is_one_of(const std::exception& thrown) {
  return (dynamic_cast<const Types*>(&thrown) || ...);
}

} // namespace

void note_exit(int status) {
  enter_own_code();
  noted = {"", fmt::format("exit({})", status), false};
  leave_own_code();
}

void note_stop(int status, bool is_error) {
  enter_own_code();
  noted = {"", fmt::format("{}STOP{}", is_error ? "ERROR " : "", status == 0 ? "" : fmt::format(" {}", status)), false};
  leave_own_code();
}

void note_stop(const char* message, size_t length, bool is_error) {
  for (size_t i = 0; i < std::min(length, sizeof raw.words); ++i)
    raw.words[i] = message[i];
  enter_own_code();
  noted = {"", fmt::format("{}STOP {}", is_error ? "ERROR " : "", printable(raw.words, length)), false};
  leave_own_code();
}

void note_current_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  copy(raw.symbol, type ? type->name() : "a foreign exception");
  copy(raw.words, "");
  bool refuses = false;
  try {
    throw;
  } catch (const std::exception& thrown) {
    refuses = is_one_of<std::domain_error, std::invalid_argument, std::range_error, std::overflow_error,
                        std::underflow_error>(thrown);
    copy(raw.words, thrown.what());
  } catch (...) { // what() itself failed
  }
  enter_own_code();
  noted = {type_name(raw.symbol), printable(raw.words, strlen(raw.words)), refuses};
  leave_own_code();
}

const Ending& noted_ending() { return noted; }

Ending ending_at_missing(const void* address) {
  const MissingSymbol* missing = missing_at(address);
  if (!missing)
    return {};
  const std::string shown = shown_name(*missing);
  const std::string name = printable(shown.data(), shown.size());
  return {"", fmt::format("{} {}, which is missing", missing->is_function ? "calls" : "uses", name), false,
          missing->is_function ? name : ""};
}

std::string end_words(Outcome outcome, const Ending& ending) {
  const bool in_words = outcome == Outcome::missing || (outcome == Outcome::out_of_bounds && !ending.words.empty());
  return in_words ? ending.words : std::string(text(outcome));
}

std::string_view text(Outcome outcome) {
  static constexpr std::string_view texts[] = {
#define FAULTLINE_OUTCOME_TEXT(id, text) text,
      FAULTLINE_OUTCOMES(FAULTLINE_OUTCOME_TEXT)
#undef FAULTLINE_OUTCOME_TEXT
  };
  return texts[static_cast<size_t>(outcome)];
}

} // namespace faultline::exec
