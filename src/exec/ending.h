// How a run that did not return ended, as far as it said so itself: what was thrown, the status of an exit, what it
// needed that is not here. The words are those of code that is not trusted: printable, and not many.
#pragma once

#include "exec/outcome.h"

#include <cstddef>
#include <string>

namespace faultline::exec {

struct Ending {
  std::string thrown;       // the type of the exception; empty: none was thrown
  std::string words;        // its what(); "exit(2)", "STOP 1"; "calls errmsg, which is not here"
  bool refuses = false;     // a standard exception for an argument or a result that is out of range
  std::string missing = {}; // the function that is not here, if it was called

  bool operator==(const Ending&) const = default;
};

inline constexpr size_t longest_words = 200; // of either: a line or two of a report

// Called where it happens, inside of a guarded call; what they note is of the last such end.
void note_exit(int status);
void note_stop(int status, bool is_error);
void note_stop(const char* message, size_t length, bool is_error);
void note_current_exception(); // in a handler. Runs code under test: what()

// After the call: it ended at this address, where a symbol that is not here would be.
Ending ending_at_missing(const void* address);

const Ending& noted_ending();

// How a call ended, in words: those of the outcome, but for what is missing, which has a name.
std::string end_words(Outcome outcome, const Ending& ending);

} // namespace faultline::exec
