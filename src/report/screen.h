// A hunt's report on one screen: the problems in order of tier and size, the first ones in full, further ones and notes
// with one line each; then the table of functions; then the next commands.
#pragma once

#include "model/problem.h"
#include "model/report.h"
#include "report/text.h"

#include <optional>
#include <string>

namespace faultline::report {

enum class Detail : uint8_t {
  brief,  // only a line per problem
  normal, // one screen
  full,   // all data of every finding (-v)
};

struct Screen {
  Style style;
  Detail detail = Detail::normal;
  size_t limit = 10;                        // problems in full
  std::optional<size_t> columns = {};       // of the terminal, if it is one
  model::Tier fail_on = model::Tier::error; // if this is note, notes are shown in full, too
  std::string program = "faultline";        // the name it was started with, for commands that can be pasted
  bool has_page = false;                    // the hunt wrote an HTML page, so the next step is another one
};

std::string screen_text(const model::RankedReport& ranked, const SourceLine& source, const Screen& screen);

// Suppressed and known findings (model/set_aside.h): counted, and shown only with --all.

// Returns a line per reason for hiding something; empty if there is none.
std::string set_aside_text(const model::Report& report);

// Returns why this finding is suppressed or known; empty if it is neither.
std::string set_aside_text(const model::Finding& finding);

} // namespace faultline::report
